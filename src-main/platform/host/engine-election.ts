// Decides which process runs the engine. This process connects to the owner of the data folder, or takes the
// lock and becomes the owner. A folder never has two owners. Connecting and locking are passed in
// (engine-host.ts), so that tests can control the order of events.
import type { EngineClient, Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { Time } from '../time.ts'

/**
 * How long to wait for an owner that is starting or closing. An owner doesn't answer while it opens or closes
 * its journal.
 */
const PATIENCE_MS = 15_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 250

export interface ElectedEngine {
  readonly client: EngineClient
  /** Whether the engine runs in this process. */
  readonly isOwner: boolean
}

export interface ElectionParts {
  /** Connects to the engine of another process. Resolves to null if none answers on the socket. */
  readonly connect: () => Promise<Result<EngineClient | null>>
  /**
   * Takes the lock and opens the engine in this process. Resolves to null if another process holds the lock.
   */
  readonly own: () => Promise<Result<EngineClient | null>>
  readonly time: Time
  readonly dataDir: string
}

export async function electEngine(parts: ElectionParts): Promise<Result<ElectedEngine>> {
  const { time } = parts
  let began = time.now()
  let wait = FIRST_WAIT_MS
  for (;;) {
    const connected = await parts.connect()
    if (!connected.ok) return connected
    if (connected.value !== null) return { ok: true, value: { client: connected.value, isOwner: false } }
    const owned = await parts.own()
    if (!owned.ok) return owned
    if (owned.value !== null) return { ok: true, value: { client: owned.value, isOwner: true } }
    // After a clock rollback, the wait would otherwise last that much longer.
    began = Math.min(began, time.now())
    if (time.now() - began >= PATIENCE_MS) return { ok: false, failure: silentOwner(parts.dataDir) }
    const ms = wait
    await new Promise<void>((resolve) => time.after(ms, resolve))
    wait = Math.min(LONGEST_WAIT_MS, wait * 2)
  }
}

function silentOwner(dataDir: string): Failure {
  return {
    code: 'defect',
    title: `Another Slipway is using the data folder ${dataDir}, but doesn't respond.`,
    hint: 'Quit it, then try again. Two never run on the same data folder.',
  }
}
