// What became of a request whose answer was lost: looks through the remote list before anything is sent again (law 2). Adopts a match,
// compares bytes where name, size and age leave a doubt, asks a person where even that can't be done. It never uploads.
import type { ListPage, RemoteFile } from '../../api/types.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { SizeUnit } from '../limits/size-unit.ts'
import { DiskError, type Ports } from '../ports.ts'
import { type FetchPage, type ListHabits, walkList } from '../remote/list-walk.ts'
import type { CallResult, Calls } from '../remote/requests.ts'
import { hashFile } from './content.ts'
import { candidacy, type Doubt, type Knowledge } from './match.ts'
import { backoffMs, nextCheckMs } from './outcome.ts'

/** Candidates up to this size are compared byte by byte; beyond it a person is asked. Public links are not part of the request budget. */
const COMPARE_MOST = 512 * 1024 * 1024
/** How often bytes that can't be had just now are asked for again before a person is: with the pauses between, for some forty minutes. */
const COMPARE_TRIES = 12
const COMPARE_WAIT_MS = 1000
const COMPARE_WAIT_MOST_MS = 10 * 60_000
/** Looks at most this often, however many answers are lost: one look serves all that are in doubt. */
const EVERY_MS = 1000

export interface ReconcilerOptions {
  readonly ports: Ports
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Remote
  readonly calls: Calls
  readonly list: (page: number, limit: number, signal: AbortSignal) => Promise<CallResult<ListPage>>
  readonly file: (fileId: number, signal: AbortSignal) => Promise<CallResult<RemoteFile>>
  /** Gives the bytes behind a link to `onChunk`. `later`: not now, but perhaps in a while; `never`: this link leads to no bytes. */
  readonly download: (
    link: string,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ) => Promise<'whole' | 'later' | 'never'>
  readonly habits: () => ListHabits
  readonly setHabits: (habits: ListHabits) => void
  readonly unit: () => SizeUnit | null
  readonly zone: () => number | null
  readonly learnDate: (fileId: number, shown: string) => void
  /** Ids of own uploads only ever grew. */
  readonly idsGrow: () => boolean
  /** The name under which the lost request went out. */
  readonly sentName: (row: TransferRow) => string
  /** What may be a mixture is taken back, unless it belongs to another file. Called inside a transaction. */
  readonly discard: (fileId: number) => void
  readonly adopt: (row: TransferRow, file: RemoteFile, sha256: string | null) => Promise<void>
  readonly changed: (id: number) => void
}

export interface Reconciler {
  /** Looks up everything that is in doubt and due. Gives when to come again (this machine's clock), null when nothing is in doubt. */
  run(signal: AbortSignal): Promise<number | null>
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { transfers, remote, db, ports } = options
  const { clock, disk, hashing, log, random } = ports
  /** How often the bytes of a row's candidates were asked for in vain. */
  const compares = new Map<number, number>()

  const fetchPage =
    (signal: AbortSignal): FetchPage =>
    async (page, limit) => {
      const got = await options.list(page, limit, signal)
      if (got.ok) return got
      return {
        ok: false,
        failure: got.failure.kind === 'api' ? got.failure.failure : { kind: 'aborted', phase: 'unsent', message: got.failure.kind },
      }
    }

  /** By the count of intents, not by this machine's clock, which somebody may have set since: an upload that arrived would be sent again. */
  const wasBefore = (fileId: number, mark: number | null): boolean =>
    mark !== null && (remote.get(fileId)?.firstMark ?? Number.POSITIVE_INFINITY) < mark

  const knowledge = (row: TransferRow): Knowledge => ({
    unit: options.unit(),
    zone: options.zone(),
    idAbove: options.idsGrow() ? row.intentAbove : null,
    wasBefore: (id) => wasBefore(id, row.intentMark),
    taken: (id) => remote.isRemoval(id) || transfers.isReceipt(id, row.id),
  })

  /** Fills name and size of what the list left out, where that could make it ours. */
  const filled = async (
    file: RemoteFile & { readonly fileId: number },
    signal: AbortSignal,
  ): Promise<(RemoteFile & { readonly fileId: number }) | null> => {
    if (file.filename !== null && file.size !== null && file.publicLink !== null) return file
    const known = remote.get(file.fileId)
    if (known !== null && known.filename !== null && known.size !== null && known.publicLink !== null)
      return { ...file, ...known, fileId: file.fileId }
    const got = await options.file(file.fileId, signal)
    if (!got.ok)
      return got.failure.kind === 'api' && got.failure.failure.kind === 'status' && got.failure.failure.status === 404 ? null : file
    const full = {
      fileId: file.fileId,
      filename: got.value.filename ?? file.filename,
      size: got.value.size ?? file.size,
      uploadDate: got.value.uploadDate ?? file.uploadDate,
      downloadCount: got.value.downloadCount ?? file.downloadCount,
      publicLink: got.value.publicLink ?? file.publicLink,
    }
    db.tx(() => remote.put(full, clock.now(), false))
    return full
  }

  /** sha-256 of what a link gives, or when it may be asked for again. */
  const remoteHash = async (
    file: RemoteFile,
    size: number,
    signal: AbortSignal,
  ): Promise<{ readonly sha256: string } | 'later' | 'never'> => {
    if (file.publicLink === null || size > COMPARE_MOST) return 'never'
    const hasher = hashing.stream()
    let length = 0
    if (file.fileId !== null) remote.noteLook(file.fileId)
    const take = (chunk: Uint8Array): void | Promise<void> => {
      length += chunk.length
      return hasher.update(chunk)
    }
    const got = await options.download(file.publicLink, take, signal)
    // A page instead of the file: its length gives it away where the list says the file's in bytes.
    const page = options.unit() === 'bytes' && file.size === size && length !== size
    if (got === 'whole' && !page) return { sha256: await hasher.digest() }
    hasher.drop()
    return got === 'whole' ? 'later' : got
  }

  /** The hash of what was sent: noted with the intent, or read off the file if that is still the same version. */
  const localHash = async (row: TransferRow, signal: AbortSignal): Promise<string | null> => {
    if (row.sha256 !== null) return row.sha256
    try {
      const hashed = await hashFile(disk, hashing, row.path, signal)
      return hashed !== null && hashed.entry.size === row.size && hashed.entry.mtime === row.mtime ? hashed.sha256 : null
    } catch (error) {
      if (error instanceof DiskError || signal.aborted) return null
      throw error
    }
  }

  const again = async (row: TransferRow, message: string): Promise<void> => {
    await db.soon(() => {
      if (row.cancel) transfers.transition(row.id, { kind: 'cancelled' })
      else if (row.attempts <= 1) transfers.transition(row.id, { kind: 'requeued' })
      else
        transfers.transition(row.id, { kind: 'deferred', reason: 'backoff', message, until: clock.now() + backoffMs(row.attempts, random) })
    })
    options.changed(row.id)
  }

  const absent = async (row: TransferRow): Promise<void> => {
    const next = nextCheckMs(row.checks + 1, !row.partly)
    if (next !== null) {
      await db.soon(() => transfers.addCheck(row.id, clock.now() + next))
      return
    }
    log.info('reconcile.absent', { id: row.id })
    await again(row, row.message ?? 'The upload did not arrive.')
  }

  const decide = async (
    row: TransferRow,
    files: readonly (RemoteFile & { readonly fileId: number })[],
    signal: AbortSignal,
  ): Promise<void> => {
    const know = knowledge(row)
    const doubt: Doubt = {
      name: options.sentName(row),
      size: row.size,
      // Not known where the service had hardly answered yet: this machine's clock is no witness, and the bytes decide.
      intentServer: row.intentServer,
    }
    const sure: (RemoteFile & { readonly fileId: number })[] = []
    const maybe: (RemoteFile & { readonly fileId: number })[] = []
    for (const file of files) {
      if (candidacy(doubt, file, know) === 'no') continue
      const full = await filled(file, signal)
      if (full === null) continue
      const kind = candidacy(doubt, full, know)
      if (kind === 'sure') sure.push(full)
      else if (kind !== 'no') maybe.push(full)
    }
    if (signal.aborted) return
    if (sure.length === 0 && maybe.length === 0) return absent(row)
    const local = await localHash(row, signal)
    const [only] = sure
    if (sure.length === 1 && only !== undefined && local !== null) {
      log.info('reconcile.adopted', { id: row.id, fileId: only.fileId })
      return options.adopt(row, only, local)
    }
    if (local === null) {
      // The file has changed or gone since, and what was sent is not known any more: what may be a mixture is taken back (law 3).
      if (sure.length === 1 && only !== undefined) {
        await db.soon(() => {
          options.discard(only.fileId)
          transfers.transition(row.id, { kind: 'requeued' })
        })
        options.changed(row.id)
        return
      }
      return absent(row)
    }
    let unread = 0
    let later = false
    for (const file of [...sure, ...maybe]) {
      const hash = await remoteHash(file, row.size, signal)
      if (signal.aborted) return
      if (typeof hash === 'object' && hash.sha256 === local) {
        log.info('reconcile.adopted', { id: row.id, fileId: file.fileId, compared: true })
        compares.delete(row.id)
        return options.adopt(row, file, local)
      }
      if (typeof hash === 'object') continue
      unread++
      if (hash === 'later') later = true
    }
    if (unread === 0) {
      compares.delete(row.id)
      return absent(row)
    }
    const tries = (compares.get(row.id) ?? 0) + 1
    compares.set(row.id, tries)
    if (later && tries <= COMPARE_TRIES) {
      // The service went away between its list and its file: no reason to ask a person.
      log.info('reconcile.later', { id: row.id, tries })
      const until = clock.now() + Math.min(COMPARE_WAIT_MOST_MS, COMPARE_WAIT_MS * 2 ** (tries - 1))
      await db.soon(() => transfers.transition(row.id, { kind: 'answer-lost', message: row.message, until }))
      options.changed(row.id)
      return
    }
    compares.delete(row.id)
    await db.soon(() =>
      transfers.transition(row.id, {
        kind: 'held',
        reason: 'ambiguous',
        message: `${unread} files on the service may be this one, and their bytes can't be compared.`,
      }),
    )
    options.changed(row.id)
  }

  return {
    run: async (signal) => {
      const now = clock.now()
      const rows = transfers.unknown(2000)
      if (rows.length === 0) return null
      const due = rows.filter((row) => row.until === null || row.until <= now)
      if (due.length === 0) return Math.min(...rows.map((row) => row.until ?? now))
      const marks = due.map((row) => row.intentMark)
      const oldest = marks.every((mark) => mark !== null) ? Math.min(...marks) : null
      const result = await walkList({
        fetch: fetchPage(signal),
        habits: options.habits(),
        isKnown: (file) => file.fileId !== null && wasBefore(file.fileId, oldest),
      })
      if (!result.ok) {
        log.warn('reconcile.list', { why: result.failure.message })
        return clock.now() + 2000
      }
      options.setHabits(result.walk.habits)
      const files = result.walk.files.filter((f): f is RemoteFile & { readonly fileId: number } => f.fileId !== null)
      const fresh = files.filter((f) => remote.get(f.fileId) === null)
      if (!result.walk.recentComplete) return clock.now() + EVERY_MS
      // Own uploads in the list teach the zone before any date is judged by it.
      for (const file of files) if (file.uploadDate !== null) options.learnDate(file.fileId, file.uploadDate)
      for (const row of due) {
        if (signal.aborted) return clock.now() + EVERY_MS
        const current = transfers.get(row.id)
        if (current === null || current.state !== 'unknown') continue
        await decide(current, files, signal)
      }
      // Noted only after the decisions: a file first seen by this look may be the one in doubt.
      db.tx(() => {
        for (const file of fresh) remote.put(file, clock.now(), false)
      })
      const left = transfers.unknown(1)
      return left.length === 0 ? null : clock.now() + EVERY_MS
    },
  }
}
