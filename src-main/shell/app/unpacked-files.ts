// Scripts that lie beside the app's archive, because threads load real files only: the engine and the keychain module. Electron checks the
// archive on macOS and Windows, but not these. The archive's index has their digests, so they are checked against it at the start. Programs
// beside it are left out: signing changes them after the archive was made, and the system checks their signatures.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly unpacked?: boolean
  readonly integrity?: { readonly algorithm: string; readonly hash: string }
}

/** The index of an archive: four numbers, the last of which is its length, then JSON. */
const INDEX_AT = 16

/** Paths of scripts, as in the archive, that are missing or aren't those that were packed. Throws if the archive can't be read. */
export function changedFiles(archive: string): readonly string[] {
  const before = process.noAsar
  process.noAsar = true
  try {
    const changed: string[] = []
    const look = (entry: Entry, path: string): void => {
      for (const [name, one] of Object.entries(entry.files ?? {})) look(one, path === '' ? name : `${path}/${name}`)
      if (entry.unpacked === true && path.endsWith('.js') && !isIntact(entry, join(`${archive}.unpacked`, path))) changed.push(path)
    }
    look(readIndex(archive), '')
    return changed
  } finally {
    process.noAsar = before
  }
}

function readIndex(archive: string): Entry {
  const file = openSync(archive, 'r')
  try {
    const head = Buffer.alloc(INDEX_AT)
    readSync(file, head, 0, INDEX_AT, 0)
    const json = Buffer.alloc(head.readUInt32LE(INDEX_AT - 4))
    readSync(file, json, 0, json.length, INDEX_AT)
    return JSON.parse(json.toString()) as Entry
  } finally {
    closeSync(file)
  }
}

function isIntact({ integrity }: Entry, file: string): boolean {
  if (integrity?.algorithm !== 'SHA256') return false
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex') === integrity.hash
  } catch {
    return false
  }
}
