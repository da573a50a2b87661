// The window's state, driven by a fake bridge: the first boot, every kind of event, and gaps in the sequence
// numbers, after which it boots again. Each test has its own store.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EngineEvent } from '../../../../src-shared/events.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { DEFAULT_APP_SETTINGS } from '../../../../src-shared/settings.ts'
import { folder, gate, snapshot, transfer } from '../../shell/world.ts'
import { bootOf, type FakeBridge, installBridge, ok, REFUSED, settled } from '../fake-bridge.ts'

const FIRST = { file: { fileId: 4, transferId: 1, name: 'a' }, undo: null } as const
type Notices = typeof import('../../../../src-renderer/state/notices.ts')
type Store = typeof import('../../../../src-renderer/state/store.ts')
let bridge: FakeBridge
let store: Store
let notices: Notices

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.resetModules()
  bridge = installBridge()
  store = await import('../../../../src-renderer/state/store.ts')
  notices = await import('../../../../src-renderer/state/notices.ts')
  const { start } = await import('../../../../src-renderer/state/events.ts')
  const { loadTexts } = await import('../../../../src-renderer/state/texts.ts')
  await Promise.all([loadTexts('en'), loadTexts('de')])
  start()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const state = () => store.appStore.getState()
const booted = (seq = 0): Promise<void> => bridge.answer('boot', ok(bootOf({ seq, snapshot: snapshot() })))
const boots = (): number => bridge.calls.filter((one) => one.name === 'boot').length
let next = 0
const engine = (event: EngineEvent): void => bridge.say(++next, { kind: 'engine', event })

/** Makes these the page's dialogs, each given by its role and, for the palette, its class. */
function showDialogs(...dialogs: readonly string[]): void {
  const isMatch = (dialog: string, selector: string): boolean => {
    const [wanted = '', excluded] = selector.split(':not(')
    return (
      dialog.startsWith(wanted) && (excluded === undefined || !dialog.includes(excluded.replace(')', '')))
    )
  }
  const find = (selectors: string): string | null =>
    dialogs.find((dialog) => selectors.split(', ').some((selector) => isMatch(dialog, selector))) ?? null
  vi.stubGlobal('document', { querySelector: find })
}

describe('booting', () => {
  it('asks once, and knows what the answer says', async () => {
    expect(boots()).toBe(1)
    expect(state().boot).toBeNull()
    await booted()
    expect(state()).toMatchObject({
      engineUp: true,
      settings: DEFAULT_APP_SETTINGS,
      bootFailure: null,
      catalogVersion: 1,
      transfersVersion: 1,
    })
    expect(bridge.open).toEqual([])
  })

  it('asks for what is on its way where something is', async () => {
    await bridge.answer('boot', ok(bootOf({ snapshot: snapshot({ counts: { uploading: 1 } }) })))
    expect(bridge.calls.at(-1)).toEqual({
      name: 'transfers',
      input: { folderId: null, states: ['uploading'], afterId: 0, limit: 100 },
    })
    await bridge.answer('transfers', ok([transfer(7, { state: 'uploading' })]))
    expect([...state().live.keys()]).toEqual([7])
  })

  it('an engine that does not answer yet is no failure', async () => {
    await bridge.answer('boot', ok(bootOf({ snapshot: null })))
    expect(state()).toMatchObject({ engineUp: false, bootFailure: null })
    bridge.say(1, { kind: 'engine-state', up: true, snapshot: snapshot({ paused: true }), stopped: null })
    expect(state()).toMatchObject({
      engineUp: true,
      snapshot: { paused: true },
      catalogVersion: 2,
      transfersVersion: 2,
    })
  })

  it('a failure is kept until an answer comes', async () => {
    await bridge.answer('boot', REFUSED)
    expect(state().bootFailure?.code).toBe('no-connection')
  })
})

describe('a policy that changes while the page is open', () => {
  it('is shown from then on, and no longer once it is mended', async () => {
    await booted(4)
    const fixed = {
      address: 'https://files.example.com/api/v1',
      forbidden: ['/srv/secret'],
      fault: "It can't be used.",
    }
    bridge.say(5, { kind: 'managed', managed: fixed })
    expect(state().boot?.managed).toEqual(fixed)
    bridge.say(6, { kind: 'managed', managed: { address: null, forbidden: [], fault: null } })
    expect(state().boot?.managed).toEqual({ address: null, forbidden: [], fault: null })
    expect(boots()).toBe(1)
  })
})

describe('what was kept before there was a key', () => {
  const CLOSING = { ok: false, failure: { code: 'closing', title: 'x', hint: null } }
  const BATCH = { queued: 2, already: 0, held: 0, failed: 0, ignored: 0, links: 0 }
  const PICKED = { token: 'p', name: 'a.txt', paths: 1, forecast: null }
  const asked = (name: string): number => bridge.calls.filter((one) => one.name === name).length
  const engineState = async (at: number, up: boolean): Promise<void> => {
    bridge.say(at, { kind: 'engine-state', up, snapshot: up ? snapshot() : null, stopped: null })
    await settled()
  }
  async function open() {
    await booted(4)
    const kept = await import('../../../../src-renderer/state/kept.ts')
    const { textsStore } = await import('../../../../src-renderer/state/texts.ts')
    const t = textsStore.getState().en
    if (t === undefined) throw new Error('The texts are not loaded.')
    const words = { t, f: createFormats('en-GB', t.time) }
    void kept.readKept()
    await bridge.answer('kept', ok({ count: 2, names: ['a.txt', 'b.txt'] }))
    return { ...kept, send: () => kept.sendKept(words) }
  }

  it('is sent again once the engine is back that failed meanwhile', async () => {
    const { send } = await open()
    const first = send()
    await bridge.answer('uploadKept', CLOSING)
    expect(await first).toBe(false)
    // The drops would fail as well, with a second notice.
    expect([asked('pickKept'), state().notices.length]).toEqual([0, 1])
    await engineState(5, false)
    expect(asked('kept')).toBe(1)
    await engineState(6, true)
    await bridge.answer('kept', ok({ count: 2, names: ['a.txt', 'b.txt'] }))
    const again = send()
    await bridge.answer('uploadKept', ok(BATCH))
    await bridge.answer('pickKept', ok(null))
    expect(await again).toBe(true)
    await engineState(7, false)
    await engineState(8, true)
    expect(asked('kept')).toBe(2)
  })

  it('stays, by name, until the disk can be written to', async () => {
    const { uploadUntilWritten, retryStuckDrops } = await open()
    const stuck = () => state().stuckDrops
    const upload = uploadUntilWritten(PICKED)
    const full = { ok: false, failure: { code: 'disk', title: 'Full.', hint: null } }
    await bridge.answer('uploadPicked', full)
    await vi.waitFor(() => expect(stuck()).toEqual([PICKED]))
    retryStuckDrops()
    await vi.waitFor(() => expect(asked('uploadPicked')).toBe(2))
    await bridge.answer('uploadPicked', full)
    expect(stuck()).toEqual([PICKED])
    retryStuckDrops()
    await vi.waitFor(() => expect(asked('uploadPicked')).toBe(3))
    await bridge.answer('uploadPicked', ok(BATCH))
    expect(await upload).toEqual(ok(BATCH))
    expect(stuck()).toEqual([])
  })

  it.each<[string, unknown, number]>([
    ['once the engine is back, if it failed', CLOSING, 2],
    [
      'once the engine is back, if it failed in between',
      ok({ ...BATCH, rest: { count: 1, code: 'closing' } }),
      2,
    ],
    ['never, if all of it was passed on', ok(BATCH), 1],
    ['never, if it can’t be read', { ok: false, failure: { code: 'unreadable', title: 'x', hint: null } }, 1],
  ])('is read again after a drop was sent: %s', async (_when, batch, reads) => {
    const { send, uploadUntilWritten } = await open()
    const sending = send()
    await bridge.answer('uploadKept', ok(null))
    await bridge.answer('pickKept', ok(PICKED))
    await sending
    // While the user is asked about it, it isn't picked a second time.
    await engineState(5, false)
    await engineState(6, true)
    expect(asked('kept')).toBe(1)
    const upload = uploadUntilWritten(PICKED)
    await bridge.answer('uploadPicked', batch)
    expect(await upload).toEqual(batch)
    await engineState(7, false)
    await engineState(8, true)
    expect(asked('kept')).toBe(reads)
  })
})

describe('files from outside the window', () => {
  const NONE = { queued: 0, already: 0, held: 0, failed: 0, ignored: 0, links: 0 }

  it('are reported where the list does not show what became of them', async () => {
    await booted(4)
    bridge.say(5, { kind: 'batch', batch: { ...NONE, queued: 1 } })
    expect(state().notices).toEqual([])
    bridge.say(6, { kind: 'batch', batch: { ...NONE, queued: 1, already: 2, ignored: 1 } })
    expect(state().notices).toMatchObject([
      { level: 'info', title: '1 file added', hint: '2 already uploaded · 1 is ignored by a rule' },
    ])
    bridge.say(7, { kind: 'batch', batch: { ...NONE, queued: 1, rest: { count: 1, code: 'closing' } } })
    expect(state().notices).toMatchObject([{ level: 'warning', title: '1 file added' }])
  })
})

it('a pasted text that is held shows a card that says why, and leads to it', async () => {
  await booted(4)
  const firstHeld = transfer(7, { name: 'Text.txt', state: 'held', reason: 'secret' })
  const batch = { queued: 0, already: 0, held: 1, failed: 0, ignored: 0, links: 0, firstHeld }
  bridge.say(5, { kind: 'batch', batch })
  const [notice] = state().notices
  expect(notice).toMatchObject({
    title: 'Held: looks like a secret',
    card: { name: 'Text.txt', count: 1 },
    action: { label: 'Review' },
  })
  notice?.action?.run()
  expect(state().view).toBe('transfers')
  // What else became of a drop is said with it.
  bridge.say(6, { kind: 'batch', batch: { ...batch, queued: 2, held: 2 } })
  expect(state().notices).toMatchObject([
    { title: '2 files added', hint: '2 need your approval', action: { label: 'Review' } },
  ])
})

describe('numbers', () => {
  it('in order ask for nothing', async () => {
    await booted(4)
    bridge.say(5, { kind: 'deletes', pending: [] })
    bridge.say(6, { kind: 'deletes', pending: [] })
    expect(boots()).toBe(1)
  })

  it.each([
    ['one was missed', 6],
    ['many were missed', 60],
    ['one came twice', 4],
    ['they begin anew', 1],
  ])('%s: it boots again', async (_name, at) => {
    await booted(4)
    bridge.say(at, { kind: 'deletes', pending: [] })
    expect(boots()).toBe(2)
    await booted(at)
    bridge.say(at + 1, { kind: 'deletes', pending: [] })
    expect(boots()).toBe(2)
  })

  it('the event behind a gap is not lost', async () => {
    await booted(4)
    bridge.say(9, { kind: 'go', view: 'usage' })
    await booted(9)
    expect(state().view).toBe('usage')
  })

  it('a window that works keeps what it shows if the answer is a failure, and asks again', async () => {
    await booted(4)
    bridge.say(7, { kind: 'deletes', pending: [] })
    await bridge.answer('boot', REFUSED)
    expect(state()).toMatchObject({ bootFailure: null, boot: { seq: 4 } })
    expect(boots()).toBe(2)
    vi.advanceTimersByTime(2000)
    expect(boots()).toBe(3)
    await booted(8)
    expect(state().boot).toMatchObject({ seq: 8 })
  })

  it('a gap while an answer is on its way asks once more, since the answer may be older', async () => {
    await booted(4)
    bridge.say(6, { kind: 'deletes', pending: [] })
    bridge.say(9, { kind: 'deletes', pending: [] })
    bridge.say(12, { kind: 'deletes', pending: [] })
    expect(boots()).toBe(2)
    await booted(6)
    expect(boots()).toBe(3)
    await bridge.answer('boot', ok(bootOf({ seq: 12, snapshot: snapshot({ paused: true }) })))
    expect(boots()).toBe(3)
    expect(state().snapshot?.paused).toBe(true)
  })

  it('what comes before the first answer is taken in order, from any number on', async () => {
    bridge.say(31, { kind: 'go', view: 'settings' })
    bridge.say(32, { kind: 'deletes', pending: [] })
    await booted(32)
    bridge.say(33, { kind: 'deletes', pending: [] })
    expect(boots()).toBe(1)
    expect(state().view).toBe('settings')
  })
})

describe('events', () => {
  beforeEach(async () => {
    next = 0
    await booted()
  })

  it('uploads live while they are on their way, and are lit for a moment when they are done', () => {
    engine({
      seq: 1,
      kind: 'transfers',
      items: [transfer(1, { state: 'uploading' }), transfer(2, { state: 'queued' })],
    })
    expect([...state().live.keys()]).toEqual([1])
    const progress = {
      speed: 5,
      etaMs: 9,
      sentBytes: 1,
      totalBytes: 2,
      active: [
        { id: 1, path: '/a', sent: 400, size: 1000, speed: 5 },
        { id: 3, path: '/b', sent: 1, size: 2, speed: 0 },
      ],
    }
    engine({ seq: 2, kind: 'progress', progress })
    expect(state().live.get(1)?.sent).toBe(400)
    // Only transfers named by an event are running.
    expect(state().live.has(3)).toBe(false)
    expect(state().snapshot?.progress.speed).toBe(5)
    engine({ seq: 3, kind: 'transfers', items: [transfer(1, { fileId: 77 })] })
    expect(state().live.size).toBe(0)
    expect([...state().fresh]).toEqual([77])
    vi.advanceTimersByTime(10_000)
    expect(state().fresh.size).toBe(0)
    expect(state().transfersVersion).toBe(3)
  })

  it('what is long done is not lit', () => {
    engine({
      seq: 1,
      kind: 'transfers',
      items: [transfer(1, { doneAt: Date.now() - 60_000 }), transfer(2, { state: 'failed' })],
    })
    expect(state().fresh.size).toBe(0)
  })

  it('a small file is lit once, though nothing has shown it on its way', () => {
    const item = transfer(91, { fileId: 78, doneAt: Date.now() - 300 })
    engine({ seq: 1, kind: 'transfers', items: [item] })
    expect([...state().fresh]).toEqual([78])
    vi.advanceTimersByTime(3000)
    engine({ seq: 2, kind: 'transfers', items: [item] })
    expect(state().fresh.size).toBe(0)
  })

  it('a state without uploads leaves none alive for long, but until their rows arrive', () => {
    engine({ seq: 1, kind: 'transfers', items: [transfer(1, { state: 'uploading' })] })
    engine({ seq: 2, kind: 'state', snapshot: snapshot({ counts: { uploading: 1 } }) })
    expect(state().live.size).toBe(1)
    engine({ seq: 3, kind: 'state', snapshot: snapshot() })
    expect(state().live.size).toBe(1)
    vi.advanceTimersByTime(2000)
    expect(state().live.size).toBe(0)
  })

  it('further states without uploads do not keep one alive, but one with uploads does', () => {
    engine({ seq: 1, kind: 'transfers', items: [transfer(1, { state: 'uploading' })] })
    engine({ seq: 2, kind: 'state', snapshot: snapshot() })
    engine({ seq: 3, kind: 'state', snapshot: snapshot({ counts: { uploading: 1 } }) })
    vi.advanceTimersByTime(2000)
    expect(state().live.size).toBe(1)
    for (let seq = 4; seq < 10; seq++) {
      engine({ seq, kind: 'state', snapshot: snapshot() })
      vi.advanceTimersByTime(250)
    }
    expect(state().live.size).toBe(0)
  })

  it('an upload that begins after a state without any stays alive', () => {
    engine({ seq: 1, kind: 'transfers', items: [transfer(1, { state: 'uploading' })] })
    engine({ seq: 2, kind: 'state', snapshot: snapshot() })
    engine({
      seq: 3,
      kind: 'transfers',
      items: [transfer(1, { fileId: 77 }), transfer(2, { state: 'uploading' })],
    })
    vi.advanceTimersByTime(2000)
    expect([...state().live.keys()]).toEqual([2])
  })

  it('gates come and go', () => {
    engine({ seq: 1, kind: 'gate', gate: gate('offline') })
    expect(state().snapshot?.gate?.reason).toBe('offline')
    engine({ seq: 2, kind: 'gate', gate: null })
    expect(state().snapshot?.gate).toBeNull()
  })

  it('a folder is added, then changed in place', () => {
    engine({ seq: 1, kind: 'folder', folder: folder('/a', 'scanning', 1) })
    engine({ seq: 2, kind: 'folder', folder: folder('/b', 'scanning', 2) })
    engine({ seq: 3, kind: 'folder', folder: folder('/a', 'away', 1) })
    expect(state().snapshot?.folders.map((one) => [one.id, one.state])).toEqual([
      [1, 'away'],
      [2, 'scanning'],
    ])
  })

  it('the catalog is asked anew', () => {
    const { catalogVersion } = state()
    engine({ seq: 1, kind: 'catalog', changed: 3 })
    expect(state().catalogVersion).toBe(catalogVersion + 1)
  })

  it('an engine that went keeps what is shown; the next one has everything asked again', () => {
    engine({ seq: 1, kind: 'transfers', items: [transfer(1, { state: 'uploading' })] })
    bridge.say(++next, { kind: 'engine-state', up: false, snapshot: null, stopped: null })
    expect(state()).toMatchObject({ engineUp: false, snapshot: { version: '0.0.0' } })
    expect(state().live.size).toBe(1)
    bridge.say(++next, { kind: 'engine-state', up: true, snapshot: snapshot(), stopped: null })
    expect(state().live.size).toBe(0)
    expect(boots()).toBe(1)
  })

  it('asks the next engine for uploads that are already running', async () => {
    bridge.say(++next, { kind: 'engine-state', up: false, snapshot: null, stopped: null })
    bridge.say(++next, {
      kind: 'engine-state',
      up: true,
      snapshot: snapshot({ counts: { uploading: 1 } }),
      stopped: null,
    })
    await bridge.answer('transfers', ok([transfer(3, { state: 'uploading' })]))
    expect([...state().live.keys()]).toEqual([3])
  })

  it('an engine that can’t start is not said to restart, and calls fail with what keeps it from starting', async () => {
    const stopped = { code: 'key-refused', title: 'The key can’t be sent.', hint: null } as const
    bridge.say(++next, { kind: 'engine-state', up: false, snapshot: null, stopped })
    expect(state()).toMatchObject({ engineUp: false, stopped })
    const { failureNow } = await import('../../../../src-renderer/state/failures.ts')
    const words = { t: textsOf('en'), f: createFormats('en-GB', textsOf('en').time) }
    expect(failureNow(words, stopped).title).toBe('The API key isn’t valid.')
    expect(failureNow(words, { ...stopped, title: 'Another failure' }).title).toBe('The API key was refused.')
    bridge.say(++next, { kind: 'engine-state', up: true, snapshot: snapshot(), stopped: null })
    expect(state().stopped).toBeNull()
  })

  it('copied marks go after a moment, and the newest one counts', () => {
    bridge.say(++next, { kind: 'copied', count: 2, fileIds: [4, 5], asked: true, ...FIRST })
    vi.advanceTimersByTime(1500)
    bridge.say(++next, { kind: 'copied', count: 1, fileIds: [6], asked: false, ...FIRST })
    vi.advanceTimersByTime(1500)
    expect(state().copied).toEqual({ fileIds: new Set([6]), count: 1, asked: false, ...FIRST })
    vi.advanceTimersByTime(1500)
    expect(state().copied).toBeNull()
  })

  it('deletions that wait are those of the newest list', () => {
    const pending = [{ token: 't', fileIds: [1], count: 1, at: 5, name: 'a' }]
    bridge.say(++next, { kind: 'deletes', pending })
    expect(state().deletes).toEqual(pending)
    bridge.say(++next, { kind: 'deletes', pending: [] })
    expect(state().deletes).toEqual([])
  })

  it('the same command twice is two', () => {
    bridge.say(++next, { kind: 'command', command: 'upload' })
    const first = state().command
    bridge.say(++next, { kind: 'command', command: 'upload' })
    expect(state().command?.name).toBe('upload')
    expect(state().command?.n).not.toBe(first?.n)
    showDialogs()
    bridge.say(++next, { kind: 'command', command: 'palette' })
    expect(state().palette).toBe(true)
    bridge.say(++next, { kind: 'go', view: 'transfers' })
    expect(state()).toMatchObject({ palette: false, view: 'transfers' })
  })

  it('the palette opens over no other dialog, and keeps no other dialog from being noticed', async () => {
    const { isBehindDialog } = await import('../../../../src-renderer/state/keyboard.ts')
    for (const other of ['[role=dialog]', '[role=alertdialog]']) {
      showDialogs(other)
      bridge.say(++next, { kind: 'command', command: 'palette' })
      expect(state().palette).toBe(false)
      expect(isBehindDialog()).toBe(true)
    }
    showDialogs()
    bridge.say(++next, { kind: 'command', command: 'palette' })
    showDialogs('[role=dialog].palette')
    expect(isBehindDialog()).toBe(false)
    // A dialog that an answer of the shell has opened in the meantime.
    showDialogs('[role=dialog].palette', '[role=dialog]')
    expect(isBehindDialog()).toBe(true)
  })

  it('connection and settings are taken as told', () => {
    bridge.say(++next, {
      kind: 'connection',
      connection: { host: 'files.example.com', baseUrl: null, key: 'session' },
    })
    bridge.say(++next, { kind: 'settings', settings: { ...DEFAULT_APP_SETTINGS, theme: 'dark' } })
    expect(state()).toMatchObject({ connection: { key: 'session' }, settings: { theme: 'dark' } })
  })
})

describe('messages', () => {
  beforeEach(() => booted())
  const titles = (): string[] => state().notices.map((one) => one.title)

  it('leave by themselves only where they ask for nothing', () => {
    for (const level of ['info', 'good', 'warning', 'problem'] as const)
      notices.notify({ level, title: level, hint: null })
    vi.advanceTimersByTime(60_000)
    expect(titles()).toEqual(['warning', 'problem'])
  })

  it('of one topic take the place of one another, and four are enough', () => {
    for (const title of ['a', 'b', 'c', 'd', 'e']) notices.notify({ level: 'problem', title, hint: null })
    expect(titles()).toEqual(['b', 'c', 'd', 'e'])
    notices.notify({ level: 'problem', title: 'c', hint: 'again' })
    expect(titles()).toEqual(['b', 'd', 'e', 'c'])
    notices.notify({ level: 'problem', title: 'x', hint: null, topic: 'd' })
    notices.notify({ level: 'problem', title: 'y', hint: null, topic: 'd' })
    expect(titles()).toEqual(['b', 'e', 'c', 'y'])
  })

  it('are closed by their own number', () => {
    notices.notify({ level: 'problem', title: 'a', hint: null })
    notices.notify({ level: 'problem', title: 'b', hint: null })
    notices.closeNotice(state().notices[0]?.id ?? -1)
    expect(titles()).toEqual(['b'])
  })

  it('of the engine are shown', () => {
    // A banner already shows this for as long as it lasts.
    const about = { what: 'key-refused', name: '', count: 0 } as const
    bridge.say(1, {
      kind: 'engine',
      event: { seq: 1, kind: 'notice', level: 'problem', title: 'Refused', hint: null, about },
    })
    expect(state().notices).toEqual([])
    bridge.say(2, {
      kind: 'engine',
      event: { seq: 2, kind: 'notice', level: 'warning', title: 'Look', hint: 'here' },
    })
    expect(state().notices).toMatchObject([{ level: 'warning', title: 'Look', hint: 'here' }])
  })

  it('of the engine are in the language of the window, where it says what they are about', () => {
    bridge.say(1, { kind: 'settings', settings: { ...DEFAULT_APP_SETTINGS, language: 'de' } })
    const about = { what: 'first-download', name: 'plan.pdf', count: 1 } as const
    bridge.say(2, {
      kind: 'engine',
      event: { seq: 1, kind: 'notice', level: 'info', title: 'First download', hint: null, about },
    })
    expect(state().notices).toMatchObject([
      { level: 'info', title: 'Erster Download von plan.pdf', hint: null },
    ])
    const marked = { ...about, name: 'plan\u202efdp.exe' }
    bridge.say(3, {
      kind: 'engine',
      event: { seq: 2, kind: 'notice', level: 'info', title: 'First download', hint: null, about: marked },
    })
    expect(titles()).toContain('Erster Download von plan\\u202efdp.exe')
  })

  it('are closed when the shell says that their problem is solved, whatever language they were shown in', () => {
    const about = { what: 'shortcut-taken', name: 'Ctrl+1', count: 0 } as const
    bridge.say(1, {
      kind: 'engine',
      event: { seq: 0, kind: 'notice', level: 'warning', title: 'Taken', hint: null, about },
    })
    notices.notify({ level: 'problem', title: 'a', hint: null })
    expect(titles()).toEqual(['Couldn’t register the shortcut Ctrl+1.', 'a'])
    bridge.say(2, { kind: 'settings', settings: { ...DEFAULT_APP_SETTINGS, language: 'de' } })
    bridge.say(3, { kind: 'solved', what: 'shortcut-taken' })
    expect(titles()).toEqual(['a'])
  })
})

describe('a folder that was chosen', () => {
  it('stays open if it was chosen after the one that is closed by a late answer', async () => {
    await booted()
    const { closePicked } = await import('../../../../src-renderer/state/watch-folder.ts')
    const picked = (token: string) => ({ token, name: token, paths: 1, forecast: null })
    store.appStore.setState({ pickedFolder: picked('second') })
    closePicked(picked('first'))
    expect(state().pickedFolder).toEqual(picked('second'))
    closePicked(picked('second'))
    expect(state().pickedFolder).toBeNull()
  })
})

describe('changing settings', () => {
  beforeEach(() => booted())

  it('is shown at once, and then as it worked out', async () => {
    const changing = store.change({ theme: 'dark', shortcut: 'Ctrl+U' })
    expect(state().settings).toMatchObject({ theme: 'dark', shortcut: 'Ctrl+U' })
    await bridge.answer('change', ok({ ...DEFAULT_APP_SETTINGS, theme: 'dark' }))
    await changing
    expect(state().settings).toMatchObject({ theme: 'dark', shortcut: null })
  })

  it('keeps a later change while an earlier one is answered, and builds the next on both', async () => {
    store.keepPlace({ sort: 'name' })
    store.keepPlace({ filter: 'picture' })
    const { place } = DEFAULT_APP_SETTINGS
    await bridge.answer('change', ok({ ...DEFAULT_APP_SETTINGS, place: { ...place, sort: 'name' } }))
    expect(state().settings?.place).toMatchObject({ sort: 'name', filter: 'picture' })
    store.go('usage')
    expect(bridge.calls.at(-1)).toMatchObject({
      input: { place: { sort: 'name', filter: 'picture', view: 'usage' } },
    })
  })

  it('is put back where it was refused', async () => {
    const changing = store.change({ theme: 'dark' })
    await bridge.answer('change', REFUSED)
    await changing
    expect(state().settings?.theme).toBe('system')
  })

  it.each([
    ['that the shell carried out', true, ok({ ...DEFAULT_APP_SETTINGS, undoSeconds: 6 })],
    ['that the shell refused', false, ok(DEFAULT_APP_SETTINGS)],
    ['that failed', false, REFUSED],
  ])(
    'says of a change %s what became of it, although the same setting was changed again',
    async (_what, applied, answer) => {
      const { isApplied } = await import('../../../../src-renderer/views/settings/apply-setting.ts')
      const first = isApplied({ undoSeconds: 6 })
      const second = isApplied({ undoSeconds: 7 })
      await bridge.answer('change', answer)
      expect(await first).toBe(applied)
      expect(state().settings?.undoSeconds).toBe(7)
      await bridge.answer('change', ok({ ...DEFAULT_APP_SETTINGS, undoSeconds: 7 }))
      expect(await second).toBe(true)
    },
  )

  it('a field that is not given is no field that is taken away', async () => {
    void store.change({ theme: undefined, density: 'compact' })
    expect(state().settings).toMatchObject({ theme: 'system', density: 'compact' })
    await settled()
  })
})

describe('another account', () => {
  const CONNECTION = {
    host: 'b.example',
    baseUrl: 'https://b.example/api/v1',
    account: 'home',
    accountId: 'h',
    key: 'session',
  } as const
  const WORK = { ...CONNECTION, account: 'work', accountId: 'w' }
  const switched = (left: { name: string; open: number; goesOn: boolean } | null = null): void =>
    bridge.say(++next, {
      kind: 'switched',
      connection: CONNECTION,
      snapshot: snapshot(),
      stopped: null,
      left,
    })
  beforeEach(async () => {
    next = 0
    await bridge.answer(
      'boot',
      ok(bootOf({ connection: WORK, snapshot: snapshot({ counts: { queued: 1 } }) })),
    )
  })

  it('is named by every call, so that a row of one never stands for a row of the other', async () => {
    const { call } = await import('../../../../src-renderer/state/client.ts')
    void call('snapshot', {})
    switched()
    void call('snapshot', {})
    expect(bridge.calls.slice(-2).map((one) => one.account)).toEqual(['w', 'h'])
  })

  it('takes nothing over that was known of the one before', async () => {
    const { filesStore } = await import('../../../../src-renderer/views/files/files-store.ts')
    engine({
      seq: 1,
      kind: 'transfers',
      items: [transfer(1, { state: 'uploading' }), transfer(2, { doneAt: Date.now() })],
    })
    bridge.say(
      ++next,
      { kind: 'copied', count: 1, fileIds: [2], asked: false, ...FIRST },
      { kind: 'deletes', pending: [{ token: 't', fileIds: [2], count: 1, at: 1, name: 'a' }] },
    )
    notices.notify({ level: 'problem', title: 'About work', hint: null })
    filesStore.setState({ selection: { ...filesStore.getState().selection }, filter: 'picture' })
    const { catalogVersion, transfersVersion } = state()
    switched()
    expect(state()).toMatchObject({
      turn: 1,
      connection: CONNECTION,
      live: new Map(),
      fresh: new Set(),
      copied: null,
      deletes: [],
      catalogVersion: catalogVersion + 1,
      transfersVersion: transfersVersion + 1,
    })
    expect(state().snapshot?.counts.queued).toBe(0)
    expect(state().notices.map((one) => one.title)).toEqual(['Switched to home.'])
    expect(filesStore.getState().filter).toBe('picture')
  })

  it('hears nothing of answers that are still on their way', async () => {
    const { call } = await import('../../../../src-renderer/state/client.ts')
    const heard = vi.fn()
    void call('snapshot', {}).then(heard)
    const wide = vi.fn()
    void call('accounts', {}).then(wide)
    switched()
    await bridge.answer('snapshot', ok(snapshot()))
    await bridge.answer('accounts', ok([]))
    expect(heard).not.toHaveBeenCalled()
    expect(wide).toHaveBeenCalledTimes(1)
  })

  it('boots again where the answer may be about the one before', async () => {
    for (next of [1, 9]) bridge.say(next, { kind: 'settings', settings: DEFAULT_APP_SETTINGS })
    expect(boots()).toBe(2)
    switched()
    await bridge.answer('boot', ok(bootOf({ seq: 9, connection: WORK, snapshot: snapshot() })))
    expect(state().connection).toEqual(CONNECTION)
    expect(boots()).toBe(3)
  })

  it.each([
    [null, null],
    [{ name: 'work', open: 0, goesOn: true }, null],
    [{ name: 'work', open: 3, goesOn: true }, '3 files of work continue in the background.'],
    [
      { name: 'work', open: 1, goesOn: false },
      '1 file of work waits until uploads to it are possible again.',
    ],
  ])('says what becomes of the files of the one that is left: %j', (left, hint) => {
    switched(left)
    expect(state().notices).toMatchObject([{ title: 'Switched to home.', hint }])
  })
})
