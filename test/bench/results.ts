// What a row of the bench ends as, in the JSON file and in the table. Rows that are measured elsewhere (the faults) come in by this shape
// too, so it is read with a schema. It measures nothing.
import { z } from 'zod'

const Goal = z.object({
  goal: z.string(),
  value: z.string(),
  /** Null: it could not be told here (a peer is not installed). */
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
  /** Every single run. */
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

/** What `--merge` reads: a whole report, or nothing but rows. */
export const Mergeable = z.object({ rows: z.array(RowResult) })

export function failedRow(row: string, error: unknown): RowResult {
  const text = error instanceof Error ? error.message : String(error)
  return { row, work: '', slipway: [], peers: [], goals: [], notes: [], failure: text.slice(0, 500), raw: null }
}

/** `goal` is worded with its limit in it; `show` words the measured value. A missing value was not measured. */
export function atMost(goal: string, value: number | null, limit: number, show: (value: number) => string): Goal {
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

/** Newer rows take the place of older ones of the same name; S before F before others, by number. */
export function mergeRows(older: readonly RowResult[], newer: readonly RowResult[]): readonly RowResult[] {
  const byName = new Map([...older, ...newer].map((row) => [row.row, row]))
  return [...byName.values()].toSorted((a, b) => {
    const [left, right] = [orderOf(a.row), orderOf(b.row)]
    return left[0] === right[0] ? left[1] - right[1] : left[0] < right[0] ? -1 : 1
  })
}
