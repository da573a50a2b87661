// The fault kinds of a chaos run by name: those that the service acts out, as rules for it, and those that happen to the process, the disk and
// the network around it, which run.ts acts out. What a seed draws is decided here; nothing is done here.
import type { Dialect } from '../service/dialect.ts'
import type { Fault, FaultPlan } from '../service/faults.ts'
import { draw } from '../service/faults.ts'
import { untrusted } from './gate.ts'
import { hasOwnMounts } from './mounts.ts'

/** Of one kind of the service: one of these strikes. `on`: uploads alone, else any call but downloads. */
interface ServiceKind {
  readonly faults: readonly Fault[]
  readonly on: 'upload' | 'any'
  /** Beside the requests it is sure to strike, this share of the rest; a kind that makes the account wait strikes rarely. */
  readonly share: number
  /** Drawn less often than the others, since a run with it waits for a minute. */
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
/** How long a stalled connection stays before something on the way lets go of it. */
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
  'answer truncated': any({ kind: 'answer-truncated', fraction: 0.5 }, { kind: 'answer-truncated', fraction: 0 }),
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
    ...([301, 302, 303, 307, 308] as const).map((code): Fault => ({ kind: 'redirect', status: code, to: 'other-origin' })),
  ),
  'redirect to the same origin': any(
    ...([301, 302, 303, 307, 308] as const).map((code): Fault => ({ kind: 'redirect', status: code, to: 'same-origin' })),
  ),
  'service away': rare('any', { kind: 'go-away', ms: 600 }),
  'key revoked and back': rare('any', { kind: 'revoke-key', forMs: 700 }),
  'plan downgraded and back': seldom({ kind: 'downgrade', plan: 'free', forMs: 700 }),
  'file vanished on the server': rare('any', { kind: 'vanish' }),
}

/** Kinds that wait for a minute and more, as the real ones do: one of them to a run, and few runs. */
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

/** Kinds of the world around the service; run.ts acts them out. */
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
  readonly big: boolean
  /** Drawn, but this machine can't show them. */
  readonly notRun: readonly string[]
}

const SELDOM = new Set<string>([
  ...Object.keys(SERVICE_KINDS).filter((kind) => SERVICE_KINDS[kind]?.seldom === true),
  'certificate not trusted',
])
const GATES: readonly WorldKind[] = ['name not found', 'connection refused', 'half-open connection', 'certificate not trusted']
const TEARS: readonly WorldKind[] = ['changed while read', 'truncated while read', 'replaced while read', 'deleted while read']
export const LISTS: readonly WorldKind[] = ['list late', 'list late at random', 'list from a stale replica', 'list shifts while paged']
const FOLDERS: readonly WorldKind[] = ['folder renamed away', 'folder unmounted']

/** Why a kind can't be shown here; null if it can. */
export function cannot(kind: string): string | null {
  if (kind === 'disk full (journal and log)' || kind === 'folder unmounted')
    return hasOwnMounts() ? null : 'needs root and a mount table of its own'
  if (kind === 'certificate not trusted') return untrusted() === null ? 'needs openssl' : null
  if (kind === 'permission denied' || kind === 'symlink loops') return process.platform === 'win32' ? 'needs POSIX files' : null
  return null
}

export function isLong(seed: number): boolean {
  return seed % 25 === 0
}

export function isBig(seed: number): boolean {
  return seed % 500 === 0
}

/** Two to five kinds; long runs have one long kind and at most two others. */
export function drawKinds(seed: number, only: readonly string[] = []): Drawn {
  const all = [...Object.keys(SERVICE_KINDS), ...WORLD_KINDS]
  const long = Object.keys(LONG_KINDS)
  const big = only.includes(BIG) || (only.length === 0 && isBig(seed))
  const wanted = new Set<string>(only.filter((kind) => all.includes(kind)))
  const count =
    only.length > 0 || big ? 0 : isLong(seed) ? 1 + Math.floor(draw(seed, 'count') * 2) : 2 + Math.floor(draw(seed, 'count') * 4)
  for (let n = 0; wanted.size < count; n++) {
    const kind = all[Math.floor(draw(seed, 'kind', n) * all.length)] ?? ''
    if (!SELDOM.has(kind) || draw(seed, 'seldom', n) < 0.35) wanted.add(kind)
  }
  // Two ways to shut the same door, to tear the same file or to take the same folder away would only hide each other.
  for (const group of [GATES, TEARS, LISTS, FOLDERS])
    for (const kind of group.filter((one) => wanted.has(one)).slice(1)) wanted.delete(kind)
  const notRun = [...wanted].filter((kind) => cannot(kind) !== null)
  for (const kind of notRun) wanted.delete(kind)
  return {
    service: Object.keys(SERVICE_KINDS).filter((kind) => wanted.has(kind)),
    long:
      only.find((kind) => long.includes(kind)) ??
      (only.length === 0 && !big && isLong(seed) ? (long[(seed / 25) % long.length] ?? null) : null),
    world: new Set(WORLD_KINDS.filter((kind) => wanted.has(kind))),
    big,
    notRun,
  }
}

/** How the service shows what it has: late, from a copy that is behind, under other names. `at` draws a number below its argument. */
export function lateDialect({ world }: Drawn, at: (below: number) => number): Partial<Dialect> {
  const listLagMs = 1000 + at(4000)
  const names = ['prefixed', 'random-suffix', 'slug', 'uuid', 'lower', 'suffixed'] as const
  return {
    ...(world.has('list late') ? { listLag: 'fixed', listLagMs } : {}),
    ...(world.has('list late at random') ? { listLag: 'random', listLagMs: 2 * listLagMs } : {}),
    ...(world.has('list from a stale replica') ? { listReplicaMs: listLagMs } : {}),
    ...(world.has('names changed') ? { filename: names[at(names.length)] ?? 'slug' } : {}),
  }
}

/** The rules for the service. Each kind strikes early at least once and again later; `at` draws a number below its argument. */
export function faultPlan(seed: number, drawn: Drawn, at: (below: number) => number): FaultPlan {
  const rules: FaultPlan['rules'][number][] = []
  const kinds = drawn.service.map((name) => SERVICE_KINDS[name]).filter((kind) => kind !== undefined)
  const long = drawn.long === null ? undefined : LONG_KINDS[drawn.long]
  // What a 429 teaches is a limit of as many as went before it: early, it would make every run last for minutes.
  for (const { faults, on, seldom: late } of long === undefined ? kinds : [...kinds, { ...long, seldom: true }]) {
    rules.push({ on: 'upload', nth: late === true ? 10 + at(8) : 1 + at(14), kinds: faults })
    if (on === 'any' && late !== true && at(2) === 0)
      rules.push({ on: (['list', 'stats', 'get'] as const)[at(3)] ?? 'list', nth: 1 + at(2), kinds: faults })
  }
  for (const { faults, share } of kinds)
    if (share > 0) {
      rules.push({ on: 'upload', rate: share, kinds: faults })
      // A walk through the list is many requests, and each that fails begins it anew: four kinds at this share would spend a minute's budget.
      rules.push({ on: ['list', 'get', 'delete', 'stats'], rate: share / 4, kinds: faults })
    }
  return { seed, rules }
}

/** Which kind of the list a fault in the service's log belongs to: several share one kind of the service, so its form is not always known. */
export function kindsOfFault(fault: string, drawn: Drawn): readonly string[] {
  const names = drawn.long === null ? drawn.service : [...drawn.service, drawn.long]
  return names.filter((name) => (SERVICE_KINDS[name] ?? LONG_KINDS[name])?.faults.some((one) => one.kind === fault) === true)
}
