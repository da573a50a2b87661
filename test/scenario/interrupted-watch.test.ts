// A watch in a real process that is ended by Ctrl+C or SIGTERM while it has nothing left to do. The next
// command must see the same state: ending a watch must not be mistaken for deleting its files.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createService, type Service } from '../service/service.ts'
import { createPlace, type Place, sha256 } from './cli-process.ts'

const Audit = z.object({
  seen: z.int(),
  uploaded: z.int(),
  waiting: z.int(),
  held: z.int(),
  failed: z.int(),
  ignored: z.int(),
})

const Status = z.object({ folders: z.array(z.object({ path: z.string() })) })

async function inWorld(
  options: Parameters<typeof createService>[0],
  work: (place: Place, service: Service) => Promise<void>,
): Promise<void> {
  const place = createPlace()
  const service = await createService({ plan: 'pro', key: place.key, ...options })
  try {
    await work(place, service)
  } finally {
    await service.close()
    place.remove()
  }
}

async function audit(place: Place, service: Service): Promise<z.infer<typeof Audit>> {
  const ended = await place.run(['audit', place.folder, '--json'], { url: service.url })
  return Audit.parse(JSON.parse(ended.out))
}

/**
 * The exit code of a watch that was sent a signal. Windows has no signals: there the process is ended at
 * once, as by SIGKILL.
 */
const ENDED = process.platform === 'win32' ? null : 130

const HELD = { seen: 4, uploaded: 2, waiting: 1, held: 1, failed: 0, ignored: 0 }

describe.each(['SIGINT', 'SIGTERM'] as const)('%s to an idle watch', (signal) => {
  it('doesn’t mistake anything for deleted if everything is uploaded or held', async () => {
    await inWorld({}, async (place, service) => {
      for (const name of ['one.txt', 'sub/two.txt', '.env']) place.write(name, name)
      const all = { seen: 3, uploaded: 2, waiting: 0, held: 1, failed: 0, ignored: 0 }
      const running = place.start(['watch', place.folder], { url: service.url })
      await running.lines(2)
      await expect.poll(() => audit(place, service), { timeout: 20_000 }).toEqual(all)
      running.child.kill(signal)
      expect((await running.ended).code).toBe(ENDED)
      expect(await audit(place, service)).toEqual(all)
    })
  })

  it('doesn’t mistake anything for deleted if something is still waiting', async () => {
    await inWorld({ limits: { dailyUploads: 2, dayTurnsAt: 'rolling' } }, async (place, service) => {
      for (const name of ['one.txt', 'two.txt', 'three.txt']) place.write(name, name)
      place.write('sub/.env', 'SECRET=1')
      const running = place.start(['watch', place.folder], { url: service.url })
      await running.lines(2)
      await expect.poll(() => audit(place, service), { timeout: 20_000 }).toEqual(HELD)
      running.child.kill(signal)
      expect((await running.ended).code).toBe(ENDED)
      expect(await audit(place, service)).toEqual(HELD)
    })
  })

  it.each([
    ['ignore', 'version one'],
    ['replace', 'version two, longer'],
  ] as const)('keeps what --on-change %s needs to know', async (onChange, expected) => {
    await inWorld({}, async (place, service) => {
      const path = place.write('page.txt', 'version one')
      const running = place.start(['watch', place.folder, '--on-change', onChange], { url: service.url })
      await running.lines(1)
      // Wait until the engine is idle after the upload.
      await new Promise((resolve) => setTimeout(resolve, 500))
      running.child.kill(signal)
      await running.ended
      writeFileSync(path, 'version two, longer')
      renameSync(path, `${path}.new`)
      renameSync(`${path}.new`, path)
      const again = await place.run(['watch', place.folder, '--once', '--on-change', onChange], {
        url: service.url,
      })
      expect(again.code).toBe(0)
      await expect.poll(() => service.ledger.live().map((file) => file.sha256)).toEqual([sha256(expected)])
    })
  })
})

describe('a watch that is killed while another process runs the engine', () => {
  it('sends nothing more from its folder', async () => {
    await inWorld({}, async (place, service) => {
      place.write('one.txt', 'one')
      const owner = place.start(['watch', place.folder], { url: service.url })
      await owner.lines(1)
      const other = `${place.folder} beside`
      mkdirSync(other)
      writeFileSync(`${other}/two.txt`, 'two')
      const killed = place.start(['watch', other], { url: service.url })
      await killed.lines(1)
      const watched = async (): Promise<readonly string[]> => {
        const ended = await place.run(['status', '--json'], { url: service.url })
        return Status.parse(JSON.parse(ended.out)).folders.map(({ path }) => path)
      }
      expect(await watched()).toHaveLength(2)
      killed.child.kill('SIGKILL')
      await killed.ended
      await expect.poll(watched, { timeout: 20_000 }).toEqual([place.folder])
      writeFileSync(`${other}/three.txt`, 'three')
      place.write('four.txt', 'four')
      await owner.lines(2)
      owner.child.kill('SIGINT')
      expect((await owner.ended).code).toBe(ENDED)
      expect(service.ledger.live().map((file) => file.filename)).toEqual(['one.txt', 'two.txt', 'four.txt'])
    })
  })
})

describe('a watch that is interrupted while files are being sent', () => {
  it.runIf(process.platform !== 'win32')('prints the links of those that arrive before it ends', async () => {
    await inWorld({}, async (place, service) => {
      service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'answer-late', ms: 700 } }] })
      for (const name of ['one.txt', 'two.txt', 'three.txt']) place.write(name, name)
      const running = place.start(['watch', place.folder], { url: service.url })
      await expect.poll(() => service.ledger.live().length, { timeout: 20_000 }).toBe(3)
      running.child.kill('SIGINT')
      const { code, out, err } = await running.ended
      expect(code).toBe(ENDED)
      for (const { filename } of service.ledger.live()) expect(out).toContain(filename)
      expect(err).toContain('3 uploaded')
    })
  })
})
