// Lays out tables for a terminal, with aligned columns even for wide characters. Columns may be shortened in
// the middle or omitted to fit the line. All cells are made safe to print. Pure.
import stringWidth from 'string-width'
import { printable } from '../../../src-shared/format.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** If the table is too wide, this column may shrink to this width. Earlier columns shrink first. */
  readonly shrinkTo?: number
  /** If the table is still too wide, this column is omitted. Columns with lower numbers are omitted first. */
  readonly leaves?: number
}

const GAP = '  '
/** What a reader sees as one character, such as a family emoji, which consists of several code points. */
const CHARACTERS = new Intl.Segmenter()

/** The number of terminal columns that a text occupies. */
export function textWidth(text: string): number {
  // Nearly all text is plain ASCII, for which no lookup is needed.
  return /^[\u0020-\u007e]*$/.test(text) ? text.length : stringWidth(text)
}

/** Shortens the text in the middle to at most `max` columns, so that the file extension stays visible. */
export function fit(text: string, max: number): string {
  if (textWidth(text) <= max) return text
  if (max <= 1) return max === 1 ? '…' : ''
  const chars = [...CHARACTERS.segment(text)].map(({ segment }) => ({ segment, width: textWidth(segment) }))
  const take = (from: typeof chars, most: number): { readonly taken: string[]; readonly width: number } => {
    const taken: string[] = []
    let width = 0
    for (const { segment, width: own } of from) {
      if (width + own > most) break
      taken.push(segment)
      width += own
    }
    return { taken, width }
  }
  const tail = take(chars.toReversed(), Math.ceil((max - 1) / 2))
  const head = take(chars, max - 1 - tail.width)
  return `${head.taken.join('')}…${tail.taken.toReversed().join('')}`
}

/**
 * In a file or pipe, a longer cell of a column that may shrink doesn't widen the column; the rest of its line
 * moves to the right.
 */
const WHOLE_MAX = 40

/**
 * The lines of the table, starting with the headings. If `width` is null (for a file or pipe), nothing is
 * shortened or omitted.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  if (width !== null) {
    const kept = columnsThatFit(columns, rows, width)
    if (kept.length < columns.length)
      return table(
        kept.map((i) => columns[i] ?? { title: '' }),
        rows.map((row) => kept.map((i) => row[i] ?? '')),
        width,
      )
  }
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((_, i) => printable(row[i] ?? ''))),
  ]
  const widths = columns.map(({ shrinkTo }, i) => {
    const widest = cells.reduce((most, row) => Math.max(most, textWidth(row[i] ?? '')), 0)
    return width === null && shrinkTo !== undefined ? Math.min(widest, WHOLE_MAX) : widest
  })
  if (width !== null) {
    let over = widths.reduce((sum, w) => sum + w, 0) + GAP.length * (columns.length - 1) - width
    for (const [i, column] of columns.entries()) {
      if (over <= 0 || column.shrinkTo === undefined) continue
      const now = widths[i] ?? 0
      const next = Math.max(Math.min(now, column.shrinkTo), now - over)
      widths[i] = next
      over -= now - next
    }
  }
  return cells.map((row) =>
    columns
      .map((column, i) => {
        const text = width === null ? (row[i] ?? '') : fit(row[i] ?? '', widths[i] ?? 0)
        const pad = ' '.repeat(Math.max(0, (widths[i] ?? 0) - textWidth(text)))
        return column.align === 'right' ? pad + text : text + pad
      })
      .join(GAP)
      .trimEnd(),
  )
}

/**
 * The indices of the columns to keep. Omits optional columns until the rest fits, with the last column at its
 * full width and the others shrunk.
 */
function columnsThatFit(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const widest = columns.map((column, i) =>
    rows.reduce((most, row) => Math.max(most, textWidth(printable(row[i] ?? ''))), textWidth(column.title)),
  )
  let kept = columns.map((_, i) => i)
  const least = (): number =>
    kept.reduce((sum, i) => {
      const full = widest[i] ?? 0
      const shrinkTo = columns[i]?.shrinkTo
      return sum + (shrinkTo === undefined || i === columns.length - 1 ? full : Math.min(full, shrinkTo))
    }, 0) +
    GAP.length * (kept.length - 1)
  while (least() > width) {
    const next = kept
      .filter((i) => columns[i]?.leaves !== undefined)
      .toSorted((a, b) => (columns[a]?.leaves ?? 0) - (columns[b]?.leaves ?? 0))[0]
    if (next === undefined) return kept
    kept = kept.filter((i) => i !== next)
  }
  return kept
}

/** Names and values in two columns, as in `status` and `info`. */
export function pairs(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const safe = rows.map((row) => row.map(printable))
  const width = safe.reduce((most, [name = '']) => Math.max(most, textWidth(name)), 0)
  return safe.map(([name = '', value = '']) =>
    `${name}${' '.repeat(width - textWidth(name))}${GAP}${value}`.trimEnd(),
  )
}
