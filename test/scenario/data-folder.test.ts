// Runs the command line as a process with data folders that can't be used. It says what is wrong and what to
// do next, and exits at once without changing anything on the disk; damage that can be repaired is repaired
// silently. Also tests a full disk, and that a signal ends a command that waits for another engine.
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { dataPaths } from '../../src-main/platform/data/paths.ts'
import { openEndpoint } from '../../src-main/platform/host/control-key.ts'
import { acquireOwner } from '../../src-main/platform/host/owner-lock.ts'
import { forbidWriting, mountSmall, takeOut } from '../chaos/mounts.ts'
import { createService, type Service } from '../service/service.ts'
import { describeNeeding } from '../tools/needing.ts'
import { createPlace, type Place } from './cli-process.ts'

async function inWorld(work: (place: Place, service: Service) => Promise<void>, latency = 0): Promise<void> {
  const place = createPlace()
  const service = await createService({ plan: 'enterprise', key: place.key, latencyMs: latency })
  try {
    await work(place, service)
  } finally {
    await service.close()
    place.remove()
  }
}

/** libuv's flag to open a file so that no other program can open it. Only on Windows. */
const EXCLUSIVE = 0x10000000

/** Creates a file that no other process can read, whoever runs the tests. The result ends that. */
function makeUnreadable(file: string): () => void {
  if (process.platform === 'win32') {
    writeFileSync(file, '{}')
    const handle = openSync(file, EXCLUSIVE)
    return () => closeSync(handle)
  }
  // A link to itself.
  symlinkSync(basename(file), file)
  return () => rmSync(file)
}

describe('a data folder', () => {
  it.each(['/proc/x', '/dev/null/x'])(
    'that can not be made (%s) ends the command at once with exit code 2',
    (data) =>
      inWorld(async (place, service) => {
        place.write('a.txt', 'a')
        for (const line of [
          ['status'],
          ['upload', join(place.folder, 'a.txt')],
          ['watch', '--once', place.folder],
        ]) {
          const got = await place.run(line, { url: service.url, env: { SLIPWAY_DATA_DIR: data } })
          expect({ line, code: got.code, signal: got.signal }).toEqual({ line, code: 2, signal: null })
          expect(got.err).toContain(`The data folder ${data} can't be used`)
          expect(got.err).not.toMatch(/defect|\n\s+at /)
        }
        expect(service.ledger.files()).toEqual([])
      }),
  )

  it.each([
    ["that can't be read", true],
    ['with a file that can not be read', false],
  ])('%s is a finding of doctor, which continues', (_name, isBelowFile) =>
    inWorld(async (place, service) => {
      const data = isBelowFile ? join(place.write('file', ''), 'data') : place.data
      if (!isBelowFile) mkdirSync(data, { mode: 0o700 })
      const end = isBelowFile ? null : makeUnreadable(join(data, 'settings.json'))
      const got = await place.run(['doctor', '--json'], { url: service.url, env: { SLIPWAY_DATA_DIR: data } })
      expect(got.err).toBe('')
      const { checks } = JSON.parse(got.out) as {
        checks: { name: string; ok: boolean; message: string; hint?: string }[]
      }
      const found = new Map(checks.map((check) => [check.name, check]))
      expect(found.get('data folder')).toMatchObject({
        ok: false,
        message: expect.stringContaining(`The data folder ${data} can't be used`),
      })
      expect(found.get('data folder')?.hint).toContain('SLIPWAY_DATA_DIR')
      expect(found.get('network')?.ok).toBe(true)
      const other = await place.run(['status'], { url: service.url, env: { SLIPWAY_DATA_DIR: data } })
      expect({ code: other.code, err: other.err }).toEqual({
        code: 2,
        err: expect.stringContaining(`The data folder ${data} can't be used`),
      })
      end?.()
    }),
  )

  it('that all users share is refused and left as it is', () =>
    inWorld(async (place, service) => {
      const shared = join(place.home, 'shared')
      mkdirSync(shared)
      chmodSync(shared, 0o1777)
      for (const line of [['status'], ['doctor'], ['login']]) {
        const got = await place.run(line, {
          url: service.url,
          env: { SLIPWAY_DATA_DIR: shared },
          input: place.key,
        })
        expect(`${got.out}${got.err}`).toContain('it is shared with other users (mode 1777)')
        expect(got.code).not.toBe(0)
        expect(got.err).not.toMatch(/defect|\n\s+at /)
      }
      expect(statSync(shared).mode & 0o7777).toBe(0o1777)
    }))

  it('with a damaged owner.db is used as if nothing were wrong', () =>
    inWorld(async (place, service) => {
      const first = await place.run(['status'], { url: service.url })
      expect(first.code).toBe(0)
      writeFileSync(join(place.data, 'owner.db'), Buffer.alloc(9000, 7))
      const again = await place.run(['status'], { url: service.url })
      expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: '' })
    }))

  it('whose journal can’t be migrated causes a message, and is kept', () =>
    inWorld(async (place, service) => {
      expect((await place.run(['status'], { url: service.url })).code).toBe(0)
      const journal = new DatabaseSync(join(place.data, 'journal.db'))
      const version = Number(journal.prepare('PRAGMA user_version').get()?.['user_version'])
      journal.exec(`PRAGMA user_version = ${version - 1}`)
      journal.close()
      const got = await place.run(['status', '--json'], { url: service.url })
      expect(got.code).toBe(1)
      expect(JSON.parse(got.out)).toMatchObject({
        error: { code: 'journal-unusable', hint: expect.stringContaining('Nothing is lost.') },
      })
      expect(got.err).toMatch(
        /^slipway: The journal couldn't be updated to version \d+: (?:(?:index|table) \w+ already exists|duplicate column name: \w+)\.\n {2}Nothing is lost\./,
      )
      expect(readdirSync(place.data).filter((name) => name.includes('corrupt'))).toEqual([])
    }))
})

describe('a signal', () => {
  it('is answered at once while another engine owns the folder and says nothing', () =>
    inWorld(async (place, service) => {
      mkdirSync(place.data, { mode: 0o700 })
      const paths = dataPaths(place.data, {})
      const owner = acquireOwner(paths.owner)
      let calls = 0
      const called = Promise.withResolvers<void>()
      const silent = createServer((socket) => {
        calls++
        socket.on('error', () => undefined)
        called.resolve()
      }).listen(openEndpoint(paths).path)
      await once(silent, 'listening')
      const running = place.start(['watch', '--json', '--once', place.folder], { url: service.url })
      // From here on the command waits for an answer, and would repeat the request if none came.
      await called.promise
      running.child.kill('SIGTERM')
      const ended = await running.ended
      expect({ code: ended.code, calls }).toEqual({ code: 130, calls: 1 })
      expect(JSON.parse(ended.out)).toMatchObject({ event: 'summary', uploaded: 0 })
      silent.close()
      if (owner.ok) owner.release()
    }))
})

if (process.platform === 'linux')
  describeNeeding('mounting', 'a disk that is full', () => {
    const onSmallDisk = (
      work: (place: Place, service: Service, fill: () => void, room: () => void) => Promise<void>,
    ): Promise<void> =>
      inWorld(async (place, service) => {
        mkdirSync(place.data, { mode: 0o700 })
        mountSmall(place.data, 24)
        const filler = join(place.data, 'filler')
        const fill = (): void => {
          const { bavail, bsize } = statfsSync(place.data)
          // Another process may use some of the space. Whatever fits is enough.
          try {
            writeFileSync(filler, Buffer.alloc(bavail * bsize))
          } catch {
            expect(statfsSync(place.data).bavail).toBeLessThan(8)
          }
        }
        try {
          await work(place, service, fill, () => rmSync(filler, { force: true }))
        } finally {
          takeOut(place.data)
        }
      }, 60)

    it('is reported if nothing can be opened', () =>
      onSmallDisk(async (place, service, fill) => {
        fill()
        const got = await place.run(['status'], { url: service.url })
        expect(got).toMatchObject({ code: 1, out: '' })
        expect(got.err).toContain(`Couldn't write to disk: no space left in ${place.data}.`)
        expect(got.err).not.toMatch(/internal error|defect|\n\s+at /i)
      }))

    it('or became read-only is a disk error, not invalid usage: exit code 1', () =>
      onSmallDisk(async (place, service) => {
        expect((await place.run(['status'], { url: service.url })).code).toBe(0)
        forbidWriting(place.data)
        const got = await place.run(['upload', place.write('a.txt', 'a'), '--json'], { url: service.url })
        expect(got.code).toBe(1)
        expect(got.err).toContain(`Couldn't write to disk: no writing is allowed in ${place.data}.`)
        expect(JSON.parse(got.out)).toMatchObject({ error: { code: 'disk' } })
        expect(service.ledger.files()).toEqual([])
      }))

    it.each([[['upload']], [['upload', '--json']], [['plan']]])(
      'is reported in plain words, and nothing is sent: %j',
      (args) =>
        onSmallDisk(async (place, service, fill) => {
          const path = place.write('a.txt', 'a')
          // The data folder is in use before its disk is full.
          expect((await place.run(['status'], { url: service.url })).code).toBe(0)
          fill()
          const got = await place.run([...args, path], { url: service.url })
          expect(got).toMatchObject({ code: 1, signal: null })
          expect(got.err).not.toMatch(/internal error|defect|mistake|^\s+at /im)
          expect(got.err).toContain("Couldn't write to disk: no space left")
          if (args.includes('--json')) expect(JSON.parse(got.out)).toMatchObject({ error: { code: 'disk' } })
          expect(service.ledger.files()).toEqual([])
        }),
    )

    it('pauses uploads, says so, and everything resumes by itself; signals still work in the meantime', () =>
      onSmallDisk(async (place, service, fill, room) => {
        const upTo = (count: number) =>
          expect.poll(() => service.ledger.files().length).toBeGreaterThanOrEqual(count)
        for (let i = 0; i < 150; i++) place.write(`${i}.txt`, `content ${i}`)
        const running = place.start(['watch', place.folder, '--json'], { url: service.url })
        await upTo(10)
        fill()
        await running.warns("Couldn't write to disk: no space left in")
        room()
        await upTo(100)
        fill()
        await new Promise((resolve) => setTimeout(resolve, 1500))
        const at = performance.now()
        running.child.kill('SIGTERM')
        const ended = await running.ended
        expect({ code: ended.code, soon: performance.now() - at < 6000 }).toEqual({ code: 130, soon: true })
        expect(ended.err).toContain("Couldn't write to disk: no space left in")
        expect(ended.err).not.toMatch(/internal error|defect|\n\s+at /i)
        room()
        const again = await place.run(['watch', '--once', place.folder, '--quiet'], { url: service.url })
        expect({ code: again.code, files: service.ledger.files().length }).toEqual({ code: 0, files: 150 })
      }))
  })
