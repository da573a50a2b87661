// Lets the user choose a folder to watch. The path stays in the shell; the page gets a token for it.
// The dialog that follows is in app/dialogs.tsx.

import { NO_LIMITS } from '../../src-shared/choices.ts'
import { printable } from '../../src-shared/format.ts'
import type { Batch, Picked } from '../../src-shared/window-contract.ts'
import { IS_SHELF } from '../lib/page.ts'
import type { Words } from '../lib/words.ts'
import { call } from './client.ts'
import { notify, notifyFailure, valueOrNotice } from './notices.ts'
import { appStore } from './store.ts'

/** Opens the system's folder dialog, then shows the folder's forecast and options. */
export async function watchFolder(words: Words): Promise<void> {
  const picked = await valueOrNotice(words, call('chooseFolder', {}))
  if (picked !== null) appStore.setState({ pickedFolder: picked })
}

/** Offers to watch a dropped folder, whose files were uploaded once, with the same form as any other. */
export function offerToWatch({ t }: Words, { folder }: Batch): void {
  if (folder === undefined || IS_SHELF) return
  const { title, hint } = t.droppedFolder
  const open = async (): Promise<void> => {
    // As the form starts.
    const ignore = [...(appStore.getState().settings?.ignore ?? [])]
    const plan = await call('planPicked', { token: folder.token, ignore, limits: NO_LIMITS })
    appStore.setState({ pickedFolder: { ...folder, paths: 1, forecast: plan.ok ? plan.value : null } })
  }
  notify({
    topic: 'dropped-folder',
    level: 'info',
    title: title(printable(folder.name)),
    hint,
    action: { label: t.addFolder, run: () => void open() },
  })
}

/**
 * Closes the dialog for this folder. Does nothing if another folder has been chosen in the meantime, for
 * example while a call was in flight.
 */
export function closePicked(picked: Picked): void {
  if (appStore.getState().pickedFolder?.token === picked.token) appStore.setState({ pickedFolder: null })
}

/** Like `watchFolder`, but for the system's screenshots folder, which the shell looks up. */
export async function watchScreenshots(words: Words): Promise<void> {
  const got = await call('pickScreenshots', {})
  const { noScreenshots, noScreenshotsHint } = words.t.settingsView
  if (!got.ok) notifyFailure(words, got.failure)
  else if (got.value === null) notify({ level: 'info', title: noScreenshots, hint: noScreenshotsHint })
  else appStore.setState({ pickedFolder: got.value })
}
