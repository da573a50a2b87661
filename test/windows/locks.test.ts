// Only on Windows: a file that another program has opened without sharing it waits, and is uploaded once that
// program closes it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld, sha256 } from '../scenario/cli-process.ts'
import { lockElsewhere } from './exclusive.ts'

describe('on win32, a file that another program does not share', () => {
  it('waits where it is named, with its reason, and is uploaded once it is let go', () =>
    inWorld(async (place, service) => {
      const file = place.write('report.docx', 'the report')
      const release = await lockElsewhere(file)
      const upload = place.start(['upload', file, '--json'], { url: service.url })
      await upload.says('"event":"waiting"')
      expect(service.ledger.files()).toEqual([])
      await release()
      const ended = await upload.ended
      expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' })
      expect(ended.out).toContain('"event":"waiting"')
      expect(service.ledger.files().map((one) => one.sha256)).toEqual([sha256('the report')])
    }))

  it('waits in a watched folder, while others are uploaded, and goes once it is let go', () =>
    inWorld(async (place, service) => {
      const file = place.write('report.docx', 'the report')
      const release = await lockElsewhere(file)
      const watch = place.start(['watch', place.folder, '--json'], { url: service.url })
      try {
        await expect.poll(() => watch.child.exitCode, { timeout: 100 }).toBeNull()
        writeFileSync(join(place.folder, 'other.txt'), 'another')
        await watch.says('other.txt')
        await expect
          .poll(() => service.ledger.files().map((one) => one.filename), { timeout: 60_000 })
          .toEqual(['other.txt'])
        await release()
        await expect.poll(() => service.ledger.files().length, { timeout: 60_000 }).toBe(2)
        expect(service.ledger.files().at(-1)?.sha256).toBe(sha256('the report'))
      } finally {
        watch.child.kill('SIGKILL')
        await watch.ended
      }
    }))
})
