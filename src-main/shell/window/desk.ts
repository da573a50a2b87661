// The desktop as the handlers see it: dialogs, clipboard, browser and file manager. Made real by ../app/desk.ts.
// Types only, so that the handlers run in a test without Electron.
import type { Question } from '../app/questions.ts'

export interface Desk {
  chooseFolder(): Promise<string | null>
  chooseFiles(folders: boolean): Promise<readonly string[]>
  /** Replaces what is on the clipboard. */
  writeText(text: string): void
  openUrl(url: string): void
  /** Resolves with '' or with what the system says went wrong. */
  openPath(path: string): Promise<string>
  showInFolder(path: string): void
  /**
   * Files, a picture or a text on the clipboard, as paths that can be uploaded; [] where there is nothing. `pasted`: written just now, into
   * Slipway's own data folder.
   */
  clipboardFiles(): Promise<{ readonly paths: readonly string[]; readonly pasted: boolean }>
  /**
   * Asks a person in a dialog of the system, which a page can neither see nor answer. False where the person declines or closes it, and
   * at once where another question is open.
   */
  confirm(question: Question): Promise<boolean>
  quit(): void
}
