// `npm run test:packaged -- --electron DIR [--packages DIR]`: makes the .deb, the .rpm and the AppImage around
// the Electron in DIR as a release does, in two versions, and installs, starts, upgrades and removes them
// (electron.installed.ts). `--packages`: those that an earlier run has made and kept there.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pkg from '../../package.json' with { type: 'json' }
import { OLDER, programIn, versionsOf } from '../electron/built.ts'
import { majorsOf, planFor } from '../electron/plan.ts'
import { ROOT } from '../tools/tree.ts'
import { LATER } from './made.ts'
import { build, pack, project, unpackedFolder } from './pack.ts'

/** Takes the fuse out of a configuration that came with Electron 29. */
function withoutNewFuse(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^ {2}grantFileProtocolExtraPrivileges:.*\n/m, ''))
}

/** Puts the packages into `folder`. */
async function makePackages(electron: string, folder: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'slipway-around-'))
  try {
    const versions = versionsOf(programIn(electron))
    const { build: target } = planFor(versions, 'dist', OLDER)
    process.env['SLIPWAY_BUILD_FOR'] = JSON.stringify(target)
    const app = project(home, await build(home))
    if (majorsOf(versions).electron < 29) withoutNewFuse(join(app, 'electron-builder.yml'))
    for (const one of [pkg.version, LATER]) {
      rmSync(unpackedFolder(app), { recursive: true, force: true })
      await pack({
        app,
        electron,
        system: 'linux',
        processor: process.arch,
        targets: ['deb', 'rpm', 'AppImage'],
        version: one,
        real: { version: versions.electron, format: target.format },
      })
    }
    mkdirSync(folder, { recursive: true })
    const out = join(app, 'out')
    for (const name of readdirSync(out).filter((file) => file.startsWith('slipway-')))
      copyFileSync(join(out, name), join(folder, name))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { electron: { type: 'string' }, packages: { type: 'string' } } })
const kept = values.packages === undefined ? null : resolve(values.packages)
const packages = kept ?? mkdtempSync(join(tmpdir(), 'slipway-packages-'))
try {
  if (kept === null || !existsSync(kept))
    await makePackages(resolve(values.electron ?? join(ROOT, 'node_modules/electron/dist')), packages)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const config = ['--config', 'test/packages/installed.config.ts']
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...config, 'electron.installed'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, SLIPWAY_PACKAGES: packages },
  })
  process.exitCode = status ?? 1
} finally {
  if (kept === null) rmSync(packages, { recursive: true, force: true })
}
