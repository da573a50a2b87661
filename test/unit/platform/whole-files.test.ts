// Small files that the disk thread reads in one step: their bytes and hashes, which files are left to the
// regular way of opening, and that requests made while the thread is busy are sent to it as a batch.
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWhole } from '../../../src-main/engine/disk/content.ts'
import type { Entry, OpenFile } from '../../../src-main/engine/ports.ts'
import { createGuard, NO_GUARD_RULES } from '../../../src-main/engine/rules/guard.ts'
import { createDisk, type NodeDisk } from '../../../src-main/platform/disk/disk.ts'
import type { ReadFile } from '../../../src-main/platform/disk/disk-worker.ts'
import { fromNative } from '../../../src-main/platform/disk/path-codec.ts'
import { WholeFiles } from '../../../src-main/platform/disk/whole-files.ts'
import { spawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const UP_TO = 1000
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const entry = (size: number, ctime = 1): Entry => ({
  name: 'a',
  kind: 'file',
  size,
  mtime: 1,
  ctime,
  ino: 1,
  dev: 1,
})
const hashing = { now: () => 'not asked', stream: () => expect.fail('not asked') }

describe('the disk with its thread', () => {
  let dir = ''
  let disk: NodeDisk
  beforeEach(async () => {
    dir = tempFolder()
    disk = createDisk({ spawn: spawnWorker })
    await disk.list([dir])
  })
  afterEach(async () => {
    await disk.close()
  })

  const opened = async (path: string): Promise<OpenFile> =>
    (await disk.openWhole?.(path, UP_TO)) ?? disk.open(path)

  it('reads and hashes small files as it opens them, and answers as of then', async () => {
    const odd = Buffer.concat([Buffer.from(`${dir}/odd-`), Buffer.from([0xff])])
    const texts = new Map([
      [join(dir, 'a'), 'hello world'],
      [join(dir, 'empty'), ''],
      [fromNative(odd), 'x'.repeat(UP_TO)],
    ])
    for (const [path, text] of texts) writeFileSync(path === fromNative(odd) ? odd : path, text)
    const files = await Promise.all([...texts.keys()].map((path) => opened(path)))
    expect(files.map((file) => Buffer.from(file.whole?.data ?? 'none').toString())).toEqual([
      ...texts.values(),
    ])
    expect(files.map((file) => file.whole?.sha256)).toEqual([...texts.values()].map(sha256))
    expect(await Promise.all(files.map((file) => readWhole(file, file.first, hashing)))).toMatchObject(
      [...texts.values()].map((text) => ({ sha256: sha256(text) })),
    )
    const [file] = files
    renameSync(join(dir, 'a'), join(dir, 'b'))
    const into = Buffer.alloc(5)
    expect(await file?.read(into, 6)).toBe(5)
    expect(into.toString()).toBe('world')
    expect(await file?.read(into, 11)).toBe(0)
    expect(await file?.stat()).toEqual(file?.first)
    await file?.close()
  })

  it('searches them for secrets, but unpacks no archive', async () => {
    const texts = {
      plain: 'hello',
      key: '-----BEGIN RSA PRIVATE KEY-----\n',
      packed: Buffer.from('504b0304', 'hex'),
    }
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(dir, name), text)
    const found = await Promise.all(
      Object.keys(texts).map(async (name) => {
        const file = await opened(join(dir, name))
        const inspection = {
          inspect: () => Promise.resolve({ rule: 'by unpacking' }),
          secretLine: () => Promise.resolve(null),
        }
        return createGuard({ rules: () => NO_GUARD_RULES, key: () => null, inspection }).byContent(
          join(dir, name),
          file.first,
          file.whole ?? null,
        )
      }),
    )
    expect(found[0]).toBeNull()
    expect(found[1]).toEqual({ rule: expect.stringContaining('key') })
    expect(found[2]).toEqual({ rule: 'by unpacking' })
  })

  it('leaves all else to opening with care', async () => {
    writeFileSync(join(dir, 'large'), 'x'.repeat(UP_TO + 1))
    const large = await opened(join(dir, 'large'))
    expect(large.whole).toBeUndefined()
    expect(large.first.size).toBe(UP_TO + 1)
    await large.close()
    symlinkSync('large', join(dir, 'link'))
    for (const [name, code] of [
      ['nothing', 'gone'],
      ['link', 'loop'],
      ['.', 'loop'],
    ] as const)
      await expect(opened(join(dir, name))).rejects.toMatchObject({ failure: { code } })
  })

  it.runIf(process.platform === 'linux')(
    'reads nothing by way of a folder whose place a link took',
    async () => {
      mkdirSync(join(dir, 'private'))
      writeFileSync(join(dir, 'private/id.txt'), 'secret')
      symlinkSync(join(dir, 'private'), join(dir, 'share'))
      await expect(opened(join(dir, 'share/id.txt'))).rejects.toMatchObject({
        failure: { code: 'loop' },
      })
    },
  )
})

describe('small files', () => {
  const read = (path: string): ReadFile => ({
    first: entry(1),
    above: [],
    data: Buffer.from(path),
    sha256: path,
    after: entry(1),
  })

  it('that are asked for while the thread is busy go to it together', async () => {
    const batches: (readonly string[])[] = []
    const answers: (() => void)[] = []
    const whole = new WholeFiles(async (paths) => {
      batches.push(paths)
      await new Promise<void>((resolve) => answers.push(resolve))
      return paths.map((path) => (path === 'c' ? null : read(path)))
    })
    const opened = ['a', 'b', 'c'].map((path) => whole.open(path, UP_TO))
    await Promise.resolve()
    const later = 'defghijklmn'.split('').map((path) => whole.open(path, UP_TO))
    for (let i = 0; i < 3; i++) {
      answers[i]?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(batches.map((batch) => batch.join(''))).toEqual(['abc', 'defghijk', 'lmn'])
    const names = (await Promise.all([...opened, ...later])).map((file) => file?.whole?.sha256 ?? '-')
    expect(names.join('')).toBe('ab-defghijklmn')
  })

  it('are opened with care when the thread is lost', async () => {
    const whole = new WholeFiles(() => Promise.resolve([]))
    expect(await Promise.all([whole.open('a', UP_TO), whole.open('b', UP_TO)])).toEqual([null, null])
  })

  it('on other disks do not wait for a drive that does not answer', async () => {
    const answers: (() => void)[] = []
    const whole = new WholeFiles(
      async (paths) => {
        if (paths.includes('dead')) await new Promise<void>((resolve) => answers.push(resolve))
        return paths.map(read)
      },
      20,
      0,
    )
    const dead = whole.open('dead', UP_TO)
    await Promise.resolve()
    const behind = whole.open('behind it', UP_TO)
    expect(await Promise.all([dead, behind])).toEqual([null, null])
    expect(await whole.open('later', UP_TO)).toBeNull()
    answers[0]?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect((await whole.open('back', UP_TO))?.whole?.sha256).toBe('back')
  })

  it('on a drive that was too slow are opened directly for a while, so that they are not read twice', async () => {
    const answers: (() => void)[] = []
    const whole = new WholeFiles(
      async (paths) => {
        await new Promise<void>((resolve) => answers.push(resolve))
        return paths.map(read)
      },
      20,
      3_600_000,
    )
    expect(await whole.open('slow', UP_TO)).toBeNull()
    answers[0]?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await whole.open('next', UP_TO)).toBeNull()
    expect(answers).toHaveLength(1)
  })

  it.each([
    ['grew', entry(3), 'abcd'],
    ['shrank', entry(3), 'ab'],
    ['were written to', entry(3, 2), 'abc'],
  ])('are not sent if they %s meanwhile', async (_, after, text) => {
    const none = (): never => expect.fail('not asked')
    const file: OpenFile = {
      first: entry(3),
      above: [],
      whole: { data: Buffer.from(text), sha256: 's', after },
      stat: none,
      read: none,
      close: () => Promise.resolve(),
    }
    expect(await readWhole(file, file.first, hashing)).toBeNull()
  })
})
