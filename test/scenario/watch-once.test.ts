// `watch --once --json` as a process, with the service in a few dialects, and in all of them in the long
// share (dialects.test.ts has them without processes): each file is stored once with the right bytes, the
// exit code is 0, the output matches the documentation, and the key appears nowhere. Also restarts, kills,
// two processes, and a lost journal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dialects } from '../service/dialect.ts'
import { createService, type Service } from '../service/service.ts'
import { IS_LONG } from '../tools/share.ts'
import { createPlace, type Ended, filesBelow, type Place, sha256 } from './cli-process.ts'
import { HIDING, SAMPLES, UNSEEN } from './samples.ts'

const Line = z.discriminatedUnion('event', [
  z.object({ event: z.literal('queued'), path: z.string(), size: z.int() }),
  z.object({
    event: z.literal('uploaded'),
    path: z.string(),
    size: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    file_id: z.int(),
    public_link: z.url(),
    filename: z.string(),
    adopted: z.boolean(),
  }),
  z.object({
    event: z.literal('waiting'),
    path: z.string(),
    reason: z.string(),
    until: z.iso.datetime().optional(),
  }),
  z.object({ event: z.literal('held'), path: z.string(), reason: z.string() }),
  z.object({ event: z.literal('failed'), path: z.string(), reason: z.string(), message: z.string() }),
  z.object({
    event: z.literal('summary'),
    seen: z.int(),
    uploaded: z.int(),
    waiting: z.int(),
    held: z.int(),
    failed: z.int(),
    ignored: z.int(),
  }),
])

type Options = Parameters<typeof createService>[0]

/** A place and service for a single test. Tests run in parallel, so they share nothing. */
async function inWorld(
  options: Options,
  work: (world: { readonly place: Place; readonly service: Service }) => Promise<void>,
): Promise<void> {
  const place = createPlace()
  const service = await createService({ plan: 'pro', key: place.key, ...options })
  try {
    await work({ place, service })
  } finally {
    await service.close()
    place.remove()
  }
}

/**
 * Dialects in which what a process prints, or how it ends, could differ: odd IDs, links, lists and errors.
 */
const AS_PROCESS = ['plain', 'stringly', 'big pages', 'errors mislabelled', 'answers with a link'] as const

function parse(ended: Ended): readonly z.infer<typeof Line>[] {
  return ended.out
    .trim()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)))
}

/** Links and IDs are random, so they may contain any word. */
function withoutLinks(out: string): string {
  return out.replaceAll(/"(?:public_link|file_id)":"[^"]*"/g, '')
}

function check(
  ended: Ended,
  place: Place,
  service: Service,
  samples: readonly (readonly [string, string])[],
): void {
  // After a loss or a kill, the command may wait for late copies, and says so.
  const err = ended.err.replace(/^\d+ files? had to be sent again\. [^\n]*\n/m, '')
  expect({ code: ended.code, err }).toEqual({ code: 0, err: '' })
  expect(withoutLinks(ended.out)).not.toMatch(/NaN|undefined/)
  expect(ended.out + ended.err).not.toContain(place.key)
  for (const file of filesBelow(place.data)) expect(file.data.includes(place.key), file.path).toBe(false)
  const lines = parse(ended)
  expect(lines.at(-1)).toEqual({
    event: 'summary',
    seen: samples.length,
    uploaded: samples.length,
    waiting: 0,
    held: 0,
    failed: 0,
    ignored: 0,
  })
  const live = service.ledger.live()
  expect(live.map((file) => file.sha256).toSorted()).toEqual(
    samples.map(([, content]) => sha256(content)).toSorted(),
  )
  expect(service.requests.counts()['429']).toBeUndefined()
}

describe.concurrent(IS_LONG ? 'every dialect' : 'a dialect', () => {
  it.each(IS_LONG ? Object.keys(dialects) : AS_PROCESS)('%s', (name) =>
    inWorld({ dialect: dialects[name] }, async ({ place, service }) => {
      for (const [file, content] of SAMPLES) place.write(file, content)
      const ended = await place.run(['watch', place.folder, '--once', '--json'], { url: service.url })
      check(ended, place, service, SAMPLES)
      const uploaded = parse(ended).filter((line) => line.event === 'uploaded')
      expect(uploaded.map((line) => line.path).toSorted()).toEqual(
        SAMPLES.map(([file]) => join(place.folder, file)).toSorted(),
      )
      for (const line of uploaded) {
        const sample = SAMPLES.find(([file]) => join(place.folder, file) === line.path)
        expect(line.sha256).toBe(sha256(sample?.[1] ?? 'missing'))
      }
      // The second run finds nothing new, so it sends nothing.
      const before = service.ledger.files().length
      const again = await place.run(['watch', place.folder, '--once', '--json'], { url: service.url })
      expect(again.code).toBe(0)
      expect(service.ledger.files().length).toBe(before)
    }),
  )
})

describe.concurrent('lost responses in the dialects that hide most', () => {
  const faults: NonNullable<Options>['faults'] = {
    seed: 3,
    rules: [
      { on: 'upload', nth: [2, 4], kinds: ['cut-after-store'] },
      { on: 'upload', nth: [5], kinds: ['error-before-store'] },
    ],
  }
  // In real time, it takes a minute.
  it.each(IS_LONG ? UNSEEN : [])('%s: nothing is lost, and nothing is sent more than twice', (name) =>
    inWorld({ dialect: dialects[name], plan: 'enterprise', faults }, async ({ place, service }) => {
      for (const [file, content] of SAMPLES) place.write(file, content)
      const ended = await place.run(['watch', place.folder, '--once', '--json', '--max-wait', '60s'], {
        url: service.url,
      })
      expect(ended.err).toBe('')
      const summary = parse(ended).at(-1)
      // Uploads that can't be confirmed are held for the user, and counted as held.
      expect(summary).toMatchObject({
        event: 'summary',
        seen: SAMPLES.length,
        waiting: 0,
        failed: 0,
        ignored: 0,
      })
      if (summary?.event !== 'summary') return
      expect(summary.uploaded + summary.held).toBe(SAMPLES.length)
      expect(ended.code).toBe(summary.held > 0 ? 4 : 0)
      const stored = Map.groupBy(service.ledger.live(), (file) => file.sha256)
      for (const [, content] of SAMPLES) expect([1, 2]).toContain(stored.get(sha256(content))?.length)
    }),
  )

  it.each(IS_LONG ? HIDING : ['bare'])('%s', (name) =>
    inWorld({ dialect: dialects[name], plan: 'enterprise', faults }, async ({ place, service }) => {
      for (const [file, content] of SAMPLES) place.write(file, content)
      const ended = await place.run(['watch', place.folder, '--once', '--json', '--max-wait', '60s'], {
        url: service.url,
      })
      check(ended, place, service, SAMPLES)
      expect(service.ledger.duplicates().byNameAndSha).toEqual([])
    }),
  )
})

describe.concurrent('kill -9', () => {
  it('loses nothing and sends nothing twice, whenever it happens', () =>
    inWorld({ plan: 'enterprise', latencyMs: 40 }, async ({ place, service }) => {
      const samples = Array.from(
        { length: 120 },
        (_, i) => [`file ${i}.txt`, `content of ${i} `.repeat(i * 20 + 1)] as const,
      )
      for (const [file, content] of samples) place.write(file, content)
      for (const after of [3, 130, 20]) {
        const running = place.start(['watch', place.folder, '--once', '--json'], { url: service.url })
        await running.lines(after)
        running.child.kill('SIGKILL')
        expect((await running.ended).signal).toBe('SIGKILL')
      }
      await service.idle()
      const ended = await place.run(['watch', place.folder, '--once', '--json'], { url: service.url })
      check(ended, place, service, samples)
      expect(service.ledger.duplicates().byNameAndSha).toEqual([])
      const audit = await place.run(['audit', place.folder, '--json'], { url: service.url })
      const sums = z
        .looseObject({
          seen: z.int(),
          uploaded: z.int(),
          waiting: z.int(),
          held: z.int(),
          failed: z.int(),
          ignored: z.int(),
        })
        .parse(JSON.parse(audit.out))
      expect(sums.seen).toBe(sums.uploaded + sums.waiting + sums.held + sums.failed + sums.ignored)
      expect(sums.uploaded).toBe(samples.length)
    }))
})

describe.concurrent('two processes at once on one key and data folder', () => {
  it('share one budget; nothing is sent twice, and the second continues when the first has ended', () =>
    inWorld({ plan: 'pro' }, async ({ place, service }) => {
      const a = Array.from({ length: 12 }, (_, i) => [`a/one-${i}.txt`, `first ${i}`] as const)
      const b = Array.from({ length: 20 }, (_, i) => [`b/two-${i}.txt`, `second ${i}`] as const)
      for (const [file, content] of [...a, ...b]) place.write(file, content)
      const runs = await Promise.all([
        place.run(['watch', join(place.folder, 'a'), '--once', '--json'], { url: service.url }),
        place.run(['watch', join(place.folder, 'b'), '--once', '--json'], { url: service.url }),
      ])
      for (const ended of runs) expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' })
      expect(runs.map((ended) => parse(ended).at(-1))).toMatchObject([
        { uploaded: a.length },
        { uploaded: b.length },
      ])
      expect(service.ledger.live().length).toBe(a.length + b.length)
      expect(service.ledger.duplicates().byNameAndSha).toEqual([])
      expect(service.requests.counts()['429']).toBeUndefined()
    }))

  it('on the same folder do the work once', () =>
    inWorld({ plan: 'pro' }, async ({ place, service }) => {
      const samples = Array.from({ length: 15 }, (_, i) => [`same-${i}.txt`, `content ${i}`] as const)
      for (const [file, content] of samples) place.write(file, content)
      const runs = await Promise.all(
        [1, 2].map(() => place.run(['watch', place.folder, '--once', '--json'], { url: service.url })),
      )
      for (const ended of runs) expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' })
      expect(service.ledger.files().length).toBe(samples.length)
    }))
})

describe.concurrent('a journal that is lost', () => {
  it('is moved aside and rebuilt, and nothing is sent twice', () =>
    inWorld({ plan: 'enterprise' }, async ({ place, service }) => {
      for (const [file, content] of SAMPLES) place.write(file, content)
      await place.run(['watch', place.folder, '--once', '--json'], { url: service.url })
      writeFileSync(join(place.data, 'journal.db'), 'this is no database any more, '.repeat(500))
      place.write('new.txt', 'new since then')
      const ended = await place.run(['watch', place.folder, '--once', '--json'], { url: service.url })
      expect(ended.code).toBe(0)
      expect(ended.err).toMatch(/set aside/i)
      expect(parse(ended).at(-1)).toMatchObject({ seen: SAMPLES.length + 1, uploaded: SAMPLES.length + 1 })
      expect(service.ledger.files().length).toBe(SAMPLES.length + 1)
    }))
})
