// Handles uploads that start outside the window: from the tray, a global shortcut, a file manager, or
// another program. The outcome is shown in the window or, if the user wouldn't see it there, in a
// notification.

import { batchWords } from '../../../src-shared/batch-words.ts'
import type { Result } from '../../../src-shared/engine-contract.ts'
import { mayHaveKey } from '../../../src-shared/key-state.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { Batch, CallName, WindowCommand, WindowEvent } from '../../../src-shared/window-contract.ts'
import type { AccountSession } from '../accounts/account-session.ts'
import { missingFiles } from '../intake/given-files.ts'
import type { Language } from './language.ts'

/** The parts of the app that these uploads use. */
interface Parts {
  readonly accounts: { shown(): AccountSession }
  readonly server: { tell(event: WindowEvent): void }
  readonly window: { isFocused(): boolean }
  language(): Language
}

/**
 * Uploads files to the account of `session`. If `copyLink` is true, their links are copied regardless of the
 * settings. Resolves to false if nothing has become of the files because the engine was restarting.
 */
export async function uploadFiles(
  slipway: Parts,
  files: readonly string[],
  session: AccountSession,
  copyLink: boolean,
): Promise<boolean> {
  const missing = await missingFiles(files)
  const there = files.filter((file) => !missing.includes(file))
  const [first] = missing
  if (first !== undefined) {
    const { title, hint } = slipway.language().texts.missingFile
    session.notifier.say('missing file', title(first), there.length === 0 ? hint : null)
  }
  if (there.length === 0) return true
  const got = await session.shell.uploadPaths(there, copyLink)
  if ((got.ok ? got.value.rest?.code : got.failure.code) === 'closing') return false
  report(slipway, session, got)
  return true
}

/**
 * Uploads the clipboard's content to the account shown in the window. If an internal error occurs, reports it
 * and rejects.
 */
export async function uploadClipboard(slipway: Parts): Promise<void> {
  const session = slipway.accounts.shown()
  try {
    report(slipway, session, await session.shell.handlers.uploadClipboard({}), 'uploadClipboard')
  } catch (error) {
    session.notifier.failure({ code: 'defect', title: 'Internal error.', hint: 'See the log for details.' })
    throw error
  }
}

/**
 * Uploads the clipboard, or a picture of a part of the screen that the user takes now, and copies the link:
 * one key for everything. Without an account, the window shows how to connect, and keeps what is on the
 * clipboard.
 */
export async function uploadByKey(
  slipway: Parts & {
    readonly settings: { read(): Pick<AppSettings, 'welcomed'> }
    command(name: WindowCommand): void
    show(view: null): void
  },
  what: 'clipboard' | 'region',
): Promise<void> {
  const session = slipway.accounts.shown()
  if (!mayHaveKey(session.store.connection(), slipway.settings.read().welcomed)) {
    if (what === 'clipboard') slipway.command('paste')
    else slipway.show(null)
    return
  }
  const got = await session.shell.uploadAtOnce(what)
  if (got !== null) report(slipway, session, got, what === 'region' ? 'takeRegion' : 'uploadClipboard')
}

/**
 * Reports the outcome of an upload. `got` contains null if there was nothing to upload. `of`: see
 * `reportFailure` in app.ts.
 */
function report(slipway: Parts, session: AccountSession, got: Result<Batch | null>, of?: CallName): void {
  const { window: t, formats } = slipway.language()
  if (!got.ok) {
    session.notifier.failure(got.failure, of)
    return
  }
  const batch = got.value
  if (batch === null) {
    session.notifier.say('clipboard', t.nothingOnClipboard, null)
    return
  }
  if (batch.isDeclined === true) return
  const isShown = session === slipway.accounts.shown()
  if (isShown) slipway.server.tell({ kind: 'batch', batch })
  const { title, hint, isProblem } = batchWords(t, formats, batch)
  // Added files are reported when they finish. Files that were left out appear in no list, so they are
  // reported here.
  const isAdded = batch.queued + batch.already + batch.held > 0
  if ((isProblem || !isAdded || batch.isPaused === true) && !(isShown && slipway.window.isFocused()))
    session.notifier.say('left out', title, hint)
}
