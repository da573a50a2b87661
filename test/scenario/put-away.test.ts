// Files of a watched folder that move to the bin or to another folder after their upload, and back: when they do,
// what keeps them, and what is left after a kill at each step.
import { describe, expect, it } from 'vitest'
import type { AfterUpload, Transfer } from '../../src-shared/model.ts'
import { BIN, type OnMove } from '../world/mover.ts'
import { FOLDER, type Hooks, OWN, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000
const TARGET = '/home/done'
const OTHER = '/media/disk/done'
const FAT = '/media/fat/done'

interface Opened {
  readonly w: World
  /** Called at each step of a move; what it returns holds the move up. */
  onMove: OnMove
}

async function open(after: AfterUpload, hooks: Hooks = {}): Promise<Opened> {
  const opened: { w: World; onMove: Opened['onMove'] } = {
    w: undefined as unknown as World,
    onMove: () => undefined,
  }
  opened.w = await openWorld({}, { onMove: (step) => opened.onMove(step), ...hooks })
  for (const dir of [TARGET, OTHER, FAT, BIN]) opened.w.disk.mkdir(dir)
  await watch(opened.w, after)
  await opened.w.handlers.work({})
  return opened
}

async function watch(w: World, after: AfterUpload | undefined, path = FOLDER) {
  const rules = { existing: 'upload', onChange: 'new-link', ignore: [] as string[], keep: true } as const
  return w.handlers.watch({ path, ...rules, changeRules: true, ...(after === undefined ? {} : { after }) })
}

/** The files in these directories, by path. */
async function filesIn(w: World, ...dirs: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const { dir, names } of await w.disk.list(dirs))
    for (const name of names.split('/').filter((one) => one !== '')) {
      const file = w.disk.peek(`${dir}/${name}`)
      if (typeof file !== 'string' && file.entry.kind === 'file')
        found[`${dir}/${name}`] = Buffer.from(file.data).toString()
    }
  return found
}

const PLACES = [FOLDER, TARGET, OTHER, FAT, BIN]
const everywhere = (w: World): ReturnType<typeof filesIn> => filesIn(w, ...PLACES)
const sent = (w: World): number => w.service.ledger.files().length
/** Where files can't be moved now, as the window shows it. */
async function notMoved(w: World): Promise<readonly string[]> {
  const got = await w.engine().handlers.snapshot({})
  return got.ok ? (got.value.notMoved ?? []) : []
}
const hasMoved = async (w: World, name: string): Promise<boolean> =>
  (await w.byName(name))?.putAway !== undefined

async function save(w: World, name: string, content = name): Promise<Transfer> {
  w.disk.write(`${FOLDER}/${name}`, content)
  await w.until(() => hasMoved(w, name))
  return (await w.byName(name)) as Transfer
}

describe('after its upload, a file', () => {
  it.each<[string, AfterUpload, string]>([
    ['moves to the folder', { folder: TARGET }, TARGET],
    ['moves to a folder on another drive', { folder: OTHER }, OTHER],
    ['moves to a drive that knows no second names', { folder: FAT }, FAT],
    ['moves to the bin', 'bin', BIN],
  ])('%s, and its link still leads to it', async (_what, after, place) => {
    const { w } = await open(after)
    const row = await save(w, 'a.txt')
    const { [`${place}/a.txt.trashinfo`]: note, ...files } = await everywhere(w)
    expect(files).toEqual({ [`${place}/a.txt`]: 'a.txt' })
    expect(note).toBe(after === 'bin' ? `${FOLDER}/a.txt` : undefined)
    expect(row).toMatchObject({
      state: 'done',
      path: `${FOLDER}/a.txt`,
      putAway: { where: after === 'bin' ? 'bin' : 'folder', path: `${place}/a.txt` },
    })
    await w.pass(60 * MINUTE)
    expect(await w.byName('a.txt')).toMatchObject({ publicLink: row.publicLink, putAway: row.putAway })
    expect([sent(w), row.publicLink === null]).toEqual([1, false])
    const list = await w.list({ fresh: 'cache' })
    expect(list.ok && list.value.rows).toMatchObject([{ original: 'there', putAway: row.putAway }])
  })

  it('stays if its folder says nothing, also when the folder is watched again by a client that doesn’t', async () => {
    const { w } = await open('keep')
    await w.upload('a.txt', 'a')
    await w.pass(MINUTE)
    expect(await everywhere(w)).toEqual({ [`${FOLDER}/a.txt`]: 'a' })
    const changed = await watch(w, { folder: TARGET })
    expect(changed.ok && changed.value.after).toEqual({ folder: TARGET })
    const again = await watch(w, undefined)
    expect(again.ok && again.value.after).toEqual({ folder: TARGET })
    // What was uploaded before stays.
    await w.pass(MINUTE)
    expect(await everywhere(w)).toEqual({ [`${FOLDER}/a.txt`]: 'a' })
    await save(w, 'b.txt')
    expect(await filesIn(w, TARGET)).toEqual({ [`${TARGET}/b.txt`]: 'b.txt' })
  })

  it('stays where a watch that had ended begins again, unless its client says otherwise', async () => {
    const { w } = await open('bin')
    await w.handlers.unwatch({ folderId: 1 })
    const again = await watch(w, undefined)
    expect(again.ok && again.value.after).toBe(undefined)
    await w.upload('a.txt', 'a')
    await w.pass(MINUTE)
    expect(await everywhere(w)).toEqual({ [`${FOLDER}/a.txt`]: 'a' })
  })

  it('gets a free name, also beside a link, and replaces nothing; a version saved later moves as well', async () => {
    const { w } = await open({ folder: TARGET })
    w.disk.write(`${TARGET}/a.txt`, 'theirs')
    w.disk.symlink('/nowhere', `${TARGET}/a 2.txt`)
    await save(w, 'a.txt', 'first')
    w.disk.write(`${FOLDER}/a.txt`, 'second')
    await w.until(async () => (await w.transfers()).filter((row) => row.putAway !== undefined).length === 2)
    expect(await everywhere(w)).toEqual({
      [`${TARGET}/a.txt`]: 'theirs',
      [`${TARGET}/a 3.txt`]: 'first',
      [`${TARGET}/a 4.txt`]: 'second',
    })
    expect(sent(w)).toBe(2)
  })

  it('gets a free name if another folder’s file of the same name arrives at the same time', async () => {
    const { w } = await open({ folder: TARGET })
    w.disk.mkdir('/home/second')
    await watch(w, { folder: TARGET }, '/home/second')
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    w.disk.write('/home/second/a.txt', 'two')
    await w.until(async () => (await w.transfers()).filter((row) => row.putAway !== undefined).length === 2)
    expect(Object.values(await filesIn(w, TARGET)).toSorted()).toEqual(['one', 'two'])
  })

  it('waits for a program that has it open again', async () => {
    let w: World | null = null
    const onRequest = () => void w?.disk.writers.add(`${FOLDER}/a.txt`)
    w = (await open({ folder: TARGET }, { onRequest })).w
    await w.upload('a.txt', 'a')
    await w.pass(MINUTE)
    expect(await everywhere(w)).toEqual({ [`${FOLDER}/a.txt`]: 'a' })
    w.disk.writers.clear()
    await w.pass(MINUTE)
    expect(await everywhere(w)).toEqual({ [`${TARGET}/a.txt`]: 'a' })
  })
})

describe('a file that changes while it is moved', () => {
  it.each([
    ['to the folder', TARGET, ['link', 'rename']],
    ['to another drive', OTHER, ['copy', 'rename']],
  ])('%s, is uploaded again, and only the version that was there last is', async (_to, target, steps) => {
    const opened = await open({ folder: target })
    const { w } = opened
    for (const what of steps)
      for (const how of ['written', 'replaced']) {
        const [name, content] = [`${what} ${how}.txt`, `second ${what} ${how}`]
        let hasChanged = false
        opened.onMove = (step) => {
          if (hasChanged || step.at !== 'before' || step.what !== what) return undefined
          hasChanged = true
          if (how === 'replaced') w.disk.remove(`${FOLDER}/${name}`)
          w.disk.write(`${FOLDER}/${name}`, content)
          return undefined
        }
        w.disk.write(`${FOLDER}/${name}`, `first ${what} ${how}`)
        await w.until(() => hasMoved(w, name))
        await w.pass(10 * MINUTE)
        const left = Object.entries(await everywhere(w)).filter(([path]) => path.includes(`${what} ${how}`))
        expect(left).toEqual([[`${target}/${name}`, content]])
      }
    expect(sent(w)).toBe(2 * 2 * steps.length)
  })
})

describe('a file stays, which is said once, and moves when the cause is gone', () => {
  const notices = (w: World) =>
    w.events.filter((event) => event.kind === 'notice' && event.about?.what === 'not-moved')

  it.each<[string, (w: World) => void, (w: World) => void]>([
    ['the folder is missing', (w) => w.disk.remove(TARGET), (w) => w.disk.mkdir(TARGET)],
    ['it can’t be written', (w) => w.disk.deny(TARGET, true), (w) => w.disk.deny(TARGET, false)],
    [
      'it became a link into the watched folder',
      (w) => {
        w.disk.remove(TARGET)
        w.disk.symlink(FOLDER, TARGET)
      },
      (w) => {
        w.disk.remove(TARGET)
        w.disk.mkdir(TARGET)
      },
    ],
  ])('because %s', async (_why, breaks, mends) => {
    const { w } = await open({ folder: TARGET })
    breaks(w)
    w.disk.write(`${FOLDER}/a.txt`, 'a')
    await w.until(() => notices(w).length > 0)
    w.disk.write(`${FOLDER}/b.txt`, 'b')
    await w.pass(10 * MINUTE)
    expect(notices(w)).toHaveLength(1)
    expect(await filesIn(w, FOLDER)).toEqual({ [`${FOLDER}/a.txt`]: 'a', [`${FOLDER}/b.txt`]: 'b' })
    expect(await notMoved(w)).toEqual([TARGET])
    mends(w)
    await w.pass(5000)
    expect(await notMoved(w)).toEqual([])
    await w.until(async () => (await hasMoved(w, 'a.txt')) && (await hasMoved(w, 'b.txt')))
    expect(await everywhere(w)).toEqual({ [`${TARGET}/a.txt`]: 'a', [`${TARGET}/b.txt`]: 'b' })
  })
})

it.each<[string, (w: World) => Promise<unknown>]>([
  ['files stay from now on', (w) => watch(w, 'keep')],
  ['they move elsewhere', (w) => watch(w, { folder: OTHER })],
  ['the folder isn’t watched any more', (w) => w.engine().handlers.unwatch({ folderId: 1 })],
  ['the file is gone', async (w) => w.disk.remove(`${FOLDER}/a.txt`)],
])('that files can’t be moved is said only until %s', async (_what, changes) => {
  const { w } = await open({ folder: TARGET })
  w.disk.remove(TARGET)
  await w.upload('a.txt', 'a')
  await w.until(async () => (await notMoved(w)).length > 0)
  await changes(w)
  await w.pass(10_000)
  expect(await notMoved(w)).toEqual([])
})

it('a folder for uploaded files can be checked before the user is asked about it, which changes nothing', async () => {
  const { w } = await open('keep')
  const check = (folder: string) => w.engine().handlers.checkWatch({ path: FOLDER, after: { folder } })
  expect(await check('/home/nowhere')).toMatchObject({ failure: { refusal: 'target-missing' } })
  expect(await check(FOLDER)).toMatchObject({ failure: { refusal: 'target-refused' } })
  expect(await check(TARGET)).toEqual({ ok: true, value: {} })
  const got = await w.engine().handlers.snapshot({})
  expect(got.ok && got.value.folders.map(({ after }) => after)).toEqual([undefined])
})

it('a copy that fails is tried again, but not often, because it may be large', async () => {
  const opened = await open({ folder: OTHER })
  const { w } = opened
  let copies = 0
  opened.onMove = ({ at, what }) => {
    if (at !== 'before' || what !== 'copy') return undefined
    copies++
    return 'full'
  }
  await w.upload('a.txt', 'a')
  await w.pass(60 * MINUTE)
  expect([copies > 1, copies < 10]).toEqual([true, true])
  opened.onMove = () => undefined
  await w.until(() => hasMoved(w, 'a.txt'))
})

it('a file whose upload was deleted on the service meanwhile stays', async () => {
  const { w } = await open({ folder: TARGET })
  w.disk.remove(TARGET)
  await w.upload('a.txt', 'a')
  await w.upload('b.txt', 'b')
  await w.pass(30 * MINUTE)
  w.service.deleteBehindTheBack(Number((await w.byName('a.txt'))?.fileId))
  w.disk.mkdir(TARGET)
  await w.until(() => hasMoved(w, 'b.txt'))
  await w.pass(30 * MINUTE)
  expect(await everywhere(w)).toEqual({ [`${FOLDER}/a.txt`]: 'a', [`${TARGET}/b.txt`]: 'b' })
})

describe('a folder for uploaded files', () => {
  it('is no file, and is neither in a watched folder nor Slipway’s own, by whatever path', async () => {
    const { w } = await open('keep')
    for (const dir of [`${FOLDER}/done`, OWN, '/home/second']) w.disk.mkdir(dir)
    w.disk.symlink(`${FOLDER}/done`, '/home/link')
    w.disk.write('/home/file', 'x')
    await watch(w, 'keep', '/home/second')
    for (const [folder, refusal] of [
      [FOLDER, 'target-refused'],
      [`${FOLDER}/done`, 'target-refused'],
      ['/home/link', 'target-refused'],
      [OWN, 'target-refused'],
      ['/home/second', 'target-refused'],
      ['/home/file', 'target-missing'],
      ['/home/missing', 'target-missing'],
    ] as const)
      expect([folder, await watch(w, { folder })]).toMatchObject([
        folder,
        { ok: false, failure: { refusal } },
      ])
  })

  it('can’t be watched itself, nor what contains it', async () => {
    const { w } = await open({ folder: TARGET })
    for (const path of [TARGET, '/home'])
      expect(await watch(w, 'keep', path)).toMatchObject({ failure: { refusal: 'is-target' } })
  })
})

describe('brought back', () => {
  it.each<[string, AfterUpload]>([
    ['from the folder', { folder: TARGET }],
    ['from another drive', { folder: OTHER }],
    ['from the bin', 'bin'],
  ])('%s, a file keeps its link and stays, until it changes', async (_from, after) => {
    const { w } = await open(after)
    const { id, publicLink } = await save(w, 'a.txt')
    const got = await w.handlers.bringBack({ ids: [id] })
    expect(got).toEqual({ ok: true, value: { count: 1 } })
    expect(await everywhere(w)).toEqual({ [`${FOLDER}/a.txt`]: 'a.txt' })
    await w.pass(60 * MINUTE)
    await w.crash()
    await w.pass(60 * MINUTE)
    expect(await everywhere(w)).toEqual({ [`${FOLDER}/a.txt`]: 'a.txt' })
    expect(await w.byName('a.txt')).toMatchObject({ state: 'done', publicLink })
    expect([sent(w), await hasMoved(w, 'a.txt')]).toEqual([1, false])
    await save(w, 'a.txt', 'changed')
    expect(sent(w)).toBe(2)
    expect(await w.handlers.bringBack({ ids: [id] })).toEqual({ ok: true, value: { count: 0 } })
  })

  it('a file gets a free name if its own is taken, and isn’t there if it was deleted', async () => {
    const opened = await open({ folder: TARGET })
    const { w } = opened
    const { id } = await save(w, 'a.txt', 'first')
    const gone = await save(w, 'b.txt')
    w.disk.mkdir(`${FOLDER}/a.txt`)
    w.disk.remove(`${TARGET}/b.txt`)
    expect(await w.handlers.bringBack({ ids: [id, gone.id] })).toEqual({
      ok: true,
      value: { count: 1 },
    })
    await w.pass(60 * MINUTE)
    expect(await everywhere(w)).toEqual({ [`${FOLDER}/a 2.txt`]: 'first' })
  })
})

describe('killed at any step', () => {
  const ROUTES: readonly [string, AfterUpload, string][] = [
    ['to the folder', { folder: TARGET }, TARGET],
    ['to another drive', { folder: OTHER }, OTHER],
    ['to a drive that knows no second names', { folder: FAT }, FAT],
    ['to the bin', 'bin', BIN],
  ]

  /** Kills the engine at the step with this number; resolves to false if there are fewer. */
  async function killAt(opened: Opened, step: number, until: () => Promise<boolean>): Promise<boolean> {
    let count = 0
    let isHeld = false
    opened.onMove = () => {
      if (isHeld) return new Promise(() => undefined)
      if (count++ !== step) return undefined
      isHeld = true
      return new Promise(() => undefined)
    }
    await opened.w.until(async () => isHeld || (await until()))
    opened.onMove = () => undefined
    if (isHeld) await opened.w.crash()
    return isHeld
  }
  const contents = async (w: World, content: string): Promise<number> =>
    Object.values(await everywhere(w)).filter((one) => one === content).length

  it.each(ROUTES)('on the way %s, a file is never lost, and arrives once', async (_to, after, place) => {
    const opened = await open(after)
    const { w } = opened
    for (let step = 0; ; step++) {
      const [name, content] = [`${step}.txt`, `content ${step}`]
      w.disk.write(`${FOLDER}/${name}`, content)
      const isKilled = await killAt(opened, step, () => hasMoved(w, name))
      expect([step, await contents(w, content)]).not.toEqual([step, 0])
      await w.until(() => hasMoved(w, name))
      expect([step, await contents(w, content)]).toEqual([step, 1])
      expect((await filesIn(w, place))[`${place}/${name}`]).toBe(content)
      if (!isKilled) {
        expect(step).toBeGreaterThan(5)
        break
      }
    }
    expect(await filesIn(w, FOLDER)).toEqual({})
    expect(Object.keys(await everywhere(w)).filter((path) => path.includes('.slipway'))).toEqual([])
  })

  it('while the system moves it to its bin, a file arrives there once, and only the system can bring it back', async () => {
    const opened = await open('bin', { isSystemBin: true })
    const { w } = opened
    for (let step = 0; step < 3; step++) {
      const [name, content] = [`${step}.txt`, `content ${step}`]
      w.disk.write(`${FOLDER}/${name}`, content)
      expect(await killAt(opened, step, () => hasMoved(w, name))).toBe(step < 2)
      expect(await contents(w, content)).toBe(1)
      await w.until(() => hasMoved(w, name))
      expect((await filesIn(w, BIN))[`${BIN}/${name}`]).toBe(content)
      const row = await w.byName(name)
      expect(row?.putAway).toMatchObject({ where: 'bin', path: null })
      expect(await w.handlers.bringBack({ ids: [row?.id ?? 0] })).toMatchObject({
        value: { count: 0 },
      })
    }
    expect(await filesIn(w, FOLDER)).toEqual({})
  })

  it.each(ROUTES.filter(([, , place]) => place !== FAT))(
    'on the way back, which began %s, a file is never lost either',
    async (_to, after) => {
      const opened = await open(after)
      const { w } = opened
      for (let step = 0; ; step++) {
        const [name, content] = [`${step}.txt`, `content ${step}`]
        const { id } = await save(w, name, content)
        let count = -1
        void w.handlers.bringBack({ ids: [id] }).then((got) => {
          if (got.ok) count = got.value.count
        })
        const isKilled = await killAt(opened, step, async () => count >= 0)
        expect([step, await contents(w, content)]).not.toEqual([step, 0])
        await w.pass(5 * MINUTE)
        expect([step, await contents(w, content)]).toEqual([step, 1])
        // It is back, or where it was, as the window says.
        const isBack = !(await hasMoved(w, name))
        expect([step, (await filesIn(w, FOLDER))[`${FOLDER}/${name}`] === content]).toEqual([step, isBack])
        if (!isKilled) {
          expect([count, step > 5]).toEqual([1, true])
          break
        }
      }
      expect(Object.keys(await everywhere(w)).filter((path) => path.includes('.slipway'))).toEqual([])
      expect(sent(w)).toBe(w.service.ledger.files().length)
    },
  )
})
