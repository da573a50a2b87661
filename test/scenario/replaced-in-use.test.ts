// A watched folder whose files replace their earlier versions: a link that was downloaded within the last hour
// stays, whatever the service tells about downloads, and however the request for them ends.
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function download(link: string | null | undefined): Promise<number> {
  const answer = await fetch(link ?? '')
  await answer.arrayBuffer()
  return answer.status
}

async function replace(w: World, content: string): Promise<void> {
  w.disk.write(`${FOLDER}/a.txt`, content)
  await w.pass(MINUTE)
  await w.until(() => w.allSettled())
}

async function open(...options: Parameters<typeof openWorld>): Promise<{ w: World; first: string }> {
  const w = await openWorld(...options)
  await w.watch({ onChange: 'replace' })
  await replace(w, 'first')
  return { w, first: (await w.byName('a.txt'))?.publicLink ?? '' }
}

it.each(['all', 'no-count'] as const)(
  'a link downloaded just before stays for an hour without downloads (fields of the list: %s)',
  async (listFields) => {
    const { w, first } = await open({ dialect: { listFields } })
    // The list has been read once, so it is known which fields it has.
    await w.pass(35 * MINUTE)
    expect(await download(first)).toBe(200)
    await replace(w, 'second')
    await w.pass(50 * MINUTE)
    expect(await download(first)).toBe(200)
    const waits = await w.handlers.snapshot({})
    expect(waits.ok && waits.value.replacing).toMatchObject({ count: 1 })
    // Asked for an hour after the first download, the count shows the second one.
    await w.pass(55 * MINUTE)
    expect(w.service.ledger.live()).toHaveLength(2)
    await w.pass(30 * MINUTE)
    expect(w.service.ledger.live()).toHaveLength(1)
    const over = await w.handlers.snapshot({})
    expect(over.ok && over.value.replacing).toBeUndefined()
  },
)

it('a link whose downloads are counted for the first time stays for an hour', async () => {
  const { w, first } = await open({ dialect: { listFields: 'no-count' } })
  w.sql('DELETE FROM pulse')
  w.sql('UPDATE remote SET download_count = NULL')
  w.clock.jumpWall(3 * 24 * HOUR)
  expect(await download(first)).toBe(200)
  await replace(w, 'second')
  expect(w.service.ledger.live()).toHaveLength(2)
  await w.pass(70 * MINUTE)
  expect(w.service.ledger.live()).toHaveLength(1)
})

it('a link whose downloads can’t be asked for stays until they can, and one without downloads then goes', async () => {
  const { w, first } = await open()
  w.service.setFaults({ rules: [{ on: 'get', rate: 1, kinds: 'error-before-store' }] })
  await replace(w, 'second')
  await w.pass(3 * MINUTE)
  expect(w.service.ledger.live()).toHaveLength(2)
  expect(first).not.toBe((await w.byName('a.txt'))?.publicLink)
  w.service.setFaults({ rules: [] })
  await w.pass(10 * MINUTE)
  expect(w.service.ledger.live()).toHaveLength(1)
})
