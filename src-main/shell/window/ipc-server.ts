// Serves the pages over IPC, with one channel for calls and one for events. Each call's sender (our windows,
// our origin, the main frame), name (a closed list) and input (the contract) are checked, and whether the
// user has acted if the call requires it (page-calls.ts). Refusals are returned, never thrown. Results and
// events are also checked, so that the page, which has no schemas, gets only what fits the contract.
import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import { APP_WIDE } from '../../../src-shared/choices.ts'
import { Failure, procedures, type Result } from '../../../src-shared/engine-contract.ts'
import { PAGE_CALLS, SHELF_CALLS } from '../../../src-shared/page-calls.ts'
import {
  type AppHandlers,
  type AppProcedureName,
  appProcedures,
  type CallName,
  CHANNEL,
  Numbered,
  WINDOW_ENGINE_PROCEDURES,
  type WindowEngineProcedure,
  type WindowEvent,
} from '../../../src-shared/window-contract.ts'
import type { EngineLink } from '../engine/protocol.ts'
import { EventThrottle } from './event-throttle.ts'
import { MissedEvents } from './missed-events.ts'
import { mayNavigate } from './navigation.ts'
import { ORIGIN } from './page-protocol.ts'
import type { UserInput } from './user-input.ts'

const ENGINE: ReadonlySet<string> = new Set(WINDOW_ENGINE_PROCEDURES)
const WIDE: ReadonlySet<string> = new Set(APP_WIDE)
const SHELF: ReadonlySet<string> = new Set(SHELF_CALLS)
/** The events that the shelf needs. The others are about views, commands and notices of the main window. */
const SHELF_EVENTS: ReadonlySet<WindowEvent['kind']> = new Set([
  'engine',
  'engine-state',
  'settings',
  'connection',
  'copied',
  'deletes',
] as const)

function isOwn(name: string): name is AppProcedureName {
  return Object.hasOwn(appProcedures, name)
}

function isCall(name: string): name is CallName {
  return isOwn(name) || ENGINE.has(name)
}

function schemasOf(
  name: CallName,
): (typeof appProcedures)[AppProcedureName] | (typeof procedures)[WindowEngineProcedure] {
  return isOwn(name) ? appProcedures[name] : procedures[name]
}

function refuse(code: Failure['code'], title: string, hint: string | null = null): Result<never> {
  return { ok: false, failure: { code, title, hint } }
}

interface IpcServerOptions {
  /** The account in the window. */
  readonly shown: () => {
    readonly id: string | null
    readonly handlers: AppHandlers
    readonly link: EngineLink
  }
  /**
   * Pauses or resumes all engines of the app. Resolves to the result for the account in the window. `now` is
   * passed on to `pause`.
   */
  readonly everywhere: (procedure: 'pause' | 'resume', now: boolean) => Promise<Result<unknown>>
  readonly page: () => WebContents | null
  readonly input: Pick<UserInput, 'allows'>
  /** The second window, whose page may make only the calls in SHELF_CALLS. Absent if there is none. */
  readonly shelf?: { page(): WebContents | null; readonly input: Pick<UserInput, 'allows'> }
  /** Called when a page has got its state, from which it draws the window. */
  readonly onBoot: () => void
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}

/** The events that one page gets, with their numbers. */
class PageEvents {
  readonly #page: () => WebContents | null
  readonly #log: IpcServerOptions['log']
  readonly #missed = new MissedEvents(Date.now)
  readonly #throttle = new EventThrottle((events) => this.#send(events))
  #seq = 0
  #isBooted = false
  #soon: WindowEvent[] = []

  constructor(page: () => WebContents | null, log: IpcServerOptions['log']) {
    this.#page = page
    this.#log = log
  }

  get isBooted(): boolean {
    return this.#isBooted
  }

  get seq(): number {
    return this.#seq
  }

  tell(event: WindowEvent): void {
    if (this.#isBooted || !this.#missed.take(event)) this.#throttle.take(event)
  }

  tellSoon(event: WindowEvent): void {
    if (this.#isBooted) this.tell(event)
    else this.#soon = [...this.#soon.slice(-20), event]
  }

  tellSwitch(events: readonly WindowEvent[]): void {
    this.#throttle.drop()
    this.#soon = this.#soon.filter((event) => event.kind !== 'engine')
    for (const event of events) this.tell(event)
  }

  booted(): void {
    this.#isBooted = true
    // Send the kept events after the response to `boot`, which the page needs first.
    setTimeout(() => {
      for (const one of [...this.#missed.due(), ...this.#soon.splice(0)]) this.tell(one)
    })
  }

  gone(): void {
    this.#isBooted = false
    this.#throttle.drop()
  }

  #send(events: WindowEvent[]): void {
    const page = this.#page()
    this.#seq++
    if (page === null || page.isDestroyed()) return
    const read = Numbered.safeParse({ seq: this.#seq, events } satisfies Numbered)
    // If a message isn't sent, the next one reveals the gap in the numbers, and the page starts again with
    // the complete state.
    if (read.success) page.send(CHANNEL.event, read.data)
    else this.#log('ipc.odd-event', { message: read.error.message.slice(0, 500) })
  }
}

export class IpcServer {
  readonly #options: IpcServerOptions
  readonly #main: PageEvents
  readonly #shelf: PageEvents

  constructor(options: IpcServerOptions) {
    this.#options = options
    this.#main = new PageEvents(options.page, options.log)
    this.#shelf = new PageEvents(() => options.shelf?.page() ?? null, options.log)
  }

  listen(): void {
    ipcMain.handle(CHANNEL.call, (event, name: unknown, input: unknown, account: unknown) =>
      this.#handle(event, name, input, account),
    )
  }

  /**
   * Sends an event to the page, throttled by event-throttle.ts. If there is no page, the event is dropped,
   * since a new page starts with the complete state; missed-events.ts keeps the events that this state
   * doesn't cover.
   */
  tell(event: WindowEvent): void {
    this.#main.tell(event)
    if (this.#shelf.isBooted && SHELF_EVENTS.has(event.kind)) this.#shelf.tell(event)
  }

  /** Keeps the event until the page has booted. Of the kept events, only the newest 21 are sent. */
  tellSoon(event: WindowEvent): void {
    this.#main.tellSoon(event)
  }

  /**
   * Call when another account is shown. Drops the pending events of the previous account and sends these
   * instead.
   */
  tellSwitch(events: readonly WindowEvent[]): void {
    this.#main.tellSwitch(events)
    if (this.#shelf.isBooted) this.#shelf.tellSwitch(events)
  }

  /**
   * Drops pending events; from now on, `tellSoon` keeps events until the next page boots. Call when the page
   * is closed or replaced.
   */
  pageGone(): void {
    this.#main.gone()
  }

  shelfGone(): void {
    this.#shelf.gone()
  }

  seq(): number {
    return this.#main.seq
  }

  async #handle(
    event: IpcMainInvokeEvent,
    name: unknown,
    input: unknown,
    account: unknown,
  ): Promise<Result<unknown>> {
    const { log } = this.#options
    try {
      const shelf = this.#options.shelf?.page() ?? null
      const isShelf = shelf !== null && event.sender === shelf
      if (!this.#isOurs(event, isShelf) || (isShelf && !SHELF.has(String(name)))) {
        log('ipc.stranger', {
          name: String(name).slice(0, 40),
          url: event.senderFrame?.url.slice(0, 200) ?? '',
        })
        return refuse('usage', 'This page may not ask.')
      }
      if (typeof name !== 'string') return refuse('usage', 'Unknown request.')
      const page = isShelf ? this.#shelf : this.#main
      const result = await this.#answer(name, input, account, isShelf)
      if (name === 'boot' && !page.isBooted) {
        page.booted()
        if (!isShelf) this.#options.onBoot()
      }
      return result
    } catch (error) {
      log('ipc.defect', {
        name: String(name).slice(0, 40),
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
      return refuse('defect', 'Internal error.', 'See the log for details. Nothing is lost.')
    }
  }

  #isOurs(event: IpcMainInvokeEvent, isShelf: boolean): boolean {
    const frame = event.senderFrame
    return (
      frame !== null &&
      frame.parent === null &&
      (isShelf || event.sender === this.#options.page()) &&
      mayNavigate({ url: frame.url, origin: ORIGIN })
    )
  }

  async #answer(name: string, input: unknown, account: unknown, isShelf: boolean): Promise<Result<unknown>> {
    const options = this.#options
    const { id, handlers, link } = options.shown()
    // The request comes from a page that still shows another account's rows. In the account shown now, their
    // IDs belong to different files.
    if (typeof account === 'string' && account !== id && !WIDE.has(name))
      return refuse('closing', 'Another account is in the window now.', 'Try again there.')
    if (!isCall(name)) return refuse('usage', 'Unknown request.')
    const read = schemasOf(name).input.safeParse(input)
    if (!read.success)
      return refuse('usage', 'The request is invalid.', read.error.issues[0]?.message.slice(0, 200) ?? null)
    const { input: seen } = (isShelf ? options.shelf : undefined) ?? options
    if (!seen.allows(PAGE_CALLS[name].needs)) {
      options.log('ipc.no-input', { name })
      return refuse(
        'usage',
        'Slipway saw no click or key press in its window.',
        'Click again. Clicks come too fast after 20 in a minute.',
      )
    }
    const checked: unknown = read.data
    if (name === 'boot' && isShelf) {
      const booted = await handlers.boot({ shelf: true })
      return this.#fitted(
        name,
        booted.ok ? { ok: true, value: { ...booted.value, seq: this.#shelf.seq } } : booted,
      )
    }
    if (name === 'pause' || name === 'resume') {
      const { now } = checked as { readonly now?: boolean }
      return this.#fitted(name, await options.everywhere(name, now === true))
    }
    // A procedure's handler always matches its input, but the compiler can't infer that from the name.
    const call = isOwn(name) ? handlers[name] : (data: never) => link.call(name, data)
    return this.#fitted(name, await (call as (data: unknown) => Promise<Result<unknown>>)(checked))
  }

  /**
   * Returns the part of the result that the contract describes, or a failure if the result doesn't fit the
   * contract.
   */
  #fitted(name: CallName, result: Result<unknown>): Result<unknown> {
    const read = result.ok
      ? schemasOf(name).output.safeParse(result.value)
      : Failure.safeParse(result.failure)
    if (read.success)
      return result.ok ? { ok: true, value: read.data } : { ok: false, failure: read.data as Failure }
    this.#options.log('ipc.odd-answer', { name, message: read.error.message.slice(0, 500) })
    return refuse('defect', 'An answer did not fit the contract.')
  }
}
