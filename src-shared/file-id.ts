// A file's ID on the service, which is opaque text (api/file-id.ts): what can be one, and how a call of the
// engine names a file by it, beside links and absolute paths. Digits are used as they are; any other text
// follows `id:`, so that it can't be taken for a link or a path.
import type { FileId } from './model.ts'

/** Maximum number of characters of an ID. */
const LONGEST = 200
const PREFIX = 'id:'

/**
 * Whether text can be an ID. Control characters and line separators could forge lines of output. `.` and `..`
 * can't be put into a path, because a URL parser removes them even if they are percent-encoded.
 */
export function isFileId(text: string): boolean {
  if (text === '' || text.length > LONGEST || text === '.' || text === '..') return false
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

export function idSelector(fileId: FileId): string {
  const id = String(fileId)
  return /^\d+$/.test(id) ? id : PREFIX + id
}

/** The ID that a selector names, as the service's text; null if it names a link or a path. */
export function selectedId(selector: string): string | null {
  if (/^\d+$/.test(selector)) return selector
  return selector.startsWith(PREFIX) ? selector.slice(PREFIX.length) : null
}
