// The language at the start: an explicit `--lang` switch, then the system's languages, then Chromium's own
// choice. A name that Intl doesn't take must not keep the app from starting.
import { beforeEach, expect, it, vi } from 'vitest'
import { languageFor, systemLocale } from '../../../src-main/shell/app/language.ts'
import { firstLocale } from '../../../src-shared/i18n/language.ts'

const system = vi.hoisted(() => ({ lang: '', preferred: [] as string[], own: '' }))
vi.mock('electron', () => ({
  app: {
    commandLine: { getSwitchValue: (name: string) => (name === 'lang' ? system.lang : '') },
    getPreferredSystemLanguages: () => system.preferred,
    getLocale: () => system.own,
  },
}))

beforeEach(() => {
  Object.assign(system, { lang: '', preferred: ['en-GB', 'fr'], own: 'en-US' })
})

it('is the one of --lang, then the first of the system, then the one of Chromium', () => {
  system.lang = 'de'
  expect(systemLocale()).toBe('de')
  system.lang = ''
  expect(systemLocale()).toBe('en-GB')
  system.preferred = []
  expect(systemLocale()).toBe('en-US')
})

it.each([
  [['de-DE@euro'], 'de-DE'],
  [['en-US@posix'], 'en-US'],
  [['de_DE.UTF-8@euro'], 'de-DE'],
  [['DE-at'], 'de-AT'],
  [['', 'C', 'de-CH'], 'de-CH'],
  [['zh-hans-cn'], 'zh-Hans-CN'],
  [['C'], 'en'],
  [['???', 'x'.repeat(99)], 'en'],
  [[], 'en'],
])('of %j, Intl takes %s', (names, locale) => {
  expect(firstLocale(names)).toBe(locale)
  expect(languageFor('system', firstLocale(names)).formats.count(1)).toBe('1')
})

it('the app starts with a name of POSIX', () => {
  system.preferred = ['de-DE@euro']
  expect(languageFor('system', systemLocale()).formats.count(1234.5)).toBe('1.234,5')
})
