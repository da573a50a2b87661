// A killed process leaves the journal's latest commits in its write-ahead log. If that log is damaged, SQLite
// silently drops them. What they confirmed is then looked up on the service, and nothing is uploaded twice.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createService } from '../service/service.ts'
import { createPlace } from './cli-process.ts'

const FILES = 20

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

function flip(bytes: Buffer, part: number): Buffer {
  const at = Math.floor(bytes.length * part)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  return bytes
}

it.each([
  ['flipped in the middle', (log: Buffer) => flip(log, 0.5)],
  ['flipped near its end', (log: Buffer) => flip(log, 0.9)],
  ['cut', (log: Buffer) => log.subarray(0, Math.floor(log.length * 0.7))],
])('a log that is %s', async (_name, damage) => {
  const service = await createService({ plan: 'enterprise' })
  ends.push(() => service.close())
  const at = createPlace()
  ends.push(() => at.remove())
  for (let i = 0; i < FILES; i++) at.write(`${i}.txt`, `content ${i}`)
  const access = { url: service.url, env: { SLIPWAY_API_KEY: service.key } }
  const watching = at.start(['watch', at.folder, '--json'], access)
  await expect.poll(() => service.ledger.live().length, { timeout: 20_000 }).toBe(FILES)
  await watching.lines(FILES)
  watching.child.kill('SIGKILL')
  await watching.ended
  const log = join(at.data, 'journal.db-wal')
  writeFileSync(log, damage(readFileSync(log)))
  const again = await at.run(['watch', at.folder, '--once', '--json'], access)
  expect([again.code, again.err]).toEqual([0, again.err])
  await service.idle()
  expect(service.requests.list().filter((request) => request.endpoint === 'upload')).toHaveLength(FILES)
  expect(service.ledger.live()).toHaveLength(FILES)
})
