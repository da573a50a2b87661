// What is said about files that were uploaded from the tray, a file manager or another program: in the
// window, or in a notification if the user wouldn't see it there.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { uploadClipboard, uploadFiles } from '../../../src-main/shell/app/outside-uploads.ts'
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import { shell } from '../../../src-shared/i18n/en/shell.ts'
import { createFormats } from '../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../src-shared/i18n/texts.ts'
import type { Batch } from '../../../src-shared/window-contract.ts'

type Slipway = Parameters<typeof uploadClipboard>[0]
type Session = Parameters<typeof uploadFiles>[2]

const window = textsOf('en')
const NONE: Batch = { queued: 0, already: 0, held: 0, failed: 0, ignored: 0, links: 0 }
const said = vi.fn()
const told = vi.fn()
beforeEach(() => {
  said.mockClear()
  told.mockClear()
})

function desk(
  answer: Result<Batch | null> | Promise<never>,
  more: { readonly focused?: boolean; readonly other?: boolean } = {},
) {
  const session = {
    shell: { uploadPaths: async () => answer, handlers: { uploadClipboard: async () => answer } },
    notifier: {
      say: (_topic: string, title: string, hint: string | null) => said(title, hint),
      failure: ({ code }: Failure, of?: string) => said('failure', null, code, of),
    },
  } as unknown as Session
  const slipway = {
    language: () => ({ texts: shell, window, formats: createFormats('en-GB', window.time) }),
    accounts: { shown: () => (more.other === true ? null : session) },
    server: { tell: told },
    window: { isFocused: () => more.focused ?? false },
  } as unknown as Slipway
  return { slipway, session }
}

describe('files from outside the window', () => {
  it.each<[string, Batch, readonly (readonly [string, string | null])[]]>([
    ['new files get a notification when they are done, so none now', { ...NONE, queued: 2 }, []],
    [
      'many files that the user lets wait are reported, because nothing else happens',
      { ...NONE, queued: 143, isPaused: true },
      [['143 files added', 'Nothing is sent until you resume them in Transfers.']],
    ],
    ['files that were uploaded before, too', { ...NONE, already: 1 }, []],
    ['only ignored files', { ...NONE, ignored: 2 }, [['Nothing to upload now', '2 are ignored by rules']]],
    ['an empty folder', NONE, [['Nothing to upload now', null]]],
    [
      'one of two could not be read',
      { ...NONE, queued: 1, failed: 1 },
      [['1 file added', '1 can’t be read']],
    ],
  ])('%s', async (_what, batch, notifications) => {
    const { slipway, session } = desk({ ok: true, value: batch })
    expect(await uploadFiles(slipway, [import.meta.filename], session, false)).toBe(true)
    expect(said.mock.calls).toEqual(notifications)
    expect(told.mock.calls).toEqual([[{ kind: 'batch', batch }]])
  })

  it.each<[string, Result<Batch>]>([
    ['at once', { ok: false, failure: { code: 'closing', title: 'x', hint: null } }],
    ['in between', { ok: true, value: { ...NONE, queued: 9, rest: { count: 5, code: 'closing' } } }],
  ])('are not done with if the sync engine stopped %s, and nothing is said', async (_when, answer) => {
    const { slipway, session } = desk(answer)
    expect(await uploadFiles(slipway, [import.meta.filename], session, false)).toBe(false)
    expect([said.mock.calls, told.mock.calls]).toEqual([[], []])
  })

  it('are uploaded although one of them is missing, which is named', async () => {
    const { slipway, session } = desk({ ok: true, value: { ...NONE, queued: 1 } })
    const upload = vi.spyOn(session.shell, 'uploadPaths')
    await uploadFiles(slipway, ['/none/b.txt', import.meta.filename], session, false)
    expect(upload.mock.calls).toEqual([[[import.meta.filename], false]])
    expect(said.mock.calls).toEqual([[shell.missingFile.title('/none/b.txt'), null]])
    said.mockClear()
    await uploadFiles(slipway, ['/none/b.txt'], session, false)
    expect(said.mock.calls).toEqual([[shell.missingFile.title('/none/b.txt'), shell.missingFile.hint]])
  })

  it('nothing is said of many files that the user declined to upload', async () => {
    const { slipway, session } = desk({ ok: true, value: { ...NONE, isDeclined: true } })
    await uploadFiles(slipway, [import.meta.filename], session, false)
    expect([said.mock.calls, told.mock.calls]).toEqual([[], []])
  })

  it('the window says it alone while the user works in it', async () => {
    const { slipway, session } = desk(
      { ok: true, value: { ...NONE, failed: 1, ignored: 1 } },
      { focused: true },
    )
    await uploadFiles(slipway, [import.meta.filename], session, false)
    expect(said).not.toHaveBeenCalled()
    expect(told).toHaveBeenCalledOnce()
  })

  it('a notification alone says it about another account than the one in the window', async () => {
    const { slipway, session } = desk(
      { ok: true, value: { ...NONE, ignored: 1 } },
      { focused: true, other: true },
    )
    await uploadFiles(slipway, [import.meta.filename], session, false)
    expect(told).not.toHaveBeenCalled()
    expect(said.mock.calls).toEqual([['Nothing to upload now', '1 is ignored by a rule']])
  })
})

describe('the clipboard, from the tray', () => {
  it.each<[string, Result<Batch | null>, readonly unknown[]]>([
    ['empty', { ok: true, value: null }, ['Nothing on the clipboard to upload.', null]],
    [
      'refused',
      { ok: false, failure: { code: 'closing', title: 'x', hint: null } },
      ['failure', null, 'closing', 'uploadClipboard'],
    ],
  ])('%s: a notification says so', async (_what, answer, notification) => {
    await uploadClipboard(desk(answer).slipway)
    expect(said.mock.calls).toEqual([notification])
    expect(told).not.toHaveBeenCalled()
  })
  it('an internal error: a notification says so, and the log gets the error', async () => {
    const defect = new TypeError('x')
    await expect(uploadClipboard(desk(Promise.reject(defect)).slipway)).rejects.toBe(defect)
    expect(said.mock.calls).toEqual([['failure', null, 'defect', undefined]])
  })
})
