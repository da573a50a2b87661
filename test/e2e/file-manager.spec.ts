// "Upload and copy link" from a file manager: turned on in the settings, then started through the installed
// script with Nautilus's environment. The file managers themselves are empty programs on PATH. Links are
// copied although the settings disable it for drops. And what the settings show where a sandbox hides the
// desktop's folders.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { hasRecords } from './desk.ts'
import { expect, test } from './fixture.ts'
import { fetched, openSection } from './hands.ts'
import { clipboardText, KEY, makeFiles, type Slipway } from './slipway.ts'

async function openLinks(s: Slipway): Promise<void> {
  await openSection(s.page, 'Links')
}

if (hasRecords && process.platform === 'linux') {
  test('the entry is added, uploads what is selected and copies its links, and is removed again', async ({
    slipway,
  }) => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-menu-'))
    const share = join(dir, 'share')
    const bin = join(dir, 'bin')
    mkdirSync(bin)
    for (const name of ['nautilus', 'dolphin']) writeFileSync(join(bin, name), '')
    const env = { PATH: `${bin}:${process.env['PATH']}`, XDG_DATA_HOME: share }
    const s = await slipway({ settings: { copyAfterDrop: false }, env })
    await openLinks(s)
    const row = s.page.getByRole('switch', { name: 'Menu of the file manager' })
    await expect(s.page.getByText('The entry can be in: Files (under Scripts), Dolphin.')).toBeVisible()
    await expect(row).not.toBeChecked()
    await s.page.locator('label', { has: row }).click()
    await expect(s.page.getByText('Added to: Files (under Scripts), Dolphin.')).toBeVisible()
    await expect(row).toBeChecked()
    const script = join(share, 'nautilus/scripts/Upload and copy link')
    expect(existsSync(join(share, 'kio/servicemenus/slipway.desktop'))).toBe(true)

    const desk = makeFiles(s.home, 'desk', { 'it’s 100% "a".txt': 'first', '-b.txt': 'second' })
    const files = ['it’s 100% "a".txt', '-b.txt'].map((name) => join(desk, name))
    await promisify(execFile)(script, [], {
      env: {
        ...process.env,
        SLIPWAY_DATA_DIR: s.data,
        SLIPWAY_API_KEY: KEY,
        XDG_CONFIG_HOME: join(s.home, 'config'),
        NAUTILUS_SCRIPT_SELECTED_URIS: files.map((file) => `${pathToFileURL(file).href}\n`).join(''),
      },
    })
    const contents = async (): Promise<string[]> =>
      Promise.all(
        (await clipboardText(s.app)).split('\n').map((link) => fetched(link).catch(() => 'no link')),
      )
    await expect.poll(contents).toEqual(['first', 'second'])

    await s.page.locator('label', { has: row }).click()
    await expect(s.page.getByText('Removed from: Files (under Scripts), Dolphin.')).toBeVisible()
    expect(existsSync(script)).toBe(false)
    rmSync(dir, { recursive: true, force: true })
  })

  test('in a sandbox that hides the desktop’s folders', async ({ slipway }) => {
    const s = await slipway({ env: { FLATPAK_ID: 'app.slipway.desktop' } })
    await test.step('the setting is hidden if no file manager can show the entry', async () => {
      await openLinks(s)
      await expect(s.page.getByRole('switch', { name: 'Copy links after a drop' })).toBeVisible()
      await expect(s.page.getByText('Menu of the file manager')).toHaveCount(0)
    })
    await test.step('the setting says so if Slipway can’t open at login', async () => {
      await openSection(s.page, 'Startup')
      await expect(s.page.getByText('Flatpak and Snap packages can’t set this.')).toBeVisible()
      await expect(s.page.getByRole('switch', { name: 'Keep running in the tray' })).toBeVisible()
      await expect(s.page.getByRole('switch', { name: 'Open at login' })).toHaveCount(0)
    })
  })
}
