// Files that are changed again and again shortly after they were sent, such as a log that is opened, appended
// to and closed: the waits grow until the file rests, also across a restart, and the last version is always
// sent. And in a folder that replaces: files that became empty, and versions that were downloaded a moment
// ago.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const LOG = `${FOLDER}/app.log`
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const stored = (w: World): readonly string[] => w.service.ledger.files().map((file) => file.sha256)

async function open(onChange: 'new-link' | 'replace' = 'new-link'): Promise<World> {
  const world = await openWorld({ plan: 'pro' })
  await world.watch({ onChange })
  await world.pass(1000)
  return world
}

/** Appends a line every `everyMs` for `forMs`. Returns the content. */
async function appended(w: World, before: string, everyMs: number, forMs: number): Promise<string> {
  let text = before
  for (let at = 0; at < forMs; at += everyMs) {
    text += `line ${at}\n`
    w.disk.write(LOG, text)
    await w.pass(everyMs)
  }
  return text
}

describe('a log that is appended to every second', () => {
  it('is sent less and less often, says so, and is sent once more in the end', async () => {
    const w = await open()
    const text = await appended(w, '', 1000, 120_000)
    const inTwoMinutes = stored(w).length
    expect(inTwoMinutes).toBeLessThanOrEqual(12)
    expect(await w.byName('app.log')).toMatchObject({
      state: 'waiting',
      reason: 'changing',
      message: expect.stringContaining('less often'),
    })
    await w.pass(3_600_000)
    expect(stored(w).at(-1)).toBe(sha(text))
    expect(stored(w).length).toBeLessThanOrEqual(inTwoMinutes + 1)
  })

  it('keeps its rhythm across a restart', async () => {
    const w = await open()
    const text = await appended(w, '', 1000, 60_000)
    const before = stored(w).length
    await w.crash()
    await appended(w, text, 1000, 20_000)
    expect(stored(w).length).toBeLessThanOrEqual(before + 2)
  })

  it('is sent at once again after it has rested', async () => {
    const w = await open()
    await appended(w, '', 1000, 120_000)
    await w.pass(3_600_000)
    w.disk.write(LOG, 'anew')
    await w.pass(5000)
    expect(stored(w).at(-1)).toBe(sha('anew'))
  })
})

it('a file that is saved every few minutes is sent each time', async () => {
  const w = await open()
  const text = await appended(w, '', 150_000, 20 * 150_000)
  expect(stored(w)).toHaveLength(20)
  expect(stored(w).at(-1)).toBe(sha(text))
})

describe('a file that became empty in a folder that replaces', () => {
  it('is held, and the version before it stays public until the user approves', async () => {
    const w = await open('replace')
    await w.upload('report.pdf', 'all of it')
    w.disk.write(`${FOLDER}/report.pdf`, '')
    await w.pass(60_000)
    const held = await w.byName('report.pdf')
    expect(held).toMatchObject({ state: 'held', reason: 'emptied' })
    expect(w.service.ledger.live().map((file) => file.sha256)).toEqual([sha('all of it')])
    await w.handlers.release({ ids: [held?.id ?? 0] })
    await w.pass(2 * 3_600_000)
    expect(w.service.ledger.live().map((file) => file.sha256)).toEqual([sha('')])
  })

  it('is sent as soon as it has content again', async () => {
    const w = await open('replace')
    await w.upload('report.pdf', 'all of it')
    w.disk.write(`${FOLDER}/report.pdf`, '')
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/report.pdf`, 'all of it, and more')
    await w.pass(2 * 3_600_000)
    expect(w.service.ledger.live().map((file) => file.sha256)).toEqual([sha('all of it, and more')])
  })

  it('is sent if there is no version that it would replace', async () => {
    const w = await open('replace')
    w.disk.write(`${FOLDER}/empty.txt`, '')
    await w.pass(60_000)
    expect(w.service.ledger.live().map((file) => file.sha256)).toEqual([sha('')])
  })
})

it('a replaced version stays public for an hour after a download that is known', async () => {
  const w = await open('replace')
  await w.upload('report.pdf', 'the first')
  const link = (await w.byName('report.pdf'))?.publicLink ?? ''
  await (await fetch(link)).arrayBuffer()
  w.disk.write(`${FOLDER}/report.pdf`, 'the second')
  await w.pass(50 * 60_000)
  expect(w.service.ledger.live().map((file) => file.sha256)).toEqual([sha('the first'), sha('the second')])
  await w.pass(20 * 60_000)
  expect(w.service.ledger.live().map((file) => file.sha256)).toEqual([sha('the second')])
  // Nobody has downloaded this one.
  w.disk.write(`${FOLDER}/report.pdf`, 'the third')
  await w.pass(60_000)
  expect(w.service.ledger.live().map((file) => file.sha256)).toEqual([sha('the third')])
})
