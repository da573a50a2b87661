// The result of a row in the JSON file and in the table. Rows measured elsewhere (the faults) are imported in
// this format, so it is validated with a schema.
import { z } from 'zod'

const Goal = z.object({
  goal: z.string(),
  value: z.string(),
  /** Null if it couldn't be determined here because a peer isn't installed. */
  reached: z.boolean().nullable(),
})
type Goal = z.infer<typeof Goal>

export const RowResult = z.object({
  row: z.string(),
  work: z.string(),
  slipway: z.array(z.string()),
  peers: z.array(z.string()),
  goals: z.array(Goal),
  notes: z.array(z.string()).default([]),
  /** Why the row has no figures. */
  failure: z.string().nullable().default(null),
  /** Seconds of each run of the yardstick, before and after the row. */
  yardstick: z.array(z.number()).optional(),
  /** The data of every single run. */
  raw: z.unknown().optional(),
})
export type RowResult = z.infer<typeof RowResult>

export const Report = z.object({
  machine: z.string(),
  at: z.string(),
  mode: z.enum(['quick', 'usual', 'full']),
  rows: z.array(RowResult),
})
export type Report = z.infer<typeof Report>

/** The input of `--merge`: a complete report, or just rows. */
export const Mergeable = z.object({ rows: z.array(RowResult) })

export function failedRow(row: string, error: unknown): RowResult {
  const text = error instanceof Error ? error.message : String(error)
  return {
    row,
    work: '',
    slipway: [],
    peers: [],
    goals: [],
    notes: [],
    failure: text.slice(0, 500),
    raw: null,
  }
}

/**
 * `goal` is a text that includes the limit. `show` formats the measured value. A null value wasn't measured.
 */
export function atMost(
  goal: string,
  value: number | null,
  limit: number,
  show: (value: number) => string,
): Goal {
  return value === null
    ? { goal, value: 'not measured', reached: null }
    : { goal, value: show(value), reached: Number.isFinite(value) && value <= limit }
}

export function atLeast(goal: string, value: number, limit: number, show: (value: number) => string): Goal {
  return { goal, value: show(value), reached: value >= limit }
}

const orderOf = (row: string): readonly [string, number] => {
  const [, letter = '~', number = '0'] = /^([A-Z])(\d+)$/.exec(row) ?? []
  return [letter === 'S' ? '0' : letter, Number(number)]
}

/** Newer rows replace older ones with the same name. Sorted with S before F before others, then by number. */
export function mergeRows(older: readonly RowResult[], newer: readonly RowResult[]): readonly RowResult[] {
  const byName = new Map([...older, ...newer].map((row) => [row.row, row]))
  return [...byName.values()].toSorted((a, b) => {
    const [left, right] = [orderOf(a.row), orderOf(b.row)]
    return left[0] === right[0] ? left[1] - right[1] : left[0] < right[0] ? -1 : 1
  })
}
