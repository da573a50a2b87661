// The scanner on its own: what ends a scan early, and that only a complete scan treats missing files as
// deleted. Scenario tests cover how a folder's session continues from there.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { absolute } from '../../../../src-main/engine/disk/rel-path.ts'
import type { Listing } from '../../../../src-main/engine/ports.ts'
import { slashes } from '../../../world/slashes.ts'
import { createScannerWorld, ROOT, type ScannerWorld } from './scanner-world.ts'

let w: ScannerWorld
beforeEach(() => {
  w = createScannerWorld()
})
afterEach(() => w.end())

const live = (): AbortSignal => new AbortController().signal
const FILES = ['a.txt', 'b.txt', 'sub/c.txt', 'sub/deep/d.txt']
const TRACKED = FILES.map((name) => `${name} tracked`)

async function fill(): Promise<void> {
  w.disk.mkdir(`${ROOT}/sub/deep`)
  for (const name of FILES) w.disk.write(`${ROOT}/${name}`, name)
  expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete', files: 4 })
  expect(w.rows()).toEqual(TRACKED)
}

const failed = (list: Listing, code: 'io' | 'interrupted' | 'denied' | 'gone'): Listing => ({
  dir: list.dir,
  failure: { code, message: code },
  names: '',
  kinds: '',
  stats: new Float64Array(0),
})

it('frees what was listed as soon as it is compared', async () => {
  const listed: Listing[] = []
  w.interfere({
    list: (list) => {
      listed.push(list)
      return list
    },
  })
  await fill()
  expect(listed.map((list) => [slashes(list.dir), list.stats.byteLength])).toEqual(
    [ROOT, `${ROOT}/sub`, `${ROOT}/sub/deep`].map((dir) => [dir, 0]),
  )
})

describe('a look that is aborted', () => {
  it('before it began takes nothing for deleted, whichever look it is', async () => {
    await fill()
    const stop = new AbortController()
    stop.abort()
    for (const look of [
      w.scanner.tree('', stop.signal),
      w.scanner.tree('sub', stop.signal),
      w.scanner.dirs(['', 'sub'], stop.signal),
      w.scanner.paths(['a.txt', 'sub/c.txt'], stop.signal),
    ])
      expect(await look).toEqual({ kind: 'incomplete', reason: 'aborted', failure: null })
    expect(w.vanished).toEqual([])
    expect(w.rows()).toEqual(TRACKED)
  })

  it('at any of its questions keeps what it has not seen, and what it has', async () => {
    await fill()
    w.disk.remove(`${ROOT}/a.txt`)
    for (let nth = 1; nth <= 3; nth++) {
      const stop = new AbortController()
      let asked = 0
      w.interfere({
        before: () => {
          if (++asked === nth) stop.abort()
        },
      })
      expect(await w.scanner.tree('', stop.signal)).toMatchObject({ kind: 'incomplete', reason: 'aborted' })
    }
    expect(w.rows()).toEqual(TRACKED)
    w.interfere({})
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.vanished).toEqual(['a.txt'])
  })

  it('while it asks for what is missing takes nothing more for deleted', async () => {
    await fill()
    w.disk.remove(`${ROOT}/sub`)
    const stop = new AbortController()
    w.interfere({
      stat: async (paths) => {
        stop.abort()
        return w.disk.stat(paths)
      },
    })
    // The answer to the one completed request is valid.
    expect(await w.scanner.dirs([''], stop.signal)).toMatchObject({ kind: 'incomplete', reason: 'aborted' })
    expect(w.vanished).toEqual([])
  })
})

describe('a disk that fails midway', () => {
  it('whose root is unplugged between listing and comparing', async () => {
    await fill()
    let asked = 0
    w.interfere({
      before: () => {
        if (++asked === 2) w.disk.rename(ROOT, '/unplugged')
      },
    })
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'incomplete', reason: 'root' })
    expect(w.vanished).toEqual([])
    expect(w.rows()).toEqual(TRACKED)
  })

  it('whose root is unplugged while single paths are asked for, an empty mount point in its place', async () => {
    await fill()
    w.interfere({
      stat: async (paths) => {
        if (!(await isUnplugged())) {
          w.disk.rename(ROOT, '/unplugged')
          w.disk.mkdir(ROOT)
        }
        return w.disk.stat(paths)
      },
    })
    expect(await w.scanner.paths(['a.txt', 'sub'], live())).toMatchObject({
      kind: 'incomplete',
      reason: 'root',
    })
    expect(w.vanished).toEqual([])
    expect(w.rows()).toEqual(TRACKED)
  })

  it('with an error for a directory: its rows stay, and it is named', async () => {
    await fill()
    for (const code of ['io', 'denied'] as const) {
      w.interfere({ list: (list) => (slashes(list.dir) === `${ROOT}/sub` ? failed(list, code) : list) })
      expect(await w.scanner.tree('', live())).toMatchObject({
        kind: 'complete',
        unreadable: [{ dir: 'sub', message: code }],
      })
      expect(w.vanished).toEqual([])
      expect(w.rows()).toEqual([...TRACKED, 'sub/ unreadable'].toSorted())
    }
    w.interfere({})
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete', unreadable: [] })
    expect(w.rows()).toEqual(TRACKED)
  })

  it('whose thread ends: no answer says nothing about any directory', async () => {
    await fill()
    for (const dir of [ROOT, `${ROOT}/sub`]) {
      w.interfere({ list: (list) => (slashes(list.dir) === dir ? failed(list, 'interrupted') : list) })
      expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'incomplete', reason: 'failed' })
    }
    w.interfere({ stat: async (paths) => paths.map(() => ({ code: 'interrupted', message: 'ended' })) })
    expect(await w.scanner.paths(['a.txt'], live())).toMatchObject({ kind: 'incomplete', reason: 'failed' })
    w.interfere({ stat: async () => [] })
    expect(await w.scanner.paths(['a.txt'], live())).toMatchObject({ kind: 'incomplete', reason: 'failed' })
    expect(w.vanished).toEqual([])
    expect(w.rows()).toEqual(TRACKED)
  })

  it('whose listing lacks names: the files answer by themselves', async () => {
    await fill()
    w.interfere({
      list: (list) =>
        list.dir === ROOT
          ? {
              ...list,
              names: list.names.slice(0, list.names.indexOf('/') + 1),
              kinds: list.kinds.slice(0, 1),
              stats: list.stats.slice(0, 5),
            }
          : list,
    })
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.vanished).toEqual([])
    expect(w.rows()).toEqual(TRACKED)
  })

  it('that can not tell whether a file of a new name was moved: it is not taken for new', async () => {
    await fill()
    w.found.length = 0
    w.disk.rename(`${ROOT}/a.txt`, `${ROOT}/moved.txt`)
    w.interfere({ stat: async (paths) => paths.map(() => ({ code: 'interrupted', message: 'ended' })) })
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'incomplete', reason: 'failed' })
    expect(w.found).toEqual([])
    w.interfere({})
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.found).toEqual([])
    expect(w.rows()).toEqual(TRACKED.map((row) => row.replace('a.txt', 'moved.txt')).toSorted())
  })
})

describe('a complete look', () => {
  it('finds what was deleted, file or folder, by each kind of look', async () => {
    await fill()
    w.disk.remove(`${ROOT}/a.txt`)
    expect(await w.scanner.paths(['a.txt'], live())).toMatchObject({ kind: 'complete' })
    w.disk.remove(`${ROOT}/sub/deep`)
    expect(await w.scanner.dirs(['sub'], live())).toMatchObject({ kind: 'complete' })
    w.disk.remove(`${ROOT}/sub`)
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.vanished).toEqual(['a.txt', 'sub/deep/d.txt', 'sub/c.txt'])
    expect(w.rows()).toEqual(['b.txt tracked'])
  })

  it.each<readonly [string, () => Promise<unknown>, readonly string[]]>([
    ['the whole tree', () => w.scanner.tree('', live()), ['sub/c.txt', 'sub/deep/d.txt']],
    ['the directory above', () => w.scanner.dirs([''], live()), ['sub/c.txt', 'sub/deep/d.txt']],
    ['its path', () => w.scanner.paths(['sub'], live()), ['sub/c.txt', 'sub/deep/d.txt']],
    ['the directory as a tree', () => w.scanner.tree('sub', live()), ['sub/c.txt', 'sub/deep/d.txt']],
    ['the directory', () => w.scanner.dirs(['sub'], live()), ['sub/c.txt', 'sub/deep/d.txt']],
    ['a directory below it as a tree', () => w.scanner.tree('sub/deep', live()), ['sub/deep/d.txt']],
    ['a directory below it', () => w.scanner.dirs(['sub/deep'], live()), ['sub/deep/d.txt']],
    [
      'paths below it',
      () => w.scanner.paths(['sub/c.txt', 'sub/new.txt', 'sub/deep'], live()),
      ['sub/c.txt', 'sub/deep/d.txt'],
    ],
  ])('does not follow a link in place of a directory: %s', async (_what, look, gone) => {
    await fill()
    w.disk.rename(`${ROOT}/sub`, '/elsewhere')
    w.disk.write('/elsewhere/new.txt', 'new')
    w.disk.symlink('/elsewhere', `${ROOT}/sub`)
    w.found.length = 0
    expect(await look()).toMatchObject({ kind: 'complete' })
    expect([w.found, w.vanished.toSorted()]).toEqual([[], gone])
    await w.scanner.tree('', live())
    expect([w.found, w.rows()]).toEqual([[], ['a.txt tracked', 'b.txt tracked', 'sub ignored']])
  })

  it('in which a file moves away and comes back during one look: it has one row, under its name', async () => {
    w.disk.mkdir(`${ROOT}/sub`)
    w.disk.write(`${ROOT}/a.txt`, 'a')
    await w.scanner.tree('', live())
    w.disk.rename(`${ROOT}/a.txt`, `${ROOT}/sub/a.txt`)
    let looks = 0
    w.interfere({
      stat: async (paths) => {
        // The first stat is for the old location, the second for what is missing.
        if (paths.map(slashes).includes(`${ROOT}/a.txt`) && ++looks === 2)
          w.disk.rename(`${ROOT}/sub/a.txt`, `${ROOT}/a.txt`)
        return w.disk.stat(paths)
      },
    })
    await w.scanner.tree('', live())
    expect(looks).toBeGreaterThan(1)
    expect(w.rows()).toEqual(['a.txt tracked'])
  })

  it('counts a file once, whatever comes to stand in its place', async () => {
    await fill()
    w.disk.remove(`${ROOT}/a.txt`)
    w.disk.mkdir(`${ROOT}/a.txt`)
    w.disk.write(`${ROOT}/a.txt/inside`, 'x')
    w.disk.remove(`${ROOT}/b.txt`)
    w.disk.symlink('/etc/hosts', `${ROOT}/b.txt`)
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.rows()).toEqual([
      'a.txt/inside tracked',
      'b.txt ignored',
      'sub/c.txt tracked',
      'sub/deep/d.txt tracked',
    ])
  })

  it('counts the files of a folder that is left out from now on as ignored, and only so', async () => {
    await fill()
    w.setRules({
      file: () => null,
      dir: (rel) => (rel === 'sub' || rel.startsWith('sub/') ? { rule: 'sub/' } : null),
    })
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.rows()).toEqual(['a.txt tracked', 'b.txt tracked', 'sub/ ignored'])
    expect(w.files.sums(w.folderId)).toMatchObject({ seen: 4, ignored: 2 })
  })
})

async function isUnplugged(): Promise<boolean> {
  return !('code' in (await w.disk.resolve('/unplugged')))
}

describe('what can not be looked at', () => {
  it('is counted and named, keeps what is known of it, and is whole again once it can be', async () => {
    await fill()
    w.found.length = 0
    w.disk.seal(`${ROOT}/sub`, true)
    w.disk.setMtime(`${ROOT}/b.txt`, 5)
    const look = await w.scanner.tree('', live())
    expect(look).toMatchObject({ kind: 'complete', unreadable: [{ dir: 'sub/deep' }, { dir: 'sub/c.txt' }] })
    expect(w.rows()).toEqual([
      'a.txt tracked',
      'b.txt tracked',
      'sub/c.txt unreadable',
      'sub/deep unreadable',
      'sub/deep/d.txt tracked',
    ])
    expect(w.files.sums(w.folderId)).toMatchObject({ seen: 5, failed: 5 })
    expect(w.vanished).toEqual([])
    w.disk.seal(`${ROOT}/sub`, false)
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete', unreadable: [] })
    expect(w.rows()).toEqual(TRACKED)
    // Without a transfer nothing is known about the file, so it counts as new.
    expect(w.found).toEqual(['b.txt', 'sub/c.txt'])
  })

  it('is not sent again if it was sent before', async () => {
    await fill()
    const row = w.files.file(w.folderId, 'sub', 'c.txt')
    if (row === null) throw new Error('no row')
    w.files.put({ ...row, transferId: 7 })
    w.found.length = 0
    for (const look of [() => w.scanner.tree('', live()), () => w.scanner.paths(['sub/c.txt'], live())]) {
      w.disk.seal(`${ROOT}/sub`, true)
      await look()
      expect(w.files.file(w.folderId, 'sub', 'c.txt')).toMatchObject({ class: 'unreadable', transferId: 7 })
      w.disk.seal(`${ROOT}/sub`, false)
      await look()
      expect(w.files.file(w.folderId, 'sub', 'c.txt')).toMatchObject({
        class: 'tracked',
        transferId: 7,
        rule: null,
      })
    }
    expect(w.found).toEqual([])
  })

  it.each([
    ['the file', 'seal', 'sub', 'c.txt'],
    ['its directory', 'deny', 'sub', 'c.txt'],
    ['a directory above its directory', 'deny', 'sub/deep', 'd.txt'],
    ['the entry of its directory', 'seal', 'sub/deep', 'd.txt'],
  ] as const)(
    'is compared by its bytes once it can be, even if its times are the same: %s',
    async (_what, how, dir, name) => {
      await fill()
      const row = w.files.file(w.folderId, dir, name)
      if (row === null) throw new Error('no row')
      w.files.put({ ...row, transferId: 7 })
      for (const look of [
        () => w.scanner.tree('', live()),
        () => w.scanner.dirs([dir], live()),
        () => w.scanner.paths([`${dir}/${name}`], live()),
      ]) {
        w.touched.length = 0
        w.disk[how](`${ROOT}/sub`, true)
        await w.scanner.tree('', live())
        w.disk[how](`${ROOT}/sub`, false)
        await look()
        expect(w.touched).toEqual([`${dir}/${name}`])
      }
    },
  )

  it('is compared by its bytes even if the first listing after that lacks its name', async () => {
    await fill()
    const row = w.files.file(w.folderId, 'sub', 'c.txt')
    if (row === null) throw new Error('no row')
    w.files.put({ ...row, class: 'unreadable', rule: 'unreadable', transferId: 7 })
    w.interfere({
      list: (list) =>
        slashes(list.dir) === `${ROOT}/sub`
          ? { ...list, names: '', kinds: '', stats: new Float64Array(0) }
          : list,
    })
    await w.scanner.dirs(['sub'], live())
    expect(w.rows()).toContain('sub/c.txt tracked')
    expect(w.touched).toEqual(['sub/c.txt'])
  })

  it('is left out by a rule as well as what can be', async () => {
    w.disk.mkdir(`${ROOT}/sub`)
    w.disk.write(`${ROOT}/sub/x.tmp`, 'x')
    w.disk.seal(`${ROOT}/sub`, true)
    w.setRules({ file: (rel) => (rel.endsWith('.tmp') ? { rule: '*.tmp' } : null), dir: () => null })
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete', unreadable: [] })
    expect(w.files.sums(w.folderId)).toMatchObject({ seen: 1, ignored: 1 })
  })
})

describe('the debug level', () => {
  it('says why: what is new, moved, ignored or gone, and how the scan ended', async () => {
    await fill()
    w.debugged.length = 0
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.debugged).toEqual([
      {
        event: 'scanner.end',
        result: 'complete',
        files: 4,
        directories: 3,
        missing: 0,
        replaced: 0,
        unreadable: 0,
      },
    ])
    w.debugged.length = 0
    w.setRules({ file: (rel) => (rel.endsWith('.log') ? { rule: '*.log' } : null), dir: () => null })
    w.disk.write(`${ROOT}/new.txt`, 'new')
    w.disk.write(`${ROOT}/x.log`, 'log')
    w.disk.rename(`${ROOT}/a.txt`, `${ROOT}/moved.txt`)
    w.disk.remove(`${ROOT}/b.txt`)
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.debugged).toEqual(
      expect.arrayContaining([
        { event: 'scanner.file', dir: '', name: 'new.txt', verdict: 'new', row: null, late: false },
        { event: 'scanner.ignored', dir: '', name: 'x.log', rule: '*.log' },
        { event: 'scanner.moved', from: absolute(ROOT, '', 'a.txt'), dir: '', name: 'moved.txt' },
        { event: 'scanner.vanished', dir: '', name: 'b.txt', class: 'tracked' },
      ]),
    )
  })
})

describe('a new name of known bytes', () => {
  const lines = (): readonly unknown[] => w.debugged.filter(({ event }) => event !== 'scanner.end')

  it.each<readonly [string, () => void, readonly unknown[], readonly string[]]>([
    [
      'a rename',
      () => w.disk.rename(`${ROOT}/a.txt`, `${ROOT}/sub/z.txt`),
      [{ event: 'scanner.moved', from: absolute(ROOT, '', 'a.txt'), dir: 'sub', name: 'z.txt' }],
      [],
    ],
    [
      'a hard link',
      () => w.disk.link(`${ROOT}/a.txt`, `${ROOT}/z.txt`),
      [
        { event: 'scanner.not-moved', dir: '', name: 'z.txt', why: 'old path still there' },
        { event: 'scanner.file', dir: '', name: 'z.txt', verdict: 'new', row: null, late: false },
      ],
      ['z.txt'],
    ],
    [
      'a log that was rotated',
      () => {
        w.disk.rename(`${ROOT}/a.txt`, `${ROOT}/a.txt.1`)
        w.disk.write(`${ROOT}/a.txt`, 'the next one')
      },
      [
        { event: 'scanner.file', dir: '', name: 'a.txt', verdict: 'new', row: 'tracked', late: false },
        { event: 'scanner.not-moved', dir: '', name: 'a.txt.1', why: 'old path taken' },
        { event: 'scanner.file', dir: '', name: 'a.txt.1', verdict: 'new', row: null, late: false },
      ],
      ['a.txt.1', 'a.txt'],
    ],
  ])('%s', async (_what, gesture, expected, found) => {
    await fill()
    w.debugged.length = 0
    w.found.length = 0
    gesture()
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(lines()).toEqual(expected)
    expect(w.found).toEqual(found)
    expect(w.vanished).toEqual([])
  })
})
