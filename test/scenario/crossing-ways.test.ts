// Concurrent events: a file is renamed while it is settling, a folder is watched inside another one and then
// separately, a file is cancelled or changed while it is sent, and two commands add the same folder.
import { describe, expect, it } from 'vitest'
import type { Input } from '../../src-shared/engine-contract.ts'
import { live } from '../world/live.ts'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type Hooks, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const INNER = `${FOLDER}/inner`
const KEY =
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n-----END OPENSSH PRIVATE KEY-----\n'

async function open(options: Parameters<typeof openWorld>[0] = {}, hooks: Hooks = {}): Promise<World> {
  return openWorld({ plan: 'enterprise', ...options }, hooks)
}
/** Watches a folder as a command does, until `leave` is called. */
async function watch(
  w: World,
  path: string,
  existing: 'upload' | 'skip' = 'upload',
): Promise<{ readonly leave: () => Promise<void> }> {
  const watcher = `${Math.random()}`
  const folderId = await w.watch({ path, existing, keep: false, changeRules: true, watcher })
  await w.pass(8000)
  return {
    leave: async () => {
      await w.handlers.unwatch({ folderId, watcher })
    },
  }
}

async function upload(w: World, path: string): Promise<string> {
  const got = await valueOf(w.handlers.upload({ paths: [path], again: false, token: `${Math.random()}` }))
  return got.items.map((item) => item.outcome).join()
}

describe('a rename while a file is being observed', () => {
  it('causes it to be sent under its new name at once', async () => {
    const w = await open()
    await w.watch()
    await w.pass(5000)
    w.disk.write(`${FOLDER}/a.txt`, 'hello')
    await w.pass(120)
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    await w.pass(10_000)
    expect(live(w)).toEqual(['b.txt'])
  })

  it('causes a moved directory’s files to be sent', async () => {
    const w = await open()
    await w.watch()
    await w.pass(5000)
    w.disk.mkdir(`${FOLDER}/one`)
    w.disk.write(`${FOLDER}/one/a.txt`, 'hello')
    await w.pass(120)
    w.disk.rename(`${FOLDER}/one`, `${FOLDER}/two`)
    await w.pass(10_000)
    expect(live(w)).toEqual(['a.txt'])
  })
})

describe('a folder inside another one', () => {
  it.each([
    ['upload', 'upload'],
    ['skip', 'upload'],
    ['skip', 'skip'],
  ] as const)(
    'watched (%s), then the outer one (%s), then it alone: waiting files are uploaded',
    async (inside, outside) => {
      const w = await open()
      w.disk.mkdir(INNER)
      await w.handlers.pause({})
      const first = await watch(w, INNER, inside)
      w.disk.write(`${INNER}/x.txt`, 'hello')
      await w.pass(8000)
      await first.leave()
      const second = await watch(w, FOLDER, outside)
      await second.leave()
      await watch(w, INNER, inside)
      await w.handlers.resume({})
      await w.pass(100_000)
      expect(live(w)).toEqual(['x.txt'])
    },
  )

  it('leaves files held that may already be on the service', async () => {
    const w = await open()
    w.disk.mkdir(INNER)
    w.disk.write(`${INNER}/x.txt`, 'hello')
    await w.pass(60_000)
    await w.handlers.pause({})
    await watch(w, FOLDER)
    w.sql("UPDATE transfers SET state = 'held', reason = 'ambiguous'")
    await watch(w, INNER)
    await w.handlers.resume({})
    await w.pass(60_000)
    expect((await w.byName('x.txt'))?.reason).toBe('ambiguous')
    expect(live(w)).toEqual([])
  })

  it('that skips existing files cancels what the outer one has queued, and the outer one leaves it out, too', async () => {
    const w = await open()
    w.disk.mkdir(INNER)
    w.disk.write(`${INNER}/x.txt`, 'hello')
    await w.pass(60_000)
    await w.handlers.pause({})
    const outer = await watch(w, FOLDER)
    const inner = await watch(w, INNER, 'skip')
    await w.handlers.resume({})
    await w.pass(30_000)
    expect(live(w)).toEqual([])
    await outer.leave()
    await inner.leave()
    await watch(w, FOLDER)
    await w.pass(30_000)
    expect(live(w)).toEqual([])
  })
})

describe('watching that ends and begins again', () => {
  it('still replaces the version before the one that was deleted', async () => {
    const w = await open()
    const id = await w.watch({ onChange: 'replace' })
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.pass(10_000)
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/a.txt`, 'two two')
    await w.pass(10_000)
    await w.handlers.unwatch({ folderId: id })
    await w.watch({ onChange: 'replace' })
    await w.handlers.resume({})
    await w.pass(30_000)
    expect(w.service.ledger.live().map((file) => file.size)).toEqual([7])
  })

  it('leaves observed files to the new watch if the old one ends late', async () => {
    const w = await open()
    const id = await w.watch()
    await w.pass(5000)
    const { list } = w.disk
    let answer = (): void => undefined
    w.disk.list = async (dirs) => {
      w.disk.list = list
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return list(dirs)
    }
    const look = w.handlers.rescan({ folderId: id })
    await w.pass(10)
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    const ended = w.handlers.unwatch({ folderId: id })
    await w.watch()
    await w.pass(60)
    answer()
    await Promise.all([look, ended])
    await w.pass(20_000)
    expect(live(w)).toEqual(['a.txt'])
  })

  it('is over for the other command too, even if another engine has taken over since', async () => {
    const w = await open()
    const request: Input<'watch'> = {
      path: FOLDER,
      existing: 'upload',
      onChange: 'new-link',
      ignore: [],
      keep: false,
    }
    const folderId = await w.watch({ ...request, watcher: 'one' })
    await w.handlers.watch({ ...request, watcher: 'two' })
    await w.pass(5000)
    await w.handlers.unwatch({ folderId })
    await w.crash()
    const again = await w.handlers.watch({ ...request, watcher: 'two', continued: true })
    expect(again).toMatchObject({ failure: { refusal: 'unwatched' } })
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.pass(30_000)
    expect(live(w)).toEqual([])
    // A command that begins now watches it again, and the others may join it.
    expect(await w.handlers.watch({ ...request, watcher: 'three' })).toMatchObject({ ok: true })
    expect(await w.handlers.watch({ ...request, watcher: 'two', continued: true })).toMatchObject({
      ok: true,
    })
    await w.pass(30_000)
    expect(live(w)).toEqual(['a.txt'])
  })

  it('is over for a command that was just about to continue it', async () => {
    const w = await open()
    const request: Input<'watch'> = {
      path: FOLDER,
      existing: 'upload',
      onChange: 'new-link',
      ignore: [],
      keep: false,
    }
    const folderId = await w.watch({ ...request, watcher: 'one' })
    await w.pass(5000)
    await w.crash()
    const { stat } = w.disk
    const reached = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    w.disk.stat = async (paths) => {
      reached.resolve()
      await answered.promise
      return stat(paths)
    }
    const again = w.handlers.watch({ ...request, watcher: 'one', continued: true })
    await reached.promise
    w.disk.stat = stat
    await w.handlers.unwatch({ folderId })
    answered.resolve()
    expect(await again).toMatchObject({ failure: { refusal: 'unwatched' } })
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.pass(30_000)
    expect(live(w)).toEqual([])
  })

  it('allows two commands to add the same folder at once', async () => {
    const w = await open()
    const both = await Promise.all([watch(w, FOLDER), watch(w, FOLDER)])
    expect(both).toHaveLength(2)
    const folders = w.sql('SELECT path FROM folders')
    expect(folders.map(({ path }) => slashes(String(path)))).toEqual([FOLDER])
  })
})

describe('a file that is cancelled while it is read', () => {
  it.each([
    ['ordinary bytes', 'one'],
    ['a secret', KEY],
  ])('is neither sent nor held: %s', async (_, content) => {
    const w = await open()
    w.disk.mkdir('/home/me')
    w.disk.write('/home/me/a.txt', content)
    await w.pass(60_000)
    w.disk.onceRead('/home/me/a.txt', () => void w.handlers.cancel({ ids: [1] }))
    await upload(w, '/home/me/a.txt')
    await w.pass(30_000)
    expect((await w.transfers()).map((t) => t.state)).toEqual(['cancelled'])
    expect(w.sql('SELECT attempts FROM transfers')).toEqual([{ attempts: 0 }])
  })
})

describe('a file that is cancelled while the reason for its refusal is being determined', () => {
  it('is not sent once the plan has the API again', async () => {
    let onStats = (): void => undefined
    const w = await open(
      { faults: { rules: [{ on: 'upload', nth: 1, kinds: 'downgrade' }] } },
      {
        onAnswer: (request) => {
          if (request === 'stats') onStats()
          return undefined
        },
      },
    )
    await w.watch()
    await w.pass(5000)
    let isCancelled = false
    onStats = () => {
      if (isCancelled) return
      isCancelled = true
      void w.handlers.cancel({ ids: [1] })
    }
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.pass(10_000)
    expect(isCancelled).toBe(true)
    expect(await w.byName('a.txt')).toMatchObject({ state: 'cancelled' })
    await w.handlers.retry({ ids: null })
    await w.pass(60_000)
    expect(w.service.ledger.files()).toEqual([])
  })

  it('isn’t sent by the next process either, if this one ended right after', async () => {
    const w = await open()
    await w.handlers.pause({})
    await w.watch()
    await w.pass(5000)
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.until(async () => (await w.byName('a.txt')) !== undefined)
    await w.crash(() => w.sql('UPDATE transfers SET cancel = 1'))
    await w.handlers.resume({})
    await w.pass(60_000)
    expect(await w.byName('a.txt')).toMatchObject({ state: 'cancelled' })
    expect(w.service.ledger.files()).toEqual([])
  })
})

describe('a file that changed since its upload was sent', () => {
  it('is sent as it is now if the user names it again, each version once', async () => {
    const faults = {
      rules: [
        { on: 'upload', nth: 1, kinds: 'cut-after-store' },
        { on: 'list', kinds: 'error-before-store' },
      ],
    } as const
    const w = await open({ faults })
    w.disk.mkdir('/home/me')
    w.disk.write('/home/me/a.txt', 'one')
    await w.pass(60_000)
    await upload(w, '/home/me/a.txt')
    await w.pass(300)
    expect((await w.byName('a.txt'))?.state).toBe('unknown')
    w.disk.write('/home/me/a.txt', 'two two')
    await w.pass(300)
    await upload(w, '/home/me/a.txt')
    w.service.setFaults({ rules: [] })
    await w.pass(600_000)
    const sizes = (): number[] => w.service.ledger.live().map((file) => file.size)
    expect(sizes()).toEqual([3, 7])
    expect((await w.byName('a.txt'))?.size).toBe(7)
  })

  it('is sent once if the version before it never arrived, and its folder is watched', async () => {
    const faults = {
      rules: [
        { on: 'upload', nth: 1, kinds: 'cut-after-body' },
        { on: 'list', kinds: 'error-before-store' },
      ],
    } as const
    const w = await open({ faults })
    await w.watch()
    await w.pass(5000)
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    w.disk.write(`${FOLDER}/a.txt`, 'two two')
    await w.pass(300)
    await upload(w, `${FOLDER}/a.txt`)
    await w.pass(10_000)
    w.service.setFaults({ rules: [] })
    await w.pass(600_000)
    expect(w.service.ledger.live().map((file) => file.size)).toEqual([7])
  })
})

describe('a released secret', () => {
  it('is held again if its bytes changed with the same size and time just before it was opened', async () => {
    const w = await open()
    const path = `${FOLDER}/k.txt`
    const id = await w.watch()
    await w.pass(5000)
    w.disk.write(path, KEY)
    await w.pass(10_000)
    const row = await w.byName('k.txt')
    expect(row?.reason).toBe('secret')
    const mtime = w.clock.now() - 10_000
    const { open: openFile } = w.disk
    w.disk.open = async (asked) => {
      w.disk.open = openFile
      w.disk.write(path, KEY.replace('b3Bl', 'c4Cm'))
      w.disk.setMtime(path, mtime)
      await w.handlers.rescan({ folderId: id })
      return openFile(asked)
    }
    w.disk.setMtime(path, mtime)
    await w.handlers.rescan({ folderId: id })
    await w.pass(10_000)
    await w.handlers.release({ ids: [(await w.byName('k.txt'))?.id ?? 0] })
    await w.pass(10_000)
    expect(live(w)).toEqual([])
    expect((await w.byName('k.txt'))?.reason).toBe('secret')
  })
})

describe('a file that is cancelled too late', () => {
  it('is counted as uploaded, once it is', async () => {
    const w = await open()
    await w.watch()
    for (const name of ['a.txt', 'b.txt']) w.disk.write(`${FOLDER}/${name}`, name)
    await w.until(() => live(w).length === 2)
    await w.pass(60_000)
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/c.txt`, 'three')
    await w.until(async () => (await w.byName('c.txt'))?.reason === 'paused')
    const ids = (await w.transfers()).map((one) => one.id)
    expect(await w.handlers.cancel({ ids })).toEqual({ ok: true, value: { count: 1, uploaded: 2 } })
    // A second click on a file that is cancelled already is no upload.
    expect(await w.handlers.cancel({ ids: ids.slice(-1) })).toEqual({
      ok: true,
      value: { count: 0 },
    })
  })
})
