// A client of whichever engine currently owns the data folder. If that engine goes away, the session connects
// to the next engine or starts one in this process. The session then repeats unanswered calls.
import type {
  EngineClient,
  Failure,
  Input,
  Output,
  ProcedureName,
  Result,
} from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Time } from '../time.ts'
import type { ElectedEngine } from './engine-election.ts'

/**
 * A client that outlives the engine it is connected to. `onReopen` fires when another engine takes over; the
 * state must then be requested again.
 */
export interface EngineSession extends EngineClient {
  onReopen(listener: () => void): () => void
  /**
   * Returns a number that increases each time another engine takes over. The new engine doesn't know the
   * batches and watchers of the previous one.
   */
  generation(): number
  /** Whether the engine runs in this process. */
  isOwner(): boolean
  /**
   * Returns why no engine could be reached or started after the last one went away. Null if the session
   * hasn't failed.
   */
  failure(): Failure | null
}

export interface EngineSessionOptions {
  /** Connects to the running engine, or starts one in this process. */
  readonly elect: () => Promise<Result<ElectedEngine>>
  readonly time: Time
}

/** How long an engine that answers `closing` may take to disconnect. After that, the session disconnects. */
const HANG_UP_MS = 5000
/**
 * Pause before another election, so that engines that start and end in quick succession don't cause a busy
 * loop.
 */
const AGAIN_MS = 50

const CLOSING: Failure = { code: 'closing', title: 'Slipway is closing.', hint: null }

interface EngineConnection {
  readonly elected: ElectedEngine
  lost: boolean
  /**
   * Called once when the engine is gone. A promise that lives as long as the connection would instead retain
   * every call that is raced against it.
   */
  readonly whenLost: Set<() => void>
}

function lost(connection: EngineConnection): Promise<void> {
  return connection.lost
    ? Promise.resolve()
    : new Promise((resolve) => {
        connection.whenLost.add(resolve)
      })
}

/** Sends a call and resolves to the answer, or to null if the engine goes away first. */
async function answer<K extends ProcedureName>(
  connection: EngineConnection,
  procedure: K,
  input: Input<K>,
): Promise<Result<Output<K>> | null> {
  if (connection.lost) return null
  let giveUp: () => void = () => undefined
  const gone = new Promise<null>((resolve) => {
    giveUp = () => resolve(null)
  })
  connection.whenLost.add(giveUp)
  const result = await Promise.race([connection.elected.client.call(procedure, input), gone])
  connection.whenLost.delete(giveUp)
  return result
}

export async function createEngineSession(options: EngineSessionOptions): Promise<Result<EngineSession>> {
  const eventListeners = new Set<(event: EngineEvent) => void>()
  const closeListeners = new Set<() => void>()
  const reopenListeners = new Set<() => void>()
  let closed = false
  let dead: Failure | null = null
  let isOwner = false
  let generation = 0

  const hold = (elected: ElectedEngine): EngineConnection => {
    elected.client.onEvent((event) => {
      for (const listener of eventListeners) listener(event)
    })
    isOwner = elected.isOwner
    generation++
    const held: EngineConnection = { elected, lost: false, whenLost: new Set() }
    elected.client.onClose(() => {
      held.lost = true
      for (const listener of held.whenLost) listener()
      held.whenLost.clear()
    })
    return held
  }

  const first = await options.elect()
  if (!first.ok) return first
  let connection = Promise.resolve<EngineConnection | null>(hold(first.value))

  const sleep = (ms: number): Promise<void> => new Promise((resolve) => options.time.after(ms, resolve))

  const reopen = async (): Promise<EngineConnection | null> => {
    await sleep(AGAIN_MS)
    if (closed) return null
    const next = await options.elect()
    if (!next.ok) {
      if (closed) return null
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

  /**
   * Replaces `connection` as soon as `current` is lost. If this waited for the next call, events would be
   * missed.
   */
  const follow = (current: EngineConnection): void => {
    void lost(current).then(async () => {
      if (closed) return
      connection = reopen()
      const next = await connection
      if (next === null) return
      follow(next)
      for (const listener of reopenListeners) listener()
    })
  }
  const start = await connection
  if (start !== null) follow(start)

  const call = async <K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>> => {
    for (;;) {
      const current = await connection
      if (current === null) {
        return { ok: false, failure: dead ?? CLOSING }
      }
      const result = await answer(current, procedure, input)
      if (result !== null && (result.ok || result.failure.code !== 'closing')) return result
      if (closed) return { ok: false, failure: CLOSING }
      const cancel = options.time.after(HANG_UP_MS, () => void current.elected.client.close())
      // The listener that `follow` added runs first, so `connection` already refers to the next engine when
      // this wait ends.
      await lost(current)
      cancel()
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
      generation: () => generation,
      isOwner: () => isOwner,
      failure: () => dead,
      close: async () => {
        if (closed) return
        closed = true
        const current = await connection
        await current?.elected.client.close()
        for (const listener of closeListeners) listener()
      },
    },
  }
}
