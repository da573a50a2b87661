// Deletions that can be undone: each waits its seconds, then goes out file by file. A quit meanwhile deletes nothing. What could not be
// deleted is told; what was gone already is as good as deleted.
import { randomUUID } from 'node:crypto'
import type { PendingDelete } from '../../src-shared/app.ts'
import type { Failure } from '../../src-shared/contract.ts'
import type { EngineLink } from './engine-protocol.ts'

/** Files in one call: each costs a request, and the call answers when the last one is done. */
const CHUNK = 20
/** Ids that are told to the window, to mark their rows. */
const TOLD_MOST = 1000

export interface Deletes {
  start(fileIds: readonly number[], seconds: number): PendingDelete
  undo(token: string): void
  pending(): readonly PendingDelete[]
  close(): void
}

export function createDeletes(options: {
  readonly link: EngineLink
  readonly now: () => number
  readonly changed: () => void
  readonly failed: (failure: Failure, left: number) => void
}): Deletes {
  const waiting = new Map<string, { readonly view: PendingDelete; readonly timer: ReturnType<typeof setTimeout> }>()

  const carryOut = async (token: string, fileIds: readonly number[]): Promise<void> => {
    // A quit forgets them all: what has not gone out by then stays.
    for (let i = 0; i < fileIds.length && waiting.has(token); i += CHUNK) {
      const got = await options.link.call('remove', { selectors: fileIds.slice(i, i + CHUNK).map(String) })
      if (!got.ok) {
        options.failed(got.failure, fileIds.length - i)
        break
      }
    }
    waiting.delete(token)
    options.changed()
  }

  return {
    start: (fileIds, seconds) => {
      const token = randomUUID()
      const view = { token, fileIds: fileIds.slice(0, TOLD_MOST), count: fileIds.length, at: options.now() + seconds * 1000 }
      waiting.set(token, { view, timer: setTimeout(() => void carryOut(token, fileIds), seconds * 1000) })
      options.changed()
      return view
    },
    undo: (token) => {
      const found = waiting.get(token)
      // Past its time it is under way and can't be called back.
      if (found === undefined || found.view.at <= options.now()) return
      clearTimeout(found.timer)
      waiting.delete(token)
      options.changed()
    },
    pending: () => [...waiting.values()].map((one) => one.view),
    close: () => {
      for (const one of waiting.values()) clearTimeout(one.timer)
      waiting.clear()
    },
  }
}
