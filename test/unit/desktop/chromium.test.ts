// A Chromium that doesn't start is reported in one sentence that says what is missing and what to do.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findChromium, startChromium, startFault, systemChromium } from '../../desktop/chromium.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const LOADER =
  '/opt/chromium: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory\n'

it('a missing library is named', () => {
  expect(startFault('/opt/chromium', 'it ended with 127', LOADER)).toMatch(
    /^The window couldn’t start: Chromium \(\/opt\/chromium\) needs libnss3\.so, which this system lacks; .*install .*\.$/i,
  )
})

it('another reason is the last line that it printed', () => {
  const fault = startFault('/opt/chromium', 'it ended with SIGTRAP', 'a warning\nno space left on device\n')
  expect(fault).toBe(
    'The window couldn’t start: Chromium (/opt/chromium) didn’t: it ended with SIGTRAP: no space left on device.',
  )
  expect(startFault('/opt/chromium', 'spawn ENOENT', '')).toBe(
    'The window couldn’t start: Chromium (/opt/chromium) didn’t: spawn ENOENT.',
  )
})

describe.skipIf(process.platform === 'win32')('a program in place of Chromium', () => {
  let dir = ''
  beforeEach(() => {
    dir = tempFolder()
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const started = (script: string): Promise<unknown> => {
    const program = join(dir, 'chromium')
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
    vi.stubEnv('SLIPWAY_CHROMIUM', program)
    return startChromium({ schemePort: 1, language: 'en-GB', environment: process.env })
  }

  it('that lacks a library fails with that sentence', async () => {
    await expect(started(`printf '%s' '${LOADER}' >&2; exit 127`)).rejects.toThrow(
      /needs libnss3\.so, which this system lacks/,
    )
  })

  it('that has no sandbox is started again without one, except as root, who has none at all', async () => {
    const starts = started(
      `case "$*" in *--no-sandbox*) echo second >&2 ;; *) echo 'No usable sandbox!' >&2 ;; esac; exit 1`,
    )
    await expect(starts).rejects.toThrow(/it ended with 1: second\.$/)
  })

  it('that is not there fails in a sentence', async () => {
    vi.stubEnv('SLIPWAY_CHROMIUM', join(dir, 'gone'))
    expect(systemChromium()).toBe(join(dir, 'gone'))
    expect(findChromium()).toBe(join(dir, 'gone'))
    const start = startChromium({ schemePort: 1, language: 'en-GB', environment: process.env })
    await expect(start).rejects.toThrow(/^The window couldn’t start: .*ENOENT\.$/)
  })
})
