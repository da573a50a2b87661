// Lists the values that the service reports and that aren't shown elsewhere, each field under its own name
// and with its value as readable text. Values aren't interpreted: no unit is guessed, and nothing is added
// up. The text contains no NaN and no control characters, and its length is limited.
import { printable } from '../../../src-shared/format.ts'
import type { StatsView } from '../../../src-shared/model.ts'

export interface Reported {
  readonly name: string
  readonly value: string
}

export interface ReportedWords {
  readonly yes: string
  readonly no: string
  readonly none: string
}

/** Fields that are shown elsewhere on the page. */
const KNOWN = {
  stats: new Set(['total_files', 'total_size']),
  limits: new Set(['max_file_size', 'daily_uploads']),
}
const NAME_MOST = 60
const VALUE_MOST = 160
const FIELDS_MOST = 200
const DEPTH_MOST = 3
const MEMBERS_MOST = 20

function cut(text: string, most: number): string {
  const chars = [...text]
  return chars.length <= most ? text : `${chars.slice(0, most - 1).join('')}…`
}

/**
 * Makes text from the service safe for a single line of at most `most` characters. Ignores the rest of a very
 * long text.
 */
function line(text: string, most: number): string {
  return cut(printable(text.slice(0, most * 2)), most)
}

/**
 * Creates a function that returns the fields of `/stats` that aren't shown elsewhere, with their values as
 * text.
 */
export function createReporter(
  locale: string,
  words: ReportedWords,
): (view: StatsView) => readonly Reported[] {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const huge = new Intl.NumberFormat(locale, { notation: 'scientific', maximumFractionDigits: 3 })

  const number = (value: number): string => {
    if (!Number.isFinite(value)) return words.none
    const size = Math.abs(value)
    return size !== 0 && (size >= 1e15 || size < 1e-6) ? huge.format(value) : plain.format(value)
  }

  const readable = (value: unknown, depth: number): string => {
    switch (typeof value) {
      case 'number':
        return number(value)
      case 'string':
        return value.trim() === '' ? words.none : line(value, VALUE_MOST)
      case 'boolean':
        return value ? words.yes : words.no
      case 'object': {
        if (value === null) return words.none
        if (depth >= DEPTH_MOST) return '…'
        const parts = Array.isArray(value)
          ? value.slice(0, MEMBERS_MOST).map((one: unknown) => readable(one, depth + 1))
          : Object.entries(value)
              .slice(0, MEMBERS_MOST)
              .map(([name, one]) => `${line(name, NAME_MOST)} ${readable(one, depth + 1)}`)
        if (parts.length === 0) return words.none
        const more = (Array.isArray(value) ? value.length : Object.keys(value).length) > MEMBERS_MOST
        return depth === 0
          ? `${parts.join(', ')}${more ? ', …' : ''}`
          : `(${parts.join(', ')}${more ? ', …' : ''})`
      }
      default:
        return words.none
    }
  }

  return (view) => {
    const out: Reported[] = []
    for (const part of ['stats', 'limits'] as const)
      for (const [name, value] of Object.entries(view[part]))
        if (!KNOWN[part].has(name) && out.length < FIELDS_MOST)
          out.push({ name: line(name, NAME_MOST), value: cut(readable(value, 0), VALUE_MOST) })
    return out
  }
}
