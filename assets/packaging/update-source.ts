// What a build says about its updates: where the feed is, and which key has to have signed it. Without a
// place to publish there is none, and the app then says that it has no source of updates and asks nobody.
import { createPublicKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes `dist`/updates.json from SLIPWAY_FEED_URL, SLIPWAY_FEED_PUBLIC_KEY and SLIPWAY_FEED_PUBLISHER.
 * @throws if they don't fit together.
 */
export function writeUpdateSource(dist: string, env: Readonly<Record<string, string | undefined>>): void {
  const feed = env['SLIPWAY_FEED_URL'] ?? ''
  const key = env['SLIPWAY_FEED_PUBLIC_KEY'] ?? ''
  const publishers = (env['SLIPWAY_FEED_PUBLISHER'] ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
  if ((feed === '') !== (key === ''))
    throw new Error('SLIPWAY_FEED_URL and SLIPWAY_FEED_PUBLIC_KEY go together.')
  if (feed !== '') {
    if (new URL(feed).protocol !== 'https:') throw new Error('SLIPWAY_FEED_URL must begin with https://.')
    if (
      createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyType !==
      'ed25519'
    )
      throw new Error('SLIPWAY_FEED_PUBLIC_KEY is no Ed25519 key.')
  }
  const source =
    feed === ''
      ? null
      : {
          feed,
          key,
          ...(publishers.length === 0
            ? {}
            : { publisher: publishers.length === 1 ? publishers[0] : publishers }),
        }
  writeFileSync(join(dist, 'updates.json'), `${JSON.stringify(source)}\n`)
}
