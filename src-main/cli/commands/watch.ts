// `slipway watch`: uploads the files in a folder, and those that are added or changed later, according to the
// folder's rules. With --once it ends when nothing is left to do. The engine watches and uploads; this
// command reports on the folder's files and decides when it has waited long enough.
import { randomUUID } from 'node:crypto'
import { resolve, sep } from 'node:path'
import type { Output, Result } from '../../../src-shared/engine-contract.ts'
import { formatLink } from '../../../src-shared/format.ts'
import {
  type AuditSums,
  type Existing,
  type Folder,
  type OnChange,
  type Snapshot,
  type Transfer,
  WaitReason,
} from '../../../src-shared/model.ts'
import { rescansText } from '../../../src-shared/watch-limits.ts'
import { isSpooled } from '../../platform/data/spool.ts'
import { type Ctx, complain, complainInterrupted, note, type Output as Shown, show } from '../context.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import {
  accountEnding,
  decideEnding,
  type Ending,
  isChecking,
  keyFaultOf,
  type Waits,
} from '../follow/ending.ts'
import { type Ended, follow, gateOf, inTime, type Look, refuseWithoutKey } from '../follow/follow.ts'
import { reportedSums, UploadedPaths } from '../follow/reported-sums.ts'
import { createReporter, failLines, NOTHING, type Reporter } from '../follow/reporter.ts'
import { isEndlessByFile, Patience } from '../follow/stuck.ts'
import { Tracker } from '../follow/tracker.ts'
import { confirmWide, folderFault } from '../named-paths.ts'
import type { Line } from '../output/lines.ts'
import { failedMessage } from '../output/reason-text.ts'
import { eachRow } from '../transfer-rows.ts'

const ONCE_LOOK_MS = 1000

/**
 * Interval between checks without --once. Events also trigger checks, so the regular ones only compensate for
 * missed events.
 */
const LOOK_MS = 15_000
const OPEN_STATES = ['queued', 'uploading', 'waiting', 'unknown', 'held', 'failed'] as const
const ALL_STATES = [...OPEN_STATES, 'cancelled', 'gone', 'done'] as const
const DONE: Ending = { code: EXIT.ok, title: '', hint: null }

/**
 * Another command or the app has unwatched the folder. The user gets an explanation, but it isn't an error.
 */
const UNWATCHED: Ending = {
  code: EXIT.ok,
  title: 'The folder is no longer watched.',
  hint: 'Start again with: slipway watch',
}

// Reports a folder's files that the engine couldn't examine. They have no transfer and therefore no events.
const PAGE = 500

export interface WatchArgs {
  readonly folder: string
  readonly once: boolean
  readonly existing: Existing
  readonly onChange: OnChange
  readonly ignore: readonly string[]
  readonly maxWaitMs: number
  /**
   * Whether to replace the rules of a folder that is already watched. The new rules apply to the app and to
   * all commands that watch it.
   */
  readonly changeRules: boolean
  /** Whether to watch a home folder or a whole disk without asking first. */
  readonly yes?: boolean
  /** Identifies this command to the engine. Random, except in tests. */
  readonly watcher?: string
}

export async function watch(ctx: Ctx, args: WatchArgs): Promise<ExitCode> {
  const fault = await folderFault(ctx, args.folder, {
    patienceMs: args.once ? args.maxWaitMs : null,
    uploads: true,
  })
  if (fault !== null) return failLines(ctx, fault.failure, fault.code)
  const unsure = await confirmWide(ctx, [args.folder], args.yes === true)
  if (unsure !== null) return unsure
  const keyless = await refuseWithoutKey(ctx)
  if (keyless !== null) return keyless
  const run = new WatchRun(ctx, args)
  return run.finish(await run.follow())
}

/**
 * One run of `slipway watch`: the folder according to the engine, its rules, and the outcomes of its files.
 */
class WatchRun {
  readonly #ctx: Ctx
  readonly #args: WatchArgs
  readonly #path: string
  readonly #startedAt: number
  readonly #watcher: string
  readonly #tracker: Tracker
  readonly #reporter: Reporter
  readonly #failedPaths = new Set<string>()
  readonly #standing = new Standing()
  /**
   * When only files passed to `slipway upload` were first found to be left (epoch ms); null while others are
   * left.
   */
  #namedSince: number | null = null
  readonly #patience: Patience
  readonly #noteAway: (folder: Folder) => void
  #folderId: number | null = null
  /** The folder's path: initially as requested, later as resolved by the engine. */
  #root: string
  /**
   * Initially the requested rules, later those returned by the engine. They are passed on to the next engine.
   */
  #rules: FolderRules
  #since: number
  #changeRules: boolean
  /** The generation of the engine that was asked to watch the folder. */
  #generation = 0
  /** Whether the engine that took over has reported that the user had ended the watch. */
  #isEnded = false
  /** Events that arrived before the folder's ID was known. */
  #early: Transfer[] = []
  /** Reading continues after the row with this ID, or earlier if a transfer before it is still pending. */
  #readTo = 0
  #sums: AuditSums = NOTHING
  readonly #uploaded = new UploadedPaths()
  /** The lowest ID among the transfers of these. */
  #firstUploaded = Number.POSITIVE_INFINITY
  /** Whether the final sums have been read. Uploads in progress may still end after that. */
  #hasLeft = false

  constructor(ctx: Ctx, args: WatchArgs) {
    this.#ctx = ctx
    this.#args = args
    this.#path = resolve(ctx.cwd, args.folder)
    this.#root = this.#path
    this.#startedAt = ctx.time.now()
    this.#since = this.#startedAt
    this.#watcher = args.watcher ?? randomUUID()
    this.#rules = { existing: args.existing, onChange: args.onChange, ignore: [...args.ignore] }
    this.#changeRules = args.changeRules
    this.#patience = new Patience(args.maxWaitMs)
    this.#tracker = new Tracker({ goneFails: false, now: ctx.time.now })
    this.#noteAway = createAwayNote(ctx)
    this.#reporter = createReporter(ctx, ({ transfer }) => {
      if (transfer.publicLink !== null)
        ctx.term.out(`${formatLink('url', { name: '', url: transfer.publicLink })}\t${show(transfer.path)}`)
    })
  }

  follow(): Promise<Ended> {
    const { once } = this.#args
    return follow({
      ctx: this.#ctx,
      tracker: this.#tracker,
      lookMs: once ? ONCE_LOOK_MS : LOOK_MS,
      begin: (reason) => this.#begin(reason),
      tell: this.#reporter.tell,
      notices: !once,
      beforeClose: () => this.#leave(),
      catchUp: async () => {
        if (this.#folderId !== null) await inTime(this.#ctx, this.#catchUp())
      },
      onTransfers: (items) => {
        for (const item of items) {
          if (this.#folderId === null) this.#early.push(item)
          else if (this.#isOurs(item)) this.#see(item)
        }
      },
      onFolder: (folder) => this.#seeFolder(folder),
      isNews: (snapshot) => this.#isUnwatched(snapshot.folders),
      look: (look) => this.#look(look),
    })
  }

  async finish(ended: Ended): Promise<ExitCode> {
    const ctx = this.#ctx
    if (ended.kind === 'failed') {
      const isClosing = ended.failure.code === 'closing'
      if (this.#folderId === null && !isClosing) return failLines(ctx, ended.failure)
      complain(ctx, ended.failure.title, ended.failure.hint)
      if (!isClosing) {
        this.#sumUpReported()
        this.#reporter.summary(this.#sums)
      }
      return exitCodeOf(ended.failure.code)
    }
    await this.#leave()
    const sums = this.#sums
    if (ended.kind === 'interrupted') {
      complainInterrupted(ctx)
      this.#reporter.summary(sums)
      return EXIT.interrupted
    }
    const { ending } = ended
    const withdrawn = ending === UNWATCHED && this.#tracker.hasCancelled()
    if (ending !== DONE)
      complain(
        ctx,
        `${ending.title}${withdrawn ? ' Files that waited in it were withdrawn.' : ''}`,
        ending.hint,
      )
    this.#reporter.summary(sums)
    if (ending.code !== EXIT.ok) return ending.code
    // The user ended this watch. If the exit code meant failure, systemd would restart the command and
    // publish what was withdrawn.
    if (ending === UNWATCHED && !this.#args.once) return EXIT.ok
    if (sums.held + sums.failed > 0) return EXIT.someFailed
    return ending === UNWATCHED && sums.waiting > 0 ? EXIT.waits : EXIT.ok
  }

  /**
   * Whether a transfer belongs to this folder. That includes files in the folder that were passed to `slipway
   * upload`, whose rows belong to no folder. It excludes stored standard input, because the data folder may
   * be inside this folder.
   */
  #isOurs(row: Transfer): boolean {
    if (row.folderId === this.#folderId) return true
    return (
      row.path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep) && !isSpooled(row.path)
    )
  }

  /**
   * Whether the user stopped watching this folder with `slipway unwatch` or in the app. That ends all
   * commands that watch it.
   */
  #isUnwatched(folders: readonly Folder[]): boolean {
    if (this.#isEnded) return true
    if (this.#folderId === null || this.#ctx.client.generation() !== this.#generation) return false
    return !folders.some((folder) => folder.id === this.#folderId)
  }

  /** `isFirstRead` means that the row was read when the command started, so a failure in it is an old one. */
  #see(transfer: Transfer, isFirstRead = false): void {
    const lines = this.#tracker.see(transfer)
    if (isFirstRead) return this.#tell(this.#standing.first(transfer, lines))
    this.#standing.later(transfer, lines)
    this.#tell(lines)
  }

  #tell(lines: readonly Line[]): void {
    for (const line of lines)
      if (line.event === 'failed') this.#failedPaths.add(line.path)
      else if (line.event === 'uploaded') {
        this.#uploaded.add(line.transfer.path)
        this.#firstUploaded = Math.min(this.#firstUploaded, line.transfer.id)
        const { uploaded, waiting } = this.#sums
        if (this.#hasLeft && waiting > 0)
          this.#sums = { ...this.#sums, uploaded: uploaded + 1, waiting: waiting - 1 }
      }
    this.#reporter.tell(lines)
  }

  async #begin(reason: 'start' | 'reopened' | 'gap'): Promise<Result<void>> {
    if (reason !== 'gap') {
      // Don't read the rows of files that were uploaded before the start. They aren't reported, and there may
      // be very many.
      if (reason === 'start') this.#readTo = await newestRow(this.#ctx)
      const watched = await this.#watch(reason === 'start')
      if (!watched.ok) return watched
    }
    if (reason !== 'start') return this.#catchUp()
    const begun = await this.#read(0, OPEN_STATES, true)
    for (const row of this.#early) if (this.#isOurs(row)) this.#see(row)
    this.#early = []
    return begun
  }

  /**
   * Asks the engine to watch the folder. If `isFirst` is true and the folder is already watched with other
   * rules, prints that those stay.
   */
  async #watch(isFirst: boolean): Promise<Result<void>> {
    const { client } = this.#ctx
    this.#generation = client.generation()
    const folder = await client.call('watch', {
      path: this.#path,
      ...this.#rules,
      ignore: [...this.#rules.ignore],
      keep: false,
      since: this.#since,
      watcher: this.#watcher,
      ...(this.#changeRules ? { changeRules: true } : {}),
      ...(isFirst ? {} : { continued: true }),
    })
    if (!folder.ok) {
      // The engine that ended the watch may have exited before it could notify this command. The next engine
      // then reports the end.
      this.#isEnded = folder.failure.refusal === 'unwatched'
      return this.#isEnded ? { ok: true, value: undefined } : folder
    }
    this.#folderId = folder.value.id
    this.#root = folder.value.path
    if (isFirst && folder.value.kept === true && rulesText(folder.value) !== rulesText(this.#rules))
      note(
        this.#ctx,
        `This folder is already being watched, with ${rulesText(folder.value)}. These rules stay; --change-rules changes them for both.`,
      )
    this.#noteAway(folder.value)
    this.#rules = rulesOf(folder.value)
    this.#since = folder.value.since ?? this.#since
    this.#changeRules = false
    return { ok: true, value: undefined }
  }

  #seeFolder(folder: Folder): void {
    if (folder.id !== this.#folderId) return
    this.#noteAway(folder)
    if (rulesText(folder) === rulesText(this.#rules)) return
    this.#rules = rulesOf(folder)
    note(
      this.#ctx,
      `Another command or the app changed this folder's rules. It is now watched with ${rulesText(this.#rules)}.`,
    )
  }

  #catchUp(): Promise<Result<void>> {
    let from = this.#readTo
    for (const row of this.#tracker.pending()) from = Math.min(from, row.id - 1)
    return this.#read(Math.max(0, from), ALL_STATES)
  }

  /**
   * Reads this folder's rows after `afterId`. Skips rows that were done before this command began, unless
   * they are already tracked.
   */
  #read(
    afterId: number,
    states: readonly (typeof ALL_STATES)[number][],
    isFirst = false,
  ): Promise<Result<void>> {
    const take = (row: Transfer): void => {
      this.#readTo = Math.max(this.#readTo, row.id)
      if (!this.#isOurs(row)) return
      if (row.state !== 'done' || this.#tracker.has(row.id) || (row.doneAt ?? 0) >= this.#startedAt)
        this.#see(row, isFirst)
    }
    return eachRow(this.#ctx, states, take, { afterId })
  }

  async #look({ snapshot, unansweredSince, pausedSince }: Look): Promise<Result<Ending | null>> {
    const { client, time } = this.#ctx
    if (this.#isUnwatched(snapshot.folders))
      return { ok: true, value: this.#isUploading() ? null : UNWATCHED }
    const folderId = this.#folderId
    if (folderId === null) return { ok: true, value: null }
    if (!this.#args.once) {
      if (this.#isScanned(snapshot)) this.#tell(await this.#standing.rest(this.#ctx))
      return { ok: true, value: null }
    }
    const state = await client.call('folderIdle', { folderId, confirm: true })
    if (!state.ok) {
      if (state.failure.code !== 'not-found') return state
      if (client.generation() === this.#generation)
        return { ok: true, value: this.#isUploading() ? null : UNWATCHED }
      // Another engine has taken over and doesn't watch the folder yet.
      const rebegun = await this.#begin('reopened')
      return rebegun.ok ? { ok: true, value: null } : rebegun
    }
    const { sums, idle } = state.value
    this.#sums = sums
    const keySource = this.#ctx.keySource()
    if (idle && sums.waiting === 0)
      return { ok: true, value: accountEnding(snapshot.account, keyFaultOf(snapshot), keySource) ?? DONE }
    const now = time.now()
    const waits = this.#waits(snapshot, state.value, now)
    const ending = decideEnding({
      snapshot,
      keySource,
      unansweredSince,
      pausedSince,
      waits,
      maxWaitMs: this.#args.maxWaitMs,
      now,
    })
    // The folder's files aren't known before its first scan has finished. Until then, an account problem
    // doesn't end the command unless files are already waiting.
    const isEarly = waits.kind === 'active' && !this.#isScanned(snapshot)
    return { ok: true, value: ending?.code === EXIT.account && isEarly ? null : ending }
  }

  /** Whether the folder has been scanned since this command began. */
  #isScanned(snapshot: Snapshot): boolean {
    return (
      (snapshot.folders.find((folder) => folder.id === this.#folderId)?.lastScanAt ?? 0) >= this.#startedAt
    )
  }

  /** Whether an upload is still in progress. It is allowed to finish when watching ends. */
  #isUploading(): boolean {
    return [...this.#tracker.pending()].some((row) => row.state === 'uploading')
  }

  #waits(snapshot: Snapshot, { idle, waitsUntil, reason, sums }: Output<'folderIdle'>, now: number): Waits {
    // The folder's own files are done. Those that the audit still counts as waiting were passed to `slipway
    // upload` and are handled separately.
    if (idle) return this.#namedWaits(snapshot, now)
    this.#namedSince = null
    // These waits may never end: a file that is written to continuously either never settles or changes
    // during each upload, a folder or drive may stay unavailable, and the service may never answer a check.
    const own = WaitReason.safeParse(reason).data ?? null
    const endless = isEndlessByFile(own) || isChecking({ reason: own, until: waitsUntil }) ? own : null
    const stuck = this.#patience.stuck(this.#tracker.pending(), {
      sums,
      now,
      gate: gateOf(snapshot),
      active: snapshot.progress.active,
      own: endless,
    })
    if (stuck !== null) return stuck
    const folder = snapshot.folders.find((one) => one.id === this.#folderId)
    // Files that are still being written or are on a drive that doesn't respond only need time, and so do
    // files without a reason to wait. A folder that is unavailable for another reason needs the user's
    // attention.
    const isAway = folder?.state === 'away' && folder.silent !== true
    const isPatient =
      reason === null ||
      reason === 'settling' ||
      reason === 'drive-silent' ||
      (reason === 'folder-away' && !isAway)
    if (waitsUntil === null && isPatient) return { kind: 'active' }
    const until = snapshot.paused ? null : waitsUntil
    const why = snapshot.paused ? 'paused' : (own ?? gateOf(snapshot)?.reason ?? 'backoff')
    const said = [...this.#tracker.pending()].find((row) => row.reason === why)?.message ?? null
    return { kind: 'waits', until, gate: { reason: why, until, message: said } }
  }

  /**
   * What the files passed to `slipway upload` wait for. Unless the whole account waits, their end can't be
   * predicted, so they count as active for up to `--max-wait`.
   */
  #namedWaits(snapshot: Snapshot, now: number): Waits {
    // After a clock rollback, the beginning would be in the future.
    this.#namedSince = Math.min(this.#namedSince ?? now, now)
    const gate = gateOf(snapshot)
    if (gate !== null) return { kind: 'waits', until: gate.until, gate }
    if (now - this.#namedSince < this.#args.maxWaitMs) return { kind: 'active' }
    return { kind: 'waits', until: null, gate: { reason: 'backoff', until: null, message: null } }
  }

  /**
   * Once: reads the final sums, reports unreadable files with --once, and unregisters this command from an
   * engine in another process.
   */
  async #leave(): Promise<void> {
    const ctx = this.#ctx
    const folderId = this.#folderId
    if (folderId === null || this.#hasLeft) return
    const sums = await this.#lastSums(folderId)
    if (sums === null) this.#sumUpReported()
    else this.#sums = sums
    if (this.#uploaded.size > this.#sums.uploaded) await this.#countMoved()
    this.#hasLeft = true
    this.#tell(await this.#standing.rest(this.#ctx))
    if (this.#args.once && this.#sums.failed > 0)
      await reportUnreadable(ctx, folderId, this.#failedPaths, this.#reporter)
    if (!ctx.client.isOwner())
      await inTime(ctx, ctx.client.call('unwatch', { folderId, watcher: this.#watcher }))
  }

  /** Adds the files that this command has uploaded and that have left the folder by its rule, to the sums. */
  async #countMoved(): Promise<void> {
    const moved = new Set<string>()
    const take = ({ path, putAway }: Transfer): void => {
      if (putAway !== undefined && this.#uploaded.has(path)) moved.add(path)
    }
    await inTime(this.#ctx, eachRow(this.#ctx, ['done'], take, { afterId: this.#firstUploaded - 1 }))
    const { seen, uploaded } = this.#sums
    this.#sums = { ...this.#sums, seen: seen + moved.size, uploaded: uploaded + moved.size }
  }

  /**
   * Reads the folder's final sums. Resolves to null if the engine doesn't respond in time, or responds with
   * an error.
   */
  async #lastSums(folderId: number): Promise<AuditSums | null> {
    const { client } = this.#ctx
    const state = await inTime(this.#ctx, client.call('folderIdle', { folderId }))
    if (state === null) return null
    if (state.ok) return state.value.sums
    if (state.failure.code === 'not-found') {
      // Another command or the app has unwatched the folder. Its uploaded files remain, so scan the disk as
      // `slipway audit` does.
      const look = await inTime(this.#ctx, client.call('audit', { path: this.#root, rescan: true }))
      if (look?.ok === true) return look.value.sums
    }
    const rest = await inTime(this.#ctx, client.call('folderSums', { folderIds: [folderId] }))
    return rest?.ok === true ? (rest.value[0]?.sums ?? null) : null
  }

  /**
   * Sums up the files that this command reported, unless the engine's last known sums are at least as high.
   */
  #sumUpReported(): void {
    const reported = reportedSums(this.#uploaded, this.#tracker.rest())
    if (reported.seen <= this.#sums.seen && reported.uploaded <= this.#sums.uploaded) return
    this.#sums = reported
    note(
      this.#ctx,
      "The folder's final state couldn't be read. The summary counts only the files that this command reported.",
    )
  }
}

// Reports on standard error when a watched folder becomes unavailable, for example because its disk was
// unplugged, and when it is available again; and when the system no longer reports changes in it. Otherwise,
// nothing would show why `slipway watch` uploads nothing, or late.

/** Returns a function to call with each state of the folder. The function reports only changes. */
function createAwayNote(output: Shown): (folder: Folder) => void {
  let wasAway = false
  let wasBlind = false
  return ({ path, state, message, watching, watchLimit }) => {
    if (watching === 'rescans' && !wasBlind) {
      const { title, hint } = rescansText(watchLimit)
      note(output, `${path}: ${title}${hint === null ? '' : ` ${hint}`}`)
    }
    wasBlind = watching === 'rescans'
    const isAway = state === 'away'
    // Whether the folder is available again is known only after the scan.
    if (isAway === wasAway || state === 'scanning') return
    wasAway = isAway
    note(
      output,
      `${path}: ${isAway ? (message ?? 'The folder is unavailable.') : 'The folder is available again.'}`,
    )
  }
}

// The rules of a watched folder that the command line can set, and how they are written as options.
type FolderRules = Pick<Folder, 'existing' | 'onChange' | 'ignore'>

function rulesOf({ existing, onChange, ignore }: FolderRules): FolderRules {
  return { existing, onChange, ignore: [...ignore] }
}

/** The rules as command line options. */
function rulesText({ existing, onChange, ignore }: FolderRules): string {
  return [
    `--existing ${existing}`,
    `--on-change ${onChange}`,
    ...ignore.map((pattern) => `--ignore '${pattern}'`),
  ].join(' ')
}

/** The highest ID of a transfer; 0 if there is none, or if the query fails. */
async function newestRow({ client }: Ctx): Promise<number> {
  const query = { folderId: null, states: [], afterId: 0, beforeId: Number.MAX_SAFE_INTEGER, limit: 1 }
  const page = await client.call('transfers', query)
  return page.ok ? (page.value[0]?.id ?? 0) : 0
}

// Files that had failed or were held when a command started. They are reported once it is certain that they
// still apply, because such a file may have been deleted, or may be uploaded now.
class Standing {
  /** By transfer ID. */
  readonly #lines = new Map<number, Line>()

  /** Takes the lines about a row that was read when the command started. Returns those to report now. */
  first(transfer: Transfer, lines: readonly Line[]): readonly Line[] {
    if (!isStopped(transfer)) return lines
    for (const line of lines) this.#lines.set(transfer.id, line)
    return []
  }

  /**
   * Call when a row has been read or received later, with the lines about it. Whatever happens to the file
   * now, they report.
   */
  later(transfer: Transfer, lines: readonly Line[]): void {
    if (lines.length > 0 || !isStopped(transfer)) this.#lines.delete(transfer.id)
  }

  /**
   * Returns the lines about files that are still as they were, and forgets all. Returns none if the engine
   * doesn't respond in time.
   */
  async rest(ctx: Ctx): Promise<readonly Line[]> {
    if (this.#lines.size === 0) return []
    const still: Line[] = []
    const reading = eachRow(ctx, ['failed', 'held'], ({ id }) => {
      const line = this.#lines.get(id)
      if (line !== undefined) still.push(line)
    })
    await inTime(ctx, reading)
    this.#lines.clear()
    return still
  }
}

function isStopped({ state }: Transfer): boolean {
  return state === 'failed' || state === 'held'
}

/** Reports the files that aren't in `reported` yet. Ends early if the engine doesn't respond in time. */
async function reportUnreadable(
  ctx: Ctx,
  folderId: number,
  reported: ReadonlySet<string>,
  reporter: Pick<Reporter, 'tell'>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof ctx.client.call<'auditPage'>>> | null = await inTime(
      ctx,
      ctx.client.call('auditPage', { folderId, list: 'failed', after, limit: PAGE }),
    )
    if (page?.ok !== true) return
    for (const { path, reason } of page.value.entries)
      if (reason === 'unreadable' && !reported.has(path))
        reporter.tell([{ event: 'failed', id: null, path, reason, message: failedMessage(reason) }])
    after = page.value.next
    if (after === null) return
  }
}
