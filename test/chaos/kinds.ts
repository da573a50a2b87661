// The fault kinds of a chaos run by name: those of the service, as rules for it, and those of the process,
// disk and network around it, which run.ts carries out. Only decides what a seed draws.
import type { Dialect } from '../service/dialect.ts'
import type { Fault, FaultPlan } from '../service/faults.ts'
import { draw, interceptPages } from '../service/faults.ts'
import { untrusted } from './gate.ts'
import { hasOwnMounts } from './mounts.ts'
import { canBeUnprivileged } from './process.ts'

/** One of `faults` strikes. `on` limits them to uploads; otherwise any call except downloads may fail. */
interface ServiceKind {
  readonly faults: readonly Fault[]
  readonly on: 'upload' | 'any'
  /**
   * The share of further requests that fail at random; 0 for kinds that only affect requests chosen by their
   * number.
   */
  readonly share: number
  /** Drawn less often than the others, because a run with it waits for a minute. */
  readonly seldom?: true
}

const any = (...faults: readonly Fault[]): ServiceKind => ({ faults, on: 'any', share: 0.03 })
const rare = (on: 'upload' | 'any', ...faults: readonly Fault[]): ServiceKind => ({ faults, on, share: 0 })
const seldom = (...faults: readonly Fault[]): ServiceKind => ({ faults, on: 'any', share: 0, seldom: true })
const status = (code: number): ServiceKind =>
  any(
    { kind: 'error-before-body', status: code },
    { kind: 'error-before-store', status: code },
    { kind: 'error-after-store', status: code },
  )
const garbage = (form: 'html' | 'bytes' | 'json' | 'empty'): ServiceKind =>
  any({ kind: 'garbage-before-store', form }, { kind: 'garbage-after-store', form })
/** How long a connection stalls before it is dropped. */
const STALL_MS = 900

export const SERVICE_KINDS: Readonly<Record<string, ServiceKind>> = {
  'cut before the body': any({ kind: 'cut-before-body' }),
  'cut in the body': any(
    { kind: 'cut-in-body', fraction: 0.1 },
    { kind: 'cut-in-body', fraction: 0.5 },
    { kind: 'cut-in-body', fraction: 0.95 },
  ),
  'cut after the body': any({ kind: 'cut-after-body' }),
  'answer lost after storing': any({ kind: 'cut-after-store' }),
  'stored late, cut': any({ kind: 'late-store-cut', ms: 300 }),
  'stored late, error': any({ kind: 'late-store-error', ms: 300, status: 504 }),
  'stored seconds late': any(
    { kind: 'late-store-cut', ms: 1000, mostMs: 4000 },
    { kind: 'late-store-error', ms: 1000, mostMs: 4000, status: 504 },
  ),
  'answer truncated': any(
    { kind: 'answer-truncated', fraction: 0.5 },
    { kind: 'answer-truncated', fraction: 0 },
  ),
  'answer slow': any({ kind: 'answer-slow', ms: 300 }),
  'answer late': any({ kind: 'answer-late', ms: 400 }),
  'no answer, then cut': any(
    { kind: 'stall-before-store', forMs: STALL_MS },
    { kind: 'stall-after-store', forMs: STALL_MS },
    { kind: 'stall-in-body', fraction: 0.4, forMs: STALL_MS },
  ),
  '500': status(500),
  '502': status(502),
  '503': status(503),
  '429 with seconds': seldom({ kind: 'rate-limited', retryAfter: 'seconds', seconds: 1 }),
  '429 with a date': seldom({ kind: 'rate-limited', retryAfter: 'date', seconds: 1 }),
  'HTML with 200': garbage('html'),
  'garbage with 200': garbage('bytes'),
  'foreign JSON with 200': garbage('json'),
  'empty with 200': garbage('empty'),
  'redirect to another origin': any(
    ...([301, 302, 303, 307, 308] as const).map(
      (code): Fault => ({ kind: 'redirect', status: code, to: 'other-origin' }),
    ),
  ),
  'redirect to the same origin': any(
    ...([301, 302, 303, 307, 308] as const).map(
      (code): Fault => ({ kind: 'redirect', status: code, to: 'same-origin' }),
    ),
  ),
  'service away': rare('any', { kind: 'go-away', ms: 600 }),
  'key revoked and back': rare('any', { kind: 'revoke-key', forMs: 700 }),
  'plan downgraded and back': seldom({ kind: 'downgrade', plan: 'free', forMs: 700 }),
  'file vanished on the server': rare('any', { kind: 'vanish' }),
}

/**
 * Kinds that make a run wait for a minute or more, as the real faults do. Each run has at most one, and few
 * runs have any.
 */
export const LONG_KINDS: Readonly<Record<string, ServiceKind>> = {
  'no answer, ever': rare(
    'upload',
    { kind: 'stall-after-store' },
    { kind: 'stall-before-store' },
    { kind: 'stall-in-body', fraction: 0.4 },
  ),
  '429 with nothing': rare('upload', { kind: 'rate-limited', retryAfter: 'none', seconds: 1 }),
  'limit lowered': rare('upload', { kind: 'lower-limit', perMinute: 12 }),
}

/** How long something stands in front of the service in a run, in milliseconds. */
const FRONT_MS: readonly number[] = [2000, 8000, 20_000]
const inFront = (
  isRefusal: boolean,
  on?: Extract<Fault, { kind: 'intercepted' }>['on'],
  part = 1,
): ServiceKind =>
  rare(
    'any',
    ...interceptPages
      .filter((page) => page.startsWith('refused-') === isRefusal)
      .flatMap((page) =>
        FRONT_MS.map(
          (forMs): Fault => ({
            kind: 'intercepted',
            page,
            share: part,
            forMs,
            ...(on === undefined ? {} : { on }),
          }),
        ),
      ),
  )
const sent = (...faults: readonly Fault[]): ServiceKind => ({ faults, on: 'upload', share: 0.08 })

/**
 * Kinds that only seeds above FIXED draw, one or two on top of the others, so that the runs up to there stay
 * as they are. Together with GROWN_DIALECTS, they are the kinds of the simulated matrix (worlds.ts), which
 * has them for longer.
 */
export const GROWN_KINDS: Readonly<Record<string, ServiceKind>> = {
  'receipt of nothing': sent({ kind: 'receipt-of-nothing' }),
  'receipt of another': sent(
    { kind: 'receipt-of-another', isStored: true },
    { kind: 'receipt-of-another', isStored: false },
  ),
  'stored 8 s late': rare(
    'upload',
    { kind: 'late-store-cut', ms: 8000 },
    { kind: 'late-store-error', ms: 8000, status: 504 },
  ),
  'page in front': inFront(false),
  'page in front of links too': inFront(false, ['upload', 'list', 'get', 'delete', 'stats', 'download']),
  'page in front of some calls': inFront(false, ['get', 'delete', 'list']),
  'page in front now and then': inFront(false, undefined, 0.5),
  'uploads refused': inFront(true, ['upload']),
}

/** How the services of these kinds differ from others. `at` draws a number below its argument. */
const GROWN_DIALECTS: Readonly<Record<string, (at: (below: number) => number) => Partial<Dialect>>> = {
  'single files late': (at) => ({ singleLagMs: 1000 + at(9000) }),
  'deletions late': (at) => ({ deleteLagMs: 1000 + at(9000) }),
  'two copies': (at) => ({ replica: at(2) === 0 ? 'random' : 'alternate', replicaMs: 1000 + at(9000) }),
  'compressed sizes': () => ({ sizeOf: 'compressed' }),
  'others have it': () => ({ othersShare: 0.4 }),
  'ids in quotes': () => ({ idForm: 'quoted' }),
  'ids beyond 2^53': (at) => ({ idForm: at(2) === 0 ? 'beyond' : 'beyond-quoted' }),
  'ids are UUIDs': () => ({ idForm: 'uuid' }),
}

export const GROWN: readonly string[] = [...Object.keys(GROWN_KINDS), ...Object.keys(GROWN_DIALECTS)]
/** The seeds up to this one are those of `npm run test:long`. */
const FIXED = 200

/** Draws one or two of `from`. */
export function drawGrown(seed: number, from: readonly string[] = GROWN): readonly string[] {
  const one = (n: number): string => from[Math.floor(draw(seed, 'grown', n) * from.length)] ?? ''
  return [...new Set(draw(seed, 'grown') < 0.5 ? [one(1)] : [one(1), one(2)])]
}

/** The dialect that these kinds make together. */
export function grownDialect(kinds: readonly string[], at: (below: number) => number): Partial<Dialect> {
  return Object.assign({}, ...kinds.map((kind) => GROWN_DIALECTS[kind]?.(at) ?? {})) as Partial<Dialect>
}

/** Fault kinds outside the service. run.ts carries them out. */
export const WORLD_KINDS = [
  'kill while scanning',
  'kill in a body',
  'kill between answer and commit',
  'kill while migrating',
  'kill at random',
  'sleep and wake',
  'clock jumps',
  'name not found',
  'connection refused',
  'half-open connection',
  'certificate not trusted',
  'list shifts while paged',
  'slow server',
  'changed while read',
  'truncated while read',
  'replaced while read',
  'deleted while read',
  'disk full (journal and log)',
  'permission denied',
  'folder renamed away',
  'folder unmounted',
  'odd names',
  'list late',
  'list late at random',
  'list from a stale replica',
  'names changed',
  'empty files',
  'symlink loops',
] as const
export type WorldKind = (typeof WORLD_KINDS)[number]

export const BIG = 'sparse file of 10 GB'

export interface Drawn {
  readonly service: readonly string[]
  readonly long: string | null
  readonly world: ReadonlySet<WorldKind>
  /** Names in GROWN_DIALECTS. Those in GROWN_KINDS are among the kinds of the service. */
  readonly dialects: readonly string[]
  readonly big: boolean
  /** Drawn, but not possible on this machine. */
  readonly notRun: readonly string[]
}

const SELDOM = new Set<string>([
  ...Object.keys(SERVICE_KINDS).filter((kind) => SERVICE_KINDS[kind]?.seldom === true),
  'certificate not trusted',
])
const GATES: readonly WorldKind[] = [
  'name not found',
  'connection refused',
  'half-open connection',
  'certificate not trusted',
]
const TEARS: readonly WorldKind[] = [
  'changed while read',
  'truncated while read',
  'replaced while read',
  'deleted while read',
]
export const LISTS: readonly WorldKind[] = [
  'list late',
  'list late at random',
  'list from a stale replica',
  'list shifts while paged',
]
const FOLDERS: readonly WorldKind[] = ['folder renamed away', 'folder unmounted']

const NOT_ON_WINDOWS: ReadonlyMap<string, string> = new Map([
  ['permission denied', 'needs POSIX files'],
  ['symlink loops', 'needs POSIX files'],
  ['sleep and wake', 'needs SIGSTOP'],
  ['replaced while read', 'a file that is open can not be replaced'],
  ['deleted while read', 'a file that is open can not be deleted'],
  ['folder renamed away', 'a watched folder can not be renamed'],
])

/** Why a kind isn't possible here; null if it is. */
export function cannot(kind: string): string | null {
  if (kind === 'disk full (journal and log)' || kind === 'folder unmounted')
    return hasOwnMounts() ? null : 'needs root and a mount table of its own'
  if (kind === 'permission denied' && !canBeUnprivileged())
    return 'needs a checkout that other users may read'
  if (kind === 'certificate not trusted') return untrusted() === null ? 'needs openssl' : null
  return process.platform === 'win32' ? (NOT_ON_WINDOWS.get(kind) ?? null) : null
}

function isLong(seed: number): boolean {
  return seed % 25 === 0
}

function isBig(seed: number): boolean {
  return seed % 500 === 0
}

/** These seeds, the runs that take longest first, so that none of them begins when all others have ended. */
export function longestFirst(seeds: readonly number[]): readonly number[] {
  const rank = (seed: number): number => (isBig(seed) ? 0 : isLong(seed) ? 1 : 2)
  return seeds.toSorted((a, b) => rank(a) - rank(b))
}

/**
 * The kinds in a comma-separated list. A comma before a space belongs to the name of a kind. Throws if there
 * is no such kind.
 */
export function kindsIn(list: string): readonly string[] {
  const known = [...Object.keys(SERVICE_KINDS), ...Object.keys(LONG_KINDS), ...WORLD_KINDS, ...GROWN, BIG]
  const kinds = list.split(/,(?! )/)
  const unknown = kinds.filter((kind) => !known.includes(kind))
  if (unknown.length > 0) throw new Error(`no kind is named ${unknown.join(' or ')}`)
  return kinds
}

/**
 * Draws two to five kinds. Long runs have one long kind and at most two others; runs with the big file have
 * no other kind. With `only`, takes the named kinds. Then drops kinds that exclude each other or aren't
 * possible here.
 */
export function drawKinds(seed: number, only: readonly string[] = []): Drawn {
  const all = [...Object.keys(SERVICE_KINDS), ...WORLD_KINDS]
  const long = Object.keys(LONG_KINDS)
  const big = only.includes(BIG) || (only.length === 0 && isBig(seed))
  const wanted = new Set<string>(only.filter((kind) => all.includes(kind)))
  const count =
    only.length > 0 || big
      ? 0
      : isLong(seed)
        ? 1 + Math.floor(draw(seed, 'count') * 2)
        : 2 + Math.floor(draw(seed, 'count') * 4)
  for (let n = 0; wanted.size < count; n++) {
    const kind = all[Math.floor(draw(seed, 'kind', n) * all.length)] ?? ''
    if (!SELDOM.has(kind) || draw(seed, 'seldom', n) < 0.35) wanted.add(kind)
  }
  // Two faults of the same group would only mask each other.
  for (const group of [GATES, TEARS, LISTS, FOLDERS])
    for (const kind of group.filter((one) => wanted.has(one)).slice(1)) wanted.delete(kind)
  const grown =
    only.length > 0
      ? GROWN.filter((kind) => only.includes(kind))
      : seed > FIXED && !big
        ? drawGrown(seed)
        : []
  const notRun = [...wanted].filter((kind) => cannot(kind) !== null)
  for (const kind of notRun) wanted.delete(kind)
  return {
    service: [
      ...Object.keys(SERVICE_KINDS).filter((kind) => wanted.has(kind)),
      ...Object.keys(GROWN_KINDS).filter((kind) => grown.includes(kind)),
    ],
    dialects: Object.keys(GROWN_DIALECTS).filter((kind) => grown.includes(kind)),
    long:
      only.find((kind) => long.includes(kind)) ??
      (only.length === 0 && !big && isLong(seed) ? (long[(seed / 25) % long.length] ?? null) : null),
    world: new Set(WORLD_KINDS.filter((kind) => wanted.has(kind))),
    big,
    notRun,
  }
}

/**
 * How many runs it takes to have each kind once, apart from those that wait for minutes: five or six in each
 * run.
 */
export const HANDS = 10

/** All kinds that a hand may have. */
export function dealable(): readonly string[] {
  return [...Object.keys(SERVICE_KINDS), ...WORLD_KINDS, ...GROWN]
}

/**
 * The kinds of a hand from 1 to HANDS, into which all of them are dealt. Kinds that exclude each other are in
 * different hands.
 */
export function dealtKinds(hand: number): readonly string[] {
  return dealable().filter((_, n) => n % HANDS === hand - 1)
}

/**
 * How the service presents its data: late, from an outdated replica, under other names. `at` draws a number
 * below its argument.
 */
export function lateDialect({ world, dialects }: Drawn, at: (below: number) => number): Partial<Dialect> {
  const listLagMs = 1000 + at(4000)
  const names = ['prefixed', 'random-suffix', 'slug', 'uuid', 'lower', 'suffixed'] as const
  return {
    ...(world.has('list late') ? { listLag: 'fixed', listLagMs } : {}),
    ...(world.has('list late at random') ? { listLag: 'random', listLagMs: 2 * listLagMs } : {}),
    ...(world.has('list from a stale replica') ? { listReplicaMs: listLagMs } : {}),
    ...(world.has('names changed') ? { filename: names[at(names.length)] ?? 'slug' } : {}),
    ...grownDialect(dialects, at),
  }
}

function serviceKind(name: string): ServiceKind | undefined {
  return SERVICE_KINDS[name] ?? GROWN_KINDS[name]
}

/**
 * The rules for the service. Each kind strikes one of the first uploads (`seldom` and long kinds one after
 * the ninth). Kinds with a `share` also strike further requests at random. `at` draws a number below its
 * argument.
 */
export function faultPlan(seed: number, drawn: Drawn, at: (below: number) => number): FaultPlan {
  const rules: FaultPlan['rules'][number][] = []
  const kinds = drawn.service.map(serviceKind).filter((kind) => kind !== undefined)
  const long = drawn.long === null ? undefined : LONG_KINDS[drawn.long]
  // A 429 teaches the client a limit equal to the requests before it. If it came early, every run would last
  // for minutes.
  for (const { faults, on, seldom: late } of long === undefined
    ? kinds
    : [...kinds, { ...long, seldom: true }]) {
    rules.push({ on: 'upload', nth: late === true ? 10 + at(8) : 1 + at(14), kinds: faults })
    if (on === 'any' && late !== true && at(2) === 0)
      rules.push({ on: (['list', 'stats', 'get'] as const)[at(3)] ?? 'list', nth: 1 + at(2), kinds: faults })
  }
  for (const { faults, share, on } of kinds)
    if (share > 0) {
      rules.push({ on: 'upload', rate: share, kinds: faults })
      if (on === 'upload') continue
      // Reading the list takes many requests, and a failed one restarts it. With four kinds at the full
      // share, this would use up a minute's limit.
      rules.push({ on: ['list', 'get', 'delete', 'stats'], rate: share / 4, kinds: faults })
    }
  return { seed, rules }
}

/**
 * The kinds that a fault in the service's log may belong to. Several kinds share one fault, so the kind isn't
 * always known.
 */
export function kindsOfFault(fault: string, drawn: Drawn): readonly string[] {
  const names = drawn.long === null ? drawn.service : [...drawn.service, drawn.long]
  return names.filter(
    (name) => (serviceKind(name) ?? LONG_KINDS[name])?.faults.some((one) => one.kind === fault) === true,
  )
}
