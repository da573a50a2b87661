// S3: uploads more files than the limit per minute allows, to four services at once: with both kinds of
// window, each with and without Retry-After. The theoretical minimum is known, so no peer runs here; the
// goals list what peers reach.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLI, measure, NODE, pause, withService } from '../measure.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { plain, seconds } from '../table.ts'

const FILES = 200
const LEAST_S = 180
/** A little more than a minute. By then the request of the first upload no longer counts. */
const MINUTE_MS = 63_000

export async function limited(room: Room): Promise<RowResult> {
  const folder = join(room.home, 'limited')
  mkdirSync(folder)
  const first = join(room.home, 'first.txt')
  writeFileSync(first, 'first')
  for (let i = 0; i < FILES; i++) writeFileSync(join(folder, `file-${i}.txt`), `content ${i}`)
  const results = await Promise.all(
    ['sliding', 'aligned'].flatMap((windows) =>
      ['seconds', 'none'].map((retry) =>
        withService(
          async (service) => {
            const env = room.newcomer(service)
            // Learn the plan and compare the list beforehand, because only the very first start has to. Its
            // additional requests would prolong the measured run by a minute.
            await measure('slipway upload', [NODE, CLI, 'upload', first, '--quiet'], env)
            await pause(MINUTE_MS)
            await service.clearRequests()
            const ours = await measure(
              'slipway upload',
              [NODE, CLI, 'upload', folder, '--quiet', '--max-wait', '15m'],
              env,
            )
            const counts = await service.requestCounts()
            return { windows, retry, wallS: ours.wallS, refused: counts['429'] ?? 0, counts }
          },
          ['--plan', 'pro', '--windows', windows, '--retry-after', retry],
        ),
      ),
    ),
  )
  return {
    row: 'S3',
    work: `${FILES} files at 50 a minute`,
    slipway: results.map(
      (r) => `${r.windows}, Retry-After ${r.retry}: ${seconds(r.wallS)}, ${r.refused} x 429`,
    ),
    peers: [`least possible ${LEAST_S} s`],
    goals: [
      atMost('at most 186 s', Math.max(...results.map((r) => r.wallS)), 186, seconds),
      atMost(
        '0 x 429',
        results.reduce((sum, r) => sum + r.refused, 0),
        0,
        plain,
      ),
    ],
    notes: [],
    failure: null,
    raw: results,
  }
}
