// A window that was closed to the tray: its page is unloaded after a while, and restored whichever way the
// window is opened again. The page stays loaded if unloading it would lose something. The bench measures how
// fast it is restored.
import type { Page } from '@playwright/test'
import { clickTray, closeWindow, hasRecords, isVisible, startAgain, trayMenu } from './desk.ts'
import { expect, test } from './fixture.ts'
import { command, fileList, open, openSection } from './hands.ts'
import { seedAccount } from './seed.ts'
import { KEY, type Slipway, type Start } from './slipway.ts'

const FILES = 600
const HIDDEN_MS = 400
const SEARCH = '-002'
/** How many of the names match. */
const MATCHES = 100
/** A row that is in sight at the scroll position of the first test. */
const ROW_IN_SIGHT = 22

const START: Start = {
  env: { SLIPWAY_LET_GO_MS: `${HIDDEN_MS}` },
  service: { plan: 'enterprise', key: KEY, dialect: { listCap: 1000 } },
  before: ({ service }) => seedAccount(service, FILES),
}

function windows(s: Slipway): Promise<number> {
  return s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
}

async function letGo(s: Slipway): Promise<void> {
  await expect.poll(() => trayMenu(s.app)).toContain('Open Slipway')
  // Keep a reference to the window, as a careless part of the app might.
  await s.app.evaluate(({ BrowserWindow }) =>
    Reflect.set(globalThis, 'oldWindow', BrowserWindow.getAllWindows()[0]),
  )
  await closeWindow(s.app)
  await expect.poll(() => windows(s)).toBe(0)
}

/**
 * Counts how often the page is asked from now on whether it can be unloaded. The returned function reads the
 * number.
 */
async function countAsked(s: Slipway): Promise<() => Promise<number>> {
  await s.app.evaluate(({ BrowserWindow }) => {
    const asked = { count: 0 }
    Reflect.set(globalThis, 'letGoAsked', asked)
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents === undefined) throw new Error('There is no window.')
    const send = contents.send.bind(contents)
    contents.send = (channel, ...args) => {
      if (JSON.stringify(args).includes('"let-go"')) asked.count++
      send(channel, ...args)
    }
  })
  return () =>
    s.app.evaluate(() => (Reflect.get(globalThis, 'letGoAsked') as { readonly count: number }).count)
}

/** Runs `ask`, which opens the window, and returns the new page. */
async function comesBack(s: Slipway, ask: () => Promise<unknown>): Promise<Page> {
  const [page] = await Promise.all([s.app.waitForEvent('window'), ask()])
  await expect.poll(() => isVisible(s.app)).toBe(true)
  await expect(page.locator('main').first()).toBeVisible()
  return page
}

/** Position, search, selection and details of a list. */
function seen(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const text = (selector: string): readonly string[] =>
      [...document.querySelectorAll(selector)].map((one) => one.textContent ?? '')
    return {
      top: document.querySelector('.files-scroller, .transfers-scroller')?.scrollTop,
      search: document.querySelector<HTMLInputElement>('.search-field input')?.value,
      selected: text('[role=row][aria-selected=true] .middle-name'),
      rows: text('[role=row] .middle-name').length > 3,
      details: text('.files-inspector-name'),
    }
  })
}

if (hasRecords) {
  test('the list is restored as it was: search, selection, scroll position, details', async ({ slipway }) => {
    const s = await slipway(START)
    await command(s.page, 'Refresh')
    await expect(fileList(s.page)).toHaveAttribute('aria-rowcount', `${FILES + 1}`)
    await s.page.getByRole('searchbox').fill(SEARCH)
    // Until the search is answered, the list is empty and can't be scrolled.
    await expect(fileList(s.page)).toHaveAttribute('aria-rowcount', `${MATCHES + 1}`)
    await fileList(s.page).evaluate((list) => list.scrollTo({ top: 700 }))
    await fileList(s.page).locator(`[aria-rowindex="${ROW_IN_SIGHT}"]`).click()
    await s.page.locator('.files-inspector-name').waitFor()
    // The click may have scrolled its row into view.
    await expect
      .poll(() => seen(s.page).then((place) => Reflect.get(place as object, 'top') > 200))
      .toBe(true)
    const before = await seen(s.page)
    expect(before).toMatchObject({ search: SEARCH, rows: true, details: [expect.stringContaining(SEARCH)] })
    await letGo(s)
    const message = await s.app.evaluate(() => {
      const old = Reflect.get(globalThis, 'oldWindow') as { show(): void }
      try {
        old.show()
        return 'shown'
      } catch (error) {
        return (error as Error).message
      }
    })
    expect(message).toBe('Object has been destroyed')
    const page = await comesBack(s, () => clickTray(s.app, 'Open Slipway'))
    await expect.poll(() => seen(page)).toEqual(before)
    // Do it again, because this time the place comes from a page that was restored itself.
    await fileList(page).evaluate((list) => list.scrollTo({ top: 300 }))
    await expect.poll(() => seen(page)).toMatchObject({ top: 300 })
    await letGo(s)
    const third = await comesBack(s, () => s.app.evaluate(({ app }) => app.emit('activate', {})))
    await expect.poll(() => seen(third)).toEqual({ ...(before as object), top: 300 })
  })

  test('a second start, the tray and a command reopen the window with the right view', async ({
    slipway,
  }) => {
    const s = await slipway(START)
    await open(s.page, 'Usage')
    await letGo(s)
    const page = await comesBack(s, () => startAgain(s, []))
    await expect(page.getByRole('heading', { name: 'Usage', exact: true })).toBeVisible()
    await letGo(s)
    const second = await comesBack(s, () =>
      s.app.evaluate(({ Menu }) => {
        const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? []
        items.find((item) => item.label.replace('&', '') === 'Transfers')?.click()
      }),
    )
    await expect(second.getByRole('heading', { name: 'Transfers', exact: true })).toBeVisible()
  })

  test('half-typed text or an open dialog keeps the page loaded', async ({ slipway }) => {
    const s = await slipway(START)
    await expect.poll(() => trayMenu(s.app)).toContain('Open Slipway')
    await openSection(s.page, 'Account')
    await s.page.getByRole('button', { name: /Add account/ }).click()
    const key = s.page.getByLabel('API key', { exact: true })
    await key.fill('sk-half-typ')
    const asked = await countAsked(s)
    /** When the page is asked again, it has refused before. */
    const isKept = async (): Promise<void> => {
      const before = await asked()
      await expect.poll(asked).toBeGreaterThan(before + 2)
      expect(await windows(s)).toBe(1)
    }
    await closeWindow(s.app)
    await isKept()
    await clickTray(s.app, 'Open Slipway')
    await expect(key).toHaveValue('sk-half-typ')

    await s.page.keyboard.press('Escape')
    await open(s.page, 'Files')
    await s.page.keyboard.press('ControlOrMeta+K')
    await s.page.getByRole('combobox').fill('paus')
    await closeWindow(s.app)
    await isKept()
    // The page may be gone before the driver hears that the key was pressed.
    await s.page
      .getByRole('combobox')
      .press('Escape')
      .catch(() => undefined)
    await expect.poll(() => windows(s)).toBe(0)
  })
}
