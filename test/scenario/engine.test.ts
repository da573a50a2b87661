// The engine in a simulated world: daily limits, refused keys, lost connections, changed and moved files,
// folders that disappear, secrets, restarts. These are promises that only show over time or under faults.
import { afterEach, describe, expect, it } from 'vitest'
import { live } from '../world/live.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
async function open(...options: Parameters<typeof createWorld>): Promise<World> {
  world = await createWorld(...options)
  return world
}
afterEach(async () => {
  await world?.end()
  world = null
})

const HOUR = 3_600_000
describe('limits', () => {
  it('are respected for days without a refusal, and the reason for waiting is shown', async () => {
    const w = await open({ limits: { dailyUploads: 20, windows: 'aligned', dayTurnsAt: 'rolling' } })
    for (let i = 0; i < 50; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
    const id = await w.watch()
    await w.until(async () => (await w.transfers()).filter((t) => t.state === 'done').length === 20)
    await w.pass(60_000)
    const waiting = (await w.transfers()).filter((t) => t.state === 'waiting')
    expect(waiting.length).toBe(30)
    expect(new Set(waiting.map((t) => t.reason))).toEqual(new Set(['daily-uploads']))
    expect(waiting[0]?.until ?? 0).toBeGreaterThan(w.clock.now())
    await w.until(() => w.allSettled(), 60)
    expect(w.service.ledger.files().length).toBe(50)
    const counts = w.service.requests.counts()
    expect({ refused: counts['429'], denied: counts['403'] }).toEqual({
      refused: undefined,
      denied: undefined,
    })
    const idle = await w.handlers.folderIdle({ folderId: id })
    expect(idle.ok && idle.value.sums).toEqual({
      seen: 50,
      uploaded: 50,
      waiting: 0,
      held: 0,
      failed: 0,
      ignored: 0,
    })
  })

  it('count an upload only once that was in progress while the plan was read', async () => {
    const hooks = { uploadAnswerMs: 0 }
    const w = await open({ limits: { dailyUploads: 4, dayTurnsAt: 'rolling' } }, hooks)
    for (let i = 0; i < 2; i++) w.disk.write(`${FOLDER}/first ${i}.txt`, `first ${i}`)
    await w.watch()
    await w.until(() => w.allSettled())
    // Stored before the plan is read, answered afterwards.
    hooks.uploadAnswerMs = 10_000
    w.disk.write(`${FOLDER}/late.txt`, 'late')
    await w.until(() => w.service.ledger.files().length === 3)
    expect((await w.byName('late.txt'))?.state).toBe('uploading')
    expect((await w.handlers.stats({})).ok).toBe(true)
    hooks.uploadAnswerMs = 0
    await w.until(() => w.allSettled())
    w.disk.write(`${FOLDER}/last.txt`, 'last')
    // The fourth of four is uploaded now, not when the plan is read the next time.
    await w.pass(60_000)
    expect(live(w)).toContain('last.txt')
    expect(w.service.requests.counts()['403']).toBeUndefined()
  })

  it('are learned if the service doesn’t state its daily limit', async () => {
    const w = await open({
      limits: { dailyUploads: 5, dayTurnsAt: 'rolling' },
      dialect: { statsMembers: 'only-plan' },
    })
    for (let i = 0; i < 8; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
    await w.watch()
    await w.until(async () => (await w.transfers()).filter((t) => t.state === 'done').length >= 5, 2)
    await w.until(() => w.allSettled(), 80)
    expect(w.service.ledger.files().length).toBe(8)
    expect((await w.transfers()).every((t) => t.state === 'done')).toBe(true)
  })

  it('hold a file that is too big for the plan, but not the others', async () => {
    const w = await open({ limits: { maxFileSize: 2_000_000 } })
    w.disk.write(`${FOLDER}/big.bin`, Buffer.alloc(2_500_000, 1))
    w.disk.write(`${FOLDER}/fits.bin`, Buffer.alloc(1_900_000, 2))
    w.disk.write(`${FOLDER}/small.txt`, 'small')
    await w.watch()
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['fits.bin', 'small.txt'])
    expect(await w.byName('big.bin')).toMatchObject({ state: 'held', reason: 'too-big' })
  })

  it('allow fifty a minute over ten minutes', async () => {
    const w = await open({ plan: 'pro' })
    for (let i = 0; i < 400; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
    const began = w.clock.mono()
    await w.watch()
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(400)
    expect(w.service.requests.counts()['429']).toBeUndefined()
    // 401 requests at 50 a minute need eight full minutes.
    expect(w.clock.mono() - began).toBeLessThan(8 * 61_500 + 5000)
  })
})

describe('the account', () => {
  it('stops uploads if its key is refused, says so once, and resumes with a new one', async () => {
    const w = await open({ plan: 'enterprise' })
    w.disk.write(`${FOLDER}/first.txt`, 'first')
    await w.watch()
    await w.until(() => w.allSettled())
    w.service.setKey('another-key')
    for (let i = 0; i < 10; i++) w.disk.write(`${FOLDER}/later ${i}.txt`, `later ${i}`)
    await w.until(async () => {
      const snapshot = await w.handlers.snapshot({})
      return snapshot.ok && snapshot.value.account.state === 'key-refused'
    })
    w.service.requests.clear()
    await w.pass(2 * HOUR)
    // The key worked before, so it is tried again from time to time.
    const asked = w.service.requests.list().map((request) => request.endpoint)
    expect(new Set(asked)).toEqual(new Set(['stats']))
    expect(asked.length).toBeLessThan((2 * HOUR) / 90_000)
    expect(w.events.filter((e) => e.kind === 'notice' && e.level === 'problem').length).toBe(1)
    await w.setKey('another-key')
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(11)
  })

  it('distinguishes a plan without API from a limit', async () => {
    const w = await open({ plan: 'free' })
    w.disk.write(`${FOLDER}/a.txt`, 'a')
    await w.watch()
    await w.until(async () => {
      const snapshot = await w.handlers.snapshot({})
      return snapshot.ok && snapshot.value.account.state === 'no-api'
    })
    w.service.setPlan('pro')
    await w.handlers.retry({ ids: null })
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['a.txt'])
  })

  it('waits while the service is unreachable, without counting attempts', async () => {
    const w = await open({ plan: 'enterprise' })
    w.disk.write(`${FOLDER}/a.txt`, 'a')
    await w.watch()
    await w.until(() => w.allSettled())
    await w.service.goAway()
    for (let i = 0; i < 5; i++) w.disk.write(`${FOLDER}/b${i}.txt`, `b${i}`)
    await w.pass(10 * 60_000)
    const waiting = (await w.transfers()).filter((t) => t.state === 'waiting')
    expect(new Set(waiting.map((t) => t.reason))).toEqual(new Set(['offline']))
    await w.service.comeBack()
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(6)
    expect((await w.transfers()).every((t) => t.attempts <= 1)).toBe(true)
  })
})

describe('a file that the user moves to the front', () => {
  it('is sent first, before the rest in the order of the queue', async () => {
    const w = await open({ plan: 'enterprise' })
    await w.handlers.pause({})
    for (let i = 0; i < 30; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 30)
    const ids = (await w.transfers())
      .filter((t) => t.name === 'file 28.txt' || t.name === 'file 29.txt')
      .map((t) => t.id)
    expect(await w.handlers.sendNext({ ids })).toEqual({ ok: true, value: { count: 2 } })
    await w.handlers.resume({})
    await w.until(() => w.allSettled())
    // Eight uploads start at once, so the first eight are these two and six others, in any order.
    const first = w.service.ledger
      .files()
      .slice(0, 8)
      .map((file) => file.filename)
    expect(first).toEqual(expect.arrayContaining(['file 28.txt', 'file 29.txt']))
  })

  it('doesn’t wait for the end of a pause after a failure', async () => {
    const w = await open({
      plan: 'enterprise',
      faults: { rules: [{ on: 'upload', kinds: 'error-before-store' }] },
    })
    w.disk.write(`${FOLDER}/a.txt`, 'a')
    await w.watch()
    await w.until(async () => ((await w.byName('a.txt'))?.attempts ?? 0) >= 4)
    await w.until(async () => (await w.byName('a.txt'))?.state === 'waiting')
    w.service.setFaults({ rules: [] })
    const waiting = await w.byName('a.txt')
    const until = waiting?.until ?? 0
    expect(await w.handlers.sendNext({ ids: [waiting?.id ?? 0] })).toEqual({
      ok: true,
      value: { count: 1 },
    })
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['a.txt'])
    expect((await w.byName('a.txt'))?.doneAt).toBeLessThan(until)
  })
})

describe('files that change, move and vanish', () => {
  it('get a new link, are replaced, or are left alone after a change, as the user chose', async () => {
    for (const [onChange, files] of [
      ['new-link', 2],
      ['replace', 1],
      ['ignore', 1],
    ] as const) {
      const w = await open({ plan: 'enterprise' })
      w.disk.write(`${FOLDER}/a.txt`, 'version one')
      await w.watch({ onChange })
      await w.until(() => w.allSettled())
      await w.pass(60_000)
      w.disk.write(`${FOLDER}/a.txt`, 'version two, longer')
      await w.pass(60_000)
      await w.until(() => w.allSettled())
      await w.pass(60_000)
      expect({ onChange, live: live(w).length }).toEqual({ onChange, live: files })
      expect(w.service.ledger.files().length).toBe(onChange === 'ignore' ? 1 : 2)
      await w.end()
      world = null
    }
  })

  it('keep their links if they are renamed, moved, touched, or moved with their folder', async () => {
    const w = await open({ plan: 'enterprise' })
    w.disk.mkdir(`${FOLDER}/sub`)
    for (let i = 0; i < 10; i++) w.disk.write(`${FOLDER}/sub/file ${i}.txt`, `content ${i}`)
    w.disk.write(`${FOLDER}/top.txt`, 'top')
    const id = await w.watch()
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    w.disk.rename(`${FOLDER}/top.txt`, `${FOLDER}/renamed.txt`)
    w.disk.rename(`${FOLDER}/sub`, `${FOLDER}/elsewhere`)
    w.disk.setMtime(`${FOLDER}/renamed.txt`, w.clock.now() - 5000)
    await w.pass(30 * 60_000)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(11)
    const idle = await w.handlers.folderIdle({ folderId: id })
    expect(idle.ok && idle.value.sums).toMatchObject({ seen: 11, uploaded: 11 })
  })

  it('are all found by the rescan if the watcher misses everything', async () => {
    const w = await open({ plan: 'enterprise' })
    await w.watch()
    await w.pass(60_000)
    w.disk.setDeaf(true)
    for (let i = 0; i < 20; i++) w.disk.write(`${FOLDER}/silent ${i}.txt`, `content ${i}`)
    await w.until(async () => (await w.transfers()).length === 20 && (await w.allSettled()), 2)
    expect(w.service.ledger.files().length).toBe(20)
  })

  it('don’t count as deleted while the folder is missing, and are uploaded when it is back', async () => {
    const w = await open({ plan: 'enterprise' })
    for (let i = 0; i < 5; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
    const id = await w.watch()
    await w.until(() => w.allSettled())
    w.disk.rename(FOLDER, '/home/unplugged')
    await w.pass(60 * 60_000)
    const away = await w.handlers.snapshot({})
    expect(away.ok && away.value.folders[0]?.state).toBe('away')
    w.disk.mkdir(FOLDER)
    await w.pass(10 * 60_000)
    const idle = await w.handlers.folderIdle({ folderId: id })
    expect(idle.ok && idle.value.sums).toMatchObject({ seen: 5, uploaded: 5 })
    w.disk.remove(FOLDER)
    w.disk.rename('/home/unplugged', FOLDER)
    w.disk.write(`${FOLDER}/new.txt`, 'new')
    await w.until(async () => (await w.transfers()).length === 6 && (await w.allSettled()), 2)
    expect(w.service.ledger.files().length).toBe(6)
  })

  it('are never published as a mixture: a file that changes while it is read is uploaded as one version', async () => {
    const w = await open({ plan: 'enterprise' })
    const path = `${FOLDER}/large.bin`
    w.disk.write(path, Buffer.alloc(3_000_000, 1))
    w.disk.setMtime(path, w.clock.now() - 60_000)
    w.disk.onceRead(path, () =>
      w.disk.onceRead(path, () =>
        w.disk.onceRead(path, () => w.disk.write(path, Buffer.alloc(3_000_000, 2))),
      ),
    )
    await w.watch()
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    await w.until(() => w.allSettled())
    const { createHash } = await import('node:crypto')
    const one = createHash('sha256').update(Buffer.alloc(3_000_000, 1)).digest('hex')
    const two = createHash('sha256').update(Buffer.alloc(3_000_000, 2)).digest('hex')
    const hashes = w.service.ledger.live().map((file) => file.sha256)
    expect(hashes).toContain(two)
    expect(hashes.every((h) => h === one || h === two)).toBe(true)
  })

  it('are counted as settling at the end of the first scan', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/young.txt`, 'young')
    await w.watch()
    await w.until(() => w.allSettled())
    const told = w.events.flatMap((event) =>
      event.kind === 'folder' && event.folder.state === 'watching' ? [event.settling] : [],
    )
    expect(told[0]).toBe(1)
  })

  it('wait while another program is still writing', async () => {
    const w = await open({ plan: 'enterprise' })
    const path = `${FOLDER}/growing.txt`
    await w.watch()
    w.disk.write(path, 'start')
    w.disk.writers.add(path)
    await w.pass(5000)
    expect(w.service.ledger.files().length).toBe(0)
    w.disk.append(path, ' and the rest')
    w.disk.writers.delete(path)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(1)
  })
})

describe('what must not be uploaded automatically', () => {
  it('includes secrets by name and by content until the user approves them', async () => {
    const w = await open({ plan: 'enterprise' })
    w.disk.write(`${FOLDER}/.env`, 'TOKEN=1')
    w.disk.write(`${FOLDER}/notes.txt`, 'before\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA')
    w.disk.write(`${FOLDER}/plain.txt`, 'plain')
    w.disk.write(`${FOLDER}/half.crdownload`, 'half')
    w.disk.symlink('/etc/passwd', `${FOLDER}/link`)
    const id = await w.watch()
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['plain.txt'])
    const idle = await w.handlers.folderIdle({ folderId: id })
    expect(idle.ok && idle.value.sums).toEqual({
      seen: 5,
      uploaded: 1,
      waiting: 0,
      held: 2,
      failed: 0,
      ignored: 2,
    })
    const held = (await w.transfers()).filter((t) => t.state === 'held')
    expect(held.every((t) => t.reason === 'secret' && t.message !== null)).toBe(true)
    await w.handlers.release({ ids: held.map((t) => t.id) })
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['.env', 'notes.txt', 'plain.txt'])
  })

  it('includes existing files if only new ones are wanted', async () => {
    const w = await open({ plan: 'enterprise' })
    w.disk.write(`${FOLDER}/old.txt`, 'old')
    await w.pass(60_000)
    await w.watch({ existing: 'skip' })
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/new.txt`, 'new')
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['new.txt'])
  })

  it('includes files saved before a clock rollback, until they are saved again', async () => {
    const w = await open({ plan: 'enterprise' })
    w.clock.jumpWall(2 * 3_600_000)
    w.disk.write(`${FOLDER}/old.txt`, 'old')
    w.disk.write(`${FOLDER}/kept.txt`, 'kept')
    w.clock.jumpWall(-2 * 3_600_000)
    await w.watch({ existing: 'skip' })
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    // Saved while the clock is ahead, as on a network drive whose server's clock is. The file is recorded as
    // existing, so this can only be a new version.
    w.clock.jumpWall(600_000)
    w.disk.write(`${FOLDER}/old.txt`, 'new bytes')
    w.clock.jumpWall(-600_000)
    w.disk.write(`${FOLDER}/new.txt`, 'new')
    await w.until(() => live(w).length === 2)
    expect(live(w)).toEqual(['new.txt', 'old.txt'])
  })
})

describe('restarts', () => {
  it('lose nothing and send nothing twice after crashes at random moments', async () => {
    const w = await open({ plan: 'enterprise', latencyMs: 3 })
    for (let i = 0; i < 60; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
    await w.watch()
    for (const wanted of [7, 23, 41]) {
      await w.until(() => w.service.ledger.files().length >= wanted)
      await w.crash()
    }
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(60)
    expect(w.service.ledger.duplicates().byNameAndSha).toEqual([])
  })

  it('keep to the limit per minute, even with clock changes', async () => {
    const w = await open({ plan: 'pro' })
    for (let i = 0; i < 120; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
    await w.watch()
    await w.until(() => w.service.ledger.files().length >= 40)
    await w.crash()
    await w.until(() => w.service.ledger.files().length >= 70)
    await w.crash()
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(120)
    expect(w.service.requests.counts()['429']).toBeUndefined()
  })
})
