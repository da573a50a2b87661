// Extracts a readable message from an error body. The API document doesn't specify error bodies, so a body
// may be JSON, HTML, plain text or empty. The result is one short line without control characters.
import { z } from 'zod'
import { parseRedacted, type Redact } from './redact.ts'

const MOST = 300
/**
 * Maximum depth at which to look for a message. The limit also bounds the work for a body that consists only
 * of brackets.
 */
const DEPTH = 5
/** Names of the fields that may contain a message, most useful first. */
const SAYING = [
  'message',
  'detail',
  'error',
  'error_description',
  'errors',
  'description',
  'reason',
  'msg',
  'title',
] as const
const HOLDING = ['data', 'result', 'response'] as const
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

const record = z.record(z.string(), z.unknown())

/**
 * Returns the readable message in a body, at most 300 characters, or null if there is none. Secrets are
 * redacted before the text is truncated, so that no part of a secret remains at the end.
 */
export function detailOfText(text: string, redact: Redact = (same) => same): string | null {
  const body = text.replace(/^\uFEFF/, '').trim()
  if (body === '') return null
  let value: unknown
  try {
    value = parseRedacted(body, redact)
  } catch {
    if (body.startsWith('<')) return detailOfHtml(body, redact)
    // Text that starts like JSON but can't be parsed is either truncated or not meant for people. A text of
    // more than 1000 characters is a document rather than a message.
    return /^[[{]/.test(body) || body.length > 1000 ? null : oneLine(redact(body))
  }
  return detailOf(value)
}

/**
 * Returns the readable message in a parsed JSON value of any form, at most 300 characters, or null if there
 * is none.
 */
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
  // Inside a field such as `errors`, any name may occur, as in `errors: { file: ["is too big"] }`, so use the
  // first value.
  const inner = named ? Object.values(read.data)[0] : undefined
  return Array.isArray(inner) || typeof inner === 'string' ? find(inner, depth + 1, true) : null
}

function detailOfHtml(body: string, redact: Redact): string | null {
  for (const tag of ['title', 'h1']) {
    // All repetitions are bounded. Otherwise a page full of opening tags would take quadratic time.
    const inside = new RegExp(`<${tag}(?:\\s[^>]{0,200})?>([^]{1,600}?)</${tag}\\s{0,9}>`, 'i').exec(
      body.slice(0, 20_000),
    )?.[1]
    const said =
      inside === undefined ? null : oneLine(redact(decodeEntities(inside.replace(/<[^>]{0,200}>/g, ' '))))
    if (said !== null) return said
  }
  return null
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/**
 * Reduces text to one line without control characters and bidirectional overrides, which could forge what a
 * terminal or list shows.
 */
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
