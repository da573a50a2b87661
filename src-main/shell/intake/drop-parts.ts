// Collects the paths of a drop that is too large for one message. The preload script sends them in parts,
// under a token issued here.
import type { Result } from '../../../src-shared/engine-contract.ts'
import { fail, ok } from '../window/handler-results.ts'
import { Tokens } from '../window/tokens.ts'

/** Maximum number of paths in one drop; a folder counts as one. It keeps a page from exhausting memory. */
const DROP_MOST = 1_000_000
/** Maximum number of drops that are being sent at the same time. */
const DROPS_MOST = 2

const UNKNOWN = fail('usage', 'This drop is not known any more.', 'Drop the files again.')
const TOO_MANY = fail(
  'usage',
  `These are more than ${DROP_MOST.toLocaleString('en')} files.`,
  'Drop their folder instead.',
)

export class DropParts {
  readonly #drops = new Tokens<string[]>(DROPS_MOST)

  /** Adds paths to the drop `earlier`, or begins a drop. */
  add(paths: readonly string[], earlier: string | undefined): Result<{ readonly token: string }> {
    const all = earlier === undefined ? [] : this.#drops.take(earlier)
    if (all === undefined) return UNKNOWN
    if (all.length + paths.length > DROP_MOST) return TOO_MANY
    for (const path of paths) all.push(path)
    return ok({ token: this.#drops.add(all, earlier) })
  }

  /** Returns all paths of a drop, of which these are the last ones, and forgets them. */
  take(paths: readonly string[], earlier: string | undefined): Result<readonly string[]> {
    if (earlier === undefined) return ok(paths)
    const all = this.#drops.take(earlier)
    return all === undefined ? UNKNOWN : ok([...all, ...paths])
  }
}
