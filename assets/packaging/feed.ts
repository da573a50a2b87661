// The feed that installed apps read to learn of a release, and its signature. Its form is
// src-main/shell/updates/feed-format.ts; what is written here is read back by the app's own reader before it
// counts.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readFeed } from '../../src-main/shell/updates/feed.ts'
import { type Feed, type FeedPackage, SIGNATURE_ENDING } from '../../src-main/shell/updates/feed-format.ts'

export const FEED_FILE = 'updates.json'

/**
 * What installations update themselves with; names as electron-builder.yml and electron-builder make them.
 */
const PACKAGES: readonly {
  readonly system: FeedPackage['system']
  readonly arch: FeedPackage['arch']
  readonly ending: string
}[] = [
  { system: 'linux', arch: 'x64', ending: 'linux-x86_64.AppImage' },
  { system: 'linux', arch: 'arm64', ending: 'linux-arm64.AppImage' },
  { system: 'mac', arch: 'x64', ending: 'mac-x64.zip' },
  { system: 'mac', arch: 'arm64', ending: 'mac-arm64.zip' },
  { system: 'win', arch: 'x64', ending: 'win-x64.exe' },
  { system: 'win', arch: 'arm64', ending: 'win-arm64.exe' },
]

interface Release {
  /** Folder with the packages; the feed is written there, too. */
  readonly out: string
  readonly version: string
  /** What is new, as plain text. */
  readonly notes: string
  /** Percentage of computers that are offered this version. */
  readonly staging: number
  /** Where the feed will be, and the folder where the packages will be. */
  readonly feedUrl: string
  readonly releaseUrl: string
  /** Ed25519 private key: PKCS #8 in PEM; null to leave the signature to .ci/release. */
  readonly key: string | null
  /** What builds pin; null: not known here. */
  readonly pinned: string | null
}

/**
 * @throws if a package is missing, the packages aren't below the feed's folder, or installed apps wouldn't
 * accept the feed.
 */
export async function writeFeed({
  out,
  version,
  notes,
  staging,
  feedUrl,
  releaseUrl,
  key,
  pinned,
}: Release): Promise<void> {
  const folder = new URL('.', feedUrl).href
  const release = `${releaseUrl.replace(/\/$/, '')}/`
  // Apps follow no redirect to another server, and take no address from a feed.
  if (!release.startsWith(folder))
    throw new Error(`The packages (${release}) must be below the feed's folder (${folder}).`)
  const there = new Set(await readdir(out))
  const packages = await Promise.all(
    PACKAGES.map(async ({ system, arch, ending }): Promise<FeedPackage> => {
      const name = `slipway-${version}-${ending}`
      if (!there.has(name)) throw new Error(`${name} is missing, so no feed can be made.`)
      const hash = createHash('sha512')
      await pipeline(createReadStream(join(out, name)), hash)
      const { size } = await stat(join(out, name))
      return {
        system,
        arch,
        path: `${release.slice(folder.length)}${name}`,
        bytes: size,
        sha512: hash.digest('hex'),
      }
    }),
  )
  const feed: Feed = { format: 1, version, notes, staging, packages }
  const text = Buffer.from(`${JSON.stringify(feed, null, 2)}\n`)
  if (key === null) {
    // Signed with a key of its own, only to have the app's reader check the rest.
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const pin = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    readFeed(text, Buffer.from(sign(null, text, privateKey).toString('base64')), pin)
    await writeFile(join(out, FEED_FILE), text)
    return
  }
  const secret = createPrivateKey(key)
  const signature = `${sign(null, text, secret).toString('base64')}\n`
  const own = createPublicKey(secret).export({ format: 'der', type: 'spki' }).toString('base64')
  readFeed(text, Buffer.from(signature), pinned ?? own)
  await writeFile(join(out, FEED_FILE), text)
  await writeFile(join(out, `${FEED_FILE}${SIGNATURE_ENDING}`), signature)
}

/** More would be tiring to read in the window. `readFeed` accepts twice as many characters. */
const NOTES_MAX = 10_000

/**
 * The part of a changelog about `version`, without its heading; else that about what isn't released yet.
 * Notes that are too long end after a whole line, with "…".
 */
export function notesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m).slice(1)
  const part = parts.find((one) => one.startsWith(`[${version}]`)) ?? parts[0] ?? ''
  const notes = part.split('\n').slice(1).join('\n').replaceAll(/^### /gm, '').trim()
  if (notes.length <= NOTES_MAX) return notes
  const whole = notes.slice(0, NOTES_MAX - 2)
  return `${whole.slice(0, whole.lastIndexOf('\n')).trimEnd()}\n…`
}
