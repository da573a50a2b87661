// One run of the simulated matrix: the real engine with a drawn service on a fake clock. People save, upload,
// delete and edit files, the engine is killed, pages come and go; then hours pass without trouble, and
// world-oracle.ts judges. Everything is drawn from one seed.
import { createHash } from 'node:crypto'
import type { Transfer } from '../../src-shared/model.ts'
import { draw } from '../service/faults.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'
import { type Deletion, judgeWorld, type Row, type Version, type WorldFinding } from './world-oracle.ts'
import { type Dice, diceOf, drawWorld } from './worlds.ts'

/** A folder that isn't watched, for files that are uploaded by command. */
const DESK = '/home/desk'
const HOUR_MS = 3_600_000
/** Long enough for every retry, which come an hour apart at most, and for the search for second copies. */
const QUIET_HOURS = 4
/** How long a command waits for its file before the next one is typed. */
const PATIENCE_MS = 60_000

/** The share of runs in which many files come while something is in front of the service, and how many. */
const BACKLOGS = 0.25
const BACKLOG = 30

export interface WorldReport {
  readonly seed: number
  readonly kinds: readonly string[]
  readonly only: readonly string[]
  readonly findings: readonly WorldFinding[]
  /** What happened, one line each, with seconds from the start. */
  readonly story: readonly string[]
  /** Versions that wait with a reason because nothing proves what became of them. */
  readonly open: number
  readonly files: number
  readonly requests: number
}

interface Saved {
  readonly path: string
  readonly sha256: string
  readonly label: string
  rebirths: number
  isDeleted: boolean
  isReplaced: boolean
}

function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

class Run {
  readonly story: string[] = []
  readonly deletions: Deletion[] = []
  readonly saved: Saved[] = []
  readonly findings: WorldFinding[] = []
  readonly world: World
  readonly dice: Dice
  readonly onChange: 'new-link' | 'replace'
  readonly #began: number
  #files = 0
  #tokens = 0

  constructor(world: World, dice: Dice, onChange: 'new-link' | 'replace') {
    this.world = world
    this.dice = dice
    this.onChange = onChange
    this.#began = world.clock.mono()
  }

  note(what: string): void {
    this.story.push(`${((this.world.clock.mono() - this.#began) / 1000).toFixed(1)} s: ${what}`)
  }

  /** The time of the story for a time of the service's clock. */
  secondsAt(at: number): number {
    return (at - this.world.clock.now() + this.world.clock.mono() - this.#began) / 1000
  }

  #current(path: string): Saved | undefined {
    return this.saved.findLast((one) => one.path === path)
  }

  paths(): readonly string[] {
    return [...new Set(this.saved.map((one) => one.path))]
  }

  newPath(folder: string): string {
    return `${folder}/file ${++this.#files}.txt`
  }

  save(path: string): void {
    const version = 1 + this.saved.filter((one) => one.path === path).length
    const label = `${path.slice(path.lastIndexOf('/') + 1)} v${version}`
    // Some have the same size, so that it identifies none of them.
    const content = `${label} ${this.dice.at(1e9)}`.padEnd(this.dice.pick([40, 40, 40, 200, 5000]), '.')
    const last = this.#current(path)
    if (last !== undefined && path.startsWith(`${FOLDER}/`) && this.onChange === 'replace' && !last.isDeleted)
      last.isReplaced = true
    this.saved.push({
      path,
      sha256: sha256Of(content),
      label,
      rebirths: 0,
      isDeleted: false,
      isReplaced: false,
    })
    this.world.disk.write(path, content)
    this.note(`saves ${label}`)
  }

  /**
   * `slipway upload PATH`: ends when the file is done or waits for a person, or when the patience of its user
   * does.
   */
  async upload(path: string): Promise<void> {
    const current = this.#current(path)
    if (current?.isDeleted === true) {
      current.isDeleted = false
      current.rebirths++
    }
    const asked = this.world.handlers.upload({ paths: [path], again: false, token: `t${this.#tokens++}` })
    const got = await this.world.answered(asked)
    const item = got.ok ? got.value.items[0] : undefined
    await this.#orPatience(async () => {
      const row = (await this.world.transfers()).findLast((one) => one.path === path)
      return row !== undefined && ['done', 'held', 'failed', 'gone', 'cancelled'].includes(row.state)
    })
    this.note(
      `upload ${path}: ${item?.outcome ?? (got.ok ? 'nothing' : got.failure.title)}, then ${await this.#stateOf(path)}`,
    )
  }

  async #stateOf(path: string): Promise<string> {
    const row = (await this.world.transfers()).findLast((one) => one.path === path)
    return row === undefined ? 'nothing' : `${row.state}${row.reason === null ? '' : ` (${row.reason})`}`
  }

  async #orPatience(done: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; waited < PATIENCE_MS && !(await done()); waited += 500) await this.world.pass(500)
  }

  /** `slipway rm PATH`. */
  async remove(path: string): Promise<void> {
    const asked = this.world.handlers.remove({ selectors: [path] })
    const got = await this.world.answered(asked)
    const outcomes = got.ok ? got.value.map((item) => item.outcome ?? item.message) : ['failed']
    this.note(`rm ${path}: ${outcomes.join(', ')}`)
    // Nothing was deleted, and nothing will be: the file came so recently that it isn't known yet.
    if (outcomes.every((outcome) => outcome === 'not-found')) return
    const versions = this.saved.filter((one) => one.path === path)
    for (const one of versions) one.isDeleted = true
    const hashes = versions.map((one) => one.sha256)
    const { ledger, requests } = this.world.service
    // A deletion may take a while, but it has been accepted.
    const accepted = new Set(
      requests.list().flatMap((one) => (one.endpoint === 'delete' && one.status === 200 ? [one.fileId] : [])),
    )
    const alive = ledger
      .live()
      .flatMap((file) => (hashes.includes(file.sha256) && !accepted.has(file.fileId) ? [file.sha256] : []))
    this.deletions.push({ path, versions: hashes, outcomes, alive })
  }

  async ask(path: string): Promise<void> {
    const info = await this.world.answered(this.world.handlers.info({ selector: path }))
    this.note(
      `info ${path}: ${info.ok ? (info.value.remote === null ? 'nothing there' : 'there') : info.failure.title}`,
    )
  }

  async kill(): Promise<void> {
    await this.world.crash()
    await this.watch()
    this.note('kill and restart')
  }

  async watch(): Promise<void> {
    await this.world.watch({ onChange: this.onChange })
  }
}

type Step = (run: Run) => Promise<void>

const STEPS: readonly Step[] = [
  // The same file, uploaded three times in a row.
  async (run) => {
    const path = run.newPath(DESK)
    run.save(path)
    for (let n = 0; n < 3; n++) await run.upload(path)
  },
  // Deleted as soon as it is uploaded, sometimes twice, and sometimes uploaded again.
  async (run) => {
    const path = run.newPath(DESK)
    run.save(path)
    await run.upload(path)
    await run.world.pass(run.dice.pick([0, 500, 3000]))
    await run.remove(path)
    const then = run.dice.at(4)
    if (then === 1) await run.remove(path)
    if (then === 2) {
      await run.world.pass(run.dice.at(20_000))
      await run.upload(path)
    }
  },
  // Saved every two and a half seconds.
  async (run) => {
    const path = run.newPath(FOLDER)
    for (let n = 0; n < 4; n++) {
      run.save(path)
      await run.world.pass(2500)
    }
  },
  async (run) => run.save(run.dice.pick(run.paths().filter((path) => path.startsWith(`${FOLDER}/`)))),
  async (run) => {
    for (let n = 1 + run.dice.at(3); n > 0; n--) run.save(run.newPath(FOLDER))
  },
  async (run) => run.remove(run.dice.pick(run.paths())),
  async (run) => run.ask(run.dice.pick(run.paths())),
  async (run) => {
    run.save(run.newPath(FOLDER))
    await run.world.pass(run.dice.at(6000))
    await run.kill()
  },
  async (run) => run.kill(),
]

/** Plays the run of a seed. Takes `only` these kinds, if there are any; otherwise draws from all. */
export async function worldRun(
  seed: number,
  { only = [] }: { readonly only?: readonly string[] } = {},
): Promise<WorldReport> {
  const drawn = drawWorld(seed, only)
  const dice = diceOf(seed, 'run')
  let answerMs = 0
  const world = await createWorld(
    { plan: 'enterprise', seed, dialect: drawn.dialect, faults: drawn.faults },
    {
      isSteady: true,
      isKillFinal: true,
      get uploadAnswerMs() {
        return answerMs
      },
    },
  )
  const run = new Run(world, dice, dice.pick(['new-link', 'replace'] as const))
  const report = (more: Pick<WorldReport, 'open'>): WorldReport => ({
    seed,
    kinds: drawn.kinds,
    only,
    findings: run.findings,
    story: withRequests(run),
    files: run.saved.length,
    requests: world.service.requests.list().length,
    ...more,
  })
  try {
    world.disk.mkdir(DESK)
    for (const age of drawn.old)
      world.service.plant({ filename: `old ${age}.txt`, storedAt: world.clock.now() - age })
    // An answer that takes a while is what a kill can lose.
    answerMs = dice.pick([0, 0, 800, 2500])
    for (let n = 1 + dice.at(3); n > 0; n--) run.save(run.newPath(FOLDER))
    await run.watch()
    await world.pass(dice.at(15_000))
    const intercepts = [...drawn.intercepts]
    for (let n = 4 + dice.at(4); n > 0 || intercepts.length > 0; n--) {
      const intercept = n <= 3 || dice.at(3) === 0 ? intercepts.shift() : undefined
      if (intercept !== undefined) {
        world.service.setIntercept(intercept)
        // A backlog shows whether each file tries for itself.
        if (intercepts.length === 0 && draw(seed, 'backlog') < BACKLOGS)
          for (let file = 0; file < BACKLOG; file++) run.save(run.newPath(FOLDER))
        run.note(
          `in front, for ${(intercept.forMs ?? 0) / 1000} s: ${intercept.page} (${intercept.on?.join(', ') ?? 'all calls'}, ${intercept.share ?? 1})`,
        )
      }
      await dice.pick(STEPS)(run)
      await world.pass(dice.pick([300, 2000, 8000, 40_000]))
    }
    // Whatever is in front goes when its time is over.
    await world.pass(dice.pick([0, 700_000]))
    world.service.setIntercept(null)
    world.service.setFaults(null)
    answerMs = 0
    run.note('everything is well from here on')
    // In this world time stops for requests, so nothing else has to be waited for.
    await world.clock.advance(QUIET_HOURS * HOUR_MS)
    return report({ open: await judge(run, drawn.loses, drawn.dialect.othersShare ?? 0) })
  } catch (error) {
    run.findings.push({
      kind: 'broken',
      what: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    return report({ open: 0 })
  } finally {
    await world.end()
  }
}

async function judge(run: Run, loses: boolean, othersShare: number): Promise<number> {
  const { world } = run
  const transfers = await world.transfers()
  const rows = transfers.map(rowOf)
  const links = new Map<string, string | null>()
  for (const { link } of rows) if (link !== null && !links.has(link)) links.set(link, await fetched(link))
  const versions = run.saved.map((one, n): Version => {
    const isLatest = run.saved.findLastIndex((other) => other.path === one.path) === n
    return {
      path: one.path,
      sha256: one.sha256,
      label: one.label,
      isDue: isLatest && !one.isDeleted,
      isReplaced: one.isReplaced,
      rebirths: one.rebirths,
      isOthers: othersShare > 0,
    }
  })
  run.findings.push(
    ...judgeWorld({
      versions,
      deletions: run.deletions,
      rows,
      stored: world.service.ledger.files(),
      requests: world.service.requests.list(),
      links,
      loses,
    }),
  )
  return versions.filter(
    (one) => one.isDue && rows.findLast((row) => row.path === one.path)?.state !== 'done',
  ).length
}

function rowOf(one: Transfer): Row {
  return {
    path: one.path,
    sha256: one.sha256,
    state: one.state,
    reason: one.reason,
    ended: one.ended ?? null,
    link: one.publicLink,
    leftPublic: one.leftPublic === true || one.leftLink !== undefined,
  }
}

async function fetched(link: string): Promise<string | null> {
  try {
    const response = await fetch(link)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return response.ok ? sha256Of(bytes) : null
  } catch {
    return null
  }
}

/** The story with the requests that the service has seen, in the order of time. */
function withRequests(run: Run): readonly string[] {
  const requests = run.world.service.requests
    .list()
    .map(
      (one) =>
        `${run.secondsAt(one.at).toFixed(1)} s:     ${one.method} ${one.path} -> ${one.status ?? 'no answer'}${one.fault === null ? '' : ` (${one.fault})`}${one.fileId === null ? '' : ` file ${one.fileId}`}`,
    )
  const timeOf = (line: string): number => Number.parseFloat(line)
  return [...run.story, ...requests].toSorted((a, b) => timeOf(a) - timeOf(b))
}
