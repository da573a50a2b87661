// Files that a person saves while a folder's many other files are uploaded: they go first, whatever waits.
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

/** How many other files were sent between the moment a file was saved and its own upload. */
async function sentBefore(w: World, name: string): Promise<number> {
  const sent = (): number => w.service.ledger.live().length
  const before = sent()
  w.disk.write(`${FOLDER}/${name}`, `saved as ${name}`)
  await w.until(async () => (await w.byName(name))?.state === 'done')
  return sent() - before - 1
}

function fill(w: World, dir: string, count: number): void {
  for (let n = 0; n < count; n++) w.disk.write(`${FOLDER}/${dir}-${n}.bin`, `${dir} ${n}`)
}

it('a file saved during the upload of those found, or of many that came at once, isn’t sent after them', async () => {
  // 50 requests a minute: without its turn, the file would wait for four minutes.
  const w = await openWorld({ plan: 'pro', limits: { dailyUploads: 1000 } })
  fill(w, 'found', 200)
  await w.watch()
  await w.until(() => w.service.ledger.live().length > 20)
  expect(await sentBefore(w, 'first.txt')).toBeLessThan(20)
  fill(w, 'unpacked', 200)
  await w.until(async () => (await w.transfers()).length === 401)
  expect(await sentBefore(w, 'second.txt')).toBeLessThan(30)
  await w.until(() => w.allSettled())
  expect(w.service.ledger.live()).toHaveLength(402)
})
