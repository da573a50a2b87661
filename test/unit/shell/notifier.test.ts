// Notifications as they reach the system: names in them are text, also where the system would read markup. What is told, and when, is tested
// with notices.ts.
import { expect, it, vi } from 'vitest'
import type { Notifier } from '../../../src-main/shell/notifications/notifier.ts'
import { createNotifier } from '../../../src-main/shell/notifications/notifier.ts'
import { shell as texts } from '../../../src-shared/i18n/en/shell.ts'
import { DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import { FORMATS, NOW } from './world.ts'

const shown = vi.hoisted(() => [] as { readonly title: string; readonly body: string }[])
vi.mock('electron', () => ({
  Notification: class {
    static isSupported(): boolean {
      return true
    }
    constructor(options: { readonly title: string; readonly body: string }) {
      shown.push(options)
    }
    on(): void {}
    show(): void {}
    close(): void {}
  },
}))

function notifier(platform: 'linux' | 'darwin'): Notifier {
  return createNotifier({
    platform,
    language: () => ({ texts, formats: FORMATS }),
    settings: () => DEFAULT_APP_SETTINGS,
    focused: () => false,
    now: () => NOW,
    act: () => undefined,
  })
}

it.each([
  ['linux', '&lt;a href="https://evil.example"&gt;Tom &amp; Ada&lt;/a&gt;'],
  ['darwin', '<a href="https://evil.example">Tom & Ada</a>'],
] as const)('on %s a name is text and no markup', (platform, body) => {
  shown.length = 0
  const one = notifier(platform)
  one.failure({ code: 'disk', title: 'Failed', hint: '<a href="https://evil.example">Tom & Ada</a>' })
  expect(shown.map((notice) => notice.body)).toEqual([body])
  one.close()
})
