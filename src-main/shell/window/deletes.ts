// Manages deletions that can be undone. Each waits a few seconds before it is passed to the engine's queue,
// where it survives a restart and can still be cancelled until it is sent. When the app quits, all waiting
// deletions are passed on before the engine closes. They are also stored in a file until the engine has them.
// After a crash, the next process carries out only those whose undo period was over and that the engine
// couldn't receive, and reports the others, because one of them may have been undone.
import { randomUUID } from 'node:crypto'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import { idSelector } from '../../../src-shared/file-id.ts'
import type { FileId } from '../../../src-shared/model.ts'
import type { PendingDelete } from '../../../src-shared/window-contract.ts'
import { within } from '../../platform/time.ts'
import { deleteQuestion } from '../app/questions.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { HandlerParts } from './handler-parts.ts'
import { type DeletionsFile, SavedDeletions, type SavedFile } from './saved-deletions.ts'

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
  readonly fileId: FileId
  readonly link: string | null
}

const INTERRUPTED: Failure = {
  code: 'closing',
  title: 'Slipway ended before the files were deleted.',
  hint: null,
}
const UNREADABLE: Failure = {
  code: 'disk',
  title: "The list of files to delete couldn't be read.",
  hint: null,
}

interface Waiting {
  readonly view: PendingDelete
  readonly timer: ReturnType<typeof setTimeout> | undefined
  /** Files that the engine hasn't accepted yet; all files while the deletion can still be undone. */
  left: readonly FileToDelete[]
  /** Whether an earlier process started the deletion. Its files are then identified by their links. */
  readonly isRestored: boolean
  /** `stuck`: the undo period is over, but no engine is available. */
  state: 'waits' | 'goes' | 'stuck'
  /** Resolves when the engine has accepted or refused the files, or turns out to be restarting. */
  going: Promise<void>
}

function viewOf(files: readonly FileToDelete[], at: number, name: string): PendingDelete {
  return {
    token: randomUUID(),
    fileIds: files.slice(0, SHOWN_MOST).map(({ fileId }) => fileId),
    count: files.length,
    at,
    name,
  }
}

function toSave({ left, state }: Waiting): readonly SavedFile[] {
  return state === 'stuck' ? left.map((file) => ({ ...file, final: true })) : left
}

/**
 * The small deletions (at most `UNASKED_MOST` files each) of the last minute, except those that were undone.
 */
class UnaskedDeletions {
  #recent: { readonly token: string; readonly at: number; readonly count: number }[] = []

  add(token: string, at: number, count: number): void {
    if (count <= UNASKED_MOST) this.#recent.push({ token, at, count })
  }

  undone(token: string): void {
    this.#recent = this.#recent.filter((one) => one.token !== token)
  }

  /** The number of files in these deletions. */
  count(now: number): number {
    this.#recent = this.#recent.filter((one) => one.at > now - UNASKED_MS)
    return this.#recent.reduce((sum, one) => sum + one.count, 0)
  }
}

interface DeletesOptions {
  readonly link: EngineLink
  readonly now: () => number
  readonly file: DeletionsFile
  readonly changed: () => void
  /** `left`: the number of files that weren't deleted; null if it is unknown. */
  readonly failed: (failure: Failure, left: number | null) => void
}

/**
 * Deletes files that aren't being deleted yet, after the user has confirmed in a system dialog if there are
 * many. Resolves to null if they decline, or if nothing is left to delete. `name`: the name of the first file.
 */
export async function startDeletion(
  { desk, store, language }: Pick<HandlerParts, 'desk' | 'store' | 'language'>,
  deletes: Deletes,
  files: readonly FileToDelete[],
  name: string,
): Promise<PendingDelete | null> {
  const ids = new Set(deletes.notPending(files.map(({ fileId }) => fileId)))
  const left = files.filter(({ fileId }) => ids.has(fileId))
  if (left.length === 0) return null
  if (deletes.needsQuestion(left.length) && !(await desk.confirm(deleteQuestion(left.length, language()))))
    return null
  return deletes.start(left, store.settings().undoSeconds, name)
}

export class Deletes {
  readonly #options: DeletesOptions
  readonly #waiting = new Map<string, Waiting>()
  readonly #unasked = new UnaskedDeletions()
  readonly #saved: SavedDeletions
  #isClosing = false

  constructor(options: DeletesOptions) {
    this.#options = options
    this.#saved = new SavedDeletions({
      file: options.file,
      waiting: () => [...this.#waiting.values()].flatMap(toSave),
      savedLate: () => this.#carryOutStuck(),
      unreadable: () => options.failed(UNREADABLE, null),
    })
    options.link.onState(({ up }) => {
      if (!up || this.#isClosing) return
      this.#restore()
      this.#carryOutStuck()
    })
  }

  /** `name`: the name of the first file. */
  start(files: readonly FileToDelete[], seconds: number, name = ''): PendingDelete {
    const { now, changed } = this.#options
    const view = viewOf(files, now() + seconds * 1000, name)
    const { token } = view
    const timer = setTimeout(() => void this.#carryOut(token), seconds * 1000)
    this.#add({ view, timer, left: files, isRestored: false, state: 'waits' })
    this.#saved.save()
    this.#unasked.add(token, now(), files.length)
    changed()
    return view
  }

  undo(token: string): void {
    const { now, changed } = this.#options
    const found = this.#waiting.get(token)
    // Ignore unknown tokens, and deletions whose undo period is over, because the engine may already have
    // them. The state is checked as well, because of clock rollbacks.
    if (found === undefined || this.#isClosing || found.state !== 'waits' || found.view.at <= now()) return
    clearTimeout(found.timer)
    this.#waiting.delete(token)
    this.#saved.save()
    this.#unasked.undone(token)
    changed()
  }

  /**
   * Returns the files that aren't in a pending deletion. Undoing one of two deletions of a file wouldn't save
   * the file.
   */
  notPending(fileIds: readonly FileId[]): FileId[] {
    const pending = new Set(
      [...this.#waiting.values()].flatMap((one) => one.left.map(({ fileId }) => fileId)),
    )
    return fileIds.filter((id) => !pending.has(id))
  }

  /** All files of a pending deletion that the engine hasn't accepted yet; `PendingDelete` names only some. */
  filesOf(token: string): readonly FileId[] {
    return this.#waiting.get(token)?.left.map(({ fileId }) => fileId) ?? []
  }

  pending(): readonly PendingDelete[] {
    return [...this.#waiting.values()].map((one) => one.view)
  }

  /**
   * The number of files in pending deletions that the engine hasn't accepted yet. The engine's snapshot
   * counts the others.
   */
  leftCount(): number {
    return [...this.#waiting.values()].reduce((sum, one) => sum + one.left.length, 0)
  }

  /**
   * Whether deleting this many files requires confirmation. Small deletions within a minute are added up, so
   * that a page can't avoid the question by splitting a large deletion.
   */
  needsQuestion(count: number): boolean {
    return count + this.#unasked.count(this.#options.now()) > UNASKED_MOST
  }

  /**
   * Passes all waiting deletions to the engine, which sends them now or after the next start. From then on,
   * nothing can be undone. If the engine doesn't answer within `CLOSING_MS`, the rest is passed on after the
   * next start.
   */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const one of this.#waiting.values()) clearTimeout(one.timer)
    await within(CLOSING_MS, Promise.all([...this.#waiting.keys()].map((token) => this.#carryOut(token))))
    this.#handOn()
  }

  /**
   * Leaves all waiting deletions to the next engine of their account; from then on, they can't be undone.
   * Call when the link is about to change to another account's engine.
   */
  leave(): void {
    this.#handOn()
    this.#options.changed()
  }

  #add(waiting: Omit<Waiting, 'going'>): void {
    this.#waiting.set(waiting.view.token, { ...waiting, going: Promise.resolve() })
  }

  #carryOutStuck(): void {
    for (const [token, one] of this.#waiting) if (one.state === 'stuck') void this.#carryOut(token)
  }

  #carryOut(token: string): Promise<void> {
    const one = this.#waiting.get(token)
    if (one === undefined || one.state === 'goes') return one?.going ?? Promise.resolve()
    const wasStuck = one.state === 'stuck'
    one.state = 'goes'
    // Once the engine has the deletion, the user can cancel it there. So the record that lets the next
    // process carry it out must be gone.
    if (wasStuck && !this.#saved.save()) one.state = 'stuck'
    else one.going = this.#handOver(token, one)
    return one.going
  }

  /**
   * Saves all waiting deletions and stops handling them in this process, so that the account's next engine
   * carries them out.
   */
  #handOn(): void {
    for (const one of this.#waiting.values()) {
      clearTimeout(one.timer)
      one.state = 'stuck'
    }
    this.#saved.end()
    this.#waiting.clear()
  }

  async #handOver(token: string, one: Waiting): Promise<void> {
    const { link, failed, changed } = this.#options
    while (one.left.length > 0 && this.#waiting.has(token)) {
      const selectors = one.left
        .slice(0, CHUNK)
        .map((file) => (one.isRestored && file.link !== null ? file.link : idSelector(file.fileId)))
      const got = await link.call('remove', { selectors, later: true })
      if (!got.ok && got.failure.code === 'closing') {
        // The engine is restarting. The rest is sent to the next engine.
        one.state = 'stuck'
        if (this.#waiting.has(token)) this.#saved.save()
        return
      }
      if (!got.ok) {
        failed(got.failure, one.left.length)
        break
      }
      one.left = one.left.slice(CHUNK)
      if (this.#waiting.has(token)) this.#saved.save()
    }
    if (!this.#waiting.delete(token)) return
    this.#saved.save()
    changed()
  }

  /** Takes over the deletions that an earlier process has stored. */
  #restore(): void {
    const { now, failed, changed } = this.#options
    const found = this.#saved.take()
    // Without its link, a file can't be identified reliably, because its ID may belong to another file by
    // now.
    const left = found.filter(({ link, final }) => link !== null && final === true)
    if (left.length < found.length) failed(INTERRUPTED, found.length - left.length)
    if (left.length === 0 && found.length > 0) this.#saved.save()
    if (left.length === 0) return
    const files = left.map(({ fileId, link }) => ({ fileId, link }))
    this.#add({
      view: viewOf(files, now(), ''),
      timer: undefined,
      left: files,
      isRestored: true,
      state: 'stuck',
    })
    changed()
  }
}
