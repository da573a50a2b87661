// Whether a file may go out, decided in one place: for a watched folder, an upload, a plan, a drop, a paste, after every move, and once more
// right before the request. Pure: what it decides from is gathered in facts.ts.
import { sep } from 'node:path'
import type { Guard } from './guard.ts'

export const OWN_RULE = "Slipway's own data"
/** Under this rule an outer folder leaves alone what a folder inside it watches. */
export const NESTED_RULE = 'watched as a separate folder'

export type Verdict =
  | { readonly kind: 'go' }
  /** Waits for a person. */
  | { readonly kind: 'held'; readonly reason: 'secret'; readonly rule: string }
  /** A rule leaves it out. */
  | { readonly kind: 'ignored'; readonly rule: string }
  /** Its folder is not watched any more. */
  | { readonly kind: 'withdrawn' }

export interface AdmissionFacts {
  /** Lies in a place of Slipway itself, and is not what a paste has just put there to be sent. */
  readonly own: boolean
  /** Its folder is watched by this engine; true for a file that belongs to no folder. */
  readonly watched: boolean
  /** The ignore rule that leaves it out, null where none does. */
  readonly caught: string | null
  /** The rule by which one of its names is a secret's, null where none is. */
  readonly secret: string | null
  /** A person has let this very version go out under this very name. */
  readonly released: boolean
}

export function admit(facts: AdmissionFacts): Verdict {
  if (facts.own) return { kind: 'ignored', rule: OWN_RULE }
  if (!facts.watched) return { kind: 'withdrawn' }
  if (facts.caught !== null) return { kind: 'ignored', rule: facts.caught }
  if (facts.secret !== null && !facts.released) return { kind: 'held', reason: 'secret', rule: facts.secret }
  return { kind: 'go' }
}

/**
 * What is left of a release once the file has moved: a person let go what they saw, and another secret's name they have not seen.
 * `released` is the comma-separated list of the row.
 */
export function releasedAfterMove(guard: Pick<Guard, 'byName'>, released: string | null, from: string, to: string): string | null {
  if (released === null) return null
  const last = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(sep)) + 1)
  const now = guard.byName(to)
  if (now === null || (last(from) === last(to) && guard.byName(from)?.rule === now.rule)) return released
  return withoutSecret(released)
}

/** A list of releases without the one for secrets, null where nothing is left. */
export function withoutSecret(released: string | null): string | null {
  const left = released?.split(',').filter((reason) => reason !== 'secret') ?? []
  return left.length === 0 ? null : left.join(',')
}

/** What a row says that waited, and that a rule leaves out now. */
export function ruledOutMessage(rule: string): string {
  return `Ignored by the rule ${rule}`
}
