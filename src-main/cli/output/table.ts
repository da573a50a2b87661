// Lays out tables for a terminal, with aligned columns even for wide characters. Columns may be shortened in the middle or omitted to fit
// the line. All cells are made safe to print. Pure.
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
/** Combining marks (including variation selectors), joiners and zero-width spaces occupy no column. */
const NO_WIDTH = /^(?:\p{Mn}|\p{Me}|\u200b|\u200c|\u200d)$/u
/** East Asian wide and full-width characters and emoji occupy two columns. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u

function charWidth(char: string): number {
  if (NO_WIDTH.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}

/** The number of terminal columns that a text occupies. */
export function textWidth(text: string): number {
  // Nearly all text is plain ASCII, for which no lookup is needed.
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

/** Shortens the text in the middle to at most `max` columns, so that the file extension stays visible. */
export function fit(text: string, max: number): string {
  if (textWidth(text) <= max) return text
  if (max <= 1) return max === 1 ? '…' : ''
  const chars = [...text]
  const tailMax = Math.ceil((max - 1) / 2)
  let tail = ''
  let used = 0
  for (const char of chars.toReversed()) {
    if (used + charWidth(char) > tailMax) break
    tail = char + tail
    used += charWidth(char)
  }
  let head = ''
  for (const char of chars) {
    if (used + charWidth(char) > max - 1) break
    head += char
    used += charWidth(char)
  }
  return `${head}…${tail}`
}

/** The lines of the table, starting with the headings. If `width` is null (for a file or pipe), nothing is shortened or omitted. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number | null): string[] {
  if (width !== null) {
    const kept = columnsThatFit(columns, rows, width)
    if (kept.length < columns.length)
      return table(
        kept.map((i) => columns[i] ?? { title: '' }),
        rows.map((row) => kept.map((i) => row[i] ?? '')),
        width,
      )
  }
  const cells = [columns.map((column) => column.title), ...rows.map((row) => columns.map((_, i) => printable(row[i] ?? '')))]
  const widths = columns.map((_, i) => cells.reduce((most, row) => Math.max(most, textWidth(row[i] ?? '')), 0))
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
        const text = fit(row[i] ?? '', widths[i] ?? 0)
        const pad = ' '.repeat(Math.max(0, (widths[i] ?? 0) - textWidth(text)))
        return column.align === 'right' ? pad + text : text + pad
      })
      .join(GAP)
      .trimEnd(),
  )
}

/**
 * The indices of the columns to keep. Omits optional columns until the rest fits, with the last column at its full width and the others
 * shrunk.
 */
function columnsThatFit(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): readonly number[] {
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
  const width = rows.reduce((most, [name]) => Math.max(most, textWidth(name)), 0)
  return rows.map(([name, value]) => `${name}${' '.repeat(width - textWidth(name))}${GAP}${printable(value)}`.trimEnd())
}
