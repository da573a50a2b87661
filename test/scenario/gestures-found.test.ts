// Bugs found by gesture runs, each as the smallest test that reproduces it.
// The seeds aren't kept, because a new gesture changes what they draw.
import { describe, expect, it } from 'vitest'
import type { FileSync } from '../../src-main/engine/journal/barrier.ts'
import type { OnChange } from '../../src-shared/model.ts'
import type { FaultPlan } from '../service/faults.ts'
import { slashes } from '../world/slashes.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000

describe('files that take each other’s names', () => {
  const started = async (
    contents: Readonly<Record<string, string>>,
    onChange: OnChange = 'new-link',
    faults: FaultPlan | null = null,
  ): Promise<World> => {
    const w = await openWorld(faults === null ? {} : { faults })
    for (const [name, content] of Object.entries(contents)) w.disk.write(`${FOLDER}/${name}`, content)
    await w.watch({ onChange })
    await w.until(() => w.allSettled())
    await w.pass(MINUTE)
    return w
  }
  const links = async (w: World, ...names: readonly string[]): Promise<readonly unknown[]> => {
    const found = await w.handlers.links({ selectors: names.map((name) => `${FOLDER}/${name}`) })
    return found.ok ? found.value.map(({ row }) => row?.publicLink) : []
  }

  it('aren’t sent again when two swap names, and keep their links', async () => {
    const w = await started({ 'a.txt': 'the first', 'b.txt': 'and the second' })
    const [a, b] = await links(w, 'a.txt', 'b.txt')
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/between.txt`)
    w.disk.rename(`${FOLDER}/b.txt`, `${FOLDER}/a.txt`)
    w.disk.rename(`${FOLDER}/between.txt`, `${FOLDER}/b.txt`)
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(2)
    expect(await links(w, 'a.txt', 'b.txt')).toEqual([b, a])
  })

  it('keep their links where changes replace files, if the second of two swapped files appears late', async () => {
    const w = await started({ 'a.txt': 'the first', 'b.txt': 'and the second' }, 'replace')
    const [a, b] = await links(w, 'a.txt', 'b.txt')
    w.disk.mkdir('/home/elsewhere')
    w.disk.rename(`${FOLDER}/a.txt`, '/home/elsewhere/a.txt')
    w.disk.rename(`${FOLDER}/b.txt`, `${FOLDER}/a.txt`)
    await w.pass(100)
    w.disk.rename('/home/elsewhere/a.txt', `${FOLDER}/b.txt`)
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.live()).toHaveLength(2)
    expect(await links(w, 'a.txt', 'b.txt')).toEqual([b, a])
  })

  it('aren’t sent again when one is renamed over another', async () => {
    const w = await started({ 'a.txt': 'the first', 'b.txt': 'and the second' })
    const [a] = await links(w, 'a.txt')
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(2)
    expect(await links(w, 'b.txt')).toEqual([a])
  })

  it('aren’t sent again when logs are rotated; the new one is', async () => {
    const w = await started({
      'app.log': 'of today',
      'app.log.1': 'of the day before',
      'app.log.2': 'of two days before',
    })
    for (const n of [2, 1]) w.disk.rename(`${FOLDER}/app.log.${n}`, `${FOLDER}/app.log.${n + 1}`)
    w.disk.rename(`${FOLDER}/app.log`, `${FOLDER}/app.log.1`)
    w.disk.write(`${FOLDER}/app.log`, 'of the new day, which is longer')
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(4)
    const sha256 = new Set(w.service.ledger.live().map((file) => file.sha256))
    expect(sha256.size).toBe(4)
  })

  const rotate = async (w: World, pause: () => Promise<void>): Promise<void> => {
    for (const n of [2, 1]) w.disk.rename(`${FOLDER}/app.log.${n}`, `${FOLDER}/app.log.${n + 1}`)
    w.disk.rename(`${FOLDER}/app.log`, `${FOLDER}/app.log.1`)
    await pause()
    w.disk.write(`${FOLDER}/app.log`, 'of the new day, which is longer')
  }
  const logs = { 'app.log': 'of today', 'app.log.1': 'of the day before', 'app.log.2': 'of two days before' }

  it.each([
    ['at once', 0],
    ['with a moment in between', 300],
  ])(
    'keep their links where changes are ignored, when logs are rotated %s; the new one is sent',
    async (_when, ms) => {
      const w = await started(logs, 'ignore')
      const before = await links(w, 'app.log', 'app.log.1', 'app.log.2')
      await rotate(w, () => w.pass(ms))
      await w.pass(15 * MINUTE)
      await w.until(() => w.allSettled())
      const after = await links(w, 'app.log', 'app.log.1', 'app.log.2', 'app.log.3')
      expect(after.slice(1)).toEqual(before)
      expect(w.service.ledger.files()).toHaveLength(4)
      expect(new Set(after).size).toBe(4)
    },
  )

  it('keep their links where changes replace files, if logs are rotated before a response has arrived', async () => {
    const w = await openWorld({ faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] } })
    await w.watch({ onChange: 'replace' })
    w.disk.write(`${FOLDER}/app.log.1`, logs['app.log.1'])
    await w.until(async () => (await w.byName('app.log.1'))?.state === 'unknown')
    w.disk.write(`${FOLDER}/app.log`, logs['app.log'])
    while ((await w.byName('app.log'))?.state !== 'done') await w.clock.advance(20)
    const [before] = await links(w, 'app.log')
    w.disk.rename(`${FOLDER}/app.log.1`, `${FOLDER}/app.log.2`)
    w.disk.rename(`${FOLDER}/app.log`, `${FOLDER}/app.log.1`)
    w.disk.write(`${FOLDER}/app.log`, 'of the new day, which is longer')
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect((await links(w, 'app.log.1'))[0]).toBe(before)
    expect(w.service.ledger.files().filter((file) => file.deletedAt !== null)).toEqual([])
    expect(w.service.ledger.files()).toHaveLength(3)
  })

  it('keep their links where changes are ignored, when logs are rotated while nothing runs', async () => {
    const w = await started(logs, 'ignore')
    const before = await links(w, 'app.log', 'app.log.1', 'app.log.2')
    await w.crash()
    await rotate(w, async () => undefined)
    await w.watch({ onChange: 'ignore' })
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect((await links(w, 'app.log', 'app.log.1', 'app.log.2', 'app.log.3')).slice(1)).toEqual(before)
    expect(w.service.ledger.files()).toHaveLength(4)
  })

  it('are left alone where changes are ignored and a program saves by renaming', async () => {
    const w = await started({ 'a.txt': 'the first' }, 'ignore')
    w.disk.write(`${FOLDER}/.save.tmp`, 'the first, and more')
    w.disk.rename(`${FOLDER}/.save.tmp`, `${FOLDER}/a.txt`)
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('are sent once if the response for the replaced one is still pending', async () => {
    const w = await started({ 'known.txt': 'known' }, 'new-link', {
      rules: [{ on: 'upload', nth: 2, kinds: 'cut-after-store' }],
    })
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    w.disk.write(`${FOLDER}/a.txt`, 'and another one')
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(3)
  })
})

describe('a file that is changed back', () => {
  it('isn’t sent again if the version in between was lost in transit', async () => {
    const w = await openWorld({ faults: { rules: [{ on: 'upload', nth: 2, kinds: 'cut-after-body' }] } })
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await w.until(() => w.allSettled())
    w.disk.write(`${FOLDER}/a.txt`, 'and the second')
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled(), 1)
    expect(w.service.ledger.files()).toHaveLength(1)
  })
})

describe('a file that is moved before its response has arrived', () => {
  const sent = async (w: World, count: number): Promise<void> => {
    // Advance the clock manually, because the world would wait for the answer.
    while (w.service.ledger.files().length < count) {
      await w.clock.advance(50)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  it('isn’t sent again if it was seen to vanish before it was seen to appear', async () => {
    const w = await openWorld({
      faults: { rules: [{ on: 'upload', nth: 1, kinds: { kind: 'answer-late', ms: 500 } }] },
    })
    await w.watch()
    await w.pass(1000)
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await sent(w, 1)
    w.disk.mkdir('/home/elsewhere')
    w.disk.rename(`${FOLDER}/a.txt`, '/home/elsewhere/a.txt')
    for (let i = 0; i < 20; i++) await w.clock.advance(50)
    w.disk.rename('/home/elsewhere/a.txt', `${FOLDER}/renamed.txt`)
    for (let i = 0; i < 20; i++) await w.clock.advance(50)
    await w.until(() => w.allSettled())
    expect(await w.byName('renamed.txt')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('has its link under its own name after it was moved back and forth', async () => {
    const w = await openWorld({
      faults: { rules: [{ on: 'upload', nth: 1, kinds: { kind: 'answer-late', ms: 700 } }] },
    })
    await w.watch()
    await w.pass(1000)
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await sent(w, 1)
    w.disk.mkdir(`${FOLDER}/sub`)
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/sub/a.txt`)
    for (let i = 0; i < 20; i++) await w.clock.advance(50)
    w.disk.rename(`${FOLDER}/sub/a.txt`, `${FOLDER}/a.txt`)
    for (let i = 0; i < 20; i++) await w.clock.advance(50)
    await w.until(() => w.allSettled())
    const row = await w.byName('a.txt')
    expect([slashes(row?.path ?? ''), row?.state]).toEqual([`${FOLDER}/a.txt`, 'done'])
    const found = await w.handlers.links({ selectors: [`${FOLDER}/a.txt`] })
    expect(found.ok && found.value[0]?.row?.publicLink).toMatch(/download/)
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('isn’t sent again under the name of one whose upload was lost', async () => {
    const w = await openWorld({ faults: { rules: [{ on: 'upload', nth: 2, kinds: 'cut-after-body' }] } })
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await w.until(() => w.allSettled())
    w.disk.write(`${FOLDER}/b.txt`, 'and the second')
    await w.until(async () => (await w.byName('b.txt'))?.state === 'unknown')
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled(), 1)
    expect(await w.byName('b.txt')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.files()).toHaveLength(1)
  })
})

describe('a file that moves from one watched folder to another', () => {
  it('isn’t sent again if it was seen to vanish before it was seen to appear', async () => {
    const w = await openWorld()
    w.disk.mkdir('/home/other')
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await w.watch()
    await w.watch({ path: '/home/other' })
    await w.until(() => w.allSettled())
    w.disk.mkdir('/home/elsewhere')
    w.disk.rename(`${FOLDER}/a.txt`, '/home/elsewhere/a.txt')
    await w.pass(15 * MINUTE)
    w.disk.rename('/home/elsewhere/a.txt', '/home/other/b.txt')
    await w.pass(15 * MINUTE)
    await w.until(() => w.allSettled())
    expect(await w.byName('b.txt')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.files()).toHaveLength(1)
  })
})

describe('what is reported about waiting', () => {
  it('"paused" is true even for an upload that still waits for the journal to be synced', async () => {
    const pauses: Promise<unknown>[] = []
    let requests = 0
    let world: World | null = null
    const isSending = (w: World): boolean =>
      w.sql("SELECT 1 FROM transfers WHERE state = 'uploading'").length > 0
    const sync = (): FileSync => ({
      sync: async () => {
        // The answer to `pause` waits for this very sync, as the upload does.
        if (pauses.length === 0 && world !== null && isSending(world)) pauses.push(world.handlers.pause({}))
      },
      close: () => undefined,
    })
    const w = await openWorld({}, { sync, onRequest: () => requests++ })
    world = w
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await w.pass(MINUTE)
    expect(pauses).toHaveLength(1)
    await Promise.all(pauses)
    expect(requests).toBe(0)
    expect(await w.byName('a.txt')).toMatchObject({ state: 'waiting', reason: 'paused' })
    await w.handlers.resume({})
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('an audit shows no time in the past if nothing has watched since', async () => {
    const w = await openWorld({
      faults: { rules: [{ on: 'upload', kinds: { kind: 'error-before-body', status: 503 } }] },
    })
    const id = await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await w.until(async () => (await w.byName('a.txt'))?.state === 'waiting')
    const until = async (): Promise<number | null | undefined> => {
      const page = await w.handlers.auditPage({ folderId: id, list: 'waiting', after: null, limit: 10 })
      return page.ok ? page.value.entries[0]?.until : undefined
    }
    expect(await until()).toBeGreaterThan(w.clock.now())
    await w.crash()
    w.sql(`UPDATE transfers SET until = ${w.clock.now() - MINUTE}, state = 'waiting', reason = 'backoff'`)
    expect(await until()).toBeNull()
  })
})
