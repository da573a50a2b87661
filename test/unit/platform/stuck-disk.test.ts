// The disk threads while a drive doesn't answer: other drives are read on, the drive's own requests wait
// until it answers, and closing waits for nothing. A file that doesn't answer simulates the drive.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Entry } from '../../../src-main/engine/ports.ts'
import { createDisk, type NodeDisk } from '../../../src-main/platform/disk/disk.ts'
import { createInspection, type NodeInspection } from '../../../src-main/platform/disk/inspection.ts'
import { mountOf } from '../../../src-main/platform/disk/mounts.ts'
import type { SpawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'
import { createSilentFile, type SilentFile } from '../../world/silent-file.ts'
import { slashes } from '../../world/slashes.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const SMALL = 1000
/**
 * Milliseconds after which a thread counts as stuck. On a busy machine, a healthy one takes a hundred for an
 * answer.
 */
const STUCK_MS = 500

describe('a drive that does not answer', () => {
  let dir = ''
  let dead = ''
  let alive = ''
  let silent: SilentFile
  let workers: Worker[] = []
  let disk: NodeDisk
  let inspection: NodeInspection
  let spawn: SpawnWorker
  let readMsPerMiB: number
  /** As `mountOf` of the disk. */
  let findMount: (path: string) => string | null
  beforeEach(async () => {
    dir = tempFolder()
    dead = join(dir, 'dead')
    alive = join(dir, 'alive')
    for (const one of [dead, alive]) {
      mkdirSync(one)
      for (const name of ['a', 'b']) writeFileSync(join(one, name), name)
    }
    silent = await createSilentFile(dir)
    workers = []
    findMount = () => null
    readMsPerMiB = 0
    spawn = (role) => {
      const workerData = { slipwayRole: role, dead, silent: silent.path, readMsPerMiB }
      const worker = new Worker(new URL('../../world/stuck-disk-worker.ts', import.meta.url), { workerData })
      worker.unref()
      workers.push(worker)
      return worker
    }
    disk = createDisk({ spawn, stuckMs: STUCK_MS, mountOf: (path) => findMount(path) })
    inspection = createInspection({ spawn, stuckMs: STUCK_MS, mountOf: (path) => findMount(path) })
    await disk.list([alive])
  })
  afterEach(async () => {
    await Promise.all([disk.close(), inspection.close()])
    silent.answer()
    silent.close()
  })

  /** Lets calls go on until `asking` is answered. */
  async function answered(asking: Promise<unknown>): Promise<void> {
    let isAnswered = false
    void asking.finally(() => {
      isAnswered = true
    })
    await expect.poll(() => (silent.answer(), isAnswered)).toBe(true)
  }

  it.each<[string, () => Promise<unknown>]>([
    ['listed', () => disk.list([dead])],
    ['looked at', () => disk.stat([join(dead, 'a')])],
    ['resolved', () => disk.resolve(join(dead, 'a'))],
    ['read', async () => disk.openWhole?.(join(dead, 'a'), SMALL)],
  ])('and is being %s holds up no other one', async (_name, ask) => {
    const asked = ask()
    const behind = [disk.list([alive]), disk.stat([join(alive, 'a')])] as const
    expect((await behind[0])[0]?.names).toBe('a/b/')
    expect((await behind[1])[0]).toMatchObject({ name: 'a', size: 1 })
    expect(await disk.resolve(join(alive, 'a'))).toMatchObject({ entry: { name: 'a' } })
    expect(workers).toHaveLength(2)
    await answered(asked)
  })

  const mounted = (point: string, type: string) => (path: string) => {
    const mounts = `22 1 8:1 / / rw - ext4 /dev/a rw\n30 22 0:40 / ${slashes(point)} rw shared:1 - ${type} x rw`
    const found = mountOf(slashes(path), 'linux', () => mounts)
    return found === null ? null : normalize(found)
  }

  it('holds up no paths of a built-in drive from which a link leads to it', async () => {
    findMount = mounted(dir, 'ext4')
    const asked = disk.resolve(join(dead, 'a'))
    expect((await disk.list([alive]))[0]?.names).toBe('a/b/')
    expect((await disk.stat([join(alive, 'a')]))[0]).toMatchObject({ name: 'a', size: 1 })
    expect(workers).toHaveLength(2)
    await answered(asked)
  })

  it('takes up one thread only, whichever of its paths is asked about', async () => {
    findMount = mounted(dead, 'nfs4')
    const asked = [disk.resolve(join(dead, 'a'))]
    expect((await disk.list([alive]))[0]?.names).toBe('a/b/')
    asked.push(disk.resolve(join(dead, 'b')))
    expect((await disk.stat([join(alive, 'b')]))[0]).toMatchObject({ name: 'b' })
    expect(workers).toHaveLength(2)
    await answered(Promise.all(asked))
  })

  it('takes up one thread only, and answers all that it was asked once it can', async () => {
    const first = disk.list([dead])
    expect((await disk.list([alive]))[0]?.names).toBe('a/b/')
    const more = [disk.list([dead]), disk.stat([join(dead, 'a')]), disk.stat([alive, dead])]
    expect((await disk.stat([join(alive, 'b')]))[0]).toMatchObject({ name: 'b' })
    expect(workers).toHaveLength(2)
    await answered(Promise.all([first, ...more]))
    expect((await first)[0]?.names).toBe('a/b/')
    // Its thread has become superfluous, and ends.
    await expect.poll(() => workers[0]?.threadId).toBe(-1)
    expect((await disk.list([alive]))[0]?.names).toBe('a/b/')
    expect(workers).toHaveLength(2)
  })

  it('fails the searches of its files for secrets, and holds up no other ones', async () => {
    const entry = async (path: string): Promise<Entry> => (await disk.stat([path]))[0] as Entry
    const file = join(alive, 'a')
    const expected = await entry(file)
    const stuck = expect(inspection.inspect(join(dead, 'a'), expected, null)).rejects.toThrow(
      "The drive isn't responding.",
    )
    expect(await inspection.inspect(file, expected, null)).toBe(null)
    await stuck
    await expect(inspection.inspect(join(dead, 'b'), expected, null)).rejects.toThrow(
      "The drive isn't responding.",
    )
    // Its file is searched again once it answers.
    const answering = setInterval(() => silent.answer(), 10)
    await expect.poll(() => inspection.inspect(join(dead, 'b'), expected, null).catch(String)).toBe('changed')
    clearInterval(answering)
  })

  it('is not one whose large archive merely takes long to read', async () => {
    const file = join(alive, 'a.tar.gz')
    writeFileSync(file, gzipSync(randomBytes(12 << 20), { level: 0 }))
    readMsPerMiB = 60
    const slow = createInspection({ spawn, stuckMs: 300, mountOf: () => null })
    expect(await slow.inspect(file, (await disk.stat([file]))[0] as Entry, null).catch(String)).toBe(null)
    await slow.close()
  })

  it('is named until it answers', async () => {
    expect(disk.unanswered?.()).toEqual([])
    const asked = disk.list([dead])
    await expect.poll(() => disk.unanswered?.()).toEqual([dead])
    await answered(asked)
    await expect.poll(() => disk.unanswered?.()).toEqual([])
  })

  it('is not waited for when the disk is closed', async () => {
    void disk.list([dead])
    await disk.list([alive])
    void disk.stat([join(dead, 'a')])
    await disk.close()
    expect(workers).toHaveLength(2)
  })
})

describe('the drive of a path', () => {
  it('is known to the disk', () => {
    const spawn = (): never => {
      throw new Error('no thread is needed')
    }
    expect(createDisk({ spawn, mountOf: (path) => `the drive of ${path}` }).mountOf?.('/a')).toBe(
      'the drive of /a',
    )
  })

  const mounts = [
    '22 1 8:1 / / rw - ext4 /dev/a rw',
    '30 22 0:40 / /mnt/my\\040nas rw - nfs srv:/x rw',
    '31 30 8:3 / /mnt/my\\040nas/in rw shared:7 - ntfs3 /dev/c rw',
    '32 22 8:4 / /home rw shared:2 - ext4 /dev/d rw',
    '33 32 0:41 / /home/nas rw - autofs systemd-1 rw',
    '34 33 0:42 / /home/nas rw - cifs //srv/x rw',
    '35 22 8:5 / /data rw - xfs /dev/e rw',
    '36 35 0:43 / /data rw - fuse.sshfs srv: rw',
  ].join('\n')
  it.each<[string, NodeJS.Platform, string | null]>([
    ['/home/a', 'linux', null],
    ['/mnt/my nas', 'linux', '/mnt/my nas'],
    ['/mnt/my nas/x/y', 'linux', '/mnt/my nas'],
    ['/mnt/my nas/in/y', 'linux', '/mnt/my nas/in'],
    ['/mnt/my nas too', 'linux', null],
    ['/home/nas/x', 'linux', '/home/nas'],
    ['/data/x', 'linux', '/data'],
    ['/Users/a', 'darwin', null],
    ['/Volumes/share/x', 'darwin', '/Volumes/share'],
    ['c:\\x', 'win32', null],
    ['Z:\\', 'win32', 'Z:\\'],
    ['Z:\\x\\y', 'win32', 'Z:\\'],
    ['\\\\srv\\share\\x\\y', 'win32', '\\\\srv\\share\\'],
  ])('%s on %s', (path, platform, mount) => {
    expect(mountOf(path, platform, () => mounts, 'C:\\Users\\Ada')).toBe(mount)
  })
})
