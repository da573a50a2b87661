// Parses SLIPWAY_DEBUG, a comma-separated list of topics or `all`. It selects the parts of the engine that log the reasons for their
// decisions at level `debug`.
import type { DebugTopic, Log } from '../engine/ports.ts'

export const DEBUG_TOPICS: readonly DebugTopic[] = ['aggregator', 'scanner', 'scheduler', 'settle']

export interface DebugSelection {
  readonly topics: ReadonlySet<DebugTopic>
  /** Names in the list that aren't topics. */
  readonly unknown: readonly string[]
}

/** Parses the value of SLIPWAY_DEBUG. Ignores case and surrounding spaces. */
export function readDebugTopics(value: string | undefined): DebugSelection {
  const names = (value ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const topics = DEBUG_TOPICS.filter((topic) => names.includes('all') || names.includes(topic))
  const known: readonly string[] = [...DEBUG_TOPICS, 'all']
  return { topics: new Set(topics), unknown: [...new Set(names.filter((name) => !known.includes(name)))] }
}

/** Logs one warning that lists the unknown names in SLIPWAY_DEBUG. */
export function warnOfUnknownTopics(log: Pick<Log, 'warn'>, { unknown }: DebugSelection): void {
  if (unknown.length > 0) log.warn('debug.unknown-topic', { unknown: unknown.join(','), known: [...DEBUG_TOPICS, 'all'].join(',') })
}
