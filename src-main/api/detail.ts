// Finds a sentence for people in the body of an error, whose shape the document leaves open: JSON of any form, HTML, text, nothing.
// What it gives is one short line without control characters; a body is never handed on raw.
import { z } from 'zod'
import { parseRedacted, type Redact } from './redact.ts'

const MOST = 300
/** Messages aren't nested deeper than this, and the cap keeps a body of nothing but brackets cheap. */
const DEPTH = 5
/** In the order of how much they tell people. */
const SAYING = ['message', 'detail', 'error', 'error_description', 'errors', 'description', 'reason', 'msg', 'title'] as const
const HOLDING = ['data', 'result', 'response'] as const
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const record = z.record(z.string(), z.unknown())

/** A readable message of a whole body; null if there is none. At most 300 characters. The secret is taken out before anything is cut, so that no
 * part of it is left at an end. */
export function detailOfText(text: string, redact: Redact = (same) => same): string | null {
  const body = text.replace(/^\uFEFF/, '').trim()
  if (body === '') return null
  let value: unknown
  try {
    value = parseRedacted(body, redact)
  } catch {
    if (body.startsWith('<')) return detailOfHtml(body, redact)
    // Something of braces that is no JSON is cut off or not for people; a long text is a page of something else.
    return /^[[{]/.test(body) || body.length > 1000 ? null : oneLine(redact(body))
  }
  return detailOf(value)
}

/** A readable message of a JSON of any form. */
export function detailOf(value: unknown): string | null {
  return find(value, 0, false)
}

function find(value: unknown, depth: number, named: boolean): string | null {
  if (depth > DEPTH) return null
  if (typeof value === 'string') return oneLine(value)
  if (Array.isArray(value)) return value.length === 0 ? null : find(value[0], depth + 1, named)
  const read = record.safeParse(value)
  if (!read.success) return null
  for (const key of SAYING) {
    const said = Object.hasOwn(read.data, key) ? find(read.data[key], depth + 1, true) : null
    if (said !== null) return said
  }
  for (const key of HOLDING) {
    const held = Object.hasOwn(read.data, key) ? read.data[key] : null
    const said = typeof held === 'object' ? find(held, depth + 1, named) : null
    if (said !== null) return said
  }
  // `errors: { file: ["is too big"] }`: the names of the fields are not known.
  const inner = named ? Object.values(read.data)[0] : undefined
  return Array.isArray(inner) || typeof inner === 'string' ? find(inner, depth + 1, true) : null
}

function detailOfHtml(body: string, redact: Redact): string | null {
  for (const tag of ['title', 'h1']) {
    // All lengths have an end: a page of nothing but openings must not be searched over and over.
    const inside = new RegExp(`<${tag}(?:\\s[^>]{0,200})?>([^]{1,600}?)</${tag}\\s{0,9}>`, 'i').exec(body.slice(0, 20_000))?.[1]
    const said = inside === undefined ? null : oneLine(redact(decodeEntities(inside.replace(/<[^>]{0,200}>/g, ' '))))
    if (said !== null) return said
  }
  return null
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** One line: without control characters and those that turn the direction of writing, which could forge what a terminal or a row shows. */
function oneLine(text: string): string | null {
  const plain = text
    .slice(0, 4000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain === '') return null
  return plain.length <= MOST
    ? plain.toWellFormed()
    : `${plain
        .slice(0, MOST - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`.toWellFormed()
}
