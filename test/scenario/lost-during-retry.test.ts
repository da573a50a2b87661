// An upload whose answer is lost while a retry, requested before it was sent, waits for `/stats`.
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

it.each([false, true])(
  'is looked up, and not sent again without proof (other writer: %s)',
  async (isShared) => {
    let delayMs = 0
    const w: World = await openWorld(
      {},
      {
        onAnswer: (request) =>
          request === 'stats' && delayMs > 0
            ? new Promise<void>((resolve) => void w.clock.after(delayMs, resolve))
            : undefined,
      },
    )
    await w.watch()
    for (const name of ['1.txt', '2.txt', '3.txt', '4.txt'])
      w.disk.write(`${FOLDER}/${name}`, `number ${name}`)
    await w.until(async () => (await w.transfers()).length === 4 && (await w.allSettled()))
    if (isShared) {
      w.service.plant({ filename: 'of another computer.txt' })
      await w.answered(w.list())
    }
    await w.service.goAway()
    w.disk.write(`${FOLDER}/lost.txt`, 'the lost one')
    await w.until(async () => (await w.byName('lost.txt'))?.reason === 'offline')
    await w.service.comeBack()
    w.service.setFaults({ rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] })
    delayMs = 500
    const id = (await w.byName('lost.txt'))?.id ?? 0
    await w.answered(w.handlers.retry({ ids: [id] }))
    await w.until(() => w.allSettled())
    await w.pass(3_600_000)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'done' })
    expect(w.service.requests.list().filter((one) => one.endpoint === 'upload')).toHaveLength(5)
    expect(w.service.ledger.duplicates().bySha).toEqual([])
  },
)
