// Which proxy the engine uses: the one of the settings, else that of the environment, else what Chromium finds in the system's settings, PAC
// scripts included. Chromium's answers are kept for a moment, because every request asks.
import { proxyOf } from '../../api/proxy.ts'
import type { ApiClientOptions } from '../../api/types.ts'

type Proxies = NonNullable<ApiClientOptions['proxy']>
type AskSystem = (url: string) => Promise<string>

/** A change in the system's settings takes effect after this time at the latest. */
const KEEP_MS = 15_000
/** A PAC script may be fetched and may look names up. */
const ANSWER_MS = 10_000

/** Rejects if the main thread doesn't answer in time. */
export function createSystemProxy(ask: AskSystem, now: () => number): AskSystem {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<string> }>()
  return (url) => {
    const last = known.get(url)
    const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.at
    // After a clock rollback the age is negative.
    if (last !== undefined && age >= 0 && age < KEEP_MS) return last.answer
    const answer = inTime(ask(url))
    known.set(url, { at: now(), answer })
    answer.catch(() => known.delete(url))
    return answer
  }
}

async function inTime(work: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer about the proxy')), ANSWER_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** `chosen`: `system`, `none`, or the address of a proxy for everything. */
export function proxyFor(chosen: string, env: Readonly<Record<string, string | undefined>>, system: AskSystem): Proxies {
  const ofEnvironment = proxyOf(env)
  if (chosen === 'none') return { http: null, https: null, noProxy: null }
  if (chosen !== 'system') return { http: chosen, https: chosen, noProxy: ofEnvironment.noProxy }
  return { ...ofEnvironment, system }
}
