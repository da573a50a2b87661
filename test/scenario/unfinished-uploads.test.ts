// Small files that the user names while they are being written: what stays published is the finished file, and no link is handed out for
// bytes that the file no longer has.
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { OnChange } from '../../src-shared/model.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

const PATH = '/home/report.txt'

let uploads = 0
async function upload(w: World, path = PATH): Promise<void> {
  expect(await w.engine().handlers.upload({ paths: [path], again: false, token: `${++uploads}` })).toMatchObject({ ok: true })
}

/** What is published, as text. */
function published(w: World): readonly string[] {
  return w.service.ledger.live().map((file) => readFileSync(w.service.blobPath(file.fileId) ?? '', 'utf8'))
}

/** A world in which `change` runs once, when an upload has been stored and its answer is on its way. */
async function changingWhileSent(change: (w: World) => void): Promise<World> {
  let isLeft = true
  const w: World = await createWorld({
    onMoment: (moment, endpoint) => {
      if (endpoint !== 'upload' || moment !== 'answered' || !isLeft) return
      isLeft = false
      change(w)
    },
  })
  world = w
  return w
}

describe('a named file that is being written', () => {
  it('is sent once the program has closed it', async () => {
    const w = await createWorld()
    world = w
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

  it('does not hold up other files, and is not forgotten by a crash', async () => {
    const w = await createWorld()
    world = w
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
})

describe('a small file that is written to while it is sent', () => {
  it('is taken back, and sent as it is then', async () => {
    const w = await changingWhileSent(() => w.disk.append(PATH, 'second half.'))
    w.disk.write(PATH, 'first half.')
    await w.pass(60_000)
    await upload(w)
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    expect(published(w)).toEqual(['first half.second half.'])
    expect(w.service.ledger.files()).toHaveLength(2)
  })

  it.each<OnChange>(['new-link', 'replace', 'ignore'])('is taken back in a watched folder: %s', async (onChange) => {
    const path = `${FOLDER}/report.txt`
    const w = await changingWhileSent(() => w.disk.append(path, 'second half.'))
    w.disk.write(path, 'first half.')
    await w.pass(60_000)
    await w.watch({ onChange })
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    expect(published(w)).toEqual(['first half.second half.'])
    expect(w.service.ledger.files()).toHaveLength(2)
  })

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

it('a file that changes while the link of its content is asked for gets a link of its own', async () => {
  let onFile = (): void => undefined
  const w = await createWorld(
    {},
    {
      onAnswer: async (request) => {
        if (request === 'file') onFile()
      },
    },
  )
  world = w
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
