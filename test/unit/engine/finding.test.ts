// How files are found and judged before anything is sent: hints folded to work, files that must stand still, ignore rules, secrets.
// Tables and a clock moved by hand; real disks are tried in scenarios.
import { describe, expect, it } from 'vitest'
import { createAggregator, fold, type Work } from '../../../src-main/engine/aggregator.ts'
import { createIgnoreRules, DEFAULT_RULES, type IgnoreOptions, NO_RULES } from '../../../src-main/engine/ignore-rules.ts'
import type { Disk, Entry } from '../../../src-main/engine/ports.ts'
import { secretByContent, secretByName } from '../../../src-main/engine/secrets.ts'
import { createSettle, isOldEnough } from '../../../src-main/engine/settle.ts'
import { createFakeClock } from '../../world/fake-clock.ts'

describe('aggregator', () => {
  it('makes one path of forty hints', async () => {
    const clock = createFakeClock()
    const work: Work[] = []
    const aggregator = createAggregator({
      clock,
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

  it('keeps what comes while work is under way for the next round', async () => {
    const clock = createFakeClock()
    const work: Work[] = []
    const aggregator = createAggregator({
      clock,
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

const entry = (over: Partial<Entry> = {}): Entry => ({ name: 'f', kind: 'file', size: 10, mtime: 0, ctime: 0, ino: 1, dev: 1, ...over })

function disk(state: { entry: Entry | null; writer: boolean }): Disk {
  const none = (): never => {
    throw new Error('not asked for here')
  }
  return {
    list: none,
    resolve: none,
    open: none,
    head: none,
    text: none,
    stat: async (paths) => paths.map(() => state.entry),
    openForWriting: async (paths) => new Set(state.writer ? paths : []),
  }
}

describe('settle', () => {
  const setUp = (first: Partial<Entry>, writer = false) => {
    const clock = createFakeClock()
    const state = { entry: entry({ mtime: clock.now(), ctime: clock.now(), ...first }) as Entry | null, writer }
    const settled: string[] = []
    const gone: string[] = []
    const settle = createSettle({
      clock,
      disk: disk(state),
      onSettled: (files) => settled.push(...files.map((f) => f.path)),
      onGone: (path) => gone.push(path),
    })
    if (state.entry !== null) settle.watch('/f', state.entry)
    return { clock, state, settle, settled, gone }
  }

  it('takes a fresh file after a short quiet time', async () => {
    const { clock, settled } = setUp({})
    await clock.advance(150)
    expect(settled).toEqual([])
    await clock.advance(80)
    expect(settled).toEqual(['/f'])
  })

  it('gives an empty file longer: it is nearly always the first half of a write', async () => {
    const { clock, settled } = setUp({ size: 0 })
    await clock.advance(800)
    expect(settled).toEqual([])
    await clock.advance(300)
    expect(settled).toEqual(['/f'])
  })

  it('waits while the file grows, and longer after a surprise', async () => {
    const { clock, state, settle, settled } = setUp({})
    for (let i = 1; i <= 10; i++) {
      await clock.advance(100)
      state.entry = entry({ size: 10 + i, mtime: clock.now(), ctime: clock.now() })
      settle.watch('/f', state.entry)
    }
    expect(settled).toEqual([])
    await clock.advance(6000)
    expect(settled).toEqual(['/f'])
  })

  it('waits for a writer that pauses, but not for ever', async () => {
    const { clock, state, settled } = setUp({}, true)
    await clock.advance(5000)
    expect(settled).toEqual([])
    state.writer = false
    await clock.advance(500)
    expect(settled).toEqual(['/f'])
    const log = setUp({}, true)
    await log.clock.advance(40_000)
    expect(log.settled).toEqual(['/f'])
  })

  it('tells of a file that vanished', async () => {
    const { clock, state, settled, gone } = setUp({})
    state.entry = null
    await clock.advance(1000)
    expect({ settled, gone }).toEqual({ settled: [], gone: ['/f'] })
  })

  it('knows what came in whole', () => {
    const now = 1_000_000
    expect(isOldEnough(entry({ mtime: now - 5000, ctime: now }), now)).toBe(true)
    expect(isOldEnough(entry({ mtime: now - 100, ctime: now }), now)).toBe(false)
    expect(isOldEnough(entry({ size: 0, mtime: now - 5000, ctime: now - 5000 }), now)).toBe(true)
    expect(isOldEnough(entry({ size: 0, mtime: now - 5000, ctime: now }), now)).toBe(false)
    expect(isOldEnough(entry({ mtime: now + 60_000 }), now)).toBe(false)
  })
})

describe('ignore rules', () => {
  const rules = (over: Partial<IgnoreOptions> = {}) => createIgnoreRules({ ...NO_RULES, ...over })

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
    expect(rules({ maxSize: 100 }).file('a.bin', 101)?.source).toBe('size')
    expect(rules({ onlyTypes: ['png'] }).file('a.jpg', 1)?.source).toBe('type')
    expect(rules({ notTypes: ['exe'] }).file('a.EXE', 1)?.source).toBe('type')
  })

  it('says why for every default', () => {
    for (const rule of DEFAULT_RULES) expect(rule.why.length).toBeGreaterThan(5)
  })
})

describe('secrets', () => {
  it.each([
    '.env',
    'sub/.env.production',
    'id_ed25519',
    '.ssh/id_rsa',
    'store.kdbx',
    'wallet.dat',
    'key.p12',
    '.netrc',
    '.aws/credentials',
    'app.keystore',
    'terraform.tfstate',
    'Bitwarden_export_2026.json',
    'github-recovery-codes.txt',
    '.git-credentials',
  ])('holds %s by name', (name) => {
    expect(secretByName(name)).not.toBeNull()
  })

  it.each([
    '.env.example',
    'environment.ts',
    'id_rsa.pub',
    'id_ed25519.pub',
    'wallet.jpg',
    'keynote.key.pdf',
    'credentials.md',
    'notes.txt',
    'recovery.txt',
    'kube/config',
  ])('takes %s', (name) => {
    expect(secretByName(name)).toBeNull()
  })

  const head = (text: string): Uint8Array => Buffer.from(text)
  it.each([
    `-----BEGIN PRIVATE KEY-----\nMIIE`,
    `text before\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl`,
    `-----BEGIN PGP PRIVATE KEY BLOCK-----`,
    `{"type":"service_account","private_key": "-----BEGIN PRIVATE KEY"}`,
    `token = ghp_${'a1B2'.repeat(9)}`,
    `aws_access_key_id=AKIA${'ABCD2345'.repeat(2)}\naws_secret_access_key=${'aB3/'.repeat(10)}\n`,
    `sk_live_${'a1'.repeat(12)}`,
    `PuTTY-User-Key-File-3: ssh-ed25519`,
  ])('holds content %#', (text) => {
    expect(secretByContent(head(text), 'x.txt')).not.toBeNull()
  })

  it.each([
    '-----BEGIN CERTIFICATE-----\nMIIE',
    '-----BEGIN PUBLIC KEY-----',
    'Access keys start with AKIA, as in AKIA...',
    'set ghp_ before your token',
    'plain words',
    '',
  ])('takes content %j', (text) => {
    expect(secretByContent(head(text), 'x.txt')).toBeNull()
  })

  it('looks into programs and pictures only for keys at the start of a line', () => {
    expect(secretByContent(Buffer.concat([Buffer.from([0, 1, 2]), head(`ghp_${'a1B2'.repeat(9)}`)]), 'x.bin')).toBeNull()
    expect(secretByContent(Buffer.concat([Buffer.from([0, 1, 10]), head('-----BEGIN RSA PRIVATE KEY-----')]), 'x.bin')).not.toBeNull()
  })
})
