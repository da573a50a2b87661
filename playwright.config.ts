// How the desktop specs run: on Electron where its binary is installed, on the stand-in of test/desktop elsewhere. The specs are the same.
// SLIPWAY_E2E=electron insists on the binary, SLIPWAY_E2E=stand-in on the stand-in. A failed test is not tried again.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from '@playwright/test'

const here = import.meta.dirname
const installed = existsSync(join(here, 'node_modules/electron/path.txt'))
const wanted = process.env['SLIPWAY_E2E'] ?? (installed ? 'electron' : 'stand-in')
if (wanted !== 'electron' && wanted !== 'stand-in') throw new Error('SLIPWAY_E2E is either electron or stand-in.')
if (wanted === 'electron' && !installed)
  throw new Error("Electron's binary is not installed. Run npx install-electron, or leave SLIPWAY_E2E out.")
if (wanted === 'stand-in') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = resolve(here, 'test/desktop/bin')

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: join(tmpdir(), 'slipway-e2e'),
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 30_000,
  reporter: [['list'], ['json', { outputFile: process.env['SLIPWAY_E2E_REPORT'] ?? join(tmpdir(), 'slipway-e2e-report.json') }]],
})
