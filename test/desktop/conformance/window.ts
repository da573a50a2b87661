// Facts about windows: the order of their events, closing, size, focus and visibility.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ELECTRON, expect, fact, kept, LAB } from './fact.ts'

fact('a new window has Electron’s defaults and is found by its id and its page', async ({ app }) => {
  const got = await app.evaluate(({ BrowserWindow, webContents }) => {
    const window = new BrowserWindow({ show: false })
    const contents = window.webContents
    return [
      window.getBounds().width,
      window.getBounds().height,
      window.isVisible(),
      BrowserWindow.fromId(window.id) === window,
      BrowserWindow.fromWebContents(contents) === window,
      webContents.fromId(contents.id) === contents,
      contents.getURL(),
      contents.getTitle(),
      window.getTitle(),
    ]
  })
  expect(got).toEqual([800, 600, false, true, true, true, '', '', 'lab'])
})

fact('creating a window announces its page, then the window', async ({ app }) => {
  const got = await app.evaluate(({ app: main }) => {
    const seen = lab.follow(main, ['web-contents-created', 'browser-window-created'])
    lab.make({ show: false })
    return seen
  })
  expect(got).toEqual(['web-contents-created', 'browser-window-created'])
})

fact('a load has its events in this order, and ends before loadURL resolves', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = lab.make({ show: false })
    const seen = lab.follow(window, ['page-title-updated', 'ready-to-show'])
    lab.follow(
      window.webContents,
      [
        'did-start-loading',
        'will-navigate',
        'did-navigate',
        'dom-ready',
        'did-finish-load',
        'did-stop-loading',
      ],
      seen,
    )
    await window.loadURL('app://lab/next.html')
    const isFinished = seen.includes('did-finish-load')
    await lab.until(() => seen.includes('ready-to-show') && seen.includes('did-stop-loading'))
    const order = (...names: string[]): boolean => {
      const at = names.map((name) => seen.indexOf(name))
      return at.every((one, index) => one >= 0 && (index === 0 || one > (at[index - 1] ?? 0)))
    }
    return {
      order: order('did-start-loading', 'did-navigate', 'dom-ready', 'did-finish-load', 'did-stop-loading'),
      title: order('did-navigate', 'page-title-updated'),
      isShowable: order('did-navigate', 'ready-to-show'),
      isAsked: seen.includes('will-navigate'),
      loads: seen.filter((one) => one === 'did-finish-load').length,
      isFinished,
    }
  })
  expect(got).toEqual({
    order: true,
    title: true,
    isShowable: true,
    isAsked: false,
    loads: 1,
    isFinished: true,
  })
})

fact('a load that fails rejects with its code and emits did-fail-load', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = lab.make({ show: false })
    const failed: unknown[] = []
    window.webContents.on('did-fail-load', (_event, code, text, url, isMainFrame) =>
      failed.push(code, text, url, isMainFrame),
    )
    const error = await window.loadURL('http://127.0.0.1:1/').then(String, String)
    return [...failed, error]
  })
  expect(got).toEqual([
    -312,
    'ERR_UNSAFE_PORT',
    'http://127.0.0.1:1/',
    true,
    "Error: ERR_UNSAFE_PORT (-312) loading 'http://127.0.0.1:1/'",
  ])
})

fact('loading an address without a handler fails', async ({ app }) => {
  const got = await app.evaluate(async () =>
    lab.make({ show: false }).loadURL('nothing://x/').then(String, String),
  )
  expect(got).toMatch(/^Error: ERR_[A-Z_]+ \(-\d+\) loading 'nothing:\/\/x\/'$/)
})

fact('the page’s title becomes the window’s, unless that is prevented', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open({ show: false }, 'app://lab/next.html')
    await lab.until(() => window.getTitle() === 'Next')
    const first = window.getTitle()
    window.on('page-title-updated', (event) => event.preventDefault())
    await window.webContents.executeJavaScript('document.title = "Other"')
    await lab.until(() => window.webContents.getTitle() === 'Other')
    return [first, window.getTitle(), window.webContents.getTitle()]
  })
  expect(got).toEqual(['Next', 'Next', 'Other'])
})

fact('close() emits close, destroyed of the page, closed; a listener can prevent it', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const { webContents } = window
    const seen = lab.follow(window, ['close', 'closed'])
    lab.follow(webContents, ['destroyed'], seen)
    window.once('close', (event) => event.preventDefault())
    window.close()
    await new Promise((done) => setTimeout(done, 100))
    const prevented = [window.isDestroyed(), window.isVisible(), ...seen]
    window.close()
    await lab.until(() => window.isDestroyed() && seen.includes('destroyed'))
    return [prevented, seen]
  })
  expect(got).toEqual([
    [false, true, 'close'],
    ['close', 'close', 'destroyed', 'closed'],
  ])
})

fact('destroy() emits closed only', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open({ show: false })
    const seen = lab.follow(window, ['close', 'closed'])
    window.destroy()
    return seen
  })
  expect(got).toEqual(['closed'])
})

fact('a page that calls window.close() closes its window without the event close', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const seen = lab.follow(window, ['close', 'closed'])
    void window.webContents.executeJavaScript('window.close()').catch(() => undefined)
    await lab.until(() => window.isDestroyed())
    return seen
  })
  expect(got).toEqual(['closed'])
})

fact('webContents.close() closes the window without the event close', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const seen = lab.follow(window, ['close', 'closed'])
    window.webContents.close()
    await lab.until(() => window.isDestroyed())
    return seen
  })
  expect(got).toEqual(['closed'])
})

fact('a page closed by the driver closes its window without the event close', async ({ app }) => {
  const id = await app.evaluate(async () => {
    const window = await lab.open()
    lab['ofDriver'] = lab.follow(window, ['close', 'closed'])
    return window.id
  })
  // The driver may only now announce windows of earlier facts, so the page is found by its window.
  const isIts = async (page: Page): Promise<boolean> => {
    const window = await app.browserWindow(page).catch(() => null)
    return (await window?.evaluate((one: Electron.BrowserWindow | null) => one?.id).catch(() => null)) === id
  }
  let found: Page | undefined
  await expect
    .poll(async () => {
      for (const page of app.windows()) if (await isIts(page)) found = page
      return found
    })
    .toBeDefined()
  await found?.close()
  await expect.poll(() => kept(app, 'ofDriver')).toContain('closed')
  expect(await kept(app, 'ofDriver')).toEqual(['closed'])
})

fact('the size of the page is that of the content', async ({ app, page }) => {
  const window = await app.browserWindow(page)
  await window.evaluate((one: Electron.BrowserWindow) => one.setContentSize(420, 440))
  await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([420, 440])
  await window.evaluate((one: Electron.BrowserWindow) => one.webContents.setZoomFactor(2))
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(210)
  await window.evaluate((one: Electron.BrowserWindow) => {
    one.webContents.setZoomFactor(1)
    one.setContentSize(700, 500)
  })
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(700)
})

fact('a maximized window keeps its normal bounds and returns to them', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const normal = window.getNormalBounds().width
    const seen = lab.follow(window, ['maximize', 'unmaximize'])
    window.maximize()
    await lab.until(() => window.isMaximized() && window.getBounds().width > 700)
    const isKept = window.getNormalBounds().width === normal
    window.unmaximize()
    await lab.until(() => !window.isMaximized() && window.getBounds().width === normal)
    return [isKept, seen, window.getBounds().width === normal]
  })
  expect(got).toEqual([true, ['maximize', 'unmaximize'], true])
})

fact('a window is no smaller than its minimum', async ({ app }) => {
  const got = await app.evaluate(() => {
    const window = lab.make({ show: false, minWidth: 300, minHeight: 200 })
    window.setSize(100, 100)
    return [window.getMinimumSize(), window.getSize()]
  })
  expect(got).toEqual([
    [300, 200],
    [300, 200],
  ])
})

fact('show and hide: show, focus, hide, blur', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open({ show: false })
    const seen = lab.follow(window, ['show', 'focus', 'hide', 'blur'])
    window.show()
    await lab.until(() => seen.includes('focus'))
    const shown = [...seen]
    window.hide()
    await lab.until(() => seen.includes('blur') && seen.includes('hide'))
    return [shown, seen.slice(shown.length), window.isVisible(), window.isFocused()]
  })
  expect(got).toEqual([['show', 'focus'], ['hide', 'blur'], false, false])
})

fact('minimize and restore', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const seen = lab.follow(window, ['minimize', 'restore'])
    window.minimize()
    await lab.until(() => window.isMinimized() && seen.includes('minimize'))
    const minimized = [window.isVisible(), window.isFocused()]
    window.restore()
    await lab.until(() => !window.isMinimized() && seen.includes('restore'))
    return [minimized, window.isVisible(), seen]
  })
  expect(got).toEqual([[false, false], true, ['minimize', 'restore']])
})

fact('the focus moves from window to window: blur of the old one, focus of the new one', async ({ app }) => {
  const got = await app.evaluate(async ({ BrowserWindow }) => {
    const one = await lab.open()
    await lab.until(() => one.isFocused())
    const seen: string[] = []
    const other = lab.make({ show: false })
    one.on('blur', () => seen.push('blur'))
    other.on('focus', () => seen.push('focus'))
    other.show()
    await lab.until(() => other.isFocused() && seen.length === 2)
    return [seen, one.isFocused(), BrowserWindow.getFocusedWindow() === other]
  })
  expect(got).toEqual([['blur', 'focus'], false, true])
})

fact(
  'the page of a hidden or minimized window is hidden and has no frames; one never shown is visible',
  async ({ scratch }) => {
    // The driver keeps every page visible, so this is tried without it.
    const file = join(scratch, 'seen.json')
    const args = [LAB, `--user-data-dir=${join(scratch, 'data')}`]
    const env = { ...process.env, LAB_VISIBILITY: file }
    const alone = spawn(ELECTRON, args, { stdio: 'ignore', env })
    await new Promise((resolve) => alone.once('exit', resolve))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      shown: ['visible', 'frame'],
      hidden: ['hidden', 'timer'],
      again: ['visible', 'frame'],
      minimized: true,
      restored: true,
      changes: [true, false],
      neverShown: ['visible', 'frame'],
    })
  },
)

fact('a driver keeps the page of a hidden window visible', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    window.hide()
    await new Promise((done) => setTimeout(done, 200))
    return [window.isVisible(), await window.webContents.executeJavaScript('document.visibilityState')]
  })
  expect(got).toEqual([false, 'visible'])
})

fact(
  'the theme that the app chose is the page’s; updated comes after the assignment',
  async ({ app, page }) => {
    const isDark = (): Promise<boolean> =>
      page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    const updates = await app.evaluate(async ({ nativeTheme }) => {
      const seen = lab.follow(nativeTheme, ['updated'])
      nativeTheme.themeSource = 'dark'
      const within = seen.length
      await lab.until(() => seen.length > 0)
      return [nativeTheme.shouldUseDarkColors, within]
    })
    expect(updates).toEqual([true, 0])
    await expect.poll(isDark).toBe(true)
    await app.evaluate(({ nativeTheme }) => {
      nativeTheme.themeSource = 'light'
    })
    await expect.poll(isDark).toBe(false)
  },
)

fact('a page that crashed says so, and loads again with its bridge', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    let details: unknown
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      details = [reason, typeof exitCode]
    })
    window.webContents.forcefullyCrashRenderer()
    await lab.until(() => details !== undefined)
    const isCrashed = window.webContents.isCrashed()
    const back = new Promise((done) => window.webContents.once('did-finish-load', () => done(null)))
    window.webContents.reload()
    await back
    const greeting = await window.webContents.executeJavaScript('bridge.invoke("greet", "again")')
    return [details, isCrashed, window.webContents.isCrashed(), greeting]
  })
  expect(got).toEqual([['crashed', 'number'], true, false, 'Hello again'])
})
