// Decides whether a file may be sent, based on its names, its folder and the ignore rules. The same function
// decides for watched folders, uploads, plans, drops and pastes, after every move, and again right before the
// request. Pure; the facts are gathered in path-facts.ts.
import { sep } from 'node:path'
import { OWN_RULE } from './data-folder.ts'
import type { Guard } from './guard.ts'
import type { PlaceKind } from './own-places.ts'

/** The rule shown for the files in each kind of excluded place. */
export const PLACE_RULES: Readonly<Record<PlaceKind, string>> = {
  own: OWN_RULE,
  forbidden: 'forbidden by your organization',
}
/** The rule shown for files that a folder skips because a watched folder nested in it handles them. */
export const NESTED_RULE = 'watched as a separate folder'

export type Verdict =
  | { readonly kind: 'go' }
  /** Needs the user's approval. */
  | { readonly kind: 'held'; readonly reason: 'secret'; readonly rule: string }
  /** Excluded by a rule. */
  | { readonly kind: 'ignored'; readonly rule: string }
  /** Its folder is no longer watched. */
  | { readonly kind: 'withdrawn' }

export interface AdmissionFacts {
  /**
   * The kind of excluded place that contains the file (own-places.ts); null if none does. Also null for
   * pasted data, which may be sent.
   */
  readonly place: PlaceKind | null
  /** Whether this engine watches the file's folder; true for a file without a folder. */
  readonly watched: boolean
  /** The ignore rule that excludes the file; null if none does. */
  readonly caught: string | null
  /**
   * The rule, built-in or the user's own, by which one of the file's names looks like a secret; null if there
   * is none.
   */
  readonly secret: string | null
  /** Whether the user has approved this version under this name. */
  readonly released: boolean
}

/**
 * The verdict on one file. The order of the checks matters: a secret that matches an ignore rule is ignored,
 * not held.
 */
export function admit(facts: AdmissionFacts): Verdict {
  if (facts.place !== null) return { kind: 'ignored', rule: PLACE_RULES[facts.place] }
  if (!facts.watched) return { kind: 'withdrawn' }
  if (facts.caught !== null) return { kind: 'ignored', rule: facts.caught }
  if (facts.secret !== null && !facts.released) return { kind: 'held', reason: 'secret', rule: facts.secret }
  return { kind: 'go' }
}

/**
 * Returns the approvals that still apply after a move from path `from` to `to`; null if none do. The user
 * approved the name they saw. So if the new path looks like a secret, the approval for secrets is kept only
 * if name and rule are unchanged. `released`: the transfer's approvals, separated by commas.
 */
export function releasedAfterMove(
  guard: Pick<Guard, 'byName'>,
  released: string | null,
  from: string,
  to: string,
): string | null {
  if (released === null) return null
  const last = (path: string): string =>
    path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(sep)) + 1)
  const now = guard.byName(to)
  if (now === null || (last(from) === last(to) && guard.byName(from)?.rule === now.rule)) return released
  return withoutSecret(released)
}

/** The comma-separated list of approvals without the one for secrets; null if nothing is left. */
export function withoutSecret(released: string | null): string | null {
  const left = released?.split(',').filter((reason) => reason !== 'secret') ?? []
  return left.length === 0 ? null : left.join(',')
}

/** The message of a transfer that is cancelled because an ignore rule now excludes its file. */
export function ruledOutMessage(rule: string): string {
  return `Ignored by the rule ${rule}`
}
