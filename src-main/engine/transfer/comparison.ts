// Compares what an empty or older journal would send with what the service holds already: the whole list first, candidates by size, and the
// bytes behind the public links decide. Links are not part of the request budget, each is read at most once, and several at a time. What has no
// candidate goes out at once; a match is adopted. It never uploads.
import type { Gate } from '../../../src-shared/model.ts'
import type { Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote, RemoteEntry } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import type { SizeUnit } from '../limits/size-unit.ts'
import { DiskError, type Ports } from '../ports.ts'
import { type CallResult, isGone } from '../remote/requests.ts'
import { hashFile } from './content.ts'
import { type NameMatch, nameMatch, possibleShown, sizeCouldBe } from './match.ts'
import { mayBeSent, type PastKeeper } from './past.ts'
import { COMPARE_MOST_BYTES, hashLink } from './remote-bytes.ts'

const AT_ONCE = 4
/** How often bytes that can't be had just now are asked for again before a person is. */
const TRIES = 8
const RETRY_MS = 1000
const RETRY_MOST_MS = 5 * 60_000
const LIST_RETRY_MS = 2000
const LIST_RETRY_MOST_MS = 60_000
/** After a pause, whoever still needs the list asks for it within this time. */
const ASK_MS = 1000
/** A list that shows fewer files than `/stats` counts lags; it is read again this often before the count is taken for the wrong one. */
const LAG_TRIES = 3
/**
 * A list that shrinks while it is paged may hide a file at a page's edge, so it is read again: until a pass shows no file that an earlier one
 * missed, or this often. On an account where files are deleted all the time no single pass is complete, and waiting for one never ends.
 */
const MOST_PASSES = 5
/** After so many failures in a row it is no passing trouble, and whoever waits for a limited time may give up. */
const TROUBLE_TRIES = 5
/** Between two looks at whether a file with a better name has been compared. */
const RIVAL_MS = 200
const RIVAL_TRIES = 150
/** Zones differ by up to 14 hours, clocks by minutes. */
const DATE_SLACK_MS = 15 * 3_600_000

export interface CompareOptions {
  readonly ports: Ports
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Remote
  readonly likes: Likes
  readonly past: PastKeeper
  /** Reads the list: all of it, or what came after the newest file that is known. `isComplete`: nothing can be missing. */
  readonly readList: (
    walk: 'whole' | 'newest',
    onPage: (files: number) => void,
    signal: AbortSignal,
  ) => Promise<CallResult<{ readonly isComplete: boolean }>>
  /** Reads one file's fields into the catalog. */
  readonly fill: (fileId: number, signal: AbortSignal) => Promise<CallResult<unknown>>
  readonly download: (
    link: string,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal: AbortSignal,
  ) => Promise<'whole' | 'later' | 'never'>
  readonly unit: () => SizeUnit | null
  /** Files on the service as `/stats` counts them; null: not told. */
  readonly totalFiles: () => number | null
  readonly sendName: (row: TransferRow) => string
  /** The row may go out now, by its folder and the rules. */
  readonly isDue: (row: TransferRow) => boolean
  readonly adopt: (row: TransferRow, file: RemoteEntry, sha256: string) => Promise<void>
  readonly changed: (id: number) => void
  /** Something may go out now, or what is told has changed. */
  readonly moved: () => void
  readonly stop: AbortSignal
}

export interface Compare {
  /** Whether the row may go out now. Where it has to be compared first, that begins, and `moved` is called once it is decided. */
  mayGo(row: TransferRow): boolean
  /** Whether the row has to be compared before it goes out. Begins nothing. */
  isNeeded(row: TransferRow): boolean
  /** Has to be compared and is not yet. */
  isPending(id: number): boolean
  /** What holds back every file that has to be compared; null: nothing does. */
  gate(): Gate | null
  /** What is shown on a row that is being compared. */
  message(): string
  /** Nothing is known of this account any more. */
  reset(): void
  /** Downloads under way; the journal is closed after them. */
  settled(): Promise<void>
}

type Outcome = 'absent' | 'adopted' | 'over' | { readonly again: number }
type Fetched = { readonly bytes: number; readonly sha256: string } | 'later' | 'never'

const NAME_RANK: Readonly<Record<NameMatch, number>> = { exact: 0, loose: 1, unsaid: 2, no: 3 }
const ALL_UNITS: readonly SizeUnit[] = ['bytes', 'kB', 'KiB', 'MB', 'MiB']

export function createCompare(options: CompareOptions): Compare {
  const { ports, db, transfers, remote, likes, past, stop } = options
  const { clock, disk, hashing, log } = ports
  /** Compared and not found, by row: this version may go out. */
  const cleared = new Map<number, string>()
  const pending = new Set<number>()
  const tries = new Map<number, number>()
  const rivalTries = new Map<number, number>()
  let queue: number[] = []
  const jobs = new Set<Promise<void>>()
  const fetching = new Map<number, Promise<Fetched>>()
  /** Units that agree with every file that was read whole, where receipts have not told. */
  let units = ALL_UNITS
  let reading: Promise<void> | null = null
  let listTries = 0
  /** Walks to the end of the list that may have missed a file. */
  let passes = 0
  let pages = 0
  let trouble = false
  /** A row has asked for the list since the last pause was over. */
  let asked = false
  let notBefore = Number.NEGATIVE_INFINITY
  /** Live files that the list has shown; counting them takes too long to be asked for every row. */
  let listed: number | null = null

  const version = (row: TransferRow): string => `${row.size} ${row.mtime} ${row.path}`
  const known = (): readonly SizeUnit[] => {
    const unit = options.unit()
    return unit === null ? units : [unit]
  }

  const isNeeded = (row: TransferRow): boolean => {
    const gap = past.get()
    if (gap === null || row.again || row.attempts > 0 || cleared.get(row.id) === version(row)) return false
    if ((row.released?.split(',') ?? []).includes('ambiguous')) return false
    return mayBeSent(gap, row.mtime, clock.now())
  }

  const readList = async (): Promise<void> => {
    const gap = past.get()
    if (gap === null || gap.walk === 'done') return
    pages = 0
    const before = remote.held().files
    const got = await options.readList(
      gap.walk,
      (files) => {
        pages += files
        options.moved()
      },
      stop,
    )
    listTries++
    const total = options.totalFiles()
    listed = remote.held().files
    const lags = got.ok && gap.walk === 'whole' && total !== null && listed < total && listTries < LAG_TRIES
    trouble = !got.ok
    if (got.ok && !got.value.isComplete) passes++
    const isRead = got.ok && (got.value.isComplete || (passes > 1 && listed <= before) || passes >= MOST_PASSES)
    if (isRead && !lags) {
      log.info('compare.listed', { walk: gap.walk, cause: gap.cause, files: listed, passes })
      await db.soon(() => past.listed())
      listTries = 0
      passes = 0
      return
    }
    if (!got.ok) log.warn('compare.list', { why: got.failure.kind })
    notBefore = clock.mono() + Math.min(LIST_RETRY_MOST_MS, LIST_RETRY_MS * 2 ** Math.min(10, listTries - 1))
    clock.after(notBefore - clock.mono(), afterPause)
  }

  /** Rows that waited for the list may be cancelled or gone by now, and then nothing waits for it. */
  const afterPause = (): void => {
    asked = false
    options.moved()
    clock.after(ASK_MS, () => {
      if (asked || reading !== null || !trouble) return
      trouble = false
      options.moved()
    })
  }

  const startReading = (): void => {
    if (reading !== null || stop.aborted || clock.mono() < notBefore) return
    reading = readList()
      .catch((error: unknown) => {
        notBefore = clock.mono() + LIST_RETRY_MOST_MS
        clock.after(LIST_RETRY_MOST_MS, afterPause)
        log.error('compare.defect', { message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      })
      .finally(() => {
        reading = null
        if (!stop.aborted) options.moved()
      })
    options.moved()
  }

  /** The unit is narrowed by files of which both the figure and the bytes are known. */
  const learn = (bytes: number, shown: number | null): void => {
    if (shown === null) return
    const agreeing = units.filter((unit) => sizeCouldBe(bytes, shown, unit))
    if (agreeing.length > 0) units = agreeing
  }

  const fetchOnce = async (file: RemoteEntry, size: number): Promise<Fetched> => {
    const { fileId, publicLink, size: shown } = file
    if (publicLink === null) return 'never'
    // A page instead of the file: its length gives it away.
    const isPlausible = (bytes: number): boolean =>
      shown === null || bytes === size || known().some((unit) => sizeCouldBe(bytes, shown, unit))
    const found = await hashLink(options, { fileId, publicLink }, isPlausible, stop)
    if (typeof found === 'object') learn(found.bytes, shown)
    return found
  }

  const fetched = (file: RemoteEntry, size: number): Promise<Fetched> | Fetched => {
    const had = likes.bytesOf(file.fileId)
    if (had !== null) return had
    let under = fetching.get(file.fileId)
    if (under === undefined) {
      under = fetchOnce(file, size).finally(() => fetching.delete(file.fileId))
      fetching.set(file.fileId, under)
    }
    return under
  }

  /** Candidates with their fields filled in, the likeliest first. */
  const candidates = async (row: TransferRow): Promise<readonly RemoteEntry[]> => {
    const out: RemoteEntry[] = []
    for (const id of likes.ofSize(row.size, possibleShown(row.size, known()), row.id)) {
      let file = remote.get(id)
      if (file === null || file.goneAt !== null) continue
      if (file.size === null || file.publicLink === null) {
        await options.fill(id, stop)
        if (stop.aborted) return []
        file = remote.get(id)
      }
      if (file === null || file.goneAt !== null) continue
      const shown = file.size
      if (shown === null || likes.bytesOf(id) !== null || known().some((unit) => sizeCouldBe(row.size, shown, unit))) out.push(file)
    }
    const name = options.sendName(row)
    const rank = (file: RemoteEntry): number => NAME_RANK[nameMatch(name, file.filename)]
    return out.toSorted((a, b) => rank(a) - rank(b) || b.fileId - a.fileId)
  }

  /** null: the file can't be read now, or is not this version any more. */
  const localHash = async (row: TransferRow): Promise<string | null> => {
    try {
      const hashed = await hashFile(disk, hashing, row.path, stop)
      return hashed !== null && hashed.entry.size === row.size && hashed.entry.mtime === row.mtime ? hashed.sha256 : null
    } catch (error) {
      if (error instanceof DiskError || stop.aborted) return null
      throw error
    }
  }

  const again = (row: TransferRow): Outcome => {
    const n = (tries.get(row.id) ?? 0) + 1
    tries.set(row.id, n)
    return { again: clock.now() + Math.min(RETRY_MOST_MS, RETRY_MS * 2 ** (n - 1)) }
  }

  const isOver = (row: TransferRow): boolean => {
    const now = transfers.get(row.id)
    return now === null || now.state !== 'queued' || now.cancel || version(now) !== version(row)
  }

  /**
   * Whether the file is gone since the list was read: neither its link nor its id is known any more. One of the two proves nothing, since some
   * services answer 404 for every single file.
   */
  const isDead = async (file: RemoteEntry): Promise<boolean | 'later'> => {
    if (file.publicLink === null) return false
    const got = await options.fill(file.fileId, stop)
    if (got.ok) return false
    return isGone(got.failure) ? true : 'later'
  }

  /** A file of the service that can't be read may be this one only if its name or its date speaks for it. */
  const couldBe = (row: TransferRow, file: RemoteEntry): boolean => {
    if (nameMatch(options.sendName(row), file.filename) !== 'no') return true
    const date = file.uploadDate === null ? null : readUploadDate(file.uploadDate)
    return date === null || date.at + DATE_SLACK_MS >= row.mtime
  }

  const decide = async (row: TransferRow): Promise<Outcome> => {
    const files = await candidates(row)
    if (stop.aborted || isOver(row)) return 'over'
    if (files.length === 0) return 'absent'
    if (row.size > COMPARE_MOST_BYTES) {
      await db.soon(() =>
        transfers.transition(row.id, {
          kind: 'held',
          reason: 'ambiguous',
          message: `${files.length === 1 ? 'A file' : `${files.length} files`} of this size may be this one, uploaded before; over 512 MiB is not compared.`,
        }),
      )
      return 'over'
    }
    const sha256 = await localHash(row)
    if (stop.aborted || isOver(row)) return 'over'
    if (sha256 === null) {
      // What is wrong with it shows when it is opened to be sent.
      return (tries.get(row.id) ?? 0) < 3 ? again(row) : 'absent'
    }
    if (row.sha256 !== sha256) await db.soon(() => transfers.intentHash(row.id, sha256))
    let unread = 0
    let later = false
    for (const file of files) {
      const got = await fetched(file, row.size)
      if (stop.aborted || isOver(row)) return 'over'
      if (got === 'later' || got === 'never') {
        if (!couldBe(row, file)) continue
        const dead = got === 'never' ? await isDead(file) : false
        if (stop.aborted || isOver(row)) return 'over'
        if (dead === true) continue
        unread++
        later ||= got === 'later' || dead === 'later'
        continue
      }
      if (got.sha256 !== sha256 || got.bytes !== row.size) continue
      // Adopted by another row while this one was read.
      if (transfers.isReceipt(file.fileId, row.id)) continue
      if (hasRival(row, file, sha256)) {
        rivalTries.set(row.id, (rivalTries.get(row.id) ?? 0) + 1)
        return { again: clock.now() + RIVAL_MS }
      }
      log.info('compare.adopted', { id: row.id, fileId: file.fileId })
      await options.adopt(row, file, sha256)
      return 'adopted'
    }
    if (unread === 0) return 'absent'
    if (later && (tries.get(row.id) ?? 0) < TRIES) return again(row)
    await db.soon(() =>
      transfers.transition(row.id, {
        kind: 'held',
        reason: 'ambiguous',
        message: `${unread === 1 ? 'A file' : `${unread} files`} on the service may be this one, and the bytes can't be compared.`,
      }),
    )
    return 'over'
  }

  /** Another waiting file of these bytes bears the remote file's very name: the link is its own, if it turns out to be the same content. */
  const hasRival = (row: TransferRow, file: RemoteEntry, sha256: string): boolean => {
    if (file.filename === null || options.sendName(row) === file.filename || (rivalTries.get(row.id) ?? 0) >= RIVAL_TRIES) return false
    return likes.rivals(file.filename, row.size, sha256, row.id).some((id) => {
      const other = transfers.get(id)
      return other !== null && isNeeded(other) && options.isDue(other)
    })
  }

  const carry = async (id: number): Promise<void> => {
    const row = transfers.get(id)
    const outcome = row === null || row.state !== 'queued' || !isNeeded(row) ? 'over' : await decide(row)
    if (row !== null && outcome === 'absent') cleared.set(id, version(row))
    if (row !== null && typeof outcome === 'object') {
      clock.after(Math.max(1, outcome.again - clock.now()), () => {
        pending.delete(id)
        options.moved()
      })
      return
    }
    tries.delete(id)
    rivalTries.delete(id)
    pending.delete(id)
    options.changed(id)
  }

  const work = (): void => {
    while (jobs.size < AT_ONCE && queue.length > 0 && !stop.aborted) {
      const [id, ...rest] = queue
      queue = rest
      if (id === undefined) return
      const job = carry(id)
        .catch((error: unknown) => {
          pending.delete(id)
          if (!stop.aborted)
            log.error('compare.defect', { id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
        })
        .finally(() => {
          jobs.delete(job)
          if (stop.aborted) return
          work()
          options.moved()
        })
      jobs.add(job)
    }
  }

  return {
    mayGo: (row) => {
      if (!isNeeded(row)) return true
      if (pending.has(row.id)) return false
      if (options.totalFiles() === 0 && past.get()?.walk === 'whole') {
        db.tx(() => past.close())
        return true
      }
      if (past.get()?.walk !== 'done') {
        asked = true
        startReading()
        return false
      }
      if (likes.ofSize(row.size, possibleShown(row.size, known()), row.id).length === 0) {
        cleared.set(row.id, version(row))
        return true
      }
      pending.add(row.id)
      queue.push(row.id)
      options.changed(row.id)
      work()
      return false
    },
    isNeeded,
    isPending: (id) => pending.has(id),
    gate: () => {
      if (reading === null && !trouble) return null
      if (trouble && listTries >= TROUBLE_TRIES)
        return {
          reason: 'backoff',
          until: null,
          message: "The list of files on the service can't be read. These files wait, so that nothing is sent twice.",
        }
      const total = options.totalFiles()
      const progress = total === null ? '' : ` (${pages.toLocaleString('en')} of ${total.toLocaleString('en')})`
      const message = `Reading the list of files on the service, so that nothing is sent twice${progress}.`
      return { reason: 'checking', until: null, message }
    },
    message: () => {
      listed ??= remote.held().files
      const n = listed
      return `Comparing with the ${n === 1 ? 'file' : `${n.toLocaleString('en')} files`} on the service.`
    },
    reset: () => {
      cleared.clear()
      tries.clear()
      units = ALL_UNITS
      listed = null
      trouble = false
      listTries = 0
      passes = 0
      notBefore = Number.NEGATIVE_INFINITY
      db.tx(() => likes.reset())
    },
    settled: async () => {
      await Promise.allSettled([...jobs, ...(reading === null ? [] : [reading])])
    },
  }
}
