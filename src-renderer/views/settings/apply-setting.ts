// Changes settings and checks whether the change took effect.
// The caller explains a refusal.
import type { SettingsPatch } from '../../../src-shared/settings.ts'
import { change } from '../../state/store.ts'

/** Applies the patch. Resolves to whether all of its values are in effect: false if the shell refused one or the call failed. */
export async function isApplied(patch: SettingsPatch): Promise<boolean> {
  // Compare with the answer to this change. In the window's settings, the user may have changed the same one again by now.
  const now = await change(patch)
  return now !== null && Object.entries(patch).every(([name, value]) => JSON.stringify(Reflect.get(now, name)) === JSON.stringify(value))
}
