// `npm run screenshots`: takes pictures of the built window in important states, light and dark, at two
// sizes, for review before a release. The first argument is the target folder (default: a folder in the
// system's temporary folder); `--readme` writes the README's three pictures to assets/ instead.

import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { NO_LIMITS } from '../../src-shared/choices.ts'
import { firstSamples } from '../demo/sample-folder.ts'
import { chooseElectron } from '../desktop/choose.ts'
import { ensureChromium } from '../desktop/prepare.ts'
import { fileRow } from './hands.ts'
import { seedAccount } from './seed.ts'
import {
  answerDialogs,
  ask,
  dropFiles,
  KEY,
  makeFiles,
  resizePage,
  type Slipway,
  type Start,
  startSlipway,
} from './slipway.ts'

const { values, positionals } = parseArgs({
  options: { readme: { type: 'boolean' }, only: { type: 'string' } },
  allowPositionals: true,
})
const folder =
  values.readme === true
    ? resolve(import.meta.dirname, '../../assets')
    : resolve(positionals[0] ?? join(tmpdir(), 'slipway-screenshots'))
const HOME = { width: 1180, height: 760 }
const SMALL = { width: 820, height: 600 }

chooseElectron()
ensureChromium()

function size(
  s: Slipway,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<void> {
  return resizePage(s, width, height)
}

async function theme(s: Slipway, name: 'light' | 'dark'): Promise<void> {
  await s.app.evaluate(({ nativeTheme }, source) => {
    nativeTheme.themeSource = source
  }, name)
  await s.page.waitForFunction((wanted) => document.documentElement.dataset['theme'] === wanted, name)
}

const pause = (s: Slipway, ms = 350): Promise<void> => s.page.waitForTimeout(ms)

async function shoot(s: Slipway, name: string): Promise<void> {
  await pause(s)
  await s.page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  console.log(`${name}.png`)
}

/** Light and dark, in both sizes. */
async function four(s: Slipway, name: string): Promise<void> {
  for (const [kind, bounds] of [
    ['home', HOME],
    ['small', SMALL],
  ] as const)
    for (const tone of ['light', 'dark'] as const) {
      await size(s, bounds)
      await theme(s, tone)
      await shoot(s, `${name}-${tone}-${kind}`)
    }
  await size(s, HOME)
  await theme(s, 'light')
}

async function withSlipway(start: Start, run: (s: Slipway) => Promise<void>): Promise<void> {
  const s = await startSlipway(start)
  try {
    await size(s, HOME)
    await run(s)
    for (const fault of s.faults) console.error(`  page: ${fault}`)
  } finally {
    await s.close()
  }
}

/**
 * Sizes in bytes of files that are uploaded from two watched folders, so that the unit of sizes and the
 * files' origins are known.
 */
const OWN: Readonly<Record<string, number>> = {
  'Share/brand/fonts-licensed.7z': 2_200_000,
  'Share/brand/logo-lockup@2x.png': 96_000,
  'Share/audio/interview-raw-take-3.wav': 21_200_000,
  'Share/notes/Besprechung-Protokoll.docx': 84_000,
  'Screenshots/Screenshot 2026-11-20 at 12.02.07.png': 61_200,
  'Share/video/demo-walkthrough.mp4': 31_600_000,
  'Share/site/site-export-2026-11-20.zip': 31_800_000,
  'Share/offers/Offer 2026-11 Brandt & Söhne.pdf': 1_200_000,
}

async function watch(s: Slipway, path: string): Promise<void> {
  await answerDialogs(s.app, [path])
  const picked = await ask(s.page, 'chooseFolder', {})
  if (!picked.ok || picked.value === null) throw new Error('No folder was chosen.')
  await ask(s.page, 'watchPicked', {
    token: picked.value.token,
    existing: 'upload',
    onChange: 'new-link',
    ignore: [],
    limits: NO_LIMITS,
    copy: false,
  })
}

async function livedIn(s: Slipway): Promise<void> {
  const home = s.home
  for (const name of ['Share', 'Screenshots']) makeFiles(home, name, {})
  await watch(s, join(home, 'Share'))
  await watch(s, join(home, 'Screenshots'))
  for (const [name, bytes] of Object.entries(OWN)) {
    makeFiles(s.home, '.', { [name]: new Uint8Array(bytes).fill(7) })
    await pause(s, 900)
  }
  const picture = firstSamples().find((one) => one.name.endsWith('.png'))
  if (picture !== undefined) makeFiles(s.home, '.', { 'Screenshots/harbour-sunrise-final.png': picture.data })
  for (let i = 0; i < 40 && s.service.ledger.live().length < Object.keys(OWN).length + 1; i++)
    await pause(s, 250)
}

/** Downloads some files between two readings of the list, as recipients would. */
async function fetchSome(s: Slipway, rounds: number): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    const list = await ask(s.page, 'catalog', {
      search: '',
      sort: 'date',
      descending: true,
      offset: 0,
      limit: 9,
      fresh: 'need',
    })
    for (const row of list.ok ? list.value.rows : [])
      for (let i = 0; i < (Number(row.fileId) * round) % 5; i++)
        await fetch(row.publicLink ?? '').then((answer) => answer.arrayBuffer())
  }
}

async function showFiles(s: Slipway): Promise<void> {
  await s.page.getByRole('button', { name: 'Files', exact: false }).first().click()
  await s.page.getByRole('grid').waitFor()
}

const runs: Readonly<Record<string, () => Promise<void>>> = {
  welcome: () =>
    withSlipway({ as: 'fresh' }, async (s) => {
      await four(s, 'welcome')
      await s.page.getByLabel('Service address').fill(s.service.url)
      await s.page.getByLabel('API key', { exact: true }).fill('wrong-key')
      await s.page.keyboard.press('Enter')
      await pause(s, 1200)
      await shoot(s, 'welcome-refused')
      await s.page.getByLabel('API key', { exact: true }).fill(KEY)
      await s.page.keyboard.press('Enter')
      await pause(s, 1200)
      await four(s, 'welcome-proved')
    }),
  empty: () => withSlipway({}, (s) => four(s, 'files-empty')),
  files: () =>
    withSlipway(
      { service: { plan: 'enterprise', key: KEY, dialect: { listCap: 1000, statsFields: 'more' } } },
      async (s) => {
        seedAccount(s.service, 12_472)
        await livedIn(s)
        await fetchSome(s, 4)
        await ask(s.page, 'catalog', {
          search: '',
          sort: 'date',
          descending: true,
          offset: 0,
          limit: 1,
          fresh: 'need',
        })
        await ask(s.page, 'stats', {})
        await showFiles(s)
        await fileRow(s.page, 'harbour-sunrise-final.png').click()
        await four(s, 'files')
        await s.page.getByRole('searchbox').fill('nothing has this name')
        await pause(s)
        await shoot(s, 'files-nothing')
        await s.page.getByRole('searchbox').fill('')
        await pause(s)
        await fileRow(s.page, 'harbour-sunrise-final.png').click()
        await s.page.keyboard.press('Shift+ArrowDown')
        await s.page.keyboard.press('Shift+ArrowDown')
        await shoot(s, 'files-many')
        await s.page.keyboard.press('ControlOrMeta+K')
        await s.page.keyboard.type('copy mark')
        await pause(s)
        await four(s, 'palette')
        await s.page.keyboard.press('Escape')
        await size(s, { width: 480, height: 640 })
        await shoot(s, 'files-narrow')
        await size(s, HOME)
        await s.page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
        await shoot(s, 'files-large-text')
        await s.page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
        await s.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
        await shoot(s, 'files-right-to-left')
        await s.page.evaluate(() => document.documentElement.removeAttribute('dir'))
        await s.page.emulateMedia({ forcedColors: 'active' })
        await shoot(s, 'files-high-contrast')
        await s.page.emulateMedia({ forcedColors: null })
        await s.page.keyboard.press('ControlOrMeta+3')
        await pause(s, 1200)
        await four(s, 'usage')
        await s.page.keyboard.press('ControlOrMeta+,')
        await four(s, 'settings')
        for (const section of ['Folders', 'Links', 'Network', 'About']) {
          await s.page.getByText(section, { exact: true }).first().click()
          await shoot(s, `settings-${section.toLowerCase()}`)
        }
        await s.service.goAway()
        await s.page.keyboard.press('ControlOrMeta+1')
        const share = makeFiles(s.home, 'later', { 'while-away.txt': 'sent when the service is back' })
        await dropFiles(s.page, [join(share, 'while-away.txt')])
        await pause(s, 2500)
        await shoot(s, 'files-offline')
        await s.service.comeBack()
      },
    ),
  busy: () =>
    withSlipway(
      { service: { plan: 'pro', key: KEY, limits: { perMinute: 30, dailyUploads: 60 } } },
      async (s) => {
        s.service.setUploadRate(2_000_000)
        const big = Object.fromEntries(
          ['drone-flight-0117.mov', 'raw-photos-november.zip', 'talk-recording.mp4'].map((name, i) => [
            name,
            new Uint8Array((i + 2) * 9_000_000),
          ]),
        )
        const small = Object.fromEntries(
          Array.from({ length: 90 }, (_, i) => [
            `receipts/receipt-${String(i).padStart(3, '0')}.pdf`,
            `receipt ${i}`,
          ]),
        )
        const share = makeFiles(s.home, 'Share', { ...big, ...small, 'site/.env.production': 'TOKEN=abc' })
        await answerDialogs(s.app, [share])
        await dropFiles(s.page, [share])
        await pause(s, 1500)
        await four(s, 'drop-plan')
        await s.page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
        await pause(s, 2500)
        await four(s, 'files-busy')
        await s.page.keyboard.press('ControlOrMeta+2')
        await pause(s, 1500)
        await four(s, 'transfers')
        s.service.setKey('another-key')
        // The next request is sent once the limit of the minute allows it.
        await s.page.getByText('The API key was refused.').first().waitFor({ timeout: 90_000 })
        await shoot(s, 'transfers-key-refused')
      },
    ),
  limit: () =>
    withSlipway({ service: { plan: 'pro', key: KEY, limits: { dailyUploads: 20 } } }, async (s) => {
      const share = makeFiles(
        s.home,
        'Share',
        Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`scan-${i}.png`, `scan ${i}`])),
      )
      await dropFiles(s.page, [share])
      await pause(s, 1000)
      await s.page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
      await pause(s, 3500)
      await shoot(s, 'files-limit')
      await s.page.keyboard.press('ControlOrMeta+2')
      await pause(s, 1000)
      await four(s, 'transfers-limit')
    }),
  readme: () =>
    withSlipway({ service: { plan: 'pro', key: KEY, dialect: { listCap: 10_000 } } }, async (s) => {
      seedAccount(s.service, 12_472)
      await livedIn(s)
      await fetchSome(s, 3)
      s.service.setUploadRate(1_400_000)
      const share = makeFiles(s.home, 'Desktop', {
        'drone-flight-0117.mov': new Uint8Array(36_000_000),
        'raw-photos-november.zip': new Uint8Array(61_000_000),
        ...Object.fromEntries(
          Array.from({ length: 45 }, (_, i) => [`receipts/receipt-${i}.pdf`, `receipt ${i}`]),
        ),
      })
      await dropFiles(s.page, [share])
      await pause(s, 9000)
      await fileRow(s.page, 'Offer 2026-11').click()
      for (const notice of await s.page.getByRole('button', { name: 'Dismiss' }).all()) await notice.click()
      for (const tone of ['light', 'dark'] as const) {
        await theme(s, tone)
        await shoot(s, `window-${tone}`)
      }
      await theme(s, 'light')
      await s.page.keyboard.press('ControlOrMeta+2')
      await shoot(s, 'window-transfers')
    }),
  german: () =>
    withSlipway(
      { locale: 'de-DE', settings: { language: 'de' }, service: { plan: 'business', key: KEY } },
      async (s) => {
        await livedIn(s)
        await shoot(s, 'german-files')
        await s.page.keyboard.press('ControlOrMeta+2')
        await shoot(s, 'german-transfers')
        await s.page.keyboard.press('ControlOrMeta+3')
        await pause(s, 800)
        await shoot(s, 'german-usage')
        await s.page.keyboard.press('ControlOrMeta+,')
        await shoot(s, 'german-settings')
      },
    ),
}

if (values.readme !== true) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, run] of Object.entries(runs)) {
  if ((values.readme === true) !== (name === 'readme')) continue
  if (values.only !== undefined && values.only !== name) continue
  try {
    await run()
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
console.log(folder)
