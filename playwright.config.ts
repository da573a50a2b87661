// How the desktop specs run: on Electron or on the stand-in of test/desktop, with the same specs. A failed test is not tried again.
// Two apps at a time: each brings a Chromium of its own, and two cores are the least that machines have.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chooseElectron } from './test/desktop/choose.ts'

chooseElectron()

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: join(tmpdir(), 'slipway-e2e'),
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 30_000,
  reporter: [['list'], ['json', { outputFile: process.env['SLIPWAY_E2E_REPORT'] ?? join(tmpdir(), 'slipway-e2e-report.json') }]],
})
