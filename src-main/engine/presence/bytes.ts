// Compares a version of a local file with files on the service, by their bytes. An upload whose response was
// lost (reconciler.ts) and a version that may have been sent before the journal began (comparison.ts) differ
// only in their candidates.
import { hashFile, sameVersion } from '../disk/content.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { DiskError, type DiskFailure, type Entry, type Ports } from '../ports.ts'
import { COMPARE_MOST_BYTES, type Links } from '../remote/link-bytes.ts'
import type { FileOpens } from '../send/file-opens.ts'
import type { Listed } from './match.ts'

/**
 * Why the local file couldn't be hashed. `failure`: the error that prevented reading it. `changed`: the
 * version that the file has now; null if unknown.
 */
export type Unread = { readonly failure: DiskFailure } | { readonly changed: Entry | null }

/** The hash of this version of the file. */
export async function hashVersion(
  { ports, opens }: { readonly ports: Pick<Ports, 'hashing'>; readonly opens: Pick<FileOpens, 'diskOf'> },
  row: TransferRow,
  signal: AbortSignal,
): Promise<string | Unread> {
  try {
    const hashed = await hashFile(opens.diskOf(row, signal), ports.hashing, row.path, signal)
    if (hashed === null) return { changed: null }
    return sameVersion(hashed.entry, row) ? hashed.sha256 : { changed: hashed.entry }
  } catch (error) {
    if (error instanceof DiskError) return { failure: error.failure }
    if (signal.aborted) return { changed: null }
    throw error
  }
}

interface Question<T> {
  readonly size: number
  readonly sha256: string
  /** Whose a file with these bytes is. `pending`: another transfer may turn out to be its owner. */
  readonly claim: (file: T) => 'ours' | 'other' | 'pending'
  /** Whether a file may have these bytes although they can't be read. */
  readonly couldBe: (file: T) => boolean
}

/**
 * `found`: the file that has these bytes. `pending`: see `Question`. `absent`: no candidate has them.
 * Otherwise, the candidates whose bytes couldn't be read. `isLater`: reading one may succeed later.
 * `isSilent`: none has a public link.
 */
export type Same<T> =
  | { readonly found: T }
  | 'pending'
  | 'absent'
  | { readonly unread: readonly T[]; readonly isLater: boolean; readonly isSilent: boolean }

/**
 * Compares the candidates in their order, and ends with the first that is ours. If `signal` aborts, the
 * result says nothing.
 */
export async function findSame<T extends Listed>(
  links: Pick<Links, 'bytes'>,
  files: readonly T[],
  { size, sha256, claim, couldBe }: Question<T>,
  signal: AbortSignal,
): Promise<Same<T>> {
  const unread: T[] = []
  let isLater = false
  for (const file of files) {
    const got = await links.bytes(file, size, signal)
    if (signal.aborted) return 'pending'
    if (typeof got !== 'object') {
      if (!couldBe(file)) continue
      unread.push(file)
      isLater ||= got === 'later'
    } else if (got.sha256 === sha256) {
      const owner = claim(file)
      if (owner !== 'other') return owner === 'ours' ? { found: file } : 'pending'
    }
  }
  return unread.length === 0
    ? 'absent'
    : { unread, isLater, isSilent: unread.every((file) => file.publicLink === null) }
}

/** Why the user has to decide about a transfer of `size` bytes: these files couldn't be compared with it. */
export function ambiguous(files: readonly Pick<Listed, 'publicLink'>[], size: number): string {
  const one = files.length === 1
  const cause =
    size > COMPARE_MOST_BYTES
      ? `files of more than ${COMPARE_MOST_BYTES / 2 ** 20} MiB aren't compared`
      : files.every(({ publicLink }) => publicLink === null)
        ? `the service shows no link to ${one ? 'it' : 'them'}`
        : `${one ? "its link can't" : "their links can't"} be read`
  return `${one ? 'A file' : `${files.length} files`} on the service may be this one, but can't be compared with it: ${cause}.`
}
