// Deletions that can be undone: each waits its seconds, then the engine queues it, where it outlives a quit, waits for a connection, and can be
// taken back until it goes out. A quit within the seconds deletes nothing.
import { randomUUID } from 'node:crypto'
import type { PendingDelete } from '../../../src-shared/app.ts'
import type { Failure } from '../../../src-shared/contract.ts'
import type { EngineLink } from '../engine/protocol.ts'

/** Files in one call: each is a small transaction of the engine. */
const CHUNK = 100
/** Ids that are sent to the window, to mark their rows. */
const SHOWN_MOST = 1000
/** Files that may be deleted within a minute without a question; the undo is enough for a slip of the hand. */
const UNASKED_MOST = 10
const UNASKED_MS = 60_000

export interface Deletes {
  start(fileIds: readonly number[], seconds: number): PendingDelete
  undo(token: string): void
  pending(): readonly PendingDelete[]
  /** So many more at once are asked about first. Several small deletions count as one large one: a page must not get around the question. */
  needsQuestion(count: number): boolean
  close(): void
}

interface Waiting {
  readonly view: PendingDelete
  readonly timer: ReturnType<typeof setTimeout>
  /** What the engine has not taken yet, once the time is over. */
  left: readonly number[]
  state: 'waits' | 'goes' | 'stuck'
}

export function createDeletes(options: {
  readonly link: EngineLink
  readonly now: () => number
  readonly changed: () => void
  readonly failed: (failure: Failure, left: number) => void
}): Deletes {
  const waiting = new Map<string, Waiting>()
  let unasked: { readonly token: string; readonly at: number; readonly count: number }[] = []

  const carryOut = async (token: string): Promise<void> => {
    const one = waiting.get(token)
    if (one === undefined || one.state === 'goes') return
    one.state = 'goes'
    // A quit forgets them all: what the engine has not taken by then stays.
    while (one.left.length > 0 && waiting.has(token)) {
      const got = await options.link.call('remove', { selectors: one.left.slice(0, CHUNK).map(String), later: true })
      if (!got.ok && got.failure.code === 'closing') {
        // The engine is away for a moment, and the next one takes them.
        one.state = 'stuck'
        return
      }
      if (!got.ok) {
        options.failed(got.failure, one.left.length)
        break
      }
      one.left = one.left.slice(CHUNK)
    }
    waiting.delete(token)
    options.changed()
  }
  options.link.onState(({ up }) => {
    if (up) for (const [token, one] of waiting) if (one.state === 'stuck') void carryOut(token)
  })

  return {
    start: (fileIds, seconds) => {
      const token = randomUUID()
      const view = { token, fileIds: fileIds.slice(0, SHOWN_MOST), count: fileIds.length, at: options.now() + seconds * 1000 }
      const timer = setTimeout(() => void carryOut(token), seconds * 1000)
      waiting.set(token, { view, timer, left: fileIds, state: 'waits' })
      if (fileIds.length <= UNASKED_MOST) unasked.push({ token, at: options.now(), count: fileIds.length })
      options.changed()
      return view
    },
    undo: (token) => {
      const found = waiting.get(token)
      // Past its time the engine has it.
      if (found === undefined || found.view.at <= options.now()) return
      clearTimeout(found.timer)
      waiting.delete(token)
      unasked = unasked.filter((one) => one.token !== token)
      options.changed()
    },
    pending: () => [...waiting.values()].map((one) => one.view),
    needsQuestion: (count) => {
      const since = options.now() - UNASKED_MS
      unasked = unasked.filter((one) => one.at > since)
      return count + unasked.reduce((sum, one) => sum + one.count, 0) > UNASKED_MOST
    },
    close: () => {
      for (const one of waiting.values()) clearTimeout(one.timer)
      waiting.clear()
    },
  }
}
