// Decides whether a file may be sent, in one place: for watched folders, uploads, plans, drops and pastes, after every move, and once more
// right before the request. Pure; the facts are gathered in facts.ts.
import { sep } from 'node:path'
import type { Guard } from './guard.ts'

export const OWN_RULE = "Slipway's own data"
/** The rule by which a folder skips what a watched folder nested in it governs. */
export const NESTED_RULE = 'watched as a separate folder'

export type Verdict =
  | { readonly kind: 'go' }
  /** A person has to approve it. */
  | { readonly kind: 'held'; readonly reason: 'secret'; readonly rule: string }
  /** A rule leaves it out. */
  | { readonly kind: 'ignored'; readonly rule: string }
  /** Its folder is not watched any more. */
  | { readonly kind: 'withdrawn' }

export interface AdmissionFacts {
  /** It is in one of Slipway's own places, and was not put there by a paste to be sent. */
  readonly own: boolean
  /** Its folder is watched by this engine; true for a file that belongs to no folder. */
  readonly watched: boolean
  /** The ignore rule that leaves it out, null where none does. */
  readonly caught: string | null
  /** The rule by which one of its names is that of a secret, null where none is. */
  readonly secret: string | null
  /** A person has approved this version under this name. */
  readonly released: boolean
}

/** The verdict on one file. The order matters: an ignored secret is ignored, not held. */
export function admit(facts: AdmissionFacts): Verdict {
  if (facts.own) return { kind: 'ignored', rule: OWN_RULE }
  if (!facts.watched) return { kind: 'withdrawn' }
  if (facts.caught !== null) return { kind: 'ignored', rule: facts.caught }
  if (facts.secret !== null && !facts.released) return { kind: 'held', reason: 'secret', rule: facts.secret }
  return { kind: 'go' }
}

/**
 * What is left of an approval once the file has moved: a person approved the name they saw, not the name of another secret.
 * `released` is the comma-separated list of the row.
 */
export function releasedAfterMove(guard: Pick<Guard, 'byName'>, released: string | null, from: string, to: string): string | null {
  if (released === null) return null
  const last = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(sep)) + 1)
  const now = guard.byName(to)
  if (now === null || (last(from) === last(to) && guard.byName(from)?.rule === now.rule)) return released
  return withoutSecret(released)
}

/** The comma-separated list of approvals without the one for secrets; null where nothing is left. */
export function withoutSecret(released: string | null): string | null {
  const left = released?.split(',').filter((reason) => reason !== 'secret') ?? []
  return left.length === 0 ? null : left.join(',')
}

/** The message of a transfer that waited and is now ignored. */
export function ruledOutMessage(rule: string): string {
  return `Ignored by the rule ${rule}`
}
