// Claims room in the request budget for the next upload, and keeps its place in line while there is none. Other reasons to wait are in
// upload-gate.ts.
import type { Budget, Claim, Place, Priority } from '../limits/requests/budget.ts'

export class UploadClaim {
  readonly #budget: Pick<Budget, 'claim' | 'enter'>
  readonly #wake: () => void
  #place: { readonly priority: Priority; readonly inLine: Place } | null = null

  constructor(budget: Pick<Budget, 'claim' | 'enter'>, wake: () => void) {
    this.#budget = budget
    this.#wake = wake
  }

  /** Claims room for this upload. If there is none, the upload stays in line until a later claim succeeds or `leave` is called. */
  claim(row: { readonly priority: number }): Claim {
    const priority = row.priority > 0 ? 'person' : 'watched'
    if (this.#place?.priority !== priority) this.leave()
    const claim = this.#budget.claim('upload', priority, this.#place?.inLine)
    if (claim.ok) this.leave()
    else this.#place ??= { priority, inLine: this.#budget.enter(priority, this.#wake, true) }
    return claim
  }

  /**
   * Gives up the place in line, so that other requests may go first. Call when nothing is uploaded, or something else holds uploads back.
   */
  leave(): void {
    const place = this.#place
    this.#place = null
    place?.inLine.leave()
  }
}
