// The guard: a secret is held wherever it is in a file and however it is packed, before a byte of it is sent.
// Rules and exceptions added by the user apply from then on. Tested in the simulated world, and with real
// processes, threads and files.

import { createCipheriv } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reasonText } from '../../src-main/cli/output/reason-text.ts'
import type { Inspected } from '../../src-main/engine/ports.ts'
import { createService } from '../service/service.ts'
import { gzipped, tarOf, wide, zipOf } from '../unit/engine/rules/packing.ts'
import { live } from '../world/live.ts'
import { FOLDER, KEY, type World } from '../world/world.ts'
import { createPlace } from './cli-process.ts'
import { openWorld } from './open-world.ts'

const BODY = Array.from({ length: 12 }, (_, i) =>
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj'.slice(i % 3),
).join('\n')
const PEM = [
  ['-----BEGIN', 'PRIVATE KEY-----'].join(' '),
  BODY,
  ['-----END', 'PRIVATE KEY-----'].join(' '),
  '',
].join('\n')
const LINES = 'nothing to see on this line\n'

/** Each of these is held. Earlier versions uploaded them. */
const WRAPPED: readonly (readonly [name: string, content: string | Uint8Array])[] = [
  ['behind 64 KiB.txt', LINES.repeat(4000) + PEM],
  ['behind 3 MiB.txt', LINES.repeat(110_000) + PEM + LINES.repeat(10)],
  ['as UTF-16.txt', wide(PEM, 'le', true)],
  ['with a mark.txt', Buffer.concat([Buffer.from('EFBBBF', 'hex'), Buffer.from(PEM)])],
  ['in an archive.zip', zipOf([{ name: 'a.txt', bytes: Buffer.from(PEM) }])],
  ['a name in an archive.zip', zipOf([{ name: 'site/.env', bytes: Buffer.from('A=1') }])],
  [
    'a large archive.tar',
    tarOf([
      { name: 'a.txt', bytes: Buffer.alloc(2_000_000, LINES) },
      { name: 'b.txt', bytes: Buffer.from(PEM) },
    ]),
  ],
  ['packed twice.tgz', gzipped(tarOf([{ name: 'b.txt', bytes: Buffer.from(PEM) }]))],
]
const PLAIN: readonly (readonly [name: string, content: string | Uint8Array])[] = [
  ['plain.txt', 'plain'],
  ['large.txt', LINES.repeat(110_000)],
  ['plain.zip', zipOf([{ name: 'a.txt', bytes: Buffer.from(LINES) }])],
  // A decompression bomb: 200 MB of zeros, compressed a thousand to one.
  ['bomb.zip', zipOf([{ name: 'zeros', bytes: new Uint8Array(200_000_000) }])],
]

const states = async (w: World): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries((await w.transfers()).map((row) => [row.name, row.state]))

it('holds a file with the account’s own key, watched or named, and names no part of it', async () => {
  const w = await openWorld({ plan: 'enterprise' })
  const coded = Buffer.from(`me:${KEY}`).toString('base64')
  w.disk.write(`${FOLDER}/a.md`, `Tell the others: ${KEY}, then start.`)
  w.disk.write(`${FOLDER}/b.bin`, Buffer.concat([Buffer.alloc(2_000_000, 1), Buffer.from(coded)]))
  w.disk.write(`${FOLDER}/c.zip`, zipOf([{ name: 'c.txt', bytes: Buffer.from(KEY) }]))
  w.disk.write(`${FOLDER}/d.txt`, 'world-key-2234567890')
  w.disk.mkdir('/home/me/other')
  w.disk.write('/home/me/other/named.md', KEY)
  await w.watch()
  await w.handlers.upload({ paths: ['/home/me/other/named.md'], again: false, token: 't' })
  await w.pass(60_000)
  expect(live(w)).toEqual(['d.txt'])
  const held = (await w.transfers()).filter((row) => row.state === 'held')
  expect(held.map((row) => row.message)).toEqual(Array(4).fill('your API key for this service'))
  const lines = await w.handlers.heldLines({ ids: held.map((row) => row.id) })
  expect(JSON.stringify([held, lines])).not.toMatch(/world-key|d29ybGQta2V5/)
})

describe('files that take long to search', () => {
  const names = Array.from({ length: 20 }, (_, i) => `slow${i}.txt`)
  const search = Promise.withResolvers<Inspected>()
  const open = async (later: Promise<Inspected>): Promise<World> => {
    const w = await openWorld({ plan: 'enterprise' }, { inspect: async () => ({ later }) })
    for (const name of names) w.disk.write(`${FOLDER}/${name}`, LINES.repeat(1000) + name)
    w.disk.write(`${FOLDER}/small.txt`, 'small')
    await w.watch()
    return w
  }

  it('wait in the queue without holding up others, and are sent afterwards', async () => {
    const w = await open(search.promise)
    await w.until(() => live(w).length > 0)
    expect(live(w)).toEqual(['small.txt'])
    await w.pass(3_600_000)
    expect(new Set((await w.transfers()).map(({ state }) => state))).toEqual(new Set(['done', 'queued']))
    search.resolve(null)
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual([...names, 'small.txt'].toSorted())
  })

  it('are held with that reason if they cannot be searched, and sent once they are approved', async () => {
    const w = await open(Promise.resolve('unsearched'))
    await w.until(() => w.allSettled())
    const held = (await w.transfers()).filter(({ state }) => state === 'held')
    expect(held.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    expect(held[0]).toMatchObject({ reason: 'unsearched', message: null })
    expect(reasonText('unsearched', null, 0)).toBe("Held: couldn't be searched for secrets within 2 s")
    await w.handlers.release({ ids: held.map(({ id }) => id) })
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual([...names, 'small.txt'].toSorted())
  })
})

describe('a held secret', () => {
  it('is found anywhere in a file, in UTF-16, and inside archives', async () => {
    const w = await openWorld({ plan: 'enterprise' })
    for (const [name, content] of [...WRAPPED, ...PLAIN]) w.disk.write(`${FOLDER}/${name}`, content)
    await w.watch()
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(PLAIN.map(([name]) => name).toSorted())
    expect(
      (await w.transfers())
        .filter((row) => row.state === 'held')
        .map((row) => row.name)
        .toSorted(),
    ).toEqual(WRAPPED.map(([name]) => name).toSorted())
  })

  it('is also found by the command line, in separate threads', async () => {
    const place = createPlace()
    const service = await createService({ plan: 'enterprise', key: place.key })
    try {
      const own = [
        ['own key.md', `Tell the others: ${place.key}, then start.`],
        ['own key, large.txt', LINES.repeat(110_000) + place.key.toUpperCase()],
        ['own key.zip', zipOf([{ name: 'a.txt', bytes: Buffer.from(place.key) }])],
      ] as const
      // Like a video: every byte value occurs, so that much of it looks like escapes. It is searched in time.
      const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16))
      const plain = [...PLAIN, ['video.bin', cipher.update(Buffer.alloc(60_000_000))] as const]
      for (const [name, content] of [...WRAPPED, ...own, ...plain]) place.write(name, content)
      const ended = await place.run(['watch', place.folder, '--once', '--json', '--max-wait', '5s'], {
        url: service.url,
      })
      expect(ended.err).toBe('')
      expect(ended.code).toBe(4)
      expect(
        service.ledger
          .live()
          .map((file) => file.filename)
          .toSorted(),
      ).toEqual(plain.map(([name]) => name).toSorted())
      expect(
        ended.out.split('\n').filter((line) => line.includes('"held"') && line.includes('"secret"')),
      ).toHaveLength(WRAPPED.length + own.length)
    } finally {
      await service.close()
      place.remove()
    }
  })
})

describe("the user's rules", () => {
  it('hold some files and allow others, from the next check on', async () => {
    const w = await openWorld({ plan: 'enterprise' })
    w.setGuardRules({ hold: ['*.psd', '/home/share/private/'], allow: ['**/fixtures/**', '*.test.pem'] })
    w.disk.mkdir(`${FOLDER}/private`)
    w.disk.mkdir(`${FOLDER}/fixtures`)
    w.disk.write(`${FOLDER}/draft.psd`, 'draft')
    w.disk.write(`${FOLDER}/private/a.txt`, 'a')
    w.disk.write(`${FOLDER}/fixtures/.env`, 'A=1')
    w.disk.write(`${FOLDER}/fixtures/key.pem`, PEM)
    w.disk.write(`${FOLDER}/one.test.pem`, PEM)
    w.disk.write(`${FOLDER}/one.pem`, PEM)
    await w.watch()
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['.env', 'key.pem', 'one.test.pem'])
    expect(await states(w)).toMatchObject({ 'draft.psd': 'held', 'a.txt': 'held', 'one.pem': 'held' })
    expect((await w.byName('draft.psd'))?.message).toBe('your rule *.psd')
    expect((await w.byName('a.txt'))?.message).toBe('your rule /home/share/private/')

    // An exception applies to new files. Files that are already held wait for approval.
    w.setGuardRules({ hold: [], allow: ['*.pem'] })
    await w.pass(60_000)
    expect(await states(w)).toMatchObject({ 'draft.psd': 'held', 'one.pem': 'held' })
    w.disk.write(`${FOLDER}/two.pem`, PEM)
    await w.until(() => live(w).includes('two.pem'))
    expect(live(w)).toEqual(['.env', 'key.pem', 'one.test.pem', 'two.pem'])
  })

  it('come from the settings that the command line shares with the app', async () => {
    const place = createPlace()
    const service = await createService({ plan: 'enterprise', key: place.key })
    try {
      mkdirSync(place.data, { mode: 0o700 })
      const rules = { guardHold: ['*.psd'], guardAllow: ['fixtures/'] }
      writeFileSync(join(place.data, 'settings.json'), JSON.stringify({ baseUrl: null, app: rules }), {
        mode: 0o600,
      })
      place.write('draft.psd', 'draft')
      place.write('fixtures/.env', 'A=1')
      place.write('.env', 'A=1')
      const ended = await place.run(['upload', place.folder, '--json', '--max-wait', '5s'], {
        url: service.url,
      })
      expect(ended.code).toBe(4)
      expect(service.ledger.live().map((file) => file.filename)).toEqual(['.env'])
      expect(
        ended.out
          .split('\n')
          .filter((line) => line.includes('"held"'))
          .toSorted()
          .join('\n'),
      ).toMatch(/Share[\\/]+\.env[\s\S]*draft\.psd/)
    } finally {
      await service.close()
      place.remove()
    }
  })
})
