// Verifies the scripts outside the app's archive, such as the engine. They are outside because worker threads
// and other programs can't load files from the archive. Electron doesn't verify these files, so they are
// compared at start-up with the digests in the archive's index. Native programs are skipped, because signing
// changes them after packing. Also notices when all files are replaced while the app runs.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly unpacked?: boolean
  readonly integrity?: { readonly algorithm: string; readonly hash: string }
}

/**
 * Byte offset of the archive's index, which is JSON. Four 32-bit numbers precede the index. The last one is
 * the index's length in bytes.
 */
const INDEX_AT = 16

/**
 * Returns the paths (relative to the archive) of scripts that are missing or differ from the packed ones.
 * Throws if the archive can't be read.
 */
export function changedFiles(archive: string): readonly string[] {
  const before = process.noAsar
  process.noAsar = true
  try {
    const changed: string[] = []
    const look = (entry: Entry, path: string): void => {
      for (const [name, one] of Object.entries(entry.files ?? {}))
        look(one, path === '' ? name : `${path}/${name}`)
      if (
        entry.unpacked === true &&
        path.endsWith('.js') &&
        !isIntact(entry, join(`${archive}.unpacked`, path))
      )
        changed.push(path)
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

/**
 * Returns a function that resolves to whether the files in `folder` have been replaced since this call, as by a
 * package manager that upgrades the running app. Resolves to false if the folder can't be read.
 */
export function watchReplacement(folder: string): () => Promise<boolean> {
  // Installers rename new files into place, which changes the folder. They may set its `mtime` back.
  const changedAt = (): Promise<number | null> =>
    stat(folder).then(
      ({ ctimeMs }) => ctimeMs,
      () => null,
    )
  const atStart = changedAt()
  return async () => {
    const [before, now] = await Promise.all([atStart, changedAt()])
    return before !== null && now !== null && before !== now
  }
}
