// Starts and ends a trial of Slipway without an account. During a trial, the window shows a separate engine,
// which works with a service on this computer. The trial has its own folder for journal, settings and drops,
// so that its data stays separate from any account's.

import type { Result } from '../../../src-shared/engine-contract.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import { dataPaths } from '../../platform/data/paths.ts'
import { readSettings, writeSettings } from '../../platform/data/settings.ts'
import { removeTrial, startTrialService, type TrialService } from './trial-service.ts'

/** The key, address and data folder that a trial's engine uses. */
export interface TrialStart {
  readonly dataDir: string
  readonly apiKey: string
  readonly baseUrl: string
}

interface TrialParts {
  /** The data folder, in which the trial gets its own folder. */
  readonly root: string
  readonly settingsFile: string
  /** The built module that the trial service's thread runs. */
  readonly entry: URL
  readonly now: () => number
  /** Whether an account, or at least the address of a service, is known. */
  readonly hasAccount: () => boolean
  /**
   * Shows the trial's engine in the window, or the app without an account if `trial` is null. `onShown` is
   * called at the moment of the switch and returns events for the page. Resolves to false if the trial's
   * engine can't be started.
   */
  readonly show: (trial: TrialStart | null, onShown: () => readonly WindowEvent[]) => Promise<boolean>
  /** Reads the settings from `settingsFile()` and puts them into effect. Returns events for the page. */
  readonly reread: () => readonly WindowEvent[]
  /** Called after a trial has been ended because its service stopped unexpectedly. */
  readonly onLost: () => void
}

export class Trial {
  readonly #parts: TrialParts
  #service: TrialService | null = null
  #isShown = false
  #switching: Promise<unknown> = Promise.resolve()

  constructor(parts: TrialParts) {
    this.#parts = parts
  }

  isOn(): boolean {
    return this.#isShown
  }

  settingsFile(): string {
    const { settingsFile } = this.#parts
    return this.#service === null || !this.#isShown ? settingsFile : dataPaths(this.#service.dataDir).settings
  }

  start(): Promise<Result<void>> {
    return this.#inTurn(() => this.#start())
  }

  /** Ends the trial and shows the app without an account. */
  end(): Promise<void> {
    return this.#inTurn(() => this.#end())
  }

  /**
   * Stops the service and deletes everything that the trial stored. Call when the app quits, after the
   * engines have closed.
   */
  async close(): Promise<void> {
    await this.#service?.end().catch(() => undefined)
  }

  /** Deletes the data of an earlier trial that was interrupted because the app was killed. */
  async tidy(): Promise<void> {
    await this.#inTurn(() => removeTrial(this.#parts.root)).catch(() => undefined)
  }

  async #start(): Promise<Result<void>> {
    const { root, settingsFile, entry, now, hasAccount, show, onLost } = this.#parts
    if (this.#service !== null) return { ok: true, value: undefined }
    if (hasAccount())
      return { ok: false, failure: { code: 'usage', title: 'An account is already connected.', hint: null } }
    const service = await startTrialService({ root, entry, onLost: () => void this.end().then(onLost) })
    if (!service.ok) return service
    const { dataDir, key, url } = service.value
    // Copy the current settings, except for the proxy, which couldn't reach an address on this computer, and
    // the folders whose links are copied, which the trial doesn't watch.
    const { settings } = readSettings(settingsFile, now())
    const app = { ...settings.app, welcomed: true, proxy: 'none', copyFolders: [] }
    writeSettings(dataPaths(dataDir).settings, { ...settings, baseUrl: url, app })
    this.#service = service.value
    if (await show({ dataDir, apiKey: key, baseUrl: url }, () => this.#setShown(true)))
      return { ok: true, value: undefined }
    await this.#end()
    return {
      ok: false,
      failure: { code: 'closing', title: "The trial's sync engine couldn't be started.", hint: null },
    }
  }

  async #end(): Promise<void> {
    const service = this.#service
    if (service === null) return
    if (this.#isShown) await this.#parts.show(null, () => this.#setShown(false))
    this.#service = null
    await service.end()
  }

  #setShown(isShown: boolean): readonly WindowEvent[] {
    this.#isShown = isShown
    return this.#parts.reread()
  }

  /** Runs one change (start, end, tidying up) at a time. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#switching.then(run)
    this.#switching = turn.catch(() => undefined)
    return turn
  }
}
