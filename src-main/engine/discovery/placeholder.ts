// Empty files that a browser puts in the place of a download while the bytes go into a partial file next to it. Published, their link would
// give nothing, so an empty file waits as long as such a partial file is there. Pure.

/** What programs add to the name of a file that is not whole yet. Safari's is a folder. */
const PARTIAL = /\.(?:part|partial|crdownload|download|opdownload|!ut|!qb|aria2|filepart)$/i
/** Chrome's names before the real one is known. */
const NAMELESS = /^(?:unconfirmed \d+|\.?(?:com\.google\.chrome|org\.chromium\.chromium)\.\w+)$/i
/** A partial file that nothing has touched for so long is a leftover. */
const LEFTOVER_MS = 24 * 3_600_000

export interface Sibling {
  readonly name: string
  /** Milliseconds. */
  readonly mtime: number
}

/** Whether the name is one of a download that is not whole yet. */
export function isPartial(name: string): boolean {
  return PARTIAL.test(name) || NAMELESS.test(name)
}

function extension(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot).toLowerCase()
}

/** Whether `partial` may be what becomes of the empty file `name`: named after it, of random name and the same type, or not named yet. */
export function belongsTo(partial: string, name: string): boolean {
  if (!PARTIAL.test(partial)) return NAMELESS.test(partial)
  const stem = partial.replace(PARTIAL, '')
  // Safari keeps a folder `name.download` for `name`, Firefox writes `x7Gh2.pdf.part` for `name.pdf`.
  return stem.toLowerCase() === name.toLowerCase() || NAMELESS.test(stem) || (extension(stem) !== '' && extension(stem) === extension(name))
}

/** Whether an empty file called `name` waits for a download. `now`: this machine's clock, in milliseconds. */
export function isPlaceholder(name: string, siblings: Iterable<Sibling>, now: number): boolean {
  for (const sibling of siblings) if (now - sibling.mtime < LEFTOVER_MS && belongsTo(sibling.name, name)) return true
  return false
}
