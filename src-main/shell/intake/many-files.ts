// Asks before many files are uploaded at once, whichever way they came in: a wrong folder would be public with
// one gesture. The engine counts (upload-batches.ts sends it the limit), and a system dialog asks, so that a page can
// neither go around the question nor answer it.
import { randomUUID } from 'node:crypto'
import { UPLOAD_ORDERS, type UploadOrder } from '../../../src-shared/choices.ts'
import type { Input } from '../../../src-shared/engine-contract.ts'
import type { PlanForecast, Snapshot } from '../../../src-shared/model.ts'
import type { Language } from '../app/language.ts'
import { manyQuestion } from '../app/questions.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { Desk } from '../window/desk.ts'

/** Maximum number of paths per call, well below the contract's limit. */
export const PATHS_MOST = 1000

/** `paused`: the files are added to the queue, and wait there until the user resumes them. */
export interface ManyAnswer {
  readonly order?: UploadOrder
  readonly paused?: true
}

/** Resolves to null if the user declines. `amount`: the files that aren't uploaded yet. */
export type AskForMany = (
  paths: readonly string[],
  amount: { readonly files: number; readonly bytes: number },
) => Promise<ManyAnswer | null>

export function askForMany({
  link,
  desk,
  snapshot,
  language,
  now,
}: {
  readonly link: EngineLink
  readonly desk: Pick<Desk, 'choose'>
  readonly snapshot: () => Snapshot | null
  readonly language: () => Language
  readonly now: () => number
}): AskForMany {
  return async (paths, amount) => {
    const plan = await forecastOf(link, paths, { quick: true })
    const question = manyQuestion(plan, amount, { snapshot: snapshot(), now: now() }, language())
    // Nothing is lost to a question that is already open. upload-batches.ts lets few wait.
    const chosen = await desk.choose(question, true)
    if (chosen === null) return null
    if (amount.files === 1) return chosen === 0 ? { order: 'name' } : { paused: true }
    const order = UPLOAD_ORDERS[chosen]
    return order === undefined ? { paused: true } : { order }
  }
}

/**
 * Resolves to one forecast for all paths; null if it can't be made. `ignore`: rules for folders in `paths`.
 */
export async function forecastOf(
  link: EngineLink,
  paths: readonly string[],
  how: Pick<Input<'plan'>, 'ignore' | 'limits' | 'quick' | 'pasted'>,
): Promise<PlanForecast | null> {
  const last = await sendParts(link, paths)
  const plan = last === null ? null : await link.call('plan', { ...last, ...how })
  return plan?.ok === true ? plan.value : null
}

/**
 * Sends all but the last paths to the engine, for a call that takes them as one. Resolves to the rest of the
 * call's input; null if the engine doesn't take them.
 */
export async function sendParts(
  link: EngineLink,
  paths: readonly string[],
): Promise<Pick<Input<'plan'>, 'paths' | 'parts'> | null> {
  const token = randomUUID()
  let count = 0
  for (; paths.length - count > PATHS_MOST; count += PATHS_MOST) {
    const part = await link.call('planPart', { token, paths: paths.slice(count, count + PATHS_MOST) })
    if (!part.ok) return null
  }
  return { paths: paths.slice(count), ...(count === 0 ? {} : { parts: { token, count } }) }
}
