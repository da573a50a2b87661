// Parses a TypeScript source for the checks. A file that doesn't parse is a fault: a checker that skips what
// it can't read would accept everything.
import { parseSync } from 'vite'

export type Parsed = ReturnType<typeof parseSync>

/** Parsing takes most of the time, and several rules look at each file in turn. */
let last: { readonly file: string; readonly source: string; readonly parsed: Parsed } | null = null

/** @throws if the source can't be parsed. `file` decides whether it may contain JSX. */
export function parseSource(file: string, source: string): Parsed {
  if (last?.file === file && last.source === source) return last.parsed
  const parsed = parseSync(file, source)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`)
  last = { file, source, parsed }
  return parsed
}
