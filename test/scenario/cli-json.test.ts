// What scripts read from `upload --json`, with the command line as a process and the reference service.
// Whether something was sent is determined by the service's log.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createService, type Service } from '../service/service.ts'
import { createPlace, type Place } from './cli-process.ts'

let place: Place
let service: Service

beforeEach(async () => {
  place = createPlace()
  service = await createService({ plan: 'pro', key: place.key })
})
afterEach(async () => {
  await service.close()
  place.remove()
})

it('distinguishes a file that was sent from one whose content was already there', async () => {
  const sentOf = async (path: string): Promise<unknown> => {
    const { out } = await place.run(['upload', path, '--json'], { url: service.url })
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; sent?: boolean })
    return lines.find((line) => line.event === 'uploaded')?.sent
  }
  expect(await sentOf(place.write('a.txt', 'same'))).toBe(true)
  expect(await sentOf(place.write('a.txt', 'same'))).toBe(false)
  expect(await sentOf(place.write('b.txt', 'same'))).toBe(false)
  expect(service.ledger.files()).toHaveLength(1)
})

it('answers with the path that was named, not with the one that a symbolic link leads to', async () => {
  place.write('real/a.txt', 'one')
  const link = join(place.folder, 'link.txt')
  const dir = join(place.folder, 'dir')
  symlinkSync(join(place.folder, 'real', 'a.txt'), link)
  symlinkSync(join(place.folder, 'real'), dir)
  for (const [typed, path] of [
    [link, link],
    [link, link],
    [dir, join(dir, 'a.txt')],
  ] as const) {
    const { out } = await place.run(['upload', typed, '--json'], { url: service.url })
    const paths = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { path?: string }).path)
    expect(paths).toEqual([path, path, undefined])
  }
  expect(service.ledger.files()).toHaveLength(1)
})
