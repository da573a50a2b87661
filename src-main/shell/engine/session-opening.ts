// Opens the engine thread's session and reports it to the main thread. A thread that has no engine but could
// have one later ends itself. The main thread (thread-connection.ts) then starts a new thread with up-to-date start-up
// data.
import type { Failure, FailureCode, Result } from '../../../src-shared/engine-contract.ts'
import type { EngineHost } from '../../platform/host/engine-host.ts'
import { createEngineSession, type EngineSession } from '../../platform/host/engine-session.ts'
import type { Time } from '../../platform/time.ts'
import { isPauseDue } from '../accounts/shared-pause.ts'
import type { FromEngineThread, OpenedAccount } from './protocol.ts'

/**
 * How long a thread that couldn't open its engine keeps running. During this time, it answers requests that
 * need no engine, such as those for the list of accounts. The time exceeds `STEADY_MS` in thread-connection.ts, so that
 * the end of the thread doesn't count as one of several crashes in a row and the next thread starts after the
 * shortest delay.
 */
const RETRY_MS = 61_000

/**
 * Failures that only the user or a new version can resolve, or after which the service shouldn't be contacted
 * again automatically.
 */
const LASTING: ReadonlySet<FailureCode> = new Set([
  'journal-unusable',
  'key-refused',
  'no-key',
  'no-api',
  'not-found',
  'waits',
  'server',
])

interface OpeningParts {
  readonly openHost: () => Promise<Result<Pick<EngineHost, 'elect'>>>
  readonly time: Time
  readonly say: (message: FromEngineThread) => void
  /** See `EngineThreadStart`. */
  readonly pausedAccounts: readonly string[] | null
  /** Describes the account. Called only after its engine has opened. */
  readonly account: () => OpenedAccount
  readonly onOpened: (session: EngineSession) => void
  readonly end: () => void
}

/**
 * Opens the session and starts the engine's work. If no engine can be started, reports the failure to the
 * main thread and resolves to it.
 */
export async function openSession(parts: OpeningParts): Promise<Result<EngineSession>> {
  const { openHost, time, say, account, onOpened, end } = parts
  const host = await openHost()
  const opened = host.ok ? await createEngineSession({ elect: host.value.elect, time }) : host
  if (!opened.ok) {
    say({ type: 'failed', failure: opened.failure })
    if (mayPass(opened.failure)) time.after(RETRY_MS, end)
    return opened
  }
  const session = opened.value
  onOpened(session)
  /**
   * Starts a new engine's work (uploads, folders, background jobs), then notifies the main thread that the
   * engine is available.
   */
  const begin = async (): Promise<void> => {
    await session.call('work', {})
    if (session.failure() === null) say({ type: 'up', owner: session.isOwner(), account: account() })
  }
  session.onEvent((event) => say({ type: 'event', event }))
  session.onReopen(() => void begin())
  session.onClose(() => {
    // Without a failure, the session was closed on purpose.
    if (session.failure() !== null) end()
  })
  // Pause only when the session opens: by the time another engine takes over, the user may have resumed the
  // account.
  if (isPauseDue(parts.pausedAccounts, account().id)) await session.call('pause', {})
  await begin()
  return opened
}

function mayPass({ code }: Failure): boolean {
  return !LASTING.has(code)
}
