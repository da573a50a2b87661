// The window in German: no English is left in any view, dialog, menu or message, nor in the tray; numbers and
// dates use German formats; the language changes without a restart. Only people can judge how well it reads.
import { createFormats } from '../../src-shared/i18n/formats.ts'
import { textsOf } from '../../src-shared/i18n/texts.ts'
import { hasRecords, trayMenu } from './desk.ts'
import { fitAt } from './fits.ts'
import { expect, test } from './fixture.ts'
import type { Slipway } from './slipway.ts'
import { freshStart, guideOf, usedStart, type Visit, walk, walkEmpty, walkWelcome } from './tour.ts'

const LONG_MS = 420_000

/**
 * All sentences of a catalogue by their path. Functions are called with `§` for every argument, so that their
 * texts are included.
 */
function sentences(value: unknown, at = ''): ReadonlyMap<string, string> {
  if (typeof value === 'string') return new Map([[at, value]])
  if (typeof value === 'function') {
    try {
      const said: unknown = value('§', '§', '§', '§', '§')
      return typeof said === 'string' ? new Map([[at, said]]) : new Map()
    } catch {
      // The function can't be called with `§`, for example because it needs a list. Its parts are elsewhere
      // in the catalogue.
      return new Map()
    }
  }
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...sentences(inner, `${at}.${name}`)]))
}

/** English texts that don't occur in German, split at their inserted values. */
function english(): readonly string[] {
  const own = sentences(textsOf('en'))
  const german = [...sentences(textsOf('de')).values()]
    .flatMap((text) => text.split('§'))
    .map((part) => part.trim())
  const parts = [...own.values()].flatMap((text) => text.split('§')).map((part) => part.trim())
  return [...new Set(parts)].filter(
    (part) => /\p{L}{3}/u.test(part) && !german.some((one) => one.includes(part)),
  )
}

const ENGLISH = english()
/** Words that never occur in the window's German sentences, but in nearly every English one. */
const ENGLISH_WORDS = /\b(?:the|and|is|are|not|your|you|with|from|file|files|could|again|until|wait|waits)\b/i

/** Texts and names that the user sees or hears, except those of files and the service. */
async function shown(s: Slipway): Promise<readonly string[]> {
  return s.page.evaluate(() => {
    const found = new Set<string>()
    const seen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (element === null || !seen(element)) continue
      // Names, paths, addresses and links aren't Slipway's texts, and languages are listed under their own
      // names.
      if (
        element.closest(
          '.middle-name, .mono, .settings-path, [dir=ltr], q, script, style, .transfers-origin bdi, kbd, [lang]:not(html)',
        ) !== null
      )
        continue
      const text = (node.textContent ?? '').trim()
      if (/\p{L}{3}/u.test(text)) found.add(text)
    }
    for (const element of document.querySelectorAll(
      '[aria-label], [title], [placeholder], [aria-valuetext]',
    )) {
      if (!seen(element) || element.closest('.middle-name, [dir=ltr]') !== null) continue
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) {
        const text = element.getAttribute(name)
        if (text !== null && /\p{L}{3}/u.test(text)) found.add(text)
      }
    }
    return [...found]
  })
}

/** Quotations of the service's own messages stay in the service's language. */
function isEnglish(said: string): boolean {
  const text = said.replaceAll(/„[^“]*“/g, '„“')
  return (
    ENGLISH.includes(text) ||
    ENGLISH.some((part) => part.length > 12 && text.includes(part)) ||
    ENGLISH_WORDS.test(text)
  )
}

function germanAt(s: Slipway): Visit {
  return async (stop) => {
    const told = (await shown(s)).filter((text) => isEnglish(text) && !/^\/|[\\/].*\.\w+$/.test(text))
    expect.soft(told, stop).toEqual([])
  }
}

test('the texts that the checks look for exist in the source', () => {
  expect(ENGLISH.length).toBeGreaterThan(300)
  expect(isEnglish('New ones start when you resume.')).toBe(true)
  expect(isEnglish('Upload files…')).toBe(true)
  expect(isEnglish('3 files need attention')).toBe(true)
  expect(isEnglish('Neue beginnen, wenn du fortsetzt.')).toBe(false)
  expect(isEnglish('Der Dienst sagt: „Access is denied“')).toBe(false)
  expect(isEnglish('The service says: „Kein Zugriff“')).toBe(true)
})

test('the first minutes are German', async ({ slipway }) => {
  test.setTimeout(LONG_MS)
  const s = await slipway(freshStart('de'))
  await walkWelcome(guideOf(s, 'de', germanAt(s)))
})

test('an empty window is German', async ({ slipway }) => {
  const s = await slipway({ locale: 'de-DE' })
  await walkEmpty(guideOf(s, 'de', germanAt(s)))
})

test('every view, dialog, menu and message is German, and its longer texts fit every window size and text size', async ({
  slipway,
}) => {
  test.setTimeout(LONG_MS)
  const s = await slipway(usedStart('de'))
  await s.page.emulateMedia({ reducedMotion: 'reduce' })
  const [german, fit] = [
    germanAt(s),
    fitAt(s, ['home', 'narrow', 'large text, smaller window', 'large text, narrow']),
  ]
  await walk(
    guideOf(s, 'de', async (stop) => {
      await german(stop)
      await fit(stop)
    }),
  )
})

test('numbers and dates follow the language, which changes immediately, even in the tray', async ({
  slipway,
}) => {
  const s = await slipway({
    locale: 'de-DE',
    before: ({ service }) => {
      for (let i = 0; i < 1234; i++)
        service.plant({ filename: `n-${i}.txt`, size: 1500, storedAt: Date.UTC(2026, 2, 5, 12) + i })
    },
  })
  const { page } = s
  const germanDay = createFormats('de-DE', textsOf('de').time).day(Date.UTC(2026, 2, 5, 12))
  await expect(page.getByRole('heading', { name: 'Dateien', exact: true })).toBeVisible()
  await expect(page.getByText('1.234 Dateien').first()).toBeVisible()
  await expect(page.getByRole('gridcell', { name: germanDay }).first()).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  if (hasRecords) await expect.poll(() => trayMenu(s.app)).toContain('Beenden')

  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Darstellung', exact: true }).click()
  await page
    .getByRole('group', { name: 'Darstellung', exact: true })
    .getByText('English', { exact: true })
    .click()
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  if (hasRecords) await expect.poll(() => trayMenu(s.app)).toContain('Quit')
  await page.keyboard.press('ControlOrMeta+1')
  await expect(page.getByText('1,234 files').first()).toBeVisible()
  await expect(page.getByText(germanDay, { exact: true })).toHaveCount(0)
})

test('every view opens although the system’s language isn’t a valid language tag', async ({ slipway }) => {
  const s = await slipway({ locale: 'en-US@posix' })
  const { page } = s
  // Electron gives the page only the valid part of it; Chromium, which the stand-in uses, gives all of it.
  expect(['en-US', 'en-US@posix']).toContain(await page.evaluate(() => navigator.language))
  for (const [key, name] of [
    ['2', 'Transfers'],
    ['3', 'Usage'],
    [',', 'Settings'],
    ['1', 'Files'],
  ] as const) {
    await page.keyboard.press(`ControlOrMeta+${key}`)
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  expect(s.faults).toEqual([])
})
