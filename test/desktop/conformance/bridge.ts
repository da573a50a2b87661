// Facts about preloads and contextBridge: what a sandboxed preload has, and what crosses to the page's world.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, expect, fact, from, LAB } from './fact.ts'

const TAKEN = 'Error: Cannot bind an API on top of an existing property on the window object'

fact('the page has neither the preload’s globals nor Node', async ({ page }) => {
  const seen = await page.evaluate(() =>
    ['secretOfThePreload', 'require', 'process', 'Buffer', 'global'].map(
      (name) => typeof Reflect.get(globalThis, name),
    ),
  )
  expect(seen).toEqual(['undefined', 'undefined', 'undefined', 'undefined', 'undefined'])
})

fact('a sandboxed preload has require and a part of process', async ({ page }) => {
  expect(await page.evaluate(() => bridge.facts)).toEqual({
    type: 'renderer',
    sandboxed: true,
    platform: process.platform,
    electron: expect.stringMatching(/^\d+\./),
    require: 'function',
  })
})

fact('a sandboxed preload can load electron, events, timers and url, and nothing else', async ({ page }) => {
  const names = ['electron', 'electron/renderer', 'events', 'timers', 'url', 'fs', 'path', './other.cjs']
  const got = await Promise.all(names.map((name) => call(page, 'requires', name)))
  expect(got).toEqual([
    'object',
    'object',
    'function',
    'object',
    'object',
    'Error: module not found: fs',
    'Error: module not found: path',
    'Error: module not found: ./other.cjs',
  ])
})

fact('a sandboxed preload can load its modules with the prefix node:', from(29), async ({ page }) => {
  const names = ['node:events', 'node:timers', 'node:url', 'node:fs']
  const got = await Promise.all(names.map((name) => call(page, 'requires', name)))
  expect(got).toEqual(['function', 'object', 'object', 'Error: module not found: node:fs'])
})

for (const [title, file, fault] of [
  ['an ES module', 'preload-module.mjs', /^SyntaxError: Cannot use import statement outside a module/],
  ['one that loads node:fs', 'preload-files.cjs', /^Error: module not found: node:fs/],
  ['a missing file', 'nothing.cjs', /^Error: ENOENT/],
] as const)
  fact(`a preload that fails leaves the page without a bridge: ${title}`, async ({ app }) => {
    const got = await app.evaluate(
      async (_electron, preload) => {
        const window = lab.make({ webPreferences: { preload } })
        const failed: string[] = []
        window.webContents.on('preload-error', (_event, path, error) => failed.push(path, String(error)))
        await window.loadURL('app://lab/index.html')
        await lab.until(() => failed.length > 0)
        // A window's first, empty document may have run it as well.
        return [failed[0], failed[1], await window.webContents.executeJavaScript('typeof bridge')]
      },
      join(LAB, file),
    )
    expect(got).toEqual([join(LAB, file), expect.stringMatching(fault), 'undefined'])
  })

fact('an exposed object is frozen, deeply, and can’t be replaced', async ({ page }) => {
  const got = await page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'bridge')
    return [Object.isFrozen(bridge), Object.isFrozen(bridge.nested.deep), own?.writable, own?.configurable]
  })
  expect(got).toEqual([true, true, false, false])
})

fact('a name of the page can’t be exposed again or replaced', async ({ page }) => {
  expect(await call(page, 'expose', 'bridge')).toBe(TAKEN)
  expect(await call(page, 'expose', 'location')).toBe(TAKEN)
})

fact('functions cross, are called with copies, and keep their identity', async ({ page }) => {
  const got = await page.evaluate(() => {
    const { callBack, same, nested } = bridge
    const callback = (): void => undefined
    return [nested.deep.add(1, 2), callBack((text, count) => `${text} ${count}`), same(callback) === callback]
  })
  expect(got).toEqual([3, 'from the preload 2', true])
})

fact('promises cross, with what they resolve to', async ({ page }) => {
  const got = await page.evaluate(async () => {
    const { at, list } = await bridge.resolves()
    return [at.getTime(), list]
  })
  expect(got).toEqual([5, [1, 2]])
})

fact(
  'an error crosses as an Error with its message only, thrown, rejected or returned; thrown text doesn’t',
  async ({ page }) => {
    expect([
      await call(page, 'throws'),
      await call(page, 'rejects'),
      await call(page, 'throwsText'),
      await page.evaluate(() => {
        const error = bridge.odd('error') as Error & { code?: string }
        return [error instanceof Error, error.name, error.message, error.code ?? null]
      }),
    ]).toEqual([
      'Error: no such thing',
      'Error: later, no',
      'Error: An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.',
      [true, 'Error', 'far', null],
    ])
  },
)

fact('symbols cross as values', async ({ page }) => {
  const got = await page.evaluate(() => {
    const { value } = bridge
    return [typeof value.symbol, String(bridge.odd('symbol')), bridge.same(value.symbol) === value.symbol]
  })
  expect(got).toEqual(['symbol', 'Symbol(s)', true])
})

fact('copied to the page: maps, dates, patterns, bytes, big integers', async ({ page }) => {
  const got = await page.evaluate(() => {
    const odd = (name: string): unknown => bridge.odd(name)
    const names = ['map', 'date', 'regexp', 'bytes', 'buffer', 'bigint', 'undefined', 'null', 'blob']
    return [
      ...names.map((name) => Object.prototype.toString.call(odd(name)).slice(8, -1)),
      odd('map') instanceof Map,
      (odd('date') as Date).getTime(),
      [...(odd('bytes') as Uint8Array)],
    ]
  })
  expect(got).toEqual([
    'Map',
    'Date',
    'RegExp',
    'Uint8Array',
    'ArrayBuffer',
    'BigInt',
    'Undefined',
    'Null',
    'Blob',
    true,
    7,
    [1, 255],
  ])
})

fact('an instance of a class crosses the bridge as a plain object of its own fields', async ({ page }) => {
  const got = await page.evaluate(() => {
    const point = bridge.odd('point') as object
    return [Object.keys(point), Object.getPrototypeOf(point) === Object.prototype, 'y' in point]
  })
  expect(got).toEqual([['x'], true, false])
})

fact('a circular object arrives circular, in both directions', async ({ page }) => {
  const got = await page.evaluate(() => {
    const circle = bridge.odd('circle') as { self: unknown }
    const own: { self?: unknown } = {}
    own.self = own
    return [circle.self === circle, bridge.sameCircle(own)]
  })
  expect(got).toEqual([true, true])
})

fact('what can’t be cloned throws', async ({ page }) => {
  expect(await call(page, 'odd', 'weakMap')).toMatch(/An object could not be cloned\.$/)
})

fact('a structure of 100 levels crosses, one of 1100 throws', async ({ page }) => {
  expect(await page.evaluate(() => typeof bridge.deep(100))).toBe('object')
  expect(await call(page, 'deep', 1100)).toMatch(/recursion depth exceeded/)
})

fact(
  'a chosen file has its path at once, and one that a script made has none',
  from(29),
  async ({ page, scratch }) => {
    const file = join(scratch, 'ünder the räin.txt')
    writeFileSync(file, 'x')
    await page.locator('input').setInputFiles(file)
    await expect(page.locator('output')).toHaveText(file)
    expect(await page.evaluate(() => bridge.pathOf(new File(['x'], 'made.txt')))).toBe('')
  },
)

fact('dropped files have their paths', from(29), async ({ page, scratch }) => {
  const files = ['a.txt', 'b.txt'].map((name) => join(scratch, name))
  for (const file of files) writeFileSync(file, 'x')
  const box = await page.locator('#drop').boundingBox()
  const at = {
    x: (box?.x ?? 0) + 10,
    y: (box?.y ?? 0) + 10,
    data: { items: [], files, dragOperationsMask: 1 },
  }
  const chromium = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await chromium.send('Input.dispatchDragEvent', { type, ...at })
  await expect(page.locator('output')).toHaveText(files.join(' '))
})
