// Decides who runs the engine: connects to the one that owns the data folder, or takes the lock and becomes the owner. Two never own one
// folder. The parts that touch the system are given, so every order of events can be tried; engine-host.ts has the real ones.
import type { EngineClient, Failure, Result } from '../../src-shared/contract.ts'
import type { Time } from './time.ts'

/** Between taking the lock and answering on the socket an engine reads its journal; between hanging up and freeing the lock it writes. */
const PATIENCE_MS = 15_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 250

export interface ElectedEngine {
  readonly client: EngineClient
  /** The engine runs in this process. */
  readonly isOwner: boolean
}

export interface ElectionParts {
  /** Null: no engine answers on the socket. */
  readonly connect: () => Promise<Result<EngineClient | null>>
  /** Takes the lock and opens the engine here. Null: another process holds the lock. */
  readonly own: () => Promise<Result<EngineClient | null>>
  readonly time: Time
  readonly dataDir: string
}

export async function electEngine(parts: ElectionParts): Promise<Result<ElectedEngine>> {
  const { time } = parts
  const began = time.now()
  let wait = FIRST_WAIT_MS
  for (;;) {
    const connected = await parts.connect()
    if (!connected.ok) return connected
    if (connected.value !== null) return { ok: true, value: { client: connected.value, isOwner: false } }
    const owned = await parts.own()
    if (!owned.ok) return owned
    if (owned.value !== null) return { ok: true, value: { client: owned.value, isOwner: true } }
    if (time.now() - began >= PATIENCE_MS) return { ok: false, failure: silentOwner(parts.dataDir) }
    const ms = wait
    await new Promise<void>((resolve) => time.after(ms, resolve))
    wait = Math.min(LONGEST_WAIT_MS, wait * 2)
  }
}

function silentOwner(dataDir: string): Failure {
  return {
    code: 'defect',
    title: `Another Slipway owns the data folder ${dataDir}, but does not answer.`,
    hint: 'Quit it, then try again. A second one on the same folder is never started.',
  }
}
