// One gesture run: a watched folder, a service with or without faults, and a few user actions, all drawn from
// one seed. At the end the faults are turned off, everything is queried, and the oracle judges the result.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../scenario/cli-process.ts'
import type { Dialect } from '../service/dialect.ts'
import { createService, type Service } from '../service/service.ts'
import { type Evidence, everyLink, type Fetched, type Finding, type FindingKind } from './evidence.ts'
import { createExpected, type Expected, type FolderRules } from './expected.ts'
import { dealtGestures, drawGestures } from './gestures.ts'
import { createHands, crowding, diceOf, filesBelow, type Hands, watchArgs } from './hands.ts'
import { InUse } from './in-use.ts'
import { type Drawn, drawGrown, faultPlan, GROWN, GROWN_KINDS, grownDialect } from './kinds.ts'
import { FINAL, judge } from './oracle.ts'
import { isBelow } from './paths.ts'
import { createPlace, type Place } from './process.ts'

/**
 * Faults of the service that fit between gestures: each lasts less than a second, and none removes a file.
 */
const FAULTS = [
  'cut before the body',
  'cut in the body',
  'cut after the body',
  'answer lost after storing',
  'stored late, cut',
  'answer truncated',
  'answer slow',
  'answer late',
  '500',
  '503',
  'HTML with 200',
  'empty with 200',
  'service away',
] as const
const DIALECTS: readonly [Partial<Dialect>, ...Partial<Dialect>[]] = [
  {},
  {},
  { listOrder: 'oldest' },
  { ids: 'random', listOrder: 'shuffled' },
  { sameBytes: 'existing' },
  { sizeUnit: 'KB', listCap: 10, listDefault: 10 },
]
/**
 * The seeds up to this one are those of `npm run test:long`. Those above have one or two of GROWN_HERE as
 * well.
 */
const FIXED = 100
/** Not files of other users, which can't be deleted: what a gesture deletes has to be gone in the end. */
const GROWN_HERE = GROWN.filter((kind) => kind !== 'others have it')
/**
 * Maximum duration of a command. If a connection was cut and it can't be proved that the file isn't stored,
 * an upload waits two minutes (evidence.ts).
 */
const LONGEST_MS = 180_000
/** Maximum number of starts of the last watch until nothing is left to do. */
const MOST_STARTS = 6

export interface GestureReport {
  readonly seed: number
  /** The name parts that limited the draw. */
  readonly only: readonly string[]
  readonly isDealt: boolean
  /** Gestures that were drawn, and those that could be carried out. */
  readonly drawn: readonly string[]
  readonly struck: readonly string[]
  /** Drawn kinds of services and of what is in front of them. */
  readonly grown: readonly string[]
  readonly findings: readonly Finding[]
  readonly files: number
  readonly commands: number
  readonly tookMs: number
  /** Where the evidence is; null if there were no findings. */
  readonly home: string | null
}

export interface GestureOptions {
  readonly program: 'built' | 'source'
  readonly only?: readonly string[]
  /** Takes the hand with the seed's number instead of drawing gestures. */
  readonly isDealt?: boolean
}

/** The number of findings of this kind, optionally only those that this gesture may have caused. */
export function countOfKind(report: GestureReport, kind: FindingKind, gesture: string | null): number {
  return report.findings.filter(
    (one) => one.kind === kind && (gesture === null || one.by === null || one.by === gesture),
  ).length
}

/** Why the run failed, and the command that repeats it. */
export function reasonOfGestures(report: GestureReport): string {
  const what = report.findings.slice(0, 6).map((one) => `${one.kind}: ${one.what.slice(0, 300)}`)
  const more = report.findings.length > 6 ? [`and ${report.findings.length - 6} more`] : []
  return [
    `seed ${report.seed} (${[...report.drawn, ...report.grown].join(', ')}), kept in ${report.home}`,
    ...[...what, ...more].map((one) => `  ${one}`),
    `  again: npm run chaos -- --gestures --runs 1 --seed ${report.seed}${report.isDealt ? ' --dealt' : ''}${report.only.length === 0 ? '' : ` --only '${report.only.join(',')}'`}`,
  ].join('\n')
}

export async function gestureRun(seed: number, options: GestureOptions): Promise<GestureReport> {
  const began = Date.now()
  const dice = diceOf(seed, 'setting')
  const gestures = options.isDealt === true ? dealtGestures(seed) : drawGestures(seed, options.only)
  const rules: FolderRules = {
    existing: dice.next() < 0.15 ? 'skip' : 'upload',
    onChange: dice.pick(['new-link', 'new-link', 'replace', 'ignore']),
    ignore: ['*.skip'],
  }
  const env: Record<string, string> = {}
  const place = createPlace({
    program: options.program,
    asNobody: false,
    preload: {},
    env,
    mostMs: LONGEST_MS,
  })
  if (gestures.some((one) => one.isDataInside))
    env['SLIPWAY_DATA_DIR'] = join(place.folder, '.local', 'slipway')
  const drawnFaults =
    dice.next() < 0.5 ? [] : [dice.pick(FAULTS), ...(dice.next() < 0.3 ? [dice.pick(FAULTS)] : [])]
  const grown = options.isDealt !== true && seed > FIXED ? drawGrown(seed, GROWN_HERE) : []
  const wanted = [...drawnFaults, ...grown.filter((kind) => kind in GROWN_KINDS)]
  const faults: Drawn = {
    service: [...new Set(wanted)],
    long: null,
    world: new Set(),
    dialects: [],
    big: false,
    notRun: [],
  }
  let onMoment: Hands['onMoment'] = () => undefined
  const service = await createService({
    plan: 'custom',
    key: place.key,
    seed,
    latencyMs: dice.int(12),
    limits: {
      perMinute: 1e8,
      perDay: 1e9,
      dailyUploads: 1e9,
      windows: dice.next() < 0.5 ? 'sliding' : 'aligned',
    },
    dialect: { ...dice.pick(DIALECTS), ...grownDialect(grown, diceOf(seed, 'grown').int) },
    faults: faultPlan(seed, faults, dice.int),
    onMoment: (moment, endpoint) => onMoment(moment, endpoint),
  })
  const expected = createExpected(Date.now, crowding)
  const hands = createHands({ seed, expected, service, place, rules, env })
  onMoment = (moment, endpoint) => hands.onMoment(moment, endpoint)
  mkdirSync(hands.aside)
  for (let i = 0; i < 3 + dice.int(4); i++)
    hands.put(
      join(place.folder, i % 3 === 2 ? `sub/${hands.name('first')}` : hands.name('first')),
      hands.content('first'),
    )
  hands.put(join(place.folder, hands.name('passed over', '.skip')), hands.content('skip'))

  const struck: string[] = []
  const defects: string[] = []
  const times: { readonly name: string; readonly from: number; readonly to: number }[] = []
  for (const one of gestures) {
    hands.by = one.name
    const from = Date.now()
    try {
      if (await one.act(hands)) struck.push(one.name)
    } catch (error) {
      if (!(error instanceof InUse))
        defects.push(
          `the harness: ${one.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        )
    }
    service.setUploadRate(null)
    hands.onMoment = () => undefined
    times.push({ name: one.name, from, to: Date.now() })
  }
  await rest(hands)
  const evidence = await gather({ hands, service, expected, times })
  const findings = [
    ...judge(evidence),
    ...[...defects, ...mismatches(expected, env).map((what) => `the harness: ${what}`)].map(
      (what): Finding => ({ kind: 'untrue', what, by: null }),
    ),
  ]
  const report: GestureReport = {
    seed,
    only: options.only ?? [],
    isDealt: options.isDealt ?? false,
    drawn: gestures.map((one) => one.name),
    struck,
    grown,
    findings,
    files: evidence.files.length,
    commands: evidence.tellings.length,
    tookMs: Date.now() - began,
    home: place.home,
  }
  await service.close()
  if (findings.length > 0) {
    keepEvidence(place, env, evidence, report)
    return report
  }
  place.remove()
  return { ...report, home: null }
}

/**
 * Turns faults off, resumes uploads and watches every folder until nothing is left to do, at most MOST_STARTS
 * times. Then makes the final queries.
 */
async function rest(hands: Hands): Promise<void> {
  hands.by = 'rest'
  hands.service.setFaults(null)
  hands.service.setIntercept(null)
  await hands.service.comeBack()
  await hands.endAll('SIGTERM')
  if (hands.expected.isPaused()) await hands.resume()
  const folders = hands.expected.folders()
  for (let start = 1; start <= MOST_STARTS; start++) {
    hands.by = FINAL
    const from = hands.tellings.length
    for (const folder of folders) {
      const rules = hands.expected.rulesOf(folder) ?? hands.rules
      hands.expected.open(folder, rules)
      hands.expected.engine(true)
      await hands.command([...watchArgs(folder, rules), '--once', '--max-wait', '30s'], {
        interruptAfterMs: 45_000,
      })
      hands.expected.close(folder)
    }
    hands.expected.engine(false)
    const ended = hands.tellings.slice(from)
    if (start === MOST_STARTS || ended.every(({ code }) => code === 0 || code === 4)) break
    // Another start follows, so these commands don't count as final.
    hands.tellings.splice(from, ended.length, ...ended.map((one) => ({ ...one, by: 'rest' })))
    hands.by = 'rest'
    await hands.command(['retry', '--json'])
  }
  hands.by = FINAL
  for (const folder of folders)
    await hands.command(['audit', folder, '--json'], { asks: true, codes: [0, 4] })
  await hands.command(['status', '--json'], { asks: true, codes: [0] })
  const paths = hands.expected.files().map((file) => file.path)
  for (const some of inOneCommand(paths))
    await hands.command(['link', ...some, '--json'], { asks: true, codes: [0, 7] })
  await hands.service.idle()
}

/**
 * The paths in groups that fit on a command line. On Windows, it has at most 32,767 characters, and the rest
 * is cut off.
 */
function inOneCommand(paths: readonly string[]): readonly (readonly string[])[] {
  const most = process.platform === 'win32' ? 25_000 : Number.POSITIVE_INFINITY
  const groups: string[][] = []
  let length = most
  for (const path of paths) {
    length += path.length + 3
    if (groups.length === 0 || length > most) {
      groups.push([])
      length = path.length + 3
    }
    groups.at(-1)?.push(path)
  }
  return groups
}

async function gather(o: {
  readonly hands: Hands
  readonly service: Service
  readonly expected: Expected
  readonly times: Evidence['gestures']
}): Promise<Evidence> {
  const { hands, service, expected } = o
  const links = new Map<string, Fetched>()
  for (const link of everyLink(hands.tellings)) links.set(link, await fetched(link))
  return {
    tellings: hands.tellings.toSorted((a, b) => a.no - b.no),
    stored: service.ledger.files(),
    uploads: service.requests
      .list()
      .flatMap((request) => (request.endpoint === 'upload' ? [request.at] : [])),
    links,
    contents: expected.contents(),
    files: expected.files(),
    onDisk: expected.folders().flatMap(filesBelow),
    pathsOf: expected.pathsOf,
    placedAt: expected.placedAt,
    gestures: o.times,
    pauses: expected.pauses(),
  }
}

async function fetched(link: string): Promise<Fetched> {
  try {
    const answer = await fetch(link)
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, sha256: answer.ok ? sha256(bytes) : null }
  } catch {
    return { status: null, sha256: null }
  }
}

/**
 * Differences between the expectation and the disk. They are a bug in the harness and would invalidate all
 * other findings.
 */
function mismatches(expected: Expected, env: Readonly<Record<string, string>>): readonly string[] {
  const data = env['SLIPWAY_DATA_DIR']
  const real = new Set(
    expected
      .folders()
      .flatMap(filesBelow)
      .filter((path) => data === undefined || !isBelow(data, path)),
  )
  const mine = new Set(expected.files().flatMap((file) => (file.folder === null ? [] : [file.path])))
  return [
    ...[...real].filter((path) => !mine.has(path)).map((path) => `${path} is on the disk and was not placed`),
    ...[...mine].filter((path) => !real.has(path)).map((path) => `${path} was placed and is not on the disk`),
  ]
}

function keepEvidence(
  place: Place,
  env: Readonly<Record<string, string>>,
  evidence: Evidence,
  report: GestureReport,
): void {
  const dir = join(place.home, 'evidence')
  mkdirSync(dir, { recursive: true })
  cpSync(env['SLIPWAY_DATA_DIR'] ?? place.data, join(dir, 'data'), { recursive: true })
  const plain = { ...evidence, links: [...evidence.links], contents: [...evidence.contents] }
  writeFileSync(join(dir, 'told.json'), JSON.stringify(plain, null, 1))
  writeFileSync(join(dir, 'report.json'), JSON.stringify(report, null, 1))
}
