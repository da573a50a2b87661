// Two accounts and one folder, switched several times at random moments with kill -9 in between: each service
// has each file once with the right bytes, and no link of one account is printed for the other. The moments
// are derived from a seed.

import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../service/service.ts'
import { share } from '../tools/share.ts'
import { createPlace, type Place, sha256 } from './cli-process.ts'

const SWITCHES = share(6, 10)
/** Number of seeds, starting at 1; can be raised with ACCOUNT_SWITCH_SEEDS. */
const SEEDS = Number(process.env['ACCOUNT_SWITCH_SEEDS'] ?? share(1, 5))
const FILES = 24

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A small generator, so that a seed yields the same numbers everywhere. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function account(): Promise<Service> {
  // Slow enough that a kill interrupts running uploads.
  const made = await createService({ plan: 'enterprise', uploadBytesPerSecond: 20_000, latencyMs: 20 })
  ends.push(() => made.close())
  return made
}

function links(text: string): string[] {
  return text.match(/https?:\/\/[^\s"]+\/download\/[^\s"]+/g) ?? []
}

function plant(at: Place): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>()
  for (let i = 0; i < FILES; i++) {
    const content = `file ${i}\n`.repeat(200 + i)
    at.write(`file ${i}.txt`, content)
    hashes.set(sha256(content), `file ${i}.txt`)
  }
  return hashes
}

describe('two accounts and one folder', () => {
  it.each(Array.from({ length: SEEDS }, (_, i) => i + 1))(
    'each service has each file once, and no link of the other account is shown (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const at = createPlace()
      ends.push(() => at.remove())
      const both = [await account(), await account()] as const
      const files = plant(at)
      const told = [new Set<string>(), new Set<string>()] as const
      const optionsOf = (turn: 0 | 1) => ({ url: both[turn].url, env: { SLIPWAY_API_KEY: both[turn].key } })
      for (let i = 0; i < SWITCHES; i++) {
        const turn = i % 2 === 0 ? 0 : 1
        const watching = at.start(['watch', at.folder, '--json'], optionsOf(turn))
        // If few files are left to upload, there may never be that many lines, so the wait has a limit.
        await Promise.race([watching.lines(1 + Math.floor(random() * 1.5 * FILES)), delay(2500)])
        await delay(random() * 400)
        watching.child.kill('SIGKILL')
        for (const link of links((await watching.ended).out)) told[turn].add(link)
      }
      for (const turn of [0, 1] as const) {
        const service = both[turn]
        service.setUploadRate(null)
        const ended = await at.run(['watch', at.folder, '--once', '--json'], optionsOf(turn))
        expect([turn, ended.code, ended.err]).toEqual([turn, 0, ended.err])
        for (const link of links(ended.out)) told[turn].add(link)
        const paths = [...files.values()].map((name) => `${at.folder}/${name}`)
        const all = links((await at.run(['link', ...paths], optionsOf(turn))).out)
        for (const link of all) told[turn].add(link)
        expect(all.length).toBe(FILES)
        await service.idle()
        expect(
          service.ledger
            .live()
            .map((file) => file.sha256)
            .toSorted(),
        ).toEqual([...files.keys()].toSorted())
        // Every printed link leads to this account's service.
        for (const link of told[turn]) expect(new URL(link).host).toBe(new URL(service.url).host)
      }
      expect([...told[0]].filter((link) => told[1].has(link))).toEqual([])
    },
  )
})
