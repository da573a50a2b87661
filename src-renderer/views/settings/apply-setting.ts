// Changes settings and checks whether the change took effect.
// The caller explains a refusal.
import type { SettingsPatch } from '../../../src-shared/settings.ts'
import { change } from '../../state/store.ts'

/**
 * Applies the patch. Resolves to whether all of its values are in effect: false if the shell refused one or
 * the call failed.
 */
export async function isApplied(patch: SettingsPatch): Promise<boolean> {
  // Compare with the result of this call, because the window's settings may already contain a later change to
  // the same setting.
  const now = await change(patch)
  return (
    now !== null &&
    Object.entries(patch).every(
      ([name, value]) => JSON.stringify(Reflect.get(now, name)) === JSON.stringify(value),
    )
  )
}
