// A client of whichever engine owns the data folder now. When that engine goes away, it connects to the next one or becomes the owner itself,
// and asks again what was not answered, so a command does not notice. What it must follow anew it is told through `onReopen`.
import type { EngineClient, EngineEvent, Failure, Input, Output, ProcedureName, Result } from '../../src-shared/contract.ts'
import type { Session, Time } from './context.ts'

export interface Opened {
  readonly client: EngineClient
  /** The engine runs in this process. */
  readonly owner: boolean
}

export interface SessionOptions {
  readonly open: () => Promise<Result<Opened>>
  readonly time: Time
}

/** An engine that says it closes is given this long to hang up before the line is cut from this side. */
const HANG_UP_MS = 5000
/** Engines that come and go at once must not make this one spin. */
const AGAIN_MS = 50

interface Line {
  readonly opened: Opened
  /** Resolves with null when the engine is gone. */
  readonly gone: Promise<null>
}

export async function createSession(options: SessionOptions): Promise<Result<Session>> {
  const eventListeners = new Set<(event: EngineEvent) => void>()
  const closeListeners = new Set<() => void>()
  const reopenListeners = new Set<() => void>()
  let closed = false
  let dead: Failure | null = null

  const hold = (opened: Opened): Line => {
    opened.client.onEvent((event) => {
      for (const listener of eventListeners) listener(event)
    })
    const gone = new Promise<null>((resolve) => {
      opened.client.onClose(() => resolve(null))
    })
    return { opened, gone }
  }

  const first = await options.open()
  if (!first.ok) return first
  let line = Promise.resolve<Line | null>(hold(first.value))

  const sleep = (ms: number): Promise<void> => new Promise((resolve) => options.time.after(ms, resolve))

  const reopen = async (): Promise<Line | null> => {
    await sleep(AGAIN_MS)
    if (closed) return null
    const next = await options.open()
    if (!next.ok) {
      dead = next.failure
      for (const listener of closeListeners) listener()
      return null
    }
    if (closed) {
      await next.value.client.close()
      return null
    }
    return hold(next.value)
  }

  /** From now on everybody waits for the next line; it is made at once, since events are missed meanwhile. */
  const follow = (current: Line): void => {
    void current.gone.then(async () => {
      if (closed) return
      line = reopen()
      const next = await line
      if (next === null) return
      follow(next)
      for (const listener of reopenListeners) listener()
    })
  }
  const start = await line
  if (start !== null) follow(start)

  const call = async <K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>> => {
    for (;;) {
      const current = await line
      if (current === null) {
        const failure: Failure = dead ?? { code: 'closing', title: 'Slipway is closing.', hint: null }
        return { ok: false, failure }
      }
      const { client } = current.opened
      const result = await Promise.race([client.call(procedure, input), current.gone])
      if (result !== null && (result.ok || result.failure.code !== 'closing')) return result
      if (closed) return { ok: false, failure: { code: 'closing', title: 'Slipway is closing.', hint: null } }
      const hungUp = await Promise.race([current.gone.then(() => true), sleep(HANG_UP_MS).then(() => false)])
      if (!hungUp) await client.close()
      // `line` is replaced by the listener on `gone`, which was registered before this one.
      await current.gone
      await Promise.resolve()
    }
  }

  return {
    ok: true,
    value: {
      call,
      onEvent: (listener) => {
        eventListeners.add(listener)
        return () => eventListeners.delete(listener)
      },
      onClose: (listener) => {
        closeListeners.add(listener)
        return () => closeListeners.delete(listener)
      },
      onReopen: (listener) => {
        reopenListeners.add(listener)
        return () => reopenListeners.delete(listener)
      },
      isOwner: () => first.value.owner,
      close: async () => {
        if (closed) return
        closed = true
        const current = await line
        await current?.opened.client.close()
        for (const listener of closeListeners) listener()
      },
    },
  }
}
