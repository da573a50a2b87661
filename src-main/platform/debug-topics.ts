// SLIPWAY_DEBUG: which parts of the engine log why they decided as they did. A comma-separated list of topics, or `all`.
// The lines go to the log in the data folder, at the level `debug`.
import type { DebugTopic, Log } from '../engine/ports.ts'

export const DEBUG_TOPICS: readonly DebugTopic[] = ['aggregator', 'scanner', 'settle']

export interface DebugSelection {
  readonly topics: ReadonlySet<DebugTopic>
  /** Names in the list that are no topics. */
  readonly unknown: readonly string[]
}

/** Reads the value of SLIPWAY_DEBUG. Letter case and spaces around the names don't matter. */
export function readDebugTopics(value: string | undefined): DebugSelection {
  const names = (value ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const topics = DEBUG_TOPICS.filter((topic) => names.includes('all') || names.includes(topic))
  const known: readonly string[] = [...DEBUG_TOPICS, 'all']
  return { topics: new Set(topics), unknown: [...new Set(names.filter((name) => !known.includes(name)))] }
}

/** Warns once of names in SLIPWAY_DEBUG that are no topics. */
export function warnOfUnknownTopics(log: Pick<Log, 'warn'>, { unknown }: DebugSelection): void {
  if (unknown.length > 0) log.warn('debug.unknown-topic', { unknown: unknown.join(','), known: [...DEBUG_TOPICS, 'all'].join(',') })
}
