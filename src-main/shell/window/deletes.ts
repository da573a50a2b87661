// Manages deletions that can be undone. Each waits a few seconds before it is passed to the engine's queue, where it survives a restart and
// can still be cancelled until it is sent. When the app quits, all waiting deletions are passed on before the engine closes. They are also
// stored in a file until the engine has them: after a crash, the next engine of the account receives them at once, because the window said
// that the files are being deleted.
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
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

/** `link`: the file's public link, or null if it is unknown. */
export interface FileToDelete {
  readonly fileId: number
  readonly link: string | null
}

const SavedFiles = z.array(z.object({ fileId: z.int(), link: z.nullable(z.string()) }))

const INTERRUPTED: Failure = { code: 'closing', title: 'Slipway ended before the files were deleted.', hint: null }

export interface Deletes {
  start(files: readonly FileToDelete[], seconds: number): PendingDelete
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
   * engine doesn't answer within `CLOSING_MS`, the rest is passed on after the next start.
   */
  close(): Promise<void>
  /** Leaves all waiting deletions to the next engine of their account. Call when the link is about to change to another account's engine. */
  leave(): void
}

interface Waiting {
  readonly view: PendingDelete
  readonly timer: ReturnType<typeof setTimeout> | undefined
  /** Files that the engine hasn't accepted yet; all files while the deletion can still be undone. */
  left: readonly FileToDelete[]
  /** Whether an earlier process started the deletion. Its files are then identified by their links. */
  readonly isRestored: boolean
  state: 'waits' | 'goes' | 'stuck'
  /** Resolves when the engine has accepted or refused the files, or turns out to be restarting. */
  going: Promise<void>
}

export function createDeletes(options: {
  readonly link: EngineLink
  readonly now: () => number
  /** Stores the waiting deletions with the account that the link belongs to. */
  readonly saved: { read(): unknown; write(value: unknown): void }
  readonly changed: () => void
  readonly failed: (failure: Failure, left: number) => void
}): Deletes {
  const waiting = new Map<string, Waiting>()
  let isClosing = false
  let unasked: { readonly token: string; readonly at: number; readonly count: number }[] = []

  const save = (): void => options.saved.write([...waiting.values()].flatMap((one) => one.left))
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
      const selectors = one.left.slice(0, CHUNK).map(({ fileId, link }) => (one.isRestored && link !== null ? link : String(fileId)))
      const got = await options.link.call('remove', { selectors, later: true })
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
      if (waiting.has(token)) save()
    }
    if (!waiting.delete(token)) return
    save()
    options.changed()
  }
  /** Takes over the deletions that a process that was killed has stored. */
  const restore = (): void => {
    const read = SavedFiles.safeParse(options.saved.read())
    const known = new Set([...waiting.values()].flatMap((one) => one.left.map(({ fileId }) => fileId)))
    const found = (read.success ? read.data : []).filter(({ fileId }) => !known.has(fileId))
    // By now, the ID alone may belong to another file.
    const left = found.filter(({ link }) => link !== null)
    if (left.length < found.length) options.failed(INTERRUPTED, found.length - left.length)
    if (left.length === 0) {
      if (found.length > 0) save()
      return
    }
    const token = randomUUID()
    const view = { token, fileIds: left.slice(0, SHOWN_MOST).map(({ fileId }) => fileId), count: left.length, at: options.now() }
    waiting.set(token, { view, timer: undefined, left, isRestored: true, state: 'stuck', going: Promise.resolve() })
    options.changed()
  }
  options.link.onState(({ up }) => {
    if (!up || isClosing) return
    restore()
    for (const [token, one] of waiting) if (one.state === 'stuck') void carryOut(token)
  })

  return {
    start: (files, seconds) => {
      const token = randomUUID()
      const fileIds = files.slice(0, SHOWN_MOST).map(({ fileId }) => fileId)
      const view = { token, fileIds, count: files.length, at: options.now() + seconds * 1000 }
      const timer = setTimeout(() => void carryOut(token), seconds * 1000)
      waiting.set(token, { view, timer, left: files, isRestored: false, state: 'waits', going: Promise.resolve() })
      save()
      if (files.length <= UNASKED_MOST) unasked.push({ token, at: options.now(), count: files.length })
      options.changed()
      return view
    },
    undo: (token) => {
      const found = waiting.get(token)
      // Ignore unknown tokens, and deletions whose undo period is over, because the engine may already have them.
      if (found === undefined || isClosing || found.view.at <= options.now()) return
      clearTimeout(found.timer)
      waiting.delete(token)
      save()
      unasked = unasked.filter((one) => one.token !== token)
      options.changed()
    },
    notPending: (fileIds) => {
      const pending = new Set([...waiting.values()].flatMap((one) => one.left.map(({ fileId }) => fileId)))
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
    leave: () => {
      for (const one of waiting.values()) clearTimeout(one.timer)
      waiting.clear()
      options.changed()
    },
  }
}
