// A week in which a shared folder changes 100,000 times a day: files are created, rewritten, touched,
// renamed, moved and deleted in bursts day and night. Real engine, journal and service; disk and clock are
// simulated. Every file must be stored once, and no day may cost more than the ones before.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { type Random, seeded } from '../unit/engine/seeded.ts'
import { valueOf } from '../world/value-of.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'

const DAY_MS = 86_400_000
/** Bursts follow each other at this interval on average. */
const BURST_MS = 7 * 60_000
/** Share of the files that are rewritten again and again, such as logs and open documents. */
const HOT_SHARE = 0.02

export interface BusyWeekOptions {
  readonly days: number
  readonly changesPerDay: number
  /** Number of files at the start. */
  readonly files: number
  readonly seed: number
  /** Number of files that the account already has. Default: 0. */
  readonly stored?: number
  /** Called after each day. */
  readonly onDay?: (day: BusyDay) => void
}

export interface BusyDay {
  readonly day: number
  readonly changes: number
  readonly uploads: number
  readonly requests: number
  readonly listRequests: number
  /** Requests answered with 429. */
  readonly refused: number
  /** CPU time of this process per change, service and simulated disk included, in milliseconds. */
  readonly cpuMsPerChange: number
  readonly heapMiB: number
  readonly journalMiB: number
  /** Transfers that weren't finished at midnight. */
  readonly open: number
}

export interface BusyWeek {
  readonly days: readonly BusyDay[]
  /** Paths of files whose last content isn't on the service. */
  readonly lost: readonly string[]
  /** Names of files that are on the service more than once with the same content. */
  readonly twice: readonly string[]
  /** What doesn't add up in the audit; null if everything does. */
  readonly audit: string | null
}

/** The people and programs that work in the folder. */
class Workers {
  readonly contents = new Map<string, string>()
  readonly #world: World
  readonly #random: Random
  #paths: string[] = []
  #hot: string[] = []
  #made = 0

  constructor(world: World, random: Random) {
    this.#world = world
    this.#random = random
  }

  start(files: number): void {
    const directories = Math.max(1, Math.round(files / 100))
    for (let n = 0; n < directories; n++) this.#world.disk.mkdir(`${FOLDER}/team ${n}`)
    for (let n = 0; n < files; n++) this.#create(`${FOLDER}/team ${n % directories}`)
    this.#hot = this.#paths.slice(0, Math.max(1, Math.round(files * HOT_SHARE)))
  }

  /** Makes one change. */
  change(): void {
    const { disk } = this.#world
    const kind = this.#random.below(100)
    const path = this.#random.pick(this.#paths)
    const dir = path.slice(0, path.lastIndexOf('/'))
    if (kind < 35) this.#write(this.#random.pick(this.#hot))
    else if (kind < 48) this.#write(path)
    else if (kind < 62) this.#create(dir)
    else if (kind < 74) this.#remove(path)
    else if (kind < 84) this.#rename(path, this.#random.pick(this.#paths))
    else if (kind < 92) disk.setMtime(path, this.#world.clock.now() - this.#random.below(DAY_MS))
    else {
      // An editor's temporary file, which the default rules ignore.
      disk.write(`${dir}/~draft ${this.#made++}.tmp`, 'unfinished')
      disk.remove(`${dir}/~draft ${this.#made - 1}.tmp`)
    }
  }

  #content(): string {
    return `version ${this.#made++} ${'of a file in a busy folder '.repeat(this.#random.below(20))}`
  }

  #write(path: string): void {
    const content = this.#content()
    this.#world.disk.write(path, content)
    this.contents.set(path, content)
  }

  #create(dir: string): void {
    const path = `${dir}/paper ${this.#made++}.txt`
    this.#write(path)
    this.#paths.push(path)
  }

  #remove(path: string): void {
    if (this.#hot.includes(path)) return
    this.#world.disk.remove(path)
    this.contents.delete(path)
    this.#forget(path)
  }

  /** Gives the file a new name in the directory of `beside`. */
  #rename(path: string, beside: string): void {
    if (this.#hot.includes(path)) return
    const to = `${beside.slice(0, beside.lastIndexOf('/'))}/paper ${this.#made++}.txt`
    this.#world.disk.rename(path, to)
    this.contents.set(to, this.contents.get(path) ?? '')
    this.contents.delete(path)
    this.#forget(path)
    this.#paths.push(to)
  }

  #forget(path: string): void {
    const at = this.#paths.indexOf(path)
    const last = this.#paths.pop()
    if (last !== undefined && last !== path) this.#paths[at] = last
  }
}

export async function busyWeek(options: BusyWeekOptions): Promise<BusyWeek> {
  const random = seeded(options.seed)
  const world = await createWorld({
    plan: 'enterprise',
    storage: 'discard',
    seed: options.seed,
    stored: options.stored,
  })
  try {
    const workers = new Workers(world, random)
    workers.start(options.files)
    await world.watch()
    await world.until(() => world.allSettled(), 24)
    clear(world)
    const days: BusyDay[] = []
    for (let day = 1; day <= options.days; day++) {
      const figures = await oneDay(world, workers, random, options.changesPerDay)
      days.push({ day, ...figures })
      options.onDay?.({ day, ...figures })
    }
    await world.until(async () => (await openCount(world)) === 0, 48)
    return { days, ...(await verdict(world, workers.contents)) }
  } finally {
    await world.end()
  }
}

async function oneDay(
  world: World,
  workers: Workers,
  random: Random,
  changes: number,
): Promise<Omit<BusyDay, 'day'>> {
  const end = world.clock.mono() + DAY_MS
  const stored = world.service.ledger.live().length
  const cpu = process.cpuUsage()
  const sums = { requests: 0, listRequests: 0, refused: 0 }
  const bursts = Math.max(1, Math.round(DAY_MS / BURST_MS))
  for (let burst = 0; burst < bursts; burst++) {
    const most = Math.floor(((burst + 1) * changes) / bursts) - Math.floor((burst * changes) / bursts)
    for (let n = 0; n < most; n++) workers.change()
    await world.pass(
      Math.max(1, (end - world.clock.mono()) / (bursts - burst)) *
        (burst === bursts - 1 ? 1 : 0.7 + random.below(60) / 100),
    )
    for (const one of world.service.requests.list()) {
      if (one.counted) sums.requests++
      if (one.endpoint === 'list') sums.listRequests++
      if (one.status === 429) sums.refused++
    }
    clear(world)
  }
  const { user, system } = process.cpuUsage(cpu)
  const [file] = world.sql('PRAGMA database_list')
  return {
    changes,
    uploads: world.service.ledger.live().length - stored,
    ...sums,
    cpuMsPerChange: (user + system) / 1000 / changes,
    heapMiB: process.memoryUsage().heapUsed / 1024 ** 2,
    journalMiB: statSync(String(file?.['file'])).size / 1024 ** 2,
    open: await openCount(world),
  }
}

/** Discards events and requests that have been counted, which would fill the memory within a week. */
function clear(world: World): void {
  ;(world.events as unknown[]).length = 0
  world.service.requests.clear()
}

async function openCount(world: World): Promise<number> {
  const now = await valueOf(world.handlers.snapshot({}))
  const { settling, queued, uploading, waiting, unknown } = now.counts
  return settling + queued + uploading + waiting + unknown
}

async function verdict(
  world: World,
  contents: ReadonlyMap<string, string>,
): Promise<Pick<BusyWeek, 'lost' | 'twice' | 'audit'>> {
  const stored = new Set(world.service.ledger.live().map((file) => file.sha256))
  const lost = [...contents]
    .filter(([, content]) => !stored.has(createHash('sha256').update(content).digest('hex')))
    .map(([path]) => path)
  const twice = world.service.ledger.duplicates().bySha.map(([first]) => first?.filename ?? '')
  const got = await world.answered(world.handlers.audit({ path: FOLDER, rescan: true }))
  if (!got.ok) return { lost, twice, audit: got.failure.title }
  const { seen, uploaded, waiting, held, failed, ignored } = got.value.sums
  const isRight = seen === contents.size && uploaded === seen && waiting + held + failed + ignored === 0
  return {
    lost,
    twice,
    audit: isRight ? null : `${JSON.stringify(got.value.sums)} for ${contents.size} files`,
  }
}
