// When the running app notices that its files were replaced.
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { watchReplacement } from '../../../src-main/shell/app/unpacked-files.ts'

const home = mkdtempSync(join(tmpdir(), 'slipway-replaced-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('watchReplacement', () => {
  it('notices that an installer has put new files into place', async () => {
    const folder = join(home, 'resources')
    mkdirSync(folder)
    writeFileSync(join(folder, 'app.asar'), 'old')
    utimesSync(folder, 1, 1)
    const isReplaced = watchReplacement(folder)
    expect(await isReplaced()).toBe(false)
    writeFileSync(join(home, 'app.asar'), 'new')
    renameSync(join(home, 'app.asar'), join(folder, 'app.asar'))
    // Packages give a folder the same time in every version. Again, if the file system's clock hasn't moved yet.
    await expect
      .poll(() => {
        utimesSync(folder, 1, 1)
        return isReplaced()
      })
      .toBe(true)
  })

  it('says nothing where the app was removed, or its folder can’t be read', async () => {
    const folder = join(home, 'removed')
    mkdirSync(folder)
    const isReplaced = watchReplacement(folder)
    expect(await isReplaced()).toBe(false)
    rmSync(folder, { recursive: true })
    expect(await isReplaced()).toBe(false)
    expect(await watchReplacement(folder)()).toBe(false)
  })
})
