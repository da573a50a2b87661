// Only on Windows, where the system closes the pipe and the locks of a killed process: another one takes over
// its work.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld } from '../scenario/cli-process.ts'

describe('on win32, a watch beside another one', () => {
  it('takes over the engine once the first is killed, and sends nothing twice', () =>
    inWorld(async (place, service) => {
      place.write('a.txt', 'a')
      const other = join(place.home, 'Other')
      mkdirSync(other)
      writeFileSync(join(other, 'b.txt'), 'b')
      const first = place.start(['watch', place.folder, '--json'], { url: service.url })
      await first.says('"event":"uploaded"')
      // Another spelling of the same data folder, so the second process uses the engine of the first.
      const env = { SLIPWAY_DATA_DIR: place.data.toUpperCase() }
      const second = place.start(['watch', other, '--json'], { url: service.url, env })
      try {
        await second.says('"event":"uploaded"')
        expect((await place.run(['status'], { url: service.url })).out).toContain('another process')
        first.child.kill('SIGKILL')
        await first.ended
        writeFileSync(join(other, 'c.txt'), 'c')
        await second.says('c.txt')
        const stored = (): readonly string[] => service.ledger.files().map((one) => one.filename)
        await expect.poll(stored, { timeout: 60_000 }).toEqual(['a.txt', 'b.txt', 'c.txt'])
        expect((await place.run(['status'], { url: service.url })).out).toContain('another process')
        expect(stored()).toHaveLength(3)
      } finally {
        for (const { child, ended } of [first, second]) {
          child.kill('SIGKILL')
          await ended
        }
      }
    }))
})
