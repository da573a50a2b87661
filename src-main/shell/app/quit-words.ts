// Decides whether quitting asks for confirmation, and builds the text. Quitting asks only while files are
// being uploaded, because only these uploads have to start over. Users who are asked every time stop reading
// the question. A trial ends with the app. If it has files, or if that isn't known, quitting and restarting
// for an update ask for confirmation, just as the window does before it ends a trial.
import { printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import type { Desk } from '../window/desk.ts'

interface QuitWords {
  readonly title: string
  readonly detail: string
  readonly quit: string
  readonly stay: string
}

interface Quit {
  /** Every account whose engine runs in the app. */
  readonly accounts: readonly { readonly name: string | null; readonly snapshot: Snapshot | null }[]
  /**
   * Whether Slipway is being tried without an account. Everything in a trial is deleted when the app quits.
   */
  readonly isTrial: boolean
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
}

/**
 * Returns null to quit without asking. Don't call this while the system shuts down, because the user can't
 * answer then.
 */
export function quitWords({ accounts, isTrial, texts, formats }: Quit): QuitWords | null {
  const busy = accounts.flatMap(({ name, snapshot }) =>
    snapshot === null ? [] : [{ name, counts: snapshot.counts }],
  )
  const uploading = busy.reduce((sum, { counts }) => sum + counts.uploading, 0)
  const behind = busy.reduce(
    (sum, { counts }) => sum + counts.queued + counts.waiting + counts.settling + counts.unknown,
    0,
  )
  const words = texts.quit
  if (isTrial) {
    const ended = busy.reduce((sum, { counts }) => sum + counts.done + counts.held + counts.failed, 0)
    // Until the engine has answered for the first time, its files aren't known.
    const isKnown = accounts.every(({ snapshot }) => snapshot !== null)
    if (isKnown && uploading + behind + ended === 0) return null
    return { title: words.titleTrial, detail: words.detailTrial, quit: words.quit, stay: words.stayTrial }
  }
  if (uploading === 0) return null
  const detail = behind === 0 ? words.detail : words.detailBehind(behind, formats.count(behind))
  const named = busy.flatMap(({ name, counts }) =>
    name === null || counts.uploading === 0
      ? []
      : [words.ofAccount(printable(name), counts.uploading, formats.count(counts.uploading))],
  )
  return {
    title: words.title(uploading, formats.count(uploading)),
    // With a single account, omit its name.
    detail: accounts.length < 2 || named.length === 0 ? detail : [...named, '', detail].join('\n'),
    quit: words.quit,
    stay: words.stay,
  }
}

/**
 * Asks for confirmation if restarting for an update would delete the files of a trial. Resolves to false if
 * the user declines, and to null without asking if another question is open.
 */
export async function mayRestart(
  desk: Pick<Desk, 'confirm' | 'hasQuestion'>,
  quit: Quit,
): Promise<boolean | null> {
  const words = quit.isTrial ? quitWords(quit) : null
  if (words === null) return true
  // The desk would decline a second question without showing it.
  if (desk.hasQuestion()) return null
  const { titleTrialRestart: title, restart: confirm } = quit.texts.quit
  return desk.confirm({ title, detail: words.detail, confirm, cancel: words.stay })
}
