// Files that exist but can't be examined, here because their path exceeds the system's limit. Every command
// must count and name them, and its exit code must say that not everything is uploaded.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createService } from '../service/service.ts'
import { createPlace, type Place } from './cli-process.ts'

/**
 * Creates two accessible files, nested folders until the path is too long, and a file in the last one. A
 * shell gets there step by step.
 */
function fill(place: Place): void {
  place.write('one.txt', 'one')
  place.write('two.txt', 'two')
  const name = 'n'.repeat(200)
  execFileSync(
    'sh',
    ['-c', `for i in $(seq 21); do mkdir ${name} && cd -P ${name} || exit 1; done; echo deep > deep.txt`],
    {
      cwd: place.folder,
    },
  )
}

describe.skipIf(process.platform !== 'linux')('a path that is too long', () => {
  it('is counted as failed by upload, plan, watch and audit', async () => {
    const place = createPlace()
    const service = await createService({ plan: 'pro', key: place.key })
    try {
      fill(place)
      const url = service.url
      const planned = await place.run(['plan', place.folder, '--json'], { url })
      expect({ code: planned.code, plan: JSON.parse(planned.out) }).toMatchObject({
        code: 4,
        plan: { files: 2, failed: 1 },
      })
      const uploaded = await place.run(['upload', place.folder, '--json'], { url })
      expect({ code: uploaded.code, err: uploaded.err }).toEqual({ code: 4, err: '' })
      const lines = uploaded.out
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
      expect(lines).toContainEqual(expect.objectContaining({ event: 'failed', reason: 'unreadable' }))
      expect(lines.at(-1)).toEqual({
        event: 'summary',
        seen: 3,
        uploaded: 2,
        waiting: 0,
        held: 0,
        failed: 1,
        ignored: 0,
      })
      const watched = await place.run(['watch', place.folder, '--once', '--json'], { url })
      expect(watched.code).toBe(4)
      const events = watched.out
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
      expect(events).toContainEqual(expect.objectContaining({ event: 'failed', reason: 'unreadable' }))
      expect(events.at(-1)).toMatchObject({ seen: 3, failed: 1 })
      const audit = await place.run(['audit', place.folder, '--json'], { url })
      expect(JSON.parse(audit.out)).toMatchObject({
        seen: 3,
        failed: 1,
        lists: { failed: [{ reason: 'unreadable' }] },
      })
    } finally {
      execFileSync('rm', ['-rf', place.folder])
      await service.close()
      place.remove()
    }
  })
})
