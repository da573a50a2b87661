// One watched folder while an engine runs: watcher, aggregator, scanner and settle put together, and what they find turned into transfers.
// A folder that is not there stops its uploads and nothing in it is taken for deleted. It sends nothing.
import type { Folder } from '../../src-shared/model.ts'
import { type Aggregator, createAggregator, type Work } from './aggregator.ts'
import { createIgnoreRules, type IgnoreOptions, type IgnoreRules, NO_RULES } from './ignore-rules.ts'
import type { FileRow, Files, FolderRow } from './journal/files.ts'
import type { Database } from './journal/open.ts'
import type { TransferRow, Transfers } from './journal/transfers.ts'
import type { Entry, Hint, Ports, Watcher } from './ports.ts'
import { absolute, below, child, split } from './rel-path.ts'
import { createScanner, RULES_FILE, type Scanner, type ScanReport } from './scanner.ts'
import { secretByName } from './secrets.ts'
import { createSettle, isOldEnough, type Settle } from './settle.ts'

/** Between rescans while events come; jittered, so that many folders do not fall together. */
const RESCAN_MS = 10 * 60_000
/** Without a watcher the rescan is all there is. */
const RESCAN_BLIND_MS = 20_000
const AWAY_MS = 3000

export interface SessionOptions {
  readonly ports: Ports
  readonly db: Database
  readonly files: Files
  readonly transfers: Transfers
  readonly folderId: number
  /** The journal was rebuilt: what is found may be up already, and is looked up before it is sent. */
  readonly inDoubt: () => boolean
  readonly changed: (transferId: number) => void
  readonly folderChanged: () => void
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
  settlesAt(): number | null
  /** A look at the whole folder has ended since the session began. */
  hasScanned(): boolean
  isAway(): boolean
  versionChanged(row: TransferRow, entry: Entry): void
  close(): Promise<void>
}

export function createFolderSession(options: SessionOptions): FolderSession {
  const { ports, db, files, transfers, folderId } = options
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
  const ruleFiles = new Map<string, { readonly mtime: number; readonly text: string }>()
  let rules: IgnoreRules | null = null

  const folder = (): FolderRow => {
    const row = files.folder(folderId)
    if (row === null) throw new Error('folder without a row')
    return row
  }
  let cached = folder()

  const ignoreRules = (): IgnoreRules => {
    const from: IgnoreOptions = {
      ...NO_RULES,
      patterns: cached.ignore,
      files: [...ruleFiles].map(([dir, file]) => ({ dir, text: file.text })),
    }
    rules ??= createIgnoreRules(from)
    return rules
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
      db.tx(() => {
        for (const { path, entry } of list) {
          const rel = below(cached.path, path)
          if (rel === null) continue
          const { dir, name } = split(rel)
          const row = files.file(folderId, dir, name)
          if (row !== null) enqueue(dir, name, entry, row)
        }
      })
      lastChange = clock.mono()
      options.queueChanged()
    },
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

  /** A settled version becomes a transfer, or goes on with the one that stands for it. Called inside a transaction. */
  const enqueue = (dir: string, name: string, entry: Entry, row: FileRow | null): void => {
    const path = absolute(cached.path, dir, name)
    const put = (transferId: number): void =>
      files.put({
        folderId,
        dir,
        name,
        class: 'tracked',
        size: entry.size,
        mtime: entry.mtime,
        ino: entry.ino,
        dev: entry.dev,
        count: 1,
        rule: null,
        transferId,
      })
    const prior = row?.transferId == null ? null : transfers.get(row.transferId)
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
        count: 1,
        rule: null,
        transferId: prior.id,
      })
      return
    }
    const secret = secretByName(child(dir, name))
    if (prior !== null && prior.state !== 'done' && prior.state !== 'gone') {
      transfers.setVersion(prior.id, entry.size, entry.mtime)
      if (secret !== null && !(prior.released ?? '').includes('secret'))
        transfers.setState(prior.id, 'held', { reason: 'secret', message: secret.rule })
      else transfers.setState(prior.id, 'queued')
      transfers.attempts(prior.id, 0)
      put(prior.id)
      options.changed(prior.id)
      return
    }
    const same = transfers.newestOfPath(path)
    if (same !== null && same.size === entry.size && same.mtime === entry.mtime && same.state !== 'gone' && same.state !== 'cancelled') {
      if (same.away) transfers.setAway(same.id, false)
      put(same.id)
      return
    }
    const id = transfers.add({
      source: 'watch',
      folderId,
      path,
      name,
      size: entry.size,
      mtime: entry.mtime,
      state: secret === null ? 'queued' : 'held',
      reason: secret === null ? null : 'secret',
      message: secret?.rule ?? null,
      priority: 0,
      token: null,
      again: false,
      // Touched without a change, or moved by copying: the content tells, before anything is sent.
      hashFirst: (prior !== null && prior.state === 'done' && prior.size === entry.size) || transfers.hasAwaySize(folderId, entry.size),
      replaces: prior !== null && cached.onChange === 'replace' ? prior.fileId : null,
      createdAt: clock.now(),
    })
    if (secret === null && options.inDoubt()) transfers.setDoubt(id, entry.mtime)
    put(id)
    remember(entry.size, id)
    options.changed(id)
  }

  const scanner: Scanner = createScanner({
    db,
    disk,
    now: () => clock.now(),
    files,
    folder: () => cached,
    rules: ignoreRules,
    rulesFile: async (dir, mtime) => {
      const had = ruleFiles.get(dir)
      if (mtime === null) {
        if (had === undefined) return false
        ruleFiles.delete(dir)
        rules = null
        return true
      }
      if (had !== undefined && had.mtime === mtime) return false
      const text = (await disk.text(absolute(cached.path, dir, RULES_FILE))) ?? ''
      ruleFiles.set(dir, { mtime, text })
      rules = null
      return had === undefined ? text.trim() !== '' : had.text !== text
    },
    sink: {
      found: ({ dir, name, entry, seenAt, known }) => {
        const path = absolute(cached.path, dir, name)
        lastChange = clock.mono()
        const prior = known?.transferId == null ? null : transfers.get(known.transferId)
        if (prior !== null && (prior.state === 'uploading' || prior.state === 'unknown')) {
          recheck.add(prior.id)
          return
        }
        if (prior !== null && prior.state === 'done' && cached.onChange === 'ignore') {
          files.put({
            folderId,
            dir,
            name,
            class: 'tracked',
            size: entry.size,
            mtime: entry.mtime,
            ino: entry.ino,
            dev: entry.dev,
            count: 1,
            rule: null,
            transferId: prior.id,
          })
          return
        }
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
          count: 1,
          rule: null,
          transferId: prior?.id ?? null,
        })
        settle.watch(path, entry)
      },
      vanished: (row) => {
        lastChange = clock.mono()
        settle.forget(absolute(cached.path, row.dir, row.name))
        if (row.transferId === null) return
        const t = transfers.get(row.transferId)
        if (t === null) return
        if (t.state === 'done') {
          transfers.setAway(t.id, true)
          for (const id of recent.get(t.size) ?? []) if (transfers.get(id)?.state === 'queued') transfers.setHashFirst(id)
        } else if (t.state !== 'uploading' && t.state !== 'unknown')
          transfers.setState(t.id, 'gone', { reason: 'missing', message: 'The file was deleted before it was uploaded.' })
        options.changed(t.id)
      },
      moved: (row) => {
        lastChange = clock.mono()
        if (row.transferId === null) return
        transfers.setPath(row.transferId, absolute(cached.path, row.dir, row.name), row.name)
        options.changed(row.transferId)
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
    }
    return true
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
        const report = await work(stop.signal)
        if (report.rootFailure !== null) {
          setState('away', 'The folder is not there. Uploads from it wait, and nothing is taken for deleted.')
          schedule(AWAY_MS)
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
        log.error('scan.failed', { folder: folderId, message: error instanceof Error ? error.message : String(error) })
        message = 'The folder could not be read whole. It is read again.'
        schedule(5000)
      }
    })
    chain = next.finally(() => {
      running--
      options.queueChanged()
    })
    return chain
  }

  const rescan = (): Promise<void> => {
    const done = run(async (signal) => {
      setState('scanning', null)
      scanBegan = clock.mono()
      const report = await scanner.tree('', signal)
      if (report.rootFailure === null) {
        scannedOnce = true
        files.setScanned(folderId, clock.now())
        // What was under observation when an earlier run ended.
        for (const row of files.settling(folderId)) {
          const path = absolute(cached.path, row.dir, row.name)
          if (!settle.isPending(path)) settle.watch(path, { ...row, kind: 'file', ctime: row.mtime })
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
    isQuiet: () => scannedOnce && running === 0 && settle.size() === 0 && scanBegan > lastChange,
    settlesAt: () => settle.nextAt(),
    hasScanned: () => scannedOnce,
    isAway: () => state === 'away',
    versionChanged: (row, entry) => {
      const rel = below(cached.path, row.path)
      if (rel === null) return
      const { dir, name } = split(rel)
      const file = files.file(folderId, dir, name)
      if (file !== null) files.put({ ...file, size: entry.size, mtime: entry.mtime, ino: entry.ino, dev: entry.dev })
    },
    close: async () => {
      stop.abort()
      cancelRescan?.()
      aggregator.close()
      settle.close()
      await watcher?.close()
      await chain
    },
  }
}
