// What the stand-in promises, asked of small apps: it is as strict as Electron where the app could go wrong.
// These specs use no private door but `standIn`, so most of them hold on Electron too.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, expect, test } from '@playwright/test'

async function launch(name: string): Promise<ElectronApplication> {
  const data = mkdtempSync(join(tmpdir(), 'slipway-lab-'))
  return await _electron.launch({ args: [join(import.meta.dirname, 'lab', name), `--user-data-dir=${data}`] })
}

test('a click in the page reaches main and comes back', async () => {
  const app = await launch('basic')
  const page = await app.firstWindow()
  await page.getByRole('button', { name: 'Greet' }).click()
  await expect(page.locator('output')).toHaveText('Hello Ada')
  await app.close()
})
