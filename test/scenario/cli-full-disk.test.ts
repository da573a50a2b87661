// The command line as a process whose data folder is on a full disk: it prints a clear message and exits with 1 instead of showing an
// exception. The disk is a small one in a private mount table; if that isn't possible (no root, not Linux), the test does nothing.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../service/service.ts'
import { createPlace, type Ended, type Place } from './cli-process.ts'

const MAIN = join(import.meta.dirname, '../../src-main/cli/main.ts')
const FULL = `mount -t tmpfs -o size=2000k,mode=700 none "$1" && "$2" "$3" status >/dev/null || exit 99
dd if=/dev/zero of="$1/fill" bs=4k 2>/dev/null
shift
exec "$@"`

const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt'], { stdio: 'ignore' }).status === 0

let place: Place
let service: Service

beforeEach(async () => {
  place = createPlace()
  service = await createService({ plan: 'pro', key: place.key })
  mkdirSync(place.data)
})
afterEach(async () => {
  await service.close()
  place.remove()
})

function runFull(args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], SLIPWAY_BASE_URL: service.url, SLIPWAY_API_KEY: place.key, SLIPWAY_DATA_DIR: place.data }
  return new Promise((resolve) => {
    const child = execFile(
      'unshare',
      ['-m', '--propagation', 'private', 'sh', '-c', FULL, 'sh', place.data, process.execPath, MAIN, ...args],
      { env, timeout: 30_000 },
      (_error, out, err) => resolve({ code: child.exitCode, signal: child.signalCode, out, err }),
    )
  })
}

if (canMount)
  describe('a full disk under the data folder', () => {
    it.each([[['upload']], [['upload', '--json']], [['plan']]])('is said in plain words, and nothing is sent: %j', async (args) => {
      const path = place.write('a.txt', 'a')
      const ended = await runFull([...args, path])
      expect(ended).toMatchObject({ code: 1, signal: null })
      expect(ended.err).not.toMatch(/Internal error|mistake|^\s+at /m)
      expect(ended.err).toContain("Couldn't write to disk: no space left")
      if (args.includes('--json')) expect(JSON.parse(ended.out)).toMatchObject({ error: { code: 'disk' } })
      expect(service.ledger.files()).toEqual([])
    })
  })
