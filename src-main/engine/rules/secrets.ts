// Finds files that look like secrets. Names are checked before anything is read, and content before anything is sent, including files one
// level deep in archives. Results name the rule, never the secret. Pure; the parts are in `secrets/`.
import { isOwnContent, OWN_RULE } from './own-files.ts'
import { archiveEntries, archiveKind } from './secrets/archives.ts'
import { type SecretRule, secretByName } from './secrets/names.ts'
import { secretAsFile } from './secrets/pairs.ts'
import { type ByteSource, bytesSource, scanSource } from './secrets/scan.ts'

export { type SecretRule, secretByName } from './secrets/names.ts'
export type { ByteSource } from './secrets/scan.ts'

/**
 * Maximum size of a file that is searched completely. A larger file is searched only at its beginning and at its end. The entries of an
 * archive of any size are searched within the limits of archives.ts.
 */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024
/** Number of bytes searched at the beginning, and again at the end, of a file larger than WHOLE_MAX_BYTES. */
const END_BYTES = 16 * 1024 * 1024
/** A larger file isn't a single value. */
const VALUE_BYTES = 400

/** Whether searching these bytes would unpack an archive, which is slow. `head`: at least the first 512 bytes. */
export function isArchive(head: Uint8Array): boolean {
  return archiveKind(head) !== null
}

/**
 * The rule that the content matches; null if there is none. `name`: the file's name, from which the name of a gzip file's content is
 * derived. Blocks the thread: 64 MiB of text take half a second.
 */
export function secretInSource(source: ByteSource, name: string): SecretRule | null {
  if (isOwnContent(source, name)) return { rule: OWN_RULE }
  const rule =
    source.size <= WHOLE_MAX_BYTES
      ? wholeRule(source, name)
      : (scanSource(source, 0, END_BYTES) ?? scanSource(source, source.size - END_BYTES, source.size))
  if (rule !== null) return { rule }
  const kind = archiveKind(source.read(0, 512))
  if (kind === null) return null
  for (const entry of archiveEntries(source, kind, name)) {
    const inside = secretByName(entry.name)?.rule ?? (entry.bytes === null ? null : ruleInside(bytesSource(entry.bytes), entry.name))
    if (inside !== null) return { rule: inside }
  }
  return null
}

function ruleInside(source: ByteSource, path: string): string | null {
  return isOwnContent(source, path.slice(path.lastIndexOf('/') + 1)) ? OWN_RULE : wholeRule(source, path)
}

function wholeRule(source: ByteSource, path: string): string | null {
  const found = scanSource(source)
  if (found !== null || source.size > VALUE_BYTES) return found
  return secretAsFile(path, Buffer.from(source.read(0, VALUE_BYTES)).toString('latin1'))
}

/** Like `secretInSource`, for content in memory. */
export function secretByContent(bytes: Uint8Array, name: string): SecretRule | null {
  return bytes.length === 0 ? null : secretInSource(bytesSource(bytes), name)
}
