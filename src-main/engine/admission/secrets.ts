// Law 8: files that look like secrets are held for a person. By name before anything is read, by content before anything is sent, one level inside
// archives too. Names the rule that caught the file. Pure; the parts are in `secrets/`.
import { archiveEntries, archiveKind } from './secrets/archives.ts'
import { type SecretRule, secretByName } from './secrets/names.ts'
import { type ByteSource, bytesSource, scanSource } from './secrets/scan.ts'

export { type SecretRule, secretByName } from './secrets/names.ts'
export type { ByteSource } from './secrets/scan.ts'

/** A file up to this size is searched from end to end, a larger one at its beginning and its end. */
const WHOLE_MOST = 64 * 1024 * 1024
const END = 16 * 1024 * 1024

/** Whether a search of these bytes unpacks anything, which takes its time. `head`: the first 512 bytes at least. */
export function isArchive(head: Uint8Array): boolean {
  return archiveKind(head) !== null
}

/** By content. `name`: of the file, for what it packs. Synchronous and, for large files, slow: 64 MiB of text take half a second. */
export function secretInSource(source: ByteSource, name: string): SecretRule | null {
  const rule =
    source.size <= WHOLE_MOST ? scanSource(source) : (scanSource(source, 0, END) ?? scanSource(source, source.size - END, source.size))
  if (rule !== null) return { rule }
  const kind = archiveKind(source.read(0, 512))
  if (kind === null) return null
  for (const entry of archiveEntries(source, kind, name)) {
    const inside = secretByName(entry.name)?.rule ?? (entry.bytes === null ? null : scanSource(bytesSource(entry.bytes)))
    if (inside !== null) return { rule: inside }
  }
  return null
}

/** The same for a file that is in memory as a whole. */
export function secretByContent(bytes: Uint8Array, name: string): SecretRule | null {
  return bytes.length === 0 ? null : secretInSource(bytesSource(bytes), name)
}
