// How files are found and judged before anything is sent: coalesced hints, settling files, ignore rules.
// Mostly table-driven, with a fake clock and a fake disk.

import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAggregator, fold, type Work } from '../../../../src-main/engine/find/aggregator.ts'
import { createSettle } from '../../../../src-main/engine/find/settle.ts'
import type { Disk, DiskFailure, Entry } from '../../../../src-main/engine/ports.ts'
import {
  createIgnoreRules,
  DEFAULT_RULES,
  type IgnoreOptions,
  NO_RULES,
} from '../../../../src-main/engine/rules/ignore-rules.ts'
import { NO_LIMITS } from '../../../../src-shared/choices.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'

describe('aggregator', () => {
  it('makes one path of forty hints', async () => {
    const clock = createFakeClock()
    const work: Work[] = []
    const aggregator = createAggregator({
      clock,
      debug: null,
      onWork: async (w) => {
        work.push(w)
      },
    })
    for (let i = 0; i < 40; i++) aggregator.add({ kind: 'path', rel: 'a/b.txt' })
    await clock.advance(100)
    expect(work).toEqual([{ paths: ['a/b.txt'], dirs: [], trees: [], all: false }])
    aggregator.close()
  })

  it('lists a directory instead of very many single paths', () => {
    const paths = new Set(Array.from({ length: 200 }, (_, i) => `d/f${i}`))
    expect(fold(paths, new Set(), false)).toEqual({ paths: [], dirs: ['d'], trees: [], all: false })
  })

  it('lets a tree swallow what is below it', () => {
    expect(fold(new Set(['a/b/c.txt', 'x.txt']), new Set(['a', 'a/b']), false)).toEqual({
      paths: ['x.txt'],
      dirs: [],
      trees: ['a'],
      all: false,
    })
  })

  it.each([
    ['a lost event', new Set<string>(), new Set<string>(), true],
    ['the root as a tree', new Set<string>(), new Set(['']), false],
    ['too many trees', new Set<string>(), new Set(Array.from({ length: 600 }, (_, i) => `t${i}`)), false],
  ])('reads all after %s', (_name, paths, trees, all) => {
    expect(fold(paths, trees, all).all).toBe(true)
  })

  it.each<readonly [string, readonly string[], readonly string[], Work]>([
    ['nothing', [], [], { paths: [], dirs: [], trees: [], all: false }],
    ['a path below a tree', ['a/x', 'b/x'], ['a'], { paths: ['b/x'], dirs: [], trees: ['a'], all: false }],
    ['a path that is a tree itself', ['a'], ['a'], { paths: [], dirs: [], trees: ['a'], all: false }],
    [
      'a name that only begins like a tree',
      ['ab/x'],
      ['a'],
      { paths: ['ab/x'], dirs: [], trees: ['a'], all: false },
    ],
    ['files at the top', ['x', 'y'], [], { paths: ['x', 'y'], dirs: [], trees: [], all: false }],
  ])('folds %s', (_what, paths, trees, work) => {
    expect(fold(new Set(paths), new Set(trees), false)).toEqual(work)
  })

  it.each([
    ['64 paths in one directory as paths', 64, 64, 0],
    ['65 paths in one directory as one listing', 65, 0, 1],
  ])('takes %s', (_what, count, paths, dirs) => {
    const work = fold(new Set(Array.from({ length: count }, (_, i) => `d/${i}`)), new Set(), false)
    expect([work.paths.length, work.dirs.length]).toEqual([paths, dirs])
  })

  it('lists directories beyond 512 single paths, and scans everything beyond 512 directories', () => {
    const spread = (dirs: number, each: number): Set<string> =>
      new Set(Array.from({ length: dirs * each }, (_, i) => `d${i % dirs}/${i}`))
    const some = fold(spread(10, 60), new Set(), false)
    expect([some.paths.length, some.dirs.length, some.all]).toEqual([480, 2, false])
    expect(fold(spread(600, 65), new Set(), false).all).toBe(true)
  })

  it('says which hints became which work', async () => {
    const clock = createFakeClock()
    const lines: unknown[] = []
    const aggregator = createAggregator({
      clock,
      onWork: async () => undefined,
      debug: (event, fields) => lines.push({ event, ...fields }),
    })
    aggregator.add({ kind: 'path', rel: 'a/b' })
    aggregator.add({ kind: 'tree', rel: 'a' })
    await clock.advance(100)
    expect(lines).toEqual([
      {
        event: 'aggregator.work',
        hintedPaths: 1,
        hintedTrees: 1,
        hintedAll: false,
        paths: 0,
        dirs: 0,
        trees: 1,
        all: false,
      },
    ])
  })

  it('keeps what comes while work is under way for the next round', async () => {
    const clock = createFakeClock()
    const work: Work[] = []
    const aggregator = createAggregator({
      clock,
      debug: null,
      onWork: async (w) => {
        work.push(w)
        if (work.length === 1) aggregator.add({ kind: 'path', rel: 'second' })
      },
    })
    aggregator.add({ kind: 'path', rel: 'first' })
    await clock.advance(200)
    expect(work.map((w) => w.paths)).toEqual([['first'], ['second']])
  })
})

const entry = (over: Partial<Entry> = {}): Entry => ({
  name: 'f',
  kind: 'file',
  size: 10,
  mtime: 0,
  ctime: 0,
  ino: 1,
  dev: 1,
  ...over,
})

interface DiskState {
  entry: Entry | null
  writer: boolean
  /** The result of every stat; null for the entry itself. */
  failure: DiskFailure | null
  /** Other names in the folder. */
  siblings: string[]
  /** Whether the query for writing processes is answered. */
  tells: boolean
  /** Whether the system can report writing processes at all. */
  knows: boolean
}

function disk(state: DiskState): Disk {
  const none = (): never => {
    throw new Error('not asked for here')
  }
  const isSibling = (path: string): boolean => state.siblings.includes(posix.basename(path))
  return {
    list: async (dirs) =>
      dirs.map((dir) => ({
        dir,
        failure: null,
        names: state.siblings.map((name) => `${name}/`).join(''),
        kinds: 'f'.repeat(state.siblings.length),
        stats: new Float64Array(state.siblings.length * 5).fill(createFakeClock().now()),
      })),
    resolve: none,
    open: none,
    text: none,
    stat: async (paths) =>
      paths.map((path) =>
        path === '/in/f.pdf' ? (state.failure ?? state.entry) : isSibling(path) ? state.entry : null,
      ),
    knowsWriters: state.knows,
    openForWriting: async (paths) => (state.tells ? new Set(state.writer ? paths : []) : null),
    mappedForWriting: none,
  }
}

describe('settle', () => {
  const setUp = (first: Partial<Entry>, writer = false, knows = true) => {
    const clock = createFakeClock()
    const state: DiskState = {
      entry: entry({ mtime: clock.now(), ctime: clock.now(), ...first }),
      writer,
      failure: null,
      siblings: [],
      tells: true,
      knows,
    }
    const settled: string[] = []
    const gone: string[] = []
    const settle = createSettle({
      clock,
      disk: disk(state),
      onSettled: (files) => settled.push(...files.map((f) => f.path)),
      onFailed: () => undefined,
      onGone: (path) => gone.push(path),
      debug: null,
    })
    if (state.entry !== null) settle.watch('/in/f.pdf', state.entry)
    return { clock, state, settle, settled, gone }
  }

  it('takes a fresh file after a short quiet time', async () => {
    const { clock, settled } = setUp({})
    await clock.advance(150)
    expect(settled).toEqual([])
    await clock.advance(80)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('waits while a control file says that it is being downloaded, however old it is, and looks less and less often', async () => {
    const { clock, state, settle, settled } = setUp({ mtime: createFakeClock().now() - 3_600_000 })
    state.siblings = ['f.pdf.aria2']
    await clock.advance(24 * 3_600_000)
    expect(settled).toEqual([])
    expect((settle.nextAt() ?? 0) - clock.now()).toBeGreaterThan(10_000)
    state.siblings = []
    await clock.advance(30_000)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('gives a file two seconds where the system cannot say who writes it, and a program that pauses that long', async () => {
    const { clock, state, settled } = setUp({}, false, false)
    for (const size of [20, 30, 40]) {
      await clock.advance(1500)
      state.entry = entry({ size, mtime: clock.now(), ctime: clock.now() })
    }
    expect(settled).toEqual([])
    await clock.advance(12_000)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('gives a file two seconds whose writer may be invisible, and a program that pauses that long', async () => {
    const { clock, state, settled } = setUp({})
    for (const size of [20, 30, 40]) {
      state.entry = entry({ size, mtime: clock.now(), ctime: clock.now(), hasHiddenWriters: true })
      await clock.advance(1500)
    }
    expect(settled).toEqual([])
    await clock.advance(12_000)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('takes a file at once that stood still for long enough before, whatever the system can say', async () => {
    const { clock, settled } = setUp({ mtime: 0, ctime: 0 }, false, false)
    await clock.advance(20)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('gives an empty file longer: it is nearly always the first half of a write', async () => {
    const { clock, settled } = setUp({ size: 0 })
    await clock.advance(2800)
    expect(settled).toEqual([])
    await clock.advance(400)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('lets an empty file wait while a download is next to it, however old it is', async () => {
    const { clock, state, settled } = setUp({ size: 0, mtime: 0, ctime: 0 })
    state.siblings = ['other.txt', 'f.pdf', 'Qx81.pdf.part']
    await clock.advance(3_600_000)
    expect(settled).toEqual([])
    state.siblings = ['other.txt', 'f.pdf']
    await clock.advance(30_000)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('takes no answer for no answer: neither gone nor finished', async () => {
    for (const code of ['interrupted', 'io', 'busy'] as const) {
      const { clock, state, settled, gone } = setUp({})
      state.failure = { code, message: code }
      await clock.advance(10_000)
      expect({ settled, gone }).toEqual({ settled: [], gone: [] })
      state.failure = null
      await clock.advance(2000)
      expect(settled).toEqual(['/in/f.pdf'])
      // If stat fails permanently, the upload is attempted and reports the reason.
      const broken = setUp({})
      broken.state.failure = { code, message: code }
      await broken.clock.advance(40_000)
      expect(broken.settled).toEqual(['/in/f.pdf'])
    }
  })

  it('does not take "can not tell who writes" for "nobody writes"', async () => {
    const { clock, state, settled } = setUp({})
    state.tells = false
    await clock.advance(5000)
    expect(settled).toEqual([])
    state.tells = true
    await clock.advance(500)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('waits while the file grows, and longer after a surprise', async () => {
    const { clock, state, settle, settled } = setUp({})
    for (let i = 1; i <= 10; i++) {
      await clock.advance(100)
      state.entry = entry({ size: 10 + i, mtime: clock.now(), ctime: clock.now() })
      settle.watch('/in/f.pdf', state.entry)
    }
    expect(settled).toEqual([])
    await clock.advance(6000)
    expect(settled).toEqual(['/in/f.pdf'])
  })

  it('waits for a writer that pauses, but not for ever', async () => {
    const { clock, state, settled } = setUp({}, true)
    await clock.advance(5000)
    expect(settled).toEqual([])
    state.writer = false
    await clock.advance(500)
    expect(settled).toEqual(['/in/f.pdf'])
    const log = setUp({}, true)
    await log.clock.advance(40_000)
    expect(log.settled).toEqual(['/in/f.pdf'])
  })

  it('tells of a file that vanished', async () => {
    const { clock, state, settled, gone } = setUp({})
    state.entry = null
    await clock.advance(1000)
    expect({ settled, gone }).toEqual({ settled: [], gone: ['/in/f.pdf'] })
  })
})

describe('ignore rules', () => {
  const rules = (over: Partial<IgnoreOptions> = {}) => createIgnoreRules({ ...NO_RULES, ...over })

  it.each<[string, Partial<IgnoreOptions>, string, string | null]>([
    ['a file above rules below', { above: [{ rel: 'work', text: '*.log' }] }, 'a.log', '*.log'],
    [
      'a pattern wins over a file above',
      { above: [{ rel: 'work', text: '*.log' }], patterns: ['!a.log'] },
      'a.log',
      null,
    ],
    [
      'the nearer of two above wins',
      {
        above: [
          { rel: 'work', text: '!a.log' },
          { rel: 'me/work', text: '*.log' },
        ],
      },
      'a.log',
      null,
    ],
    [
      'a rule with a path from above',
      { above: [{ rel: 'work', text: 'work/drafts/' }] },
      'drafts/a.txt',
      'work/drafts/',
    ],
    [
      'the root itself is ruled out',
      { above: [{ rel: 'me/work', text: 'work/' }], patterns: ['!*'] },
      'a.txt',
      'work/',
    ],
    [
      'a directory above the root is',
      {
        above: [
          { rel: 'me/work', text: 'me/' },
          { rel: 'work', text: '!*' },
        ],
      },
      'a.txt',
      'me/',
    ],
    [
      'and one that is brought back is not',
      { above: [{ rel: 'me/work', text: '*\n!me/\n!work/\n!*.txt' }] },
      'a.txt',
      null,
    ],
    [
      'nothing brings back what is below a ruled out directory',
      { patterns: ['x/'], files: [{ dir: 'x', text: '!a.txt' }] },
      'x/a.txt',
      'x/',
    ],
    [
      'a default rule for a directory is overruled, with all below',
      { patterns: ['!.git/'] },
      '.git/hooks/a.sample',
      null,
    ],
    [
      'a nearer file brings back a directory, with all below',
      {
        files: [
          { dir: '', text: 'build/' },
          { dir: 'x', text: '!build/' },
        ],
      },
      'x/build/deep/a.txt',
      null,
    ],
    [
      'and nothing elsewhere',
      {
        files: [
          { dir: '', text: 'build/' },
          { dir: 'x', text: '!build/' },
        ],
      },
      'y/build/a.txt',
      'build/',
    ],
    ...(['x/build [1]!/a.log', 'x/build [1]!/deep/a.log', 'x/build [1]!/old/a.txt'] as const).map(
      (path): [string, Partial<IgnoreOptions>, string, string | null] => [
        'a directory that is brought back keeps the other rules',
        {
          files: [
            { dir: '', text: 'build*/\n*.log\nold/\n' },
            { dir: 'x', text: '!build*/' },
          ],
        },
        path,
        path.endsWith('.log') ? '*.log' : 'old/',
      ],
    ),
    [
      'the root is brought back by a nearer file above it',
      {
        above: [
          { rel: 'me/work', text: 'work/\n*.log' },
          { rel: 'work', text: '!work/' },
        ],
      },
      'a.txt',
      null,
    ],
    [
      'a file that can not be read rules out all below',
      { files: [{ dir: 'x', text: null }] },
      'x/a.txt',
      ".slipwayignore can't be read. Make it a text file that you may read, or remove it.",
    ],
    ['and nothing beside', { files: [{ dir: 'x', text: null }] }, 'y/a.txt', null],
    ['default rules hold below their directory', { defaultsAt: 'x' }, 'x/a.tmp', '*.tmp (a temporary file)'],
    ['and not above it', { defaultsAt: 'x' }, 'a.tmp', null],
  ])('out of nowhere: %s', (_name, over, path, rule) => {
    expect(rules(over).through(path, 1)?.rule ?? null).toBe(rule)
  })

  it.each([
    'a.part',
    'x/y.crdownload',
    '.DS_Store',
    'Thumbs.db',
    '~$report.docx',
    '.report.docx.swp',
    'x.tmp',
    'notes.txt~',
    '.slipwayignore',
    'a/.nfs0001',
    '.#lock',
    '._photo.jpg',
  ])('passes over %s', (name) => {
    expect(rules().file(name, 1)?.source).toBe('default')
  })

  it.each([
    'a.txt',
    'party.png',
    'temp/plan.pdf',
    'x/tmp-notes.md',
    '.gitignore',
    'download.zip',
    ' leading space',
    '#hash',
    '!bang',
    'back\\slash',
    'new\nline',
    '😀',
    '..odd',
    'a b/c d.jpg',
  ])('takes %j', (name) => {
    expect(rules().file(name, 1)).toBeNull()
  })

  it('prunes whole directories', () => {
    expect(rules().dir('.git')?.rule).toContain('version control')
    expect(rules().dir('x/$RECYCLE.BIN')).not.toBeNull()
    expect(rules().dir('docs')).toBeNull()
  })

  it('lets a person overrule the defaults, and the nearer file the farther', () => {
    const own = rules({
      patterns: ['!keep.tmp', '*.log'],
      files: [
        { dir: '', text: '*.iso\n!small.iso' },
        { dir: 'deep', text: '!*.log' },
      ],
    })
    expect(own.file('keep.tmp', 1)).toBeNull()
    expect(own.file('other.tmp', 1)?.source).toBe('default')
    expect(own.file('a.log', 1)).toMatchObject({ source: 'pattern', rule: '*.log' })
    expect(own.file('deep/a.log', 1)).toBeNull()
    expect(own.file('x.iso', 1)?.source).toBe('slipwayignore')
    expect(own.file('small.iso', 1)).toBeNull()
  })

  it('knows sizes and types', () => {
    expect(rules({ limits: { ...NO_LIMITS, maxBytes: 100 } }).file('a.bin', 101)?.source).toBe('size')
    expect(rules({ limits: { ...NO_LIMITS, onlyTypes: ['png'] } }).file('a.jpg', 1)?.source).toBe('type')
    expect(rules({ limits: { ...NO_LIMITS, notTypes: ['exe'] } }).file('a.EXE', 1)?.source).toBe('type')
  })

  it.each([
    ['savA1B2.TMP', true],
    ['Desktop.INI', true],
    ['THUMBS.DB', true],
    ['photo.JPG.CRDOWNLOAD', true],
    ['.GIT/config', true],
    ['deep/.ds_store', true],
    ['CVS/Entries', true],
    // A pharmacy's folder, not a CVS working copy.
    ['cvs/receipt.pdf', false],
    ['CONTEMPT.TXT', false],
  ])('%s: ignored by default %s, in whatever letter case', (path, isIgnored) => {
    expect(rules().through(path, 1) !== null).toBe(isIgnored)
  })

  it.each(
    [
      // Names that only unfinished files have, as the programs document them.
      [
        '.com.google.Chrome.AbC123',
        '.org.chromium.Chromium.x1Y2z3',
        'a.pdf.crdownload',
        'a.pdf.part',
        'a.iso.aria2',
        'a.iso.aria2__temp',
      ],
      [
        'film.mkv.!sync',
        'film.mkv.!ut',
        'film.mkv.!qB',
        'film.mkv.!bt',
        'x.zip.bc!',
        'x.zip.jc!',
        'x.zip.az!',
        'setup.exe.fdmdownload',
      ],
      [
        'clip.mp4.part-Frag3',
        'clip.mp4.part-Frag12.part',
        'clip.mp4.ytdl',
        '.getxfer.1234.mega',
        '.megatmp.H9xY',
        '.photo.jpg.~4e2f1a9c',
      ],
      [
        'notes.txt.crswap',
        '~layout~abc123.idlk',
        'plan.dwl',
        'plan.dwl2',
        'a.iso.lftp-pget-status',
        'a.wkdownload',
        'a.xltd',
        'a.xltd.cfg',
      ],
      [
        '~uTorrentPartFile_4F2A.dat',
        '001.part.met',
        '.0123abcd.parts',
        'a.zip.dtapart',
        'a.zip.baiduyun.p.downloading',
        '.doc.pdf.icloud',
      ],
      [
        '.pending-1700000000-IMG_1.jpg',
        '(A Document Being Saved By TextEdit)',
        'a.docx.sb-1a2b3c4d-AbCdEf',
        '.photo.jpg.Ab3dE9',
        '.README.x9QzLm',
      ],
      [
        'movie.mp4.incomplete',
        'song.dctmp',
        'steamapps/downloading/440/pak.vpk',
        'games/steamapps/temp/1/x.vpk',
        '_UNPACK_Show/ep1.mkv',
      ],
    ].flat(),
  )('%s is left out', (path) => {
    expect(rules().through(path, 1)).not.toBeNull()
  })

  it.each(
    [
      [
        'Collection.st',
        'Instr.td',
        'party.pdf',
        'depart.txt',
        'download.pdf',
        'chrome.crx',
        'part-Frag.txt',
        'sync.txt',
        'mega.zip',
      ],
      [
        '.config.backup',
        '.data.202411',
        '.notes.README',
        '.tool.v2beta/settings.json',
        '.env.sample',
        'a.~b',
        'steamapps/common/pak.vpk',
      ],
      ['UNPACK_me.txt', 'dwl.txt', 'idlk', 'incomplete.md', 'my.parts'],
    ].flat(),
  )('%s is not', (path) => {
    expect(rules().through(path, 1)).toBeNull()
  })

  it('says why for every default', () => {
    for (const rule of DEFAULT_RULES) expect(rule.why.length).toBeGreaterThan(5)
  })
})
