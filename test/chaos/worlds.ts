// The services of the simulated matrix: everything that the API document leaves open about whether a file is
// there, and what may stand in front of a service or strike it. Only decides what a seed draws; world-run.ts
// plays it.
import type { Dialect } from '../service/dialect.ts'
import {
  draw,
  type Endpoint,
  type Fault,
  type FaultPlan,
  type Intercept,
  interceptPages,
} from '../service/faults.ts'

/** Draws from the seed: `at` a whole number below its argument, `pick` one of a list. */
export interface Dice {
  readonly at: (below: number) => number
  readonly pick: <T>(list: readonly T[]) => T
}

export function diceOf(seed: number, word: string): Dice {
  let n = 0
  const at = (below: number): number => Math.floor(draw(seed, word, n++) * below)
  return {
    at,
    pick: (list) => {
      const one = list[at(list.length)]
      if (one === undefined) throw new Error('there is nothing to pick from')
      return one
    },
  }
}

/** What a kind adds to the service of a run. */
interface Part {
  readonly dialect?: Partial<Dialect>
  /** One of these strikes a share of the uploads. */
  readonly faults?: readonly Fault[]
  /** What comes in front of the service, now and then. */
  readonly intercepts?: readonly Intercept[]
  /** Number of files that the account has had for three months. */
  readonly old?: number
}

interface WorldKind {
  readonly part: (dice: Dice) => Part
  /**
   * Whether an upload may have been stored without a receipt that says so. Otherwise the client always knows
   * what it has sent.
   */
  readonly loses?: true
}

const seconds = (dice: Dice, least: number, most: number): number =>
  1000 * (least + dice.at(most - least + 1))
const always = (part: Part): WorldKind => ({ part: () => part })
const lossy = (...faults: readonly Fault[]): WorldKind => ({ part: () => ({ faults }), loses: true })
/** A page stays for six seconds to ten minutes; each run has the whole range. */
const pageMs = (dice: Dice): number => dice.pick([6000, 20_000, 60_000, 180_000, 600_000])

const PAGES = interceptPages.filter((page) => !page.startsWith('refused-'))
const REFUSALS = interceptPages.filter((page) => page.startsWith('refused-'))
const SOME: readonly (readonly Endpoint[])[] = [
  ['get'],
  ['delete'],
  ['get', 'delete'],
  ['list'],
  ['stats'],
  ['upload'],
  ['list', 'get', 'delete'],
]

function pages(dice: Dice, more: (page: Intercept) => Intercept): Part {
  return { intercepts: [1, 2].map(() => more({ page: dice.pick(PAGES), forMs: pageMs(dice) })) }
}

export const WORLDS: Readonly<Record<string, WorldKind>> = {
  'single files late': { part: (dice) => ({ dialect: { singleLagMs: seconds(dice, 3, 12) } }) },
  'deletions late': { part: (dice) => ({ dialect: { deleteLagMs: seconds(dice, 3, 12) } }) },
  'two copies': {
    part: (dice) => ({
      dialect: { replica: dice.pick(['random', 'alternate'] as const), replicaMs: seconds(dice, 3, 30) },
    }),
  },
  'list late': {
    part: (dice) => ({
      dialect: { listLag: dice.pick(['fixed', 'random'] as const), listLagMs: seconds(dice, 3, 20) },
    }),
  },
  'compressed sizes': always({ dialect: { sizeOf: 'compressed' } }),
  'receipt of nothing': always({ faults: [{ kind: 'receipt-of-nothing' }] }),
  'receipt of another': {
    part: () => ({
      faults: [
        { kind: 'receipt-of-another', isStored: true },
        { kind: 'receipt-of-another', isStored: false },
      ],
    }),
    loses: true,
  },
  'others have it': always({ dialect: { othersShare: 0.4 } }),
  'ids in quotes': always({ dialect: { idForm: 'quoted' } }),
  'ids beyond 2^53': {
    part: (dice) => ({ dialect: { idForm: dice.pick(['beyond', 'beyond-quoted'] as const) } }),
  },
  'ids are UUIDs': always({ dialect: { idForm: 'uuid' } }),
  'ids at random': always({ dialect: { ids: 'random' } }),
  'page in front': { part: (dice) => pages(dice, (page) => page) },
  'page in front of links too': {
    part: (dice) =>
      pages(dice, (page) => ({ ...page, on: ['upload', 'list', 'get', 'delete', 'stats', 'download'] })),
  },
  'page in front of some calls': {
    part: (dice) => pages(dice, (page) => ({ ...page, on: dice.pick(SOME) })),
  },
  'page in front now and then': {
    part: (dice) => pages(dice, (page) => ({ ...page, share: 0.25 + 0.25 * dice.at(3) })),
  },
  'uploads refused': {
    part: (dice) => ({ intercepts: [{ page: dice.pick(REFUSALS), on: ['upload'], forMs: pageMs(dice) }] }),
  },
  'answer lost': lossy({ kind: 'cut-after-store' }, { kind: 'answer-truncated', fraction: 0.4 }),
  'cut after the body': lossy({ kind: 'cut-after-body' }),
  'stored 8 s late': lossy(
    { kind: 'late-store-cut', ms: 8000 },
    { kind: 'late-store-error', ms: 8000, status: 504 },
  ),
  'error after the body': lossy(
    { kind: 'error-after-store', status: 502 },
    { kind: 'error-before-store', status: 502 },
  ),
  'names changed': {
    part: (dice) => ({
      dialect: {
        filename: dice.pick(['prefixed', 'random-suffix', 'slug', 'uuid', 'lower', 'suffixed'] as const),
      },
    }),
  },
  'old files': { part: (dice) => ({ old: 1 + dice.at(3) }) },
}

/** How many of a run's uploads are struck, if one of its kinds has faults. */
const STRUCK = 0.3
const HISTORY_MS = 90 * 86_400_000

export interface DrawnWorld {
  readonly kinds: readonly string[]
  readonly dialect: Partial<Dialect>
  readonly faults: FaultPlan
  readonly intercepts: readonly Intercept[]
  readonly old: readonly number[]
  readonly loses: boolean
}

/** Draws one to four kinds, or takes exactly the kinds in `only`. */
export function drawWorld(seed: number, only: readonly string[] = []): DrawnWorld {
  const from = Object.keys(WORLDS)
  const dice = diceOf(seed, 'world')
  const wanted = new Set(only)
  const count = only.length > 0 ? 0 : Math.min(from.length, 1 + dice.at(4))
  while (wanted.size < count) wanted.add(dice.pick(from))
  const kinds = [...wanted]
  const parts = kinds.map((kind) => {
    const one = WORLDS[kind]
    if (one === undefined)
      throw new Error(`no world is named ${kind}; there are: ${Object.keys(WORLDS).join(', ')}`)
    return one.part(dice)
  })
  const faults = parts.flatMap((part) => part.faults ?? [])
  return {
    kinds,
    dialect: Object.assign({}, ...parts.map((part) => part.dialect ?? {})) as Partial<Dialect>,
    faults: { seed, rules: faults.length === 0 ? [] : [{ on: 'upload', rate: STRUCK, kinds: faults }] },
    intercepts: parts.flatMap((part) => part.intercepts ?? []),
    old: parts.flatMap((part) => Array.from({ length: part.old ?? 0 }, (_, n) => HISTORY_MS + n)),
    loses: kinds.some((kind) => WORLDS[kind]?.loses === true),
  }
}
