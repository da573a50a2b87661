// The last check before a file is sent. Names, rules, plan and content may have changed since it was queued (law 8). If the file must not
// be sent, its row is changed accordingly.
import { assertNever } from '../../../src-shared/assert.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { Files } from '../journal/files.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import { ruledOutMessage } from '../rules/admission.ts'
import type { Admission, OpenedFile } from '../rules/facts.ts'
import type { Guard } from '../rules/guard.ts'
import { inTime } from '../sleep.ts'
import type { FileFailures } from './file-failures.ts'
import { DISK_PATIENCE_MS } from './file-opens.ts'
import type { RowWriter } from './row-writer.ts'
import type { UploadSource } from './upload-source.ts'

/** How long a search may wait for those of other files. After that, its transfer makes room for others, and is tried again. */
const SEARCH_PATIENCE_MS = 10 * 60_000

export interface LastCheckOptions {
  readonly ports: Pick<Ports, 'clock'>
  readonly transfers: Transfers
  readonly files: Files
  readonly admission: Pick<Admission, 'judge'>
  readonly guard: Pick<Guard, 'byContent'>
  readonly limits: Pick<UploadLimits, 'tooBig'>
}

export class LastCheck {
  readonly #options: LastCheckOptions
  readonly #rows: RowWriter
  readonly #failures: FileFailures

  constructor(options: LastCheckOptions, rows: RowWriter, failures: FileFailures) {
    this.#options = options
    this.#rows = rows
    this.#failures = failures
  }

  /**
   * Checks the transfer, and the file that was opened for it, against its current path, folder and rules. Returns true if it must not be
   * sent now, or if that can't be checked because `signal` has aborted or the disk hasn't answered in time. If so, also updates the row,
   * provided that it still exists.
   */
  async isStopped(row: TransferRow, file: OpenedFile, signal: AbortSignal): Promise<boolean> {
    const { ports, transfers, admission } = this.#options
    const now = transfers.get(row.id)
    if (now === null) return true
    // `requeued` fits both cases: a moved file waits under its new path, and a cancelled transfer becomes cancelled (transitions.ts).
    if (now.path !== row.path || now.cancel) {
      await this.#rows.apply(row, { kind: 'requeued' })
      return true
    }
    const verdict = await inTime(ports.clock, admission.judge(now, file), DISK_PATIENCE_MS, signal)
    if (verdict === 'late') {
      if (signal.aborted) await this.#rows.applyIfActive(row, { kind: 'requeued' })
      else await this.#failures.unanswered(row)
      return true
    }
    switch (verdict.kind) {
      case 'go':
        return false
      case 'held':
        await this.#rows.apply(row, { kind: 'held', reason: verdict.reason, message: verdict.rule })
        return true
      case 'ignored':
        await this.#ignore(row, verdict.rule)
        return true
      case 'changed':
        await this.#failures.changed(row, null)
        return true
      case 'withdrawn':
        await this.#rows.apply(row, { kind: 'requeued' })
        return true
      default:
        return assertNever(verdict, 'verdict')
    }
  }

  /** Whether the file exceeds the plan's size limit and the user has not approved it. If so, holds it. */
  async isTooBig(row: TransferRow, size: number): Promise<boolean> {
    const message = this.#options.limits.tooBig(size)
    if (message === null || this.#isReleased(row, 'too-big')) return false
    await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'too-big', message })
    return true
  }

  /**
   * Whether the file has become empty, as while a program saves it or after that failed, and would replace a version that isn't. If so,
   * holds it until the user approves it or it has content again.
   */
  async isEmptied(row: TransferRow, size: number): Promise<boolean> {
    if (size > 0 || row.replaces === null || this.#isReleased(row, 'emptied')) return false
    await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'emptied', message: null })
    return true
  }

  /**
   * Whether the content looks like a secret that the user has not approved, or changed while it was searched. If so, holds or defers the
   * transfer. Also true, with the transfer back in the queue, if `signal` aborts.
   */
  async isSecret(row: TransferRow, source: UploadSource, signal: AbortSignal): Promise<boolean> {
    // A small file was searched while it was read; null means that nothing was found.
    if (source.whole()?.secret === null) return false
    if (this.#isReleased(row, 'secret')) return false
    const { guard, ports } = this.#options
    const secret = await inTime(ports.clock, guard.byContent(row.path, source.first, source.whole()), SEARCH_PATIENCE_MS, signal)
    if (secret === null) return false
    if (secret === 'late') {
      await this.#rows.applyIfActive(row, { kind: 'requeued' })
      return true
    }
    if (secret === 'changed') await this.#failures.changed(row, await source.stat())
    else await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'secret', message: secret.rule })
    return true
  }

  /** Whether the user has approved the file despite `reason`. Reads the current row, because an approval ends when the content changes. */
  #isReleased(row: TransferRow, reason: 'too-big' | 'secret' | 'emptied'): boolean {
    return (this.#options.transfers.get(row.id) ?? row).released?.split(',').includes(reason) === true
  }

  async #ignore(row: TransferRow, rule: string): Promise<void> {
    const { transfers, files } = this.#options
    await this.#rows.commit(() => {
      transfers.transition(row.id, { kind: 'cancelled', message: ruledOutMessage(rule) })
      const file = files.byTransfer(row.id)
      if (file !== null) files.put({ ...file, class: 'ignored', rule, transferId: null })
    })
    this.#rows.changed(row.id)
  }
}
