// What no page and no file may get: the key after it was typed, and whatever a page may not ask for. The heap of the page, its stores, every
// answer, the data folder, logs, profiles and the processes are searched; then hostile messages are sent, seeded, by the tens of thousands.
// The mending of what is found happens elsewhere.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import type { Bridge } from '../../src-shared/app.ts'
import { expect, test } from './fixture.ts'
import type { Slipway } from './slipway.ts'

declare global {
  interface Window {
    readonly slipway: Bridge
  }
}

/** Found nowhere else, in no half of it. */
const DISTINCT = 'sk-gu4rd-Qx7ZpL2vN9-Wd5RtK8mB3'
const HALVES = [DISTINCT.slice(3, 17), DISTINCT.slice(17)] as const

/** Every string of the page's heap, after all that nobody holds was thrown away. */
async function heapStrings(page: Page): Promise<readonly string[]> {
  const cdp = await page.context().newCDPSession(page)
  const chunks: string[] = []
  cdp.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await cdp.send('HeapProfiler.enable')
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await cdp.detach()
  const { strings } = JSON.parse(chunks.join('')) as { readonly strings: readonly string[] }
  return strings
}

function withHalf(strings: readonly string[]): readonly string[] {
  return strings.filter((text) => HALVES.some((half) => text.includes(half)))
}

/** Files below a folder that hold a text, and how many were read. */
function filesWith(dir: string, texts: readonly string[]): { readonly found: readonly string[]; readonly read: number } {
  const found: string[] = []
  let read = 0
  const walk = (at: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat?.isDirectory() === true) walk(path)
      if (stat?.isFile() !== true) continue
      const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
      read++
      // Chromium's stores keep text in either width.
      if (texts.some((text) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')))) found.push(path)
    }
  }
  if (existsSync(dir)) walk(dir)
  return { found, read }
}

/** The app and everything it started. */
function processes(root: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [, after = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(/\) /)
      const parent = Number(after.split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // It ended while it was looked at.
    }
  }
  const all: number[] = []
  const walk = (pid: number): void => {
    all.push(pid)
    for (const child of children.get(pid) ?? []) walk(child)
  }
  walk(root)
  return all
}

function withKey(pid: number, what: 'cmdline' | 'environ'): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/${what}`)
    return HALVES.some((half) => text.includes(half))
  } catch {
    return false
  }
}

/** Folders of the browser's own that belong to this run, wherever its launcher put them. */
function profiles(app: ElectronApplication): readonly string[] {
  const dirs = new Set<string>()
  for (const pid of processes(app.process().pid ?? -1)) {
    try {
      for (const part of readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')) {
        const [, dir] = /^--user-data-dir=(.+)$/.exec(part) ?? []
        if (dir !== undefined) dirs.add(dir)
      }
    } catch {
      // It ended while it was looked at.
    }
  }
  return [...dirs]
}

async function connectByHand(s: Slipway): Promise<void> {
  const { page } = s
  await page.getByLabel('Service address').fill(s.service.url)
  await page.getByLabel('API key', { exact: true }).click()
  // As fingers do it: the field has every part of the key once.
  await page.keyboard.type(DISTINCT)
  await page.keyboard.press('Enter')
  const use = page.getByRole('button', { name: /without saving|until Slipway quits/i }).first()
  await use.waitFor()
  // It stands in its field still, in case the proof is not used: the search must be one that finds it.
  expect(withHalf(await heapStrings(page)).length, 'the search finds a key that is there').toBeGreaterThan(0)
  await use.click()
}

test('the key is nowhere once it was typed: not in the page, not in an answer, not on the disk, not beside a process', async ({
  slipway,
}) => {
  const s = await slipway({ as: 'fresh', service: { key: DISTINCT, plan: 'pro' } })
  const { page, app } = s
  // Kept in the page itself, so that the search of its heap goes through them as well.
  await page.evaluate(() => {
    const kept: string[] = []
    Reflect.set(globalThis, 'keptAnswers', kept)
    window.slipway.onEvent((event) => kept.push(JSON.stringify(event)))
  })
  await connectByHand(s)
  await expect(page.getByRole('heading', { name: 'Choose a folder' })).toBeVisible()

  await page.evaluate(async () => {
    const kept = Reflect.get(globalThis, 'keptAnswers') as string[]
    const asked = [
      ['boot', {}],
      ['snapshot', {}],
      ['stats', {}],
      ['history', {}],
      ['licences', {}],
      ['transfers', { folderId: null, states: [], afterId: 0, limit: 500 }],
      ['catalog', { search: '', sort: 'date', descending: true, offset: 0, limit: 500, fresh: 'need' }],
      ['change', { density: 'compact' }],
      ['snooze', { minutes: 0 }],
      ['openWebsite', {}],
    ] as const
    for (const [name, input] of asked) kept.push(`${name} ${JSON.stringify(await window.slipway.call(name, input))}`)
  })

  // What the tool of this test remembers of its own typing must not be taken for the page's.
  const strings = await heapStrings(page)
  expect(strings.length).toBeGreaterThan(10_000)
  expect(
    strings.some((text) => text.startsWith('{"ok":true,"value":{"platform"')),
    'the search sees what the page holds',
  ).toBe(true)
  expect(withHalf(strings)).toEqual([])

  const stores = await page.evaluate(async () => ({
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys().catch(() => [])).length,
    html: document.documentElement.outerHTML,
    values: [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value).join('\n'),
    answers: (Reflect.get(globalThis, 'keptAnswers') as string[]).join('\n'),
  }))
  expect(stores).toMatchObject({ local: '{}', session: '{}', cookies: '', databases: 0, caches: 0 })
  expect(stores.answers.split('\n').length).toBeGreaterThan(10)
  for (const half of HALVES) expect(JSON.stringify(stores)).not.toContain(half)
  // It works, so it is somewhere: in the memory of the main process alone.
  expect(stores.answers).toContain('"key":"session"')
  expect(s.service.requests.list().filter((one) => one.endpoint === 'stats' && one.status === 200).length).toBeGreaterThan(0)

  const pids = processes(app.process().pid ?? -1)
  expect(pids.length).toBeGreaterThan(1)
  for (const what of ['cmdline', 'environ'] as const) expect(pids.filter((pid) => withKey(pid, what))).toEqual([])
  const places = [s.home, ...profiles(app)]
  const running = places.map((dir) => filesWith(dir, HALVES))
  expect(running.flatMap((one) => one.found)).toEqual([])
  expect(running[0]?.read).toBeGreaterThan(3)

  // And after the end, when everything was written that is to be written.
  await app.close()
  expect(places.flatMap((dir) => filesWith(dir, HALVES).found)).toEqual([])
})

test('a key that was typed into the settings and not used is gone with its dialog', async ({ slipway }) => {
  const s = await slipway()
  const { page, app } = s
  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'Replace the key…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter a new key' })
  await dialog.getByLabel('API key', { exact: true }).click()
  await page.keyboard.type(DISTINCT)
  await page.keyboard.press('Enter')
  // It is not the key of this account; what was typed stays for another try.
  await expect(dialog.getByRole('alert')).toContainText('The key was refused.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  // Something else was done since.
  await page.keyboard.press('Control+1')
  await page.getByRole('searchbox').click()
  await page.keyboard.type('a')
  await expect(async () => expect(withHalf(await heapStrings(page))).toEqual([])).toPass({ timeout: 30_000 })
  expect([s.home, ...profiles(app)].flatMap((dir) => filesWith(dir, HALVES).found)).toEqual([])
})

test('a key of the environment is taken out of it before anything else is started', async ({ slipway }) => {
  const s = await slipway({ service: { key: DISTINCT }, env: { SLIPWAY_API_KEY: DISTINCT } })
  await expect.poll(() => s.service.requests.list().filter((one) => one.status === 200).length).toBeGreaterThan(0)
  expect(await s.app.evaluate(() => JSON.stringify(process.env))).not.toContain(HALVES[0])
  expect(withHalf(await heapStrings(s.page))).toEqual([])
  expect(filesWith(s.home, HALVES).found).toEqual([])
  const root = s.app.process().pid ?? -1
  // What was given to the app itself stands with the system; nobody after it has it.
  const inherited = processes(root).filter((pid) => pid !== root && withKey(pid, 'environ'))
  const names = inherited.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
  expect(names.filter((name) => !/test\/desktop/.test(name))).toEqual([])
})
