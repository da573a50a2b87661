// Which files may be uploaded: secrets recognized by their whole path, the user's rules for every way to add
// a file, renames while files wait, Slipway's own data, rules of a running watch, existing files, folders
// that are no longer watched, and nested folders.
import { describe, expect, it } from 'vitest'
import type { Input } from '../../src-shared/engine-contract.ts'
import { live } from '../world/live.ts'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, FOLDER_RULES, OWN, type World } from '../world/world.ts'
import { lists } from './audit-lists.ts'
import { openWorld } from './open-world.ts'

async function open(
  options: Parameters<typeof openWorld>[0] = { plan: 'enterprise' },
  hooks: Parameters<typeof openWorld>[1] = {},
): Promise<World> {
  return openWorld(options, hooks)
}
function put(w: World, path: string, content = path): void {
  w.disk.mkdir(path.slice(0, path.lastIndexOf('/')))
  w.disk.write(path, content)
}

async function upload(w: World, paths: readonly string[], more: { readonly pasted?: boolean } = {}) {
  const got = await valueOf(
    w.handlers.upload({ paths: [...paths], again: false, token: `t${Math.random()}`, ...more }),
  )
  await w.pass(5000)
  return got.items
}

async function plan(w: World, paths: readonly string[]) {
  return valueOf(w.handlers.plan({ paths: [...paths] }))
}

async function watch(w: World, path: string, more: Partial<Input<'watch'>> = {}) {
  const got = await valueOf(
    w.handlers.watch({ ...FOLDER_RULES, path, keep: false, changeRules: true, ...more }),
  )
  await w.pass(5000)
  return got
}

describe('the count of ignored files', () => {
  it('is the same for plan, upload, watch and audit', async () => {
    const w = await open()
    put(w, `${FOLDER}/.slipwayignore`, '*.log\ndrafts/\n')
    for (const name of ['a.txt', 'b.log', 'drafts/one.txt', 'drafts/deep/two.txt'])
      put(w, `${FOLDER}/${name}`)
    const planned = await plan(w, [FOLDER])
    const items = await upload(w, [FOLDER])
    await watch(w, FOLDER)
    const audit = await valueOf(w.handlers.audit({ path: FOLDER, rescan: true }))
    expect(audit.sums.ignored).toBe(4)
    expect(planned.ignored).toBe(4)
    expect(items.filter((item) => item.outcome === 'ignored')).toHaveLength(4)
    expect(audit.sums.seen).toBe(items.length)
  })
})

const states = async (w: World): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await w.transfers()).map((t) => [
      slashes(t.path),
      t.reason === null ? t.state : `${t.state} ${t.reason}`,
    ]),
  )

describe('secrets by the whole path', () => {
  it.each([
    ['/home/me/.docker/config.json', '/home/me/.docker/config.json'],
    ['/home/me/.kube/config', '/home/me/.kube/config'],
    ['/etc/shadow', '/etc/shadow'],
    ['/home/me/.gnupg/trustdb', '/home/me/.gnupg'],
  ])('holds %s where %s is named', async (file, named) => {
    const w = await open()
    put(w, file)
    expect((await plan(w, [named])).held).toBe(1)
    await upload(w, [named])
    expect(live(w)).toEqual([])
    expect(await states(w)).toEqual({ [file]: 'held secret' })
  })

  it('holds files if the watched folder itself is the secret part of their path', async () => {
    const w = await open()
    put(w, '/home/me/.kube/config')
    await watch(w, '/home/me/.kube')
    expect(live(w)).toEqual([])
    expect(await states(w)).toEqual({ '/home/me/.kube/config': 'held secret' })
  })

  it('checks both the real path and the typed one', async () => {
    const w = await open()
    put(w, '/home/me/.kube/config')
    w.disk.symlink('/home/me/.kube', '/home/me/plain')
    put(w, '/data/docker/config.json')
    w.disk.symlink('/data/docker', '/home/me/.docker')
    put(w, '/data/keys/store/a.txt')
    w.disk.symlink('/data/keys/store', '/home/me/.password-store')
    await upload(w, ['/home/me/plain/config', '/home/me/.docker/config.json'])
    await watch(w, '/home/me/.password-store')
    expect(live(w)).toEqual([])
    expect(new Set(Object.values(await states(w)))).toEqual(new Set(['held secret']))
    // A scan after a change finds the file only under its real path.
    await w.pass(60_000)
    w.disk.write('/data/keys/store/a.txt', 'changed')
    await w.pass(60_000)
    expect(live(w)).toEqual([])
  })
})

describe('a user’s rules', () => {
  it('apply to a folder, a file and the plan alike, from every directory above', async () => {
    const w = await open()
    put(w, '/home/me/.slipwayignore', 'drafts/\n*.log\n')
    put(w, '/home/me/work/.slipwayignore', '!keep.log\nprivate.txt\n')
    for (const name of [
      'a.txt',
      'b.log',
      'keep.log',
      'private.txt',
      'c.tmp',
      'drafts/d.txt',
      'drafts/keep.log',
    ])
      put(w, `/home/me/work/${name}`)
    const forecast = await plan(w, ['/home/me/work'])
    const items = await upload(w, ['/home/me/work'])
    expect(live(w)).toEqual(['a.txt', 'keep.log'])
    expect({ now: forecast.now, ignored: forecast.ignored }).toEqual({
      now: items.filter((item) => item.outcome === 'queued').length,
      ignored: items.filter((item) => item.outcome === 'ignored').length,
    })
    const named = await upload(w, [
      '/home/me/work/b.log',
      '/home/me/work/drafts/d.txt',
      '/home/me/work/c.tmp',
    ])
    expect(named.map((item) => [item.outcome, item.reason])).toEqual([
      ['ignored', '*.log'],
      ['ignored', 'drafts/'],
      // The user named the file itself, so the rules for temporary files don't apply.
      ['queued', null],
    ])
    expect(live(w)).toEqual(['a.txt', 'c.tmp', 'keep.log'])
  })

  it('also apply to a watched folder from above it', async () => {
    const w = await open()
    put(w, '/home/.slipwayignore', 'secret-plans/\n')
    put(w, `${FOLDER}/a.txt`)
    put(w, `${FOLDER}/secret-plans/b.txt`)
    await watch(w, FOLDER)
    expect(live(w)).toEqual(['a.txt'])
    expect(await lists(w, FOLDER)).toEqual({ 'a.txt': 'uploaded', 'secret-plans': 'ignored: secret-plans/' })
  })

  it('are those of the watched folder that contains what was named', async () => {
    const w = await open()
    put(w, `${FOLDER}/drafts/a.txt`)
    put(w, `${FOLDER}/b.txt`)
    await watch(w, FOLDER, { ignore: ['drafts/'] })
    expect((await plan(w, [`${FOLDER}/drafts`])).now).toBe(0)
    expect((await upload(w, [`${FOLDER}/drafts/a.txt`])).map((item) => item.outcome)).toEqual(['ignored'])
    expect(live(w)).toEqual(['b.txt'])
  })

  it('are checked again for waiting files', async () => {
    const w = await open()
    await w.handlers.pause({})
    put(w, `${FOLDER}/a.txt`)
    put(w, `${FOLDER}/b.txt`)
    put(w, '/elsewhere/c.txt')
    await watch(w, FOLDER)
    await upload(w, ['/elsewhere/c.txt'])
    put(w, `${FOLDER}/.slipwayignore`, 'a.txt\n')
    put(w, '/elsewhere/.slipwayignore', '*.txt\n')
    await w.handlers.resume({})
    await w.pass(60_000)
    expect(live(w)).toEqual(['b.txt'])
    expect(await lists(w, FOLDER)).toMatchObject({ 'a.txt': 'ignored: a.txt', 'b.txt': 'uploaded' })
    expect(await w.byName('c.txt')).toMatchObject({
      state: 'cancelled',
      message: 'Ignored by the rule *.txt',
    })
    // Without the rule, a.txt is uploaded.
    w.disk.write(`${FOLDER}/.slipwayignore`, '')
    await w.pass(60_000)
    expect(live(w)).toEqual(['a.txt', 'b.txt'])
  })

  it('that change without an event are read before the request', async () => {
    const w = await open()
    await w.handlers.pause({})
    put(w, `${FOLDER}/sub/a.txt`)
    await watch(w, FOLDER)
    w.disk.setDeaf(true)
    put(w, `${FOLDER}/.slipwayignore`, 'sub/\n')
    await w.handlers.resume({})
    await w.pass(20_000)
    expect(live(w)).toEqual([])
  })
})

describe('a file that is renamed while it waits', () => {
  it.each([
    ['.env', 'held secret'],
    ['notes.tmp', 'cancelled'],
  ])('to %s', async (name, state) => {
    const w = await open()
    await w.handlers.pause({})
    put(w, `${FOLDER}/notes.txt`)
    await watch(w, FOLDER)
    w.disk.rename(`${FOLDER}/notes.txt`, `${FOLDER}/${name}`)
    await w.pass(5000)
    await w.handlers.resume({})
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    expect(Object.values(await states(w))).toEqual([state])
  })

  it('from a secret name to an ordinary one is uploaded', async () => {
    const w = await open()
    put(w, `${FOLDER}/.env`, 'no secret in it')
    await watch(w, FOLDER)
    w.disk.rename(`${FOLDER}/.env`, `${FOLDER}/notes.txt`)
    await w.pass(60_000)
    expect(live(w)).toEqual(['notes.txt'])
  })

  it('after its approval needs approval again for another secret name or other content', async () => {
    const w = await open()
    await w.handlers.pause({})
    put(w, `${FOLDER}/.env`, 'A=1')
    put(w, `${FOLDER}/sub/.env`, 'B=1')
    put(w, `${FOLDER}/moved/.env`, 'C=1')
    w.disk.mkdir(`${FOLDER}/elsewhere`)
    await watch(w, FOLDER)
    await w.handlers.release({ ids: (await w.transfers()).map((t) => t.id) })
    w.disk.rename(`${FOLDER}/.env`, `${FOLDER}/id_rsa`)
    w.disk.write(`${FOLDER}/sub/.env`, 'B=2, which nobody has seen')
    w.disk.rename(`${FOLDER}/moved/.env`, `${FOLDER}/elsewhere/.env`)
    await w.pass(20_000)
    await w.handlers.resume({})
    await w.pass(60_000)
    expect(w.service.ledger.live().length).toBe(1)
    expect(await states(w)).toMatchObject({
      [`${FOLDER}/id_rsa`]: 'held secret',
      [`${FOLDER}/sub/.env`]: 'held secret',
      // This file was moved after its release, but kept its name and content.
      [`${FOLDER}/elsewhere/.env`]: 'done',
    })
  })
})

describe('an approval', () => {
  it('covers what was shown: other names and content stay held, whatever changed during the question', async () => {
    const w = await open()
    await w.handlers.pause({})
    for (const name of ['same', 'moved', 'written', 'touched']) put(w, `${FOLDER}/${name}/.env`, 'A=1')
    const { id } = await watch(w, FOLDER)
    const shown = await w.transfers()
    expect(shown.map((row) => row.state)).toEqual(['held', 'held', 'held', 'held'])
    w.disk.rename(`${FOLDER}/moved/.env`, `${FOLDER}/moved/id_rsa`)
    w.disk.write(`${FOLDER}/written/.env`, 'A=2, which nobody has seen')
    w.disk.write(`${FOLDER}/touched/.env`, 'B=2')
    await w.pass(20_000)
    await w.handlers.rescan({ folderId: id })
    const ids = shown.map((row) => row.id)
    expect(await w.handlers.release({ ids, shown: [] })).toEqual({ ok: true, value: { count: 0 } })
    expect(await w.handlers.release({ ids, shown: [...shown] })).toEqual({
      ok: true,
      value: { count: 1 },
    })
    await w.handlers.resume({})
    await w.pass(20_000)
    expect(await states(w)).toEqual({
      [`${FOLDER}/same/.env`]: 'done',
      [`${FOLDER}/moved/id_rsa`]: 'held secret',
      [`${FOLDER}/written/.env`]: 'held secret',
      [`${FOLDER}/touched/.env`]: 'held secret',
    })
  })
})

describe('other bytes with the same size and time', () => {
  it('need approval again after a release', async () => {
    const w = await open()
    await w.handlers.pause({})
    put(w, `${FOLDER}/.env`, 'A=1')
    const { id } = await watch(w, FOLDER)
    await w.handlers.release({ ids: (await w.transfers()).map((t) => t.id) })
    const at = w.clock.now() - 60_000
    w.disk.setMtime(`${FOLDER}/.env`, at)
    await w.handlers.rescan({ folderId: id })
    await w.handlers.release({ ids: (await w.transfers()).map((t) => t.id) })
    await w.pass(1000)
    w.disk.write(`${FOLDER}/.env`, 'B=2')
    w.disk.setMtime(`${FOLDER}/.env`, at)
    await w.handlers.rescan({ folderId: id })
    await w.handlers.resume({})
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    expect(Object.values(await states(w))).toEqual(['held secret'])
  })
})

describe("Slipway's own data", () => {
  it('isn’t published from a watched folder, by an upload, or through a link', async () => {
    const w = await open()
    put(w, `${FOLDER}/a.txt`)
    put(w, `${OWN}/journal.db`, 'SQLite')
    put(w, `${OWN}/slipway.log`, 'line')
    put(w, `${OWN}/pasted/Picture.png`, 'png')
    w.disk.symlink(OWN, '/home/way')
    await watch(w, FOLDER)
    expect(await lists(w, FOLDER)).toEqual({
      'a.txt': 'uploaded',
      '.config/Slipway': "ignored: Slipway's own data",
    })
    // Each upload would write to the log again.
    w.disk.append(`${OWN}/slipway.log`, 'more')
    await w.pass(60_000)
    const items = await upload(w, [
      OWN,
      `${OWN}/journal.db`,
      '/home/way/slipway.log',
      `${OWN}/pasted/Picture.png`,
    ])
    expect(items.map((item) => item.outcome)).toEqual(['ignored', 'ignored', 'ignored', 'ignored'])
    expect(await plan(w, [FOLDER])).toMatchObject({ files: 1, now: 0, already: 1 })
    expect(live(w)).toEqual(['a.txt'])
    for (const path of [OWN, `${OWN}/pasted`, '/home/way'])
      expect(await w.handlers.watch({ ...FOLDER_RULES, path, keep: false })).toMatchObject({
        failure: { code: 'usage', refusal: 'own-data' },
      })
  })

  it('is uploaded if it was pasted, and only by that paste', async () => {
    const w = await open()
    put(w, `${OWN}/pasted/Picture.png`, 'png')
    put(w, `${OWN}/journal.db`, 'SQLite')
    const items = await upload(w, [`${OWN}/pasted/Picture.png`, `${OWN}/journal.db`], { pasted: true })
    expect(items.map((item) => item.outcome)).toEqual(['queued', 'ignored'])
    expect(live(w)).toEqual(['Picture.png'])
  })
})

describe('a folder that a policy forbids', () => {
  const PRIVATE = '/srv/private'
  const byPolicy = 'forbidden by your organization'

  it('is reported as such, whichever way it is reached', async () => {
    const policy = { forbidden: [PRIVATE], address: '' }
    const w = await openWorld({ plan: 'enterprise' }, { policy: () => policy })
    put(w, `${FOLDER}/a.txt`)
    put(w, `${PRIVATE}/deep/b.txt`)
    put(w, `${PRIVATE}/c.txt`)
    // A second name for the same directory is what a second mount looks like.
    w.disk.link(PRIVATE, `${FOLDER}/mount`)
    w.disk.symlink(PRIVATE, '/home/way')
    for (const path of [PRIVATE, `${PRIVATE}/deep`, '/home/way', `${FOLDER}/mount`, `${FOLDER}/mount/deep`])
      expect(await w.handlers.watch({ ...FOLDER_RULES, path, keep: false })).toMatchObject({
        failure: { code: 'usage', refusal: 'forbidden' },
      })
    const items = await upload(w, [FOLDER, '/home/way/c.txt', `${FOLDER}/mount/deep/b.txt`])
    expect(items.map((item) => [item.outcome, item.reason])).toEqual([
      ['queued', null],
      ['ignored', byPolicy],
      ['ignored', byPolicy],
      ['ignored', byPolicy],
    ])
    await watch(w, FOLDER)
    expect(await lists(w, FOLDER)).toEqual({ 'a.txt': 'uploaded', mount: `ignored: ${byPolicy}` })
    expect(live(w)).toEqual(['a.txt'])
  })

  it('sends nothing once the policy names it, and sends again once it no longer does', async () => {
    let policy = { forbidden: [] as string[], address: '' }
    const w = await openWorld({ plan: 'enterprise' }, { policy: () => policy })
    put(w, `${PRIVATE}/before.txt`)
    put(w, `${FOLDER}/a.txt`)
    // The policy may name it by another path.
    w.disk.symlink(PRIVATE, '/home/way')
    await watch(w, PRIVATE)
    await watch(w, FOLDER)
    await w.handlers.pause({})
    put(w, `${PRIVATE}/waits.txt`)
    put(w, `${FOLDER}/b.txt`)
    await w.pass(5000)
    expect((await w.byName('waits.txt'))?.state).toBe('waiting')
    policy = { forbidden: ['/home/way'], address: '' }
    await w.handlers.resume({})
    put(w, `${PRIVATE}/after.txt`)
    await w.pass(10_000)
    expect(live(w)).toEqual(['a.txt', 'b.txt', 'before.txt'])
    expect(await w.byName('waits.txt')).toMatchObject({
      state: 'cancelled',
      message: `Ignored by the rule ${byPolicy}`,
    })
    policy = { forbidden: [], address: '' }
    await w.pass(70_000)
    expect(live(w)).toEqual(['a.txt', 'after.txt', 'b.txt', 'before.txt', 'waits.txt'])
  })
})

describe('a folder that a policy allows again', () => {
  it('is watched again, not just scanned periodically', async () => {
    let policy = { forbidden: [`${FOLDER}/private`] as string[], address: '' }
    const w = await openWorld({ plan: 'enterprise' }, { policy: () => policy })
    put(w, `${FOLDER}/private/before.txt`)
    await watch(w, FOLDER)
    policy = { forbidden: [], address: '' }
    await w.pass(70_000)
    expect(live(w)).toEqual(['before.txt'])
    put(w, `${FOLDER}/private/after.txt`)
    await w.pass(10_000)
    expect(live(w)).toEqual(['after.txt', 'before.txt'])
  })
})

describe('a policy that allows no service', () => {
  it('stops uploads while it is in effect, without a restart before or after', async () => {
    const fine = { forbidden: [], address: '' }
    let policy = fine
    const w = await openWorld({ plan: 'enterprise' }, { policy: () => policy })
    put(w, `${FOLDER}/a.txt`)
    await watch(w, FOLDER)
    policy = { forbidden: [], address: 'none' }
    await w.pass(70_000)
    put(w, `${FOLDER}/b.txt`)
    await w.pass(120_000)
    expect(live(w)).toEqual(['a.txt'])
    expect((await w.byName('b.txt'))?.state).toBe('waiting')
    policy = fine
    await w.pass(70_000)
    expect(live(w)).toEqual(['a.txt', 'b.txt'])
  })
})

describe('a folder that is watched already', () => {
  it('keeps its rules until a request changes them', async () => {
    const w = await open()
    put(w, `${FOLDER}/a.log`)
    const first = await watch(w, FOLDER, { ignore: ['*.log'], changeRules: false, watcher: 'one' })
    const second = await watch(w, FOLDER, { changeRules: false, watcher: 'two' })
    expect([first.kept, second.kept, second.ignore]).toEqual([undefined, true, ['*.log']])
    expect(live(w)).toEqual([])
    const third = await watch(w, FOLDER, { changeRules: true, watcher: 'three' })
    expect([third.kept, third.ignore]).toEqual([undefined, []])
    expect(live(w)).toEqual(['a.log'])
  })

  it("is the app's while the app is closed", async () => {
    const w = await open()
    put(w, `${FOLDER}/a.log`)
    await watch(w, FOLDER, { ignore: ['*.log'], keep: true })
    expect(await watch(w, FOLDER, { changeRules: false, watcher: 'one' })).toMatchObject({
      kept: true,
      ignore: ['*.log'],
    })
  })

  it('stays watched until the last command stops watching it', async () => {
    const w = await open()
    await watch(w, FOLDER, { watcher: 'one' })
    const { id } = await watch(w, FOLDER, { watcher: 'two', changeRules: false })
    await w.handlers.unwatch({ folderId: id, watcher: 'two' })
    put(w, `${FOLDER}/a.txt`)
    await w.pass(10_000)
    expect(live(w)).toEqual(['a.txt'])
    await w.handlers.unwatch({ folderId: id, watcher: 'one' })
    put(w, `${FOLDER}/b.txt`)
    await w.pass(10_000)
    expect(live(w)).toEqual(['a.txt'])
  })
})

describe('an existing file', () => {
  const skip = { existing: 'skip' } as const

  it('counts as existing after it is renamed, moved or linked, but a copy is new', async () => {
    const w = await open()
    for (const name of ['rename.txt', 'below.txt', 'x/out.txt', 'link.txt', 'copy.txt', 'dir/in.txt'])
      put(w, `${FOLDER}/${name}`)
    w.disk.mkdir(`${FOLDER}/sub`)
    await w.pass(10_000)
    await watch(w, FOLDER, skip)
    await w.pass(10_000)
    w.disk.rename(`${FOLDER}/rename.txt`, `${FOLDER}/renamed.txt`)
    w.disk.rename(`${FOLDER}/below.txt`, `${FOLDER}/sub/below.txt`)
    w.disk.rename(`${FOLDER}/x/out.txt`, `${FOLDER}/sub/out.txt`)
    w.disk.rename(`${FOLDER}/dir`, `${FOLDER}/dir2`)
    w.disk.link(`${FOLDER}/link.txt`, `${FOLDER}/sub/link.txt`)
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    // A copy has its own inode, whatever timestamps it was given.
    w.disk.write(`${FOLDER}/copy 2.txt`, `${FOLDER}/copy.txt`)
    w.disk.setMtime(`${FOLDER}/copy 2.txt`, w.clock.now() - 1_000_000)
    await w.pass(60_000)
    expect(live(w)).toEqual(['copy 2.txt'])
    expect(
      Object.values(await lists(w, FOLDER)).filter((list) => list === 'ignored: was here before').length,
    ).toBe(7)
  })

  it.each(['seal', 'deny'] as const)(
    'is one that the first scan could not read, on a disk without change times (%s)',
    async (how) => {
      const w = await open({ plan: 'enterprise' }, { fileSystem: 'fat' })
      put(w, `${FOLDER}/sub/old.txt`)
      await w.pass(10_000)
      w.disk[how](`${FOLDER}/sub`, true)
      await watch(w, FOLDER, skip)
      await w.pass(10_000)
      w.disk[how](`${FOLDER}/sub`, false)
      w.disk.chmod(`${FOLDER}/sub/old.txt`)
      await w.pass(10_000)
      expect(live(w)).toEqual([])
      expect(await lists(w, FOLDER)).toEqual({ 'sub/old.txt': 'ignored: was here before' })
    },
  )

  it('isn’t one that was moved in later, even with all its old times', async () => {
    const w = await open()
    put(w, '/elsewhere/album/old.jpg')
    await w.pass(60_000)
    await watch(w, FOLDER, skip)
    w.disk.rename('/elsewhere/album', `${FOLDER}/album`)
    await w.pass(60_000)
    expect(live(w)).toEqual(['old.jpg'])
  })

  it('is one that was there when a command starts, even the second time, and a takeover doesn’t change that', async () => {
    const w = await open()
    put(w, `${FOLDER}/first.txt`)
    await w.pass(1000)
    const since = w.clock.now()
    await watch(w, FOLDER, { ...skip, since, watcher: 'one' })
    put(w, `${FOLDER}/second.txt`)
    await w.pass(10_000)
    expect(live(w)).toEqual(['second.txt'])
    // The engine changes while the command is running. Files added during the change arrived after the
    // command's start.
    const { id } = await watch(w, FOLDER, { ...skip, since, watcher: 'one' })
    await w.handlers.unwatch({ folderId: id, watcher: 'one' })
    put(w, `${FOLDER}/gap.txt`)
    await w.pass(10_000)
    await watch(w, FOLDER, { ...skip, since, watcher: 'one' })
    expect(live(w)).toEqual(['gap.txt', 'second.txt'])
    await w.handlers.unwatch({ folderId: id, watcher: 'one' })
    put(w, `${FOLDER}/between.txt`)
    await w.pass(10_000)
    await watch(w, FOLDER, { ...skip, since: w.clock.now(), watcher: 'two' })
    await w.pass(10_000)
    expect(live(w)).toEqual(['gap.txt', 'second.txt'])
  })

  it('isn’t one that was uploaded and only touched while nothing watched; with other bytes it is', async () => {
    const w = await open()
    const { id } = await watch(w, FOLDER, { ...skip, watcher: 'one' })
    put(w, `${FOLDER}/touched.txt`, 'the same')
    put(w, `${FOLDER}/changed.txt`, 'one thing')
    put(w, `${FOLDER}/grown.txt`, 'short')
    await w.pass(10_000)
    await w.handlers.unwatch({ folderId: id, watcher: 'one' })
    put(w, `${FOLDER}/touched.txt`, 'the same')
    put(w, `${FOLDER}/changed.txt`, 'other one')
    put(w, `${FOLDER}/grown.txt`, 'not so short')
    await w.pass(10_000)
    for (const watcher of ['two', 'three']) {
      await watch(w, FOLDER, { ...skip, since: w.clock.now(), watcher })
      await w.pass(60_000)
      expect(await lists(w, FOLDER)).toEqual({
        'touched.txt': 'uploaded',
        'changed.txt': 'ignored: was here before',
        'grown.txt': 'ignored: was here before',
      })
      await w.handlers.unwatch({ folderId: id, watcher })
    }
    expect(live(w)).toEqual(['changed.txt', 'grown.txt', 'touched.txt'])
  })

  it('isn’t one that arrived while the app was closed', async () => {
    const w = await open()
    put(w, `${FOLDER}/old.txt`)
    await w.pass(1000)
    await watch(w, FOLDER, { ...skip, keep: true })
    await w.pass(10_000)
    w.disk.setDeaf(true)
    await w.crash()
    put(w, `${FOLDER}/new.txt`)
    w.disk.rename(`${FOLDER}/old.txt`, `${FOLDER}/old, renamed.txt`)
    w.disk.setDeaf(false)
    await w.crash()
    await w.pass(60_000)
    expect(live(w)).toEqual(['new.txt'])
  })
})

describe('a folder that is no longer watched', () => {
  it('sends none of its waiting files, says so at once, and finds them again when it is watched again', async () => {
    const w = await open({ limits: { dailyUploads: 3, windows: 'aligned', dayTurnsAt: 'rolling' } })
    for (let i = 0; i < 10; i++) put(w, `${FOLDER}/${i}.txt`)
    put(w, `${FOLDER}/.env`)
    const { id } = await watch(w, FOLDER, { keep: true })
    await w.pass(60_000)
    expect(live(w).length).toBe(3)
    await w.handlers.unwatch({ folderId: id })
    const rows = await w.transfers()
    expect(rows.filter((t) => t.state === 'cancelled').length).toBe(8)
    expect(rows.filter((t) => t.state !== 'cancelled' && t.state !== 'done')).toEqual([])
    await w.crash()
    await w.pass(30 * 3_600_000)
    expect(live(w).length).toBe(3)
    await watch(w, FOLDER)
    await w.pass(96 * 3_600_000)
    expect(live(w).length).toBe(10)
    expect(await lists(w, FOLDER)).toMatchObject({ '.env': 'held', '9.txt': 'uploaded' })
  })

  it('isn’t uploaded by a command that names other files', async () => {
    const w = await open()
    await w.handlers.pause({})
    put(w, `${FOLDER}/a.txt`)
    put(w, `${FOLDER}/b.txt`)
    put(w, '/elsewhere/other.txt')
    const { id } = await watch(w, FOLDER, { watcher: 'one' })
    await w.handlers.unwatch({ folderId: id, watcher: 'one' })
    await w.handlers.resume({})
    await upload(w, ['/elsewhere/other.txt', `${FOLDER}/b.txt`])
    await w.pass(60_000)
    expect(live(w)).toEqual(['b.txt', 'other.txt'])
    expect(await w.byName('a.txt')).toMatchObject({ state: 'waiting', reason: 'not-watched' })
    await watch(w, FOLDER, { watcher: 'two' })
    expect(live(w)).toEqual(['a.txt', 'b.txt', 'other.txt'])
  })
})

describe('the same bytes again', () => {
  it('return the earlier link if a file changes back and forth', async () => {
    const w = await open()
    put(w, `${FOLDER}/a.txt`, 'one')
    await watch(w, FOLDER)
    for (const text of ['the other one', 'one', 'the other one', 'one']) {
      w.disk.write(`${FOLDER}/a.txt`, text)
      await w.pass(20_000)
    }
    expect(w.service.ledger.files().length).toBe(2)
    const links = (await w.transfers()).filter((t) => t.state === 'done').map((t) => t.publicLink)
    expect(new Set(links).size).toBe(2)
    expect((await w.byName('a.txt'))?.publicLink).toBe(links[0])
  })

  it('are sent again if the earlier version was replaced', async () => {
    const w = await open()
    put(w, `${FOLDER}/a.txt`, 'one')
    await watch(w, FOLDER, { onChange: 'replace' })
    for (const text of ['the other one', 'one']) {
      w.disk.write(`${FOLDER}/a.txt`, text)
      await w.pass(120_000)
    }
    expect(w.service.ledger.live().map((file) => file.size)).toEqual([3])
    expect(w.service.ledger.files().length).toBe(3)
  })
})

describe('a rules file that can’t be read', () => {
  const shown = async (w: World): Promise<string | null> => {
    const got = await valueOf(w.handlers.snapshot({}))
    const said = got.folders.find((one) => slashes(one.path) === FOLDER)?.message ?? null
    return said && slashes(said)
  }
  const about = (dir: string): string =>
    `.slipwayignore in ${FOLDER}/${dir} can't be read, so nothing in that folder is uploaded. Make it a text file that you may read, or remove it.`

  it.each<readonly [string, (w: World) => void, string | null]>([
    ['was deleted with its directory', (w) => w.disk.remove(`${FOLDER}/sub`), null],
    ['was moved with its directory', (w) => w.disk.rename(`${FOLDER}/sub`, `${FOLDER}/new`), about('new')],
    [
      'is in a directory that is ignored by now',
      (w) => w.disk.write(`${FOLDER}/.slipwayignore`, 'sub/'),
      null,
    ],
  ])('is no longer reported where it was once it %s', async (_what, change, expected) => {
    const w = await open()
    put(w, `${FOLDER}/sub/a.txt`)
    put(w, `${FOLDER}/sub/.slipwayignore`, '*.log')
    w.disk.deny(`${FOLDER}/sub/.slipwayignore`, true)
    await watch(w, FOLDER)
    await w.pass(30_000)
    expect(await shown(w)).toBe(about('sub'))
    change(w)
    await w.pass(30 * 60_000)
    expect(await shown(w)).toBe(expected)
  })

  it.each([
    ['in the folder', FOLDER],
    ['deeper', `${FOLDER}/sub`],
    ['above', '/home'],
  ])('%s holds its folder back, and status and health say so until it can', async (_where, dir) => {
    const w = await open()
    put(w, `${FOLDER}/sub/a.txt`)
    put(w, `${dir}/.slipwayignore`, '*.log')
    w.disk.deny(`${dir}/.slipwayignore`, true)
    await watch(w, FOLDER)
    await w.pass(30_000)
    const said = async (): Promise<readonly unknown[]> => {
      const got = await valueOf(w.handlers.snapshot({}))
      const folder = got.folders.find((one) => slashes(one.path) === FOLDER)
      return [
        folder?.message ?? null,
        got.health.find((one) => slashes(one.what) === FOLDER)?.message ?? null,
      ].map((text) => text && slashes(text))
    }
    expect(live(w)).toEqual([])
    const message = `.slipwayignore in ${dir} can't be read, so nothing in that folder is uploaded. Make it a text file that you may read, or remove it.`
    expect(await said()).toEqual([message, message])
    w.disk.deny(`${dir}/.slipwayignore`, false)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt'])
    expect(await said()).toEqual([null, null])
  })
})

describe('a rules file in another encoding', () => {
  const RULES = '*.log\r\nprivate/\r\n'
  it.each<readonly [string, Buffer, readonly string[]]>([
    [
      'applies if it is UTF-16, as Windows PowerShell writes it',
      Buffer.from(`\uFEFF${RULES}`, 'utf16le'),
      ['a.txt'],
    ],
    ['holds its folder back if the encoding isn’t known', Buffer.from(RULES, 'utf16le'), []],
  ])('%s', async (_what, bytes, expected) => {
    const w = await open()
    for (const name of ['a.txt', 'b.log', 'private/c.txt']) put(w, `${FOLDER}/${name}`)
    w.disk.write(`${FOLDER}/.slipwayignore`, bytes)
    await watch(w, FOLDER)
    await w.pass(60_000)
    expect(live(w)).toEqual(expected)
  })
})

describe('a rules file that is a link', () => {
  const RULES = '/home/me/rules'

  async function linked(text: string): Promise<World> {
    const w = await open()
    put(w, RULES, text)
    put(w, `${FOLDER}/a.txt`)
    put(w, `${FOLDER}/b.log`)
    w.disk.symlink(RULES, `${FOLDER}/.slipwayignore`)
    await watch(w, FOLDER)
    await w.pass(30_000)
    return w
  }

  it('is followed, and after its target changes, files that it no longer ignores are uploaded', async () => {
    const w = await linked('*.log')
    expect(live(w)).toEqual(['a.txt'])
    w.disk.write(RULES, '*.draft')
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt', 'b.log'])
  })

  it('holds its folder back while its target can’t be read', async () => {
    const w = await linked('*.log')
    w.disk.deny(RULES, true)
    put(w, `${FOLDER}/c.txt`)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt'])
    w.disk.deny(RULES, false)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt', 'c.txt'])
  })

  it.each<readonly [string, (w: World) => void]>([
    ['is missing', (w) => w.disk.remove(RULES)],
    [
      'is a folder',
      (w) => {
        w.disk.remove(RULES)
        w.disk.mkdir(RULES)
      },
    ],
  ])('holds its folder back while its target %s', async (_what, replace) => {
    const w = await linked('*.log')
    replace(w)
    put(w, `${FOLDER}/c.txt`)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt'])
    w.disk.remove(RULES)
    put(w, RULES, 'c.*')
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt', 'b.log'])
  })
})

it('holds a folder back while its .slipwayignore is a directory', async () => {
  const w = await open()
  w.disk.mkdir(`${FOLDER}/sub/.slipwayignore`)
  put(w, `${FOLDER}/sub/deep/a.txt`)
  put(w, `${FOLDER}/b.txt`)
  await watch(w, FOLDER)
  await upload(w, [`${FOLDER}/sub/deep/a.txt`])
  await w.pass(30_000)
  expect(live(w)).toEqual(['b.txt'])
  w.disk.remove(`${FOLDER}/sub/.slipwayignore`)
  await w.pass(30_000)
  expect(live(w)).toEqual(['a.txt', 'b.txt'])
})

describe('nested folders', () => {
  const INNER = `${FOLDER}/inner`

  it('leave a renamed folder to the outer one, and take it back under its old name', async () => {
    const w = await open()
    put(w, `${INNER}/b.txt`)
    await watch(w, FOLDER)
    await watch(w, INNER, { ignore: ['*.log'] })
    put(w, `${INNER}/c.log`)
    await w.pass(30_000)
    expect(live(w)).toEqual(['b.txt'])
    w.disk.rename(INNER, `${FOLDER}/renamed`)
    await w.pass(30_000)
    put(w, `${FOLDER}/renamed/d.txt`)
    await w.pass(30_000)
    expect(await lists(w, FOLDER)).toEqual({
      'renamed/b.txt': 'uploaded',
      'renamed/c.log': 'uploaded',
      'renamed/d.txt': 'uploaded',
    })
    w.disk.rename(`${FOLDER}/renamed`, INNER)
    await w.pass(60_000)
    expect(await lists(w, FOLDER)).toEqual({ inner: 'ignored: watched as a separate folder' })
    expect(await lists(w, INNER)).toMatchObject({ 'b.txt': 'uploaded', 'd.txt': 'uploaded' })
    expect(w.service.ledger.files().length).toBe(3)
  })

  it('send each file once, by the rules of the deepest', async () => {
    const w = await open()
    put(w, `${FOLDER}/a.txt`)
    put(w, `${INNER}/b.txt`)
    put(w, `${INNER}/c.log`)
    await watch(w, FOLDER)
    const inner = await watch(w, INNER, { ignore: ['*.log', 'd.*'] })
    put(w, `${INNER}/d.txt`)
    put(w, `${INNER}/deep/e.txt`)
    await w.pass(30_000)
    expect(live(w)).toEqual(['a.txt', 'b.txt', 'c.log', 'e.txt'])
    expect(await lists(w, FOLDER)).toEqual({
      'a.txt': 'uploaded',
      inner: 'ignored: watched as a separate folder',
    })
    expect(await lists(w, INNER)).toEqual({
      'b.txt': 'uploaded',
      'c.log': 'ignored: *.log',
      'd.txt': 'ignored: d.*',
      'deep/e.txt': 'uploaded',
    })
    await w.handlers.unwatch({ folderId: inner.id })
    await w.pass(30_000)
    // The inner folder belongs to the outer one again, except for what the user excluded there.
    expect(live(w)).toEqual(['a.txt', 'b.txt', 'c.log', 'e.txt'])
    expect(await lists(w, FOLDER)).toEqual({
      'a.txt': 'uploaded',
      'inner/b.txt': 'uploaded',
      'inner/c.log': 'uploaded',
      'inner/d.txt': 'ignored: was in a folder that is no longer watched',
      'inner/deep/e.txt': 'uploaded',
    })
    expect(w.service.ledger.files().length).toBe(4)
  })

  it('hand over waiting files', async () => {
    const w = await open()
    await w.handlers.pause({})
    put(w, `${INNER}/b.txt`)
    const outer = await watch(w, FOLDER)
    await watch(w, INNER)
    await w.handlers.unwatch({ folderId: outer.id })
    await w.handlers.resume({})
    await w.pass(30_000)
    expect(w.service.ledger.files().map((file) => file.filename)).toEqual(['b.txt'])
  })

  it('count as one folder under two spellings', async () => {
    const w = await open()
    w.disk.symlink(FOLDER, '/home/other')
    put(w, `${FOLDER}/a.txt`)
    const first = await watch(w, FOLDER)
    const second = await watch(w, '/home/other')
    expect(second.id).toBe(first.id)
    await w.pass(30_000)
    expect(w.service.ledger.files().length).toBe(1)
  })

  it('keep their links when one is moved into the other', async () => {
    const w = await open()
    put(w, `${FOLDER}/a.txt`)
    put(w, '/home/second/b.txt')
    await watch(w, FOLDER)
    await watch(w, '/home/second')
    await w.handlers.pause({})
    put(w, '/home/second/c.txt')
    await w.pass(10_000)
    w.disk.rename('/home/second', `${FOLDER}/second`)
    await w.pass(60_000)
    await w.handlers.resume({})
    await w.pass(120_000)
    expect(
      w.service.ledger
        .files()
        .map((file) => file.filename)
        .toSorted(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })
})
