// Notifications as passed to Electron, on macOS and Windows. notices.ts decides what is shown and when, and has
// its own tests; so have notifications on Linux.
import { expect, it, vi } from 'vitest'
import { electronNotifications } from '../../../src-main/shell/notifications/electron-notifications.ts'
import type { Notifier } from '../../../src-main/shell/notifications/notifier.ts'
import { createNotifier } from '../../../src-main/shell/notifications/notifier.ts'
import type { EngineEvent, NoticeAbout } from '../../../src-shared/events.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { textsOf } from '../../../src-shared/i18n/texts.ts'
import { DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import { FORMATS, NOW } from './world.ts'

const shown = vi.hoisted(() => [] as { readonly title: string; readonly body: string }[])
/** Titles of notifications that were closed, and how the system closes one by its title. */
const closed = vi.hoisted(() => [] as string[])
const closers = vi.hoisted(() => new Map<string, (details: { readonly reason?: string }) => void>())
/** How the system says that it can't show one, by its title. */
const failers = vi.hoisted(() => new Map<string, (event: object, error: string) => void>())
const logged = vi.hoisted(() => [] as unknown[])
const system = vi.hoisted(() => ({ isSupported: true }))
vi.mock('electron', () => ({
  Notification: class {
    static isSupported(): boolean {
      return system.isSupported
    }
    readonly #title: string
    constructor(options: { readonly title: string; readonly body: string }) {
      this.#title = options.title
      shown.push(options)
    }
    on(event: string, listener: (...args: readonly unknown[]) => void): void {
      if (event === 'close') closers.set(this.#title, listener)
      if (event === 'failed') failers.set(this.#title, listener)
    }
    show(): void {}
    close(): void {
      closed.push(this.#title)
    }
  },
}))

function notifier(
  platform: 'darwin' | 'win32',
  language: 'en' | 'de' = 'en',
  account: string | null = null,
): Notifier {
  return createNotifier({
    platform,
    system: electronNotifications,
    language: () => ({
      texts: language === 'de' ? german : english,
      window: textsOf(language),
      formats: FORMATS,
    }),
    settings: () => DEFAULT_APP_SETTINGS,
    account: () => account,
    focused: () => false,
    now: () => NOW,
    act: () => undefined,
    log: (...line) => logged.push(line),
  })
}

it('a name with angle brackets is plain text', () => {
  shown.length = 0
  const one = notifier('darwin')
  one.say('topic', 'Failed', '<a href="https://evil.example">Tom & Ada</a>')
  expect(shown.map((notice) => notice.body)).toEqual(['<a href="https://evil.example">Tom & Ada</a>'])
  one.close()
})

it('names kind and size of what is too large on the clipboard', () => {
  shown.length = 0
  const one = notifier('darwin', 'de')
  one.failure(
    { code: 'usage', title: '', hint: null, tooLarge: { what: 'text', bytes: 40_000_000 } },
    'uploadClipboard',
  )
  one.failure({ code: 'clipboard', title: '', hint: null }, 'uploadClipboard')
  expect(shown.map(({ title, body }) => [title, body])).toEqual([
    [
      expect.stringMatching(/^Der Text in der Zwischenablage \(40\sMB\) ist zu groß\.$/),
      'Speichere den Inhalt als Datei und lade die Datei hoch.',
    ],
    [
      'Die Zwischenablage konnte nicht gelesen werden.',
      'Kopiere den Inhalt noch einmal und versuche es erneut.',
    ],
  ])
  one.close()
})

it('withdraws what has moved to the notification centre of Windows, and forgets the oldest of many', () => {
  closed.length = 0
  const one = notifier('win32')
  for (let i = 0; i < 22; i++) one.say(`topic ${i}`, `Title ${i}`, null)
  for (let i = 0; i < 22; i++) closers.get(`Title ${i}`)?.({ reason: 'timedOut' })
  one.say('dismissed', 'Dismissed', null)
  closers.get('Dismissed')?.({ reason: 'userCanceled' })
  one.say('topic 5', 'Again', null)
  expect(closed).toEqual(['Title 5'])
  one.close()
  expect(closed).toEqual(
    [5, 2, 3, 4, ...Array.from({ length: 16 }, (_, i) => i + 6)].map((i) => `Title ${i}`).concat('Again'),
  )
})

it('logs that the system could not show one, and forgets it', () => {
  closed.length = 0
  const one = notifier('win32')
  one.say('topic', 'Refused', null)
  failers.get('Refused')?.({}, 'Notifications are turned off')
  one.say('topic', 'Second', null)
  // The failure of an old one says nothing about the new one.
  failers.get('Refused')?.({}, 'Late')
  one.close()
  expect(closed).toEqual(['Second'])
  expect(logged).toEqual(
    ['Notifications are turned off', 'Late'].map((message) => ['notification.failed', { message }]),
  )
})

it('makes none where the system shows none', () => {
  shown.length = 0
  system.isSupported = false
  const one = notifier('darwin')
  one.say('topic', 'Failed', null)
  system.isSupported = true
  expect(shown).toEqual([])
  one.close()
})

it('names the account where there are several', () => {
  shown.length = 0
  const one = notifier('darwin', 'en', 'work')
  one.take(notice('first-download', 'a.pdf'))
  one.say('topic', 'Failed', null)
  expect(shown.map((each) => each.title)).toEqual(['First download · work', 'Failed · work'])
  one.close()
})

const notice = (what: NoticeAbout['what'], name: string, count = 1): EngineEvent => ({
  seq: 1,
  kind: 'notice',
  level: 'info',
  title: 'English',
  hint: 'English too',
  about: { what, name, count },
})

it.each([
  ['en', notice('first-download', 'a.pdf'), 'First download', 'a.pdf was downloaded for the first time.'],
  ['de', notice('first-download', 'a.pdf'), 'Erster Download', 'a.pdf wurde zum ersten Mal heruntergeladen.'],
  [
    'de',
    notice('first-download', 'a.pdf', 3),
    '3 Dateien wurden zum ersten Mal heruntergeladen',
    'a.pdf und 2 weitere',
  ],
  [
    'de',
    notice('journal', '/x.db'),
    textsOf('de').noticeTitles.journal('/x.db', 1),
    'Das alte Journal wurde als /x.db aufbewahrt.',
  ],
  [
    'en',
    notice('near-limit', 'storage', 93),
    '93% of your storage used.',
    'Files beyond the limit wait. Nothing is lost.',
  ],
] as const)(
  'what the engine reports is said in the person’s language: %s %#',
  (language, event, title, body) => {
    shown.length = 0
    const one = notifier('darwin', language)
    one.take(event)
    expect(shown).toMatchObject([{ title, body }])
    one.close()
  },
)

it('a failure is said in the person’s language', () => {
  shown.length = 0
  const one = notifier('darwin', 'de')
  one.failure({ code: 'unreadable', title: 'ENOENT: no such file', hint: null })
  one.failure({ code: 'not-found', title: 'The file is no longer where it was.', hint: null }, 'showInFolder')
  one.failure({ code: 'closing', title: 'The engine stopped.', hint: null }, 'showInFolder')
  const { failures, failuresOf } = textsOf('de')
  expect(shown.map(({ title }) => title)).toEqual([
    'Die Datei konnte nicht gelesen werden.',
    failuresOf['showInFolder']?.['not-found']?.title,
    failures.closing.title,
  ])
  one.close()
})
