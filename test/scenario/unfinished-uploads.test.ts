// Small files that the user names while they are being written: what stays published is the finished file,
// and no link is handed out for bytes that the file no longer has.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OnChange } from '../../src-shared/model.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const PATH = '/home/report.txt'

let uploads = 0
async function upload(w: World, path = PATH): Promise<void> {
  expect(await w.handlers.upload({ paths: [path], again: false, token: `${++uploads}` })).toMatchObject({
    ok: true,
  })
}

/** What is published, as text. */
function published(w: World): readonly string[] {
  return w.service.ledger.live().map((file) => readFileSync(w.service.blobPath(file.fileId) ?? '', 'utf8'))
}

/** A world in which `change` runs once, when an upload has been stored and its answer is on its way. */
async function changingWhileSent(change: (w: World) => void): Promise<World> {
  let isLeft = true
  const w: World = await openWorld({
    onMoment: (moment, endpoint) => {
      if (endpoint !== 'upload' || moment !== 'answered' || !isLeft) return
      isLeft = false
      change(w)
    },
  })
  return w
}

describe('a named file that is being written', () => {
  it('is sent once the program has closed it', async () => {
    const w = await openWorld()
    w.disk.write(PATH, 'first half.')
    w.disk.writers.add(PATH)
    await w.pass(1000)
    await upload(w)
    await w.pass(5000)
    expect(await w.byName('report.txt')).toMatchObject({ state: 'waiting', reason: 'settling' })
    w.disk.append(PATH, 'middle.')
    await w.pass(20_000)
    expect(w.service.ledger.files()).toHaveLength(0)
    w.disk.append(PATH, 'second half.')
    w.disk.writers.delete(PATH)
    await w.until(() => w.allSettled())
    expect(published(w)).toEqual(['first half.middle.second half.'])
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('is sent two seconds after its last change if its writer may be invisible', async () => {
    const w = await openWorld()
    w.disk.hidden.add(PATH)
    w.disk.write(PATH, 'first half.')
    w.disk.write('/home/other.txt', 'other')
    await w.pass(300)
    await upload(w)
    await upload(w, '/home/other.txt')
    await w.pass(1200)
    expect(published(w)).toEqual(['other'])
    w.disk.append(PATH, 'second half.')
    await w.until(() => w.allSettled())
    expect(published(w)).toEqual(['other', 'first half.second half.'])
  })

  it('does not hold up other files, and is not forgotten by a crash', async () => {
    const w = await openWorld()
    w.disk.write(PATH, 'whole')
    w.disk.writers.add(PATH)
    w.disk.write('/home/other.txt', 'other')
    await w.pass(1000)
    await upload(w)
    await upload(w, '/home/other.txt')
    await w.pass(1000)
    expect(published(w)).toEqual(['other'])
    await w.crash()
    w.disk.writers.delete(PATH)
    await upload(w)
    await w.pass(1000)
    expect(published(w)).toEqual(['other', 'whole'])
  })

  it.each([
    ['a moment ago', 0],
    ['with a time in the future', 86_400_000],
  ])('waits for a program that wrote to it %s', async (_name, ahead) => {
    const w = await openWorld()
    w.disk.write(PATH, 'first half.')
    if (ahead > 0) w.disk.setMtime(PATH, w.clock.now() + ahead)
    w.disk.writers.add(PATH)
    await upload(w)
    await w.pass(1000)
    expect(await w.byName('report.txt')).toMatchObject({ state: 'waiting', reason: 'settling' })
    w.disk.append(PATH, 'second half.')
    w.disk.writers.delete(PATH)
    await w.until(() => w.allSettled())
    expect(published(w)).toEqual(['first half.second half.'])
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('waits until it is known whether a program writes to it', async () => {
    const w = await openWorld()
    const { openForWriting } = w.disk
    w.disk.write(PATH, 'whole')
    w.disk.writers.add(PATH)
    await w.pass(1000)
    Object.assign(w.disk, { openForWriting: async () => null })
    await upload(w)
    Object.assign(w.disk, { openForWriting })
    await w.pass(5000)
    expect(await w.byName('report.txt')).toMatchObject({ state: 'waiting', reason: 'settling' })
    w.disk.writers.delete(PATH)
    await w.until(() => w.allSettled())
    expect(published(w)).toEqual(['whole'])
  })

  it('isn’t queried while the program is writing, if that would disturb it', async () => {
    const w = await openWorld()
    const asked: number[] = []
    const openForWriting = w.disk.openForWriting
    const began = w.clock.mono()
    Object.assign(w.disk, {
      disturbsWriters: true,
      openForWriting: (paths: readonly string[]) => {
        if (paths.length > 0) asked.push(w.clock.mono() - began)
        return openForWriting(paths)
      },
    })
    w.disk.write(PATH, 'first half.')
    w.disk.writers.add(PATH)
    await upload(w)
    expect(asked).toEqual([])
    await w.pass(1000)
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(180)
    expect(await w.byName('report.txt')).toMatchObject({ state: 'waiting', reason: 'settling' })
    w.disk.writers.delete(PATH)
    await w.until(() => w.allSettled())
    expect(published(w)).toEqual(['first half.'])
  })

  it('is not observed any more once its transfer has been cancelled', async () => {
    const w = await openWorld()
    w.disk.write(PATH, 'first half.')
    w.disk.writers.add(PATH)
    await w.pass(1000)
    await upload(w)
    await w.pass(1000)
    await w.handlers.cancel({ ids: [(await w.byName('report.txt'))?.id ?? 0] })
    await w.pass(1000)
    const before = w.disk.stats()
    await w.pass(20_000)
    expect(w.disk.stats()).toBe(before)
    // It is observed again if the user names it again.
    await upload(w)
    await w.pass(1000)
    expect(w.disk.stats()).toBeGreaterThan(before)
  })
})

describe('a small file that is written to while it is sent', () => {
  it('is deleted again, and sent as it is then', async () => {
    const w = await changingWhileSent(() => w.disk.append(PATH, 'second half.'))
    w.disk.write(PATH, 'first half.')
    await w.pass(60_000)
    await upload(w)
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    expect(published(w)).toEqual(['first half.second half.'])
    expect(w.service.ledger.files()).toHaveLength(2)
  })

  it.each<OnChange>(['new-link', 'replace', 'ignore'])(
    'is taken back in a watched folder: %s',
    async (onChange) => {
      const path = `${FOLDER}/report.txt`
      const w = await changingWhileSent(() => w.disk.append(path, 'second half.'))
      w.disk.write(path, 'first half.')
      await w.pass(60_000)
      await w.watch({ onChange })
      await w.until(() => w.allSettled())
      await w.pass(60_000)
      expect(published(w)).toEqual(['first half.second half.'])
      expect(w.service.ledger.files()).toHaveLength(2)
    },
  )

  it('keeps its link if only its permissions changed', async () => {
    const w = await changingWhileSent(() => w.disk.chmod(PATH))
    w.disk.write(PATH, 'whole')
    await w.pass(60_000)
    await upload(w)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(1)
    expect(published(w)).toEqual(['whole'])
  })
})

it('a file that changes while the link of its content is requested gets its own link', async () => {
  let onFile = (): void => undefined
  const w = await openWorld(
    {},
    {
      onAnswer: async (request) => {
        if (request === 'file') onFile()
      },
    },
  )
  w.disk.write('/home/a.txt', 'first half.')
  await upload(w, '/home/a.txt')
  await w.until(() => w.allSettled())
  // The link is asked for only if an earlier run uploaded it.
  await w.pass(60_000)
  await w.crash()
  w.disk.write(PATH, 'first half.')
  await w.pass(60_000)
  let isChanged = false
  onFile = () => {
    if (!isChanged) w.disk.append(PATH, 'second half.')
    isChanged = true
  }
  await upload(w)
  await w.until(() => w.allSettled())
  expect(isChanged).toBe(true)
  expect(published(w)).toEqual(['first half.', 'first half.second half.'])
})

it('an upload that is deleted again counts against the daily limit, even after a restart', async () => {
  const w = await openWorld({ dialect: { statsFields: 'two' } }, { uploadAnswerMs: 5000 })
  const used = async (): Promise<number> => {
    const got = await w.handlers.snapshot({})
    return got.ok ? got.value.dailyUploads.used : -1
  }
  w.disk.write(PATH, 'first half.')
  await w.pass(60_000)
  await upload(w)
  await w.until(() => w.service.ledger.files().length === 1)
  w.disk.append(PATH, 'second half.')
  await w.until(() => w.allSettled())
  await w.pass(60_000)
  expect([published(w), w.service.ledger.files().length]).toEqual([['first half.second half.'], 2])
  expect(await used()).toBe(2)
  await w.crash()
  await w.pass(60_000)
  expect(await used()).toBe(2)
})
