// What a page may request, handler by handler, with a fake desktop and engine: it sends tokens and IDs, never
// a path, and every refusal is a returned value. Where the disk is accessed, real files in a temporary folder
// are used.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WITHDRAWN } from '../../../src-main/engine/journal/transfer-states.ts'
import { NO_LIMITS } from '../../../src-shared/choices.ts'
import type { Result } from '../../../src-shared/engine-contract.ts'
import type { FileLimits, Folder, FolderRules, Transfer } from '../../../src-shared/model.ts'
import {
  type AccountInfo,
  appProcedures,
  type Connection,
  type ListQuery,
} from '../../../src-shared/window-contract.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { remoteRow as remote } from '../views.ts'
import { GONE, settled } from './fake-link.ts'
import { createRoom, FORECAST, type Room } from './room.ts'
import { folder, NOW, snapshot, transfer } from './world.ts'

vi.mock('electron', () => ({ protocol: {} }))

/** Whether the lists of the data folder can't be written because the disk is full. */
const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('../../../src-main/platform/data/private-file.ts', async (load) => {
  const real = await load<typeof import('../../../src-main/platform/data/private-file.ts')>()
  const writePrivateFile: typeof real.writePrivateFile = (file, text) => {
    if (disk.isFull) throw Object.assign(new Error('write'), { code: 'ENOSPC' })
    real.writePrivateFile(file, text)
  }
  return { writePrivateFile }
})

let home = ''
beforeEach(() => {
  home = tempFolder()
})
afterEach(() => {
  disk.isFull = false
  vi.useRealTimers()
})

const tokenOf = (got: Result<{ readonly token: string } | null>): string =>
  got.ok ? (got.value?.token ?? '') : ''
const QUERY: ListQuery = {
  search: '',
  kind: null,
  since: null,
  unopened: false,
  folderId: null,
  sort: 'date',
  descending: true,
}

const room = (given: Room = {}): ReturnType<typeof createRoom> => createRoom(home, given)

describe('what was picked', () => {
  it('is spoken of by a token, with its name and what the plan makes of it', async () => {
    const { h, uploads, callsOf } = room()
    const got = await h.drop({ paths: ['/home/ada/Share', '/home/ada/b.txt'] })
    expect(got).toMatchObject({ value: { name: 'Share', paths: 2, forecast: FORECAST } })
    expect(JSON.stringify(got)).not.toContain('/home/ada')
    expect(callsOf('plan')).toEqual([{ paths: ['/home/ada/Share', '/home/ada/b.txt'] }])
    const token = tokenOf(got)
    expect(await h.uploadPicked({ token, again: true })).toMatchObject({ value: { queued: 2 } })
    expect(uploads).toEqual([{ paths: ['/home/ada/Share', '/home/ada/b.txt'], again: true }])
  })

  it('as a folder and dropped can be watched afterwards, once the user agrees in a dialog', async () => {
    const share = join(home, 'Share')
    mkdirSync(share)
    const { h, questions, callsOf } = room({
      confirms: [false, true],
      answers: { watch: () => folder(share) },
    })
    const upload = async (...paths: string[]) => {
      const got = await h.uploadPicked({ token: tokenOf(await h.drop({ paths })), again: false })
      return got.ok ? got.value.folder : undefined
    }
    expect(await upload(join(share, 'a.txt'))).toBeUndefined()
    expect(await upload(share, join(home, 'b.txt'))).toBeUndefined()
    const offered = await upload(share)
    expect(offered?.name).toBe('Share')
    const rules: FolderRules = {
      onChange: 'new-link',
      ignore: ['*.mov'],
      limits: NO_LIMITS,
      graceSeconds: 10,
    }
    const input = { token: offered?.token ?? '', existing: 'skip', copy: false, ...rules } as const
    expect(await h.watchPicked(input)).toEqual({ ok: true, value: null })
    expect(await h.watchPicked(input)).toMatchObject({ value: { path: share } })
    expect(questions.map((one) => one.title)).toEqual(['Watch Share?', 'Watch Share?'])
    expect(callsOf('watch')).toMatchObject([{ path: share, ...rules }])
  })

  it('is one drop, however many messages its paths take', async () => {
    const { h, uploads, callsOf } = room({ answers: { planPart: () => ({}) } })
    const paths = Array.from({ length: 25_000 }, (_, i) => `/home/ada/${i}`)
    const first = await h.dropPart({ paths: paths.slice(0, 10_000) })
    const earlier = tokenOf(first)
    expect(await h.dropPart({ paths: paths.slice(10_000, 20_000), earlier })).toEqual(first)
    const got = await h.drop({ paths: paths.slice(20_000), earlier })
    expect(got).toMatchObject({ value: { name: '0', paths: 25_000, forecast: FORECAST } })
    const parts = callsOf('planPart') as { readonly token: string; readonly paths: readonly string[] }[]
    const plans = callsOf('plan') as { readonly parts: unknown; readonly paths: readonly string[] }[]
    expect([...parts, ...plans].flatMap((one) => one.paths)).toEqual(paths)
    expect(plans.map((one) => one.parts)).toEqual([
      { token: parts[0]?.token, count: parts.flatMap((one) => one.paths).length },
    ])
    expect(new Set(parts.map((one) => one.token)).size).toBe(1)
    await h.uploadPicked({ token: tokenOf(got), again: false })
    expect(uploads).toEqual([{ paths, again: false }])
    const unknown = { ok: false, failure: { code: 'usage', title: 'This drop is not known any more.' } }
    for (const ask of [h.drop, h.keepDrop, h.dropPart])
      expect(await ask({ paths: ['/a'], earlier })).toMatchObject(unknown)
    expect(await h.kept({})).toMatchObject({ value: { count: 0 } })
    expect(
      await h.keepDrop({ paths: ['/b'], earlier: tokenOf(await h.dropPart({ paths: ['/a'] })) }),
    ).toMatchObject({
      value: { count: 2 },
    })
  })

  it('what is dropped without being a file is written, and uploaded as pasted after its forecast', async () => {
    const { h, calls, uploads, did } = room({ pastedDir: '/data/pasted' })
    const contents = [
      { what: 'text', text: 'words' },
      { what: 'picture', name: 'cat.png', bytes: Uint8Array.of(1) },
      { what: 'picture', name: 'letter.eml', bytes: new Uint8Array() },
    ] as const
    const got = await h.drop({ paths: ['/home/ada/b.txt'], contents: [...contents] })
    expect(got).toMatchObject({ value: { paths: 3, unread: ['letter.eml'] } })
    const paths = ['/data/pasted/text.txt', '/data/pasted/cat.png', '/home/ada/b.txt']
    expect(calls.find(({ name }) => name === 'plan')?.input).toEqual({ paths, pasted: true })
    await h.uploadPicked({ token: tokenOf(got), again: false })
    expect(uploads.map((one) => one.paths)).toEqual([paths])
    expect(did.filter(([name]) => name === 'dropped')).toHaveLength(3)
  })

  it('a text that the user doesn’t want to upload is no failure, and what is neither is one', async () => {
    const declined = room({ takesDroppedText: false })
    expect(await declined.h.drop({ paths: [], contents: [{ what: 'text', text: 'a' }] })).toEqual({
      ok: true,
      value: null,
    })
    const nothing = { what: 'picture', name: 'letter.eml', bytes: new Uint8Array() } as const
    expect(await room().h.drop({ paths: [], contents: [nothing] })).toMatchObject({
      failure: { code: 'unreadable' },
    })
  })

  it('one key uploads the clipboard or a picture of the screen; a cancelled one is nothing at all', async () => {
    const region = { ok: true, value: { paths: ['/data/pasted/shot.png'], pasted: true } } as const
    const { uploadAtOnce, uploads } = room({ region, clipboardFiles: ['/home/ada/a.txt'] })
    expect(await uploadAtOnce('region')).toMatchObject({ value: { queued: 1 } })
    expect(await uploadAtOnce('clipboard')).toMatchObject({ value: { queued: 1 } })
    expect(uploads.map(({ paths }) => paths)).toEqual([['/data/pasted/shot.png'], ['/home/ada/a.txt']])
    expect(await room().uploadAtOnce('region')).toBeNull()
    expect(await room().uploadAtOnce('clipboard')).toEqual({ ok: true, value: null })
    expect(await room().h.takeRegion({})).toEqual({ ok: true, value: null })
  })

  it('is no drop of more paths than memory holds', async () => {
    const { h } = room()
    const paths = Array.from({ length: 20_000 }, (_, i) => `/home/ada/${i}`)
    let got = await h.dropPart({ paths })
    for (let parts = 1; got.ok && parts < 100; parts++)
      got = await h.dropPart({ paths, earlier: got.value.token })
    expect(got).toMatchObject({ failure: { code: 'usage', title: 'These are more than 1,000,000 files.' } })
  })

  it('is a folder whose forecast follows the rules of its form, from the settings at first', async () => {
    const { h, callsOf } = room({ folder: '/home/ada/Share', settings: { ignore: ['*.mov'] } })
    const got = await h.chooseFolder({})
    const token = got.ok ? (got.value?.token ?? '') : ''
    expect(await h.planPicked({ token, ignore: ['*.txt'], limits: NO_LIMITS })).toEqual({
      ok: true,
      value: FORECAST,
    })
    expect(callsOf('plan')).toEqual([
      { paths: ['/home/ada/Share'], ignore: ['*.mov'] },
      { paths: ['/home/ada/Share'], ignore: ['*.txt'], limits: NO_LIMITS },
    ])
  })

  it('is sent once: a token is used up', async () => {
    const { h, uploads } = room()
    const got = await h.drop({ paths: ['/a'] })
    const token = tokenOf(got)
    await h.uploadPicked({ token, again: false })
    expect(await h.uploadPicked({ token, again: false })).toMatchObject({ failure: { code: 'usage' } })
    expect(uploads).toHaveLength(1)
  })

  it.each(['', 'x', '/etc/passwd', '../../etc/passwd', '__proto__', 'constructor', 'size', '0'])(
    'is not %j',
    async (token) => {
      const { h, uploads, callsOf } = room()
      expect(await h.uploadPicked({ token, again: false })).toMatchObject({ failure: { code: 'usage' } })
      // Not 'usage', which the engine answers about a folder that it won't watch.
      expect(
        await h.watchPicked({
          token,
          existing: 'upload',
          onChange: 'replace',
          ignore: [],
          limits: NO_LIMITS,
          copy: false,
        }),
      ).toMatchObject({ failure: { code: 'not-found' } })
      expect([uploads, callsOf('watch'), callsOf('upload')]).toEqual([[], [], []])
    },
  )

  it('is forgotten when twenty others were picked since', async () => {
    const { h } = room()
    const tokens: string[] = []
    for (let i = 0; i < 21; i++) {
      const got = await h.drop({ paths: [`/f${i}`] })
      tokens.push(tokenOf(got))
    }
    expect(await h.uploadPicked({ token: tokens[0] ?? '', again: false })).toMatchObject({ ok: false })
    expect(await h.uploadPicked({ token: tokens[1] ?? '', again: false })).toMatchObject({ ok: true })
    expect(new Set(tokens).size).toBe(21)
  })

  it('can be sent where the engine could not say what the plan makes of it', async () => {
    const { h } = room({ answers: { plan: () => GONE } })
    expect(await h.drop({ paths: ['/a'] })).toMatchObject({ value: { forecast: null } })
  })

  it('as a folder is watched at its own path', async () => {
    const { h, callsOf } = room({
      folder: '/home/ada/Share',
      answers: { watch: () => folder('/home/ada/Share') },
    })
    const got = await h.chooseFolder({})
    const token = got.ok && got.value !== null ? got.value.token : ''
    expect(
      await h.watchPicked({
        token,
        existing: 'skip',
        onChange: 'ignore',
        ignore: ['*.tmp'],
        limits: NO_LIMITS,
        copy: false,
      }),
    ).toMatchObject({ ok: true })
    expect(callsOf('watch')).toEqual([
      {
        path: '/home/ada/Share',
        existing: 'skip',
        onChange: 'ignore',
        ignore: ['*.tmp'],
        limits: NO_LIMITS,
        keep: true,
        changeRules: true,
      },
    ])
  })

  it('or was not: a dialog that was closed is no failure', async () => {
    const { h, uploads } = room()
    expect(await h.chooseFolder({})).toEqual({ ok: true, value: null })
    expect(await h.uploadChosen({ folders: false })).toEqual({ ok: true, value: null })
    expect(await h.uploadClipboard({})).toEqual({ ok: true, value: null })
    expect(uploads).toEqual([])
  })

  it('in a dialog or on the clipboard goes up', async () => {
    const { h, uploads } = room({ files: ['/a', '/b'], clipboardFiles: ['/c'] })
    await h.uploadChosen({ folders: true })
    await h.uploadClipboard({})
    expect(uploads.map((one) => one.paths)).toEqual([['/a', '/b'], ['/c']])
  })
})

describe('what is pasted or dropped before there is a connection', () => {
  /** Writes content as a paste does, and returns its path. */
  const write = (name: string, content = 'x'): string => {
    mkdirSync(join(home, 'data/kept'), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, 'data/kept', name), content)
    return join(home, 'data/kept', name)
  }
  const left = (dir: string): readonly string[] =>
    existsSync(join(home, dir)) ? readdirSync(join(home, dir)).toSorted() : []
  it('is kept paste by paste, told by name alone, and goes up together, once', async () => {
    const { h, uploads, did } = room({
      pastes: [['/home/ada/a.txt', '/home/ada/b.txt'], [], ['/home/ada/c.txt']],
    })
    expect(await h.keepClipboard({})).toEqual({ ok: true, value: { count: 2, names: ['a.txt', 'b.txt'] } })
    expect(await h.keepClipboard({})).toEqual({ ok: true, value: { count: 2, names: ['a.txt', 'b.txt'] } })
    expect(await h.keepClipboard({})).toEqual({
      ok: true,
      value: { count: 3, names: ['a.txt', 'b.txt', 'c.txt'] },
    })
    // Not in an account's folder, which would be deleted with the account.
    expect(new Set(did.map(([, dir]) => dir))).toEqual(new Set([join(home, 'data/kept')]))
    expect(uploads).toEqual([])
    expect(await h.uploadKept({})).toMatchObject({ value: { queued: 3 } })
    expect(uploads.map((one) => one.paths)).toEqual([
      ['/home/ada/a.txt', '/home/ada/b.txt', '/home/ada/c.txt'],
    ])
    expect(await h.uploadKept({})).toEqual({ ok: true, value: null })
  })

  it('is still there where the upload could not begin', async () => {
    const { h, uploads } = room({ pastes: [['/a']], uploadFails: [true, false] })
    await h.keepClipboard({})
    expect(await h.uploadKept({})).toEqual(GONE)
    expect(await h.uploadKept({})).toMatchObject({ value: { queued: 1 } })
    expect(uploads).toHaveLength(2)
  })

  const noSpace = (dir: string): unknown => ({
    ok: false,
    failure: { code: 'disk', title: `Couldn't write to disk: no space left in ${dir}.` },
  })

  it('is refused with the reason if the disk is full, as is a paste with a connection', async () => {
    const pasteFails = Object.assign(new Error('write'), { code: 'ENOSPC' })
    const { h } = room({ pasteFails, pastedDir: '/data/pasted' })
    expect(await h.keepClipboard({})).toMatchObject(noSpace(join(home, 'data')) as object)
    expect(await h.uploadClipboard({})).toMatchObject(noSpace('/data/pasted') as object)
    // Anything else stays an internal error, whose details are in the log.
    await expect(room({ pasteFails: new TypeError('x') }).h.keepClipboard({})).rejects.toThrow(TypeError)
  })

  it('is not counted as kept if it would be lost when the app quits', async () => {
    const { h } = room({ pastes: [['/home/ada/b.txt']] })
    await h.keepDrop({ paths: ['/home/ada/a.txt'] })
    disk.isFull = true
    expect(await h.keepDrop({ paths: ['/home/ada/c.txt'] })).toMatchObject(
      noSpace(join(home, 'data')) as object,
    )
    expect(await h.keepClipboard({})).toMatchObject(noSpace(join(home, 'data')) as object)
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 1, names: ['a.txt'] } })
    disk.isFull = false
    await h.keepDrop({ paths: ['/home/ada/c.txt'] })
    expect(await room().h.kept({})).toEqual({ ok: true, value: { count: 2, names: ['a.txt', 'c.txt'] } })
  })

  it('is kept even without the list if Slipway wrote it, because its folder is read at the next start', async () => {
    const { h } = room({ pastes: [[write('Text.txt')]], written: [join(home, 'data/kept/Text.txt')] })
    disk.isFull = true
    for (const now of [h.keepClipboard({}), room().h.kept({})])
      expect(await now).toEqual({ ok: true, value: { count: 1, names: ['Text.txt'] } })
  })

  it('is placed where the account may upload it from, beside what waits there', async () => {
    const [written, other] = [write('Text.txt', 'mine'), write('Text 2.txt', 'other')]
    mkdirSync(join(home, 'accounts/pasted'), { recursive: true })
    writeFileSync(join(home, 'accounts/pasted/Text.txt'), 'waits')
    // Placed by an earlier start, which ended before the upload was registered.
    writeFileSync(join(home, 'accounts/pasted/Text 2.txt'), 'other')
    const { h, uploads } = room({
      pastes: [[written], [other]],
      written: [written, other],
      pastedDir: join(home, 'accounts/pasted'),
    })
    await h.keepClipboard({})
    await h.keepClipboard({})
    await h.uploadKept({})
    expect(uploads.map((one) => one.paths.toSorted())).toEqual([
      [join(home, 'accounts/pasted/Text 2.txt'), join(home, 'accounts/pasted/Text 3.txt')],
    ])
    expect(
      left('accounts/pasted').map((name) => readFileSync(join(home, 'accounts/pasted', name), 'utf8')),
    ).toEqual(['other', 'mine', 'waits'])
    expect(left('data/kept')).toEqual([])
  })

  it('is sent later if it comes while earlier pastes are copied or handed over', async () => {
    const written = write('Text.txt')
    const { h, uploads } = room({
      pastes: [[written], ['/while-copied'], ['/while-sent']],
      written: [written],
      pastedDir: join(home, 'accounts/pasted'),
      whileUploading: (): Promise<unknown> => h.keepClipboard({}),
    })
    await h.keepClipboard({})
    const sending = h.uploadKept({})
    await h.keepClipboard({})
    await sending
    expect(await h.uploadKept({})).toMatchObject({ value: { queued: 2 } })
    expect(uploads.map((one) => one.paths)).toEqual([
      [join(home, 'accounts/pasted/Text.txt')],
      ['/while-copied', '/while-sent'],
    ])
  })

  it('is forgotten when it is discarded: what Slipway wrote is deleted, what was copied or dropped is not', async () => {
    const [mine, dropped] = ['mine.txt', 'dropped.txt'].map((name) => join(home, name)) as [string, string]
    for (const path of [mine, dropped]) writeFileSync(path, 'x')
    const written = write('Text.txt')
    const { h } = room({ pastes: [[mine], [written]], written: [written], confirms: true })
    await h.keepClipboard({})
    await h.keepClipboard({})
    await h.keepDrop({ paths: [dropped] })
    expect(await h.discardKept({})).toEqual({ ok: true, value: { count: 0, names: [] } })
    expect([existsSync(mine), existsSync(dropped), existsSync(written)]).toEqual([true, true, false])
    for (const { h: now } of [{ h }, room()]) {
      expect(await now.kept({})).toEqual({ ok: true, value: { count: 0, names: [] } })
      expect(await now.uploadKept({})).toEqual({ ok: true, value: null })
      expect(await now.pickKept({})).toEqual({ ok: true, value: null })
    }
  })

  it('is picked like another drop, and kept until it is uploaded', async () => {
    const { h, uploads, callsOf } = room({ uploadFails: [true, false] })
    expect(await h.keepDrop({ paths: ['/home/ada/a.txt', '/home/ada/b'] })).toEqual({
      ok: true,
      value: { count: 2, names: ['a.txt', 'b'] },
    })
    const first = await h.pickKept({})
    expect(first).toMatchObject({ value: { name: 'a.txt', paths: 2, forecast: FORECAST } })
    expect(JSON.stringify(first)).not.toContain('/home/ada')
    expect(callsOf('plan')).toEqual([{ paths: ['/home/ada/a.txt', '/home/ada/b'] }])
    expect(await h.uploadPicked({ token: tokenOf(first), again: false })).toEqual(GONE)
    await h.keepDrop({ paths: ['/c'] })
    const second = await h.pickKept({})
    await h.keepDrop({ paths: ['/d'] })
    expect(await h.uploadPicked({ token: tokenOf(second), again: false })).toMatchObject({
      value: { queued: 3 },
    })
    expect(uploads.at(-1)?.paths).toEqual(['/home/ada/a.txt', '/home/ada/b', '/c'])
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 1, names: ['d'] } })
  })

  it('is no longer kept if the user doesn’t upload it after all', async () => {
    const { h, uploads } = room()
    await h.keepDrop({ paths: ['/a'] })
    await h.forgetPicked({ token: tokenOf(await h.pickKept({})) })
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 0, names: [] } })
    expect(uploads).toEqual([])
  })

  it('outlives the page and the app', async () => {
    const written = write('Text.txt')
    const before = room({ pastes: [[written], ['/home/ada/a.txt']], written: [written] }).h
    await before.keepClipboard({})
    await before.keepClipboard({})
    await before.keepDrop({ paths: ['/home/ada/b.txt', '/home/ada/c.txt'] })
    const { h, uploads } = room({ pastedDir: join(home, 'accounts/pasted') })
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 4, names: ['Text.txt', 'a.txt', 'b.txt'] } })
    await h.uploadKept({})
    await h.uploadPicked({ token: tokenOf(await h.pickKept({})), again: false })
    expect(uploads.map((one) => one.paths)).toEqual([
      [join(home, 'accounts/pasted/Text.txt'), '/home/ada/a.txt'],
      ['/home/ada/b.txt', '/home/ada/c.txt'],
    ])
    expect(await room().h.kept({})).toEqual({ ok: true, value: { count: 0, names: [] } })
    expect(left('data/kept')).toEqual([])
  })

  it.each([
    ['is damaged', '{"items":[{"path":"Te'],
    ['is of another form', '{"items":[{"path":7}]}'],
    [
      'names what is elsewhere, or gone',
      '{"items":[{"path":"../../own.txt","source":"written"},{"path":"Gone.txt","source":"written"}]}',
    ],
  ])('survives with its content if the list %s', async (_what, list) => {
    write('Text.txt')
    writeFileSync(join(home, 'own.txt'), 'x')
    writeFileSync(join(home, 'data/kept.json'), list)
    const { h } = room({ confirms: true })
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 1, names: ['Text.txt'] } })
    await h.discardKept({})
    expect([left('data/kept'), existsSync(join(home, 'own.txt'))]).toEqual([[], true])
  })

  it('is tried in a trial, and goes to the first account all the same', async () => {
    const written = write('Text.txt')
    await room({ pastes: [[written]], written: [written] }).h.keepClipboard({})
    await room().h.keepDrop({ paths: ['/home/ada/a.txt'] })
    const trial = room({ trial: true, pastedDir: join(home, 'trial/pasted') })
    await trial.h.uploadKept({})
    expect(trial.uploads.map((one) => one.paths)).toEqual([[join(home, 'trial/pasted/Text.txt')]])
    // A page that is reloaded doesn't upload it once more.
    expect(await trial.h.kept({})).toEqual({ ok: true, value: { count: 1, names: ['a.txt'] } })
    expect(await trial.h.uploadKept({})).toEqual({ ok: true, value: null })
    // Dropped files are no longer kept after an upload in a trial, because their originals still exist.
    await trial.h.uploadPicked({ token: tokenOf(await trial.h.pickKept({})), again: false })
    rmSync(join(home, 'trial'), { recursive: true })

    const { h, uploads } = room({ pastedDir: join(home, 'accounts/pasted') })
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 1, names: ['Text.txt'] } })
    await h.uploadKept({})
    expect(uploads.map((one) => one.paths)).toEqual([[join(home, 'accounts/pasted/Text.txt')]])
    expect(left('accounts/pasted')).toEqual(['Text.txt'])
  })

  it('is forgotten if it can no longer be read, except for what Slipway wrote', async () => {
    const written = write('Text.txt')
    const { h } = room({
      pastes: [['/gone'], [written]],
      written: [written],
      areUnreadable: true,
      pastedDir: join(home, 'accounts/pasted'),
    })
    await h.keepClipboard({})
    await h.keepClipboard({})
    await h.keepDrop({ paths: ['/gone, too'] })
    expect(await h.uploadKept({})).toMatchObject({ failure: { code: 'unreadable' } })
    expect(await h.uploadPicked({ token: tokenOf(await h.pickKept({})), again: false })).toMatchObject({
      ok: false,
    })
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 1, names: ['Text.txt'] } })
  })

  it('stays if it can’t be copied', async () => {
    const written = write('Text.txt')
    writeFileSync(join(home, 'accounts'), 'a file where the folder should be')
    const { h, uploads } = room({
      pastes: [[written]],
      written: [written],
      pastedDir: join(home, 'accounts/pasted'),
    })
    await h.keepClipboard({})
    await expect(h.uploadKept({})).rejects.toThrow('ENOTDIR')
    expect(uploads).toEqual([])
    expect(await h.kept({})).toEqual({ ok: true, value: { count: 1, names: ['Text.txt'] } })
    expect(left('data/kept')).toEqual(['Text.txt'])
  })
})

describe('folders, by their number alone', () => {
  const watched = snapshot({ folders: [folder('/home/ada/Share', 'watching', 7)] })
  it('are changed and opened where they are', async () => {
    const { h, did, callsOf, questions } = room({
      snapshot: watched,
      answers: { watch: () => folder('/home/ada/Share') },
      confirms: true,
    })
    await h.changeFolder({ folderId: 7, onChange: 'replace', ignore: ['a'], limits: NO_LIMITS })
    expect(questions.map((one) => one.title)).toEqual(['Replace changed files in Share?'])
    expect(callsOf('watch')).toEqual([
      {
        path: '/home/ada/Share',
        existing: 'upload',
        onChange: 'replace',
        ignore: ['a'],
        limits: NO_LIMITS,
        keep: true,
        changeRules: true,
      },
    ])
    expect(await h.openFolder({ folderId: 7 })).toEqual({ ok: true, value: {} })
    expect(did).toEqual([['openPath', '/home/ada/Share']])
  })
  describe('whose rules exclude files', () => {
    const rules = {
      ...folder('/home/ada/Share', 'watching', 7),
      ignore: ['*.mov', 'private/', '!private/a.txt'],
    }
    const given = {
      snapshot: snapshot({ folders: [rules] }),
      folder: rules.path,
      answers: { watch: () => rules },
    }
    it.each([
      ['one rule less', ['*.mov', '!private/a.txt'], 'Removed: private/'],
      ['a half-typed rule', ['*.mov', 'priv', '!private/a.txt'], 'Removed: private/'],
      ['one exception more', ['*.mov', 'private/', '!private/a.txt', '!*.txt'], 'Added: !*.txt'],
    ])(
      'are not changed before the user agrees, if more files could be uploaded: %s',
      async (_name, ignore, detail) => {
        const declined = room({ ...given, confirms: false })
        expect(
          await declined.h.changeFolder({ folderId: 7, onChange: 'replace', ignore, limits: NO_LIMITS }),
        ).toEqual({
          ok: true,
          value: rules,
        })
        const picked = await declined.h.chooseFolder({})
        const again = {
          token: tokenOf(picked),
          existing: 'upload',
          onChange: 'replace',
          ignore,
          limits: NO_LIMITS,
          copy: true,
        } as const
        expect(await declined.h.watchPicked(again)).toEqual({ ok: true, value: rules })
        expect(declined.questions.map((one) => one.title)).toEqual(
          Array.from({ length: 2 }, () => 'Ignore fewer files in Share?'),
        )
        expect(declined.questions[0]?.detail).toContain(detail)
        expect([declined.callsOf('watch'), declined.told]).toEqual([[], []])
        const agreed = room({ ...given, confirms: true })
        await agreed.h.changeFolder({ folderId: 7, onChange: 'replace', ignore, limits: NO_LIMITS })
        expect(agreed.callsOf('watch')).toMatchObject([{ path: rules.path, ignore }])
      },
    )

    const LIMITED = { maxBytes: 1000, onlyTypes: ['png', 'jpg'], notTypes: [] }
    it.each<[string, FileLimits, number, string[]?]>([
      ['a larger size', { ...LIMITED, maxBytes: 2000 }, 1],
      ['any size', { ...LIMITED, maxBytes: null }, 1],
      ['one more type', { ...LIMITED, onlyTypes: ['png', 'jpg', 'pdf'] }, 1],
      ['all types but one', { maxBytes: 1000, onlyTypes: [], notTypes: ['exe'] }, 1],
      ['fewer types and a smaller size', { maxBytes: 10, onlyTypes: ['png'], notTypes: ['jpg'] }, 0],
      ['a part of a type', { ...LIMITED, onlyTypes: ['png', 'old.jpg'] }, 0],
      ['a part of what was left out', { maxBytes: 10, onlyTypes: ['tar.gz'], notTypes: [] }, 1, ['gz']],
      ['all that had a part left out', { maxBytes: 10, onlyTypes: [], notTypes: ['gz'] }, 0, ['tar.gz']],
    ])('by size and type are lifted only once the user agrees: %s', async (_name, limits, asked, not) => {
      const before = not === undefined ? LIMITED : { maxBytes: 10, onlyTypes: [], notTypes: not }
      const limited = { ...rules, limits: before }
      const { h, questions, callsOf } = room({
        ...given,
        snapshot: snapshot({ folders: [limited] }),
        confirms: false,
      })
      await h.changeFolder({ folderId: 7, onChange: 'new-link', ignore: rules.ignore, limits })
      expect([questions.length, callsOf('watch').length]).toEqual([asked, 1 - asked])
    })

    it.each([
      ['a shorter wait before new files go up', { graceSeconds: 10 }, 1],
      ['no wait', { graceSeconds: 0 }, 1],
      ['the same wait', { graceSeconds: 60 }, 0],
      ['no word about the wait', {}, 0],
      ['changed files without a question', { onChange: 'new-link' }, 1],
      ['changed files in place of their links', { onChange: 'replace' }, 1],
      ['no changed files', { onChange: 'ignore' }, 0],
    ] as const)(
      'and that hold files back let go of them only once the user agrees: %s',
      async (_name, change, asked) => {
        const waiting = { ...rules, onChange: 'ask', graceSeconds: 60 } as const
        const input = {
          folderId: 7,
          onChange: 'ask',
          ignore: rules.ignore,
          limits: NO_LIMITS,
          ...change,
        } as const
        for (const confirms of [false, true]) {
          const { h, questions, callsOf } = room({
            ...given,
            snapshot: snapshot({ folders: [waiting] }),
            confirms,
          })
          await h.changeFolder(input)
          expect([questions.length, callsOf('watch').length]).toEqual([
            asked,
            asked === 1 && !confirms ? 0 : 1,
          ])
        }
      },
    )

    it.each([
      ['one rule more', ['*.mov', '*.txt', 'private/', '!private/a.txt']],
      ['one exception less', ['*.mov', 'private/']],
      ['an exception that other rules now override', ['!private/a.txt', '*.mov', 'private/']],
      ['the same rules', [...rules.ignore]],
    ])('are changed without a question, if no more files could be uploaded: %s', async (_name, ignore) => {
      const { h, questions, callsOf } = room({ ...given, confirms: false })
      await h.changeFolder({ folderId: 7, onChange: 'ignore', ignore, limits: NO_LIMITS })
      expect([questions, callsOf('watch')]).toMatchObject([[], [{ ignore }]])
    })
  })

  it('aren’t asked about if the engine would refuse them', async () => {
    const refused = {
      ok: false,
      failure: { code: 'usage', title: 'No such folder.', hint: null, refusal: 'target-missing' },
    }
    const { h, questions, callsOf } = room({
      folder: '/home/ada/Share',
      snapshot: watched,
      answers: { checkWatch: () => refused, watch: () => folder('/home/ada/Share') },
    })
    const picked = await h.chooseFolder({})
    expect(await h.chooseTarget({})).toEqual({ ok: true, value: '/home/ada/Share' })
    const rules = {
      onChange: 'new-link',
      ignore: [],
      limits: NO_LIMITS,
      after: { folder: '/home/ada/Share' },
    } as const
    const token = picked.ok ? (picked.value?.token ?? '') : ''
    for (const got of [
      await h.watchPicked({ token, existing: 'upload', copy: false, ...rules, ignore: [] }),
      await h.changeFolder({ folderId: 7, ...rules, ignore: [] }),
    ])
      expect(got).toEqual(refused)
    expect([questions, callsOf('watch'), callsOf('checkWatch').length]).toEqual([[], [], 2])
    // A page can't find out that way which folders exist.
    await h.changeFolder({ folderId: 7, ...rules, ignore: [], after: { folder: '/etc' } })
    expect([questions.length, callsOf('checkWatch').length]).toEqual([1, 2])
  })

  it.each([watched, null])('are refused where they are none', async (now) => {
    const { h, did, callsOf } = room({ snapshot: now })
    expect(
      await h.changeFolder({ folderId: 8, onChange: 'replace', ignore: [], limits: NO_LIMITS }),
    ).toMatchObject({
      failure: { code: 'not-found' },
    })
    expect(await h.openFolder({ folderId: 8 })).toMatchObject({ failure: { code: 'not-found' } })
    expect([did, callsOf('watch')]).toEqual([[], []])
  })
  it('are not opened where a program or a file took their place', async () => {
    const path = join(home, 'Share')
    writeFileSync(path, '#!/bin/sh')
    const { h, did } = room({ snapshot: snapshot({ folders: [folder(path, 'watching', 7)] }) })
    expect(await h.openFolder({ folderId: 7 })).toMatchObject({ failure: { code: 'not-found' } })
    expect(did).toEqual([])
  })
  it('that the desktop can not open say why', async () => {
    const { h } = room({ snapshot: watched, openProblem: 'No program.' })
    expect(await h.openFolder({ folderId: 7 })).toEqual({
      ok: false,
      failure: { code: 'disk', title: 'No program.', hint: null },
    })
  })
})

describe('copying', () => {
  const links = ({ selectors }: { selectors: string[] }) =>
    selectors.map((selector) => ({
      selector,
      row:
        selector === '9'
          ? null
          : remote(Number(selector), {
              publicLink: selector === '2' ? null : `https://files.example.com/d/${selector}`,
            }),
    }))

  it('writes once, in the order asked, and says what has no link', async () => {
    const { h, did, told } = room({ answers: { links } })
    const got = await h.copyLinks({ selection: { fileIds: [3, 2, 1, 9] }, style: null })
    const text = 'https://files.example.com/d/3\nhttps://files.example.com/d/1'
    expect(got).toEqual({ ok: true, value: { count: 2, missing: 2, text } })
    expect(did).toEqual([['writeText', text]])
    expect(told).toMatchObject([
      { kind: 'copied', count: 2, fileIds: [3, 1], asked: true, file: { fileId: 3 }, undo: null },
    ])
  })

  it('leaves the clipboard alone where there is nothing to copy', async () => {
    const { h, did, told } = room({ answers: { links } })
    expect(await h.copyLinks({ selection: { fileIds: [2, 9] }, style: 'html' })).toMatchObject({
      value: { count: 0, missing: 2 },
    })
    expect(await h.copyLastDrop({ style: null })).toMatchObject({ value: { count: 0, missing: 0 } })
    expect([did, told]).toEqual([[], []])
  })

  it('is in the person’s own style unless another is asked for', async () => {
    const { h, did } = room({
      answers: { links },
      settings: { linkStyle: 'template', linkTemplate: '$name -> $url' },
    })
    await h.copyLinks({ selection: { fileIds: [1] }, style: null })
    await h.copyLinks({ selection: { fileIds: [1] }, style: 'markdown' })
    expect(did.map(([, text]) => text)).toEqual([
      'file-1.jpg -> https://files.example.com/d/1',
      '[file-1.jpg](https://files.example.com/d/1)',
    ])
  })

  it('of 5,000 rows writes them all, and shows and marks a part', async () => {
    const { h, did, told } = room({
      answers: {
        catalog: ({ offset, limit }: { offset: number; limit: number }) => ({
          rows: Array.from({ length: limit }, (_, i) => remote(offset + i)),
          total: 5000,
          asOf: null,
          revision: 'r1',
        }),
      },
    })
    const got = await h.copyLinks({
      selection: { query: QUERY, ranges: [[0, 4999]], isAll: true, revision: 'r1' },
      style: null,
    })
    expect(got).toMatchObject({ value: { count: 5000, missing: 0 } })
    expect(String(did[0]?.[1]).split('\n')).toHaveLength(5000)
    expect(got.ok && got.value.text.length).toBe(2000)
    expect(told[0]).toMatchObject({ count: 5000, fileIds: { length: 500 } })
    expect(appProcedures.copyLinks.output.safeParse(got.ok && got.value).success).toBe(true)
  })

  it('of transfers goes by their numbers; those that are unknown are missing', async () => {
    const { h, did } = room({
      rows: [transfer(4, { fileId: 44 }), transfer(6, { state: 'queued', publicLink: null })],
    })
    expect(await h.copyTransferLinks({ ids: [6, 5, 4], style: null })).toMatchObject({
      value: { count: 1, missing: 2 },
    })
    expect(did).toEqual([['writeText', 'https://files.example.com/d/4']])
  })

  it('and opening a link or showing a file fail where the engine cannot be asked; none is taken as unknown', async () => {
    const { h, copies, files, did } = room({ answers: { transfers: () => GONE } })
    expect(await h.copyTransferLinks({ ids: [4], style: null })).toEqual(GONE)
    expect(await copies.ofTransfers([4], null)).toEqual(GONE)
    expect([await files.openLink(4), await files.showInFolder(4)]).toEqual([GONE, GONE])
    expect(did).toEqual([])
  })

  const link = {
    transferId: 1,
    fileId: 11,
    name: 'a',
    url: 'https://files.example.com/d/1',
    bytes: 1,
    at: NOW,
  }

  it('without a click is told as such, and only where it happened', async () => {
    const { copies, told } = room()
    expect(await copies.unasked([link], 'mark')).toBe('copied')
    const file = { fileId: 11, transferId: 1, name: 'a' }
    expect(told).toEqual([{ kind: 'copied', count: 1, fileIds: [11], asked: false, file, undo: null }])
  })

  it.each(['changed', 'refused'] as const)(
    'without a click that was %s is not told as copied',
    async (outcome) => {
      const seen: unknown[] = []
      const { copies, told } = room({
        copy: async (text, mark) => {
          seen.push(text, mark)
          return outcome
        },
      })
      expect(await copies.unasked([link], 'mark')).toBe(outcome)
      expect(seen).toEqual(['https://files.example.com/d/1', 'mark'])
      expect(told).toEqual([])
    },
  )

  it('that the system refuses is a failure, and nothing is called copied', async () => {
    const { h, told } = room({ answers: { links }, takesText: false })
    expect(await h.copyLinks({ selection: { fileIds: [1] }, style: null })).toMatchObject({
      failure: { code: 'clipboard' },
    })
    expect(told).toEqual([])
  })
})

describe('links of what is saved in a folder', () => {
  const share = folder('/home/ada/Share', 'watching', 7)

  it('are copied from the folder that was chosen with it, by its path', async () => {
    const { h, store, told } = room({
      folder: share.path,
      answers: { watch: () => share },
      settings: { copyFolders: ['/other'] },
    })
    const picked = await h.chooseFolder({})
    const token = picked.ok ? (picked.value?.token ?? '') : ''
    await h.watchPicked({
      token,
      existing: 'upload',
      onChange: 'new-link',
      ignore: [],
      limits: NO_LIMITS,
      copy: true,
    })
    expect(store.settings().copyFolders).toEqual(['/other', share.path])
    expect(told).toMatchObject([{ kind: 'settings' }])
    // A page can't add a path. It refers to a watched folder.
    expect(await h.copyFromFolder({ folderId: 8, copy: true })).toMatchObject({ ok: false })
  })

  it('are turned on and off for a watched folder', async () => {
    const { h, store } = room({ snapshot: snapshot({ folders: [share] }) })
    await h.copyFromFolder({ folderId: 7, copy: true })
    await h.copyFromFolder({ folderId: 7, copy: true })
    expect(store.settings().copyFolders).toEqual([share.path])
    await h.copyFromFolder({ folderId: 7, copy: false })
    expect(store.settings().copyFolders).toEqual([])
  })

  it('of an earlier version’s folders are asked about once, for all of this account’s', async () => {
    const settings = { copyFolders: ['/other'], copyAsk: [share.path, '/elsewhere'] }
    const yes = room({ snapshot: snapshot({ folders: [share] }), settings })
    await yes.h.answerCopies({ copy: true })
    expect(yes.store.settings()).toMatchObject({
      copyFolders: ['/other', share.path],
      copyAsk: ['/elsewhere'],
    })
    expect(yes.told).toMatchObject([{ kind: 'settings', settings: { copyAsk: ['/elsewhere'] } }])
    const no = room({ snapshot: snapshot({ folders: [share] }), settings })
    await no.h.answerCopies({ copy: false })
    expect(no.store.settings()).toMatchObject({ copyFolders: ['/other'], copyAsk: ['/elsewhere'] })
    // Choosing in the folder's own settings counts as an answer, too.
    const own = room({ snapshot: snapshot({ folders: [share] }), settings })
    await own.h.copyFromFolder({ folderId: 7, copy: false })
    expect(own.store.settings()).toMatchObject({ copyFolders: ['/other'], copyAsk: ['/elsewhere'] })
  })

  it('the folder of screenshots is offered with its rules, where there is one', async () => {
    const { h } = room({ screenshots: { path: '/home/ada/Desktop', ignore: ['/*', '!/Screenshot *'] } })
    expect(await h.pickScreenshots({})).toMatchObject({
      value: { name: 'Desktop', screenshots: { ignore: ['/*', '!/Screenshot *'] } },
    })
    expect(await room().h.pickScreenshots({})).toEqual({ ok: true, value: null })
  })
})

describe('second copies on the service', () => {
  it('are those of watched folders and of direct uploads, each with the folder that is watched now', async () => {
    const left = (fileId: number, path: string, folderId: number | null) => ({
      fileId,
      path,
      folderId,
      publicLink: null,
    })
    const { h } = room({
      snapshot: snapshot({ folders: [folder('/home/ada/Share', 'watching', 7)] }),
      answers: {
        secondCopies: () => [
          left(12, '/home/ada/Share/sub/a.txt', 7),
          left(13, '/home/ada/b.txt', null),
          left(14, '/home/ada/Old/c.txt', 9),
        ],
      },
    })
    expect(await h.secondCopies({})).toEqual({
      ok: true,
      value: [
        { folderId: 7, fileId: 12, name: 'a.txt', publicLink: null },
        { folderId: null, fileId: 13, name: 'b.txt', publicLink: null },
        { folderId: null, fileId: 14, name: 'c.txt', publicLink: null },
      ],
    })
  })
})

describe('links that are opened', () => {
  it.each([
    ['https://files.example.com/d/1', 'https://files.example.com/d/1'],
    ['http://files.example.com/d/1', 'http://files.example.com/d/1'],
    ['file:///etc/passwd', null],
    ['javascript:alert(1)', null],
    ['smb://files.example.com/d', null],
    ['https://files.example.com@evil.example/d', null],
    ['https://files.example.com/a b', null],
    ['', null],
    [null, null],
  ])('%j: %j', async (publicLink, opened) => {
    const { h, did, files } = room({
      answers: { links: () => [{ selector: '1', row: remote(1, { publicLink }) }] },
      rows: [transfer(1, { publicLink })],
    })
    expect(await h.openLink({ fileId: 1 })).toMatchObject({ ok: opened !== null })
    expect(await files.openLink(1)).toMatchObject({ ok: opened !== null })
    expect(did).toEqual(
      opened === null
        ? []
        : [
            ['openUrl', opened],
            ['openUrl', opened],
          ],
    )
  })

  it('the website is the origin of the service, and nothing else', async () => {
    const { h, did } = room({
      connection: { host: 'x', baseUrl: 'https://files.example.com/deep/api/v1?x=1', key: null },
    })
    expect(await h.openWebsite({})).toEqual({ ok: true, value: {} })
    expect(did).toEqual([['openUrl', 'https://files.example.com/']])
    const none = room({ connection: { host: null, baseUrl: null, key: null } })
    expect(await none.h.openWebsite({})).toMatchObject({ failure: { code: 'not-found' } })
  })
})

describe('originals', () => {
  const real = (name: string, content: string, changes: Partial<Transfer> = {}): Transfer => {
    const path = join(home, name)
    writeFileSync(path, content)
    utimesSync(path, NOW / 1000 - 60, NOW / 1000 - 60)
    return transfer(1, { path, name, size: content.length, mtime: NOW - 60_000, ...changes })
  }
  const infoOf = (row: Transfer | null) => () => ({
    remote: remote(1),
    transfers: row === null ? [] : [row],
    downloads: [],
  })

  it('are the same, changed or gone, as the disk says now', async () => {
    const same = real('a.txt', 'abc')
    const originalOf = async (row: Transfer) => {
      const got = await room({ answers: { info: infoOf(row) }, rows: [row] }).h.file({
        fileId: 1,
        fresh: false,
      })
      return got.ok ? got.value.original : null
    }
    expect(await originalOf(same)).toBe('same')
    expect(await originalOf({ ...same, size: 2 })).toBe('changed')
    // Of the same size and older than the upload, but another file: put there by a copy that keeps its times.
    expect(await originalOf({ ...same, mtime: NOW - 120_000 })).toBe('changed')
    // A network drive whose clock is ahead: its times are later than the upload.
    expect(await originalOf({ ...same, doneAt: NOW - 120_000 })).toBe('same')
    expect(await originalOf({ ...same, path: join(home, 'none.txt') })).toBe('gone')
    expect(await originalOf({ ...same, path: home })).toBe('gone')
    expect(await room({ answers: { info: infoOf(null) } }).h.file({ fileId: 1, fresh: false })).toMatchObject(
      {
        value: { original: null, preview: false },
      },
    )
  })

  it('are previewed by number where they are pictures on the disk', async () => {
    const picture = real('a.PNG', 'png')
    const text = real('a.txt', 'text')
    expect(await room({ rows: [picture] }).files.preview(1)).toBe(picture.path)
    expect(
      await room({ rows: [picture], answers: { info: infoOf(picture) } }).h.file({ fileId: 1, fresh: false }),
    ).toMatchObject({
      value: { preview: true },
    })
    expect(await room({ rows: [text] }).files.preview(1)).toBeNull()
    expect(await room({ rows: [{ ...picture, path: join(home, 'none.png') }] }).files.preview(1)).toBeNull()
    expect(await room({ rows: [picture] }).files.preview(2)).toBeNull()
    expect(await room({ rows: [picture] }).files.preview(0)).toBeNull()
  })

  it('are not previewed next to a link that leads to another picture', async () => {
    const replaced = real('a.png', 'another', { size: 3 })
    expect(await room({ rows: [replaced] }).files.preview(1)).toBeNull()
    expect(
      await room({ rows: [replaced], answers: { info: infoOf(replaced) } }).h.file({
        fileId: 1,
        fresh: false,
      }),
    ).toMatchObject({
      value: { original: 'changed', preview: false },
    })
    // What will be uploaded is the file as it is now.
    const waiting: Transfer = { ...replaced, state: 'queued' }
    expect(await room({ rows: [waiting] }).files.preview(1)).toBe(waiting.path)
  })

  it('are shown where they are; what moved is said', async () => {
    const here = real('a.txt', 'abc')
    const one = room({ rows: [here] })
    expect(await one.h.showInFolder({ transferId: 1 })).toEqual({ ok: true, value: {} })
    expect(one.did).toEqual([['showInFolder', here.path]])
    const two = room({ rows: [{ ...here, path: join(home, 'none') }] })
    expect(await two.h.showInFolder({ transferId: 1 })).toMatchObject({ failure: { code: 'not-found' } })
    expect(await two.h.showInFolder({ transferId: 99 })).toMatchObject({ failure: { code: 'not-found' } })
    expect(two.did).toEqual([])
  })

  it('are shown and dragged where they were moved after their upload, on another drive with a rounded time', async () => {
    const here = real('a.txt', 'abc')
    const mtime = (here.mtime ?? 0) + 0.0009
    const putAway = { where: 'folder', path: here.path, at: 1 } as const
    const { h, did } = room({ rows: [{ ...here, mtime, path: join(home, 'none'), putAway }] })
    await h.showInFolder({ transferId: 1 })
    await h.dragFiles({ transferIds: [1] })
    expect(did).toEqual([
      ['showInFolder', here.path],
      ['dragFiles', [here.path]],
    ])
  })

  it('are dragged out if they are what their links lead to', async () => {
    const here = real('a.txt', 'abc')
    const other: Transfer = { ...real('b.txt', 'abc'), id: 2 }
    const changed: Transfer = { ...real('c.txt', 'changed', { size: 3 }), id: 3 }
    const gone: Transfer = { ...here, id: 4, path: join(home, 'none') }
    const isFolder: Transfer = { ...here, id: 5, path: home }
    const rows = [here, other, changed, gone, isFolder]
    const { h, did } = room({ rows })
    expect(await h.dragFiles({ transferIds: [1, 2, 3, 4, 5, 99] })).toEqual({
      ok: true,
      value: { missing: 4 },
    })
    expect(did).toEqual([['dragFiles', [here.path, other.path]]])
    for (const id of [3, 4, 5, 99])
      expect(await h.dragFiles({ transferIds: [id] })).toMatchObject({ failure: { code: 'not-found' } })
    expect(did).toHaveLength(1)
  })

  it('have QR codes, copied or saved under a name that every system takes', async () => {
    const rowOf = ({ selectors }: { readonly selectors: readonly string[] }) => [
      { selector: selectors[0], row: remote(1, { filename: 'a/b:c.txt' }) },
    ]
    const { h, did } = room({ answers: { links: rowOf } })
    expect(await h.qrPicture({ fileId: 1, to: 'clipboard' })).toEqual({ ok: true, value: { done: true } })
    expect(await h.qrPicture({ fileId: 1, to: 'file' })).toEqual({ ok: true, value: { done: true } })
    expect(did).toMatchObject([
      ['writePicture', expect.any(Buffer)],
      ['saveAs', 'a_b_c.txt QR.png'],
    ])
    const refused = room({ answers: { links: rowOf }, takesText: false })
    expect(await refused.h.qrPicture({ fileId: 1, to: 'clipboard' })).toMatchObject({
      failure: { code: 'clipboard' },
    })
  })

  it('a service that can not be asked leaves what is known, and says so', async () => {
    const { h, callsOf } = room({
      answers: {
        info: ({ cached }: { cached: boolean }) =>
          cached ? { remote: remote(1), transfers: [], downloads: [] } : GONE,
      },
    })
    const known = { row: remote(1), transfers: [], downloads: [], original: null, preview: false }
    expect(await h.file({ fileId: 1, fresh: true })).toEqual({ ok: true, value: { ...known, stale: true } })
    expect(callsOf('info')).toEqual([
      { selector: '1', cached: false },
      { selector: '1', cached: true },
    ])
    expect(await h.file({ fileId: 1, fresh: false })).toMatchObject({ value: { stale: false } })
    expect(await room().h.file({ fileId: 1, fresh: true })).toEqual(GONE)
  })
})

describe('deleting', () => {
  it('waits as long as the person wants, and is told to the window', async () => {
    const { h, told, callsOf } = room({
      settings: { undoSeconds: 60 },
      answers: {
        links: ({ selectors }: { selectors: string[] }) =>
          selectors.map((selector) => ({ selector, row: remote(Number(selector)) })),
      },
    })
    const got = await h.deleteFiles({ selection: { fileIds: [5, 6] } })
    expect(got).toMatchObject({ value: { fileIds: [5, 6], count: 2, at: NOW + 60_000 } })
    const token = tokenOf(got)
    const undoable = { token, what: 'delete', count: 2 }
    const both = [
      { kind: 'undo', last: undoable },
      { kind: 'deletes', pending: [{ fileIds: [5, 6] }] },
    ]
    expect(told).toMatchObject(both)
    await h.boot({})
    expect(told.slice(2)).toMatchObject(both.toReversed())
    expect(await h.undo({ token })).toMatchObject({ value: { what: 'delete', count: 2 } })
    expect(told.at(-1)).toEqual({ kind: 'deletes', pending: [] })
    expect(callsOf('remove')).toEqual([])
  })

  it('of a file that is about to be deleted is not started twice, so one undo keeps it', async () => {
    const { h, told } = room({ settings: { undoSeconds: 60 }, answers: { links } })
    const got = await h.deleteFiles({ selection: { fileIds: [5] } })
    expect(await h.deleteFiles({ selection: { fileIds: [5] } })).toEqual({ ok: true, value: null })
    expect(await h.deleteFiles({ selection: { fileIds: [5, 6] } })).toMatchObject({ value: { fileIds: [6] } })
    await h.undo({ token: tokenOf(got) })
    expect(told.at(-1)).toMatchObject({ kind: 'deletes', pending: [{ fileIds: [6] }] })
  })

  const many = Array.from({ length: 5001 }, (_, i) => i + 1)
  const links = ({ selectors }: { selectors: string[] }) =>
    selectors.map((selector) => ({ selector, row: remote(Number(selector)) }))
  const catalog = ({ offset, limit }: { offset: number; limit: number }) => ({
    rows: many.slice(offset, offset + limit).map((id) => remote(id)),
    total: many.length,
    asOf: NOW,
    revision: 'r1',
  })
  const all = (last: number) => ({
    selection: { query: QUERY, ranges: [[0, last]] as [number, number][], isAll: true, revision: 'r1' },
  })

  it('of many is asked about in a dialog of the system, with the number and what it means', async () => {
    const declined = room({ settings: { undoSeconds: 8 }, answers: { catalog }, confirms: false })
    expect(await declined.h.deleteFiles(all(5000))).toEqual({ ok: true, value: null })
    expect(declined.deletes.pending()).toEqual([])
    expect(declined.questions).toEqual([
      {
        title: 'Delete 5,001 files?',
        detail: 'Their links stop working. The originals on this computer stay.',
        confirm: 'Delete 5,001 files',
        cancel: 'Keep files',
      },
    ])
    const agreed = room({ settings: { undoSeconds: 8 }, answers: { catalog }, confirms: true })
    expect(await agreed.h.deleteFiles(all(5000))).toMatchObject({ value: { count: 5001 } })
    await agreed.deletes.close()
  })

  it('of rows of a list that has changed deletes nothing, and asks nothing', async () => {
    const changed = (page: { offset: number; limit: number }) => ({ ...catalog(page), revision: 'r2' })
    const { h, questions, deletes } = room({ answers: { catalog: changed }, confirms: true })
    expect(await h.deleteFiles(all(5000))).toMatchObject({ failure: { code: 'usage' } })
    expect([questions, deletes.pending()]).toEqual([[], []])
  })

  it('of a handful is not, and several handfuls are one large deletion', async () => {
    const { h, questions, deletes } = room({
      settings: { undoSeconds: 8 },
      answers: { links },
      confirms: false,
    })
    expect(await h.deleteFiles({ selection: { fileIds: [1, 2, 3, 4, 5, 6] } })).toMatchObject({
      value: { count: 6 },
    })
    expect(questions).toEqual([])
    expect(await h.deleteFiles({ selection: { fileIds: [7, 8, 9, 10, 11] } })).toEqual({
      ok: true,
      value: null,
    })
    expect(questions).toHaveLength(1)
    expect(deletes.pending()).toHaveLength(1)
    await deletes.close()
  })

  it('says what was not deleted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const refused = { ok: false, failure: { code: 'defect', title: 'It went wrong.', hint: null } }
    const { h, told } = room({
      settings: { undoSeconds: 0 },
      answers: { links: () => [], remove: () => refused },
    })
    await h.deleteFiles({ selection: { fileIds: [5, 6, 7] } })
    vi.runAllTimers()
    await settled()
    expect(told.find((event) => event.kind === 'engine')).toMatchObject({
      event: { kind: 'notice', level: 'problem', hint: expect.stringContaining('3') },
    })
  })

  it('is refused where the rows can not be read', async () => {
    const { h, deletes } = room()
    expect(await h.deleteFiles(all(3))).toEqual(GONE)
    expect(deletes.pending()).toEqual([])
  })
})

describe('rules of the guard', () => {
  const now = { guardHold: ['*.psd', '!draft.psd'], guardAllow: ['*.test.pem'] }

  it.each([
    ['another exception', { guardAllow: ['*.test.pem', '**'] }],
    ['an exception in the place of another', { guardAllow: ['*.pem'] }],
    ['a rule less', { guardHold: ['!draft.psd'] }],
    ['another rule with !', { guardHold: ['*.psd', '!draft.psd', '!*.psd'] }],
    ['rules in another order', { guardAllow: ['a', '*.test.pem'] }],
  ])('are not loosened at the word of a page: %s', async (_name, patch) => {
    const { h, questions, did } = room({ settings: now, confirms: false })
    expect(await h.change(patch)).toMatchObject({ ok: true, value: now })
    expect(questions).toHaveLength(1)
    expect(did).toEqual([])
    const asked = room({ settings: now, confirms: true })
    expect(await asked.h.change(patch)).toMatchObject({ ok: true, value: patch })
  })

  it.each([
    ['another rule', { guardHold: ['*.psd', '!draft.psd', '*.ai'] }],
    ['an exception less', { guardAllow: [] }],
    ['a rule with ! less', { guardHold: ['*.psd'] }],
    ['something else', { theme: 'dark' as const }],
    ['the same', now],
  ])('are tightened without a question: %s', async (_name, patch) => {
    const { h, questions } = room({ settings: now, confirms: false })
    expect(await h.change(patch)).toMatchObject({ ok: true, value: patch })
    expect(questions).toEqual([])
  })
})

describe('held files', () => {
  const env = transfer(3, {
    name: '.env',
    state: 'held',
    reason: 'secret',
    message: 'environment file (.env)',
    mtime: 5,
  })
  const key = transfer(5, { name: 'id_rsa', state: 'held', reason: 'secret', message: 'SSH private key' })
  const big = transfer(7, { name: 'film.mkv', state: 'held', reason: 'too-big' })
  const answers = { release: ({ ids }: { ids: readonly number[] }) => ({ count: ids.length }) }
  const shownAs = ({ id, path, size, mtime, reason, message }: typeof env) => ({
    id,
    path,
    size,
    mtime,
    reason,
    message,
  })

  it('are not uploaded at the word of a page', async () => {
    const { h, questions, callsOf } = room({ rows: [env, key, big], answers, confirms: false })
    expect(await h.release({ ids: [3, 5, 7] })).toEqual({ ok: true, value: { count: 0 } })
    expect(callsOf('release')).toEqual([])
    expect(questions).toHaveLength(1)
    expect(questions[0]?.title).toBe('Upload 3 held files?')
    for (const word of ['.env', 'environment file (.env)', 'id_rsa', 'SSH private key', 'film.mkv'])
      expect(questions[0]?.detail).toContain(word)
  })

  it('are uploaded once a person agreed', async () => {
    const { h, questions, callsOf } = room({ rows: [env, key], answers, confirms: true })
    expect(await h.release({ ids: [3] })).toEqual({ ok: true, value: { count: 1 } })
    expect(questions[0]?.title).toBe('Upload .env?')
    expect(callsOf('release')).toEqual([{ ids: [3], shown: [shownAs(env)] }])
  })

  it('are asked about with their path, the rule, and the line with the secret masked', async () => {
    const conf = transfer(4, {
      path: '/home/ada/web/app.conf',
      state: 'held',
      reason: 'secret',
      message: 'password',
    })
    const { h, questions } = room({
      rows: [conf, env],
      answers: {
        ...answers,
        heldLines: ({ ids }: { ids: readonly number[] }) =>
          ids.map((id) =>
            id === 3
              ? { id, by: 'name' as const }
              : { id, by: 'content' as const, line: { number: 12, text: 'db_password = ••••••••' } },
          ),
      },
      confirms: false,
    })
    await h.release({ ids: [4, 3] })
    expect(questions[0]?.detail.split('\n').slice(0, 6)).toEqual([
      '/home/ada/web/app.conf',
      'It looks like a secret: password.',
      'Line 12: db_password = ••••••••',
      env.path,
      'It looks like a secret: environment file (.env).',
      'Its name matches the rule.',
    ])
  })

  it.each([
    [0, 'release', [{ ids: [9], replace: false }]],
    [1, 'release', [{ ids: [9], replace: true }]],
    [2, 'cancel', [{ ids: [9] }]],
    [null, 'release', []],
  ] as const)('that have changed get what the user answers: %s', async (chooses, name, calls) => {
    const changed = transfer(9, { state: 'held', reason: 'changed' })
    const { h, callsOf } = room({
      rows: [changed],
      answers: { ...answers, cancel: () => ({ count: 1 }) },
      chooses,
    })
    await h.release({ ids: [9] })
    expect([callsOf(name), callsOf('release').length + callsOf('cancel').length]).toMatchObject([
      calls,
      calls.length,
    ])
  })

  it('are released only as they were asked about, whatever they are held for by then', async () => {
    const rows = [env, { ...big }]
    const { h, callsOf } = room({
      rows,
      answers,
      confirms: true,
      meanwhile: () => {
        rows[1] = { ...big, reason: 'secret', message: 'private key (PEM)' }
      },
    })
    await h.release({ ids: [3, 7] })
    expect(callsOf('release')).toEqual([{ ids: [3, 7], shown: [shownAs(env), shownAs(big)] }])
  })

  it('are all that is asked about: nothing held, no dialog', async () => {
    const { h, questions, callsOf } = room({
      rows: [transfer(1), transfer(2, { state: 'failed' })],
      answers,
      confirms: true,
    })
    expect(await h.release({ ids: [1, 2, 99] })).toEqual({ ok: true, value: { count: 0 } })
    expect([questions, callsOf('release')]).toEqual([[], []])
  })
})

describe('the account', () => {
  const proved = {
    host: 'files.example.com',
    baseUrl: 'https://files.example.com/api/v1',
    stats: { plan: 'Pro' },
  }
  it('is proved under a token and only then kept, by that token', async () => {
    const { h, did, callsOf } = room({
      answers: {
        'op:connect': () => proved,
        'op:keep': () => ({ account: 'a', baseUrl: proved.baseUrl, first: true, engine: 'this', held: null }),
        reloadKey: () => snapshot(),
      },
    })
    const got = await h.connect({ address: 'files.example.com', key: 'sk-1', plainHttp: false })
    expect(got).toMatchObject({ value: { host: 'files.example.com', token: expect.stringMatching(/.{30}/) } })
    expect(JSON.stringify(got)).not.toContain('sk-1')
    const token = tokenOf(got)
    expect(callsOf('op:connect')).toEqual([
      { token, address: 'files.example.com', key: 'sk-1', plainHttp: false },
    ])
    expect(did).toEqual([])
    expect(await h.adopt({ token, save: true })).toMatchObject({ value: { connection: { key: 'session' } } })
    expect(callsOf('op:keep')).toEqual([{ token, save: true }])
    expect(did).toEqual([['setBaseUrl', proved.baseUrl]])
    expect(callsOf('reloadKey')).toHaveLength(1)
  })

  describe('of another service', () => {
    const evil = { host: 'evil.example', baseUrl: 'https://evil.example/api/v1', stats: { plan: 'Pro' } }
    const answers = {
      'op:connect': () => evil,
      'op:keep': () => ({ account: 'a', baseUrl: evil.baseUrl, first: true, engine: 'this', held: null }),
      reloadKey: () => snapshot(),
    }
    const moved = async (given: Room) => {
      const r = room({ answers, ...given })
      const got = await r.h.connect({ address: 'evil.example', key: 'sk-1', plainHttp: false })
      return { ...r, got: await r.h.adopt({ token: tokenOf(got), save: true }) }
    }

    it('gets no request before the user agrees in a dialog that names both', async () => {
      const { questions, did, callsOf } = await moved({ confirms: false })
      expect(questions).toMatchObject([{ title: 'Check this API key with evil.example?' }])
      expect(questions[0]?.detail).toContain('files.example.com')
      expect([did, callsOf('op:connect'), callsOf('op:keep')]).toEqual([[], [], []])
    })

    it('is not used before a person agrees in a dialog that names both', async () => {
      const { got, questions, did, callsOf } = await moved({ confirms: [true, false] })
      expect(got).toEqual({ ok: true, value: null })
      expect(questions[1]).toMatchObject({ title: 'Upload to evil.example from now on?' })
      expect(questions[1]?.detail).toContain('files.example.com')
      expect([did, callsOf('op:keep'), callsOf('reloadKey')]).toEqual([[], [], []])
    })

    it('is used once they do', async () => {
      const { got, did, callsOf } = await moved({ confirms: true })
      expect(got).toMatchObject({ value: { snapshot: expect.anything() } })
      expect([did, callsOf('op:keep').length]).toEqual([[['setBaseUrl', evil.baseUrl]], 1])
    })

    it('needs no question as the first one, and one where the key alone is gone', async () => {
      const first = await moved({ connection: { host: null, baseUrl: null, key: null } })
      expect([first.questions.length, first.callsOf('op:keep').length]).toEqual([0, 1])
      const connection = { host: 'a.example', baseUrl: 'https://a.example/api/v1', key: null }
      const signedOut = await moved({ connection, confirms: [true, false] })
      expect([signedOut.questions.length, signedOut.callsOf('op:keep').length]).toEqual([2, 0])
    })
  })

  it('that another key takes over is opened again before anything is read of it', async () => {
    const { h, did, calls } = room({
      answers: {
        'op:connect': () => proved,
        'op:keep': () => ({
          account: 'renewed',
          baseUrl: proved.baseUrl,
          first: false,
          engine: 'reopened',
          held: null,
        }),
        reloadKey: () => snapshot(),
      },
    })
    const got = await h.connect({ address: 'files.example.com', key: 'sk-1', plainHttp: false })
    await h.adopt({ token: tokenOf(got), save: true })
    expect(did).toEqual([['renew', 'renewed']])
    expect(calls.map((call) => call.name).filter((name) => ['op:keep', 'reloadKey'].includes(name))).toEqual([
      'op:keep',
      'reloadKey',
    ])
  })

  describe('of another account of the same service, without watched folders', () => {
    const adopt = async (given: Room, isOpen: boolean) => {
      const r = room({
        connection: {
          host: 'files.example.com',
          baseUrl: proved.baseUrl,
          account: 'work',
          accountId: 'w',
          key: 'session',
        },
        ...given,
        answers: {
          'op:connect': () => proved,
          'op:owner': () => ({ id: null, name: 'home', isOpen }),
          'op:keep': () => ({
            account: 'a',
            baseUrl: proved.baseUrl,
            first: false,
            engine: 'this',
            held: null,
          }),
          reloadKey: () => snapshot(),
        },
      })
      const got = await r.h.connect({ address: 'files.example.com', key: 'sk-1', plainHttp: false })
      return { ...r, got: await r.h.adopt({ token: tokenOf(got), save: true }) }
    }

    it('is not used before the user agrees in a dialog that names both', async () => {
      const { got, questions, did, callsOf } = await adopt({ confirms: false }, false)
      expect(got).toEqual({ ok: true, value: null })
      expect(questions).toMatchObject([{ title: 'Upload to home from now on?', confirm: 'Switch account' }])
      expect(questions[0]?.detail).toContain('work')
      expect([did, callsOf('op:keep')]).toEqual([[], []])
      expect((await adopt({ confirms: true }, false)).callsOf('op:keep')).toHaveLength(1)
    })

    it.each([
      [snapshot(), 'continues in the background'],
      [snapshot({ account: 'offline' }), 'continues in the background'],
      [snapshot({ account: 'key-refused' }), 'Nothing is uploaded to work at the moment.'],
      [snapshot({ account: 'no-api' }), 'Nothing is uploaded to work at the moment.'],
      [{ ...snapshot(), paused: true }, 'Nothing is uploaded to work at the moment.'],
    ])('says what becomes of the account that is left %#', async (now, said) => {
      const { questions } = await adopt({ confirms: false, snapshot: now }, false)
      expect(questions[0]?.detail).toContain(said)
    })

    it('needs no question for a new key of the same account', async () => {
      const { questions, callsOf } = await adopt({ confirms: false }, true)
      expect([questions, callsOf('op:keep').length]).toEqual([[], 1])
    })
  })

  describe('of another account, while folders are watched', () => {
    const rules = { limits: { maxBytes: 1000, onlyTypes: ['png'], notTypes: [] }, graceSeconds: 10 as const }
    const folders: readonly Folder[] = [
      { ...folder('/home/ada/Work', 'watching', 1), ...rules, paused: true },
      { ...folder('/home/ada/Old', 'watching', 2), existing: 'skip' as const },
    ]
    const sums = { seen: 9, uploaded: 5, waiting: 2, held: 1, failed: 0, ignored: 1 }
    const adopt = async (given: Room) => {
      const r = room({
        snapshot: snapshot({ folders }),
        connection: {
          host: 'files.example.com',
          baseUrl: proved.baseUrl,
          account: 'work',
          accountId: 'w',
          key: 'session',
        },
        ...given,
        answers: {
          'op:connect': () => proved,
          'op:owner': () => ({ id: null, name: 'home', isOpen: false }),
          'op:keep': () => ({
            account: 'h',
            baseUrl: proved.baseUrl,
            first: false,
            engine: 'other',
            held: null,
          }),
          folderSums: ({ folderIds }: { folderIds: number[] }) =>
            folderIds.map((folderId) => ({ folderId, sums })),
          snapshot: () => snapshot({ folders }),
          pause: () => snapshot({ folders, paused: true }),
          resume: () => snapshot({ folders }),
          unwatch: () => ({}),
          ...given.answers,
        },
      })
      const got = await r.h.connect({ address: 'files.example.com', key: 'sk-1', plainHttp: false })
      return { ...r, got: await r.h.adopt({ token: tokenOf(got), save: true }) }
    }

    it('asks what becomes of them, with the number of files that would go out', async () => {
      const { got, choices, did, callsOf } = await adopt({ chooses: null })
      expect(got).toEqual({ ok: true, value: null })
      expect(choices).toMatchObject([
        {
          title: 'What happens to the 2 watched folders of work?',
          answers: ['Keep with work', 'Move to home', 'Stop watching'],
          cancel: 'Cancel',
          byEnter: 0,
        },
      ])
      expect(callsOf('folderSums')).toEqual([{ folderIds: [1, 2] }])
      expect(choices[0]?.detail).toContain('up to 7 are uploaded to files.example.com again')
      // A folder that skips existing files uploads none of them again, only the files that still wait in it.
      expect(choices[0]?.detail).toContain('2 files still waiting are uploaded to files.example.com.')
      expect(choices[0]?.detail).toContain('/home/ada/Work')
      expect([did, callsOf('op:keep')]).toEqual([[], []])
    })

    it('leaves them where they are unless something else is chosen', async () => {
      const { got, did, other, callsOf } = await adopt({ chooses: 0 })
      expect(got).toMatchObject({ value: { snapshot: expect.anything() } })
      expect(did).toEqual([['adopt', 'h']])
      expect([other.callsOf('watch'), callsOf('unwatch')]).toEqual([[], []])
    })

    it('moves them with their rules, and leaves those that the new account can’t watch', async () => {
      const away = { ok: false, failure: { code: 'not-found', title: 'Gone.', hint: null } }
      const watch = ({ path }: { path: string }) => (path === '/home/ada/Old' ? away : folder(path))
      const { other, callsOf } = await adopt({ chooses: 1, otherAnswers: { watch, transfers: () => [] } })
      expect(other.callsOf('watch')).toEqual(
        folders.map(
          ({
            path,
            existing,
            onChange,
            ignore,
            limits = NO_LIMITS,
            graceSeconds = 0,
            after = 'keep',
            paused = false,
          }) => ({
            path,
            existing,
            onChange,
            ignore,
            limits,
            graceSeconds,
            after,
            paused,
            keep: true,
            changeRules: true,
          }),
        ),
      )
      expect(callsOf('unwatch')).toEqual([{ folderId: 1 }])
    })

    describe('with files that wait in a folder that skips what was there', () => {
      const at = (name: string): string => `/home/ada/Old/${name}`
      // During the move the old account is paused, so a queued file looks paused, too.
      const open: Transfer[] = [
        transfer(4, { path: at('waits.txt'), state: 'waiting', reason: 'paused', message: 'Paused.' }),
        transfer(5, { path: at('held.txt'), state: 'held', reason: 'secret' }),
        transfer(6, { path: at('paused.txt'), state: 'waiting', reason: 'paused' }),
      ]
      const sending = transfer(7, { path: at('sending.txt'), state: 'uploading' })
      const newer = transfer(8, { path: at('waits.txt'), state: 'uploading' })
      const answers = {
        rescan: () => ({}),
        auditPage: () => ({
          entries: [
            {
              path: at('waits.txt'),
              list: 'waiting',
              reason: 'offline',
              until: null,
              publicLink: null,
              count: 1,
            },
            {
              path: at('written.txt'),
              list: 'waiting',
              reason: 'settling',
              until: null,
              publicLink: null,
              count: 1,
            },
          ],
          next: null,
        }),
        transfers: ({ states }: { states: string[] }) => open.filter((one) => states.includes(one.state)),
      }
      /** The new account, which has sent one file before. */
      const otherAnswers = {
        transfers: () => [transfer(40)],
        upload: ({ paths }: { paths: string[] }) => ({
          batch: 1,
          items: paths.map((path, i) => ({
            path,
            transfer: transfer(41 + i, { path, state: 'queued' }),
            outcome: 'queued',
            reason: null,
          })),
          next: null,
        }),
        unwatch: () => ({}),
        cancel: () => ({ count: 1 }),
        resumeFiles: () => ({ count: 1 }),
      }
      const move = ({ answers: more, otherAnswers: others, ...given }: Room = {}) =>
        adopt({
          chooses: 1,
          snapshot: snapshot({ folders: folders.slice(1) }),
          ...given,
          answers: { ...answers, ...more },
          otherAnswers: { ...otherAnswers, ...others },
        })
      /** Answers of the old account while it also sends these files. */
      const withSent = (...sent: Transfer[]) => ({
        transfers: ({ states, afterId, limit }: { states: string[]; afterId: number; limit: number }) =>
          [...open, ...sent].filter((one) => states.includes(one.state) && one.id > afterId).slice(0, limit),
      })

      it('uploads them there, each paused one paused', async () => {
        const { other, callsOf } = await move()
        expect(other.callsOf('upload')).toEqual([
          {
            paths: [at('written.txt'), at('waits.txt'), at('held.txt')],
            again: false,
            token: expect.any(String),
          },
          { paths: [at('paused.txt')], again: false, token: expect.any(String), paused: true },
        ])
        expect(callsOf('unwatch')).toEqual([{ folderId: 2 }])
      })

      it('starts no uploads in the old account meanwhile, and lets it go on afterwards unless it was paused', async () => {
        const { calls } = await move()
        const names = calls
          .map((call) => call.name)
          .filter((name) => ['pause', 'rescan', 'unwatch', 'resume'].includes(name))
        expect(names).toEqual(['pause', 'rescan', 'unwatch', 'resume'])
        const { callsOf } = await move({ answers: { snapshot: () => snapshot({ paused: true }) } })
        expect(callsOf('resume')).toEqual([])
      })

      it.each([null, ['w', 'h']])(
        'leaves the old account paused if all accounts are paused meanwhile, after %j',
        async (pausedAccounts) => {
          const { callsOf } = await move({ pausesAll: 'rescan', settings: { pausedAccounts } })
          expect([callsOf('pause'), callsOf('unwatch'), callsOf('resume')]).toEqual([
            [{}],
            [{ folderId: 2 }],
            [],
          ])
        },
      )

      it.each([
        ['withdrawn with the folder', 'cancelled', WITHDRAWN, 'resumeFiles', 'cancel'],
        ['cancelled by the user', 'cancelled', null, 'cancel', 'resumeFiles'],
        ['done', 'done', null, 'cancel', 'resumeFiles'],
      ] as const)(
        'leaves one that is being sent to the old account until that is %s',
        async (_, state, message, called, uncalled) => {
          const { other, say, listeners } = await move({ answers: withSent(sending, newer) })
          const listening = listeners()
          // A newer version that waits is uploaded whatever becomes of the older one.
          expect(other.callsOf('upload')).toMatchObject([
            { paths: [at('written.txt'), at('waits.txt'), at('held.txt')] },
            { paths: [at('paused.txt'), at('sending.txt')], paused: true },
          ])
          expect([other.callsOf('cancel'), other.callsOf('resumeFiles')]).toEqual([[], []])
          const items = [sending, newer].map((one) => ({ ...one, state, message }))
          say({ seq: 1, kind: 'transfers', items })
          expect([other.callsOf(called), other.callsOf(uncalled)]).toEqual([[{ ids: [42] }], []])
          expect(listening - listeners()).toBe(2)
        },
      )

      it('takes over one that was cut off before anyone could be told', async () => {
        const sent = { ...sending }
        const unwatch = () => {
          Object.assign(sent, { state: 'cancelled', message: WITHDRAWN })
          return {}
        }
        const { other } = await move({ answers: { ...withSent(sent), unwatch } })
        await vi.waitFor(() => expect(other.callsOf('resumeFiles')).toEqual([{ ids: [42] }]))
      })

      const halfway = ({ paused, ...input }: { paths: string[]; paused?: boolean }) =>
        paused ? GONE : otherAnswers.upload(input)

      it('leaves the folder where it is if they can’t be taken over, and calls off those that were', async () => {
        const { other, callsOf } = await move({ otherAnswers: { upload: halfway } })
        expect(other.callsOf('cancel')).toEqual([{ ids: [41, 42, 43] }])
        expect(other.callsOf('unwatch')).toEqual([{ folderId: folder('/home/ada/Old').id }])
        expect([callsOf('unwatch'), callsOf('resume')]).toEqual([[], [{}]])
      })

      it('keeps what the new account had before, its own watch of the folder and its transfers', async () => {
        const watched = snapshot({ folders: [folder('/home/ada/Old')] })
        const { other } = await move({
          otherAnswers: { upload: halfway, snapshot: () => watched, transfers: () => [transfer(42)] },
        })
        expect(other.callsOf('cancel')).toEqual([{ ids: [43] }])
        expect(other.callsOf('unwatch')).toEqual([])
      })
    })

    it('ends them', async () => {
      const { other, callsOf } = await adopt({ chooses: 2 })
      expect([other.callsOf('watch'), callsOf('unwatch')]).toEqual([[], [{ folderId: 1 }, { folderId: 2 }]])
    })

    it('declines by Enter where the service is another one, too', async () => {
      const evil = { host: 'evil.example', baseUrl: 'https://evil.example/api/v1', stats: { plan: 'Pro' } }
      const { choices, questions } = await adopt({ chooses: null, answers: { 'op:connect': () => evil } })
      expect([choices[0]?.byEnter, questions]).toEqual([null, []])
    })

    it('asks nothing of the account’s own new key', async () => {
      const answers = {
        'op:owner': () => ({ id: 'w', name: 'work', isOpen: true }),
        'op:keep': () => ({ account: 'w', baseUrl: proved.baseUrl, first: true, engine: 'this', held: null }),
        reloadKey: () => snapshot(),
      }
      const { choices, questions, got } = await adopt({ answers })
      expect([choices, questions, got.ok]).toEqual([[], [], true])
    })
  })

  it('that was not proved changes nothing', async () => {
    const refused = { ok: false, failure: { code: 'key-refused', title: 'No.', hint: null } }
    const { h, did, callsOf } = room({ answers: { 'op:connect': () => refused, 'op:keep': () => refused } })
    expect(await h.connect({ address: 'files.example.com', key: 'b', plainHttp: false })).toEqual(refused)
    expect(await h.adopt({ token: 'x', save: true })).toMatchObject({
      failure: { code: 'usage', title: 'This key is no longer available.' },
    })
    expect([did, callsOf('op:keep'), callsOf('reloadKey')]).toEqual([[], [], []])
  })

  it('can be left', async () => {
    const declined = room()
    expect(await declined.h.signOut({ account: 'w' })).toEqual({ ok: true, value: null })
    expect([declined.questions.map((one) => one.title), declined.did]).toEqual([
      ['Sign out of files.example.com?'],
      [],
    ])
    const { h, did } = room({ confirms: true })
    expect(await h.signOut({ account: 'w' })).toMatchObject({ value: { key: 'session' } })
    expect(did).toEqual([['signOut', 'w']])
  })
})

describe('several accounts', () => {
  const work: AccountInfo = {
    id: 'w',
    name: 'work',
    host: 'files.example.com',
    shown: true,
    key: 'keychain',
    state: 'waiting',
    open: 3,
    needs: 0,
    uploading: 0,
    folders: 1,
  }

  it('are shown and renamed by their IDs', async () => {
    const { h, did } = room({ accounts: [work] })
    expect(await h.accounts({})).toEqual({ ok: true, value: [work] })
    expect(await h.useAccount({ account: 'w' })).toEqual({ ok: true, value: {} })
    expect(await h.useAccount({ account: 'gone' })).toMatchObject({ failure: { code: 'not-found' } })
    expect(await h.renameAccount({ account: 'w', name: ' Büro ' })).toEqual({ ok: true, value: {} })
    expect(did).toEqual([
      ['use', 'w'],
      ['rename', ['w', 'Büro']],
    ])
  })

  it.each([
    [1, '1 pasted or piped item that wasn’t uploaded is deleted for good.'],
    [12, '12 pasted or piped items that weren’t uploaded are deleted for good.'],
  ])(
    'are removed with %d pastes that have no other copy only if the dialog said so',
    async (unsentPastes, words) => {
      const { h, questions } = room({ accounts: [{ ...work, open: 0 }], unsentPastes })
      expect(await h.removeAccount({ account: 'w' })).toEqual({ ok: true, value: { removed: false } })
      expect(questions[0]?.detail).toContain(words)
      expect(questions[0]?.detail).toContain('all other originals on this computer stay')
    },
  )

  it.each([
    [1, '1 file that you deleted is still on the service, and stays there.'],
    [3, '3 files that you deleted are still on the service, and stay there.'],
  ])(
    'are removed with %d deletions that were not carried out only if the dialog said so',
    async (openDeletions, words) => {
      const { h, questions } = room({ accounts: [work], openDeletions, confirms: false })
      expect(await h.removeAccount({ account: 'w' })).toEqual({ ok: true, value: { removed: false } })
      expect(questions[0]?.detail).toContain(words)
    },
  )

  it('are removed once a person agreed in a dialog that says what goes and what stays', async () => {
    const declined = room({ accounts: [work], confirms: false })
    expect(await declined.h.removeAccount({ account: 'w' })).toEqual({ ok: true, value: { removed: false } })
    expect(declined.questions).toMatchObject([
      { title: 'Remove work from this computer?', confirm: 'Remove account' },
    ])
    expect(declined.questions[0]?.detail).toContain('3 waiting files aren’t uploaded.')
    expect(declined.questions[0]?.detail).toContain('1 folder is no longer watched.')
    expect(declined.questions[0]?.detail).toContain('their links and the originals on this computer stay')
    expect(declined.questions[0]?.detail).not.toContain('pasted')
    expect(declined.did).toEqual([])
    const agreed = room({ accounts: [work], confirms: true })
    expect(await agreed.h.removeAccount({ account: 'w' })).toEqual({ ok: true, value: { removed: true } })
    expect(agreed.did).toEqual([['remove', 'w']])
    expect(await agreed.h.removeAccount({ account: 'gone' })).toMatchObject({
      failure: { code: 'not-found' },
    })
  })
})

describe('a trial', () => {
  it('takes no account in, which would be deleted with it; signing out ends it', async () => {
    const { h, did, callsOf } = room({ trial: true, confirms: true })
    expect(
      await h.connect({ address: 'https://files.example.com', key: 'k', plainHttp: false }),
    ).toMatchObject({ ok: false })
    expect(await h.adopt({ token: 't', save: true })).toMatchObject({ ok: false })
    expect(await h.signOut({ account: null })).toMatchObject({ value: { key: null } })
    expect([callsOf('op:connect'), callsOf('op:keep'), callsOf('op:signOut')]).toEqual([[], [], []])
    expect(did.map(([name]) => name)).toEqual(['endTrial'])
  })

  it.each([
    ['leaves its files out', 0, true, []],
    ['keeps its files for the first account', 1, true, ['/desk/a.txt', '/desk/b.txt']],
    ['goes on', null, false, []],
  ])('at its end, at the user’s choice, %s', async (_name, chooses, ended, paths) => {
    const rows = ['/desk/a.txt', '/data/pasted/note.txt', '/desk/b.txt', '/desk/a.txt'].map((path, id) =>
      transfer(id + 1, { path, source: 'upload', state: 'done' }),
    )
    const { h, kept, choices } = room({ trial: true, confirms: true, chooses, rows })
    expect(await h.endTrial({})).toEqual({ ok: true, value: { ended } })
    expect(choices).toMatchObject([{ title: 'Upload 2 files of the trial once you’re connected?' }])
    expect(kept.drops()?.paths ?? []).toEqual(paths)
  })
})

describe('managed settings', () => {
  const managed = { address: 'https://files.example.com/api/v1', forbidden: ['/srv'], fault: null }

  it('are part of what a page starts with', async () => {
    const { h } = room({ managed, impatient: true })
    expect(await h.boot({})).toMatchObject({ value: { managed } })
  })

  it.each([managed, { address: null, forbidden: [], fault: "it isn't JSON." }])(
    'leave no room for a trial: %j',
    async (fixed) => {
      const { h, did } = room({ managed: fixed })
      expect(await h.startTrial({})).toMatchObject({ failure: { code: 'no-api' } })
      expect(did.some(([name]) => name === 'startTrial')).toBe(false)
    },
  )
})

describe('the rest', () => {
  it('boots without a keychain that hangs', async () => {
    const connection = { host: null, baseUrl: null, key: null }
    const { h } = room({
      impatient: true,
      connection,
      answers: { 'op:keychain': () => new Promise(() => undefined) },
    })
    expect(await h.boot({})).toMatchObject({ value: { keychain: { ok: true } } })
  })

  it('boots with what is known', async () => {
    const { h, state } = room()
    expect(await h.boot({})).toMatchObject({
      value: { version: '1.2.3', seq: 41, snapshot: { version: '0.0.0' } },
    })
    state(false)
    expect(await h.boot({})).toMatchObject({ value: { snapshot: null } })
  })

  const LOCKED = { ok: false, message: 'locked' }

  it('where a key may be entered, boots once it is known whether there is a keychain', async () => {
    const answers = { 'op:keychain': () => ({ ok: true, value: LOCKED }) }
    const { h } = room({ answers, connection: { host: null, baseUrl: null, key: null } })
    expect(await h.boot({})).toMatchObject({ value: { keychain: LOCKED } })
  })

  it('where a key is known, boots without asking the keychain, and tells a missing one afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { h, told, callsOf } = room({
      wait: () => promise,
      answers: { 'op:keychain': () => ({ ok: true, value: LOCKED }) },
    })
    expect(await h.boot({})).toMatchObject({ value: { keychain: { ok: true } } })
    expect(callsOf('op:keychain')).toEqual([])
    resolve()
    await vi.waitFor(() => expect(told).toEqual([{ kind: 'keychain', keychain: LOCKED }]))
    // The next page gets the result with its first answer.
    expect(await h.boot({})).toMatchObject({ value: { keychain: LOCKED } })
    expect(told).toHaveLength(1)
  })

  it('where the keychain was locked and has been unlocked, checks it again and tells', async () => {
    let now: { readonly ok: boolean; readonly message: string | null } = LOCKED
    const unread: Connection = {
      host: 'files.example.com',
      baseUrl: 'https://files.example.com/api/v1',
      key: null,
      unread: 'failed',
    }
    const { h, store, told, callsOf } = room({
      answers: { 'op:keychain': () => ({ ok: true, value: now }) },
      connection: unread,
    })
    expect(await h.boot({})).toMatchObject({ value: { keychain: LOCKED } })
    store.setConnection(unread)
    now = { ok: true, message: null }
    store.setConnection({ ...unread, key: 'keychain', unread: undefined })
    await vi.waitFor(() => expect(told.at(-1)).toEqual({ kind: 'keychain', keychain: now }))
    expect(callsOf('op:keychain')).toHaveLength(2)
  })

  describe('where the keychain could not be used, and there is no key that would be read again,', () => {
    const FINE = { ok: true, message: null }
    const first: Connection = { host: null, baseUrl: null, key: null }
    async function locked() {
      let now: typeof FINE | typeof LOCKED | null = LOCKED
      const made = room({
        connection: first,
        answers: {
          'op:keychain': () => ({ ok: true, value: now }),
          'op:connect': () => ({
            host: 'files.example.com',
            baseUrl: 'https://files.example.com/api/v1',
            stats: null,
          }),
        },
      })
      expect(await made.h.boot({})).toMatchObject({ value: { keychain: LOCKED } })
      const answer = (next: typeof now): void => {
        now = next
      }
      return {
        ...made,
        answer,
        last: () => made.told.at(-1),
        asked: () => made.callsOf('op:keychain').at(-1),
      }
    }

    it('is told that it can, once it has answered', async () => {
      const { store, answer, last } = await locked()
      answer(FINE)
      store.setConnection(first)
      await vi.waitFor(() => expect(last()).toEqual({ kind: 'keychain', keychain: FINE }))
    })

    it.each(['event', 'timer', 'person'] as const)(
      'tries again on occasion (%s), until it can',
      async (occasion) => {
        const { keychain, answer, last, asked, callsOf } = await locked()
        // Not yet.
        answer(null)
        await keychain.repeat(occasion)
        expect([asked(), last()]).toEqual([{ occasion }, { kind: 'keychain', keychain: LOCKED }])
        answer(FINE)
        await keychain.repeat(occasion)
        expect(last()).toEqual({ kind: 'keychain', keychain: FINE })
        await keychain.repeat(occasion)
        expect(callsOf('op:keychain')).toHaveLength(3)
      },
    )

    it('tries again when a key is entered, so that it can be saved', async () => {
      const { h, answer, last, asked } = await locked()
      answer(FINE)
      await h.connect({ address: 'files.example.com', key: 'sk-1', plainHttp: false })
      await vi.waitFor(() => expect(last()).toEqual({ kind: 'keychain', keychain: FINE }))
      expect(asked()).toEqual({ occasion: 'person' })
    })
  })

  it('where no page has booted since the account is shown, checks the keychain when a key is entered', async () => {
    const { h, told } = room({ answers: { 'op:keychain': () => ({ ok: true, value: LOCKED }) } })
    await h.connect({ address: 'files.example.com', key: 'sk-1', plainHttp: false })
    await vi.waitFor(() => expect(told).toEqual([{ kind: 'keychain', keychain: LOCKED }]))
  })

  it('reads the key again when the user asks for it', async () => {
    const { h, did } = room()
    expect(await h.readKeyAgain({})).toMatchObject({ value: { key: 'session' } })
    expect(did).toEqual([['readKeysAgain', 'person']])
  })

  it.each(['failed', 'missing'] as const)('says so if the key still can’t be read (%s)', async (unread) => {
    const { h } = room({
      connection: {
        host: 'files.example.com',
        baseUrl: 'https://files.example.com/api/v1',
        key: null,
        unread,
      },
    })
    expect(await h.readKeyAgain({})).toMatchObject({ failure: { code: 'keychain' } })
  })

  it('a change is applied, told, and answered as it worked out', async () => {
    const { h, did, told } = room()
    expect(await h.change({ theme: 'dark' })).toMatchObject({
      value: { theme: 'dark', density: 'comfortable' },
    })
    expect(did).toMatchObject([['applySettings', { theme: 'dark' }]])
    expect(told).toMatchObject([{ kind: 'settings', settings: { theme: 'dark' } }])
  })

  it.each([
    [60, NOW + 3_600_000],
    [0, null],
  ])('a snooze of %i minutes ends at %j', async (minutes, until) => {
    const { h, told } = room({ settings: { snoozedUntil: 5 } })
    expect(await h.snooze({ minutes })).toMatchObject({ value: { snoozedUntil: until } })
    expect(told).toMatchObject([{ kind: 'settings', settings: { snoozedUntil: until } }])
  })

  it('the log and the data are opened where they are, and nowhere else', async () => {
    const { h, did } = room()
    await h.openLog({})
    await h.openData({})
    await h.quit({})
    expect(did).toEqual([
      ['showInFolder', '/data/log.txt'],
      ['openPath', '/data'],
      ['quit', undefined],
    ])
  })

  it('licences that can not be read are said, not thrown', async () => {
    expect(await room({ licences: 'MIT' }).h.licences({})).toEqual({ ok: true, value: { text: 'MIT' } })
    expect(await room({ licences: null }).h.licences({})).toMatchObject({ failure: { code: 'disk' } })
  })

  it('no handler takes a path but those for drops, which only the preload script can ask for', () => {
    const withPath = Object.entries(appProcedures).filter(([, { input }]) =>
      /path/i.test(Object.keys(input.shape).join()),
    )
    expect(withPath.map(([name]) => name)).toEqual(['keepDrop', 'dropPart', 'drop'])
  })
})

it('the login of a proxy is entered, and the page gets its name back', async () => {
  const { h, did } = room()
  const got = await h.proxyLogin({ proxy: 'http://proxy:3128', name: 'ada', password: 'secret' })
  expect(got).toEqual({
    ok: true,
    value: { proxy: 'http://proxy:3128', name: 'ada', kept: 'keychain', refused: false },
  })
  expect(did).toContainEqual(['proxyLogin', ['http://proxy:3128', 'ada']])
})
