// The tool that takes the pictures for a release takes them. Hosted machines run all of it; here, one state
// is enough.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

test('screenshots of a window state are taken in both sizes, light and dark', () => {
  test.setTimeout(120_000)
  const folder = join(mkdtempSync(join(tmpdir(), 'slipway-pictures-')), 'out')
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'screenshots.ts'), folder, '--only', 'empty'],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('empty:')])
  const pictures = readdirSync(folder).toSorted()
  expect(pictures).toEqual(
    ['dark-home', 'dark-small', 'light-home', 'light-small'].map((kind) => `files-empty-${kind}.png`),
  )
  const widths = pictures.map((name) => readFileSync(join(folder, name)).readUInt32BE(16))
  expect(widths).toEqual([1180, 820, 1180, 820])
  rmSync(join(folder, '..'), { recursive: true, force: true })
})
