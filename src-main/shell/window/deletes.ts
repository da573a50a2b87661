// Manages deletions that can be undone. Each waits a few seconds before it is passed to the engine's queue, where it survives a restart and
// can still be cancelled until it is sent. When the app quits, all waiting deletions are passed on before the engine closes.
import { randomUUID } from 'node:crypto'
import type { PendingDelete } from '../../../src-shared/app.ts'
import type { Failure } from '../../../src-shared/contract.ts'
import type { EngineLink } from '../engine/protocol.ts'

/** Maximum number of files per call. It keeps each call a small transaction in the engine. */
const CHUNK = 100
/** Maximum number of file IDs per deletion that are sent to the window for marking rows. */
const SHOWN_MOST = 1000
/** Number of files that can be deleted within a minute without confirmation. For so few, undo is enough. */
const UNASKED_MOST = 10
const UNASKED_MS = 60_000
/** How long quitting waits for an engine that doesn't answer. */
const CLOSING_MS = 2000

export interface Deletes {
  start(fileIds: readonly number[], seconds: number): PendingDelete
  /** Returns the files that aren't in a pending deletion. Undoing one of two deletions of a file wouldn't save the file. */
  notPending(fileIds: readonly number[]): number[]
  undo(token: string): void
  pending(): readonly PendingDelete[]
  /**
   * Whether deleting this many files requires confirmation. Small deletions within a minute are added up, so that a page can't avoid the
   * question by splitting a large deletion.
   */
  needsQuestion(count: number): boolean
  /**
   * Passes all waiting deletions to the engine, which sends them now or after the next start. From then on, nothing can be undone. If the
   * engine doesn't answer within `CLOSING_MS`, the rest is dropped.
   */
  close(): Promise<void>
}

interface Waiting {
  readonly view: PendingDelete
  readonly timer: ReturnType<typeof setTimeout>
  /** Files that the engine hasn't accepted yet; all files while the deletion can still be undone. */
  left: readonly number[]
  state: 'waits' | 'goes' | 'stuck'
  /** Resolves when the engine has accepted or refused the files, or turns out to be restarting. */
  going: Promise<void>
}

export function createDeletes(options: {
  readonly link: EngineLink
  readonly now: () => number
  readonly changed: () => void
  readonly failed: (failure: Failure, left: number) => void
}): Deletes {
  const waiting = new Map<string, Waiting>()
  let isClosing = false
  let unasked: { readonly token: string; readonly at: number; readonly count: number }[] = []

  const carryOut = (token: string): Promise<void> => {
    const one = waiting.get(token)
    if (one === undefined) return Promise.resolve()
    if (one.state !== 'goes') {
      one.state = 'goes'
      one.going = handOver(token, one)
    }
    return one.going
  }
  const handOver = async (token: string, one: Waiting): Promise<void> => {
    while (one.left.length > 0 && waiting.has(token)) {
      const got = await options.link.call('remove', { selectors: one.left.slice(0, CHUNK).map(String), later: true })
      if (!got.ok && got.failure.code === 'closing') {
        // The engine is restarting. The rest is sent to the next engine.
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
      waiting.set(token, { view, timer, left: fileIds, state: 'waits', going: Promise.resolve() })
      if (fileIds.length <= UNASKED_MOST) unasked.push({ token, at: options.now(), count: fileIds.length })
      options.changed()
      return view
    },
    undo: (token) => {
      const found = waiting.get(token)
      // Ignore unknown tokens, and deletions whose undo period is over, because the engine may already have them.
      if (found === undefined || isClosing || found.view.at <= options.now()) return
      clearTimeout(found.timer)
      waiting.delete(token)
      unasked = unasked.filter((one) => one.token !== token)
      options.changed()
    },
    notPending: (fileIds) => {
      const pending = new Set([...waiting.values()].flatMap((one) => one.left))
      return fileIds.filter((id) => !pending.has(id))
    },
    pending: () => [...waiting.values()].map((one) => one.view),
    needsQuestion: (count) => {
      const since = options.now() - UNASKED_MS
      unasked = unasked.filter((one) => one.at > since)
      return count + unasked.reduce((sum, one) => sum + one.count, 0) > UNASKED_MOST
    },
    close: async () => {
      isClosing = true
      for (const one of waiting.values()) clearTimeout(one.timer)
      const ended = Promise.withResolvers<void>()
      const timer = setTimeout(ended.resolve, CLOSING_MS)
      await Promise.race([Promise.all([...waiting.keys()].map(carryOut)), ended.promise])
      clearTimeout(timer)
      waiting.clear()
    },
  }
}
