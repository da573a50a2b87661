// S12: the time from saving a file until the server has it, while the list of a large account is read for the
// first time. The list takes many minutes on a plan with 50 requests a minute, and must not hold up what the
// user does. There is no peer: scripts read no list.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createService } from '../../service/service.ts'
import { KEY, preciseNow, startCli, until } from '../measure.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { median } from '../statistics.ts'
import { plain, seconds } from '../table.ts'

const STORED = 20_000
const PER_PAGE = 20
/** The file is saved after so many pages. */
const PAGES_BEFORE = 10
const PATIENCE_MS = 120_000

async function saveOne(room: Room, run: number): Promise<number> {
  const home = join(room.home, `listing-${run}`)
  const folder = join(home, 'Share')
  mkdirSync(folder, { recursive: true })
  const service = await createService({
    plan: 'pro',
    key: KEY,
    storage: 'discard',
    now: preciseNow,
    stored: STORED,
    dialect: { listCap: PER_PAGE, listDefault: PER_PAGE },
  })
  const env = { SLIPWAY_BASE_URL: service.url, SLIPWAY_API_KEY: KEY, SLIPWAY_DATA_DIR: join(home, 'data') }
  const watching = startCli(['watch', folder, '--quiet'], env)
  // Once the engine has asked for the plan, `ls` is a client of it.
  const hasAsked = (): boolean => service.requests.list().some((one) => one.endpoint === 'stats')
  if (!(await until(hasAsked, PATIENCE_MS))) throw new Error('the folder is not watched')
  const listing = startCli(['ls'], env)
  try {
    const pages = (): number => service.requests.list().filter((one) => one.endpoint === 'list').length
    if (!(await until(() => pages() >= PAGES_BEFORE, PATIENCE_MS))) throw new Error('the list is not read')
    writeFileSync(join(folder, 'report.pdf'), 'saved while the list is read')
    const savedAt = preciseNow()
    const sent = () =>
      service.requests.list().findLast((one) => one.endpoint === 'upload' && one.at >= savedAt)
    if (!(await until(() => sent() !== undefined, PATIENCE_MS))) throw new Error('the file is not sent')
    return (sent()?.at ?? Number.NaN) - savedAt
  } finally {
    await listing.stop()
    await watching.stop()
    await service.close()
    rmSync(home, { recursive: true, force: true })
  }
}

export async function savedWhileListing(room: Room): Promise<RowResult> {
  const waits: number[] = []
  for (let run = 0; run < room.longRuns; run++) waits.push(await saveOne(room, run))
  return {
    row: 'S12',
    work: `a file saved while ${plain(STORED)} remote files are listed in pages of ${PER_PAGE}, 50 requests a minute`,
    slipway: [
      `its upload begins after ${seconds(median(waits) / 1000)}, ${seconds(Math.max(...waits) / 1000)} at most`,
    ],
    peers: [],
    goals: [atMost('upload begins within 2 s', Math.max(...waits) / 1000, 2, seconds)],
    notes: [],
    failure: null,
    raw: { waits },
  }
}
