// Takes a screenshot of the built app's window during development: `node test/desktop/shot.ts window.png
// --size=1100x720 --theme=dark`. Options: --app=FOLDER, --size=WxH, --theme=light|dark, --click=TEXT (may be
// repeated), --wait=SELECTOR. Other arguments are passed to the app. It doesn't build the app, and unless
// SLIPWAY_DATA_DIR is set, it uses a temporary data folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { _electron } from '@playwright/test'
import { chooseElectron } from './choose.ts'

const OWN = ['--app', '--size', '--theme', '--click', '--wait']
const given = process.argv.slice(2)
const isOwn = (arg: string): boolean => !arg.startsWith('-') || OWN.some((name) => arg.startsWith(`${name}=`))
const { values, positionals } = parseArgs({
  args: given.filter(isOwn),
  allowPositionals: true,
  options: {
    app: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    size: { type: 'string', default: '' },
    theme: { type: 'string', default: '' },
    click: { type: 'string', multiple: true, default: [] },
    wait: { type: 'string', default: 'body' },
  },
})
const [file = 'window.png'] = positionals

chooseElectron()
const scratch = mkdtempSync(join(tmpdir(), 'slipway-shot-'))
const env = { SLIPWAY_DATA_DIR: scratch, ...(process.env as Record<string, string>) }
const app = await _electron.launch({
  args: [values.app, ...given.filter((arg) => !isOwn(arg))],
  env,
  colorScheme: null,
  chromiumSandbox: true,
})
try {
  const page = await app.firstWindow()
  page.on('console', (message) => console.error(`page: ${message.text()}`))
  page.on('pageerror', (error) => console.error(`page: ${error.stack ?? error.message}`))
  await page.waitForURL((url) => url.href !== 'about:blank')
  await page.waitForLoadState('load')
  const theme = (['light', 'dark'] as const).find((one) => one === values.theme)
  if (theme !== undefined) {
    await app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
  }
  const [width = 0, height = 0] = values.size.split('x').map(Number)
  if (width > 0 && height > 0) {
    await app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), {
      width,
      height,
    })
    await page.waitForFunction((wanted) => innerWidth === wanted, width)
  }
  await page.locator(values.wait).first().waitFor()
  for (const text of values.click) await page.getByText(text).first().click()
  await page.screenshot({ path: file })
  console.log(resolve(file))
} finally {
  await app.close()
  rmSync(scratch, { recursive: true, force: true })
}
