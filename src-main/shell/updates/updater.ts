// Carries an update from the check to the restart, one step at a time, and reports each step to the window. A
// failure leaves the installed version unchanged and no files behind. Nothing is installed while files are
// being uploaded. feed.ts decides what a feed means. On macOS, a package that Squirrel has already accepted
// is installed at the next quit in any case (see installer.ts).
import { join } from 'node:path'
import type { UpdateAction, UpdateStep, UpdateView } from '../../../src-shared/update.ts'
import { downloadUpdate } from './download.ts'
import { offerOf, readFeed, type Update } from './feed.ts'
import { SIGNATURE_ENDING } from './feed-format.ts'
import type { UpdateFetch } from './fetch.ts'
import type { Installer } from './installer.ts'
import { readStart, type UpdateMemory } from './saved-state.ts'
import type { UpdateSource, WhoUpdates } from './source.ts'
import type { UpdateDisk } from './update-disk.ts'
import { updateError } from './update-error.ts'

/**
 * Minimum delay before the first check, so that it doesn't slow down the app's start. Up to the same amount
 * is added at random.
 */
const FIRST_MS = 90_000
const DAY_MS = 86_400_000
/**
 * Width of the random variation of the daily interval, as a fraction (0.2: ±10 %), so that computers don't
 * all check at the same time.
 */
const JITTER = 0.2
/**
 * Interval at which to test whether a check is due. Timers don't run while a computer sleeps, so one long
 * timer isn't enough.
 */
const LOOK_MS = 30 * 60_000
/** A new version that has run for this long counts as stable. */
export const LASTED_MS = 120_000
const PAUSE_MS = 2000
const FEED_MOST_BYTES = 256 * 1024
const SIGNATURE_MOST_BYTES = 1024
/** Progress is reported in steps of one percent. */
const STEPS = 100
const FORBIDDEN: UpdateStep = { at: 'manager', manager: 'organization' }

export interface UpdaterParts {
  readonly version: string
  readonly arch: string
  readonly who: WhoUpdates
  readonly memory: UpdateMemory
  /** Download folder, which only updates use. */
  readonly dir: string
  readonly disk: UpdateDisk
  /** Loads the network module; called only when it is needed. */
  readonly fetch: () => Promise<UpdateFetch>
  readonly installer: (source: UpdateSource) => Installer
  /**
   * Counts the files being uploaded right now, across all accounts. Asks the engines, because the app's own
   * view may be outdated.
   */
  readonly uploading: () => Promise<number>
  /**
   * Whether the policy files allow updates now. If not, no request is sent and nothing is installed, except a
   * package that Squirrel has already accepted (macOS).
   */
  readonly isAllowed: () => boolean
  /** Whether the user allows automatic checks. */
  readonly isAutomatic: () => boolean
  /**
   * Called right before an update is installed. Asks first if the restart would end a trial. Resolves to
   * false if the user declines, and to null if the user can't be asked now because another question is open.
   */
  readonly mayRestart: () => Promise<boolean | null>
  readonly changed: (view: UpdateView) => void
  /**
   * Asks whether to go back to version `from`, because `version` ended uncleanly before it counted as stable.
   */
  readonly askGoBack: (version: string, from: string) => Promise<boolean>
  /** Called when an automatic check has found a version, once per version. */
  readonly found: (version: string) => void
  readonly now: () => number
  /** A random number from 0 to below 1. */
  readonly random: () => number
  /** Returns a function that cancels the timer. */
  readonly after: (ms: number, run: () => void) => () => void
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void
}

export class Updater {
  readonly #parts: UpdaterParts
  readonly #source: UpdateSource | null
  readonly #installer: Installer | null
  readonly #timers = new Set<() => void>()
  #step: UpdateStep
  #updatedFrom: string | null = null
  #update: Update | null = null
  #running: AbortController | null = null
  /**
   * Milliseconds from the last successful check until the next check is due. Drawn at startup and after each
   * successful check. With a new draw in each `#look`, checks would come too early, because the smallest of
   * many draws would win.
   */
  #intervalMs: number
  /** Whether a call of `mayRestart` is pending. Its question must not be asked twice at the same time. */
  #isAsking = false
  #isClosed = false

  constructor(parts: UpdaterParts) {
    this.#parts = parts
    this.#source = parts.who.kind === 'self' ? parts.who.source : null
    this.#installer = this.#source === null ? null : parts.installer(this.#source)
    this.#step = parts.who.kind === 'self' ? { at: 'idle', staged: null } : parts.who.step
    this.#intervalMs = this.#drawInterval()
  }

  view(): UpdateView {
    const step = this.#parts.isAllowed() ? this.#step : FORBIDDEN
    return { step, checkedAt: this.#parts.memory.get().checkedAt, updatedFrom: this.#updatedFrom }
  }

  /**
   * Evaluates the last update and schedules checks. If the new version's previous run ended uncleanly before
   * it counted as stable, offers to go back. Call once when the app has started. Resolves once the outcome of
   * the last update is known.
   */
  async start(): Promise<void> {
    const { memory, disk, dir, version } = this.#parts
    const installer = this.#installer
    if (installer === null) return
    const { pending } = memory.get()
    // Remove the remains of an interrupted download. This may fail while the installer that has just updated
    // the app is still running.
    await disk.remove(dir).catch(() => undefined)
    await installer.tidy().catch(() => undefined)
    const start = readStart(pending, version)
    if (pending !== null && start === 'again' && installer.canGoBack() && this.#parts.isAllowed()) {
      if (await this.#parts.askGoBack(version, pending.from)) {
        memory.change({ pending: null, skipped: version })
        await this.#tryTo(() => installer.goBack())
        return
      }
    }
    if (pending !== null && (start === 'first' || start === 'again')) {
      this.#updatedFrom = pending.from
      memory.change({ pending: { ...pending, starts: pending.starts + 1 } })
      this.#after(LASTED_MS, () => void this.#lasted(installer))
    } else if (pending !== null) {
      memory.change({ pending: null })
      if (start === 'not-installed')
        this.#fail('not-installed', `Version ${pending.version} was to replace ${pending.from}.`)
    }
    this.#tell()
    this.#after(FIRST_MS * (1 + this.#parts.random()), () => this.#look())
  }

  async act(action: UpdateAction): Promise<UpdateView> {
    if (!this.#parts.isAllowed()) this.#running?.abort()
    else await this.#do(action)
    return this.view()
  }

  async #do(action: UpdateAction): Promise<void> {
    switch (action) {
      case 'check':
        await this.#check(true)
        break
      case 'download':
        // Don't wait for the download; the window shows its progress.
        void this.#download()
        break
      case 'cancel':
        this.#running?.abort()
        if (this.#step.at === 'ready' && this.#step.waits) this.#go({ ...this.#step, waits: false })
        break
      default:
        void this.#install()
    }
  }

  /**
   * Installs an update that waits for uploads to end, if no upload is in progress any more. Call whenever
   * uploads may have ended.
   */
  uploadsChanged(): void {
    const step = this.#step
    if (step.at !== 'ready' || !step.waits || this.#isAsking) return
    void this.#parts
      .uploading()
      .then((count) => (count === 0 && this.#step === step ? this.#install() : undefined))
  }

  /**
   * Aborts a download, which removes its file, and cancels all timers. Call on a clean shutdown, so that this
   * start doesn't count against a new version.
   */
  close(): void {
    this.#isClosed = true
    this.#running?.abort()
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    const { memory, version } = this.#parts
    const { pending } = memory.get()
    if (pending !== null && pending.version === version) memory.change({ pending: { ...pending, starts: 0 } })
  }

  #look(): void {
    const { memory, isAutomatic, isAllowed, now } = this.#parts
    const { checkedAt } = memory.get()
    const age = checkedAt === null ? Number.POSITIVE_INFINITY : now() - checkedAt
    // The last check appears to be in the future after a clock rollback.
    const isDue = age < 0 || age >= this.#intervalMs
    if (isAutomatic() && isAllowed() && isDue) void this.#check(false)
    this.#after(LOOK_MS, () => this.#look())
  }

  #drawInterval(): number {
    return DAY_MS * (1 + JITTER * (this.#parts.random() - 0.5))
  }

  /**
   * `isAsked`: whether the user asked for the check and is shown every outcome. An automatic check doesn't
   * report a missing connection.
   */
  async #check(isAsked: boolean): Promise<void> {
    const source = this.#source
    const before = this.#step
    if (source === null || !['idle', 'available', 'failed'].includes(before.at)) return
    this.#go({ at: 'checking' })
    const { memory, now, version, arch } = this.#parts
    await this.#run(async (signal, fetch) => {
      try {
        const feed = await fetch.whole(source.feed, FEED_MOST_BYTES, signal)
        const signature = await fetch.whole(
          new URL(`${source.feed.href}${SIGNATURE_ENDING}`),
          SIGNATURE_MOST_BYTES,
          signal,
        )
        const { id, skipped } = memory.get()
        const here = { version, arch, system: source.system, id, skipped }
        const offer = offerOf(readFeed(feed, signature, source.key), source.feed, here)
        memory.change({ checkedAt: now() })
        this.#intervalMs = this.#drawInterval()
        if (offer.kind === 'update') this.#offer(offer.update, isAsked)
        else this.#go({ at: 'idle', staged: offer.kind === 'staged' ? offer.version : null })
      } catch (error) {
        if (signal.aborted) this.#go(before)
        else if (!isAsked && updateError(error).fault === 'offline') this.#go(before)
        else this.#failed(error)
      }
    })
  }

  #offer(update: Update, isAsked: boolean): void {
    const { memory, found } = this.#parts
    this.#update = update
    this.#go({ at: 'available', version: update.version, notes: update.notes, bytes: update.bytes })
    if (!isAsked && memory.get().told !== update.version) {
      memory.change({ told: update.version })
      found(update.version)
    }
  }

  async #download(): Promise<void> {
    const update = this.#update
    if (update === null || this.#step.at !== 'available') return
    const { version, notes, bytes } = update
    let shown = 0
    const progress = (received: number): void => {
      if (!this.#parts.isAllowed()) this.#running?.abort()
      const step = Math.floor((received / bytes) * STEPS)
      if (step === shown && received > 0) return
      shown = step
      this.#go({ at: 'downloading', version, notes, bytes, received })
    }
    progress(0)
    await this.#run(async (signal, fetch) => {
      const pause = (): Promise<void> =>
        new Promise((resolve) => {
          const cancel = this.#after(PAUSE_MS, resolve)
          signal.addEventListener(
            'abort',
            () => {
              cancel()
              resolve()
            },
            { once: true },
          )
        })
      try {
        await downloadUpdate({
          update,
          file: this.#file(update),
          fetch,
          disk: this.#parts.disk,
          onProgress: progress,
          pause,
          signal,
        })
        this.#go({ at: 'ready', version, notes, waits: false })
      } catch (error) {
        if (signal.aborted) this.#go({ at: 'available', version, notes, bytes })
        else this.#failed(error)
      }
    })
  }

  async #install(): Promise<void> {
    const step = this.#step
    const update = this.#update
    const installer = this.#installer
    if (step.at !== 'ready' || update === null || installer === null || this.#isClosed) return
    const { version, memory, uploading, isAllowed } = this.#parts
    const wait = (): void => this.#go({ ...step, waits: true })
    const isBusy = (await uploading()) > 0
    if (this.#step !== step || !isAllowed() || this.#isAsking) return
    if (isBusy) {
      wait()
      return
    }
    const mayInstall = await this.#mayRestart()
    // If the user can't be asked now, a waiting update is retried at the next call of `uploadsChanged`.
    if (mayInstall === null || this.#step !== step || !isAllowed()) return
    if (!mayInstall) {
      // Stop waiting for uploads, because the user would be asked again after each of them.
      if (step.waits) this.#go({ ...step, waits: false })
      return
    }
    this.#go({ at: 'installing', version: update.version })
    await this.#tryTo(async () => {
      const file = this.#file(update)
      await installer.prepare(file, update)
      // While the update was being prepared, an upload may have begun or a policy may have changed. If so,
      // the update is prepared again later. On macOS, this delays only the restart: Squirrel installs the
      // package at the next quit.
      if ((await uploading()) > 0 || !isAllowed()) {
        await installer.tidy()
        wait()
        return
      }
      memory.change({ pending: { version: update.version, from: version, starts: 0 } })
      try {
        await installer.commit(file)
      } catch (error) {
        memory.change({ pending: null })
        throw error
      }
    })
  }

  async #mayRestart(): Promise<boolean | null> {
    this.#isAsking = true
    try {
      return await this.#parts.mayRestart()
    } finally {
      this.#isAsking = false
    }
  }

  async #lasted(installer: Installer): Promise<void> {
    this.#parts.memory.change({ pending: null })
    await installer.forgetPrevious().catch(() => undefined)
  }

  /** Runs a step that needs the network. `cancel` and `close` abort it. */
  async #run(work: (signal: AbortSignal, fetch: UpdateFetch) => Promise<void>): Promise<void> {
    const running = new AbortController()
    this.#running = running
    await this.#tryTo(async () => {
      const fetch = await this.#parts.fetch()
      await work(running.signal, fetch)
      await fetch.close()
    })
    if (this.#running === running) this.#running = null
  }

  async #tryTo(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failed(error)
    }
  }

  #file(update: Update): string {
    return join(this.#parts.dir, `slipway-${update.version}${this.#installer?.ending ?? ''}`)
  }

  #failed(error: unknown): void {
    const { fault, message } = updateError(error)
    this.#fail(fault, message)
  }

  #fail(fault: Extract<UpdateStep, { at: 'failed' }>['fault'], message: string): void {
    this.#parts.log('update.failed', { fault, message })
    this.#update = null
    // After a failure, the next attempt downloads the package again.
    void this.#parts.disk.remove(this.#parts.dir).catch(() => undefined)
    this.#go({ at: 'failed', fault })
  }

  #go(step: UpdateStep): void {
    this.#step = step
    this.#tell()
  }

  #tell(): void {
    if (!this.#isClosed) this.#parts.changed(this.view())
  }

  #after(ms: number, run: () => void): () => void {
    const cancel = this.#parts.after(ms, () => {
      this.#timers.delete(cancel)
      run()
    })
    this.#timers.add(cancel)
    return cancel
  }
}
