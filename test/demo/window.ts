// The demo with its window: the app, signed in to a reference service on loopback, watching a folder of real
// files while more are saved into it. Uses Electron if its binary is installed, else a Chromium on this
// machine. Checks nothing, unlike the demo without a window.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src-main/engine/journal/database.ts'
import { createFiles } from '../../src-main/engine/journal/files.ts'
import { journalFiles } from '../../src-main/platform/data/journal-files.ts'
import { writeSettings } from '../../src-main/platform/data/settings.ts'
import { DEFAULT_APP_SETTINGS } from '../../src-shared/settings.ts'
import { systemChromium } from '../desktop/chromium.ts'
import { seedAccount } from '../e2e/seed.ts'
import { createService } from '../service/service.ts'
import { appEnvironment, fetchElectron, hasDisplay } from '../tools/start.ts'
import { runStep } from '../tools/steps.ts'
import { ROOT } from '../tools/tree.ts'
import { firstSamples, heldBack, laterSamples, write } from './sample-folder.ts'

/** Long enough to see the first uploads. */
const LATER_MS = 6000

/** The program that can show the window here; null if there is none or if there is no display. */
export async function windowProgram(say: (text: string) => void): Promise<string | null> {
  if (!hasDisplay(process.platform, process.env)) return null
  const electron = await fetchElectron()
  if ('binary' in electron) return electron.binary
  // The stand-in is a shell script.
  if (process.platform === 'win32') return null
  // A headless shell, such as one that was fetched for tests, shows no window.
  if (systemChromium(true) === null) return null
  say('Electron can’t be fetched from here, so the window opens in Chromium.')
  return join(ROOT, 'test/desktop/bin/electron')
}

/** Resolves to an exit code when the window is closed. */
export async function demoWindow(program: string, say: (text: string) => void): Promise<number> {
  if (!existsSync(join(ROOT, 'dist/main/main.js')) || !existsSync(join(ROOT, 'dist/renderer/index.html'))) {
    say('Building the app …')
    if (!runStep({ name: 'build', command: 'vite', args: ['build', '--app'] }).ok) return 1
  }
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-demo-')))
  const folder = join(home, 'Share')
  const data = join(home, 'data')
  const key = `demo-${randomBytes(12).toString('hex')}`
  mkdirSync(data, { mode: 0o700 })
  write(folder, [...firstSamples(), ...heldBack()])
  const service = await createService({ plan: 'pro', key, dataDir: join(home, 'service') })
  seedAccount(service, 240)
  writeSettings(join(data, 'settings.json'), {
    baseUrl: service.url,
    app: { ...DEFAULT_APP_SETTINGS, welcomed: true, closeToTray: false },
  })
  const { db } = openDatabase({
    file: join(data, 'journal.db'),
    files: journalFiles,
    seal: null,
    now: Date.now(),
  })
  createFiles(db).addFolder({
    path: folder,
    existing: 'upload',
    onChange: 'new-link',
    ignore: [],
    keep: true,
    at: Date.now(),
  })
  db.close()
  writeFileSync(
    join(home, 'README.txt'),
    'Save files into Share while the window is open; their links come up by themselves.\n',
  )

  say(`Service   ${service.url} (plan Pro: 50 requests a minute)`)
  say(`Folder    ${folder}`)
  say('Save files into that folder, or drop them on the window. Closing the window ends the demo.\n')
  const app = spawn(program, [ROOT], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...appEnvironment(process.env),
      SLIPWAY_DATA_DIR: data,
      SLIPWAY_API_KEY: key,
      SLIPWAY_HEADED: '1',
    },
  })
  const later = setTimeout(() => write(folder, laterSamples()), LATER_MS)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.kill(signal))
  const code = await new Promise<number>((resolve) => {
    app.once('error', (error) => {
      say(error.message)
      resolve(1)
    })
    app.once('exit', (ended) => resolve(ended ?? 0))
  })
  clearTimeout(later)
  await service.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  return code
}
