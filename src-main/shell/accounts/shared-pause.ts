// Pauses all accounts at once, including those without a running engine. The settings record which accounts
// the pause has reached (been applied to), so that an account that starts later is paused before it uploads
// anything. An account that the pause has reached isn't paused again, so that `slipway resume` has a lasting
// effect. Once all running accounts have been resumed that way, the pause is over.
import type { Result } from '../../../src-shared/engine-contract.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import type { SettingsPatch } from '../../../src-shared/settings.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { ShellStore } from '../engine/store.ts'

/** The parts of an account session that a pause needs. */
export interface PausableSession {
  readonly id: () => string | null
  readonly link: Pick<EngineLink, 'call' | 'isUp'>
  readonly store: Pick<ShellStore, 'snapshot' | 'setSnapshot'>
}

export class SharedPause {
  readonly #settings: Pick<AppSettingsFile, 'read' | 'change'>
  readonly #failed: (error: unknown) => void
  #pauses = 0

  /** `failed`: called if the settings can't be written, for example because the disk is full. */
  constructor(settings: Pick<AppSettingsFile, 'read' | 'change'>, failed: (error: unknown) => void) {
    this.#settings = settings
    this.#failed = failed
  }

  /** The IDs of the accounts that the pause has reached; null if there is no pause. */
  reached(): readonly string[] | null {
    return this.#settings.read().pausedAccounts
  }

  /**
   * The number of calls to `pauseAll` so far. A caller can compare two values to detect a pause that started
   * in between.
   */
  pauses(): number {
    return this.#pauses
  }

  /**
   * Starts a pause of all accounts, and resolves to the results of the given sessions, in the same order.
   * `now` also stops uploads in progress.
   */
  pauseAll(sessions: readonly PausableSession[], now: boolean): Promise<readonly Result<Snapshot>[]> {
    this.#pauses++
    // The list starts out empty, so that an account whose engine can't be reached right now is paused when
    // that engine starts.
    this.#change({ pausedAccounts: [] })
    return Promise.all(
      sessions.map(async (session) => {
        const paused = await session.link.call('pause', now ? { now } : {})
        if (paused.ok) this.#reach(session, paused.value)
        return paused
      }),
    )
  }

  resumed(): void {
    if (this.reached() !== null) this.#change({ pausedAccounts: null })
  }

  /**
   * Call when an engine has started. If the pause hasn't reached the account yet but the engine is paused,
   * records that the pause has reached the account.
   */
  async started(session: PausableSession): Promise<void> {
    if (!isPauseDue(this.reached(), session.id())) return
    // A thread that was started before the pause doesn't know about it, so ask the engine whether it is
    // paused.
    const now = await session.link.call('snapshot', {})
    if (now.ok && now.value.paused) this.#reach(session, now.value)
  }

  /**
   * Ends the pause if it has reached all of these accounts and all have been resumed since, for example by
   * `slipway resume`.
   */
  endIfOver(sessions: readonly PausableSession[]): void {
    const reached = this.reached()
    if (reached === null) return
    const known = sessions.filter((session) => session.id() !== null)
    // An engine that isn't up has no current snapshot.
    const isOver = known.every(
      (one) => one.link.isUp() && !isPauseDue(reached, one.id()) && one.store.snapshot()?.paused === false,
    )
    if (known.length > 0 && isOver) this.resumed()
  }

  #reach(session: PausableSession, snapshot: Snapshot): void {
    // The pause may have ended in the meantime.
    const reached = this.reached()
    const id = session.id()
    if (reached === null) return
    // Update the store first. Otherwise its older snapshot would look as if the account had been resumed.
    session.store.setSnapshot(snapshot)
    if (id !== null) this.#change({ pausedAccounts: [...new Set([...reached, id])] })
  }

  #change(patch: SettingsPatch): void {
    try {
      this.#settings.change(patch)
    } catch (error) {
      this.#failed(error)
    }
  }
}

/** Whether an account that starts now must be paused first. `reached`: see `SharedPause`. */
export function isPauseDue(reached: readonly string[] | null, id: string | null): boolean {
  return reached !== null && id !== null && !reached.includes(id)
}
