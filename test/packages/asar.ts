// Reads Electron's archive format: two sizes as pickles, the length of the header, the header as JSON, then
// the files. For tests that examine packages; reads the whole archive into memory.
import { readFileSync } from 'node:fs'

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly unpacked?: true
  /** A decimal number, counted from the end of the header. */
  readonly offset?: string
  readonly size?: number
}

export interface Asar {
  /** The content of each file inside the archive, by path. */
  readonly inside: ReadonlyMap<string, Buffer>
  /** Sorted paths of files that the archive lists but keeps outside, in NAME.asar.unpacked. */
  readonly outside: readonly string[]
}

export function readAsar(archive: string): Asar {
  const bytes = readFileSync(archive)
  const start = 8 + bytes.readUInt32LE(4)
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Entry
  const inside = new Map<string, Buffer>()
  const outside: string[] = []
  const walk = (entry: Entry, path: string): void => {
    if (entry.files !== undefined) {
      for (const [name, one] of Object.entries(entry.files)) walk(one, path === '' ? name : `${path}/${name}`)
    } else if (entry.unpacked === true) outside.push(path)
    else {
      const from = start + Number(entry.offset)
      inside.set(path, bytes.subarray(from, from + (entry.size ?? 0)))
    }
  }
  walk(header, '')
  return { inside, outside: outside.toSorted() }
}
