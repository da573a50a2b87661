// The service's file IDs: opaque text. The API document says "integer" without a bound, so an ID may exceed
// 2^53, and other services of this kind send digits in quotes, UUIDs or other text. An ID is compared as
// text, and goes into a request's path exactly as it came.

import { isFileId } from '../../src-shared/file-id.ts'
import { REDACTED } from './redact.ts'

/**
 * Reads the ID from a JSON value. Numbers beyond 2^53 arrive as the text of the JSON (`parseRedacted`),
 * because JavaScript would round them. Digits mean the same ID whether or not they are in quotes, but `007`
 * and `7` are two IDs. Null if the value can't be an ID.
 */
export function readFileId(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  if (typeof value !== 'string') return null
  const text = /^\s*\d+\s*$/.test(value) ? value.trim() : value
  // An ID that contained the key isn't the service's any more, and several files could have the same one.
  return isFileId(text) && !text.includes(REDACTED) ? text : null
}

/** The ID as a segment of a request's path. Null if no request can name this file. */
export function fileIdSegment(fileId: string): string | null {
  return isFileId(fileId) ? encodeURIComponent(fileId) : null
}
