// The history of the bench: one line of JSON per run, with every single measurement, so that any two runs can
// be compared later. It records the commit and the kind of machine, but not its owner.
import { z } from 'zod'
import { Series } from './series.ts'

const HistoryLine = z.object({
  /** ISO 8601. */
  at: z.string(),
  /** With `+` appended if there were uncommitted changes; null outside a checkout. */
  commit: z.string().nullable(),
  machine: z.string(),
  mode: z.enum(['quick', 'usual', 'full']),
  series: z.array(Series),
})
export type HistoryLine = z.infer<typeof HistoryLine>

export type ReadHistory =
  | { readonly ok: true; readonly lines: readonly HistoryLine[] }
  | { readonly ok: false; readonly message: string }

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * `file` appears in error messages. One unreadable line is an error, because skipping it would compare with
 * an older run instead.
 */
export function readHistory(text: string, file: string): ReadHistory {
  const lines: HistoryLine[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const where = `${file}, line ${at + 1}`
    const value = json(line)
    if (value === undefined)
      return {
        ok: false,
        message: `${where}: this is not JSON. A run that was cut off leaves such a line; remove it.`,
      }
    const read = HistoryLine.safeParse(value)
    if (!read.success) {
      const [issue] = read.error.issues
      return {
        ok: false,
        message: `${where}: ${issue?.path.join('.') || 'the line'} doesn't fit: ${issue?.message ?? 'unknown'}.`,
      }
    }
    lines.push(read.data)
  }
  return lines.length === 0 ? { ok: false, message: `${file}: there is no run in it.` } : { ok: true, lines }
}

export const historyText = (line: HistoryLine): string => `${JSON.stringify(line)}\n`

/** The newest series of each name, among runs with the same sizes. */
export function newestSeries(lines: readonly HistoryLine[], mode: HistoryLine['mode']): readonly Series[] {
  const byName = new Map<string, Series>()
  for (const line of lines) if (line.mode === mode) for (const one of line.series) byName.set(one.name, one)
  return [...byName.values()]
}
