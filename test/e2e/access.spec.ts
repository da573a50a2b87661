// Accessibility of the window: keyboard-only use, large text, right-to-left layout, high contrast, reduced
// motion and screen readers. Every view must pass axe, and everything must be reachable and announced. The
// appearance is checked with screenshots instead.
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { ALL_SHAPES, fitAt } from './fits.ts'
import { expect, test } from './fixture.ts'
import {
  DELETE_KEY,
  fetched,
  fileList,
  fileRow,
  lengthenHighlights,
  liveNames,
  transferRow,
} from './hands.ts'
import {
  answerDialogs,
  ask,
  clipboardText,
  dropFiles,
  KEY,
  makeFiles,
  NO_KEYCHAIN,
  reload,
  type Slipway,
} from './slipway.ts'
import { freshStart, guideOf, usedStart, type Visit, walk, walkEmpty, walkWelcome } from './tour.ts'

/** The walk has about forty stops, each checked several times. */
const LONG_MS = 420_000

interface Axe {
  run(context: object, options: object): Promise<AxeResults>
}
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>

/** React Aria's announcements stay for some seconds and may refer to elements that are gone by then. */
const NOT_EXAMINED = [['[data-live-announcer]']]

/**
 * The problems that axe finds, one line per element. Evaluated through the debugger, because the page's
 * policy allows no scripts.
 */
async function findings(page: Page, rules: readonly string[] | null): Promise<readonly string[]> {
  // The builder puts axe into the page, half a megabyte, each time it is asked. Once is enough: there are two
  // to four checks per stop.
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await new AxeBuilder({ page }).setLegacyMode().analyze()
  const violations = await page.evaluate(
    async ([exclude, runOnly]) => {
      // A dialog that is still fading in counts as invisible, and the page behind it as one without landmarks.
      const running = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      await Promise.allSettled(running.map(({ finished }) => finished))
      const { axe } = globalThis as unknown as { readonly axe: Axe }
      // Selectors are computed for what is returned, so passed rules are left out.
      const options = { resultTypes: ['violations'], ...(runOnly === null ? {} : { runOnly: [...runOnly] }) }
      return (await axe.run({ exclude }, options)).violations
    },
    [NOT_EXAMINED, rules] as const,
  )
  return violations.flatMap((one) =>
    one.nodes.map(
      (node) =>
        `${one.id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n').slice(1).join(' ') ?? ''}`,
    ),
  )
}

async function theme(page: Page, name: 'light' | 'dark'): Promise<void> {
  await ask(page, 'change', { theme: name })
  await page.waitForFunction((wanted) => document.documentElement.dataset['theme'] === wanted, name)
}

const COLOURS = [
  ['dark', null],
  ['dark', 'more'],
  ['light', 'more'],
] as const
/** Stops where high contrast is checked, too. The other stops have the same colours. */
const MAIN_STOPS =
  /^(?:welcome|welcome, proved|files, details|files, deleting|palette|plan of a drop|transfers|usage|settings, account|a plan without API)$/

/** Checks all rules in the light theme, and colours also in the dark theme and with high contrast. */
function axeAt(s: Slipway): Visit {
  return async (stop) => {
    const { page } = s
    expect.soft(await findings(page, null), stop).toEqual([])
    for (const [tone, contrast] of MAIN_STOPS.test(stop) ? COLOURS : COLOURS.slice(0, 1)) {
      await theme(page, tone)
      await page.emulateMedia({ contrast })
      expect
        .soft(await findings(page, ['color-contrast']), `${stop}, ${tone}, contrast ${contrast}`)
        .toEqual([])
    }
    await page.emulateMedia({ contrast: null })
    await theme(page, 'light')
  }
}

/**
 * Both kinds of checks at each stop of one walk. A failure names the stop, and either axe's rule or the shape
 * of the window.
 */
function checksAt(s: Slipway): Visit {
  const [axe, fit] = [axeAt(s), fitAt(s, ALL_SHAPES)]
  return async (stop) => {
    await axe(stop)
    await fit(stop)
  }
}

test('the first minutes pass axe in any theme, and fit every window size, text size and direction', async ({
  slipway,
}) => {
  test.setTimeout(LONG_MS)
  const s = await slipway(freshStart('en'))
  await s.page.emulateMedia({ reducedMotion: 'reduce' })
  await walkWelcome(guideOf(s, 'en', checksAt(s)))
})

test('an empty window passes axe in any theme, and fits every window size, text size and direction', async ({
  slipway,
}) => {
  test.setTimeout(LONG_MS)
  const s = await slipway()
  await s.page.emulateMedia({ reducedMotion: 'reduce' })
  await walkEmpty(guideOf(s, 'en', checksAt(s)))
})

test('every view, dialog, menu and message passes axe in any theme, and fits every window size, text size and direction', async ({
  slipway,
}) => {
  test.setTimeout(LONG_MS)
  const s = await slipway(usedStart('en'))
  await s.page.emulateMedia({ reducedMotion: 'reduce' })
  await walk(guideOf(s, 'en', checksAt(s)))
})

interface Stop {
  readonly name: string
  readonly ring: boolean
}

/** The focused element, and whether its focus is visible. Null if nothing has the focus. */
function focused(page: Page): Promise<Stop | null> {
  return page.evaluate(() => {
    const at = document.activeElement
    if (at === null || at === document.body) return null
    const drawn = (element: Element): boolean => {
      const style = getComputedStyle(element)
      return (
        (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1) ||
        style.boxShadow !== 'none'
      )
    }
    const active = document.getElementById(at.getAttribute('aria-activedescendant') ?? '')
    const name = `${at.getAttribute('role') ?? at.tagName.toLowerCase()} ${at.getAttribute('aria-label') ?? at.getAttribute('name') ?? ''} ${(at.textContent ?? '').slice(0, 40)} ${at.id}`
    // A field may draw a ring around itself and its buttons.
    const around = [at, at.parentElement, at.parentElement?.parentElement ?? null, active]
    return { name, ring: around.some((one) => one !== null && drawn(one)) }
  })
}

/**
 * All tab stops from the start of the page (or with Shift+Tab from its last control) until the focus leaves
 * the page or returns to the first one.
 */
async function stops(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<readonly Stop[]> {
  const found: Stop[] = []
  // The browser continues from where the focus was last.
  if (key === 'Tab')
    await page.evaluate(() => {
      document.body.tabIndex = -1
      document.body.focus()
      document.body.removeAttribute('tabindex')
    })
  else {
    await page.getByRole('button', { name: 'for commands' }).focus()
    const last = await focused(page)
    if (last !== null) found.push(last)
  }
  for (let i = 0; i < 150; i++) {
    await page.keyboard.press(key)
    const at = await focused(page)
    if (at === null || at.name === found[0]?.name) break
    found.push(at)
  }
  return found
}

/** The expected number of tab stops. A radio group counts as one. */
function tabbable(page: Page): Promise<number> {
  return page.evaluate(() => {
    const groups = new Set<Element | string>()
    let count = 0
    for (const element of document.querySelectorAll<HTMLElement>(
      'a[href], button, input, textarea, select, [tabindex]',
    )) {
      if (
        element.tabIndex < 0 ||
        element.matches(':disabled, [aria-disabled=true]') ||
        element.closest('[inert], [aria-hidden=true]') !== null
      )
        continue
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      const group = element.closest('[role=radiogroup], [role=toolbar]')
      if (group !== null && element.matches('[role=radio], input[type=radio]')) {
        if (groups.has(group)) continue
        groups.add(group)
      }
      count++
    }
    return count
  })
}

const VIEWS = [
  ['files', 'ControlOrMeta+1'],
  ['transfers', 'ControlOrMeta+2'],
  ['usage', 'ControlOrMeta+3'],
  ['settings', 'ControlOrMeta+,'],
] as const

test('Tab reaches every control in every view, with a focus ring, and leaves the view again', async ({
  slipway,
}) => {
  test.setTimeout(LONG_MS)
  const s = await slipway(usedStart('en'))
  const { page } = s
  await expect(fileRow(page, '-00000.')).toBeVisible()
  await fileRow(page, '-00000.').click()
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible()
  for (const [view, key] of VIEWS) {
    await page.keyboard.press(key)
    // Wait for the first answer of these views. Before that, the controls of the two passes would differ.
    if (view === 'transfers')
      await expect(page.getByRole('button', { name: 'Upload files…' }).first()).toBeVisible()
    if (view === 'usage') await expect(page.getByRole('img', { name: 'Stored over time' })).toBeVisible()
    for (const section of view === 'settings' ? SECTIONS : [null]) {
      if (section !== null)
        await page
          .getByRole('navigation', { name: 'Sections' })
          .getByRole('button', { name: section })
          .click()
      const where = section ?? view
      // A later answer may add a control during the two passes.
      await expect(async () => {
        const wanted = await tabbable(page)
        const forward = await stops(page, 'Tab')
        const names = forward.map((one) => one.name)
        expect(forward.length, `${where}: ${names.join(' | ')}`).toBe(wanted)
        expect(
          forward.filter((one) => !one.ring).map((one) => one.name),
          where,
        ).toEqual([])
        const backward = await stops(page, 'Shift+Tab')
        expect(backward.map((one) => one.name).toReversed(), where).toEqual(names)
      }).toPass({ timeout: 60_000 })
    }
  }
})

const SECTIONS = [
  'Account',
  'Folders',
  'Uploads',
  'Links',
  'Notifications',
  'Appearance',
  'Network',
  'Startup',
  'About',
] as const

test('everything works by keyboard alone: connecting, and all of a day’s work', async ({ slipway }) => {
  test.setTimeout(LONG_MS)
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  const { page } = s
  await lengthenHighlights(page)
  const keys = async (...all: readonly string[]): Promise<void> => {
    for (const one of all) await page.keyboard.press(one)
  }
  const notices = page.locator('.notices')
  const text = (): Promise<string> => clipboardText(s.app)

  // Connecting: the first field has the focus.
  await expect(page.getByLabel('Service address')).toBeFocused()
  await page.keyboard.type(s.service.url)
  await keys('Tab')
  await page.keyboard.type(KEY)
  await keys('Enter')
  await expect(page.getByRole('button', { name: 'Use until Slipway quits' })).toBeFocused()
  await keys('Enter')
  await expect(page.getByRole('heading', { name: 'Choose a folder' })).toBeFocused()
  const share = makeFiles(s.home, 'Share', { 'watched.md': 'from the folder' })
  await answerDialogs(s.app, [share])
  await keys('Tab', 'Enter')
  await expect(page.getByText('1 file, 15 B to upload')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Watch folder', exact: true })).toBeFocused()
  await keys('Enter')
  await expect(fileRow(page, 'watched.md')).toBeVisible()

  // Uploading through the file dialog, from the palette.
  const desk = makeFiles(
    s.home,
    'desk',
    Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.txt`, `text ${name}`])),
  )
  await answerDialogs(
    s.app,
    ['a', 'b', 'c', 'd'].map((name) => join(desk, `${name}.txt`)),
  )
  await keys('ControlOrMeta+K')
  await page.keyboard.type('Upload files')
  await expect(page.getByRole('option', { name: 'Upload files…' })).toHaveAttribute('aria-selected', 'true')
  await keys('Enter')
  // The end of the upload is announced. The notice disappears by itself, and on a busy machine the rows may
  // be drawn later.
  await expect(notices.getByText('4 links copied')).toBeVisible()
  for (const name of ['a', 'b', 'c', 'd']) await expect(fileRow(page, `${name}.txt`)).toBeVisible()
  expect(await notices.getAttribute('aria-live')).toBe('polite')

  // Selecting rows, copying, selecting all, after sorting by name.
  await tabTo(page, 'Name')
  await keys('Enter')
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  const grid = fileList(page)
  await expect(grid.getByRole('row').nth(1)).toContainText('a.txt')
  await tabTo(page, 'Remote files', 'Shift+Tab')
  await keys('Home', 'Shift+ArrowDown', 'ControlOrMeta+C')
  await expect(notices.getByText('2 links copied')).toBeVisible()
  expect(await Promise.all((await text()).split('\n').map(fetched))).toEqual(['text a', 'text b'])
  await keys('ControlOrMeta+A', 'ControlOrMeta+C')
  await expect(notices.getByText('5 links copied')).toBeVisible()
  await keys('End', 'ControlOrMeta+C')
  await expect(fileRow(page, 'watched.md')).toContainText('Copied')
  await expect.poll(async () => fetched(await text()).catch(() => '')).toBe('from the folder')

  // A row's menu, its QR code, and the restored focus.
  await keys('Home', 'Shift+F10')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type('QR')
  await expect(page.getByRole('menuitem', { name: 'QR code for the link' })).toBeFocused()
  await keys('Enter')
  await expect(
    page.getByRole('dialog', { name: 'QR code for the link' }).getByRole('button', { name: 'Close' }),
  ).toBeFocused()
  await keys('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(grid).toBeFocused()

  // The details and the QR code from there. Afterwards the button has the focus again.
  await keys('ControlOrMeta+I', 'ControlOrMeta+I')
  const panel = page.getByRole('complementary', { name: 'Details' })
  await expect(panel).toBeVisible()
  await tabTo(page, 'QR')
  await keys('Enter')
  await expect(page.getByRole('dialog', { name: 'QR code for the link' })).toBeVisible()
  await keys('Escape')
  await expect(panel.getByRole('button', { name: 'QR' })).toBeFocused()

  // Deleting and undoing it. There is time for every stop of Tab on the way.
  await ask(page, 'change', { undoSeconds: 60 })
  await tabTo(page, 'Remote files', 'Shift+Tab')
  await keys(DELETE_KEY)
  await expect(notices.locator('.figures')).toContainText('Deleting in')
  await tabTo(page, 'Undo')
  await keys('Enter')
  await expect(notices.locator('.figures')).toHaveCount(0)
  // The button is gone, and the focus is on the list.
  await expect(grid).toBeFocused()
  await expect(fileRow(page, 'a.txt')).toBeVisible()

  // Searching and filtering the list.
  await keys('ControlOrMeta+F')
  await page.keyboard.type('b.txt')
  await expect(grid.getByRole('row')).toHaveCount(2)
  await keys('Escape')
  await expect(grid.getByRole('row')).toHaveCount(6)
  await tabTo(page, 'All')
  await keys('ArrowRight', 'Enter')
  await expect(page.getByText('No results')).toBeVisible()
  await tabTo(page, 'Show all files')
  await keys('Enter')
  await expect(grid.getByRole('row')).toHaveCount(6)

  // Pausing; moving a waiting file to the front; cancelling it; retrying a failed one.
  await keys('ControlOrMeta+K')
  await page.keyboard.type('Pause all')
  await keys('Enter')
  await expect(page.getByText('New ones start when you resume.')).toBeVisible()
  await answerDialogs(
    s.app,
    ['e', 'f'].map((name) =>
      join(makeFiles(s.home, 'more', { [`${name}.txt`]: `text ${name}` }), `${name}.txt`),
    ),
  )
  await keys('ControlOrMeta+K')
  await page.keyboard.type('Upload files')
  await keys('Enter', 'ControlOrMeta+2')
  await expect(transferRow(page, 'f.txt')).toBeVisible()
  await tabTo(page, 'Transfers', 'Tab', 'grid')
  await arrowTo(page, 'f.txt')
  await keys(DELETE_KEY)
  await expect(transferRow(page, 'f.txt').filter({ hasText: 'Not uploaded' })).toBeVisible()
  s.service.setFaults({
    rules: [{ on: 'upload', nth: 1, kinds: { kind: 'error-before-store', status: 400 } }],
  })
  await tabTo(page, 'Resume')
  await keys('Enter')
  await expect(
    transferRow(page, 'e.txt').filter({ hasText: 'The service did not understand the upload' }),
  ).toBeVisible()
  await tabTo(page, 'Transfers', 'Tab', 'grid')
  await arrowTo(page, 'e.txt')
  await keys('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Try again' })).toBeFocused()
  await keys('Enter')
  await expect(transferRow(page, 'e.txt').filter({ hasText: 'Uploaded' })).toBeVisible()
  expect(liveNames(s)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'watched.md'])

  // Changing a setting.
  await keys('ControlOrMeta+,')
  await tabTo(page, 'Appearance')
  await keys('Enter')
  await tabTo(page, 'System', 'Tab', 'radio')
  await keys('ArrowRight', 'ArrowRight')
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')

  // Every command of the palette is reachable, and Escape restores the focus.
  const before = await focused(page)
  await keys('ControlOrMeta+K')
  for (const title of COMMANDS) {
    await page.getByRole('combobox').fill(title)
    const option = page.getByRole('option', { name: title }).first()
    await expect(option).toBeVisible()
    // Another command may match better. The arrow keys reach all of them.
    for (let i = 0; i < 20 && (await option.getAttribute('aria-selected')) !== 'true'; i++)
      await keys('ArrowDown')
    await expect(option).toHaveAttribute('aria-selected', 'true')
    expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
      await option.getAttribute('id'),
    )
  }
  await keys('Escape')
  await expect(page.getByRole('combobox')).toHaveCount(0)
  // Removing a focused field restores the focus in the next frame.
  await expect.poll(async () => (await focused(page))?.name).toBe(before?.name)
})

const COMMANDS = [
  'Upload files…',
  'Upload folder…',
  'Upload from clipboard',
  'Copy link',
  'Copy link as Markdown',
  'Copy link as HTML',
  'Copy link as BBCode',
  'Copy link in custom format',
  'Custom link format…',
  'Copy links of the last drop',
  'Copy links of the last drop as Markdown',
  'Pause all',
  'Try failed and waiting uploads again',
  'Go to Files',
  'Go to Transfers',
  'Go to Usage',
  'Go to Settings',
  'Details',
  'Refresh',
  'Sort files: Name',
  'Sort files: Size',
  'Sort files: Uploaded',
  'Sort files: Downloads',
  'Use system appearance',
  'Use light appearance',
  'Use dark appearance',
  'Snooze notifications for 1',
  'Show log',
  'Quit',
] as const

/** Presses Tab until the focused element has this name. Fails if that never happens. */
async function tabTo(
  page: Page,
  name: string,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
  role: string | null = null,
): Promise<void> {
  const here = (): Promise<boolean> =>
    page.evaluate(
      ([wanted, kind]) => {
        const at = document.activeElement
        if (at === null) return false
        const own =
          at.getAttribute('role') ?? (at.matches('input[type=radio]') ? 'radio' : at.tagName.toLowerCase())
        const label =
          at.getAttribute('aria-label') ?? (at.textContent || at.closest('label')?.textContent || '')
        return (
          (label.trim() === wanted || label.trim().startsWith(`${wanted} `)) &&
          (kind === null || own === kind)
        )
      },
      [name, role] as const,
    )
  for (let i = 0; i < 80; i++) {
    if (await here()) return
    await page.keyboard.press(key)
  }
  throw new Error(`Tab never comes to “${name}”.`)
}

/** Moves down a list with the arrow keys until the active row contains this text. */
async function arrowTo(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Home')
  for (let i = 0; i < 40; i++) {
    const active = await page.evaluate(
      () =>
        document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')
          ?.textContent ?? '',
    )
    if (active.includes(text)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`No row with “${text}” by the arrow keys.`)
}

test('colours, motion and announcements', async ({ slipway }) => {
  const s = await slipway(usedStart('en'))
  await test.step('the system’s colours and reduced motion are respected', async () => {
    const { page } = s
    await test.step('in forced colours, selected, pressed and current items can still be told apart', async () => {
      await page.emulateMedia({ forcedColors: 'active' })
      await fileRow(page, '-00001.').click()
      const look = (element: Element): string => {
        const { outlineStyle, outlineWidth, backgroundColor, borderColor, color } = getComputedStyle(element)
        return [outlineStyle, outlineWidth, backgroundColor, borderColor, color].join(' ')
      }
      const pairs = [
        [fileRow(page, '-00001.'), fileRow(page, '-00002.')],
        [
          page.getByRole('button', { name: 'All', exact: true }),
          page.getByRole('button', { name: 'Pictures', exact: true }),
        ],
        [
          page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Files' }),
          page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Usage' }),
        ],
        [page.getByRole('radio', { name: 'URL' }), page.getByRole('radio', { name: 'HTML' })],
      ] as const
      for (const [chosen, other] of pairs)
        expect.soft(await chosen.evaluate(look), String(chosen)).not.toBe(await other.evaluate(look))
      // In the system's colours, the filled part of the bar must still differ from the rest.
      const bar = page.getByRole('meter').first()
      const [track, fill] = await bar.evaluate((element) => [
        getComputedStyle(element).backgroundColor,
        getComputedStyle(element.firstElementChild ?? element).backgroundColor,
      ])
      expect(track).not.toBe(fill)
    })

    await page.emulateMedia({ forcedColors: null })
    await page.getByRole('grid').focus()
    await page.keyboard.press('Escape')
    await test.step('with reduced motion, nothing is animated', async () => {
      const longest = (): Promise<number> =>
        page.evaluate(() => {
          const ms = (list: string): number =>
            Math.max(
              ...list
                .split(',')
                .map((one) => Number.parseFloat(one) * (one.trim().endsWith('ms') ? 1 : 1000)),
            )
          const styles = [...document.querySelectorAll('*')].flatMap((one) =>
            [null, '::before', '::after'].map((pseudo) => getComputedStyle(one, pseudo)),
          )
          const running = document
            .getAnimations()
            .map((one) => Number(one.effect?.getComputedTiming().duration ?? 0))
          return Math.max(
            0,
            ...running,
            ...styles.map((style) => Math.max(ms(style.transitionDuration), ms(style.animationDuration))),
          )
        })
      await expect(fileRow(page, '-00000.')).toBeVisible()
      // Without reduced motion there are animations, so the measurement works.
      expect(await longest()).toBeGreaterThan(50)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      // Animations that are already running end normally.
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
      const stills: (readonly [string, number])[] = []
      await fileRow(page, '-00000.').click()
      stills.push(['files', await longest()])
      await page.keyboard.press('ControlOrMeta+K')
      await expect(page.getByRole('combobox')).toBeFocused()
      stills.push(['palette', await longest()])
      await page.keyboard.press('Escape')
      s.service.setUploadRate(50_000)
      const desk = makeFiles(s.home, 'desk', { 'slow.bin': new Uint8Array(400_000) })
      await dropFiles(page, [join(desk, 'slow.bin')])
      await expect(page.getByRole('progressbar').first()).toBeVisible()
      stills.push(['an upload', await longest()])
      for (const [view, key] of VIEWS.slice(1)) {
        await page.keyboard.press(key)
        await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
        stills.push([view, await longest()])
      }
      expect(stills.filter(([, ms]) => ms > 1)).toEqual([])
    })
  })
  await test.step('the end of an upload and errors are announced to screen readers', async () => {
    s.service.setUploadRate(null)
    await s.page.keyboard.press('ControlOrMeta+1')
    await expect(fileRow(s.page, 'slow.bin')).toBeVisible()
    // Without what was announced about it.
    await reload(s.page)
    const { page } = s
    await expect(fileRow(page, '-00000.')).toBeVisible()
    const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b' })
    const polite = page.locator('[role=status], [aria-live=polite]')
    await dropFiles(page, [join(desk, 'a.txt')])
    await expect(polite.filter({ hasText: 'Link copied' }).first()).toBeAttached()
    s.service.setKey('another-key')
    await dropFiles(page, [join(desk, 'b.txt')])
    await expect(page.getByRole('alert').filter({ hasText: 'The API key was refused.' })).toBeAttached()
    // In the transfer list, changes are summarized.
    await page.keyboard.press('ControlOrMeta+2')
    await expect(transferRow(page, 'b.txt')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('Try failed')
    await expect(page.getByRole('option', { name: 'Try failed' })).toHaveAttribute('aria-selected', 'true')
    // The key is tried again by itself, so it becomes valid only now that the view is open.
    s.service.setKey(KEY)
    await page.keyboard.press('Enter')
    await expect(polite.filter({ hasText: '1 done' })).toBeAttached()
  })
})
