// What is shown of a file whose deletion the service hasn't carried out, which stays for another path, or
// which another client deleted: the answers of `links`, `info`, `transfers` and `audit` agree with what is
// public.
import { describe, expect, it } from 'vitest'
import type { Ended } from '../../src-shared/model.ts'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const OTHER = '/home/other'

async function open(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  const world = await openWorld({ plan: 'enterprise', ...options })
  world.disk.mkdir(OTHER)
  return world
}
async function upload(w: World, ...paths: string[]): Promise<void> {
  await valueOf(w.handlers.upload({ paths, again: false, token: `t${w.clock.mono()}` }))
  await w.until(async () => (await w.transfers()).every((t) => t.state === 'done'))
}

async function outcomeOf(w: World, path: string): Promise<string | undefined> {
  const got = await w.answered(w.handlers.remove({ selectors: [path] }))
  return got.ok ? got.value[0]?.outcome : got.failure.title
}

interface Said {
  readonly link: string | null
  readonly linkEnded: Ended | undefined
  readonly ended: Ended | undefined
  readonly audited: string | null | undefined
}

async function said(w: World, path: string): Promise<Said> {
  const links = await w.answered(w.handlers.links({ selectors: [path] }))
  const info = await w.answered(w.handlers.info({ selector: path, cached: true }))
  const folder = path.slice(0, path.lastIndexOf('/'))
  const audit = await w.answered(w.handlers.audit({ path: folder, rescan: true }))
  if (!links.ok || !info.ok || !audit.ok) throw new Error('no answer')
  const { look } = audit.value
  const page = await w.handlers.auditPage({
    folderId: audit.value.folder.id,
    list: 'ignored',
    after: null,
    limit: 500,
    ...(look === undefined ? {} : { look }),
  })
  const entry = page.ok ? page.value.entries.find((one) => slashes(one.path) === path) : undefined
  return {
    link: links.value[0]?.row?.publicLink ?? null,
    linkEnded: links.value[0]?.ended,
    ended: info.value.transfers[0]?.ended,
    audited: entry?.reason,
  }
}

const ALL = (ended: Ended): Said => ({ link: null, linkEnded: ended, ended, audited: ended })

describe.each([
  ['a watched folder', FOLDER],
  ['another folder', OTHER],
])('in %s, a deleted file', (_, folder) => {
  const path = `${folder}/a.txt`

  async function begin(
    names: readonly string[],
    options: Parameters<typeof openWorld>[0] = {},
  ): Promise<World> {
    const w = await open(options)
    for (const name of names) w.disk.write(`${folder}/${name}`, 'the same bytes')
    if (folder === FOLDER) await w.watch()
    else for (const name of names) await upload(w, `${folder}/${name}`)
    await w.pass(60_000)
    await w.until(() => w.allSettled())
    return w
  }

  it('is being deleted until the service has carried that out', async () => {
    const w = await begin(['a.txt'])
    w.service.setFaults({ rules: [{ on: 'delete', kinds: 'error-before-store' }] })
    expect(await outcomeOf(w, path)).toBe('queued')
    expect(await said(w, path)).toEqual(ALL('deleting'))
    const byId = await w.handlers.links({ selectors: ['1'] })
    expect(byId.ok && byId.value).toEqual([{ selector: '1', row: null, ended: 'deleting' }])
    expect(w.service.ledger.live()).toHaveLength(1)
    w.service.setFaults({ rules: [] })
    await w.until(() => w.service.ledger.live().length === 0)
    await w.pass(60_000)
    expect(await said(w, path)).toEqual(ALL('deleted'))
    const id = (await w.byName('a.txt'))?.id
    const last = w.events
      .flatMap((one) => (one.kind === 'transfers' ? one.items : []))
      .findLast((one) => one.id === id)
    expect(last?.ended).toBe('deleted')
  })

  it('is kept as long as another path has its link', async () => {
    const w = await begin(['a.txt', 'b.txt'], { dialect: { sameBytes: 'existing' } })
    expect(await outcomeOf(w, path)).toBe('kept')
    expect(await said(w, path)).toEqual(ALL('kept'))
    expect((await said(w, `${folder}/b.txt`)).link).toContain('/download/')
    expect(await outcomeOf(w, `${folder}/b.txt`)).toBe('deleted')
    expect(await said(w, path)).toEqual(ALL('deleted'))
  })
})

describe('an upload whose response was lost', () => {
  it('is still being looked up after it was deleted', async () => {
    const w = await open({
      faults: {
        rules: [
          { on: 'upload', kinds: 'cut-after-store' },
          { on: 'list', kinds: 'error-before-store' },
        ],
      },
    })
    w.disk.write(`${OTHER}/lost.txt`, 'lost')
    await w.handlers.upload({ paths: [`${OTHER}/lost.txt`], again: false, token: 't' })
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    expect(await outcomeOf(w, `${OTHER}/lost.txt`)).toBe('unconfirmed')
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'unknown' })
    expect((await w.byName('lost.txt'))?.ended).toBeUndefined()
  })
})

describe('an upload that never arrived', () => {
  it.each([
    ['was still waiting', undefined],
    ['was proved not to be on the service', { rules: [{ on: 'upload', kinds: 'cut-after-body' }] } as const],
  ])('and %s, is cancelled after it was deleted, not deleted', async (_name, faults) => {
    const path = `${OTHER}/a.txt`
    const w = await open(faults === undefined ? {} : { faults })
    w.disk.write(path, 'content')
    if (faults === undefined) await w.handlers.pause({})
    await w.handlers.upload({ paths: [path], again: false, token: 't' })
    await w.until(
      async () => (await w.byName('a.txt'))?.state === (faults === undefined ? 'waiting' : 'unknown'),
    )
    w.service.setFaults({ rules: [] })
    expect(await outcomeOf(w, path)).toBe('cancelled')
    expect(await w.byName('a.txt')).toMatchObject({ state: 'cancelled' })
    expect(await said(w, path)).toMatchObject({ link: null, linkEnded: undefined, ended: undefined })
    expect(w.service.ledger.files()).toEqual([])
  })
})

describe('a file that is touched after it was deleted', () => {
  it.each([
    ['is deleted', false, 'deleted'],
    ['is cancelled if it never was on the service', true, undefined],
  ] as const)('%s', async (_name, isPaused, ended) => {
    const path = `${FOLDER}/a.txt`
    const w = await open()
    w.disk.write(path, 'content')
    if (isPaused) await w.handlers.pause({})
    await w.watch()
    await w.until(async () => (await w.byName('a.txt'))?.state === (isPaused ? 'waiting' : 'done'))
    expect(await outcomeOf(w, path)).toBe(isPaused ? 'cancelled' : 'deleted')
    await w.handlers.resume({})
    await w.pass(60_000)
    w.disk.write(path, 'content')
    await w.pass(60_000)
    const rows = (await w.transfers()).filter((one) => one.name === 'a.txt')
    expect(rows.map((one) => [one.state, one.ended])).toEqual([
      [isPaused ? 'cancelled' : 'done', ended],
      ['cancelled', ended],
    ])
    expect(w.service.ledger.live()).toEqual([])
  })
})

describe('a file that another client deleted', () => {
  it.each([
    [['a.txt'], ['a.txt']],
    [['a.txt', 'b.txt'], ['a.txt']],
    [
      ['a.txt', 'b.txt'],
      ['a.txt', 'b.txt'],
    ],
    [
      ['b.txt', 'a.txt'],
      ['a.txt', 'b.txt'],
    ],
  ])('has no link after the service was queried about it, of %j without %j', async (names, gone) => {
    const w = await open()
    for (const name of names) {
      w.disk.write(`${OTHER}/${name}`, `content of ${name}`)
      await upload(w, `${OTHER}/${name}`)
    }
    await w.pass(20_000)
    for (const name of gone) w.service.deleteBehindTheBack(Number((await w.byName(name))?.fileId))
    const info = await w.answered(w.handlers.info({ selector: `${OTHER}/a.txt` }))
    expect(info.ok && [info.value.remote, info.value.transfers.map((t) => [t.publicLink, t.ended])]).toEqual([
      null,
      [[null, 'gone']],
    ])
    expect(await said(w, `${OTHER}/a.txt`)).toMatchObject({ link: null, linkEnded: 'gone' })
  })

  it('is marked if a 404 proves nothing', async () => {
    const w = await open({
      faults: { rules: [{ on: 'get', kinds: { kind: 'error-before-store', status: 404 } }] },
    })
    w.disk.write(`${OTHER}/a.txt`, 'one')
    await upload(w, `${OTHER}/a.txt`)
    for (const selector of [`${OTHER}/a.txt`, '1']) {
      const info = await w.answered(w.handlers.info({ selector }))
      expect(info.ok && [info.value.remote?.publicLink, info.value.unfound]).toEqual([
        expect.stringContaining('/download/'),
        true,
      ])
    }
  })
})
