// Table-driven tests of small decisions of the window's frame: the sentence below the gauge, the palette's
// search, and the display of shortcuts on each system. Texts are tested in both languages.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Command } from '../../../../src-renderer/app/commands.ts'
import { commandState, commands, findCommands, groupCommands } from '../../../../src-renderer/app/commands.ts'
import {
  gaugeWords,
  offlineWords,
  refusedKeyWords,
  saidInView,
  serviceWords,
} from '../../../../src-renderer/app/gauge-words.ts'
import { isDeleteKey, isTyping, keyLabel, withMod } from '../../../../src-renderer/state/keyboard.ts'
import { type AppState, appStore } from '../../../../src-renderer/state/store.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import type { Snapshot } from '../../../../src-shared/model.ts'
import { LinkStyle } from '../../../../src-shared/settings.ts'
import { type Batch, WindowCommand } from '../../../../src-shared/window-contract.ts'
import { gate, NOW, snapshot } from '../../shell/world.ts'
import { bootOf, type FakeBridge, installBridge, ok, REFUSED, settled } from '../fake-bridge.ts'

const language = (code: 'en' | 'de') => ({
  t: textsOf(code),
  f: createFormats(code === 'en' ? 'en-GB' : 'de-DE', textsOf(code).time),
})
const IN_A_MINUTE = NOW + 60_000
const EXACT = 'at 14:01:00'

const with_ = (changes: Partial<Snapshot>): Snapshot => ({ ...snapshot(), ...changes })
const uploads = (used: number, limit: number | null, nextAt: number | null = null) => ({
  dailyUploads: { used, limit, nextAt },
})
const limited = { minute: { limit: 50, used: 50, nextAt: IN_A_MINUTE } }
const queued = snapshot({ counts: { queued: 3 } }).counts

describe('gaugeWords', () => {
  it.each<[string, Snapshot, string]>([
    ['room', with_(uploads(0, null)), 'No limit reached.'],
    ['some left', with_(uploads(40, 100)), '60 more uploads today.'],
    ['one left', with_(uploads(99, 100)), '1 more upload today.'],
    [
      'little left of two limits',
      with_({
        ...uploads(92, 100),
        near: [
          { limit: 'uploads', percent: 92 },
          { limit: 'storage', percent: 81 },
        ],
      }),
      '92% of today’s uploads used. 81% of your storage used. 8 more uploads today.',
    ],
    ['none left', with_(uploads(100, 100, IN_A_MINUTE)), `Daily limit reached. Next try ${EXACT}.`],
    [
      'more used than allowed',
      with_(uploads(120, 100, IN_A_MINUTE)),
      `Daily limit reached. Next try ${EXACT}.`,
    ],
    [
      'the minute is full and something waits',
      with_({ ...limited, counts: queued }),
      `Rate limit reached. Uploads resume ${EXACT}.`,
    ],
    ['the minute is full and nothing waits', with_({ ...limited, ...uploads(0, null) }), 'No limit reached.'],
    [
      'a gate of the minute',
      snapshot({ gate: gate('rate-minute', IN_A_MINUTE) }),
      `Rate limit reached. Uploads resume ${EXACT}.`,
    ],
    [
      'a gate of the day',
      snapshot({ gate: gate('rate-day', IN_A_MINUTE) }),
      `Daily limit reached. Next try ${EXACT}.`,
    ],
    [
      'a gate of uploads',
      snapshot({ gate: gate('daily-uploads', IN_A_MINUTE) }),
      `Daily limit reached. Next try ${EXACT}.`,
    ],
    [
      'a gate of another kind',
      snapshot({ gate: gate('server-pause', IN_A_MINUTE) }),
      `The service asked to wait, resumes ${EXACT}`,
    ],
    [
      'a gate that is over',
      with_({ gate: gate('rate-minute', NOW - 1), ...uploads(0, null) }),
      'No limit reached.',
    ],
    ...(['paused', 'offline', 'disk', 'policy', 'account', 'uploads-refused'] as const).map(
      (reason): [string, Snapshot, string] => [
        `not what a banner says: ${reason}`,
        { ...snapshot({ gate: gate(reason, IN_A_MINUTE) }), ...uploads(40, 100) },
        '60 more uploads today.',
      ],
    ),
  ])('%s', (_name, now, expected) => {
    expect(gaugeWords(now, language('en'), NOW)).toBe(expected)
    expect(gaugeWords(now, language('de'), NOW)).not.toBe(expected)
  })

  it.each(['en', 'de'] as const)('names no time that is not known (%s)', (code) => {
    for (const unknown of [
      with_(uploads(100, 100)),
      with_(uploads(100, 100, NOW - 5000)),
      snapshot({ gate: gate('offline', null) }),
    ]) {
      const words = gaugeWords(unknown, language(code), NOW)
      expect(words).not.toMatch(/undefined|null|NaN| \.|  /)
    }
  })
})

describe('the gauge beside a view', () => {
  const held = (reason: 'rate-minute' | 'daily-uploads' | 'comparing', left = 60) =>
    with_({
      ...snapshot({ gate: gate(reason, IN_A_MINUTE), counts: { queued: 3 } }),
      ...uploads(100 - left, 100, IN_A_MINUTE),
    })
  it.each<[string, Snapshot, 'files' | 'transfers' | 'usage' | 'settings', string]>([
    ['not a limit that the list says', held('rate-minute'), 'files', '60 more uploads today.'],
    ['nor in Transfers', held('rate-minute'), 'transfers', '60 more uploads today.'],
    [
      'where nothing else says it',
      held('rate-minute'),
      'settings',
      `Rate limit reached. Uploads resume ${EXACT}.`,
    ],
    ['not the day’s end that the list says', held('daily-uploads', 0), 'files', ''],
    [
      'the day’s end while nothing waits',
      { ...held('daily-uploads', 0), counts: snapshot().counts },
      'files',
      `Daily limit reached. Next try ${EXACT}.`,
    ],
    [
      'not how the files are split, beside the banner',
      { ...held('daily-uploads', 2), gate: null },
      'transfers',
      '',
    ],
    ['not a limit beside the cards of Usage', held('rate-minute'), 'usage', ''],
    ['nor what is left', with_(uploads(40, 100)), 'usage', ''],
    [
      'another reason beside the cards of Usage',
      held('comparing'),
      'usage',
      `Comparing with files on the service, next check ${EXACT}`,
    ],
  ])('says once: %s', (_name, now, view, expected) => {
    expect(gaugeWords(now, language('en'), NOW, saidInView(now, view, NOW))).toBe(expected)
  })
})

describe('offlineWords', () => {
  it.each<[string, Snapshot, string]>([
    [
      'the next try',
      snapshot({ account: 'offline', gate: gate('offline', IN_A_MINUTE) }),
      `Next try ${EXACT}. Nothing is lost.`,
    ],
    [
      'a try is due',
      snapshot({ account: 'offline', gate: gate('offline', NOW - 1) }),
      'Slipway keeps trying. Nothing is lost.',
    ],
    [
      'not the end of a limit',
      snapshot({ account: 'offline', gate: gate('daily-uploads', IN_A_MINUTE) }),
      'Slipway keeps trying. Nothing is lost.',
    ],
  ])('%s', (_name, now, expected) => {
    expect(offlineWords(now, language('en'), NOW)).toBe(expected)
  })
})

describe('refusedKeyWords', () => {
  const refused = (until: number | null) => snapshot({ account: 'key-refused', gate: gate('account', until) })
  it.each<[string, Snapshot, string]>([
    [
      'the next try with a key that worked',
      refused(IN_A_MINUTE),
      `Uploads wait. Slipway tries this key again ${EXACT}.`,
    ],
    ['a try is due', refused(NOW - 1), 'Uploads wait until the service accepts a key.'],
    ['a key that never worked', refused(null), 'Uploads wait until the service accepts a key.'],
  ])('%s', (_name, now, expected) => {
    expect(refusedKeyWords(now, language('en'), NOW)).toBe(expected)
  })
})

describe('serviceWords', () => {
  it('quotes what the service said, in each language', () => {
    const full = { ...gate('storage-full', IN_A_MINUTE), message: 'The service says: Storage quota exceeded' }
    expect(serviceWords(full, language('en'), NOW)).toBe(
      `The service says: Storage quota exceeded. Next try ${EXACT}.`,
    )
    expect(serviceWords(full, language('de'), NOW)).toBe(
      'Antwort des Dienstes: „Storage quota exceeded“. Nächster Versuch um 14:01:00.',
    )
    const down = { ...full, message: 'The service answered 503.' }
    expect(serviceWords(down, language('de'), NOW)).toBe('Nächster Versuch um 14:01:00.')
  })
})

describe('findCommands', () => {
  const command = (title: string): Command => ({
    id: title,
    group: 'actions',
    title,
    keys: null,
    run: () => undefined,
  })
  const all = ['Upload files…', 'Go to Files', 'Copy link', 'Copy link as Markdown', 'Öffnen'].map(command)
  it.each<[string, string[]]>([
    ['', all.map((one) => one.title)],
    ['  ', all.map((one) => one.title)],
    ['copy mark', ['Copy link as Markdown']],
    ['MARK copy', ['Copy link as Markdown']],
    ['files', ['Upload files…', 'Go to Files']],
    ['link', ['Copy link', 'Copy link as Markdown']],
    ['go', ['Go to Files']],
    ['offnen', ['Öffnen']],
    ['ÖFFNEN', ['Öffnen']],
    ['zebra', []],
    ['(', []],
  ])('%j', (typed, expected) => {
    expect(findCommands(all, typed).map((one) => one.title)).toEqual(expected)
  })
  it('those that begin with what was typed come first, the others in their order', () => {
    const titles = findCommands(['Also copy', 'Copy link', 'Do copy'].map(command), 'co').map(
      (one) => one.title,
    )
    expect(titles).toEqual(['Copy link', 'Also copy', 'Do copy'])
  })
})

describe('groupCommands', () => {
  it('puts every command into one of five groups, in the order of the list', () => {
    installBridge()
    appStore.setState({ boot: bootOf(), snapshot: snapshot() })
    const all = commands(language('en'))
    expect(groupCommands(all).map(([group]) => group)).toEqual(['actions', 'selection', 'go', 'view', 'app'])
    expect(groupCommands(all).flatMap(([, inGroup]) => inGroup)).toEqual(all)
    vi.unstubAllGlobals()
  })
})

describe('commands', () => {
  let bridge: FakeBridge
  beforeEach(() => {
    bridge = installBridge()
    appStore.setState({ boot: bootOf(), snapshot: snapshot(), command: null, notices: [], view: 'files' })
  })
  afterEach(() => vi.unstubAllGlobals())
  const of = (id: string, code: 'en' | 'de' = 'en'): Command => {
    const found = commands(language(code)).find((one) => one.id === id)
    if (found === undefined) throw new Error(`There is no command ${id}.`)
    return found
  }

  it.each(['en', 'de'] as const)('have names and titles of their own (%s)', (code) => {
    const all = commands(language(code))
    expect(new Set(all.map((one) => one.id)).size).toBe(all.length)
    expect(new Set(all.map((one) => one.title)).size).toBe(all.length)
    for (const one of all) expect(one.title.trim()).not.toBe('')
    for (const one of all)
      expect(
        findCommands(all, one.title)[0]
          ?.title.toLowerCase()
          .startsWith(one.title.toLowerCase().split(/\s+/)[0] ?? ''),
      ).toBe(true)
  })

  it.each<[string, string, unknown]>([
    ['upload', 'uploadChosen', { folders: false }],
    ['upload-folder', 'uploadChosen', { folders: true }],
    ['paste', 'uploadClipboard', { asksForText: false }],
    ['copy-last', 'copyLastDrop', { style: null }],
    ['copy-last-markdown', 'copyLastDrop', { style: 'markdown' }],
    ['pause', 'pause', {}],
    ['retry', 'retry', { ids: null }],
    ['snooze', 'snooze', { minutes: 60 }],
    ['theme-dark', 'change', { theme: 'dark' }],
    ['log', 'openLog', {}],
    ['quit', 'quit', {}],
  ])('%s asks for %s', (id, name, input) => {
    of(id).run()
    expect(bridge.calls).toEqual([{ name, input }])
  })

  it.each<[string, string]>([
    ['pause', 'pause'],
    ['pause-now', 'pause'],
    ['retry', 'retry'],
    ['snooze', 'snooze'],
    ['log', 'openLog'],
    ['quit', 'quit'],
  ])('%s says so when it fails', async (id, name) => {
    appStore.setState({ snapshot: snapshot({ counts: { uploading: 1 } }) })
    of(id).run()
    await bridge.answer(name, REFUSED)
    expect(appStore.getState().notices).toMatchObject([
      { level: 'problem', title: 'Can’t reach the service.' },
    ])
  })

  it('pausing turns into resuming', () => {
    appStore.setState({ snapshot: snapshot({ paused: true }) })
    expect(commands(language('en')).some((one) => one.id === 'pause')).toBe(false)
    of('resume').run()
    expect(bridge.calls).toEqual([{ name: 'resume', input: {} }])
  })

  it('offers other accounts, and the state that the palette follows changes with them', () => {
    const before = commandState(appStore.getState())
    const account = { id: 'seven', name: 'work', shown: false } as AppState['accounts'][number]
    appStore.setState({ accounts: [account] })
    expect(of('account-seven').title).toBe('Switch to work')
    const listed = commandState(appStore.getState())
    expect(listed).not.toBe(before)
    appStore.setState({ accounts: [{ ...account, shown: true }] })
    expect(commandState(appStore.getState())).toBe(before)
    appStore.setState({ accounts: [] })
  })

  it.each(['files', 'transfers', 'usage', 'settings'] as const)('goes to %s', (view) => {
    of(`go-${view}`).run()
    expect(appStore.getState().view).toBe(view)
  })

  it('copying in every style is sent to the list, which knows what is selected', () => {
    for (const style of LinkStyle.options) {
      of(style === 'url' ? 'copy' : `copy-${style}`).run()
      const { command } = appStore.getState()
      expect(command?.name).toBe('copy')
      expect(command?.style).toBe(style === 'url' ? undefined : style)
    }
    for (const id of ['details', 'refresh']) {
      of(id).run()
      expect(WindowCommand.safeParse(appStore.getState().command?.name).success).toBe(true)
    }
    expect(bridge.calls).toEqual([])
  })

  it.each<[string, unknown, readonly unknown[]]>([
    // The event says which links were copied.
    ['copied', ok({ count: 2, missing: 0, text: '' }), []],
    [
      'copied in part',
      ok({ count: 1, missing: 2, text: '' }),
      [{ level: 'info', title: '2 links not available yet' }],
    ],
    [
      'none yet',
      ok({ count: 0, missing: 1, text: '' }),
      [{ level: 'info', title: '1 link not available yet' }],
    ],
    [
      'there was no drop',
      ok({ count: 0, missing: 0, text: '' }),
      [{ level: 'info', title: 'Nothing dropped yet.' }],
    ],
    [
      'refused',
      { ok: false, failure: { code: 'closing', title: 'x', hint: null } },
      [{ level: 'problem', title: 'Slipway is restarting its sync engine.' }],
    ],
  ])('the last drop, %s: it says so', async (_name, answer, notices) => {
    of('copy-last').run()
    await bridge.answer('copyLastDrop', answer)
    expect(appStore.getState().notices).toMatchObject(notices)
    expect(appStore.getState().notices).toHaveLength(notices.length)
  })

  const NONE: Batch = { queued: 0, already: 0, held: 0, failed: 0, ignored: 0, links: 0 }
  const refused = { ok: false, failure: { code: 'closing', title: 'x', hint: null } } as const
  it.each<[string, unknown, readonly unknown[]]>([
    ['nothing to upload', ok(null), [{ level: 'info', title: 'Nothing on the clipboard to upload.' }]],
    ['only new files: their rows are seen', ok({ ...NONE, queued: 2 }), []],
    [
      'a file that was uploaded before',
      ok({ ...NONE, already: 1 }),
      [{ level: 'info', title: '1 already uploaded', hint: null }],
    ],
    [
      'files that were left out',
      ok({ ...NONE, queued: 1, held: 1, failed: 2, ignored: 3 }),
      [
        {
          level: 'warning',
          title: '1 file added',
          hint: '1 needs your approval · 2 can’t be read · 3 are ignored by rules',
        },
      ],
    ],
    [
      'only ignored files',
      ok({ ...NONE, ignored: 1 }),
      [{ level: 'info', title: 'Nothing to upload now', hint: '1 is ignored by a rule' }],
    ],
    ['an empty folder', ok(NONE), [{ level: 'info', title: 'Nothing to upload now', hint: null }]],
    ['refused', refused, [{ level: 'problem', title: 'Slipway is restarting its sync engine.' }]],
    [
      'a picture that is too large',
      {
        ok: false,
        failure: { code: 'usage', title: '', hint: null, tooLarge: { what: 'picture', bytes: 300_000_000 } },
      },
      [
        {
          level: 'problem',
          title: expect.stringMatching(/^The picture on the clipboard \(300\sMB\) is too large\.$/),
          hint: 'Save it as a file, then upload the file.',
        },
      ],
    ],
    [
      'a clipboard that can’t be read',
      { ok: false, failure: { code: 'clipboard', title: '', hint: null } },
      [
        {
          level: 'problem',
          title: 'Couldn’t read the clipboard.',
          hint: 'Copy the content again, then try again.',
        },
      ],
    ],
  ])('an upload says what the list does not show: %s', async (_name, answer, notices) => {
    of('paste').run()
    await bridge.answer('uploadClipboard', answer)
    await settled()
    expect(appStore.getState().notices).toMatchObject(notices)
    expect(appStore.getState().notices).toHaveLength(notices.length)
  })

  it('chosen files and files from outside the window are reported in the same way', async () => {
    of('upload').run()
    await bridge.answer('uploadChosen', ok({ ...NONE, already: 2 }))
    await settled()
    expect(appStore.getState().notices).toMatchObject([{ title: '2 already uploaded' }])
    of('upload').run()
    await bridge.answer('uploadChosen', ok(null))
    await settled()
    expect(appStore.getState().notices).toHaveLength(1)
  })
})

describe('keys', () => {
  afterEach(() => vi.unstubAllGlobals())
  it.each([
    ['linux', 'mod K', 'Ctrl+K'],
    ['linux', 'shift mod V', 'Ctrl+Shift+V'],
    ['win32', 'alt enter', 'Alt+Enter'],
    ['linux', 'delete', 'Del'],
    ['darwin', 'mod K', '⌘K'],
    ['darwin', 'shift mod V', '⇧⌘V'],
    ['darwin', 'delete', '⌘⌫'],
  ] as const)('on %s %s is %s', (platform, keys, expected) => {
    appStore.setState({ boot: bootOf({ platform }) })
    expect(keyLabel(keys)).toBe(expected)
  })

  it.each([
    ['linux', 'shift mod V', 'Strg+Umschalt+V'],
    ['win32', 'delete', 'Entf'],
    ['darwin', 'shift mod V', '⇧⌘V'],
  ] as const)('on %s in German %s is %s', (platform, keys, expected) => {
    appStore.setState({ boot: bootOf({ platform, locale: 'de-DE' }), settings: null })
    expect(keyLabel(keys)).toBe(expected)
  })

  it.each([
    ['linux', { ctrlKey: true, metaKey: false }, true],
    ['linux', { ctrlKey: false, metaKey: true }, false],
    ['darwin', { ctrlKey: true, metaKey: false }, false],
    ['darwin', { ctrlKey: false, metaKey: true }, true],
  ] as const)('on %s %j is a command: %s', (platform, event, expected) => {
    appStore.setState({ boot: bootOf({ platform }) })
    expect(withMod(event)).toBe(expected)
  })

  it.each([
    ['linux', 'Delete', {}, true],
    ['win32', 'Backspace', {}, false],
    ['win32', 'Backspace', { ctrlKey: true }, false],
    ['darwin', 'Backspace', { metaKey: true }, true],
    ['darwin', 'Backspace', {}, false],
    ['darwin', 'Delete', {}, false],
  ] as const)('on %s %s with %j deletes: %s', (platform, key, modifiers, expected) => {
    appStore.setState({ boot: bootOf({ platform }) })
    expect(isDeleteKey({ key, metaKey: false, ...modifiers })).toBe(expected)
  })

  it('letters belong to a field that is typed into', () => {
    class FakeElement extends EventTarget {
      readonly tagName: string
      readonly isContentEditable: boolean
      constructor(tagName: string, isContentEditable = false) {
        super()
        this.tagName = tagName
        this.isContentEditable = isContentEditable
      }
    }
    vi.stubGlobal('HTMLElement', FakeElement)
    const typing = (tag: string, editable = false): boolean => isTyping(new FakeElement(tag, editable))
    expect(['INPUT', 'TEXTAREA', 'SELECT', 'DIV', 'BUTTON', 'INPUTS'].map((tag) => typing(tag))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(typing('DIV', true)).toBe(true)
    expect(isTyping(new EventTarget())).toBe(false)
    expect(isTyping(null)).toBe(false)
  })
})
