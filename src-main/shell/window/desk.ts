// The interface through which the handlers use the desktop, for example dialogs, the clipboard and the
// browser. ../app/electron-desk.ts implements it. This file contains only types, so that handlers can be tested
// without Electron.

import type { Result } from '../../../src-shared/engine-contract.ts'
import type { DroppedContent } from '../../../src-shared/window-contract.ts'
import type { Choice, Question } from '../app/questions.ts'
import type { ClipboardMark } from '../clipboard/unasked-copies.ts'
import type { Screenshots } from '../intake/screenshots.ts'

export interface Pasted {
  readonly paths: readonly string[]
  /** Whether the content was just written to a file. */
  readonly pasted: boolean
  /** The clipboard's state when the content was read, if it comes from there. */
  readonly mark?: ClipboardMark
  /** Whether there are no paths because the user declined or cancelled. */
  readonly isDeclined?: boolean
}

export interface Desk {
  chooseFolder(): Promise<string | null>
  /** The folder in which the system saves screenshots; null if there is none. */
  screenshots(): Promise<Screenshots | null>
  chooseFiles(folders: boolean): Promise<readonly string[]>
  /**
   * Copies the text to the clipboard at the user's request, showing the window if the system requires it to
   * have the focus. Resolves to false if the write fails.
   */
  writeText(text: string): Promise<boolean>
  /** Copies a PNG picture. Resolves to false if the write fails. */
  writePicture(png: Buffer): Promise<boolean>
  /**
   * Writes a file that the user chooses, and proposes a name. Resolves to false if the user declines; rejects if
   * the file can't be written.
   */
  saveAs(name: string, content: Buffer | string): Promise<boolean>
  openUrl(url: string): void
  /** Resolves to '' on success, else to the system's error message. */
  openPath(path: string): Promise<string>
  showInFolder(path: string): void
  /** Makes the user, who is dragging in the window, drag these files. */
  dragFiles(paths: readonly string[]): void
  /**
   * Returns the files, picture or text on the clipboard as paths to upload; empty if there is nothing to
   * upload, or if `asksForText` is true and the user doesn't want to upload the text. Fails if the clipboard
   * can't be read or its content is too large, and rejects if the file can't be written.
   */
  clipboardFiles(pastedDir: string, asksForText?: boolean): Promise<Result<Pasted>>
  /**
   * Lets the user take a picture of a part of the screen, and returns it like `clipboardFiles`. Fails if the
   * system has no tool for that, or if the tool takes no picture.
   */
  region(pastedDir: string): Promise<Result<Pasted>>
  /**
   * Writes a text or a picture that was dropped without being a file, and returns its path. Null if the user
   * doesn't want to upload the text, if the picture isn't one, or if either is too large.
   */
  droppedFile(dir: string, content: DroppedContent): Promise<string | null>
  /**
   * Asks the user in a system dialog, which a page can neither see nor answer. Resolves to false if the user
   * declines or closes the dialog, or if another question is already open. One about a drop (`isOfDrop`) waits
   * for the open question instead, so that the drop isn't lost to it.
   */
  confirm(question: Question, isOfDrop?: boolean): Promise<boolean>
  /**
   * Like `confirm`, with several answers. Resolves to the index of the chosen answer; null if the user
   * declines. `waits`: waits for an open question; the caller limits how many do.
   */
  choose(choice: Choice, waits?: boolean): Promise<number | null>
  /** Whether a question is open. Until it is answered, others are declined without being shown, or wait. */
  hasQuestion(): boolean
  quit(): void
}
