// One way from a control to the settings: at once, and with a word where the shell did not take it.
// Nothing is kept here.

import type { SettingsPatch } from '../../../src-shared/settings.ts'
import { appStore, change, notify } from '../../app/store.ts'

/** True: it counts now. The window falls back to the old value by itself. */
export async function applied(patch: SettingsPatch): Promise<boolean> {
  await change(patch)
  const now = appStore.getState().settings
  return now !== null && Object.entries(patch).every(([name, value]) => JSON.stringify(Reflect.get(now, name)) === JSON.stringify(value))
}

export async function apply(patch: SettingsPatch, words: { readonly title: string; readonly hint: string }): Promise<void> {
  if (!(await applied(patch))) notify({ level: 'problem', title: words.title, hint: words.hint })
}
