// One chaos run: a folder, a service with faults, the command line as a process that is killed and restarted,
// a misbehaving network, disk and clock, and files that change meanwhile. Everything is drawn from one seed.
// Finally the service's ledger is compared with the disk.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  fchmodSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { sha256 } from '../scenario/cli-process.ts'
import { draw } from '../service/faults.ts'
import { createService, type Moment, type Service } from '../service/service.ts'
import { TEST_CERTIFICATE } from '../unit/api/certificate.ts'
import { type GateMode, openGate } from './gate.ts'
import {
  BIG,
  type Drawn,
  drawKinds,
  faultPlan,
  kindsOfFault,
  LISTS,
  lateDialect,
  type WorldKind,
} from './kinds.ts'
import { bind, mountSmall, takeOut } from './mounts.ts'
import { oddNamesHere, PLAIN_NAMES } from './names.ts'
import { takeBack, versionOf } from './old-journal.ts'
import { createPlace, type Ended, type Place, type Running } from './process.ts'
import { MOST_BODIES, MOST_IN_OUTAGE, mostInOutage } from './world-oracle.ts'

/**
 * Maximum number of starts until everything is done. A user or a timer would also start the command again.
 */
const MOST_STARTS = 12
const LONGEST_MS = 300_000
/**
 * After a 429 without details or a lowered limit, the rest is spread over minutes. A missing answer takes a
 * full timeout.
 */
const LONGEST_LONG_MS = 400_000
/** Ten gigabytes are received and hashed on the single thread that serves all runs. */
const LONGEST_BIG_MS = 1_200_000
/** How long the service may take to end its requests once no Slipway runs any more. */
const IDLE_MS = 60_000
/** The size of the sparse file: 10 GiB. */
const BIG_BYTES = 10 * 1024 ** 3

const Sums = z.looseObject({
  seen: z.int(),
  uploaded: z.int(),
  waiting: z.int(),
  held: z.int(),
  failed: z.int(),
  ignored: z.int(),
})

export interface RunReport {
  readonly seed: number
  /** The kinds that were given instead of drawn; empty if none were. */
  readonly only: readonly string[]
  /** How often each drawn kind has struck. */
  readonly struck: Readonly<Record<string, number>>
  readonly notRun: readonly string[]
  readonly files: number
  readonly starts: number
  readonly kills: number
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly wrong: readonly string[]
  /** What is wrong in the folder audit; null if it adds up and matches the disk. */
  readonly audit: string | null
  /** Places where the key was found but must not be. */
  readonly leaks: readonly string[]
  /** Too many requests in an outage, or too many copies of one version. */
  readonly runaway: readonly string[]
  /** Unacceptable ends: a defect, a hang, or no success within MOST_STARTS starts. */
  readonly ends: readonly string[]
  /** From the last kill, or the end of the last fault outside the service, until all files are done. */
  readonly recoverMs: number
  readonly tookMs: number
  readonly home: string | null
}

export interface RunOptions {
  readonly program: 'built' | 'source'
  /** Uses these kinds instead of drawn ones. */
  readonly only?: readonly string[]
}

export function failed(report: RunReport): boolean {
  return (
    [report.lost, report.twice, report.wrong, report.leaks, report.runaway, report.ends].some(
      (list) => list.length > 0,
    ) || report.audit !== null
  )
}

/**
 * Why a run failed: its seed, its disturbances, up to three findings of each kind, the folder that was kept,
 * and how to repeat it.
 */
export function reasonOf(report: RunReport): string {
  const { seed, lost, twice, wrong, leaks, runaway, ends, audit } = report
  const found = Object.entries({
    lost,
    twice,
    wrong,
    leaks,
    runaway,
    ends,
    audit: audit === null ? [] : [audit],
  }).filter(([, list]) => list.length > 0)
  const what = found.map(
    ([name, list]) => `${name}: ${list.slice(0, 3).join(' | ').slice(0, 600)} (${list.length})`,
  )
  return `seed ${seed} (${Object.keys(report.struck).join(', ')}): ${what.join('; ')}; kept in ${report.home}\n  again: ${againOf(report)}`
}

/** The command that repeats the run. */
export function againOf({ seed, only }: Pick<RunReport, 'seed' | 'only'>): string {
  return `npm run chaos -- --runs 1 --seed ${seed}${only.length === 0 ? '' : ` --kinds '${only.join(',')}'`}`
}

/** Random numbers from one seed. */
interface Dice {
  readonly next: () => number
  readonly int: (below: number) => number
  readonly pick: <T>(list: readonly [T, ...T[]]) => T
}

function diceOf(seed: number): Dice {
  let n = 0
  const next = (): number => draw(seed, 'chaos', n++)
  return {
    next,
    int: (below) => Math.floor(next() * below),
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  }
}

/**
 * The files in the folder, and the hash of every content that was ever there. If the service has any other
 * content, it stored a mixture of two versions.
 */
interface Folder {
  readonly versions: Set<string>
  readonly current: Map<string, string>
  ignored: number
  /** While the folder is unavailable, nothing is changed. */
  away: boolean
  put(name: string, content: Buffer): void
  note(name: string, content: Buffer): void
  path(name: string): string
  content(tag: string, size?: number): Buffer
  meddle(): void
}

function createFolder({
  place,
  dice,
  seed,
}: {
  readonly place: Place
  readonly dice: Dice
  readonly seed: number
}): Folder {
  const { next, int } = dice
  const folder: Folder = {
    versions: new Set(),
    current: new Map(),
    ignored: 0,
    away: false,
    path: (name) => join(place.folder, ...name.split('/')),
    note: (name, content) => {
      folder.versions.add(sha256(content))
      folder.current.set(name, sha256(content))
    },
    put: (name, content) => {
      mkdirSync(dirname(folder.path(name)), { recursive: true })
      writeFileSync(folder.path(name), content)
      folder.note(name, content)
    },
    content: (tag, given) => {
      const size = given ?? (next() < 0.1 ? 0 : int(next() < 0.05 ? 3_000_000 : 60_000))
      const head = Buffer.from(`${seed}/${tag}/${int(1e9)}\n`)
      return size === 0
        ? Buffer.from(tag.endsWith('0') ? '' : head)
        : Buffer.concat([head, Buffer.alloc(size, int(256))])
    },
    meddle: () => {
      if (folder.away) return
      const names = [...folder.current.keys()].filter(
        (name) => !name.startsWith('big ') && !name.startsWith('raw '),
      )
      const name = names[int(names.length)]
      if (name === undefined) return
      const what = next()
      const path = folder.path(name)
      if (what < 0.35) folder.put(`added ${int(1e6)}.txt`, folder.content('added'))
      else if (what < 0.6) folder.put(name, folder.content('changed'))
      else if (what < 0.75) {
        // An atomic save: write a temporary file, then rename it.
        const data = folder.content('atomic')
        writeFileSync(join(dirname(path), `~save${int(1e6)}.tmp`), data)
        const temporary = join(dirname(path), readTemporary(dirname(path)))
        if (unlessInUse(() => renameSync(temporary, path))) folder.note(name, data)
        else rmSync(temporary)
      } else if (what < 0.9) {
        const to = `moved/${int(1e6)} ${shortened(name.replaceAll('/', '_'))}`
        mkdirSync(dirname(folder.path(to)), { recursive: true })
        if (!unlessInUse(() => renameSync(path, folder.path(to)))) return
        folder.current.set(to, folder.current.get(name) ?? '')
        folder.current.delete(name)
      } else {
        if (unlessInUse(() => rmSync(path))) folder.current.delete(name)
      }
    },
  }
  return folder
}

function readTemporary(dir: string): string {
  return readdirSync(dir).find((name) => name.startsWith('~save')) ?? ''
}

/**
 * Does something to a file, and returns whether it succeeded: Windows may refuse it while another program has
 * the file open.
 */
function unlessInUse(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (process.platform === 'win32' && (code === 'EPERM' || code === 'EBUSY' || code === 'EACCES'))
      return false
    throw error
  }
}

/**
 * Shortens a long name, because with the number that is put in front of it, it may have at most 255 bytes.
 */
function shortened(name: string): string {
  return Buffer.byteLength(name) > 200 ? name.slice(-40) : name
}

export async function chaosRun(seed: number, options: RunOptions): Promise<RunReport> {
  const began = Date.now()
  const dice = diceOf(seed)
  const { next, int } = dice
  const drawn = drawKinds(seed, options.only ?? [])
  const has = (kind: WorldKind): boolean => drawn.world.has(kind)
  const struck: Record<string, number> = {}
  for (const kind of [
    ...drawn.service,
    ...drawn.dialects,
    ...drawn.world,
    ...(drawn.long === null ? [] : [drawn.long]),
    ...(drawn.big ? [BIG] : []),
  ])
    struck[kind] = 0
  const strike = (kind: string, times = 1): void => {
    struck[kind] = (struck[kind] ?? 0) + times
  }

  const preload: Record<string, string> = {}
  const env: Record<string, string> = {}
  /**
   * Milliseconds from the start of the run until the service's name can be resolved again; 0 if that fault
   * wasn't drawn.
   */
  let outsideUntil = 0
  if (has('clock jumps')) {
    const jump = (): number => Math.round((next() - 0.5) * 2 * 6 * 3_600_000)
    preload['CHAOS_CLOCK'] =
      `${200 + int(600)}:${jump()},${1200 + int(1200)}:${jump()},${2800 + int(1000)}:${next() < 0.5 ? 0 : jump()}`
  }
  if (has('name not found')) {
    const from = next() < 0.4 ? 0 : 300 + int(900)
    const to = from + 700 + int(1500)
    preload['CHAOS_NO_NAME'] = `${from}:1,${to}:0`
    outsideUntil = to
  }
  if (Object.keys(preload).length > 0) preload['CHAOS_BEGAN'] = String(began)

  const place = createPlace({
    program: options.program,
    asNobody: has('permission denied'),
    preload,
    env,
    mostMs: drawn.big ? LONGEST_BIG_MS : drawn.long === null ? LONGEST_MS : LONGEST_LONG_MS,
  })
  if (has('certificate not trusted')) {
    const file = join(place.home, 'trusted.pem')
    writeFileSync(file, TEST_CERTIFICATE)
    env['NODE_EXTRA_CA_CERTS'] = file
  }
  if (has('disk full (journal and log)')) mountSmall(place.data, 48)
  const hidden = join(place.home, 'disk')
  if (has('folder unmounted')) {
    mkdirSync(hidden)
    bind(hidden, place.folder)
  }
  const folder = createFolder({ place, dice, seed })

  let onMoment: (moment: Moment, endpoint: string) => void = () => undefined
  const plan = faultPlan(seed, drawn, int)
  const shifting = has('list shifts while paged')
  const asksList = LISTS.some(has) || has('names changed')
  const service = await createService({
    plan: 'enterprise',
    key: place.key,
    seed,
    storage: drawn.big ? 'discard' : 'disk',
    latencyMs: has('slow server') ? 60 + int(200) : int(15),
    limits: { windows: next() < 0.5 ? 'sliding' : 'aligned' },
    dialect: {
      ...lateDialect(drawn, int),
      ...(shifting
        ? { listShift: dice.pick(['insert', 'delete'] as const), listCap: 10, listDefault: 10 }
        : {}),
    },
    faults: {
      ...plan,
      // The list is read only after a lost answer. Without one, there would be no paging.
      rules: asksList
        ? [{ on: 'upload', nth: [2, 7, 12], kinds: 'cut-after-store' }, ...plan.rules]
        : plan.rules,
    },
    onMoment: (moment, endpoint) => onMoment(moment, endpoint),
  })
  if (shifting) for (let i = 0; i < 45; i++) service.plant({ filename: `planted ${i}.bin` })
  const tears = (
    ['changed while read', 'truncated while read', 'replaced while read', 'deleted while read'] as const
  ).find(has)
  if (tears !== undefined) service.setUploadRate(2_000_000)
  if (has('slow server')) service.setUploadRate(400_000)
  const gateKind = (
    ['name not found', 'connection refused', 'half-open connection', 'certificate not trusted'] as const
  ).find(has)
  const gate =
    gateKind === undefined
      ? null
      : await openGate({ target: () => service.port, tls: gateKind === 'certificate not trusted' })
  const url = gate?.url ?? service.url
  // No link leads from https to http.
  if (gateKind === 'certificate not trusted') service.linkOrigin = new URL(url).origin

  fill({ folder, dice, drawn, tears: tears !== undefined })

  /** Running faults outside the service. Each ends on its own. */
  const acts: Promise<void>[] = []
  let lastTrouble = began
  const act = (kind: string, work: () => Promise<void>): void => {
    acts.push(
      work().then(() => {
        strike(kind)
        lastTrouble = Date.now()
      }),
    )
  }
  const args = ['watch', place.folder, '--once', '--json', '--max-wait', '150s']
  const allowed = new Set<number | null>([0, 3, 4, 5, 6, 7, 130])
  const ends: string[] = []
  let starts = 0
  let kills = 0
  let running: Running | null = null
  const start = (): Running => {
    starts++
    running = place.start(args, url)
    return running
  }
  const judge = (ended: Ended): void => {
    if (ended.hung) ends.push(`start ${starts} hung: ${ended.err.trim().slice(-200)} ${lastWords(place)}`)
    // A full disk may end the process with the exit code of a defect, because nothing can be saved.
    else if (
      ended.signal === null &&
      !allowed.has(ended.code) &&
      !(ended.code === 1 && has('disk full (journal and log)'))
    )
      ends.push(`start ${starts} ended with ${ended.code}: ${ended.err.trim().slice(0, 1500)}`)
  }

  if (tears !== undefined) {
    // Changes one of the big files while some file is being sent. There is a good chance that both are the
    // same.
    let left = 3
    onMoment = chain(onMoment, (moment, endpoint) => {
      if (moment !== 'body' || endpoint !== 'upload' || left === 0) return
      const big = [...folder.current.keys()].filter((name) => name.startsWith('big '))
      const name = big[int(big.length)]
      if (name === undefined || folder.away) return
      left--
      strike(tears)
      setTimeout(() => tear({ kind: tears, name, folder, dice }), 20 + int(250))
    })
  }
  if (has('sleep and wake'))
    for (let n = 0; n < 2; n++)
      act('sleep and wake', async () => {
        await delay(300 + int(2000))
        const child = running?.child
        child?.kill('SIGSTOP')
        await delay(300 + int(1800))
        child?.kill('SIGCONT')
      })
  if (has('folder renamed away') || has('folder unmounted')) {
    const kind = has('folder unmounted') ? 'folder unmounted' : 'folder renamed away'
    act(kind, async () => {
      await delay(next() < 0.3 ? 0 : 300 + int(1500))
      folder.away = true
      if (kind === 'folder unmounted') takeOut(place.folder)
      else renameSync(place.folder, `${place.folder}.away`)
      await delay(300 + int(2000))
      if (kind === 'folder unmounted') bind(hidden, place.folder)
      else renameSync(`${place.folder}.away`, place.folder)
      folder.away = false
    })
  }
  if (has('permission denied'))
    act('permission denied', async () => {
      const names = [...folder.current.keys()]
      const name = names[int(names.length)] ?? ''
      const path =
        next() < 0.3 && existsSync(join(place.folder, 'sub1'))
          ? join(place.folder, 'sub1')
          : folder.path(name)
      await delay(next() < 0.5 ? 0 : 300 + int(900))
      if (!existsSync(path)) return
      // The open descriptor allows restoring the permissions even if the file or folder is moved.
      const held = openSync(path, 'r')
      fchmodSync(held, 0)
      await delay(500 + int(1800))
      fchmodSync(held, 0o755)
      closeSync(held)
    })
  if (has('disk full (journal and log)'))
    act('disk full (journal and log)', async () => {
      await delay(300 + int(1200))
      const filler = join(place.data, 'filler')
      const { bavail, bsize } = statfsSync(place.data)
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - int(3) * 4096)))
      } catch {
        // The disk was full before the filler was complete, which is fine.
      }
      await delay(600 + int(1800))
      rmSync(filler, { force: true })
    })
  if (gate !== null && gateKind !== undefined && gateKind !== 'name not found') {
    const mode: GateMode =
      gateKind === 'connection refused'
        ? 'refuse'
        : gateKind === 'half-open connection'
          ? 'silent'
          : 'untrusted'
    act(gateKind, async () => {
      await delay(next() < 0.3 ? 0 : 300 + int(1200))
      await gate.set(mode)
      await delay(700 + int(1500))
      await gate.set('open')
    })
  }
  if (has('name not found')) strike('name not found')
  if (has('clock jumps')) strike('clock jumps')
  for (const kind of ['odd names', 'empty files', 'symlink loops'] as const) if (has(kind)) strike(kind)
  if (drawn.big) strike(BIG)

  const triggers = (
    [
      'kill while scanning',
      'kill in a body',
      'kill between answer and commit',
      'kill at random',
      'kill while migrating',
    ] as const
  ).filter(has)
  /** A start that is killed at the moment required by its kind. */
  const kill = async (kind: (typeof triggers)[number] | null): Promise<void> => {
    const journal = join(place.data, 'journal.db')
    if (kind === 'kill while migrating') {
      if (!existsSync(journal)) return
      try {
        takeBack(journal, 4000)
      } catch (error) {
        // The disk is probably full at this moment, so there is no space for an old journal either.
        if (!has('disk full (journal and log)')) throw error
        return
      }
    }
    const before = onMoment
    const one = start()
    let hit = false
    const shoot = (): void => {
      if (one.child.exitCode !== null || hit) return
      hit = true
      one.child.kill('SIGKILL')
    }
    const timers = [
      setTimeout(
        shoot,
        kind === 'kill in a body' || kind === 'kill between answer and commit' ? 4000 : killAt(kind, dice),
      ),
    ]
    timers.push(setTimeout(folder.meddle, 100 + int(900)))
    if (kind === 'kill in a body' || kind === 'kill between answer and commit') {
      let passes = int(12)
      const wanted = kind === 'kill in a body' ? 'body' : 'answered'
      const wait = int(6)
      onMoment = chain(before, (moment, endpoint) => {
        if (moment !== wanted || endpoint !== 'upload' || passes-- > 0) return
        if (wait === 0) shoot()
        else setTimeout(shoot, wait)
      })
    }
    judge(await one.ended)
    onMoment = before
    for (const timer of timers) clearTimeout(timer)
    if (hit) {
      kills++
      lastTrouble = Date.now()
      if (kind !== null && (kind !== 'kill while migrating' || versionOf(journal) !== null)) strike(kind)
    }
    if (next() < 0.5) folder.meddle()
  }
  for (const kind of triggers) {
    // The journal needs content before it can be migrated.
    if (kind === 'kill while migrating' && !existsSync(join(place.data, 'journal.db'))) await kill(null)
    await kill(kind)
    if (next() < 0.5) await kill(kind)
  }
  if (triggers.length === 0 && next() < 0.4) await kill(null)

  const isOver = (): Promise<boolean> =>
    Promise.race([Promise.all(acts).then(() => true), delay(0).then(() => false)])
  let ended: Ended
  let tries = 0
  for (;;) {
    let meddled = false
    const meddler = setTimeout(
      () => {
        meddled = true
        folder.meddle()
      },
      tries === 0 && next() < 0.5 ? 200 + int(1200) : LONGEST_LONG_MS,
    )
    // If the disk was removed, a first scan can't distinguish its folder from an empty one. The next start
    // has to find the files.
    const isTakenOut = has('folder unmounted') && !(await isOver())
    ended = await start().ended
    clearTimeout(meddler)
    judge(ended)
    const calm = (await isOver()) && Date.now() - began >= outsideUntil
    // The next start has to find what changed while this one was about to end.
    if (calm && ended.code === 0 && !meddled && !isTakenOut) break
    if (++tries >= MOST_STARTS || ends.length > 0) break
    if (!calm) {
      await Promise.all(acts)
      await delay(Math.max(0, outsideUntil - (Date.now() - began)))
    }
    // For example, the service refused a file, or a file was unreadable. A user would try again.
    if (ended.code === 3) await delay(300)
    if (ended.code === 4 || ended.code === 5) await place.start(['retry', '--json'], url).ended
  }
  lastTrouble = Math.max(lastTrouble, began + outsideUntil)
  const recoverMs = Math.max(0, Date.now() - lastTrouble)
  if (ended.code !== 0 && ends.length === 0)
    ends.push(`ended with ${ended.code} after ${tries} starts: ${ended.err.trim().slice(0, 300)}`)
  // Wine may keep the connection of a killed process open, and with it a request that can't end.
  await Promise.race([service.idle(), delay(IDLE_MS, undefined, { ref: false })])

  for (const request of service.requests.list()) {
    if (request.fault === null) continue
    const names = kindsOfFault(request.fault, drawn)
    const byStatus = names.filter((name) => name === String(request.status))
    for (const name of byStatus.length > 0 ? byStatus : names.slice(0, 1)) strike(name)
  }
  // A late or outdated list affects every reading of it, changed names affect every receipt.
  const answered = (endpoint: string): number =>
    service.requests.list().filter((one) => one.endpoint === endpoint && one.status === 200).length
  for (const kind of LISTS)
    if (has(kind) && kind !== 'list shifts while paged') strike(kind, answered('list'))
  if (has('names changed')) strike('names changed', answered('upload'))
  if (shifting)
    strike(
      'list shifts while paged',
      service.requests.list().filter((one) => /[?&]page=(?:[2-9]|1\d)/.test(one.path)).length,
    )
  if (has('slow server')) strike('slow server')
  for (const kind of drawn.dialects) strike(kind, answered('upload'))

  const report: RunReport = {
    seed,
    only: options.only ?? [],
    struck,
    notRun: drawn.notRun,
    files: folder.current.size,
    starts,
    kills,
    ...compare({ service, folder }),
    audit: checkAudit(
      ended,
      folder,
      service.ledger.files().filter((file) => file.deletedBy === 'service').length,
    ),
    leaks: leaksOf({ service, place, ended }),
    runaway: runawayOf(service),
    ends,
    recoverMs,
    tookMs: Date.now() - began,
    home: place.home,
  }
  await gate?.close()
  await service.close()
  if (failed(report)) {
    keepEvidence({ service, place })
    return report
  }
  place.remove()
  return { ...report, home: null }
}

/**
 * Copies the data folder, which may be on a small disk that vanishes with this process, and saves what the
 * service recorded.
 */
function keepEvidence({ service, place }: { readonly service: Service; readonly place: Place }): void {
  cpSync(place.data, join(place.home, 'evidence'), {
    recursive: true,
    filter: (from) => !from.endsWith('filler') && !lstatSync(from).isSocket(),
  })
  writeFileSync(
    join(place.home, 'evidence', 'service.json'),
    JSON.stringify({ requests: service.requests.list(), files: service.ledger.files() }, null, 1),
  )
}

/** The last log lines of a start that hung, and the state of its journal. */
function lastWords(place: Place): string {
  try {
    const db = new DatabaseSync(join(place.data, 'journal.db'))
    const rows = db
      .prepare(
        "SELECT name, state, reason, message, until, checks FROM transfers WHERE state <> 'done' LIMIT 8",
      )
      .all()
    db.close()
    const log = readFileSync(join(place.data, 'slipway.log'), 'utf8').trim().split('\n').slice(-12)
    return `${JSON.stringify(rows)}\n${log.join('\n')}`
  } catch (error) {
    return String(error)
  }
}

function chain<A extends readonly unknown[]>(
  first: (...args: A) => void,
  second: (...args: A) => void,
): (...args: A) => void {
  return (...args) => {
    first(...args)
    second(...args)
  }
}

function killAt(kind: string | null, { int }: Dice): number {
  // A start takes about 0.2 s until it first scans the disk. The migration comes before that.
  if (kind === 'kill while scanning') return 120 + int(300)
  if (kind === 'kill while migrating') return 90 + int(220)
  return 50 + int(1800)
}

function fill({
  folder,
  dice,
  drawn,
  tears,
}: {
  folder: Folder
  dice: Dice
  drawn: Drawn
  tears: boolean
}): void {
  const { next, int, pick } = dice
  const { put, content } = folder
  const count = drawn.big ? 3 : 12 + int(25)
  for (let i = 0; i < count; i++)
    put(
      `${next() < 0.3 ? `sub${int(3)}/` : ''}${pick(PLAIN_NAMES)} ${i}${pick(['.txt', '.bin', '', '.jpg'])}`,
      content(`${i}`),
    )
  if (drawn.world.has('kill while scanning'))
    for (let i = 0; i < 40; i++) put(`many/${i % 7}/small ${i}`, content(`small ${i}`, 20))
  if (tears) for (let i = 0; i < 3; i++) put(`big ${i}.bin`, content(`big ${i}`, 600_000 + int(1_500_000)))
  if (drawn.world.has('empty files')) for (let i = 0; i < 4; i++) put(`empty/nothing ${i}`, Buffer.alloc(0))
  if (drawn.world.has('odd names')) oddNames(folder)
  if (drawn.world.has('symlink loops')) {
    symlinkSync('.', folder.path('loop'))
    symlinkSync('there', folder.path('here'))
    symlinkSync('here', folder.path('there'))
    mkdirSync(folder.path('deep/er'), { recursive: true })
    symlinkSync('../..', folder.path('deep/er/up'))
    symlinkSync('nowhere', folder.path('deep/dangling'))
    execFileSync('mkfifo', [folder.path('deep/pipe')])
    folder.ignored += 6
  }
  if (drawn.big) {
    const path = folder.path('sparse.img')
    writeFileSync(path, '')
    truncateSync(path, BIG_BYTES)
    const head = openSync(path, 'r+')
    writeSync(head, 'ten gigabytes of nothing\n')
    closeSync(head)
  }
}

function oddNames(folder: Folder): void {
  const { put, content } = folder
  for (const name of oddNamesHere()) put(`odd/${name}`, content(name))
  // Bytes that aren't valid UTF-8: a name from an old Latin-1 disk.
  const bytes = Buffer.concat([Buffer.from(`${folder.path('odd')}/raw `), Buffer.from([0xe9, 0xff, 0x80])])
  const raw = content('raw')
  if (process.platform === 'linux') {
    writeFileSync(bytes, raw)
    folder.note('raw \ufffd', raw)
  }
}

function tear({
  kind,
  name,
  folder,
  dice,
}: {
  readonly kind: WorldKind
  readonly name: string
  readonly folder: Folder
  readonly dice: Dice
}): void {
  const path = folder.path(name)
  if (folder.away || !existsSync(path)) return
  switch (kind) {
    case 'truncated while read': {
      const was = readFileSync(path)
      const half = was.subarray(0, Math.floor(was.length / 3))
      folder.note(name, half)
      const file = openSync(path, 'r+')
      ftruncateSync(file, half.length)
      closeSync(file)
      return
    }
    case 'replaced while read': {
      const data = folder.content(`big again ${dice.int(1e6)}`, 700_000)
      writeFileSync(`${path}.tmp`, data)
      renameSync(`${path}.tmp`, path)
      folder.note(name, data)
      return
    }
    case 'deleted while read':
      rmSync(path)
      folder.current.delete(name)
      return
    default: {
      if (dice.next() < 0.5) {
        appendFileSync(path, 'and more')
        folder.note(name, readFileSync(path))
        return
      }
      // Overwrites in place with the same length, so that only timestamps and content differ.
      const data = readFileSync(path).fill(dice.int(256), 100)
      const file = openSync(path, 'r+')
      writeSync(file, data)
      closeSync(file)
      folder.note(name, data)
    }
  }
}

function compare({
  service,
  folder,
}: {
  readonly service: Service
  readonly folder: Folder
}): Pick<RunReport, 'lost' | 'twice' | 'wrong'> {
  // A file that the service lost was stored once, and the client isn't expected to upload it again.
  const there = new Set(
    service.ledger
      .files()
      .filter((file) => file.requestNo > 0 && file.deletedBy !== 'client')
      .map((file) => file.sha256),
  )
  const live = service.ledger.live().filter((file) => file.requestNo > 0)
  const lost: string[] = []
  for (const [name, hash] of folder.current) if (!there.has(hash)) lost.push(name)
  if (existsSync(folder.path('sparse.img')) && !live.some((file) => file.size === BIG_BYTES))
    lost.push('sparse.img')
  const twice = service.ledger
    .duplicates()
    .byNameAndSha.filter((group) => {
      // As many copies are correct as there are files with this name and content in the folder.
      const first = group[0]
      const mine = [...folder.current].filter(
        ([name, hash]) => hash === first?.sha256 && name.split('/').at(-1) === first.filename,
      ).length
      return group.length > Math.max(1, mine)
    })
    .map((group) => group[0]?.filename ?? '')
  // The hash of the sparse file isn't known in advance, but its size is.
  const wrong = live
    .filter((file) => !folder.versions.has(file.sha256) && file.size !== BIG_BYTES)
    .map((file) => file.filename)
  return { lost, twice, wrong }
}

/** Copies of empty files don't count: their content is that of all of them. */
function runawayOf(service: Service): readonly string[] {
  const stored = service.ledger.files().filter((file) => file.requestNo > 0 && file.size > 0)
  const copies = [...Map.groupBy(stored, (file) => file.sha256).values()].filter(
    (files) => files.length > MOST_BODIES,
  )
  const most = mostInOutage(service.requests.list())
  return [
    ...copies.map((files) => `${files[0]?.filename} was stored ${files.length} times`),
    ...(most > MOST_IN_OUTAGE ? [`${most} requests in ten minutes of an outage`] : []),
  ]
}

/**
 * `vanished` is the number of files that the service lost. Those that Slipway noticed count as ignored,
 * because they were deleted.
 */
function checkAudit(ended: Ended, folder: Folder, vanished: number): string | null {
  const last = ended.out.trim().split('\n').at(-1) ?? ''
  let sums: z.infer<typeof Sums>
  try {
    sums = Sums.parse(JSON.parse(last))
  } catch {
    return `no summary: ${last.slice(0, 100)}`
  }
  const sum = sums.uploaded + sums.waiting + sums.held + sums.failed + sums.ignored
  if (sums.seen !== sum) return `seen ${sums.seen} is not ${sum}`
  // The sparse file is counted separately, because its content isn't held in memory.
  const files = folder.current.size + (existsSync(folder.path('sparse.img')) ? 1 : 0)
  const gone = sums.ignored - folder.ignored
  return gone >= 0 && gone <= vanished && sums.uploaded === files - gone && sums.seen === sum
    ? null
    : `${files} files and ${folder.ignored} others, the audit says ${JSON.stringify(sums)}`
}

/**
 * Places where the key must not be but is: requests to other origins, the process's output, the data folder.
 */
function leaksOf({
  service,
  place,
  ended,
}: {
  readonly service: Service
  readonly place: Place
  readonly ended: Ended
}): readonly string[] {
  const found = service
    .strangerRequests()
    .filter((request) => request.hadKey)
    .map((request) => `${request.method} to another origin`)
  if (ended.out.includes(place.key) || ended.err.includes(place.key)) found.push('what it printed')
  if (existsSync(place.data))
    for (const entry of readdirSync(place.data, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(place.key))
        found.push(entry.name)
  return found
}
