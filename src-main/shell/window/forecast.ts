// Asks the engine what an upload of picked files would do under the plan's limits.
import { randomUUID } from 'node:crypto'
import type { PlanForecast } from '../../../src-shared/model.ts'
import type { EngineLink } from '../engine/protocol.ts'

/** Maximum number of paths per call, well below the contract's limit. */
const PATHS_MOST = 1000

/** Resolves to one forecast for all paths, using several calls if necessary; null if one fails. `ignore`: rules for folders in `paths`. */
export async function forecastOf(
  link: EngineLink,
  paths: readonly string[],
  ignore: readonly string[] | null,
): Promise<PlanForecast | null> {
  const token = randomUUID()
  let count = 0
  for (; paths.length - count > PATHS_MOST; count += PATHS_MOST) {
    const part = await link.call('planPart', { token, paths: paths.slice(count, count + PATHS_MOST) })
    if (!part.ok) return null
  }
  const plan = await link.call('plan', {
    paths: paths.slice(count),
    ...(ignore === null ? {} : { ignore: [...ignore] }),
    ...(count === 0 ? {} : { parts: { token, count } }),
  })
  return plan.ok ? plan.value : null
}
