// Files that change again during every upload, such as a log on a slow connection: after two quick repeats
// they are sent less and less often, so that they don't use up the plan, and the last version is published
// once the file stops changing.
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  await world?.pass(MINUTE)
  await world?.end()
  world = null
})

const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE
const LOG = `${FOLDER}/app.log`
/**
 * Uploads in half an hour: at once, twice soon after, then after 1, 2, 4 and 8 minutes, and perhaps the next
 * one.
 */
const UPLOADS = [7, 8]
const UPLOAD_MS = 15_000
/** Larger than what is read completely before it is sent. */
const LARGE = 'f'.repeat(1024 * 1024 + 1)

/** Runs `write` every `ms` milliseconds until the returned function is called. */
function writing(w: World, ms: number, write: () => void): () => void {
  let isRunning = true
  const again = (): void => {
    if (!isRunning) return
    write()
    w.clock.after(ms, again)
  }
  w.clock.after(ms, again)
  return () => {
    isRunning = false
  }
}

/** Each upload takes longer than the file stays unchanged. */
async function open(): Promise<World> {
  const w = await createWorld({}, { uploadAnswerMs: UPLOAD_MS })
  world = w
  return w
}

const appended = (w: World): void => w.disk.append(LOG, 'another line\n')
/** Replaces the file at once, as many programs save a document. */
const rewritten = (w: World): void => {
  const found = w.disk.peek(LOG)
  if (typeof found === 'string') throw new Error(found)
  w.disk.write('/home/new', Buffer.concat([found.data, Buffer.from('x')]))
  // A disk changes the ctime of the file that loses its name.
  w.disk.link(LOG, '/home/old')
  w.disk.rename('/home/new', LOG)
  w.disk.remove('/home/old')
}

const watched = (w: World): Promise<unknown> => w.watch()
const named = (w: World): Promise<unknown> => w.handlers.upload({ paths: [LOG], again: false, token: 't' })

/** What is published at the end is the last version, once. */
function expectPublished(w: World): void {
  const found = w.disk.peek(LOG)
  const live = w.service.ledger.live()
  expect(live).toHaveLength(1)
  const stored = readFileSync(w.service.blobPath(live[0]?.fileId ?? 0) ?? '')
  expect(typeof found !== 'string' && Buffer.compare(stored, found.data)).toBe(0)
}

describe('a file that changes during every upload', () => {
  it.each<[string, string, number, (w: World) => void, (w: World) => Promise<unknown>]>([
    ['appended to, in a watched folder', 'first line\n', 2000, appended, watched],
    // Where the pauses are shorter than ten seconds, a named file is hardly ever the version that is to be
    // sent.
    ['appended to, named by the user', 'first line\n', 12_000, appended, named],
    ['large and rewritten, in a watched folder', LARGE, 12_000, rewritten, watched],
  ])('is sent less and less often: %s', async (_name, content, ms, write, start) => {
    const w = await open()
    w.disk.write(LOG, content)
    await w.pass(MINUTE)
    const stop = writing(w, ms, () => write(w))
    await start(w)
    await w.pass(HALF_HOUR)
    const uploads = w.service.requests.list().filter((one) => one.endpoint === 'upload').length
    expect(UPLOADS).toContain(uploads)
    expect(await w.byName('app.log')).toMatchObject({
      state: 'waiting',
      reason: 'changing',
      until: expect.any(Number),
    })
    stop()
    await w.until(() => w.allSettled())
    await w.pass(MINUTE)
    expectPublished(w)
  })

  it('is sent at once at the user’s request, and quickly again once it was published', async () => {
    const w = await open()
    w.disk.write(LOG, 'first line\n')
    await w.pass(MINUTE)
    const stop = writing(w, 2000, () => appended(w))
    await watched(w)
    await w.until(async () => (await w.byName('app.log'))?.reason === 'changing')
    stop()
    await w.handlers.retry({ ids: [(await w.byName('app.log'))?.id ?? 0] })
    await w.pass(MINUTE / 2)
    expect(await w.byName('app.log')).toMatchObject({ state: 'done' })
    expectPublished(w)
  })
})
