// Serves the page over IPC, with one channel for calls and one for events. Each call's sender (our window,
// our origin, the main frame), name (a closed list) and input (the contract) are checked, and whether the
// user has acted if the call requires it (page-calls.ts). Refusals are returned, never thrown. Results and
// events are also checked, so that the page, which has no schemas, gets only what fits the contract.
import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
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
} from '../../../src-shared/app.ts'
import { APP_WIDE } from '../../../src-shared/choices.ts'
import { Failure, procedures, type Result } from '../../../src-shared/contract.ts'
import { PAGE_CALLS } from '../../../src-shared/page-calls.ts'
import { after } from '../../platform/time.ts'
import type { EngineLink } from '../engine/protocol.ts'
import { createEventThrottle } from './event-throttle.ts'
import { MissedEvents } from './missed-events.ts'
import { mayNavigate } from './navigation.ts'
import { ORIGIN } from './page-protocol.ts'
import type { UserInput } from './user-input.ts'

const ENGINE: ReadonlySet<string> = new Set(WINDOW_ENGINE_PROCEDURES)
const WIDE: ReadonlySet<string> = new Set(APP_WIDE)

function refuse(code: Failure['code'], title: string, hint: string | null = null): Result<never> {
  return { ok: false, failure: { code, title, hint } }
}

export interface IpcServer {
  /**
   * Sends an event to the page, throttled by event-throttle.ts. If there is no page, the event is dropped,
   * since a new page starts with the complete state; missed-events.ts keeps the events that this state
   * doesn't cover.
   */
  tell(event: WindowEvent): void
  /** Keeps the event until the page has booted. Of the kept events, only the newest 21 are sent. */
  tellSoon(event: WindowEvent): void
  /**
   * Call when another account is shown. Drops the pending events of the previous account and sends these
   * instead.
   */
  tellSwitch(events: readonly WindowEvent[]): void
  /**
   * Drops pending events; from now on, `tellSoon` keeps events until the next page boots. Call when the page
   * is closed or replaced.
   */
  pageGone(): void
  seq(): number
}

export function createIpcServer(options: {
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
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}): IpcServer {
  let seq = 0
  let booted = false
  let soon: WindowEvent[] = []
  const missed = new MissedEvents(Date.now)

  const isOurs = (event: IpcMainInvokeEvent): boolean => {
    const frame = event.senderFrame
    return (
      frame !== null &&
      frame.parent === null &&
      event.sender === options.page() &&
      mayNavigate({ url: frame.url, origin: ORIGIN })
    )
  }

  /**
   * Returns the part of the result that the contract describes, or a failure if the result doesn't fit the
   * contract.
   */
  const fitted = (name: CallName, result: Result<unknown>): Result<unknown> => {
    const { output } = Object.hasOwn(appProcedures, name)
      ? appProcedures[name as AppProcedureName]
      : procedures[name as WindowEngineProcedure]
    const read = result.ok ? output.safeParse(result.value) : Failure.safeParse(result.failure)
    if (read.success)
      return result.ok ? { ok: true, value: read.data } : { ok: false, failure: read.data as Failure }
    options.log('ipc.odd-answer', { name, message: read.error.message.slice(0, 500) })
    return refuse('defect', 'An answer did not fit the contract.')
  }

  const noInput = (name: CallName): Result<never> => {
    options.log('ipc.no-input', { name })
    return refuse(
      'usage',
      'Slipway saw no click or key press in its window.',
      'Click again. Clicks come too fast after 20 in a minute.',
    )
  }

  const answer = async (name: string, input: unknown, account: unknown): Promise<Result<unknown>> => {
    const { id, handlers, link } = options.shown()
    // The request comes from a page that still shows another account's rows. In the account shown now, their
    // IDs belong to different files.
    if (typeof account === 'string' && account !== id && !WIDE.has(name))
      return refuse('closing', 'Another account is in the window now.', 'Try again there.')
    if (Object.hasOwn(appProcedures, name)) {
      const procedure = name as AppProcedureName
      const read = appProcedures[procedure].input.safeParse(input)
      if (!read.success)
        return refuse('usage', 'The request is invalid.', read.error.issues[0]?.message.slice(0, 200) ?? null)
      if (!options.input.allows(PAGE_CALLS[procedure].needs)) return noInput(procedure)
      // The procedure's handler always matches its input, but the compiler can't infer that from the name.
      return fitted(
        procedure,
        await (handlers[procedure] as (checked: unknown) => Promise<Result<unknown>>)(read.data),
      )
    }
    if (ENGINE.has(name)) {
      const procedure = name as WindowEngineProcedure
      const read = procedures[procedure].input.safeParse(input)
      if (!read.success)
        return refuse('usage', 'The request is invalid.', read.error.issues[0]?.message.slice(0, 200) ?? null)
      if (!options.input.allows(PAGE_CALLS[procedure].needs)) return noInput(procedure)
      if (name === 'pause' || name === 'resume')
        return fitted(name, await options.everywhere(name, 'now' in read.data && read.data.now === true))
      return fitted(procedure, await link.call(procedure, read.data))
    }
    return refuse('usage', 'Unknown request.')
  }

  ipcMain.handle(
    CHANNEL.call,
    async (event, name: unknown, input: unknown, account: unknown): Promise<Result<unknown>> => {
      try {
        if (!isOurs(event)) {
          options.log('ipc.stranger', { url: event.senderFrame?.url.slice(0, 200) ?? '' })
          return refuse('usage', 'This page may not ask.')
        }
        if (typeof name !== 'string') return refuse('usage', 'Unknown request.')
        const result = await answer(name, input, account)
        if (name === 'boot' && !booted) {
          booted = true
          // Send the kept events after the response to `boot`, which the page needs first.
          setTimeout(() => {
            for (const one of [...missed.due(), ...soon.splice(0)]) tell(one)
          })
        }
        return result
      } catch (error) {
        options.log('ipc.defect', {
          name: String(name).slice(0, 40),
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        })
        return refuse('defect', 'Internal error.', 'See the log for details. Nothing is lost.')
      }
    },
  )

  const throttle = createEventThrottle({
    send: (events) => {
      const page = options.page()
      seq++
      if (page === null || page.isDestroyed()) return
      const read = Numbered.safeParse({ seq, events } satisfies Numbered)
      // If a message isn't sent, the next one reveals the gap in the numbers, and the page starts again with
      // the complete state.
      if (read.success) page.send(CHANNEL.event, read.data)
      else options.log('ipc.odd-event', { message: read.error.message.slice(0, 500) })
    },
    now: () => performance.now(),
    after,
  })
  const tell = (event: WindowEvent): void => {
    if (booted || !missed.take(event)) throttle.take(event)
  }

  return {
    tell,
    tellSoon: (event) => {
      if (booted) tell(event)
      else soon = [...soon.slice(-20), event]
    },
    tellSwitch: (events) => {
      throttle.drop()
      soon = soon.filter((event) => event.kind !== 'engine')
      for (const event of events) tell(event)
    },
    pageGone: () => {
      booted = false
      throttle.drop()
    },
    seq: () => seq,
  }
}
