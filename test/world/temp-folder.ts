// Folders on the real disk for single tests.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A new folder in `above`, deleted after the test. Its path contains no links. Call in a test or in
 * `beforeEach`.
 */
export function tempFolder(above = tmpdir()): string {
  const dir = realpathSync(mkdtempSync(join(above, 'slipway-test-')))
  // Windows deletes no file that is open, and a process that was ended may take a moment to close its files.
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }))
  return dir
}
