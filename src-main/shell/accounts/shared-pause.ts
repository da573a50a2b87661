// A pause in the app is for all accounts, including those without a running engine: the settings keep which accounts it has reached, and an
// account that starts later is paused before it uploads anything. An account that it has reached keeps what its own journal says, so that
// `slipway resume` lasts.
import type { SettingsPatch } from '../../../src-shared/settings.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'

export class SharedPause {
  readonly #settings: Pick<AppSettingsFile, 'read' | 'change'>
  readonly #failed: (error: unknown) => void

  /** `failed`: called if the settings can't be written, for example because the disk is full. */
  constructor(settings: Pick<AppSettingsFile, 'read' | 'change'>, failed: (error: unknown) => void) {
    this.#settings = settings
    this.#failed = failed
  }

  /** The accounts that the pause has reached; null while there is none. */
  reached(): readonly string[] | null {
    return this.#settings.read().pausedAccounts
  }

  /** Notes that these accounts have been paused by a pause of all. */
  paused(ids: readonly string[]): void {
    this.#change({ pausedAccounts: [...new Set([...(this.reached() ?? []), ...ids])] })
  }

  resumed(): void {
    if (this.reached() !== null) this.#change({ pausedAccounts: null })
  }

  /** Notes that the engine of this account runs. Its thread has paused it if the pause hadn't reached it. */
  started(id: string): void {
    const reached = this.reached()
    if (reached !== null && isPauseDue(reached, id)) this.paused([id])
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
