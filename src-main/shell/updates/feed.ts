// Reads a feed and decides whether it offers this computer an update. The functions are pure; fetch.ts
// provides the bytes. Nothing in a feed is used before its signature has been verified with the pinned key.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { printable } from '../../../src-shared/format.ts'
import { Feed, type FeedPackage } from './feed-format.ts'
import { UpdateError } from './update-error.ts'

/** An update that this computer may install. */
export interface Update {
  readonly version: string
  readonly notes: string
  readonly url: URL
  readonly bytes: number
  readonly sha512: string
}

/** What a feed means for this computer. */
export type Offer =
  | { readonly kind: 'none' }
  /** There is a newer version, but it isn't offered to this computer yet. */
  | { readonly kind: 'staged'; readonly version: string }
  | { readonly kind: 'update'; readonly update: Update }

export interface ThisComputer {
  readonly version: string
  readonly system: FeedPackage['system']
  readonly arch: string
  /** A random ID, kept in the data folder. */
  readonly id: string
  /** A version that the user went back from, which isn't offered again. Null if there is none. */
  readonly skipped: string | null
}

/**
 * Verifies and parses the feed. `key` is an Ed25519 public key as SPKI in DER, in Base64. Throws an
 * UpdateError if the feed is rejected.
 */
export function readFeed(bytes: Uint8Array, signature: Uint8Array, key: string): Feed {
  const given = Buffer.from(Buffer.from(signature).toString('latin1').trim(), 'base64')
  const pinned = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  if (pinned.asymmetricKeyType !== 'ed25519')
    throw new UpdateError('bad-signature', 'The pinned key is not an Ed25519 key.')
  if (given.length !== 64 || !verify(null, bytes, pinned, given))
    throw new UpdateError('bad-signature', 'The signature of the feed does not fit the pinned key.')
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw new UpdateError('not-a-feed', 'The feed is not JSON.')
  }
  const feed = Feed.safeParse(json)
  if (!feed.success)
    throw new UpdateError('not-a-feed', `The feed has another form: ${feed.error.issues[0]?.message ?? ''}`)
  return feed.data
}

/**
 * Decides what the feed at the URL `from` offers this computer. Throws an UpdateError if the feed offers an
 * update whose package is missing or on another server.
 */
export function offerOf(feed: Feed, from: URL, here: ThisComputer): Offer {
  // The same version, an older one, and one that the user went back from aren't updates.
  if (!isNewer(feed.version, here.version) || feed.version === here.skipped) return { kind: 'none' }
  if (share(here.id, feed.version) >= feed.staging) return { kind: 'staged', version: feed.version }
  const found = feed.packages.find((one) => one.system === here.system && one.arch === here.arch)
  if (found === undefined)
    throw new UpdateError('no-package', `The feed has no package for ${here.system}-${here.arch}.`)
  const url = new URL(found.path, from)
  if (url.origin !== from.origin)
    throw new UpdateError('redirect', 'The feed names a package of another server.')
  return {
    kind: 'update',
    update: {
      version: feed.version,
      notes: plainNotes(feed.notes),
      url,
      bytes: found.bytes,
      sha512: found.sha512,
    },
  }
}

/**
 * Returns this computer's position in the roll-out of a version, in percent: at least 0 and below 100. The
 * position differs between versions, so that no computer is always first.
 */
export function share(id: string, version: string): number {
  return (createHash('sha256').update(`${id} ${version}`).digest().readUInt32BE(0) / 2 ** 32) * 100
}

/** Whether `next` (1.2.3) is newer than `now` (1.2.3 or 1.2.3-beta.1). */
export function isNewer(next: string, now: string): boolean {
  const numbers = (text: string): number[] => (text.split(/[-+]/)[0] ?? '').split('.').map(Number)
  const [a, b] = [numbers(next), numbers(now)]
  for (let at = 0; at < 3; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  // 1.2.3 is newer than 1.2.3-beta.1.
  return now.includes('-')
}

/** Escapes control and direction characters, which could disguise the text. Keeps line breaks. */
function plainNotes(notes: string): string {
  const lines = notes.replaceAll('\r\n', '\n').split('\n')
  return lines
    .map((line) => printable(line.replaceAll('\t', '  ')).trimEnd())
    .join('\n')
    .trim()
    .slice(0, 20_000)
}
