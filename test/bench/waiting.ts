// Row S13: how long a person waits for a link, from saving a file in a watched folder, and from pressing the key
// that uploads a picture on the clipboard, until the link is on the clipboard. Drives an app of its own: first at
// rest, then while many other files are uploaded and a long list is read.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { NO_LIMITS } from '../../src-shared/choices.ts'
import { hasRecords } from '../desktop/choose.ts'
import { pressShortcut } from '../e2e/desk.ts'
import { seedAccount } from '../e2e/seed.ts'
import { answerDialogs, ask, KEY, type Slipway, startSlipway } from '../e2e/slipway.ts'

export interface Waits {
  /** Milliseconds of each single file or picture. */
  readonly saved: readonly number[]
  /** Empty where no key can be pressed from outside. */
  readonly key: readonly number[]
}

const SHORTCUT = 'CommandOrControl+Alt+C'
const EACH = 10
/** Between two links, as if by hand. */
const PAUSE_MS = 1500
const LISTED = 20_000
const now = (): number => performance.timeOrigin + performance.now()

/** From now on looks for a link on the clipboard. The returned function resolves to the time it appeared. */
async function awaitLink(s: Slipway): Promise<() => Promise<number>> {
  await s.app.evaluate(({ clipboard }) => {
    const found = async (): Promise<number> => {
      while (!(await clipboard.readText()).startsWith('http'))
        await new Promise((resolve) => globalThis.setTimeout(resolve, 1))
      return performance.timeOrigin + performance.now()
    }
    Object.assign(globalThis, { benchLink: found() })
  })
  return () =>
    s.app.evaluate(() => (globalThis as unknown as { readonly benchLink: Promise<number> }).benchLink)
}

async function saveOne(s: Slipway, name: string): Promise<number> {
  await s.app.evaluate(({ clipboard }) => clipboard.writeText('nothing yet'))
  const link = await awaitLink(s)
  writeFileSync(join(s.home, 'Saved', name), `saved as ${name}`)
  const closed = now()
  return (await link()) - closed
}

async function pressOne(s: Slipway, content: string): Promise<number> {
  await s.app.evaluate(async ({ clipboard, ClipboardItem }, text) => {
    const picture = new Blob([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), text], {
      type: 'image/png',
    })
    await clipboard.write([new ClipboardItem({ 'image/png': picture })])
  }, content)
  const link = await awaitLink(s)
  const pressed = now()
  await pressShortcut(s.app, SHORTCUT)
  return (await link()) - pressed
}

/** `isOver`: whether the work beside it has ended, so that nothing further is measured. */
async function several(s: Slipway, prefix: string, isOver: () => boolean): Promise<Waits> {
  const saved: number[] = []
  const key: number[] = []
  for (let i = 0; i < EACH && !isOver(); i++) {
    saved.push(await saveOne(s, `${prefix}-${i}.txt`))
    await setTimeout(PAUSE_MS)
    if (!hasRecords()) continue
    key.push(await pressOne(s, `${prefix}-${i}`))
    await setTimeout(PAUSE_MS)
  }
  return { saved, key }
}

/** Fills a hundred directories of this folder with small files. */
export function fillFolder(folder: string, files: number): void {
  for (let i = 0; i < files; i++) {
    const dir = join(folder, `d${i % 100}`)
    if (i < 100) mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, `f${i}.bin`), `${i}`.repeat(200))
  }
}

/** Has the app read the whole list from the service. */
export async function readList(s: Slipway): Promise<void> {
  const newest = { search: '', sort: 'date', descending: true, offset: 0, limit: 1 } as const
  await ask(s.page, 'catalog', { ...newest, fresh: 'need' })
}

/** Watches the folder with its existing files, as a user who chooses it. `copy`: whether its links are copied. */
export async function watchChosen(s: Slipway, folder: string, copy: boolean): Promise<void> {
  await answerDialogs(s.app, [folder])
  const picked = await ask(s.page, 'chooseFolder', {})
  if (!picked.ok || picked.value === null) throw new Error('No folder was chosen.')
  const { token } = picked.value
  const watched = await ask(s.page, 'watchPicked', {
    token,
    existing: 'upload',
    onChange: 'new-link',
    ignore: [],
    limits: NO_LIMITS,
    copy,
  })
  if (!watched.ok) throw new Error(`${folder} isn't watched.`)
}

/** `others`: how many other files are uploaded in the second part; enough that they last to its end. */
export async function measureWaiting(
  others: number,
): Promise<{ readonly rest: Waits; readonly busy: Waits }> {
  const s = await startSlipway({
    service: {
      plan: 'enterprise',
      key: KEY,
      storage: 'discard',
      dialect: { listCap: 20, listDefault: 20 },
      limits: { perMinute: 1e8, perDay: 1e9, dailyUploads: 1e9 },
    },
    settings: { clipboardShortcut: SHORTCUT },
    env: { SLIPWAY_NO_DEBUGGER: '1' },
  })
  try {
    const saved = join(s.home, 'Saved')
    mkdirSync(saved)
    await watchChosen(s, saved, true)
    await saveOne(s, 'first.txt')
    const rest = await several(s, 'rest', () => false)
    seedAccount(s.service, LISTED)
    const folder = join(s.home, 'Others')
    fillFolder(folder, others)
    await watchChosen(s, folder, false)
    // It ends with the app.
    readList(s).catch(() => undefined)
    const stored = (): number => s.service.ledger.live().length
    const before = stored()
    while (stored() < before + 50) await setTimeout(20)
    // A link isn't copied over what was copied in the second before its file was seen.
    await setTimeout(PAUSE_MS)
    const busy = await several(s, 'busy', () => stored() - before > 0.95 * others)
    console.log(`S13 others stored at the end: ${stored() - before} of ${others}`)
    if (busy.saved.length === 0 || busy.key.length === 0)
      throw new Error('Nothing was measured: the other uploads ended first, or no key can be pressed here.')
    return { rest, busy }
  } finally {
    await s.close()
  }
}
