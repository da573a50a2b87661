// Facts about messages between the main process and a page: what crosses, what throws, and when they arrive.
import { call, expect, fact, kept } from './fact.ts'

const NOT_CLONED = 'Error: An object could not be cloned.'

fact('a call reaches its handler and returns its result', async ({ page }) => {
  await page.getByRole('button', { name: 'Greet' }).click()
  await expect(page.locator('output')).toHaveText('Hello Ada')
})

fact('the main process knows the frame that a call comes from', async ({ app, page }) => {
  await call(page, 'invoke', 'greet', 'Ada')
  const url = 'app://lab/index.html'
  expect((await kept(app, 'frames')) as unknown[]).toContainEqual({ url, parent: null, top: url })
})

fact('maps, sets, dates, big integers and undefined cross unchanged', async ({ page }) => {
  const got = await page.evaluate(async () => {
    const given = {
      map: new Map([[1, new Set(['a'])]]),
      when: new Date(7),
      pattern: /a/g,
      big: 2n ** 70n,
      none: undefined,
      nan: Number.NaN,
      zero: -0,
      text: Object('boxed') as unknown,
    }
    const back = (await bridge.invoke('echo', given)) as typeof given
    return [
      back.map.get(1)?.has('a'),
      back.when.getTime(),
      String(back.pattern),
      back.big === given.big,
      'none' in back,
      Number.isNaN(back.nan),
      Object.is(back.zero, -0),
      String(back.text),
    ]
  })
  expect(got).toEqual([true, 7, '/a/g', true, true, true, true, 'boxed'])
})

fact('typed arrays and buffers cross as bytes of the same kind', async ({ page }) => {
  const got = await page.evaluate(async () => {
    const whole = new Uint8Array([9, 1, 255, 9])
    const given = {
      bytes: whole.subarray(1, 3),
      floats: new Float32Array([1.5]),
      view: new DataView(new Uint8Array([1, 2]).buffer),
      buffer: new Uint8Array([3, 4]).buffer,
    }
    const back = (await bridge.invoke('echo', given)) as typeof given
    return [[...back.bytes], [...back.floats], back.view.getInt16(0), [...new Uint8Array(back.buffer)]]
  })
  expect(got).toEqual([[1, 255], [1.5], 258, [3, 4]])
})

fact('circular objects and repeated references cross', async ({ page }) => {
  const got = await page.evaluate(async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const back = (await bridge.invoke('echo', [circle, circle])) as (typeof circle)[]
    return [back[0]?.self === back[0], back[0] === back[1]]
  })
  expect(got).toEqual([true, true])
})

fact(
  'an error crosses as one of its kind, with its message and without further properties',
  async ({ app, page }) => {
    expect(await call(page, 'describeOdd', 'error')).toEqual(['[object Error]', 'RangeError'])
    await call(page, 'sendOdd', 'error')
    await expect
      .poll(() =>
        app.evaluate(() =>
          lab.said
            .map(([one]) => one as Error & { code?: string })
            .filter((one) => one instanceof Error)
            .map((one) => [one.message, one.code ?? null]),
        ),
      )
      .toEqual([['far', null]])
  },
)

fact('an instance of a class arrives as a plain object of its own fields', async ({ page }) => {
  expect(await call(page, 'describeOdd', 'point')).toEqual(['[object Object]', 'Object'])
})

fact('a buffer of Node’s arrives as plain bytes', async ({ app, page }) => {
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.send('told', Buffer.from([1, 2])),
  )
  await expect
    .poll(() =>
      page.evaluate(() => {
        const bytes = bridge.heard()[0]?.[0]
        return [Object.prototype.toString.call(bytes), [...((bytes as Uint8Array | undefined) ?? [])]]
      }),
    )
    .toEqual(['[object Uint8Array]', [1, 2]])
})

const ODD: Readonly<Record<string, string>> = {
  function: 'a function',
  symbol: 'a symbol',
  promise: 'a promise',
  weakMap: 'a weak map',
  element: 'an element',
  blob: 'a blob',
  url: 'a URL',
  holds: 'an object that holds a function',
}
for (const [odd, named] of Object.entries(ODD))
  fact(`can’t be sent to main, neither as a call nor as a message: ${named}`, async ({ page }) => {
    expect(await call(page, 'describeOdd', odd)).toBe(NOT_CLONED)
    expect(await call(page, 'sendOdd', odd)).toBe(NOT_CLONED)
  })

fact('an error of a handler arrives with its name and message in a new one', async ({ page }) => {
  expect(await call(page, 'invoke', 'fail')).toBe(
    "Error: Error invoking remote method 'fail': RangeError: out of reach",
  )
})

fact('a call that has no handler rejects', async ({ page }) => {
  expect(await call(page, 'invoke', 'nobody')).toBe(
    "Error: Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
  )
})

fact('a result that can’t be cloned rejects: a function, a proxy', async ({ page }) => {
  for (const channel of ['function', 'proxy'])
    expect(await call(page, 'invoke', channel)).toBe(
      `Error: Error invoking remote method '${channel}': Error: An object could not be cloned.`,
    )
})

fact('a second handler for a channel is refused, a removed one makes room', async ({ app }) => {
  const got = await app.evaluate(({ ipcMain }) => {
    const twice = lab.attempt(() => ipcMain.handle('echo', () => undefined))
    ipcMain.handle('once', () => undefined)
    ipcMain.removeHandler('once')
    return [twice, lab.attempt(() => ipcMain.handleOnce('once', () => 1))]
  })
  expect(got).toEqual(["Error: Attempted to register a second handler for 'echo'", 'nothing was thrown'])
})

fact('a handler for one call is gone afterwards', async ({ app, page }) => {
  await app.evaluate(({ ipcMain }) => {
    ipcMain.removeHandler('single')
    ipcMain.handleOnce('single', () => 1)
  })
  expect(await call(page, 'invoke', 'single')).toBe(1)
  expect(await call(page, 'invoke', 'single')).toMatch(/No handler registered/)
})

fact('messages arrive in order, in both directions', async ({ app, page }) => {
  await call(page, 'say', 'one', 2)
  await expect.poll(() => kept(app, 'said')).toContainEqual(['one', 2])
  await app.evaluate(({ BrowserWindow }) => {
    for (let count = 0; count < 5; count++) BrowserWindow.getAllWindows()[0]?.webContents.send('told', count)
  })
  await expect.poll(() => call(page, 'heard')).toEqual([['answered', 2], [0], [1], [2], [3], [4]])
})

fact('sending what can’t be cloned to a page is only logged', async ({ app }) => {
  const got = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    return [() => 1, Symbol('s'), Promise.resolve()].map((odd) =>
      lab.attempt(() => contents?.send('told', odd)),
    )
  })
  expect(got).toEqual(['nothing was thrown', 'nothing was thrown', 'nothing was thrown'])
})

fact('sending without a channel throws', async ({ app }) => {
  const got = await app.evaluate(({ BrowserWindow }) =>
    lab.attempt(() => BrowserWindow.getAllWindows()[0]?.webContents.send(undefined as never)),
  )
  expect(got).toMatch(/Error: Missing required channel argument$/)
})

fact('messages sent before and during the first load arrive in its page', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = lab.make()
    window.webContents.send('told', 'at once')
    const loaded = window.loadURL('app://lab/index.html')
    window.webContents.send('told', 'while loading')
    await loaded
    window.webContents.send('told', 'afterwards')
    const heard = (): Promise<unknown[]> =>
      window.webContents.executeJavaScript('bridge.heard().map(([one]) => one)') as Promise<unknown[]>
    await lab.until(async () => (await heard()).includes('afterwards'))
    return heard()
  })
  expect(got).toEqual(['at once', 'while loading', 'afterwards'])
})

fact('a message sent after a page has loaded again reaches the new document', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const reloaded = new Promise((done) => window.webContents.once('did-finish-load', () => done(null)))
    window.webContents.reload()
    await reloaded
    window.webContents.send('told', 'after')
    const heard = (): Promise<unknown[]> =>
      window.webContents.executeJavaScript('bridge.heard().map(([one]) => one)') as Promise<unknown[]>
    await lab.until(async () => (await heard()).includes('after'))
    return heard()
  })
  expect(got).toEqual(['after'])
})

fact('using a destroyed window or its page throws', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = lab.make({ show: false })
    const { webContents } = window
    window.destroy()
    await lab.until(() => webContents.isDestroyed())
    return [
      window.isDestroyed(),
      lab.attempt(() => window.isVisible()),
      lab.attempt(() => window.webContents),
      lab.attempt(() => webContents.send('told', 1)),
    ]
  })
  const fault = 'TypeError: Object has been destroyed'
  expect(got).toEqual([true, fault, fault, fault])
})

fact('a message to a page that crashed is lost without an error', async ({ app }) => {
  const got = await app.evaluate(async () => {
    const window = await lab.open()
    const gone = new Promise((done) => window.webContents.once('render-process-gone', () => done(null)))
    window.webContents.forcefullyCrashRenderer()
    await gone
    return lab.attempt(() => window.webContents.send('told', 1))
  })
  expect(got).toBe('nothing was thrown')
})
