// What a page must not get: the key after it was typed, and anything beyond its permissions. Searches the
// page's heap and stores, all answers, the data folder, logs, profiles and processes for the key. Then sends
// hostile messages from a seed; fuzz/handlers.test.ts sends many more of them to the handlers alone.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import type { Bridge } from '../../src-shared/window-contract.ts'
import { drawStorm, storm } from '../fuzz/storm.ts'
import { createService } from '../service/service.ts'
import { share } from '../tools/share.ts'
import { expect, test } from './fixture.ts'
import { answerQuestions, doneCount, liveNames, logOf, recordOpened, watchFolder } from './hands.ts'
import { ask, dropFiles, KEY, makeFiles, openedPaths, type Slipway, startSlipway } from './slipway.ts'

declare global {
  interface Window {
    readonly slipway: Bridge
  }
}

/** A key that occurs nowhere else, not even half of it. */
const DISTINCT = 'sk-gu4rd-Qx7ZpL2vN9-Wd5RtK8mB3'
const HALVES = [DISTINCT.slice(3, 17), DISTINCT.slice(17)] as const

/** All strings in the page's heap after garbage collection. */
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

/** Returns null for a file or folder that is gone. A running browser may delete one between any two steps. */
function ifThere<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The files below a folder that contain one of the texts, and the number of files read. */
function filesWith(
  dir: string,
  texts: readonly string[],
): { readonly found: readonly string[]; readonly read: number } {
  const found: string[] = []
  let read = 0
  const walk = (at: string): void => {
    for (const name of ifThere(() => readdirSync(at)) ?? []) {
      const path = join(at, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat?.isDirectory() === true) walk(path)
      const bytes = stat?.isFile() === true ? ifThere(() => readFileSync(path)) : null
      if (bytes === null) continue
      read++
      // Chromium stores text as 8-bit or 16-bit characters.
      if (texts.some((text) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))))
        found.push(path)
    }
  }
  walk(dir)
  return { found, read }
}

/** The app and all processes that it started. */
function processes(root: number): readonly number[] {
  // Only Linux shows the arguments and environments of all processes as files.
  if (process.platform !== 'linux') return [root]
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [, after = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(/\) /)
      const parent = Number(after.split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // Most likely, the process has ended.
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

/** Empty if the process has ended. */
function factOf(pid: number, what: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}

function withKey(pid: number, what: 'cmdline' | 'environ'): boolean {
  const text = factOf(pid, what)
  return HALVES.some((half) => text.includes(half))
}

/** The browser profiles of this run, wherever the launcher created them. */
function profiles(app: ElectronApplication): readonly string[] {
  const dirs = new Set<string>()
  for (const pid of processes(app.process().pid ?? -1)) {
    for (const part of factOf(pid, 'cmdline').split('\0')) {
      const [, dir] = /^--user-data-dir=(.+)$/.exec(part) ?? []
      if (dir !== undefined) dirs.add(dir)
    }
  }
  return [...dirs]
}

async function connectByHand(s: Slipway): Promise<void> {
  const { page } = s
  await page.getByLabel('Service address').fill(s.service.url)
  await page.getByLabel('API key', { exact: true }).click()
  // Typed key by key, so that the field has contained every prefix of the key.
  await page.keyboard.type(DISTINCT)
  await page.keyboard.press('Enter')
  const use = page.getByRole('button', { name: /without saving|until Slipway quits/i }).first()
  await use.waitFor()
  // The field still contains the key in case the checked key isn't adopted. This verifies that the search
  // finds it.
  expect(withHalf(await heapStrings(page)).length, 'the search finds a key that is there').toBeGreaterThan(0)
  await use.click()
}

test('once it has been entered, the key is nowhere: not in the page, a response, a file, or a process’s arguments or environment', async ({
  slipway,
}) => {
  const s = await slipway({ as: 'fresh', service: { key: DISTINCT, plan: 'pro' } })
  const { page, app } = s
  // Events and, below, answers are kept in the page itself, so that the search of its heap includes them.
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
    for (const [name, input] of asked)
      kept.push(`${name} ${JSON.stringify(await window.slipway.call(name, input, null))}`)
  })

  const strings = await heapStrings(page)
  expect(strings.length).toBeGreaterThan(10_000)
  expect(
    strings.some((text) => text.startsWith('{"ok":true,"value":{"platform"')),
    'the search sees what the page holds',
  ).toBe(true)
  // Memory that nothing refers to any more may be freed a moment later.
  await expect(async () => expect(withHalf(await heapStrings(page))).toEqual([])).toPass({ timeout: 30_000 })

  const stores = await page.evaluate(async () => ({
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys().catch(() => [])).length,
    html: document.documentElement.outerHTML,
    values: [...document.querySelectorAll('input, textarea')]
      .map((field) => (field as HTMLInputElement).value)
      .join('\n'),
    answers: (Reflect.get(globalThis, 'keptAnswers') as string[]).join('\n'),
  }))
  expect(stores).toMatchObject({ local: '{}', session: '{}', cookies: '', databases: 0, caches: 0 })
  expect(stores.answers.split('\n').length).toBeGreaterThan(10)
  for (const half of HALVES) expect(JSON.stringify(stores)).not.toContain(half)
  // The key works, so it must be somewhere: in the memory of the main process only.
  expect(stores.answers).toContain('"key":"session"')
  expect(
    s.service.requests.list().filter((one) => one.endpoint === 'stats' && one.status === 200).length,
  ).toBeGreaterThan(0)

  const pids = processes(app.process().pid ?? -1)
  if (process.platform === 'linux') expect(pids.length).toBeGreaterThan(1)
  for (const what of ['cmdline', 'environ'] as const)
    expect(pids.filter((pid) => withKey(pid, what))).toEqual([])
  const places = [s.home, ...profiles(app)]
  const running = places.map((dir) => filesWith(dir, HALVES))
  expect(running.flatMap((one) => one.found)).toEqual([])
  expect(running[0]?.read).toBeGreaterThan(3)

  // The same after the end, when everything has been written.
  await app.close()
  expect(places.flatMap((dir) => filesWith(dir, HALVES).found)).toEqual([])
})

test('a key that was typed in the settings but not used is discarded with its dialog', async ({
  slipway,
}) => {
  const s = await slipway()
  const { page, app } = s
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('button', { name: 'Replace key…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter API key' })
  await dialog.getByLabel('API key', { exact: true }).click()
  await page.keyboard.type(DISTINCT)
  await page.keyboard.press('Enter')
  // The key is wrong; the input stays for another try.
  await expect(dialog.getByRole('alert')).toContainText('The API key was refused.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  // The user continued with something else.
  await page.keyboard.press('ControlOrMeta+1')
  await page.getByRole('searchbox').click()
  await page.keyboard.type('a')
  await expect(async () => expect(withHalf(await heapStrings(page))).toEqual([])).toPass({ timeout: 30_000 })
  expect([s.home, ...profiles(app)].flatMap((dir) => filesWith(dir, HALVES).found)).toEqual([])
})

test('a key in the environment is removed from it before the app starts anything', async ({ slipway }) => {
  const s = await slipway({ service: { key: DISTINCT }, env: { SLIPWAY_API_KEY: DISTINCT } })
  await expect
    .poll(() => s.service.requests.list().filter((one) => one.status === 200).length)
    .toBeGreaterThan(0)
  expect(await s.app.evaluate(() => JSON.stringify(process.env))).not.toContain(HALVES[0])
  expect(withHalf(await heapStrings(s.page))).toEqual([])
  expect(filesWith(s.home, HALVES).found).toEqual([])
  const root = s.app.process().pid ?? -1
  // The environment that the app was started with stays visible to the system, and Chromium's first processes
  // inherited it before the app could change it. The log warns about that. No other process has it.
  const inherited = processes(root).filter((pid) => pid !== root && withKey(pid, 'environ'))
  const names = inherited.map((pid) => factOf(pid, 'cmdline').replaceAll('\0', ' '))
  expect(names.filter((name) => name !== '' && !/test\/desktop|chrom|--type=/i.test(name))).toEqual([])
  if (process.platform === 'linux') await expect.poll(() => logOf(s)).toContain('key.environment')
})

test('the packages’ start script passes on a key so that no process has it in its environment', async ({
  slipway,
}) => {
  test.skip(process.platform !== 'linux', 'only the packages for Linux have the script')
  const s = await slipway({ service: { key: DISTINCT }, env: { SLIPWAY_API_KEY: DISTINCT }, script: true })
  await expect
    .poll(() => s.service.requests.list().filter((one) => one.status === 200).length)
    .toBeGreaterThan(0)
  const pids = processes(s.app.process().pid ?? -1)
  expect(pids.length).toBeGreaterThan(1)
  for (const what of ['cmdline', 'environ'] as const)
    expect(pids.filter((pid) => withKey(pid, what))).toEqual([])
  expect(await s.app.evaluate(() => JSON.stringify(process.env))).not.toMatch(/SLIPWAY_API_KEY/)
  expect(filesWith(s.home, HALVES).found).toEqual([])
  expect(logOf(s)).not.toContain('key.environment')
})

test('a page can neither upload held files nor move uploads to another service: a system dialog asks', async ({
  slipway,
}) => {
  const s = await slipway()
  const evil = await createService({ plan: 'pro', key: KEY })
  try {
    const asked = await answerQuestions(s.app, 1)
    const dir = makeFiles(s.home, 'site', { '.env': 'TOKEN=abc', 'plain.txt': 'plain' })
    await dropFiles(s.page, [dir])
    await s.page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
    await expect.poll(() => s.service.ledger.live().map((file) => file.filename)).toEqual(['plain.txt'])
    const held = async () => {
      const got = await ask(s.page, 'transfers', { folderId: null, states: ['held'], afterId: 0, limit: 10 })
      return got.ok ? got.value : []
    }
    const ids = (await held()).map((row) => row.id)
    expect(ids).toHaveLength(1)

    for (const name of ['release', 'retry', 'sendNext'] as const) await ask(s.page, name, { ids })
    await ask(s.page, 'retry', { ids: null })
    expect((await held()).map((row) => row.reason)).toEqual(['secret'])
    expect((await asked()).map((one) => one.message)).toEqual(['Upload .env?'])

    expect(await ask(s.page, 'connect', { address: evil.url, key: KEY, plainHttp: true })).toEqual({
      ok: true,
      value: null,
    })
    expect(evil.requests.list()).toEqual([])
    expect((await asked()).at(-1)).toMatchObject({
      message: `Check this API key with ${new URL(evil.url).host}?`,
      defaultId: 1,
      cancelId: 1,
    })
    await answerQuestions(s.app, 0)
    const proved = await ask(s.page, 'connect', { address: evil.url, key: KEY, plainHttp: true })
    await answerQuestions(s.app, 1)
    if (!proved.ok || proved.value === null) throw new Error('The key was not checked.')
    const { token } = proved.value
    expect(await ask(s.page, 'adopt', { token, save: false })).toEqual({ ok: true, value: null })
    const moved = (await asked()).at(-1)
    expect(moved).toMatchObject({
      message: `Upload to ${new URL(evil.url).host} from now on?`,
      defaultId: 1,
      cancelId: 1,
    })
    expect(moved?.detail).toContain(new URL(s.service.url).host)
    // After signing out, the service that the user chose stays the same.
    await answerQuestions(s.app, 0)
    await ask(s.page, 'signOut', { account: null })
    await answerQuestions(s.app, 1)
    expect(await ask(s.page, 'adopt', { token, save: false })).toEqual({ ok: true, value: null })
    expect((await asked()).map((one) => one.message.split(' ')[0])).toEqual([
      'Upload',
      'Check',
      'Check',
      'Upload',
      'Sign',
      'Upload',
    ])

    await dropFiles(s.page, [join(makeFiles(s.home, 'after', { 'later.txt': 'later' }), 'later.txt')])
    await expect
      .poll(() => s.service.ledger.live().map((file) => file.filename))
      .toEqual(['plain.txt', 'later.txt'])
    expect(evil.requests.list().map((one) => one.endpoint)).toEqual(['stats'])
    expect(evil.ledger.files()).toEqual([])
  } finally {
    await evil.close()
  }
})

test('a script in the page opens nothing, publishes nothing and deletes nothing while the user does nothing', async ({
  slipway,
}) => {
  const s = await slipway()
  const dir = makeFiles(s.home, 'site', { 'plain.txt': 'plain' })
  await dropFiles(s.page, [join(dir, 'plain.txt')])
  await expect.poll(() => doneCount(s.page)).toBe(1)
  const [file] = s.service.ledger.live()
  await s.app.evaluate(({ clipboard }) => clipboard.writeText('a private note'))
  const opened = await recordOpened(s.app)
  // The drop was no input event, and the last key press of the fixture, if any, is used up by this call.
  await ask(s.page, 'openWebsite', {})
  await expect.poll(opened).toHaveLength(1)
  const refused = await s.page.evaluate(
    async ([fileId]) => {
      const titles = new Set<string>()
      for (let i = 0; i < 50; i++) {
        for (const [name, input] of [
          ['openLink', { fileId }],
          ['openWebsite', {}],
          ['openData', {}],
          ['uploadClipboard', {}],
        ] as const) {
          const got = await window.slipway.call(name, input, null)
          titles.add(got.ok ? name : got.failure.title)
        }
        window.open('https://evil.example/')
      }
      return [...titles]
    },
    [file?.fileId ?? 0] as const,
  )
  expect(refused).toEqual(['Slipway saw no click or key press in its window.'])
  expect(await opened()).toHaveLength(1)
  expect(s.service.ledger.files().map((one) => one.filename)).toEqual(['plain.txt'])
  await test.step('a page that leaves itself for an empty one is loaded again', async () => {
    await s.page.evaluate(() => {
      location.href = 'about:blank'
    })
    await expect(s.page.getByRole('navigation', { name: 'Views' })).toBeVisible()
    expect(await s.page.evaluate(() => location.href)).toContain('/index.html')
  })
})

test('rules need consent', async ({ slipway }) => {
  const s = await slipway()
  await test.step('rules of a watched folder are saved with a button, and fewer of them only once the user agrees', async () => {
    const asked = await answerQuestions(s.app, 1)
    await watchFolder(s, makeFiles(s.home, 'Share', {}))
    await s.page.keyboard.press('ControlOrMeta+,')
    await s.page.getByRole('button', { name: 'Folders' }).click()
    const openRules = () => s.page.getByRole('button', { name: 'Rules…, Share' }).click()
    const dialog = s.page.getByRole('dialog', { name: 'Rules of Share' })
    const field = dialog.getByRole('textbox', { name: 'Ignore rules' })
    const save = dialog.getByRole('button', { name: 'Save rules' })
    const rules = async () => {
      const got = await ask(s.page, 'snapshot', {})
      return got.ok ? got.value.folders.map((one) => one.ignore) : null
    }
    await openRules()
    await dialog.getByRole('button', { name: 'Which files' }).click()
    await field.fill('private/\n[broken')
    await expect(save).toBeDisabled()
    await field.fill('private/')
    await save.click()
    await expect.poll(rules).toEqual([['private/']])
    expect(await asked()).toEqual([])
    await expect(dialog).toHaveCount(0)
    makeFiles(s.home, 'Share', { 'private/a.txt': 'a', 'public.txt': 'public' })
    await expect.poll(() => liveNames(s)).toEqual(['public.txt'])

    await openRules()
    await field.fill('priv')
    await save.click()
    await expect
      .poll(() => asked())
      .toMatchObject([{ message: 'Ignore fewer files in Share?', defaultId: 1, cancelId: 1 }])
    await expect(field).toHaveValue('priv')
    expect([await rules(), liveNames(s)]).toEqual([[['private/']], ['public.txt']])
    await answerQuestions(s.app, 0)
    await save.click()
    await expect.poll(rules).toEqual([['priv']])
    await expect.poll(() => liveNames(s)).toEqual(['a.txt', 'public.txt'])
  })
  await test.step('patterns of held files apply when the field is left, can be taken back, and exceptions need consent', async () => {
    await s.app.evaluate(() => Reflect.deleteProperty(globalThis, 'systemQuestions'))
    const asked = await answerQuestions(s.app, 1)
    await s.page.keyboard.press('ControlOrMeta+,')
    await s.page.getByRole('button', { name: 'Held files' }).click()
    const section = s.page.getByRole('group', { name: 'Held files' })
    const rules = async () => {
      const got = await ask(s.page, 'boot', {})
      return got.ok ? [got.value.settings.guardHold, got.value.settings.guardAllow] : null
    }

    const hold = section.getByLabel('Always hold')
    const allow = section.getByLabel('Never hold')
    await hold.fill('*.psd\n[broken')
    await hold.blur()
    await expect(section.getByText('The closing ] is missing.')).toBeVisible()
    await expect(section.getByText('Fix the errors to save.')).toBeVisible()
    expect(await rules()).toEqual([[], []])
    await hold.fill('*.psd')
    await s.page.keyboard.press('Tab')
    await expect.poll(rules).toEqual([['*.psd'], []])
    // The row says so, and takes it back.
    await expect(section.getByText('Saved', { exact: true })).toBeVisible()
    await section.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => asked()).toMatchObject([{ message: 'Hold fewer files?' }])
    await answerQuestions(s.app, 0)
    await section.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(rules).toEqual([[], []])
    await expect(hold).toHaveValue('')
    await expect(section.getByText('Saved', { exact: true })).toHaveCount(0)
    await hold.fill('*.psd')
    await hold.blur()
    await expect.poll(rules).toEqual([['*.psd'], []])

    await answerQuestions(s.app, 1)
    await allow.fill('fixtures/')
    await allow.blur()
    const question = { message: 'Hold fewer files?', defaultId: 1, cancelId: 1 }
    await expect.poll(() => asked()).toMatchObject([question, question, question])
    expect(await rules()).toEqual([['*.psd'], []])
    await expect(allow).toHaveValue('')
    await answerQuestions(s.app, 0)
    await allow.fill('fixtures/')
    // Leaving the view leaves the field.
    await s.page.keyboard.press('ControlOrMeta+1')
    await expect.poll(rules).toEqual([['*.psd'], ['fixtures/']])

    // The rules are in effect without a restart.
    const dir = makeFiles(s.home, 'work', { 'fixtures/.env': 'A=1', 'draft.psd': 'x', 'b.txt': 'b' })
    await dropFiles(s.page, [dir])
    await s.page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
    await expect
      .poll(() =>
        s.service.ledger
          .live()
          .map((file) => file.filename)
          .toSorted(),
      )
      .toEqual(['.env', 'a.txt', 'b.txt', 'public.txt'])
  })
})

/** Names and times of everything below a folder, except the given names. */
function treeOf(dir: string, but: readonly string[]): readonly string[] {
  const list: string[] = []
  const walk = (at: string): void => {
    for (const name of readdirSync(at).toSorted()) {
      const path = join(at, name)
      if (but.includes(path)) continue
      const stat = lstatSync(path)
      list.push(`${path} ${stat.isDirectory() ? 'folder' : `${stat.size} ${stat.mtimeMs}`}`)
      if (stat.isDirectory()) walk(path)
    }
  }
  walk(dir)
  return list
}

/**
 * Sets an access time before the modification time, so that reading changes it even on a disk mounted with
 * `relatime`.
 */
function setUnread(path: string): number {
  utimesSync(path, 1_000_000_000, Date.now() / 1000)
  return statSync(path).atimeMs
}

test('hostile messages are each answered, and cause nothing that a page may not request', async () => {
  // 100,000 take about three minutes on two quiet cores. A busy machine has taken more than twice that.
  test.setTimeout(share(300_000, 1_500_000))
  const seed = Number(process.env['SLIPWAY_FUZZ_SEED'] ?? 20_261_121)
  const count = Number(process.env['SLIPWAY_FUZZ_COUNT'] ?? share(2000, 100_000))
  const s = await startSlipway({
    service: {
      plan: 'enterprise',
      limits: { perMinute: 1_000_000, perDay: 100_000_000, dailyUploads: 1_000_000 },
    },
    // Requests to other machines would go to this address, where nothing listens.
    env: {
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
    },
    settings: { undoSeconds: 3 },
    before: ({ service }) => {
      for (let i = 0; i < 40; i++)
        service.plant({ filename: `planted-${i}.txt`, bytes: new TextEncoder().encode(`planted ${i}`) })
    },
  })
  try {
    const { page, app, service } = s
    const canary = makeFiles(s.home, 'canary', {
      'secret.txt': 'canary in the coal mine',
      'picture.png': 'canary as a picture',
    })
    const shared = makeFiles(s.home, 'Share', { 'one.txt': 'first', 'two.png': 'second' })
    await dropFiles(page, [join(shared, 'one.txt'), join(shared, 'two.png')])
    await expect
      .poll(() => service.ledger.live().filter((file) => !file.filename.startsWith('planted')).length)
      .toBe(2)
    // An upload that the storm cancels before its answer is journalled is deleted, so both must be done.
    await expect.poll(() => doneCount(page)).toBe(2)

    const control = join(shared, 'one.txt')
    const before = setUnread(control)
    readFileSync(control)
    const readsAreSeen = statSync(control).atimeMs !== before
    const unread = ['secret.txt', 'picture.png'].map((name) => ({
      path: join(canary, name),
      at: setUnread(join(canary, name)),
    }))
    const outside = treeOf(s.home, [s.data, join(s.home, 'config'), join(s.home, 'bin')])

    await app.evaluate(({ app: main, clipboard, dialog }) => {
      // A page may quit the app, which would end the storm.
      const { quit } = main
      main.quit = () => undefined
      Reflect.set(globalThis, 'mayQuit', () => {
        main.quit = quit
      })
      dialog.showOpenDialog = async () => ({ canceled: true, filePaths: [] })
      dialog.showSaveDialog = async () => ({ canceled: true, filePath: '' })
      void clipboard.writeText('')
    })

    const drawn = drawStorm({
      seed,
      count,
      secret: join(canary, 'secret.txt'),
      own: join(s.data, 'settings.json'),
      ids: service.ledger.live().map((file) => file.fileId),
    })
    // Without painting, the messages take a fifth less time.
    await page.evaluate(() => {
      document.documentElement.hidden = true
    })
    const calm = await page.evaluate(storm, drawn)
    await page.evaluate(() => {
      document.documentElement.hidden = false
    })
    console.log(`${calm.sent} messages, seed ${seed}: ${JSON.stringify(calm.answers)}`)
    expect(calm.sent).toBeGreaterThanOrEqual(count)
    expect(calm.odd, 'answers that are none').toEqual([])
    expect(calm.defects, 'handlers that threw').toEqual([])
    expect(calm.leaks, 'what no page may ask').toEqual([])
    expect(calm.answers['ok']).toBeGreaterThan(count / 20)
    expect(calm.answers['usage']).toBeGreaterThan(count / 3)

    // A message may have paused uploads. Deletions are sent when they can no longer be undone, so wait until
    // requests have stopped.
    await page.evaluate(() => window.slipway.call('resume', {}, null))
    const settled = async (): Promise<number> => service.requests.list().length
    let requests = -1
    await expect(async () => {
      const now = await settled()
      const still = now === requests
      requests = now
      expect(still).toBe(true)
    }).toPass({ intervals: [2500], timeout: 60_000 })

    const files = service.ledger.files()
    const uploaded = files.filter((file) => !file.filename.startsWith('planted')).map((file) => file.filename)
    // The clipboard is the only thing that a page may upload without a user action, and it contains only
    // links.
    const isPasted = (name: string): boolean => /^Text .* (?:at|um) .*\.(?:txt|md|html)$/.test(name)
    expect(uploaded.filter((name) => name !== 'one.txt' && name !== 'two.png' && !isPasted(name))).toEqual([])
    const living = new Set(service.ledger.live().map((file) => file.fileId))
    const asked = new Set(calm.deleting)
    // Nothing is deleted without a request. A pasted text whose upload is cancelled while it is sent is
    // deleted again.
    const lost = files.filter(
      (file) => !living.has(file.fileId) && !asked.has(file.fileId) && !isPasted(file.filename),
    )
    expect(lost.map((file) => file.filename)).toEqual([])

    expect(treeOf(s.home, [s.data, join(s.home, 'config'), join(s.home, 'bin')])).toEqual(outside)
    expect(existsSync(join(process.cwd(), 'x'))).toBe(false)
    expect(readsAreSeen, 'this disk notes what is read').toBe(true)
    for (const { path, at } of unread) expect(statSync(path).atimeMs, `${path} was read`).toBe(at)
    const recorded = await app.evaluate((electron) => {
      const { standIn } = electron as unknown as {
        readonly standIn?: { callsOf(api: string): readonly { readonly args: readonly unknown[] }[] }
      }
      const of = (api: string): string[] => (standIn?.callsOf(api) ?? []).map((call) => String(call.args[0]))
      return {
        urls: of('shell.openExternal'),
        paths: [...of('shell.openPath'), ...of('shell.showItemInFolder')],
      }
    })
    const all = [...recorded.urls, ...recorded.paths, ...openedPaths(s.home)]
    // Where there is no file manager, Electron opens the folder that contains what it is to show.
    const may = (one: string): boolean =>
      one === s.home || ['http://127.0.0.1', s.data, shared].some((start) => one.startsWith(start))
    expect(all.filter((one) => !may(one))).toEqual([])
    expect(await page.evaluate(() => Reflect.get({}, 'polluted') ?? Reflect.get({}, 'x') ?? null)).toBeNull()
    expect(
      await app.evaluate(
        () => Reflect.get({}, 'polluted') ?? Reflect.get({}, 'x') ?? Reflect.get({}, 'paths') ?? null,
      ),
    ).toBeNull()

    // The window still works.
    await page.evaluate(() =>
      window.slipway.call(
        'change',
        {
          welcomed: true,
          language: 'en',
          theme: 'light',
          proxy: 'system',
          copyAfterDrop: true,
          bytesPerSecond: null,
          linkStyle: 'url',
        },
        null,
      ),
    )
    await page.keyboard.press('Escape')
    for (const view of ['Transfers', 'Usage', 'Settings', 'Files']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click()
      await expect(page.locator('h1')).toContainText(view)
    }
    const after = makeFiles(s.home, 'After', { 'still-alive.txt': 'yes' })
    await dropFiles(page, [join(after, 'still-alive.txt')])
    await expect(page.getByRole('grid', { name: 'Remote files' }).getByText('still-alive.txt')).toBeVisible()
    expect(s.faults).toEqual([])
    const defects = filesWith(s.data, ['ipc.defect', 'engine.fell', 'page.gone']).found
    expect(defects).toEqual([])
  } finally {
    await s.app.evaluate(() => (Reflect.get(globalThis, 'mayQuit') as (() => void) | undefined)?.())
    await s.close()
  }
})
