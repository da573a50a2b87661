// Asks the user in system dialogs, which a page can neither see nor answer, one question at a time.
import { type BrowserWindow, dialog } from 'electron'
import type { Desk } from '../window/desk.ts'

interface AskingParts {
  /** The window to attach a dialog to; null if it isn't shown. */
  readonly shownWindow: () => BrowserWindow | null
  /** Counts a dialog that would close with the window until `answer` settles. */
  readonly during: <T>(answer: Promise<T>) => Promise<T>
  /** Called when the user has agreed to something in a system dialog. */
  readonly agreed: () => void
}

export function createAsking(parts: AskingParts): Pick<Desk, 'confirm' | 'choose'> & {
  /** Resolves when no question is open, so that a drop isn't lost to it. */
  readonly freed: () => Promise<void>
  readonly hasQuestion: () => boolean
  /** Counts a dialog that other code shows as an open question until `answer` settles. */
  readonly whileAsking: <T>(answer: Promise<T>) => Promise<T>
} {
  let questions = 0
  /** Resolves when no question is open any more. */
  let isFree = Promise.withResolvers<void>()
  let isWaited = false
  /** Waits for an open question, so that a drop isn't lost to it. Only one waits: a page can't pile up any. */
  const freed = async (): Promise<void> => {
    if (questions === 0 || isWaited) return
    isWaited = true
    await isFree.promise
    isWaited = false
  }
  const whileAsking = async <T>(answer: Promise<T>): Promise<T> => {
    questions++
    try {
      return await answer
    } finally {
      questions--
      if (questions === 0) {
        isFree.resolve()
        isFree = Promise.withResolvers<void>()
      }
    }
  }
  const ask = async (
    box: Electron.MessageBoxOptions,
    waits = false,
  ): Promise<Electron.MessageBoxReturnValue | null> => {
    // Allow only one question at a time, so that a page can't pile up dialogs for the user to dismiss.
    while (questions > 0) {
      if (!waits) return null
      await isFree.promise
    }
    const window = parts.shownWindow()
    const answer =
      window === null ? dialog.showMessageBox(box) : parts.during(dialog.showMessageBox(window, box))
    return whileAsking(answer)
  }
  const confirm: Desk['confirm'] = async ({ title, detail, confirm: yes, cancel }, isOfDrop = false) => {
    if (isOfDrop) await freed()
    // Enter and Escape both decline, since a page could open the dialog while the user is typing.
    const buttons = [yes, cancel]
    const got = await ask({
      type: 'warning',
      message: title,
      detail,
      buttons,
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    })
    if (got?.response !== 0) return false
    parts.agreed()
    return true
  }
  const choose: Desk['choose'] = async ({ title, detail, answers, cancel, byEnter, box }, waits) => {
    const cancelId = answers.length
    const buttons = [...answers, cancel]
    const defaultId = byEnter ?? cancelId
    const checkbox = box === undefined ? {} : { checkboxLabel: box.label }
    const got = await ask(
      { type: 'question', message: title, detail, buttons, defaultId, cancelId, noLink: true, ...checkbox },
      waits,
    )
    if (got === null || got.response >= cancelId) return null
    if (got.checkboxChecked) box?.tick()
    return got.response
  }

  return { confirm, choose, freed, hasQuestion: () => questions > 0, whileAsking }
}
