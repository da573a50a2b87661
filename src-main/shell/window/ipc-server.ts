// What pages may ask, and how they are told: one channel for calls, one for events. The sender is checked on every call (our window, our
// origin, its main frame), the name against a closed list, the input against the contract. Every refusal is an answer; nothing is thrown.
import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import {
  type AppHandlers,
  type AppProcedureName,
  appProcedures,
  CHANNEL,
  type Numbered,
  WINDOW_ENGINE_PROCEDURES,
  type WindowEngineProcedure,
  type WindowEvent,
} from '../../../src-shared/app.ts'
import { type Failure, procedures, type Result } from '../../../src-shared/contract.ts'
import type { EngineLink } from '../engine/protocol.ts'
import { createTelling } from './event-throttle.ts'
import { mayNavigate } from './navigation.ts'
import { ORIGIN } from './page-protocol.ts'

const ENGINE: ReadonlySet<string> = new Set(WINDOW_ENGINE_PROCEDURES)

function refuse(code: Failure['code'], title: string, hint: string | null = null): Result<never> {
  return { ok: false, failure: { code, title, hint } }
}

export interface IpcServer {
  /** To the page, in numbered messages of at most four a second; dropped where there is no page: one that comes later boots. */
  tell(event: WindowEvent): void
  /** The same, but for a page that is only coming: it is told once it has booted. */
  tellSoon(event: WindowEvent): void
  /** A page goes or a new one comes: what is told soon waits for its boot. */
  pageGone(): void
  seq(): number
}

export function createIpcServer(options: {
  readonly handlers: AppHandlers
  readonly link: EngineLink
  readonly page: () => WebContents | null
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}): IpcServer {
  let seq = 0
  let booted = false
  let soon: WindowEvent[] = []

  const isOurs = (event: IpcMainInvokeEvent): boolean => {
    const frame = event.senderFrame
    return frame !== null && frame.parent === null && event.sender === options.page() && mayNavigate({ url: frame.url, origin: ORIGIN })
  }

  const answer = async (name: string, input: unknown): Promise<Result<unknown>> => {
    if (Object.hasOwn(appProcedures, name)) {
      const procedure = name as AppProcedureName
      const read = appProcedures[procedure].input.safeParse(input)
      if (!read.success)
        return refuse('usage', 'The request does not fit the contract.', read.error.issues[0]?.message.slice(0, 200) ?? null)
      // The type of a handler and of its input belong together; the compiler can't follow that through the name.
      return (options.handlers[procedure] as (checked: unknown) => Promise<Result<unknown>>)(read.data)
    }
    if (ENGINE.has(name)) {
      const procedure = name as WindowEngineProcedure
      const read = procedures[procedure].input.safeParse(input)
      if (!read.success)
        return refuse('usage', 'The request does not fit the contract.', read.error.issues[0]?.message.slice(0, 200) ?? null)
      return options.link.call(procedure, read.data)
    }
    return refuse('usage', 'There is no such request.')
  }

  ipcMain.handle(CHANNEL.call, async (event, name: unknown, input: unknown): Promise<Result<unknown>> => {
    try {
      if (!isOurs(event)) {
        options.log('ipc.stranger', { url: event.senderFrame?.url.slice(0, 200) ?? '' })
        return refuse('usage', 'This page may not ask.')
      }
      if (typeof name !== 'string') return refuse('usage', 'There is no such request.')
      const result = await answer(name, input)
      if (name === 'boot' && !booted) {
        booted = true
        // After this answer, which the page needs first.
        setTimeout(() => {
          for (const one of soon.splice(0)) tell(one)
        })
      }
      return result
    } catch (error) {
      options.log('ipc.defect', {
        name: String(name).slice(0, 40),
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
      return refuse('defect', 'Slipway made a mistake.', 'The log has the details. Nothing is lost.')
    }
  })

  const telling = createTelling({
    send: (events) => {
      const page = options.page()
      seq++
      if (page !== null && !page.isDestroyed()) page.send(CHANNEL.event, { seq, events } satisfies Numbered)
    },
    now: () => performance.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  const tell = (event: WindowEvent): void => telling.take(event)

  return {
    tell,
    tellSoon: (event) => {
      if (booted) tell(event)
      else soon = [...soon.slice(-20), event]
    },
    pageGone: () => {
      booted = false
      telling.drop()
    },
    seq: () => seq,
  }
}
