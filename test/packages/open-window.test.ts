// Tests the helper that opens installed apps, with a Chromium on this machine in place of the app: it waits
// for the window, takes a screenshot, describes the content, ends the program, and reports if no window
// opens.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findChromium } from '../desktop/chromium.ts'
import { itNeeding } from '../tools/needing.ts'
import { openWindow } from './open-window.ts'

const home = mkdtempSync(join(tmpdir(), 'slipway-window-'))
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

const page = (html: string): string => `data:text/html,${encodeURIComponent(html)}`
const args = (html: string): string[] => [
  '--headless=new',
  '--no-sandbox',
  `--user-data-dir=${join(home, 'profile')}`,
  page(html),
]

describe('openWindow', () => {
  itNeeding('chromium', 'says what opened, keeps a picture of it, and ends it', async () => {
    const picture = join(home, 'window.png')
    const html = '<title>Slipway</title><main>files</main>'
    const window = await openWindow({ program: findChromium(), args: args(html), env: process.env, picture })
    expect(window.title).toBe('Slipway')
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG')
    await window.close()
  })

  it('fails where the program ends before there is a window', async () => {
    const started = openWindow({
      program: process.execPath,
      args: ['--eval', '0', '--'],
      env: process.env,
      picture: join(home, 'none.png'),
    })
    await expect(started).rejects.toThrow('ended before')
  })
})
