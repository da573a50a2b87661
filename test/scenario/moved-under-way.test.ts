// Files that are renamed or moved while they are being sent: one version results in one remote file, and a
// file that was given a secret's name in the meantime doesn't stay public.
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../service/dialect.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000

/** A world in which a file of the folder is being uploaded and the answer is slow. */
async function uploading(name: string, dialect: Partial<Dialect> = {}): Promise<World> {
  const w = await openWorld({ dialect }, { uploadAnswerMs: 20_000 })
  w.disk.write(`${FOLDER}/${name}`, 'the only version')
  await w.watch()
  await w.until(() => w.service.ledger.live().length === 1)
  expect((await w.transfers()).map((t) => t.state)).toEqual(['uploading'])
  return w
}

describe('a file that is moved while it is uploaded', () => {
  it.each<readonly [string, string, (w: World) => Promise<void>]>([
    [
      'into a new folder',
      'new/a.txt',
      async (w) => {
        w.disk.remove(`${FOLDER}/a.txt`)
        await w.pass(300)
        w.disk.mkdir(`${FOLDER}/new`)
        w.disk.write(`${FOLDER}/new/a.txt`, 'the only version')
      },
    ],
    [
      'out of the folder, and back under another name',
      'b.txt',
      async (w) => {
        w.disk.rename(`${FOLDER}/a.txt`, '/home/a.txt')
        await w.pass(300)
        w.disk.rename('/home/a.txt', `${FOLDER}/b.txt`)
      },
    ],
  ])('is sent once: %s', async (_how, to, move) => {
    const w = await uploading('a.txt')
    await move(w)
    await w.pass(10 * MINUTE)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(1)
    const links = await w.handlers.links({ selectors: [`${FOLDER}/${to}`] })
    expect(links.ok ? links.value.map(({ row }) => row?.fileId) : []).toEqual([
      w.service.ledger.files()[0]?.fileId,
    ])
  })
})

describe('a file that gets the name of a secret while it is uploaded', () => {
  it.each<readonly [string, Partial<Dialect>]>([
    ['a whole receipt', {}],
    ['a link alone', { receipt: 'only-link' }],
  ])('is deleted again and held: the response has %s', async (_name, dialect) => {
    const w = await uploading('draft', dialect)
    w.disk.rename(`${FOLDER}/draft`, `${FOLDER}/id_rsa`)
    await w.pass(MINUTE)
    await w.until(() => w.allSettled())
    expect((await w.transfers()).map((t) => ({ name: t.name, state: t.state, reason: t.reason }))).toEqual([
      { name: 'id_rsa', state: 'held', reason: 'secret' },
    ])
    expect(w.service.ledger.live()).toEqual([])
  })
})

describe('a file that is renamed while it is uploaded, and whose drive then stops answering', () => {
  /** A world in which the upload of such a file was answered, and the function that revives the drive. */
  async function unanswered(
    name: string,
    dialect: Partial<Dialect> = {},
  ): Promise<{ readonly w: World; readonly revive: () => void }> {
    const w = await uploading('draft', dialect)
    w.disk.rename(`${FOLDER}/draft`, `${FOLDER}/${name}`)
    await w.until(async () => (await w.byName(name)) !== undefined)
    const { stat } = w.disk
    const revived = Promise.withResolvers<void>()
    Object.assign(w.disk, { stat: (paths: readonly string[]) => revived.promise.then(() => stat(paths)) })
    await w.pass(MINUTE)
    return { w, revive: () => revived.resolve() }
  }

  it('is deleted again, waits for its drive, and is sent once it responds', async () => {
    const { w, revive } = await unanswered('final.txt')
    expect(await w.byName('final.txt')).toMatchObject({
      state: 'waiting',
      reason: 'drive-silent',
      message: null,
    })
    expect(w.service.ledger.live()).toEqual([])
    revive()
    await w.until(() => w.allSettled())
    expect(await w.byName('final.txt')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.live()).toHaveLength(1)
  })

  it('is never published if its new name is that of a secret', async () => {
    const { w, revive } = await unanswered('id_rsa')
    expect(w.service.ledger.live()).toEqual([])
    revive()
    await w.until(() => w.allSettled())
    await w.pass(5 * MINUTE)
    expect(await w.byName('id_rsa')).toMatchObject({ state: 'held', reason: 'secret' })
    expect(w.service.ledger.live()).toEqual([])
  })

  it('is held with its link if the service never shows its ID', async () => {
    const { w } = await unanswered('final.txt', {
      receipt: 'only-link',
      listFields: 'no-link',
      singleFile: 'never',
    })
    const row = await w.byName('final.txt')
    expect(row).toMatchObject({ state: 'held', reason: 'ambiguous' })
    expect(row?.message).toMatch(/its drive doesn't answer.*\/download\//)
  })

  it('does not hold up pausing at once', async () => {
    const { w } = await unanswered('final.txt')
    expect(await w.answered(w.handlers.pause({ now: true }))).toMatchObject({ ok: true })
  })
})

/** A service that never says which ID belongs to the link of an upload. */
const NO_ID: Partial<Dialect> = { receipt: 'only-link', listFields: 'no-link', singleFile: 'never' }

describe('an upload that must not stay published, on a service that never shows its ID', () => {
  it('is held with its link: a file that got the name of a secret', async () => {
    const w = await uploading('draft', NO_ID)
    w.disk.rename(`${FOLDER}/draft`, `${FOLDER}/id_rsa`)
    await w.pass(MINUTE)
    await w.until(() => w.allSettled())
    await w.pass(20 * MINUTE)
    const row = await w.byName('id_rsa')
    expect(row).toMatchObject({ state: 'held', reason: 'ambiguous' })
    expect(row?.message).toContain('/download/')
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('says so if it was cancelled', async () => {
    const w = await uploading('draft', NO_ID)
    await w.handlers.cancel({ ids: [1] })
    await w.pass(MINUTE)
    const row = await w.byName('draft')
    expect(row?.state).toBe('cancelled')
    expect(row?.message).toContain('/download/')
  })

  it('is held with its link: a file that was written to while it was sent', async () => {
    const w = await torn(NO_ID)
    await w.until(() => w.allSettled())
    await w.pass(20 * MINUTE)
    const row = await w.byName('large.bin')
    expect(row).toMatchObject({ state: 'held', reason: 'ambiguous' })
    expect(row?.message).toContain('/download/')
  })
})

describe('a file that is written to while it is sent, on a service that returns only a link', () => {
  it('is deleted again, and sent as it is then', async () => {
    const w = await torn({ receipt: 'only-link' })
    await w.until(async () => (await w.byName('large.bin'))?.state === 'done')
    await w.pass(MINUTE)
    expect(w.service.ledger.live()).toHaveLength(1)
    expect(w.service.ledger.files()).toHaveLength(2)
  })
})

/** A world in which a file is written to after its last byte was sent, and before the answer arrives. */
async function torn(dialect: Partial<Dialect>): Promise<World> {
  const path = `${FOLDER}/large.bin`
  let writes = 1
  const w: World = await openWorld({
    dialect,
    onMoment: (moment, endpoint) => {
      if (endpoint === 'upload' && moment === 'answered' && writes-- > 0)
        w.disk.write(path, Buffer.alloc(3_000_000, 2))
    },
  })
  w.disk.write(path, Buffer.alloc(3_000_000, 1))
  w.disk.setMtime(path, w.clock.now() - MINUTE)
  await w.watch()
  await w.until(async () => (await w.byName('large.bin')) !== undefined)
  return w
}

describe('a file that is renamed after its response was lost', () => {
  it.each<readonly [string, (w: World) => void]>([
    ['renamed', (w) => w.disk.rename(`${FOLDER}/report.txt`, `${FOLDER}/minutes.txt`)],
    [
      'moved and renamed',
      (w) => {
        w.disk.mkdir(`${FOLDER}/below`)
        w.disk.rename(`${FOLDER}/report.txt`, `${FOLDER}/below/minutes.txt`)
      },
    ],
  ])('is looked up under the name it was sent with: %s', async (_how, rename) => {
    const w = await openWorld({ faults: { rules: [{ on: 'upload', nth: [1], kinds: 'cut-after-store' }] } })
    w.disk.write(`${FOLDER}/report.txt`, 'the only version')
    await w.watch()
    await w.until(async () => (await w.byName('report.txt'))?.state === 'unknown')
    rename(w)
    await w.until(async () => (await w.byName('minutes.txt'))?.state === 'done')
    expect(w.service.ledger.files()).toHaveLength(1)
    const links = await w.handlers.links({ selectors: [(await w.byName('minutes.txt'))?.path ?? ''] })
    expect(links.ok ? links.value.map(({ row }) => row?.fileId) : []).toEqual([
      w.service.ledger.files()[0]?.fileId,
    ])
  })
})
