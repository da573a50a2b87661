// Installs every package in out/ for this system and tests it: the command line starts by name, the app opens
// its window, and the two communicate. Saves a picture of the screen with each window in out/pictures, where
// the system has what that takes. Only for disposable machines: continuous integration runs it with the
// packages it has just made.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { createService } from '../service/service.ts'
import { ROOT } from '../tools/tree.ts'
import { install, isFor } from './install.ts'
import { openWindow, takePicture } from './open-window.ts'

const out = join(ROOT, 'out')
const pictures = join(out, 'pictures')
const files = readdirSync(out).filter(
  (name) => name.startsWith(`slipway-${pkg.version}-`) && isFor(name, process.platform),
)

describe(`the packages for ${process.platform}`, () => {
  it('are there', () => {
    expect(files).not.toEqual([])
  })

  it.each(files)('%s installs, starts, and is gone afterwards', async (file) => {
    mkdirSync(pictures, { recursive: true })
    const home = mkdtempSync(join(tmpdir(), 'slipway-installed-'))
    const service = await createService({ dataDir: join(home, 'service') })
    const installed = await install(join(out, file), join(home, 'installed'))
    try {
      const env = {
        ...process.env,
        SLIPWAY_DATA_DIR: join(home, 'data'),
        SLIPWAY_BASE_URL: service.url,
        SLIPWAY_API_KEY: service.key,
      }
      const close = await openWindow({ program: installed.app, env: { ...env, ...installed.env } })
      try {
        await takePicture(join(pictures, `${file}.png`))
        if (installed.cli !== null) {
          const slipway = (...args: readonly string[]): string =>
            execFileSync(installed.cli ?? '', args, { encoding: 'utf8', env })
          expect(slipway('--version').trim()).toBe(pkg.version)
          // The app runs the engine; the command line is its client.
          expect(JSON.parse(slipway('status', '--json'))).toMatchObject({ engine: 'another-process' })
          // Elsewhere, a dialog says so, which nobody closes here.
          if (process.platform === 'linux')
            expect(spawnSync(installed.app, ['--remote-debugging-port=0'], { env }).status).toBe(2)
        }
      } finally {
        await close()
      }
    } finally {
      await installed.remove()
      await service.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
    }
    if (installed.onPath)
      expect(spawnSync(process.platform === 'win32' ? 'where' : 'which', ['slipway']).status).not.toBe(0)
  })
})
