// A rules file that is there but isn't a readable text file, on a real disk: whatever it is, it counts as
// unreadable, and reading it never waits. Only a name that doesn't exist means that there are no rules.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rulesFileIn } from '../../../../src-main/engine/find/entries.ts'
import type { Disk } from '../../../../src-main/engine/ports.ts'
import { rulesText } from '../../../../src-main/engine/rules/ignore-rules.ts'
import { createOwnPlaces } from '../../../../src-main/engine/rules/own-places.ts'
import { createAdmission } from '../../../../src-main/engine/rules/path-facts.ts'
import { readSettings } from '../../../../src-main/platform/data/settings.ts'
import { createDisk } from '../../../../src-main/platform/disk/disk.ts'
import { spawnWorker } from '../../../../src-main/platform/worker/spawn-worker.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'

let dir: string
let disk: ReturnType<typeof createDisk>
let server: Server | null

beforeEach(() => {
  dir = realpathSync.native(mkdtempSync(join(tmpdir(), 'slipway-rules-')))
  disk = createDisk({ spawn: spawnWorker })
  server = null
})
afterEach(async () => {
  server?.close()
  await disk.close()
  rmSync(dir, { recursive: true, force: true })
})

/** The text as a scan finds it, and as the check right before an upload does. */
async function texts(place: Disk): Promise<readonly unknown[]> {
  const [list] = await place.list([dir])
  if (list === undefined) throw new Error('no listing')
  const scanned = await rulesText(place, dir, rulesFileIn(list, false))
  const own = await createOwnPlaces(place, { dirs: [], pasted: null }, () => [])
  const guard = { byName: () => null }
  const roots = { all: () => [], isOpen: () => true }
  const admission = createAdmission({ disk: place, clock: createFakeClock(), guard, own, roots })
  const chain = await admission.chain(dir)
  return [scanned, chain.texts.find((one) => one.dir === dir)?.text]
}

describe.skipIf(process.platform === 'win32')('.slipwayignore', () => {
  const at = (): string => join(dir, '.slipwayignore')
  it.each<readonly [string, () => unknown]>([
    ['a named pipe', () => execFileSync('mkfifo', [at()])],
    [
      'a link to a named pipe',
      () => {
        execFileSync('mkfifo', [join(dir, 'pipe')])
        symlinkSync('pipe', at())
      },
    ],
    ['a folder', () => mkdirSync(at())],
    ['a link to a folder', () => symlinkSync(tmpdir(), at())],
    ['a link to a device', () => symlinkSync('/dev/zero', at())],
    ['a link to the null device', () => symlinkSync('/dev/null', at())],
    ['a link to nothing', () => symlinkSync(join(dir, 'unmounted', 'rules'), at())],
    [
      'a link through a file',
      () => {
        writeFileSync(join(dir, 'file'), '')
        symlinkSync('file/rules', at())
      },
    ],
    [
      'a socket',
      async () => {
        const opened = createServer()
        server = opened
        await new Promise<void>((resolve) => opened.listen(at(), resolve))
      },
    ],
  ])('is unreadable if it is %s', async (_what, make) => {
    await make()
    expect(await texts(disk)).toEqual([null, null])
  })

  it('means that there are no rules if it doesn’t exist', async () => {
    expect(await texts(disk)).toEqual([undefined, undefined])
  })

  it('applies if it is a link to a file', async () => {
    writeFileSync(join(dir, 'rules'), '*.log')
    symlinkSync('rules', at())
    expect(await texts(disk)).toEqual(['*.log', '*.log'])
  })
})

describe.skipIf(process.platform === 'win32')('the settings, which hold the rules about secrets', () => {
  const at = (): string => join(dir, 'settings.json')
  it.each<readonly [string, () => unknown]>([
    ['a link to nothing', () => symlinkSync(join(dir, 'unmounted', 'settings'), at())],
    ['a named pipe', () => execFileSync('mkfifo', [at()])],
    ['a folder', () => mkdirSync(at())],
  ])('aren’t replaced by the defaults if they are %s', (_what, make) => {
    make()
    expect(() => readSettings(at(), 0)).toThrow(/settings\.json/)
  })

  it('are the defaults if there is no such file', () => {
    expect(readSettings(at(), 0).message).toBeNull()
  })
})
