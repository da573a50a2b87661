// Table-driven tests of the tray: its status line in every situation, the items below it in order, and when
// it may change. Hostile names must be harmless in a menu.
import { describe, expect, it } from 'vitest'
import { type TrayItem, type TrayView, trayView } from '../../../src-main/shell/tray/tray-view.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { WaitReason } from '../../../src-shared/model.ts'
import { DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import type { AccountInfo, Connection } from '../../../src-shared/window-contract.ts'
import { at, FORMATS, folder, gate, NOW, snapshot, transfer } from './world.ts'

const CONNECTED: Connection = {
  host: 'files.example.com',
  baseUrl: 'https://files.example.com/api/v1',
  key: 'keychain',
}
const UNREAD: Connection = { ...CONNECTED, key: null, unread: 'failed' }
const SETTINGS = { ...DEFAULT_APP_SETTINGS, welcomed: true } as const

type Input = Parameters<typeof trayView>[0]
function view(changes: Partial<Input> = {}): TrayView {
  return trayView({
    snapshot: snapshot(),
    isStopped: false,
    recent: [],
    lastDrop: null,
    settings: SETTINGS,
    connection: CONNECTED,
    accounts: [],
    now: NOW,
    platform: 'win32',
    texts: english,
    formats: FORMATS,
    ...changes,
  })
}

/**
 * A menu as lines of text: `-` is a separator, `(…)` a line that can't be clicked, `[…]` a disabled item; `>`
 * precedes the items of a submenu.
 */
function lines(items: readonly TrayItem[], indent = ''): string[] {
  return items.flatMap((item) => {
    switch (item.type) {
      case 'separator':
        return [`${indent}-`]
      case 'text':
        return [`${indent}(${item.label})`]
      case 'submenu':
        return [`${indent}${item.label}`, ...lines(item.items, `${indent}> `)]
      default:
        return [`${indent}${item.enabled ? item.label : `[${item.label}]`}`]
    }
  })
}

function status(changes: Partial<Input>): string {
  const { icon, menu } = view(changes)
  return `${icon}: ${lines(menu)[0]}`
}

it('names the account in the actions on its links', () => {
  const connection = { ...CONNECTED, accountId: 'work' }
  for (const platform of ['win32', 'darwin'] as const) {
    const { menu } = view({
      connection,
      platform,
      recent: [transfer(7, { publicLink: 'https://x/1' })],
      lastDrop: { count: 2 },
    })
    const actions = menu
      .flatMap((item) => (item.type === 'submenu' ? item.items : [item]))
      .flatMap((item) => (item.type === 'action' ? [item.action] : []))
    const ofLinks = actions.filter((one) => 'transferId' in one || one.kind === 'copy-last-drop')
    expect(ofLinks).toHaveLength(platform === 'darwin' ? 9 : 6)
    for (const one of ofLinks) expect(one).toMatchObject({ account: 'work' })
  }
})

describe('the first line', () => {
  it.each<[string, Partial<Input>, string]>([
    ['nothing to do', {}, 'idle: (Every file accounted for)'],
    ['engine not there yet', { snapshot: null }, 'idle: (Starting)'],
    ['no key', { connection: { ...CONNECTED, key: null } }, 'paused: (Not connected)'],
    [
      'no key, no engine',
      { connection: { ...CONNECTED, key: null }, snapshot: null },
      'paused: (Not connected)',
    ],
    ['engine stopped', { isStopped: true }, 'problem: (Sync engine not running)'],
    [
      'the key can not be read',
      { connection: UNREAD, snapshot: snapshot({ account: 'none' }) },
      'problem: (Keychain not available)',
    ],
    [
      'the key can not be read, no engine',
      { connection: UNREAD, snapshot: null },
      'problem: (Keychain not available)',
    ],
    [
      'the key can not be read here, but the engine has it',
      { connection: UNREAD },
      'idle: (Every file accounted for)',
    ],
    [
      'no keychain',
      { connection: { ...UNREAD, unread: 'missing' }, snapshot: null },
      'problem: (Keychain not available)',
    ],
    [
      'the key has not been read yet',
      { connection: { ...UNREAD, unread: 'pending' }, snapshot: null },
      'idle: (Starting)',
    ],
    ['no account', { snapshot: snapshot({ account: 'none' }) }, 'paused: (Not connected)'],
    [
      'key refused',
      { snapshot: snapshot({ account: 'key-refused', counts: { waiting: 3 } }) },
      'problem: (API key refused)',
    ],
    ['plan without API', { snapshot: snapshot({ account: 'no-api' }) }, 'problem: (No API access)'],
    ['paused', { snapshot: snapshot({ paused: true }) }, 'paused: (Paused)'],
    [
      'paused, 1 open',
      { snapshot: snapshot({ paused: true, counts: { queued: 1 } }) },
      'paused: (Paused · 1 file waiting)',
    ],
    [
      'paused, many open',
      { snapshot: snapshot({ paused: true, counts: { queued: 12 } }) },
      'paused: (Paused · 12 files waiting)',
    ],
    [
      'uploading, end known',
      {
        snapshot: snapshot({
          counts: { uploading: 2, queued: 18, settling: 1 },
          progress: { etaMs: 200_000 },
        }),
      },
      'uploading: (Uploading 2 of 21 · done around 14:04)',
    ],
    [
      'uploading, end unknown',
      { snapshot: snapshot({ counts: { uploading: 2 } }) },
      'uploading: (Uploading 2 of 2)',
    ],
    [
      'uploading over midnight',
      { snapshot: snapshot({ counts: { uploading: 1 }, progress: { etaMs: 11 * 3_600_000 } }) },
      'uploading: (Uploading 1 of 1 · done around 21 Nov, 01:00)',
    ],
    [
      'the request budget',
      { snapshot: snapshot({ counts: { queued: 19 }, gate: gate('rate-minute', at(14, 3, 20)) }) },
      'waiting: (Waiting for the rate limit, resumes at 14:03:20)',
    ],
    [
      'the budget is full, but two are going out',
      {
        snapshot: snapshot({
          counts: { queued: 19, uploading: 2 },
          gate: gate('rate-minute', at(14, 3, 20)),
        }),
      },
      'uploading: (Uploading 2 of 21)',
    ],
    [
      'tomorrow',
      { snapshot: snapshot({ counts: { queued: 19 }, gate: gate('daily-uploads', at(0, 5, 0, 21)) }) },
      'waiting: (Daily upload limit reached, next try tomorrow at 00:05)',
    ],
    [
      'a gate, but nothing to send',
      { snapshot: snapshot({ gate: gate('rate-minute', at(14, 3)) }) },
      'idle: (Every file accounted for)',
    ],
    [
      'a moment that has passed',
      { snapshot: snapshot({ counts: { queued: 1 }, gate: gate('rate-minute', NOW - 1) }) },
      'waiting: (Waiting for the rate limit)',
    ],
    ['offline, nothing to send', { snapshot: snapshot({ account: 'offline' }) }, 'waiting: (No connection)'],
    [
      'offline by the gate',
      { snapshot: snapshot({ gate: gate('offline', at(14, 1, 0)) }) },
      'waiting: (No connection, next try at 14:01:00)',
    ],
    [
      'still written',
      { snapshot: snapshot({ counts: { settling: 1 } }) },
      'waiting: (1 file is still being written)',
    ],
    [
      'some wait by themselves',
      { snapshot: snapshot({ counts: { waiting: 2, settling: 1 } }) },
      'waiting: (3 files waiting)',
    ],
    [
      'some wait, others are paused',
      { snapshot: snapshot({ counts: { waiting: 2, paused: 3 } }) },
      'waiting: (2 files waiting)',
    ],
    ['only paused files', { snapshot: snapshot({ counts: { paused: 3 } }) }, 'paused: (3 files paused)'],
    [
      'one needs a person',
      { snapshot: snapshot({ counts: { held: 1 } }) },
      'problem: 1 file needs attention…',
    ],
    [
      'more need a person',
      { snapshot: snapshot({ counts: { held: 1, failed: 2 } }) },
      'problem: 3 files need attention…',
    ],
    [
      'uploading goes before that',
      { snapshot: snapshot({ counts: { uploading: 1, failed: 2 } }) },
      'uploading: (Uploading 1 of 1)',
    ],
    [
      'a folder away',
      { snapshot: snapshot({ folders: [folder('E:\\Share & Co\\', 'away')] }) },
      'problem: (The folder Share && Co is not available)',
    ],
    [
      'a folder on a drive that does not answer',
      { snapshot: snapshot({ folders: [{ ...folder('/mnt/nas/Share', 'away'), silent: true }] }) },
      'problem: (The drive of the folder Share isn’t responding)',
    ],
  ])('%s', (_name, changes, expected) => {
    expect(status(changes)).toBe(expected)
  })

  it.each([
    ['English', english],
    ['German', german],
  ])('has a sentence for every reason to wait, with and without a time, in %s', (_name, texts) => {
    for (const reason of WaitReason.options) {
      for (const until of [null, at(14, 3, 20)]) {
        const { menu } = view({
          texts,
          snapshot: snapshot({ counts: { queued: 1 }, gate: gate(reason, until) }),
        })
        expect(lines(menu)[0]).toMatch(/^\(\S.*[^ ,:]\)$/)
      }
    }
  })
})

describe('the menu', () => {
  const recent = [
    transfer(3, { name: 'harbour.jpg' }),
    transfer(2, { name: 'a & b.docx' }),
    transfer(1, { publicLink: null }),
  ]

  it('says below its state of which limits little is left', () => {
    const near = [
      { limit: 'uploads', percent: 92 },
      { limit: 'storage', percent: 81 },
    ] as const
    expect(lines(view({ snapshot: { ...snapshot(), near: [...near] } }).menu).slice(0, 4)).toEqual([
      '(Every file accounted for)',
      '(92% of today’s uploads used)',
      '(81% of your storage used)',
      '-',
    ])
  })

  it('stands in the order of the drawing on Windows', () => {
    expect(lines(view({ recent, lastDrop: { count: 5 } }).menu)).toEqual([
      'Copy link: harbour.jpg',
      'Copy this link as',
      '> Markdown',
      '> HTML',
      '> BBCode',
      '> Custom',
      '-',
      '(Every file accounted for)',
      '-',
      '(Click to copy a link)',
      'a && b.docx',
      'Copy 5 links of the last drop',
      '-',
      'Upload files…',
      'Upload from clipboard',
      'Take screenshot and upload',
      'Show shelf',
      'Pause',
      '-',
      'Snooze notifications',
      '> For 30 minutes',
      '> For 1 hour',
      '> For 8 hours',
      '-',
      'Open Slipway',
      'Quit',
    ])
  })

  it.each(['linux', 'other'] as const)('copies a link with one click on %s', (platform) => {
    const shown = lines(view({ recent, platform }).menu)
    expect(shown[0]).toBe('Copy link: harbour.jpg')
    expect(shown.slice(8, 12)).toEqual(['-', '(Click to copy a link)', 'a && b.docx', '-'])
  })

  it('puts what a link can do below it on macOS', () => {
    expect(lines(view({ recent: recent.slice(0, 1), platform: 'darwin' }).menu).slice(8, 15)).toEqual([
      '-',
      '(Recent links)',
      'harbour.jpg',
      '> Copy link',
      '> Open link',
      '> Show in folder',
      '-',
    ])
  })

  it('offers the problems where there are some, and to resume where it is paused', () => {
    const shown = lines(view({ snapshot: snapshot({ paused: true, counts: { held: 1 } }) }).menu)
    // Directly below the status, where users look first.
    expect(shown.slice(0, 3)).toEqual(['(Paused)', '1 file needs attention…', '-'])
    expect(shown).toContain('Resume')
    expect(shown).not.toContain('Pause')
  })

  it('says what a pause does with uploads in progress, and offers to stop them', () => {
    const running = lines(view({ snapshot: snapshot({ counts: { uploading: 2, queued: 3 } }) }).menu)
    expect(running).toEqual(
      expect.arrayContaining(['Pause after 2 uploads in progress', 'Pause now, stop uploads in progress']),
    )
    const finishing = lines(
      view({ snapshot: snapshot({ paused: true, counts: { uploading: 1, queued: 3 } }) }).menu,
    )
    expect(finishing).toEqual(
      expect.arrayContaining([
        '(Paused · 1 upload finishing)',
        'Resume',
        'Pause now, stop uploads in progress',
      ]),
    )
    const paused = lines(view({ snapshot: snapshot({ paused: true, counts: { queued: 3 } }) }).menu)
    expect(paused).toContain('(Paused · 3 files waiting)')
    expect(paused.join()).not.toContain('now')
  })

  it('names the end of a snooze and offers to end it', () => {
    const settings = { ...SETTINGS, snoozedUntil: at(14, 30, 0) }
    expect(lines(view({ settings }).menu)).toContain('Notifications snoozed until 14:30')
    expect(lines(view({ settings }).menu)).toContain('> Turn on notifications')
    expect(lines(view({ settings: { ...SETTINGS, snoozedUntil: NOW } }).menu)).toContain(
      'Snooze notifications',
    )
    expect(lines(view({ settings: { ...SETTINGS, notify: 'none' } }).menu)).not.toContain(
      'Snooze notifications',
    )
  })

  it('promises nothing without a key', () => {
    const shown = lines(view({ connection: { ...CONNECTED, key: null }, snapshot: null }).menu)
    expect(shown).toEqual(
      expect.arrayContaining([
        '[Upload files…]',
        '[Upload from clipboard]',
        '[Pause]',
        'Open Slipway',
        'Quit',
      ]),
    )
  })

  it('offers what the window does while the key can’t be read: another process may run the engine', () => {
    const now = snapshot({ counts: { uploading: 1 } })
    const shown = lines(view({ connection: UNREAD, snapshot: now }).menu)
    expect(shown).toEqual(
      expect.arrayContaining(['Upload files…', 'Upload from clipboard', 'Pause after 1 upload in progress']),
    )
    // On the first screen, there probably is no key.
    const settings = { ...SETTINGS, welcomed: false }
    expect(lines(view({ connection: UNREAD, settings }).menu)).toContain('[Upload files…]')
    // Without a keychain, the key has to be entered, but a pause needs no key.
    const missing = { ...UNREAD, unread: 'missing' } as const
    expect(lines(view({ connection: missing }).menu)).toEqual(
      expect.arrayContaining(['[Upload files…]', 'Pause']),
    )
  })

  it.each([
    [null, 0],
    [{ count: 0 }, 0],
    [{ count: 1 }, 0],
    [{ count: 2 }, 1],
  ])('offers the links of a drop %j: %d', (lastDrop, expected) => {
    expect(lines(view({ lastDrop }).menu).filter((line) => line.includes('last drop'))).toHaveLength(expected)
  })

  it('shows ten links at most, each able to be told apart by its action', () => {
    const many = Array.from({ length: 30 }, (_, index) => transfer(100 - index))
    const actions = view({ recent: many }).menu.flatMap((item) =>
      item.type === 'action' && item.action.kind === 'copy-link' ? [item.action.transferId] : [],
    )
    expect(actions).toEqual([100, 99, 98, 97, 96, 95, 94, 93, 92, 91])
  })

  it.each([
    ['invoice\u202egpj.exe', 'invoice\\u202egpj.exe'],
    ['two\nlines', 'two\\nlines'],
    ['R&D && more', 'R&&D &&&& more'],
    [`${'long '.repeat(20)}end.tar.gz`, 'long long long long…long long end.tar.gz'],
  ])('makes %j harmless', (name, expected) => {
    expect(lines(view({ recent: [transfer(2), transfer(1, { name })] }).menu)).toContain(expected)
    expect(lines(view({ recent: [transfer(1, { name })] }).menu)[0]).toBe(`Copy link: ${expected}`)
  })

  it('has keys on macOS alone, where they work', () => {
    const keys = (platform: Input['platform']): (string | null)[] =>
      view({ platform }).menu.flatMap((item) =>
        item.type === 'action' && item.accelerator !== null ? [item.accelerator] : [],
      )
    expect(keys('darwin')).toEqual(['Cmd+U', 'Shift+Cmd+V', 'Cmd+Q'])
    expect(keys('win32')).toEqual([])
    expect(keys('linux')).toEqual([])
  })
})

describe('beside the icon', () => {
  const busy = snapshot({
    counts: { uploading: 1, queued: 20 },
    progress: { active: [{ id: 1, path: '/home/ada/drone.mov', sent: 1, size: 2, speed: 1 }] },
  })

  it('names the file in work in the tooltip', () => {
    expect(view({ snapshot: busy, platform: 'linux' }).tooltip).toBe('Slipway · Uploading 1 of 21\ndrone.mov')
    expect(view().tooltip).toBe('Slipway · Every file accounted for')
  })

  it('never has a tooltip that Windows would cut', () => {
    const name = 'x'.repeat(300)
    const snapshots = [busy, snapshot({ folders: [folder(`/${name}`, 'away')] })]
    for (const one of snapshots) expect(view({ snapshot: one }).tooltip.length).toBeLessThanOrEqual(127)
  })

  it('counts on macOS what is still to go', () => {
    expect(view({ snapshot: busy, platform: 'darwin' }).title).toBe('21')
    expect(view({ platform: 'darwin' }).title).toBe('')
    expect(view({ snapshot: busy }).title).toBe('')
  })
})

describe('several accounts', () => {
  const account = (changes: Partial<AccountInfo>): AccountInfo => ({
    id: 'w',
    name: 'work',
    host: 'files.example.com',
    shown: true,
    key: 'keychain',
    state: 'ok',
    open: 0,
    needs: 0,
    uploading: 0,
    folders: 0,
    ...changes,
  })
  const work = account({})
  const home = account({
    id: 'h',
    name: 'R&D',
    host: 'b.example',
    shown: false,
    state: 'uploading',
    uploading: 1,
    open: 3,
  })

  it('are named: the status, the menu, and what each of them does', () => {
    const seen = lines(view({ accounts: [work, home] }).menu)
    expect(seen[0]).toBe('(work: Every file accounted for)')
    const from = seen.indexOf('Account: work')
    expect(seen.slice(from, from + 6)).toEqual([
      'Account: work',
      '> work: Every file accounted for',
      '> R&&D: Uploading 1 of 3',
      '> -',
      '> Add account…',
      '> Manage accounts…',
    ])
  })

  it('are marked and switched to by their IDs', () => {
    const menu = view({ accounts: [work, home] }).menu.find(
      (item) => item.type === 'submenu' && item.label === 'Account: work',
    )
    expect(menu?.type === 'submenu' ? menu.items.slice(0, 2) : []).toMatchObject([
      { checked: true, action: { kind: 'use-account', account: 'w' }, toolTip: 'files.example.com' },
      { checked: false, action: { kind: 'use-account', account: 'h' }, toolTip: 'b.example' },
    ])
  })

  it.each(['', 'x'])(
    'fill a tooltip as far as Windows shows it, and no character is cut in half: %j',
    (first) => {
      const name = '📷'.repeat(38)
      const { tooltip } = view({
        accounts: [
          { ...work, name: `${first}${name}` },
          { ...home, name },
        ],
      })
      // Windows counts UTF-16 code units.
      expect([126, 127]).toContain(tooltip.length)
      expect(tooltip).not.toMatch(/\p{Cs}/u)
    },
  )

  it('have one icon, that of the most urgent one, and a line each where there is something to see', () => {
    const { icon, tooltip, title } = view({ accounts: [work, home], platform: 'darwin' })
    expect([icon, tooltip, title]).toEqual([
      'uploading',
      'Slipway · work: Every file accounted for\nR&D: Uploading 1 of 3',
      '3',
    ])
    const refused = { ...home, state: 'key-refused' as const }
    expect(view({ accounts: [work, refused] })).toMatchObject({
      icon: 'problem',
      tooltip: expect.stringContaining('R&D: API key refused'),
    })
    const idle = { ...home, state: 'signed-out' as const }
    expect(view({ accounts: [work, idle] })).toMatchObject({
      icon: 'idle',
      tooltip: 'Slipway · work: Every file accounted for',
    })
  })

  it('one alone is not named', () => {
    const seen = lines(view({ accounts: [work] }).menu)
    expect([seen[0], seen.some((one) => one.startsWith('Account'))]).toEqual([
      '(Every file accounted for)',
      false,
    ])
  })

  it.each([
    ['waiting', { open: 2 }, '2 files waiting'],
    ['needs-you', { needs: 1 }, '1 file needs attention'],
    ['paused', { open: 2 }, 'Paused · 2 files waiting'],
    ['offline', { open: 2 }, 'No connection'],
    ['no-api', {}, 'No API access'],
    ['stopped', { open: 2 }, 'Sync engine not running'],
    ['key-unread', { open: 2 }, 'Keychain not available'],
    ['signed-out', {}, 'Signed out'],
  ] as const)('%s is said as %j %s', (state, figures, words) => {
    const seen = lines(view({ accounts: [work, { ...home, name: 'home', ...figures, state }] }).menu)
    expect(seen.find((one) => one.startsWith('> home: '))).toContain(words)
  })
})
