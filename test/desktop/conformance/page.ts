// Facts about what a page may do: where it goes, what it opens and loads, its scheme, its input.
import { expect, fact, kept } from './fact.ts'

const INDEX = 'app://lab/index.html'

fact('a custom scheme streams, and keeps status, headers and the app’s addresses', async ({ app, page }) => {
  const got = await page.evaluate(async () => {
    const response = await fetch('/stream')
    const seen = await fetch('/seen', { method: 'POST', body: 'sent', headers: { range: 'bytes=2-4' } })
    return {
      status: response.status,
      lab: response.headers.get('x-lab'),
      text: await response.text(),
      secure: isSecureContext,
      seen: await seen.text(),
      missing: (await fetch('/nothing')).status,
    }
  })
  expect(got).toEqual({
    status: 203,
    lab: 'yes',
    text: 'part 0\npart 1\npart 2\n',
    secure: true,
    seen: 'bytes=2-4 sent',
    missing: 404,
  })
  expect(await kept(app, 'requests')).toContain('GET app://lab/stream')
})

fact('a page’s policy from its response is enforced', async ({ page }) => {
  expect(await page.evaluate(() => fetch('http://127.0.0.1:9/').then(String, String))).toMatch(/TypeError/)
  const title = await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "ran"'
    document.body.append(script)
    return document.title
  })
  expect(title).toBe('Lab, ready')
})

fact('a scheme has one handler, and is known as handled', async ({ app }) => {
  const got = await app.evaluate(({ protocol }) => [
    protocol.isProtocolHandled('app'),
    protocol.isProtocolHandled('other'),
    lab.attempt(() => protocol.handle('app', () => new Response(''))),
  ])
  expect(got).toEqual([true, false, 'Error: Failed to register protocol: app'])
})

fact('a navigation is announced and can be refused; what main loads isn’t', async ({ app, page }) => {
  const window = await app.browserWindow(page)
  await window.evaluate((one: Electron.BrowserWindow) => {
    const asked: string[] = []
    lab['asked'] = asked
    one.webContents.removeAllListeners('will-navigate')
    one.webContents.on('will-navigate', (event, url) => {
      asked.push(url)
      if (!url.startsWith('app:')) event.preventDefault()
    })
  })
  await page.evaluate(() => document.querySelector<HTMLElement>('#away')?.click())
  await expect.poll(() => kept(app, 'asked')).toEqual(['http://other.test/'])
  await page.evaluate(() => {
    location.href = 'http://other.test/by-script'
  })
  await expect.poll(() => kept(app, 'asked')).toHaveLength(2)
  // The driver waits for a navigation that was refused, before it clicks.
  await page.evaluate(() => document.querySelector<HTMLElement>('#next')?.click())
  await expect(page.getByRole('heading')).toHaveText('Next')
  await window.evaluate((one: Electron.BrowserWindow) => one.loadURL('app://lab/index.html'))
  expect(await kept(app, 'asked')).toEqual([
    'http://other.test/',
    'http://other.test/by-script',
    'app://lab/next.html',
  ])
})

fact('a page that goes to about:blank isn’t announced by will-navigate', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const seen: string[] = []
    window.webContents.on('will-navigate', (event) => {
      seen.push('asked')
      event.preventDefault()
    })
    window.webContents.on('did-navigate', (_event, url) => seen.push(url))
    void window.webContents.executeJavaScript("location.href = 'about:blank'").catch(() => undefined)
    await lab.until(() => seen.length > 0)
    return [...seen, window.webContents.getURL()]
  })
  expect(got).toEqual(['about:blank', 'about:blank'])
})

fact('a change of the hash is announced as within the page, without will-navigate', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const seen = lab.follow(window.webContents, ['will-navigate', 'did-navigate', 'did-navigate-in-page'])
    await window.webContents.executeJavaScript("location.hash = 'a'")
    await lab.until(() => seen.length > 0)
    return [seen, window.webContents.getURL()]
  })
  expect(got).toEqual([['did-navigate-in-page'], `${INDEX}#a`])
})

fact('a new window is announced and can be refused, from scripts and links', async ({ app, page }) => {
  const window = await app.browserWindow(page)
  await window.evaluate((one: Electron.BrowserWindow) => {
    const opened: string[] = []
    lab['opened'] = opened
    one.webContents.setWindowOpenHandler(({ url }) => {
      opened.push(url)
      return { action: 'deny' }
    })
  })
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.locator('output')).toHaveText('null')
  await page.locator('#blank').click()
  await page.locator('#next').click({ modifiers: ['ControlOrMeta'] })
  await page.locator('#away').click({ button: 'middle' })
  await expect
    .poll(() => kept(app, 'opened'))
    .toEqual([
      'https://other.test/opened',
      'https://other.test/page',
      'app://lab/next.html',
      'http://other.test/',
    ])
  expect(app.windows()).toHaveLength(1)
})

fact('a download is announced and can be refused', async ({ app, page }) => {
  await app.evaluate(({ session }) => {
    session.defaultSession.once('will-download', (event, item) => {
      event.preventDefault()
      lab['download'] = [item.getURL(), item.getFilename()]
    })
  })
  await page.locator('#load').click()
  await expect.poll(() => kept(app, 'download')).toEqual(['app://lab/page.js', 'page.js'])
})

fact('a key of the driver reaches the page, but not before-input-event', async ({ app, page }) => {
  const window = await app.browserWindow(page)
  await window.evaluate((one: Electron.BrowserWindow) => {
    const keys: string[] = []
    lab['keys'] = keys
    one.webContents.on('before-input-event', (_event, { type, key }) => keys.push(`${type} ${key}`))
  })
  await page.locator('textarea').focus()
  await page.keyboard.press('x')
  await expect(page.locator('textarea')).toHaveValue(/x/)
  expect(await kept(app, 'keys')).toEqual([])
})

fact('input-event says what the page gets from the driver', async ({ app, page }) => {
  const window = await app.browserWindow(page)
  await window.evaluate((one: Electron.BrowserWindow) => {
    const inputs: string[] = []
    lab['inputs'] = inputs
    one.webContents.removeAllListeners('before-input-event')
    one.webContents.on('input-event', (_event, { type }) => inputs.push(type))
  })
  await page.getByRole('heading').click()
  await page.keyboard.press('a')
  await expect.poll(() => kept(app, 'inputs')).toContain('keyUp')
  expect(
    ((await kept(app, 'inputs')) as string[]).filter((one) => !/mouse(Move|Enter|Leave)/.test(one)),
  ).toEqual(['mouseDown', 'mouseUp', 'keyDown', 'keyUp'])
})

fact('a context menu is reported unless the page has its own', async ({ app, page }) => {
  const window = await app.browserWindow(page)
  await window.evaluate((one: Electron.BrowserWindow) => {
    const menus: unknown[] = []
    lab['menus'] = menus
    one.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags }) =>
      menus.push([isEditable, selectionText, editFlags.canCopy]),
    )
  })
  await page.evaluate(() => {
    document.querySelector('textarea')?.select()
    document.querySelector('#drop')?.addEventListener('contextmenu', (event) => event.preventDefault())
  })
  await page.locator('textarea').click({ button: 'right' })
  await page.locator('#drop').click({ button: 'right' })
  await page.getByRole('heading').click({ button: 'right' })
  await expect
    .poll(() => kept(app, 'menus'))
    .toEqual([
      [true, 'some text', true],
      [false, expect.any(String), expect.any(Boolean)],
    ])
})

fact(
  'a script that main runs has the page’s world and its result; what it throws rejects',
  async ({ app }) => {
    const got = await app.evaluate(async () => {
      const { webContents } = await lab.open({ show: false })
      const run = (code: string): Promise<unknown> => webContents.executeJavaScript(code).then(String, String)
      return [
        await run('typeof bridge'),
        await run('Promise.resolve(2)'),
        await run('Promise.reject(new TypeError("no"))'),
        await run('throw new Error("no")'),
      ]
    })
    expect(got).toEqual([
      'object',
      '2',
      'Error: no',
      'Error: Script failed to execute, this normally means an error was thrown. Check the renderer console for the error.',
    ])
  },
)

fact('console messages of a page are reported', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const { webContents } = await lab.open({ show: false })
    const seen: unknown[] = []
    webContents.on('console-message', (...args: unknown[]) => seen.push(args.length))
    await webContents.executeJavaScript('console.warn("a", 1)')
    await lab.until(() => seen.length > 0)
    return seen.length
  })
  expect(got).toBe(1)
})

fact('dragging files out of a page needs a picture and files', async ({ app }) => {
  const got = await app.evaluate(({ nativeImage }) => {
    const { webContents } = lab.make({ show: false })
    const icon = nativeImage.createFromDataURL(
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    )
    return [{ file: '/a.txt' }, { icon }].map((item) =>
      lab.attempt(() => webContents.startDrag(item as Electron.Item)),
    )
  })
  expect(got).toEqual([
    expect.stringContaining("'icon' parameter is required"),
    expect.stringContaining("Must specify either 'file' or 'files' option"),
  ])
})
