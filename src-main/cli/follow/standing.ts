// Files that had failed or were held when a command started. They are reported once it is certain that they still apply, because such a
// file may have been deleted, or may be uploaded now.
import type { Transfer } from '../../../src-shared/model.ts'
import type { Ctx } from '../context.ts'
import type { Line } from '../output/lines.ts'
import { inTime } from './follow.ts'
import { eachRow } from './rows.ts'

export class Standing {
  /** By transfer ID. */
  readonly #lines = new Map<number, Line>()

  /** Takes the lines about a row that was read when the command started. Returns those to report now. */
  first(transfer: Transfer, lines: readonly Line[]): readonly Line[] {
    if (!isStopped(transfer)) return lines
    for (const line of lines) this.#lines.set(transfer.id, line)
    return []
  }

  /** Call when a row has been read or received later, with the lines about it. Whatever happens to the file now, they report. */
  later(transfer: Transfer, lines: readonly Line[]): void {
    if (lines.length > 0 || !isStopped(transfer)) this.#lines.delete(transfer.id)
  }

  /** Returns the lines about files that are still as they were, and forgets all. Returns none if the engine doesn't respond in time. */
  async rest(ctx: Ctx): Promise<readonly Line[]> {
    if (this.#lines.size === 0) return []
    const still: Line[] = []
    const reading = eachRow(ctx, 0, ['failed', 'held'], ({ id }) => {
      const line = this.#lines.get(id)
      if (line !== undefined) still.push(line)
    })
    await inTime(ctx, reading)
    this.#lines.clear()
    return still
  }
}

function isStopped({ state }: Transfer): boolean {
  return state === 'failed' || state === 'held'
}
