// The packages of each distribution, installed by its own program into a scratch root, upgraded, and removed.
// linux.test.ts makes them. Dependencies aren't checked there: the root has none of the distribution's
// packages.
import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { createService } from '../service/service.ts'
import { describeNeeding } from '../tools/needing.ts'
import type { Kind, Made } from './made.ts'
import { asRoot, everythingIn, scratchRoot } from './scratch-root.ts'

const run = promisify(execFile)

interface Installer {
  readonly alternatives: boolean
  install(root: string, file: string): string
  remove(root: string): string
}

const rpm = (root: string, ...args: readonly string[]): string =>
  asRoot('rpm', ['--root', root, '--dbpath', '/var/lib/rpm', '--nodeps', ...args])
const dpkg = (root: string, ...args: readonly string[]): string =>
  asRoot('dpkg', [`--root=${root}`, '--force-depends', '--force-unsafe-io', ...args])
const pacman = (root: string, ...args: readonly string[]): string => {
  const config = join(root, 'tmp/pacman.conf')
  writeFileSync(config, '[options]\nArchitecture = auto\nSigLevel = Never\nLocalFileSigLevel = Never\n')
  const own = [
    '--config',
    config,
    '--hookdir',
    join(root, 'tmp'),
    '--logfile',
    join(root, 'var/log/pacman.log'),
  ]
  return asRoot('pacman', ['--root', root, ...own, '--noconfirm', '--noprogressbar', '-dd', ...args])
}

const INSTALLERS: Readonly<Record<Kind, Installer>> = {
  deb: {
    alternatives: true,
    install: (root, file) => dpkg(root, '--install', file),
    remove: (root) => dpkg(root, '--purge', 'slipway'),
  },
  rpm: {
    alternatives: true,
    install: (root, file) => rpm(root, '--upgrade', file),
    remove: (root) => rpm(root, '--erase', 'slipway'),
  },
  pacman: {
    alternatives: false,
    install: (root, file) => pacman(root, '--upgrade', file),
    remove: (root) => pacman(root, '--remove', 'slipway'),
  },
}

/** Where a link leads in a root, by as many steps as it takes. */
function followed(root: string, path: string): string {
  return lstatSync(join(root, path)).isSymbolicLink() ? followed(root, readlinkSync(join(root, path))) : path
}

export function describeInstalling(made: () => Made): void {
  for (const kind of ['deb', 'rpm', 'pacman'] as const)
    describeNeeding('roots', `installed: ${kind}`, () => {
      const { alternatives, install, remove } = INSTALLERS[kind]
      let root = ''
      let before: readonly string[] = []
      const added = (): string[] => everythingIn(root).filter((path) => !before.includes(path))

      beforeAll(() => {
        root = mkdtempSync(join(made().home, `root-${kind}-`))
        scratchRoot(root, { alternatives })
        writeFileSync(join(root, 'tmp/pacman.conf'), '')
        for (const folder of made().shared) mkdirSync(join(root, folder), { recursive: true })
        before = everythingIn(root)
      })

      it('starts: its scripts have run, and its command line uploads', async () => {
        const said = install(root, made().files[kind])
        expect(said).not.toMatch(/error|warning: (?!.*(?:depend|not in PATH))|no such file|not found|failed/i)
        expect(followed(root, '/usr/bin/slipway-desktop')).toBe('/opt/Slipway/slipway-desktop')
        // No root of a scratch root may make namespaces, so the script chooses the other way to a sandbox.
        expect(lstatSync(join(root, 'opt/Slipway/chrome-sandbox')).mode & 0o7777).toBe(0o4755)

        const share = mkdtempSync(join(made().home, 'share-'))
        writeFileSync(join(share, 'installed.txt'), kind)
        const service = await createService({ dataDir: mkdtempSync(join(made().home, 'service-')) })
        try {
          const slipway = join(root, 'usr/bin/slipway')
          const env = {
            SLIPWAY_BASE_URL: service.url,
            SLIPWAY_API_KEY: service.key,
            SLIPWAY_DATA_DIR: mkdtempSync(join(made().home, 'data-')),
          }
          // Its program is the stand-in, which prints what it gets.
          const app = (
            await run(join(root, 'opt/Slipway/slipway-desktop'), [], {
              env: { ...env, PATH: process.env['PATH'] },
            })
          ).stdout
          expect(app).toContain('/opt/Slipway/slipway-desktop.bin\n')
          expect(app).toMatch(new RegExp(`^(?!.*SLIPWAY_API_KEY=)[^]*\n${service.key}\n$`))
          expect((await run(slipway, ['--version'], { env })).stdout).toBe(`${pkg.version}\n`)
          const { stdout } = await run(slipway, ['watch', share, '--once', '--json'], { env })
          expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
            event: 'summary',
            seen: 1,
            uploaded: 1,
          })
          expect(service.ledger.live().map((file) => file.filename)).toEqual(['installed.txt'])
        } finally {
          await service.close()
        }
      })

      it('keeps the app on PATH when it is upgraded', () => {
        install(root, made().later[kind])
        expect(added().filter((path) => path.endsWith('/engine.js'))).toEqual([])
        expect(followed(root, '/usr/bin/slipway-desktop')).toBe('/opt/Slipway/slipway-desktop')
      })

      it('leaves nothing behind when it is removed', () => {
        remove(root)
        expect(added()).toEqual([])
      })
    })
}
