// The desktop as the handlers see it: dialogs, clipboard, browser and file manager. Made real by ../app/desk.ts.
// Types only, so that the handlers run in a test without Electron.

import type { Choice, Question } from '../app/questions.ts'
import type { Screenshots } from '../intake/screenshots.ts'

export interface Desk {
  chooseFolder(): Promise<string | null>
  /** The system's own folder of screenshots; null: none is there. */
  screenshots(): Promise<Screenshots | null>
  chooseFiles(folders: boolean): Promise<readonly string[]>
  /** Replaces what is on the clipboard, as a person asked. False where the system did not take it. */
  writeText(text: string): Promise<boolean>
  openUrl(url: string): void
  /** Resolves with an error message of the system, or '' on success. */
  openPath(path: string): Promise<string>
  showInFolder(path: string): void
  /**
   * Files, a picture or text on the clipboard, as paths that can be uploaded; empty if there is none of them. `pasted`: the content was
   * just written to a file in `pastedDir`.
   */
  clipboardFiles(pastedDir: string): Promise<{ readonly paths: readonly string[]; readonly pasted: boolean }>
  /**
   * Asks the user in a system dialog, which a page can neither see nor answer. Resolves to false if the user declines or closes it, or if
   * another question is open.
   */
  confirm(question: Question): Promise<boolean>
  /** The same with several answers. Resolves to the index of the one that was chosen; null: declined. */
  choose(choice: Choice): Promise<number | null>
  quit(): void
}
