// The platform's own parts on the real system: one owner per data folder, private folders, the log's
// redaction, the control socket's behaviour, names that aren't UTF-8, and the disk port's threads.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Transferable } from 'node:worker_threads'
import { beforeEach, describe, expect, it } from 'vitest'
import { namesOf } from '../../../src-main/engine/find/entries.ts'
import { DiskError } from '../../../src-main/engine/ports.ts'
import { SERVICE } from '../../../src-main/platform/account/keychain.ts'
import { dataDir, dataPaths } from '../../../src-main/platform/data/paths.ts'
import { createDisk } from '../../../src-main/platform/disk/disk.ts'
import { createHashing } from '../../../src-main/platform/disk/hashing.ts'
import { hasLinkAbove, hasLinkAboveSync } from '../../../src-main/platform/disk/open-inside.ts'
import { forPeople, fromNative, toNative } from '../../../src-main/platform/disk/path-codec.ts'
import { findsWriters, sharedWritable } from '../../../src-main/platform/disk/writers.ts'
import { connectControl, createControlServer } from '../../../src-main/platform/host/control-socket.ts'
import { dispatch } from '../../../src-main/platform/host/engine-local.ts'
import { acquireOwner } from '../../../src-main/platform/host/owner-lock.ts'
import { createLog } from '../../../src-main/platform/log.ts'
import { spawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'
import type { Handlers } from '../../../src-shared/engine-contract.ts'
import { itNeeding } from '../../tools/needing.ts'
import { ROOT } from '../../tools/tree.ts'
import { connectRaw, endpointIn } from '../../world/control-peer.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const NODE = process.execPath
let dir = ''
beforeEach(() => {
  dir = tempFolder()
})

describe('owner lock', () => {
  /**
   * Tries to become the owner in a separate process. An owner stays one until `end` is called, which resolves
   * once the process has ended.
   */
  const contender = (file: string): Promise<{ readonly answer: string; readonly end: () => Promise<void> }> =>
    new Promise((resolve) => {
      const code = `import { acquireOwner } from ${JSON.stringify(pathToFileURL(join(ROOT, 'src-main/platform/host/owner-lock.ts')).href)}; const got = acquireOwner(${JSON.stringify(file)}); console.log(got.ok ? 'owner' : 'other'); if (got.ok) setTimeout(() => {}, 60_000)`
      const child = spawn(NODE, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(child, 'exit')
      child.stdout.setEncoding('utf8').once('data', (text: string) => {
        const end = async (): Promise<void> => {
          child.kill('SIGKILL')
          await ended
        }
        resolve({ answer: text.trim(), end })
      })
    })

  it('lets exactly one of many in', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => contender(join(dir, 'owner.db'))))
    await Promise.all(results.map(({ end }) => end()))
    expect(results.filter(({ answer }) => answer === 'owner')).toHaveLength(1)
  })

  it('is free again after a kill and after a release', async () => {
    const file = join(dir, 'owner.db')
    const first = await contender(file)
    expect(first.answer).toBe('owner')
    await first.end()
    const got = acquireOwner(file)
    expect(got.ok).toBe(true)
    expect(acquireOwner(file).ok).toBe(false)
    if (got.ok) got.release()
    const again = acquireOwner(file)
    expect(again.ok).toBe(true)
    if (again.ok) again.release()
  })
})

describe('paths', () => {
  it('are the app data folder of each system, or the one that is named', () => {
    expect(dataDir({ SLIPWAY_DATA_DIR: '/x/y' }, 'linux')).toBe('/x/y')
    expect(dataDir({ XDG_CONFIG_HOME: '/c' }, 'linux')).toBe('/c/Slipway')
    expect(dataDir({}, 'darwin')).toContain('Library/Application Support/Slipway')
    expect(dataDir({ APPDATA: '/a' }, 'win32')).toContain('Slipway')
  })

  it('are absolute whatever the environment holds', () => {
    for (const value of ['', 'relative', '.\\here'])
      expect(win32.isAbsolute(dataDir({ APPDATA: value }, 'win32'))).toBe(true)
    // On Windows the home folder isn't a POSIX path.
    for (const value of process.platform === 'win32' ? [] : ['', 'relative', './here'])
      expect(posix.isAbsolute(dataDir({ XDG_CONFIG_HOME: value }, 'linux'))).toBe(true)
    expect(dataDir({ APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' }, 'win32')).toBe(
      'C:\\Users\\ada\\AppData\\Roaming\\Slipway',
    )
    expect(dataDir({ SLIPWAY_DATA_DIR: 'D:/data' }, 'win32')).toBe('D:\\data')
  })

  it.skipIf(process.platform === 'win32')('keep the socket short enough for every system', () => {
    expect(Buffer.byteLength(dataPaths(`/${'long/'.repeat(60)}`, {}).socket ?? '')).toBeLessThanOrEqual(100)
  })

  it.skipIf(process.platform === 'win32')('are one socket for one folder, however it is reached', () => {
    const long = join(dir, 'long'.repeat(25), 'data')
    symlinkSync(dir, join(dir, 'by-link'))
    const other = join(dir, 'by-link', 'long'.repeat(25), 'data')
    // The socket's path is the same before the folder exists: the first command creates the folder, the
    // second finds it.
    const { socket } = dataPaths(long, {})
    expect(dataPaths(other, {}).socket).toBe(socket)
    mkdirSync(long, { recursive: true })
    expect([dataPaths(long, {}).socket, dataPaths(other, {}).socket]).toEqual([socket, socket])
    expect(dataPaths(join(dir, 'long'.repeat(25), 'other'), {}).socket).not.toBe(dataPaths(long, {}).socket)
  })
})

describe('log', () => {
  it('blots out keys, shortens the home folder, rotates, and is private', () => {
    const file = join(dir, 'x.log')
    const log = createLog({ file, home: '/home/somebody', now: () => 0 })
    log.addSecret('s3cret-"key"')
    log.info('event', {
      a: 'with s3cret-"key" inside',
      b: 'Authorization: Bearer abcdef',
      path: '/home/somebody/Share/a.txt',
    })
    log.flush()
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/s3cret|abcdef|somebody/)
    expect(text).toContain('~/Share/a.txt')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    for (let i = 0; i < 900; i++) log.info('fill', { text: 'x'.repeat(8000), i })
    log.flush()
    for (let i = 0; i < 10; i++) log.info('after')
    log.close()
    expect(statSync(`${file}.1`).size).toBeGreaterThan(0)
  })

  it('rotates by the bytes on the disk, whatever is written', () => {
    const file = join(dir, 'wide.log')
    const log = createLog({ file, now: () => 0 })
    // Each of these characters is one unit of a string and three bytes in a file. A file holds at most 5 MiB.
    for (let i = 0; i < 9; i++) {
      for (let line = 0; line < 40; line++) log.info('wide', { text: '木'.repeat(8000), line })
      log.flush()
    }
    log.close()
    const sizes = ['', '.1', '.2'].map(
      (ending) => statSync(`${file}${ending}`, { throwIfNoEntry: false })?.size ?? 0,
    )
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * 1024 * 1024)
    expect(sizes[1]).toBeGreaterThan(0)
  })

  it('stays within its limit while its file can’t be renamed, and counts the lines that are missing', () => {
    const file = join(dir, 'stuck.log')
    for (const ending of ['.1', '.2']) mkdirSync(join(`${file}${ending}`, 'in-the-way'), { recursive: true })
    const log = createLog({ file, now: () => 0 })
    const write = (): void => {
      for (let line = 0; line < 40; line++) log.info('wide', { text: '木'.repeat(8000), line })
      log.flush()
    }
    const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').trimEnd().split('\n')
    for (let i = 0; i < 9; i++) write()
    expect(statSync(file).size).toBeLessThanOrEqual(5 * 1024 * 1024)
    for (const ending of ['.1', '.2']) rmSync(`${file}${ending}`, { recursive: true })
    write()
    const written = linesOf(`${file}.1`).length
    expect(JSON.parse(linesOf(file)[0] ?? '')).toMatchObject({
      event: 'log.dropped',
      count: 9 * 40 - written,
    })
    expect(linesOf(file)).toHaveLength(41)
  })

  it('keeps what else happened while a page or a service causes the same warning again and again', () => {
    const file = join(dir, 'flood.log')
    let at = 0
    const log = createLog({ file, now: () => at })
    const events = (): readonly string[] => {
      log.flush()
      return readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly event: string }).event)
    }
    const flood = (): void => {
      for (let i = 0; i < 50_000; i++) log.warn('ipc.stranger', { url: 'x'.repeat(200) })
    }
    log.warn('before')
    flood()
    log.error('beside')
    for (let i = 0; i < 200; i++) log.info('transfer.done', { i })
    expect(events().filter((event) => event === 'ipc.stranger')).toHaveLength(100)
    expect(events().filter((event) => event === 'transfer.done')).toHaveLength(200)
    expect(events()).toEqual(expect.arrayContaining(['before', 'beside', 'log.limited']))
    at = 60_000
    flood()
    expect(events().filter((event) => event === 'ipc.stranger')).toHaveLength(200)
    expect(events().filter((event) => event === 'log.limited')).toHaveLength(2)
  })

  it('never throws where it can not write', () => {
    const log = createLog({ file: join(dir, 'no/such/place.log') })
    log.error('event')
    expect(() => log.close()).not.toThrow()
  })
})

describe('control socket', () => {
  const open = async (handle: (procedure: string, input: unknown) => Promise<unknown>) => {
    const endpoint = endpointIn(dir)
    const server = await createControlServer({
      endpoint,
      version: 1,
      handle,
      tooLong: null,
      onClients: () => undefined,
    })
    return { endpoint, server }
  }

  it('answers calls, tells events, and is for this user alone', async () => {
    const { endpoint, server } = await open(async (procedure, input) => ({ procedure, input }))
    if (process.platform !== 'win32') expect(statSync(endpoint.path).mode & 0o777).toBe(0o600)
    const client = await connectControl({ endpoint, version: 1, timeoutMs: 2000 })
    if (client === null) throw new Error('no client')
    expect(await client.call('p', { a: ['😀\n'] })).toEqual({ procedure: 'p', input: { a: ['😀\n'] } })
    const events: unknown[] = []
    client.onEvent((event) => events.push(event))
    server.broadcast({ seq: 1 })
    await client.call('flush', null)
    expect(events).toEqual([{ seq: 1 }])
    await client.close()
    await server.close()
  })

  it('cuts off who sends garbage, and goes on with the others', async () => {
    const { endpoint, server } = await open(async () => 'ok')
    const good = await connectControl({ endpoint, version: 1, timeoutMs: 2000 })
    for (const bad of [
      'not json\n',
      '{"type":"call"}\n',
      'x'.repeat(9 * 1024 * 1024),
      '{"type":"answer","id":1}\n',
    ]) {
      const socket = await connectRaw(endpoint)
      await new Promise<void>((resolve) => {
        socket.on('close', () => resolve())
        socket.resume()
        socket.write(bad)
      })
    }
    expect(await good?.call('p', {})).toBe('ok')
    await good?.close()
    await server.close()
  })

  it('carries out nothing that follows garbage', async () => {
    const asked: string[] = []
    const { endpoint, server } = await open(async (procedure) => asked.push(procedure))
    const socket = await connectRaw(endpoint)
    await new Promise<void>((resolve) => {
      socket.on('close', () => resolve())
      socket.resume()
      const call = (procedure: string): string =>
        `${JSON.stringify({ type: 'call', id: 1, procedure, input: {} })}\n`
      socket.write(`${call('before')}garbage\n${call('after')}`)
    })
    expect(asked).toEqual(['before'])
    await server.close()
  })

  it('asks no engine in a folder that others may write to: who listens there may be anybody', async () => {
    const { endpoint, server } = await open(async () => 'ok')
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    chmodSync(dir, 0o777)
    expect(await connectControl({ endpoint, version: 1, timeoutMs: 2000 })).toBeNull()
    chmodSync(dir, 0o755)
    const client = await connectControl({ endpoint, version: 1, timeoutMs: 2000 })
    expect(await client?.call('p', {})).toBe('ok')
    await client?.close()
    await server.close()
  })

  // Only root can change a folder's owner.
  itNeeding('root', 'asks no engine in a folder of another user', async () => {
    const { endpoint, server } = await open(async () => 'ok')
    chownSync(dir, 12_345, 12_345)
    expect(await connectControl({ endpoint, version: 1, timeoutMs: 2000 })).toBeNull()
    chownSync(dir, 0, 0)
    await server.close()
  })

  it('answers with sentences of a bounded length, whatever the names in a request', async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const name = 'x'.repeat(100_000)
    const answers = [
      await dispatch({} as Handlers, 'pause', { [name]: 1 }, log),
      await dispatch({} as Handlers, name, {}, log),
    ]
    for (const answer of answers) expect(JSON.stringify(answer).length).toBeLessThan(1000)
  })

  it('says that the disk is full, not that Slipway made a mistake', async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
    const handlers = { snapshot: () => Promise.reject(full) } as Partial<Handlers> as Handlers
    expect(await dispatch(handlers, 'snapshot', {}, log)).toMatchObject({
      failure: { code: 'disk', title: "Couldn't write to disk: no space left." },
    })
  })

  it('takes the place of a dead one, and says when nobody is there or another version', async () => {
    expect(await connectControl({ endpoint: endpointIn(dir), version: 1, timeoutMs: 500 })).toBeNull()
    writeFileSync(join(dir, 'c.sock'), 'left by a dead engine')
    const { endpoint, server } = await open(async () => 'ok')
    await expect(connectControl({ endpoint, version: 2, timeoutMs: 2000 })).rejects.toThrow(
      /a different version. Quit or restart it/,
    )
    await server.close()
  })

  it('rejects calls that lose their engine', async () => {
    const { endpoint, server } = await open(() => new Promise(() => undefined))
    const client = await connectControl({ endpoint, version: 1, timeoutMs: 2000 })
    const call = client?.call('never', {}).catch((error: unknown) => String(error))
    await server.close()
    expect(await call).toMatch(/closed/)
  })
})

describe('path codec', () => {
  it('carries bytes that belong to no character there and back', () => {
    const raw = Buffer.from([0x61, 0xff, 0xc3, 0xa4, 0xfe, 0x2e, 0x74])
    const text = fromNative(raw)
    expect(Buffer.from(toNative(text)).equals(raw)).toBe(true)
    expect(forPeople(text)).toBe('a\uFFFDä\uFFFD.t')
    expect(toNative('plain ä 😀')).toBe('plain ä 😀')
  })
})

describe('disk and hashing threads', () => {
  it('list what is there, odd names included, and say what is not', async () => {
    const disk = createDisk({ spawn: spawnWorker })
    mkdirSync(join(dir, 'sub'))
    writeFileSync(join(dir, 'a.txt'), 'abc')
    symlinkSync('a.txt', join(dir, 'link'))
    const odd = Buffer.concat([Buffer.from(`${dir}/odd-`), Buffer.from([0xff, 0xfe])])
    writeFileSync(odd, 'odd')
    const [list, missing] = await disk.list([dir, join(dir, 'nowhere')])
    expect(
      namesOf(list ?? { names: '' })
        .map(forPeople)
        .toSorted(),
    ).toEqual(['a.txt', 'link', 'odd-\uFFFD\uFFFD', 'sub'])
    expect(missing?.failure?.code).toBe('gone')
    const name = namesOf(list ?? { names: '' }).find((n) => n.startsWith('odd-')) ?? ''
    const file = await disk.open(join(dir, name))
    const into = new Uint8Array(8)
    expect(await file.read(into, 0)).toBe(3)
    await file.close()
    expect(
      (await disk.stat([join(dir, 'a.txt'), join(dir, 'no')])).map((s) =>
        s === null ? null : 'size' in s ? s.size : s.code,
      ),
    ).toEqual([3, null])
    await expect(disk.open(join(dir, 'link'))).rejects.toBeInstanceOf(DiskError)
    await expect(disk.open(join(dir, 'sub'))).rejects.toBeInstanceOf(DiskError)
    await disk.close()
  })

  it.runIf(process.platform === 'linux')(
    'open nothing by way of a folder whose place a link took',
    async () => {
      const disk = createDisk({ spawn: spawnWorker })
      mkdirSync(join(dir, 'private'))
      mkdirSync(join(dir, 'share/sub'), { recursive: true })
      writeFileSync(join(dir, 'private/id.txt'), 'secret')
      writeFileSync(join(dir, 'share/sub/id.txt'), 'harmless')
      const path = join(dir, 'share/sub/id.txt')
      const file = await disk.open(path)
      await file.close()
      rmSync(join(dir, 'share/sub'), { recursive: true })
      symlinkSync(join(dir, 'private'), join(dir, 'share/sub'))
      await expect(disk.open(path)).rejects.toMatchObject({ failure: { code: 'loop' } })
      await disk.close()
    },
  )

  it('are known to lie below a link on systems where an open file has no path', async () => {
    mkdirSync(join(dir, 'private'))
    mkdirSync(join(dir, 'share'))
    writeFileSync(join(dir, 'private/id.txt'), 'secret')
    writeFileSync(join(dir, 'share/own.txt'), 'harmless')
    symlinkSync(join(dir, 'private'), join(dir, 'share/sub'))
    symlinkSync('own.txt', join(dir, 'share/link.txt'))
    const answers = new Map<string, boolean>()
    for (const name of ['share/own.txt', 'share/sub/id.txt', 'share/link.txt']) {
      const path = join(realpathSync(dir), name)
      answers.set(name, hasLinkAboveSync(path))
      expect(await hasLinkAbove(path)).toBe(hasLinkAboveSync(path))
    }
    expect(Object.fromEntries(answers)).toEqual({
      'share/own.txt': false,
      'share/sub/id.txt': true,
      'share/link.txt': false,
    })
    await expect(hasLinkAbove(join(dir, 'share/none.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(() => hasLinkAboveSync(join(dir, 'share/none.txt'))).toThrow(/ENOENT/)
  })

  it('go when they are told to rest, never in the middle of something, and come back when asked', async () => {
    const spawned: string[] = []
    const exits: Promise<unknown>[] = []
    const counting: typeof spawnWorker = (role) => {
      const worker = spawnWorker(role)
      spawned.push(role)
      exits.push(once(worker, 'exit'))
      return worker
    }
    const disk = createDisk({ spawn: counting })
    const hashing = createHashing({ spawn: counting })
    writeFileSync(join(dir, 'a.txt'), 'abc')
    const hashOf = async (): Promise<string> => {
      const stream = hashing.stream()
      void stream.update(Buffer.from('abc'))
      const digest = stream.digest()
      hashing.rest()
      return digest
    }
    const asked = disk.list([dir])
    disk.rest()
    expect((await asked)[0]?.names).toBe('a.txt/')
    const first = await hashOf()
    expect(first).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(spawned).toEqual(['disk', 'hash'])
    disk.rest()
    hashing.rest()
    // The old threads end while the new ones are working, without affecting them.
    const again = [disk.list([dir]), hashOf()] as const
    await Promise.all(exits.slice(0, 2))
    expect((await again[0])[0]?.names).toBe('a.txt/')
    expect(await again[1]).toBe(first)
    expect(spawned).toEqual(['disk', 'hash', 'disk', 'hash'])
    await Promise.all([disk.close(), hashing.close()])
  })

  it('see who holds a file open for writing', async () => {
    const disk = createDisk({ spawn: spawnWorker })
    const path = join(dir, 'held.txt')
    const program = `require('node:fs').openSync(${JSON.stringify(path)}, 'w'); console.log('ready'); setInterval(() => 0, 1000)`
    const child = spawn(NODE, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child.stdout, 'data')
    writeFileSync(join(dir, 'free.txt'), '')
    const writers = await disk.openForWriting([path, join(dir, 'free.txt')])
    expect([...(writers ?? [])]).toEqual(findsWriters() ? [path] : [])
    child.kill('SIGKILL')
    await once(child, 'exit')
    await disk.close()
  })

  it.skipIf(process.platform !== 'linux')('see who has a file mapped for writing', async () => {
    const disk = createDisk({ spawn: spawnWorker })
    const file = join(dir, 'mapped.db')
    // SQLite maps the index of its log as shared and writable.
    const program = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(${JSON.stringify(file)});
      db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)'); console.log('ready'); setInterval(() => db, 1000)`
    const child = spawn(NODE, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child.stdout, 'data')
    const mapped = await disk.mappedForWriting([file, `${file}-shm`])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect([...(mapped ?? [])]).toEqual([`${file}-shm`])
    expect(await disk.mappedForWriting([file, `${file}-shm`])).toEqual(new Set())
    await disk.close()
  })

  it.each([
    ['7f12a000-7f13a000 rw-s 00000000 fd:01 42                         /home/u/a b.bin', ['/home/u/a b.bin']],
    [
      '7f12a000-7f13a000 rw-s 00000000 fd:01 42                         /home/u/two\\012lines',
      ['/home/u/two\nlines'],
    ],
    ['7f12a000-7f13a000 r--s 00000000 fd:01 42                         /home/u/read', []],
    ['7f12a000-7f13a000 rw-p 00000000 fd:01 42                         /home/u/private', []],
    ['7f12a000-7f13a000 rw-s 00000000 00:01 42', []],
  ])('read a line of maps: %s', (line, paths) => {
    expect(sharedWritable(Buffer.from(`${line}\n`))).toEqual(paths)
  })

  it('hash a stream as they hash a whole', async () => {
    const hashing = createHashing({ spawn: spawnWorker })
    const data = Buffer.alloc(20 * 1024 * 1024, 'slipway')
    const hasher = hashing.stream()
    for (let at = 0; at < data.length; at += 512 * 1024)
      await hasher.update(data.subarray(at, at + 512 * 1024))
    expect(await hasher.digest()).toBe(hashing.now(data))
    const dropped = hashing.stream()
    await dropped.update(data.subarray(0, 10))
    dropped.drop()
    await hashing.close()
  })

  it('hand small pieces over together: a service that drips is no flood of messages', async () => {
    const data = randomBytes(300_000)
    let messages = 0
    const hashing = createHashing({
      spawn: (role) => {
        const worker = spawnWorker(role)
        const post = worker.postMessage.bind(worker)
        worker.postMessage = (value: unknown, transfer?: readonly Transferable[]) => {
          messages++
          post(value, transfer)
        }
        return worker
      },
    })
    const hasher = hashing.stream()
    // One byte at a time, then chunks of sizes around the limit, then a large one.
    let at = 0
    for (const size of [
      ...Array.from({ length: 5000 }, () => 1),
      64 * 1024 - 1,
      64 * 1024,
      64 * 1024 + 1,
      3,
      0,
    ]) {
      await hasher.update(data.subarray(at, at + size))
      at += size
    }
    await hasher.update(data.subarray(at))
    expect(await hasher.digest()).toBe(hashing.now(data))
    expect(messages).toBeLessThan(10)
    const nothing = hashing.stream()
    expect(await nothing.digest()).toBe(hashing.now(Buffer.alloc(0)))
    await hashing.close()
  })
})

it('the keychain shows a name that a person knows', () => {
  expect(SERVICE).toBe('Slipway')
})
