// Takes some seconds: builds Slipway in a folder of its own, and makes the .deb of it with the project's
// configuration. Unpacks it below another root, and runs the command line and the window from there. pack.ts
// describes what is replaced by a stand-in and what stays untested. linux.long.test.ts makes everything else.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { _electron } from '@playwright/test'
import { afterAll, beforeAll, expect } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { DEFAULT_APP_SETTINGS } from '../../src-shared/settings.ts'
import { createService } from '../service/service.ts'
import { describeNeeding, itNeeding } from '../tools/needing.ts'
import { ROOT } from '../tools/tree.ts'
import { describeAppFolder } from './app-folder.ts'
import { type Asar, readAsar } from './asar.ts'
import { describeCommandLine } from './command-line.ts'
import { describeDeb } from './deb.ts'
import { sha256 } from './files.ts'
import { packagesIn } from './made.ts'
import { build, pack, project, standInForLinux, unpackedFolder } from './pack.ts'

const run = promisify(execFile)
const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-deb-')))

describeNeeding('dpkg', 'the package for Debian (slow)', () => {
  const root = join(home, 'root')
  let app = ''
  let folder = ''
  let asar: Asar
  let deb = ''

  beforeAll(async () => {
    app = project(home, await build(home, { strip: false }))
    await pack({
      electron: standInForLinux(home),
      system: 'linux',
      processor: process.arch,
      app,
      targets: ['deb'],
    })
    folder = unpackedFolder(app)
    asar = readAsar(join(folder, 'resources/app.asar'))
    deb = packagesIn(app, pkg.version).deb
    execFileSync('dpkg-deb', ['--extract', deb, root])
  })
  afterAll(() => {
    rmSync(home, { recursive: true, force: true })
  })

  describeAppFolder(() => ({ home, app, folder, asar }))
  describeDeb(() => ({ deb, root }))

  itNeeding(
    'chromium',
    'opens its window from the files of the package, and uploads for its command line, which is a client of it',
    async () => {
      // Electron reads the archive itself, but the stand-in can't, so its files are extracted next to those
      // kept outside.
      const unpacked = join(home, 'unpacked')
      cpSync(join(root, 'opt/Slipway/resources/app.asar.unpacked'), unpacked, { recursive: true })
      for (const [file, content] of asar.inside) {
        mkdirSync(dirname(join(unpacked, file)), { recursive: true })
        writeFileSync(join(unpacked, file), content)
      }
      const service = await createService({ dataDir: join(home, 'service-app') })
      const data = join(home, 'data-app')
      mkdirSync(data, { mode: 0o700 })
      // Without the welcome, the window shows the files.
      const settings = { baseUrl: service.url, app: { ...DEFAULT_APP_SETTINGS, welcomed: true } }
      writeFileSync(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
      const env = {
        ...(process.env as Record<string, string>),
        SLIPWAY_DATA_DIR: data,
        SLIPWAY_BASE_URL: service.url,
        SLIPWAY_API_KEY: service.key,
        XDG_CONFIG_HOME: join(home, 'config-app'),
      }
      const started = await _electron.launch({
        executablePath: join(ROOT, 'test/desktop/bin/electron'),
        args: [unpacked],
        env,
        colorScheme: null,
      })
      try {
        const page = await started.firstWindow()
        await page.locator('main').first().waitFor()
        const slipway = join(root, 'usr/bin/slipway')
        const { stdout } = await run(slipway, ['status', '--json'], { env })
        expect(JSON.parse(stdout)).toMatchObject({ engine: 'another-process' })
        const file = join(home, 'through the app.txt')
        writeFileSync(file, 'through the app')
        await run(slipway, ['upload', file], { env })
        expect(service.ledger.live().map((one) => [one.filename, one.sha256])).toEqual([
          ['through the app.txt', sha256(file)],
        ])
        await page.getByRole('row').filter({ hasText: 'through the app.txt' }).first().waitFor()
      } finally {
        await started.close()
        await service.close()
      }
    },
  )

  describeCommandLine(() => ({ home, root }))
})
