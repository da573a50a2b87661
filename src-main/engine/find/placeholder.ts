// Recognizes the empty files that browsers create under a download's final name while they write to a partial file next to it. Such a
// placeholder isn't uploaded while a matching partial file exists. Pure.
import { DOWNLOAD_EXTENSIONS, isNameless } from '../rules/unfinished.ts'

/** A partial file that hasn't changed for this long is a leftover, and so is one whose time is this far in the future. */
const LEFTOVER_MS = 24 * 3_600_000

export interface Sibling {
  readonly name: string
  /** Epoch milliseconds. */
  readonly mtime: number
}

/** Whether this is the name of a partial file. */
export function isPartial(name: string): boolean {
  return isNameless(name) || stemOf(name) !== null
}

/** The name without the extension of a partial file; null if it has no such extension. */
function stemOf(partial: string): string | null {
  const end = DOWNLOAD_EXTENSIONS.find((one) => partial.toLowerCase().endsWith(one))
  return end === undefined ? null : partial.slice(0, -end.length)
}

function extension(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot).toLowerCase()
}

/**
 * Whether the partial file may become the file `name`. Without the partial-file extension, its name must be `name`, another name with the
 * same extension, or one of Chrome's temporary names.
 */
export function belongsTo(partial: string, name: string): boolean {
  const stem = stemOf(partial)
  if (stem === null) return isNameless(partial)
  // For `name`, Safari keeps a folder `name.download`. For `name.pdf`, Firefox writes a file such as `x7Gh2.pdf.part`.
  return stem.toLowerCase() === name.toLowerCase() || isNameless(stem) || (extension(stem) !== '' && extension(stem) === extension(name))
}

/** Whether an empty file called `name` is a placeholder for a download in progress. `now`: epoch milliseconds. */
export function isPlaceholder(name: string, siblings: Iterable<Sibling>, now: number): boolean {
  for (const sibling of siblings) if (Math.abs(now - sibling.mtime) < LEFTOVER_MS && belongsTo(sibling.name, name)) return true
  return false
}
