// Trying Slipway without an account: shows an engine of its own in the window, which works with a service on this computer, and goes back. Its
// journal, settings and drops are in a folder of their own, so that nothing of it meets an account.
import type { WindowEvent } from '../../../src-shared/app.ts'
import type { Result } from '../../../src-shared/contract.ts'
import { dataPaths } from '../../platform/data/paths.ts'
import { readSettings, writeSettings } from '../../platform/data/settings.ts'
import { removeTrial, startTrialService, type TrialService } from './trial-service.ts'

/** What the engine of a trial works with. */
export interface TrialStart {
  readonly dataDir: string
  readonly apiKey: string
  readonly baseUrl: string
}

interface TrialParts {
  /** The data folder, where the trial gets a folder. */
  readonly root: string
  readonly settingsFile: string
  /** The built file of the service's thread. */
  readonly entry: URL
  readonly now: () => number
  /** Whether an account was ever connected. */
  readonly hasAccount: () => boolean
  /**
   * Shows the trial's engine in the window, or, with null, the app without an account. `onShown` is called at that moment; the page is told what
   * it returns. False: the engine can't be started.
   */
  readonly show: (trial: TrialStart | null, onShown: () => readonly WindowEvent[]) => Promise<boolean>
  /** Reads the settings, which are another file's now, and applies them. Returns what to tell the page. */
  readonly reread: () => readonly WindowEvent[]
  /** The service has ended by itself, and the trial with it. */
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

  /** Back to the app without an account. */
  end(): Promise<void> {
    return this.#inTurn(() => this.#end())
  }

  /** When the app quits, after the engines have ended. */
  async close(): Promise<void> {
    await this.#service?.end().catch(() => undefined)
  }

  /** Deletes what the trial of a run that was killed has left. */
  async tidy(): Promise<void> {
    await this.#inTurn(() => removeTrial(this.#parts.root)).catch(() => undefined)
  }

  async #start(): Promise<Result<void>> {
    const { root, settingsFile, entry, now, hasAccount, show, onLost } = this.#parts
    if (this.#service !== null) return { ok: true, value: undefined }
    if (hasAccount()) return { ok: false, failure: { code: 'usage', title: 'An account is connected already.', hint: null } }
    const service = await startTrialService({ root, entry, onLost: () => void this.end().then(onLost) })
    if (!service.ok) return service
    const { dataDir, key, url } = service.value
    // The choices so far count in the trial, too. A proxy would be asked for an address that only this computer knows.
    const { settings } = readSettings(settingsFile, now())
    const app = { ...settings.app, welcomed: true, proxy: 'none', copyFolders: [] }
    writeSettings(dataPaths(dataDir).settings, { ...settings, baseUrl: url, app })
    this.#service = service.value
    if (await show({ dataDir, apiKey: key, baseUrl: url }, () => this.#setShown(true))) return { ok: true, value: undefined }
    await this.#end()
    return { ok: false, failure: { code: 'closing', title: 'The sync engine of the trial could not be started.', hint: null } }
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

  /** One switch after another. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#switching.then(run)
    this.#switching = turn.catch(() => undefined)
    return turn
  }
}
