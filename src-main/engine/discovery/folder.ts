// One watched folder while an engine runs: watcher, aggregator, scanner and settle put together, and what they find turned into transfers.
// A folder that is not there stops its uploads and nothing in it is taken for deleted. It sends nothing.

import { dirname } from 'node:path'
import type { Folder } from '../../../src-shared/model.ts'
import { admit, NESTED_RULE, OWN_RULE, releasedAfterMove, ruledOutMessage, type Verdict, withoutSecret } from '../admission/admission.ts'
import type { Admission, RulesText } from '../admission/facts.ts'
import type { Guard } from '../admission/guard.ts'
import type { Claims } from '../journal/claims.ts'
import type { FileRow, Files, FolderRow } from '../journal/files.ts'
import type { Database } from '../journal/open.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { writeTrouble } from '../journal/write-trouble.ts'
import type { DiskFailure, Entry, Hint, Ports, Watcher } from '../ports.ts'
import { sameVersion } from '../transfer/content.ts'
import { type Aggregator, createAggregator, type Work } from './aggregator.ts'
import { createContentCheck } from './content-check.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { absolute, below, child, split } from './rel-path.ts'
import { createRelook } from './relook.ts'
import { createScanner, EXISTING, RULES_FILE, type Rules, type Scanner, type ScanReport, type ScanSink } from './scanner.ts'
import { createSettle, isOldEnough, type Settle } from './settle.ts'

/** Between rescans while events come; jittered, so that many folders do not fall together. */
const RESCAN_MS = 10 * 60_000
/** Without a watcher the rescan is all there is. */
const RESCAN_BLIND_MS = 20_000
const AWAY_MS = 3000
const FULL_MS = 5000
/** A file that changed within this time is looked at again without an event. */
const RECENT_MS = 10 * 60_000
/** A change time that no file has: its bytes are still to be compared. */
const UNVERIFIED = -1
/** After a look that could not be finished. */
const UNFINISHED_MS = 5000
const UNFINISHED = "The folder couldn't be read completely. Slipway reads it again in a few seconds."
/** What it found could not be written down. */
const UNWRITTEN = "Couldn't write to the disk of Slipway's data folder, so what is new here waits. Slipway tries again in a few seconds."

export interface SessionOptions {
  readonly ports: Ports
  readonly db: Database
  readonly files: Files
  readonly transfers: Transfers
  readonly claims: Pick<Claims, 'hasEnded'>
  readonly folderId: number
  readonly admission: Admission
  readonly guard: Guard
  readonly changed: (transferId: number) => void
  readonly folderChanged: () => void
  /** The journal could not be written to. */
  readonly journalFailed: (error: unknown) => void
  readonly queueChanged: () => void
  readonly notice: (what: 'watch-limit' | 'watch-blind', title: string, hint: string | null) => void
}

export interface FolderSession {
  view(): Folder
  rescan(): Promise<void>
  /** The transfer came to an end; what happened to its file meanwhile is looked at now. */
  ended(row: TransferRow): void
  /** Nothing is being looked at, and the last look began after everything that changed. */
  isQuiet(): boolean
  /** Someone waits for the folder to be quiet: once nothing is left to do, it is read once more, so that the answer is not out of date. */
  confirm(): void
  settlesAt(): number | null
  /** A look at the whole folder has ended since the session began. */
  hasScanned(): boolean
  isAway(): boolean
  versionChanged(row: TransferRow, entry: Entry): void
  close(): Promise<void>
}

/** Nothing is to be done for this version any more: it is up, on its way, or was deleted by a person. */
function isKnown(row: TransferRow): boolean {
  return row.state !== 'gone' && (row.state !== 'cancelled' || row.ended !== null)
}

export function createFolderSession(options: SessionOptions): FolderSession {
  const { ports, db, files, transfers, folderId, admission } = options
  const { clock, disk, log, random } = ports
  const stop = new AbortController()
  let state: Folder['state'] = 'idle'
  let watching: Folder['watching'] = 'off'
  let message: string | null = null
  let watcher: Watcher | null = null
  let running = 0
  let scannedOnce = false
  let scanBegan = Number.NEGATIVE_INFINITY
  let lastChange = 0
  let chain: Promise<void> = Promise.resolve()
  let cancelRescan: (() => void) | null = null
  const recheck = new Set<number>()
  /** By the directory below the folder. Null: the file is there and can't be read. */
  const ruleFiles = new Map<string, { readonly mtime: number; readonly text: string | null }>()
  /** Rules files of the directories above the folder. */
  let above: readonly RulesText[] = []
  let rules: IgnoreRules | null = null

  const folder = (): FolderRow => {
    const row = files.folder(folderId)
    if (row === null) throw new Error('folder without a row')
    return row
  }
  let cached = folder()

  const ignoreRules = (): IgnoreRules => {
    rules ??= admission.rules({
      base: cached.path,
      defaultsAt: cached.path,
      patterns: cached.ignore,
      chain: [...above, ...[...ruleFiles].map(([dir, { text }]) => ({ dir: absolute(cached.path, dir, ''), text }))],
    })
    return rules
  }

  const readAbove = async (): Promise<void> => {
    const { texts } = await admission.chain(dirname(cached.path))
    const next = texts.filter(({ dir }) => dir !== cached.path)
    if (JSON.stringify(next) === JSON.stringify(above)) return
    above = next
    rules = null
    // What an earlier look passed over may count now, and the other way round.
    if (scannedOnce) aggregator.add({ kind: 'all' })
  }

  /** A deeper folder governs what is in this directory (relative), Slipway itself owns it, or a rule leaves it out. */
  const isElsewhere = (dir: string): boolean => {
    const path = absolute(cached.path, dir, '')
    if (admission.own.holds(path) || ignoreRules().throughDir(dir) !== null) return true
    const root = admission.governing(path)
    return root !== null && root.id !== folderId
  }

  const scanRules: Rules = {
    file: (rel, size) => ignoreRules().file(rel, size),
    dir: (rel, view) => {
      const path = absolute(cached.path, rel, '')
      if (admission.own.holds(path) || (view !== null && admission.own.isPlace(view))) return { rule: OWN_RULE, listed: false }
      const root = view === null ? null : admission.rootAt(path, view)
      return root !== null && root.id !== folderId ? { rule: NESTED_RULE } : ignoreRules().dir(rel)
    },
  }

  const namedAs = (dir: string, name: string): string | null => (cached.named === null ? null : absolute(cached.named, dir, name))

  /** Whether a file of this folder may go out, by what the last look knows of the rules. */
  const judge = (dir: string, name: string, size: number, released: string | null): Verdict => {
    const path = absolute(cached.path, dir, name)
    const root = admission.governing(path)
    return admit({
      own: admission.own.holds(path),
      watched: true,
      caught: root !== null && root.id !== folderId ? NESTED_RULE : (ignoreRules().through(child(dir, name), size)?.rule ?? null),
      secret: options.guard.byName(path, namedAs(dir, name))?.rule ?? null,
      released: released?.split(',').includes('secret') === true,
    })
  }

  /** Takes back a release, so that a person is asked about what the file is now. */
  const askAgain = (t: TransferRow, row: FileRow): void => {
    transfers.setReleased(t.id, withoutSecret(t.released))
    const verdict = judge(row.dir, row.name, row.size, null)
    if (verdict.kind === 'held' && ['queued', 'waiting', 'failed'].includes(t.state))
      transfers.setState(t.id, 'held', { reason: verdict.reason, message: verdict.rule })
    options.changed(t.id)
  }

  /** A rule leaves out a file that waits. What is on its way ends there; what is up stays up. */
  const callOff = (t: TransferRow, rule: string): void => {
    if (!['queued', 'waiting', 'held', 'failed'].includes(t.state)) return
    transfers.setState(t.id, 'cancelled', { message: ruledOutMessage(rule) })
    options.changed(t.id)
  }

  const setState = (next: Folder['state'], why: string | null): void => {
    if (state === next && message === why) return
    state = next
    message = why
    options.folderChanged()
  }

  const settle: Settle = createSettle({
    clock,
    disk,
    onSettled: (list) => {
      const register = (): void => {
        for (const { path, entry } of list) {
          const rel = below(cached.path, path)
          if (rel === null) continue
          const { dir, name } = split(rel)
          const row = files.file(folderId, dir, name)
          if (row !== null) enqueue(dir, name, entry, row)
        }
      }
      try {
        db.tx(register)
      } catch (error) {
        if (writeTrouble(error) === null) throw error
        // On a full disk: the rows still say that these files settle, and the next look at the folder takes them up.
        options.journalFailed(error)
        schedule(FULL_MS)
        return
      }
      lastChange = clock.mono()
      options.queueChanged()
    },
    onFailed: (error) => log.error('settle.failed', { folder: folderId, message: error instanceof Error ? error.message : String(error) }),
    onGone: (path) => {
      const rel = below(cached.path, path)
      if (rel !== null) void run((signal) => scanner.paths([rel], signal))
    },
  })

  /** Transfers queued a moment ago, by size: where a file of that size vanishes in the same look, one may be it, moved and touched. */
  const recent = new Map<number, number[]>()
  const remember = (size: number, id: number): void => {
    if (recent.size > 5000) recent.clear()
    recent.set(size, [...(recent.get(size) ?? []).slice(-20), id])
  }

  const putIgnored = (dir: string, name: string, { size, mtime, ino, dev, ctime }: Entry, rule: string): void =>
    files.put({ folderId, dir, name, class: 'ignored', size, mtime, ino, dev, ctime, count: 1, rule, transferId: null })

  const isWaiting = (t: TransferRow): boolean => !['done', 'gone', 'cancelled'].includes(t.state)

  /** A row that belongs to a folder that governs the file no more becomes one of this folder. */
  const adopt = (t: TransferRow): void => {
    if (t.folderId !== null && t.folderId !== folderId) transfers.setFolder(t.id, folderId)
  }

  /** What a folder around this one has queued of a file that was here before: this one governs it now, and skips it. */
  const callOffOuter = (path: string): void => {
    const t = transfers.newestOfPath(path)
    if (t === null || t.folderId === null || t.folderId === folderId || t.token !== null || !isWaiting(t)) return
    const outer = files.folder(t.folderId)
    if (outer === null || below(outer.path, cached.path) === null) return
    callOff(t, EXISTING)
    // Watched alone again, the outer one finds it.
    files.dropElsewhere(t.id, folderId)
  }

  /** The transfer that represents this file; where the folder has only now come to govern it, the one that waits under its path. */
  const priorOf = (path: string, row: FileRow | null): TransferRow | null => {
    if (row?.transferId != null) return transfers.get(row.transferId)
    const newest = transfers.newestOfPath(path)
    if (newest === null || !isWaiting(newest)) return null
    adopt(newest)
    return newest
  }

  /** By path, the inode of another file that was seen there once: a second look decides whether the earlier one has moved. */
  const doubted = new Map<string, number>()

  /** Existing files that are gone from where they were: a moved directory is missed before it is found. */
  const oldOnes = new Set<string>()
  const identity = (one: Pick<Entry, 'ino' | 'dev' | 'size' | 'mtime'>): string => `${one.dev} ${one.ino} ${one.size} ${one.mtime}`
  const rememberOld = (row: FileRow): void => {
    if (row.class !== 'ignored' || row.rule !== EXISTING || row.ino === 0) return
    if (oldOnes.size > 100_000) oldOnes.clear()
    oldOnes.add(identity(row))
  }

  /** Where existing files are skipped: it was there before, as far as a complete look, or else its times, can say. */
  const isOld = (entry: Entry, late: boolean, prior: TransferRow | null): boolean => {
    if (cached.existing !== 'skip' || (prior !== null && prior.state !== 'done')) return false
    if (oldOnes.has(identity(entry))) return true
    if (cached.counted && !late) return false
    // FAT gives a time of change before 1970, or none.
    return (entry.ctime > 0 ? entry.ctime : entry.mtime) <= cached.since
  }

  /** A settled version becomes a transfer, or goes on with the one that stands for it. Called inside a transaction. */
  const enqueue = (dir: string, name: string, entry: Entry, row: FileRow | null, otherBytes = false): void => {
    const path = absolute(cached.path, dir, name)
    if (clock.now() - Math.max(entry.mtime, entry.ctime) < RECENT_MS) relook.watch(path, entry)
    const put = (transferId: number, ctime = entry.ctime): void =>
      files.put({
        folderId,
        dir,
        name,
        class: 'tracked',
        size: entry.size,
        mtime: entry.mtime,
        ino: entry.ino,
        dev: entry.dev,
        ctime,
        count: 1,
        rule: null,
        transferId,
      })
    const prior = priorOf(path, row)
    if (prior !== null && (prior.state === 'uploading' || prior.state === 'unknown')) {
      recheck.add(prior.id)
      put(prior.id)
      // The row keeps the version that is on its way; the look after its end sees the difference.
      files.put({
        folderId,
        dir,
        name,
        class: 'tracked',
        size: prior.size,
        mtime: prior.mtime,
        ino: entry.ino,
        dev: entry.dev,
        ctime: null,
        count: 1,
        rule: null,
        transferId: prior.id,
      })
      return
    }
    const isSame = prior !== null && prior.size === entry.size && prior.mtime === entry.mtime
    const verdict = judge(dir, name, entry.size, isSame ? prior.released : null)
    if (verdict.kind === 'ignored') {
      if (prior !== null) callOff(prior, verdict.rule)
      if (verdict.rule === NESTED_RULE) files.drop(folderId, dir, name)
      else putIgnored(dir, name, entry, verdict.rule)
      return
    }
    const held = verdict.kind === 'held' ? verdict : null
    if (prior !== null && prior.state !== 'done' && prior.state !== 'gone' && prior.state !== 'cancelled') {
      transfers.setVersion(prior.id, entry.size, entry.mtime)
      // Whether this very version is on the service already is a person's to say.
      if (isSame && prior.reason === 'ambiguous') {
        put(prior.id)
        return
      }
      if (held !== null) transfers.setState(prior.id, 'held', { reason: held.reason, message: held.rule })
      else transfers.setState(prior.id, 'queued')
      transfers.attempts(prior.id, 0)
      put(prior.id)
      options.changed(prior.id)
      return
    }
    const same = transfers.newestOfPath(path)
    if (!otherBytes && same !== null && same.size === entry.size && same.mtime === entry.mtime && isKnown(same)) {
      if (same.away) transfers.setAway(same.id, false)
      adopt(same)
      // Size and time say that it is the file that was here before. Its bytes are asked as well, now or at a later look.
      put(same.id, same.sha256 === null ? entry.ctime : UNVERIFIED)
      if (same.sha256 !== null) check.add({ dir, name, path, entry, transferId: same.id, sha256: same.sha256 })
      return
    }
    // What was taken back when the folder was no longer watched, or left out by a rule, has not replaced anything yet.
    const last = prior ?? (same?.state === 'cancelled' ? same : null)
    const id = transfers.add({
      source: 'watch',
      folderId,
      path,
      named: namedAs(dir, name),
      name,
      size: entry.size,
      mtime: entry.mtime,
      state: held === null ? 'queued' : 'held',
      reason: held?.reason ?? null,
      message: held?.rule ?? null,
      priority: 0,
      token: null,
      again: false,
      // Touched without a change, back to what it was before, or moved by copying: the content decides, before anything is sent.
      hashFirst:
        transfers.hasDonePath(path, entry.size) ||
        (same !== null && options.claims.hasEnded(path, entry.size)) ||
        transfers.hasAwaySize(entry.size),
      // A version that never went out leaves the one before it to be replaced.
      replaces: last !== null && cached.onChange === 'replace' ? (last.state === 'done' ? last.fileId : last.replaces) : null,
      createdAt: clock.now(),
    })
    put(id)
    remember(entry.size, id)
    options.changed(id)
  }

  const check = createContentCheck({
    clock,
    disk,
    hashing: ports.hashing,
    onVerdict: (doubt, verdict, entry) => {
      if (verdict === 'unreadable') return
      if (verdict === 'changed') {
        void run((signal) => scanner.paths([child(doubt.dir, doubt.name)], signal))
        return
      }
      db.tx(() => {
        const row = files.file(folderId, doubt.dir, doubt.name)
        if (row === null || row.class !== 'tracked' || row.transferId !== doubt.transferId || !sameVersion(row, entry)) return
        if (verdict === 'same') files.put({ ...row, ino: entry.ino, dev: entry.dev, ctime: entry.ctime })
        else {
          lastChange = clock.mono()
          enqueue(doubt.dir, doubt.name, entry, row, true)
        }
      })
      if (verdict === 'other') options.queueChanged()
    },
    onIdle: (missed) => {
      if (missed) schedule(0)
      options.queueChanged()
    },
  })

  /** Whether its bytes are other ones is asked in the background. Called inside a transaction. */
  const touched: ScanSink['touched'] = ({ dir, name, entry, row }) => {
    const t = row.transferId === null ? null : transfers.get(row.transferId)
    if (t !== null && (t.state === 'uploading' || t.state === 'unknown')) {
      recheck.add(t.id)
      return
    }
    // It could not be read, and the right to read it changes this very time.
    if (t !== null && t.state === 'failed' && t.reason === 'unreadable') {
      transfers.setState(t.id, 'queued')
      options.changed(t.id)
    }
    const sent = t !== null && (t.state === 'done' || t.state === 'cancelled') ? t.sha256 : null
    // What has not gone out is read when it goes. Where changes are left alone anyway, no byte needs to be read.
    if (t === null || sent === null || cached.onChange === 'ignore') {
      files.put({ ...row, ino: entry.ino, dev: entry.dev, ctime: entry.ctime })
      // A person let go what they saw, and these may be other bytes.
      if (t !== null && sent === null && t.released !== null) askAgain(t, row)
    } else check.add({ dir, name, path: absolute(cached.path, dir, name), entry, transferId: t.id, sha256: sent })
  }

  const relook = createRelook({
    clock,
    disk,
    onMoved: (path) => {
      const rel = below(cached.path, path)
      if (rel !== null) void run((signal) => scanner.paths([rel], signal))
    },
    onMapped: (path, entry) => {
      const rel = below(cached.path, path)
      if (rel === null) return
      const { dir, name } = split(rel)
      const row = files.file(folderId, dir, name)
      if (row === null || row.class !== 'tracked' || !sameVersion(row, entry)) return
      db.tx(() => {
        files.put({ ...row, ctime: UNVERIFIED })
        touched({ dir, name, entry, row })
      })
    },
  })

  /** The file of a transfer that is up or on its way is not where it was: whoever has its bytes now takes its link over. Called inside a transaction. */
  const leave = (t: TransferRow): void => {
    transfers.setAway(t.id, true)
    for (const id of recent.get(t.size) ?? []) if (transfers.get(id)?.state === 'queued') transfers.setHashFirst(id)
  }

  const scanner: Scanner = createScanner({
    db,
    disk,
    now: () => clock.now(),
    files,
    folder: () => cached,
    rules: () => scanRules,
    rootHolds: () => rootHolds(),
    rulesFile: async (dir, mtime) => {
      const had = ruleFiles.get(dir)
      if (mtime === null) {
        if (had === undefined) return false
        ruleFiles.delete(dir)
        rules = null
        return true
      }
      if (had !== undefined && had.mtime === mtime) return false
      const text = await disk.text(absolute(cached.path, dir, RULES_FILE))
      ruleFiles.set(dir, { mtime, text })
      rules = null
      return had === undefined ? text === null || text.trim() !== '' : had.text !== text
    },
    sink: {
      found: ({ dir, name, entry, seenAt, known, late, isWhole }) => {
        const path = absolute(cached.path, dir, name)
        lastChange = clock.mono()
        const prior = known?.transferId == null ? null : transfers.get(known.transferId)
        if (isOld(entry, late, prior)) {
          if (prior === null) callOffOuter(path)
          putIgnored(dir, name, entry, EXISTING)
          return
        }
        if (prior !== null && (prior.state === 'uploading' || prior.state === 'unknown')) {
          recheck.add(prior.id)
          return
        }
        const isOther = prior !== null && known !== null && known.ino !== 0 && known.ino !== entry.ino
        // The version that was here has another name now, as when logs are rotated: what is here is no change of it, but a new file.
        const hasMoved = isOther && (prior.away || prior.path !== path)
        if (prior !== null && prior.state === 'done' && cached.onChange === 'ignore' && !hasMoved) {
          // The new name of the earlier file may be heard of a moment later.
          if (isOther && !isWhole && doubted.get(path) !== entry.ino) {
            if (doubted.size > 5000) doubted.clear()
            doubted.set(path, entry.ino)
            aggregator.add({ kind: 'path', rel: child(dir, name) })
            return
          }
          files.put({
            folderId,
            dir,
            name,
            class: 'tracked',
            size: entry.size,
            mtime: entry.mtime,
            ino: entry.ino,
            dev: entry.dev,
            ctime: entry.ctime,
            count: 1,
            rule: null,
            transferId: prior.id,
          })
          return
        }
        // Another file has taken its name: the one that was here may have gone to a name of its own, as when logs are rotated.
        if (isOther && prior.state === 'done' && prior.path === path) leave(prior)
        if (!settle.isPending(path) && isOldEnough(entry, seenAt)) {
          enqueue(dir, name, entry, known)
          return
        }
        files.put({
          folderId,
          dir,
          name,
          class: 'settling',
          size: entry.size,
          mtime: entry.mtime,
          ino: entry.ino,
          dev: entry.dev,
          ctime: entry.ctime,
          count: 1,
          rule: null,
          transferId: prior?.id ?? null,
        })
        settle.watch(path, entry)
      },
      touched,
      vanished: (row) => {
        lastChange = clock.mono()
        settle.forget(absolute(cached.path, row.dir, row.name))
        rememberOld(row)
        if (row.transferId === null) return
        const t = transfers.get(row.transferId)
        if (t === null) return
        if (t.state === 'done' || t.state === 'uploading' || t.state === 'unknown') leave(t)
        else if (t.ended === null)
          // A cancelled row that ended keeps its bytes from being published again, also when the file comes back.
          transfers.setState(t.id, 'gone', { reason: 'missing', message: 'The file was deleted before it was uploaded.' })
        options.changed(t.id)
      },
      left: (row) => {
        const t = row.transferId === null ? null : transfers.get(row.transferId)
        if (t?.state === 'done' || t?.state === 'uploading' || t?.state === 'unknown') leave(t)
      },
      moved: (row, from, entry) => {
        lastChange = clock.mono()
        const path = absolute(cached.path, row.dir, row.name)
        if (row.class === 'settling') {
          settle.forget(from)
          settle.watch(path, entry)
        }
        const t = row.transferId === null ? null : transfers.get(row.transferId)
        if (t === null) return
        const released = releasedAfterMove(options.guard, t.released, from, path)
        transfers.setPath(t.id, path, row.name, { named: namedAs(row.dir, row.name), folderId, released })
        options.changed(t.id)
        if (!['queued', 'waiting', 'held', 'failed'].includes(t.state)) return
        // The rename moved its change time; what has not gone out is read when it goes.
        files.put({ ...row, ctime: entry.ctime })
        const verdict = judge(row.dir, row.name, row.size, released)
        if (verdict.kind === 'ignored') {
          callOff(t, verdict.rule)
          files.put({ ...row, class: 'ignored', rule: verdict.rule, transferId: null })
        } else if (verdict.kind === 'held') transfers.setState(t.id, 'held', { reason: verdict.reason, message: verdict.rule })
        // Its old name was what held it. If its content does, that is found before anything is sent.
        else if (t.state === 'held' && t.reason === 'secret') transfers.setState(t.id, 'queued')
      },
      ruledOut: (row, rule, moved) => {
        lastChange = clock.mono()
        settle.forget(absolute(cached.path, row.dir, row.name))
        const t = row.transferId === null ? null : transfers.get(row.transferId)
        // What a deeper folder governs from now on goes out by that one.
        if (t === null || rule === NESTED_RULE) return
        if (t.state === 'done' && moved) transfers.setAway(t.id, true)
        callOff(t, rule)
      },
    },
  })

  /** The root must be there, and be the same folder as before: an empty mount point is not an emptied folder. */
  const rootIsThere = async (): Promise<boolean> => {
    const found = await disk.resolve(cached.path)
    if ('code' in found || found.entry.kind !== 'dir') {
      setState('away', 'The folder is not there. Uploads from it wait, and nothing is taken for deleted.')
      return false
    }
    const { dev, ino } = found.entry
    if (cached.rootDev !== null && (cached.rootDev !== dev || cached.rootIno !== ino) && !files.isEmpty(folderId)) {
      const [list] = await disk.list([cached.path])
      if (list === undefined || list.failure !== null || list.names.length === 0) {
        setState(
          'away',
          'The folder is empty and not the one that was watched, as if its disk were not plugged in. Nothing is taken for deleted.',
        )
        return false
      }
    }
    if (cached.rootDev !== dev || cached.rootIno !== ino) {
      files.setRoot(folderId, dev, ino)
      cached = folder()
      options.folderChanged()
    }
    return true
  }

  /** Still the folder that `rootIsThere` has let pass. */
  const rootHolds = async (): Promise<boolean> => {
    const found = await disk.resolve(cached.path)
    return !('code' in found) && found.entry.kind === 'dir' && found.entry.dev === cached.rootDev && found.entry.ino === cached.rootIno
  }

  const run = (work: (signal: AbortSignal) => Promise<ScanReport>): Promise<void> => {
    running++
    const next = chain.then(async () => {
      if (stop.signal.aborted) return
      try {
        if (!(await rootIsThere())) {
          schedule(AWAY_MS)
          return
        }
        if (state === 'away') startWatcher()
        await readAbove()
        const report = await work(stop.signal)
        if (report.kind === 'incomplete') {
          if (report.reason === 'aborted') return
          if (report.reason === 'root') {
            setState('away', awayMessage(report.failure))
            schedule(AWAY_MS)
            return
          }
          log.warn('scan.incomplete', { folder: folderId, message: report.failure?.message ?? null })
          setState('watching', UNFINISHED)
          schedule(UNFINISHED_MS)
          return
        }
        setState(
          'watching',
          report.unreadable.length === 0
            ? null
            : `${report.unreadable.length} ${report.unreadable.length === 1 ? 'place' : 'places'} can't be read.`,
        )
      } catch (error) {
        if (stop.signal.aborted) return
        options.journalFailed(error)
        log.error('scan.failed', { folder: folderId, message: error instanceof Error ? error.message : String(error) })
        setState('watching', brokenLookMessage(error))
        schedule(UNFINISHED_MS)
      }
    })
    chain = next.finally(() => {
      running--
      options.queueChanged()
    })
    return chain
  }

  let confirming = false
  const isQuiet = (): boolean => scannedOnce && running === 0 && settle.size() === 0 && check.size() === 0 && scanBegan > lastChange

  const rescan = (): Promise<void> => {
    const done = run(async (signal) => {
      setState('scanning', null)
      scanBegan = clock.mono()
      cached = folder()
      const report = await scanner.tree('', signal)
      if (report.kind === 'complete') {
        scannedOnce = true
        if (!cached.counted) {
          files.setCounted(folderId)
          cached = folder()
        }
        files.setScanned(folderId, clock.now())
        // What was under observation when an earlier run ended.
        for (const row of files.settling(folderId)) {
          const path = absolute(cached.path, row.dir, row.name)
          if (!settle.isPending(path)) settle.watch(path, { ...row, kind: 'file', ctime: row.ctime ?? row.mtime })
        }
      }
      return report
    })
    schedule((watching === 'events' ? RESCAN_MS : RESCAN_BLIND_MS) * (0.75 + random() * 0.5))
    return done
  }

  const schedule = (ms: number): void => {
    if (stop.signal.aborted) return
    cancelRescan?.()
    cancelRescan = clock.after(ms, () => void rescan())
  }

  const aggregator: Aggregator = createAggregator({
    clock,
    onWork: async (work: Work) => {
      if (work.all) return rescan()
      if (work.paths.length > 0) await run((signal) => scanner.paths(work.paths, signal))
      if (work.dirs.length > 0) await run((signal) => scanner.dirs(work.dirs, signal))
      for (const tree of work.trees) await run((signal) => scanner.tree(tree, signal))
    },
  })

  const onHint = (hint: Hint): void => {
    switch (hint.kind) {
      case 'path':
      case 'tree': {
        const rel = below(cached.path, hint.path)
        if (rel === null || rel === '') aggregator.add({ kind: 'all' })
        else if (isElsewhere(split(rel).dir)) return
        else if (rel === RULES_FILE || rel.endsWith(`/${RULES_FILE}`)) aggregator.add({ kind: 'tree', rel: split(rel).dir })
        else aggregator.add({ kind: hint.kind, rel })
        return
      }
      case 'lost':
        log.warn('watch.lost', { folder: folderId, reason: hint.reason })
        aggregator.add({ kind: 'all' })
        return
      case 'ready':
        watching = 'events'
        options.folderChanged()
        // What came between the first look and the watches is found now.
        aggregator.add({ kind: 'all' })
        return
      case 'failed':
        log.warn('watch.failed', { folder: folderId, reason: hint.reason, message: hint.message })
        if (watching !== 'rescans') {
          watching = 'rescans'
          options.notice(
            hint.reason === 'limit' ? 'watch-limit' : 'watch-blind',
            hint.reason === 'limit'
              ? "The system's limit of watched folders is reached. The folder is read again every 20 seconds instead."
              : 'Changes in the folder are not reported. It is read again every 20 seconds instead.',
            hint.reason === 'limit' ? 'Raise fs.inotify.max_user_watches to have changes noticed at once.' : null,
          )
          options.folderChanged()
        }
        schedule(RESCAN_BLIND_MS)
        return
    }
  }

  const startWatcher = (): void => {
    void watcher?.close()
    watcher = ports.watch.start({
      root: cached.path,
      patterns: cached.ignore,
      own: admission.own.dirs(),
      onHint,
    })
  }

  startWatcher()
  void rescan()

  return {
    view: () => ({
      id: folderId,
      path: cached.path,
      existing: cached.existing,
      onChange: cached.onChange,
      ignore: [...cached.ignore],
      state,
      watching,
      message,
      lastScanAt: files.folder(folderId)?.lastScanAt ?? null,
    }),
    rescan,
    ended: (row) => {
      lastChange = clock.mono()
      if (!recheck.delete(row.id)) return
      const rel = below(cached.path, row.path)
      if (rel !== null) void run((signal) => scanner.paths([rel], signal))
    },
    isQuiet,
    confirm: () => {
      if (confirming || isQuiet() || running > 0 || settle.size() > 0 || check.size() > 0 || state !== 'watching') return
      confirming = true
      void rescan().finally(() => {
        confirming = false
      })
    },
    settlesAt: () => settle.nextAt(),
    hasScanned: () => scannedOnce,
    isAway: () => state === 'away',
    versionChanged: (row, entry) => {
      const rel = below(cached.path, row.path)
      if (rel === null) return
      const { dir, name } = split(rel)
      const file = files.file(folderId, dir, name)
      if (file !== null) files.put({ ...file, size: entry.size, mtime: entry.mtime, ino: entry.ino, dev: entry.dev, ctime: entry.ctime })
    },
    close: async () => {
      stop.abort()
      cancelRescan?.()
      aggregator.close()
      settle.close()
      check.close()
      relook.close()
      await watcher?.close()
      await chain
    },
  }
}

/** What a folder shows after a look that ended in an exception. */
export function brokenLookMessage(error: unknown): string {
  return writeTrouble(error) === null ? UNFINISHED : UNWRITTEN
}

function awayMessage(failure: DiskFailure | null): string {
  return failure === null || failure.code === 'gone' || failure.code === 'not-a-directory'
    ? 'The folder is not there. Uploads from it wait, and nothing is taken for deleted.'
    : `The folder can't be read (${failure.message}). Uploads from it wait, and nothing is taken for deleted.`
}
