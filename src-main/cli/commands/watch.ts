// `slipway watch`: uploads what is in a folder and what comes; with --once it ends when nothing is left to do. The engine watches, scans and
// remembers; this tells what happens to the files of this folder, and decides when waiting has been long enough.
import { randomUUID } from 'node:crypto'
import { resolve, sep } from 'node:path'
import type { Failure, Output, Result } from '../../../src-shared/contract.ts'
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
import { isSpooled } from '../../platform/spool.ts'
import { type Ctx, complain, complainInterrupted, note, type PathKind, show } from '../context.ts'
import { accountEnding, decideEnding, type Ending, keyFaultOf, type Waits } from '../ending.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { type Ended, follow, gateOf, inTime, type Look, refuseWithoutKey } from '../follow.ts'
import { confirmWide, missingFailure } from '../named-paths.ts'
import { failedMessage } from '../reason-text.ts'
import { createReporter, failLines, NOTHING, type Reporter } from '../reporter.ts'
import { createStuck } from '../stuck.ts'
import { createTracker, type Tracker } from '../tracker.ts'

export interface WatchArgs {
  readonly folder: string
  readonly once: boolean
  readonly existing: Existing
  readonly onChange: OnChange
  readonly ignore: readonly string[]
  readonly maxWaitMs: number
  /** Where the folder is watched already: with these rules from now on, by both commands. */
  readonly changeRules: boolean
  /** Names this command to the engine; a new one each time but in tests. */
  readonly watcher?: string
}

type FolderRules = Pick<Folder, 'existing' | 'onChange' | 'ignore'>

const ONCE_LOOK_MS = 1000
/** Without --once nothing depends on the look: events tell all, this is for the case that one was missed. */
const LOOK_MS = 15_000
const PAGE = 500

const OPEN_STATES = ['queued', 'uploading', 'waiting', 'unknown', 'held', 'failed'] as const
const ALL_STATES = [...OPEN_STATES, 'cancelled', 'gone', 'done'] as const

export async function watch(ctx: Ctx, args: WatchArgs): Promise<ExitCode> {
  const fault = await folderFault(ctx, args.folder)
  if (fault !== null) return failLines(ctx, fault.failure, fault.code)
  const unsure = await confirmWide(ctx, [args.folder])
  if (unsure !== null) return unsure
  const keyless = await refuseWithoutKey(ctx)
  if (keyless !== null) return keyless
  const run = new WatchRun(ctx, args)
  return run.finish(await run.follow())
}

/** One `slipway watch`: the folder as the engine knows it, its rules, and what became of its files. */
class WatchRun {
  readonly #ctx: Ctx
  readonly #args: WatchArgs
  readonly #path: string
  readonly #startedAt: number
  readonly #watcher: string
  readonly #tracker: Tracker
  readonly #reporter: Reporter
  readonly #failedPaths = new Set<string>()
  /** Since when all that is left are files that were named to `upload`; null: it is not so. */
  #namedSince: number | null = null
  readonly #isStuck: ReturnType<typeof createStuck>
  #folderId: number | null = null
  /** The folder's path as the engine resolved it. */
  #root: string
  /** What is asked for; once the engine has answered, what holds: an engine that takes over continues with it. */
  #rules: FolderRules
  #since: number
  #changeRules: boolean
  /** Of the engine that was asked to watch the folder. */
  #generation = 0
  /** Events that came before the folder's ID was known. */
  #early: Transfer[] = []
  /** Rows up to here need not be read again for news. */
  #readTo = 0
  #sums: AuditSums = NOTHING

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
    this.#isStuck = createStuck(args.maxWaitMs)
    this.#tracker = createTracker({ goneFails: false, now: ctx.time.now })
    this.#reporter = createReporter(ctx, ({ transfer }) => {
      if (!ctx.quiet && transfer.publicLink !== null)
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
      catchUp: async () => {
        if (this.#folderId !== null) await inTime(this.#ctx, this.#catchUp())
      },
      onTransfers: (items) => {
        for (const item of items) {
          if (this.#folderId === null) this.#early.push(item)
          else if (this.#isOurs(item)) this.#see(item)
        }
      },
      onFolder: (folder) => this.#takeRules(folder),
      isNews: (snapshot) => this.#isUnwatched(snapshot.folders),
      look: (look) => this.#look(look),
    })
  }

  async finish(ended: Ended): Promise<ExitCode> {
    const ctx = this.#ctx
    if (ended.kind === 'failed') {
      complain(ctx, ended.failure.title, ended.failure.hint)
      if (this.#folderId !== null && ended.failure.code !== 'closing') this.#reporter.summary(this.#sums)
      return exitCodeOf(ended.failure.code)
    }
    if (this.#folderId !== null) await this.#leave(this.#folderId)
    const sums = this.#sums
    if (ended.kind === 'interrupted') {
      complainInterrupted(ctx)
      this.#reporter.summary(sums)
      return EXIT.interrupted
    }
    if (ended.ending.code !== EXIT.ok) complain(ctx, ended.ending.title, ended.ending.hint)
    this.#reporter.summary(sums)
    if (ended.ending.code !== EXIT.ok) return ended.ending.code
    return sums.held + sums.failed > 0 ? EXIT.someFailed : EXIT.ok
  }

  /**
   * A file of this folder may have been named by an `upload` before; its row belongs to no folder. Standard input is kept in the data folder,
   * which may be in here as well.
   */
  #isOurs(row: Transfer): boolean {
    if (row.folderId === this.#folderId) return true
    return row.path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep) && !isSpooled(row.path)
  }

  /** A person ended watching, by `slipway unwatch` or in the app, and that counts for every command. */
  #isUnwatched(folders: readonly Folder[]): boolean {
    return (
      this.#folderId !== null &&
      this.#ctx.client.generation() === this.#generation &&
      !folders.some((folder) => folder.id === this.#folderId)
    )
  }

  #see(transfer: Transfer): void {
    const lines = this.#tracker.see(transfer)
    for (const line of lines) if (line.event === 'failed') this.#failedPaths.add(line.path)
    this.#reporter.tell(lines)
  }

  async #begin(reason: 'start' | 'reopened' | 'gap'): Promise<Result<void>> {
    if (reason !== 'gap') {
      // Rows that were done before are not news, and there may be very many of them.
      if (reason === 'start') this.#readTo = await newestRow(this.#ctx)
      const watched = await this.#watch(reason === 'start')
      if (!watched.ok) return watched
    }
    if (reason !== 'start') return this.#catchUp()
    const begun = await this.#read(0, OPEN_STATES)
    for (const row of this.#early) if (this.#isOurs(row)) this.#see(row)
    this.#early = []
    return begun
  }

  /** Asks the engine to watch the folder; `isFirst`: also says which rules hold. */
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
    })
    if (!folder.ok) return folder
    this.#folderId = folder.value.id
    this.#root = folder.value.path
    if (isFirst && folder.value.kept === true && rulesText(folder.value) !== rulesText(this.#rules))
      note(
        this.#ctx,
        `This folder is already being watched, with ${rulesText(folder.value)}. These rules stay; --change-rules changes them for both.`,
      )
    this.#rules = rulesOf(folder.value)
    this.#since = folder.value.since ?? this.#since
    this.#changeRules = false
    return { ok: true, value: undefined }
  }

  #takeRules(folder: Folder): void {
    if (folder.id !== this.#folderId || rulesText(folder) === rulesText(this.#rules)) return
    this.#rules = rulesOf(folder)
    note(
      this.#ctx,
      `The rules of this folder were changed by another command or the app. It is now watched with ${rulesText(this.#rules)}.`,
    )
  }

  #catchUp(): Promise<Result<void>> {
    let from = this.#readTo
    for (const row of this.#tracker.pending()) from = Math.min(from, row.id - 1)
    return this.#read(Math.max(0, from), ALL_STATES)
  }

  /** Reads the rows from `afterId` on; what was done before this command began is not news. */
  async #read(afterId: number, states: readonly (typeof ALL_STATES)[number][]): Promise<Result<void>> {
    for (let after = afterId; ; ) {
      const page = await this.#ctx.client.call('transfers', { folderId: null, states: [...states], afterId: after, limit: PAGE })
      if (!page.ok) return page
      for (const row of page.value)
        if (this.#isOurs(row) && (row.state !== 'done' || this.#tracker.has(row.id) || (row.doneAt ?? 0) >= this.#startedAt)) this.#see(row)
      const last = page.value.at(-1)
      this.#readTo = Math.max(this.#readTo, last?.id ?? 0)
      if (page.value.length < PAGE || last === undefined) break
      after = last.id
    }
    return { ok: true, value: undefined }
  }

  async #look({ snapshot, offlineSince, pausedSince }: Look): Promise<Result<Ending | null>> {
    const { client, time } = this.#ctx
    if (this.#isUnwatched(snapshot.folders)) return { ok: true, value: UNWATCHED }
    const folderId = this.#folderId
    if (!this.#args.once || folderId === null) return { ok: true, value: null }
    const state = await client.call('folderIdle', { folderId, confirm: true })
    if (!state.ok) {
      if (state.failure.code !== 'not-found') return state
      if (client.generation() === this.#generation) return { ok: true, value: UNWATCHED }
      // Another engine has taken over.
      const rebegun = await this.#begin('reopened')
      return rebegun.ok ? { ok: true, value: null } : rebegun
    }
    const { sums, idle } = state.value
    this.#sums = sums
    if (idle && sums.waiting === 0) return { ok: true, value: accountEnding(snapshot.account, keyFaultOf(snapshot)) ?? DONE }
    const now = time.now()
    const waits = this.#waits(snapshot, state.value, now)
    const ending = decideEnding({ snapshot, offlineSince, pausedSince, waits, maxWaitMs: this.#args.maxWaitMs, now })
    // Before the first scan of the folder has ended, it isn't known what there is to wait for.
    const isScanned = (snapshot.folders.find((folder) => folder.id === folderId)?.lastScanAt ?? 0) >= this.#startedAt
    return { ok: true, value: ending?.code === EXIT.account && waits.kind === 'active' && !isScanned ? null : ending }
  }

  #waits(snapshot: Snapshot, { idle, waitsUntil, reason, sums }: Output<'folderIdle'>, now: number): Waits {
    // The folder's own work is done; what its audit still counts as waiting was named to `upload` and goes out on its own.
    if (idle) return this.#namedWaits(snapshot, now)
    this.#namedSince = null
    // A file that is written to without end settles at no time that is known.
    if (this.#isStuck(reason === 'settling', sums, now))
      return { kind: 'waits', until: null, gate: { reason: 'settling', until: null, message: null } }
    // What still settles needs only its time; any other reason without a time is one that no time will end.
    if (!idle && waitsUntil === null && (reason === null || reason === 'settling')) return { kind: 'active' }
    const until = snapshot.paused ? null : waitsUntil
    const why = snapshot.paused ? 'paused' : (WaitReason.safeParse(reason).data ?? gateOf(snapshot)?.reason ?? 'backoff')
    return { kind: 'waits', until, gate: { reason: why, until, message: null } }
  }

  /** Nobody knows when such an upload ends unless the account waits, so it is waited for as long as for any limit. */
  #namedWaits(snapshot: Snapshot, now: number): Waits {
    this.#namedSince ??= now
    const gate = gateOf(snapshot)
    if (gate !== null) return { kind: 'waits', until: gate.until, gate }
    if (now - this.#namedSince < this.#args.maxWaitMs) return { kind: 'active' }
    return { kind: 'waits', until: null, gate: { reason: 'backoff', until: null, message: null } }
  }

  /** The last sums, and leave to stop watching: an engine of another process goes on without this command. */
  async #leave(folderId: number): Promise<void> {
    const ctx = this.#ctx
    const state = await inTime(ctx, ctx.client.call('folderIdle', { folderId }))
    if (state?.ok === true) this.#sums = state.value.sums
    else if (state !== null) {
      // Not watched any more, as another command said; what is uploaded stays so.
      const rest = await inTime(ctx, ctx.client.call('folderSums', { folderIds: [folderId] }))
      if (rest?.ok === true) this.#sums = rest.value[0]?.sums ?? this.#sums
    }
    if (this.#args.once && this.#sums.failed > this.#failedPaths.size) await this.#reportUnreadable(folderId)
    if (!ctx.client.isOwner()) await inTime(ctx, ctx.client.call('unwatch', { folderId, watcher: this.#watcher }))
  }

  /** What the engine could not look at has no transfer, so no event names it. */
  async #reportUnreadable(folderId: number): Promise<void> {
    const ctx = this.#ctx
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof ctx.client.call<'auditPage'>>> | null = await inTime(
        ctx,
        ctx.client.call('auditPage', { folderId, list: 'failed', after, limit: PAGE }),
      )
      if (page?.ok !== true) return
      for (const { path, reason } of page.value.entries)
        if (reason === 'unreadable' && !this.#failedPaths.has(path))
          this.#reporter.tell([{ event: 'failed', id: null, path, reason, message: failedMessage(reason) }])
      after = page.value.next
      if (after === null) return
    }
  }
}

const DONE: Ending = { code: EXIT.ok, title: '', hint: null }
const UNWATCHED: Ending = {
  code: EXIT.interrupted,
  title: 'The folder is no longer watched. What waited in it was withdrawn.',
  hint: 'Start again with: slipway watch',
}

function rulesOf({ existing, onChange, ignore }: FolderRules): FolderRules {
  return { existing, onChange, ignore: [...ignore] }
}

/** As a person would type them. */
function rulesText({ existing, onChange, ignore }: FolderRules): string {
  return [`--existing ${existing}`, `--on-change ${onChange}`, ...ignore.map((pattern) => `--ignore '${pattern}'`)].join(' ')
}

/** The highest number that a row has, found in some dozens of small questions however many rows there are. */
async function newestRow(ctx: Ctx): Promise<number> {
  const after = async (afterId: number): Promise<number | null> => {
    const page = await ctx.client.call('transfers', { folderId: null, states: [], afterId, limit: 1 })
    return page.ok ? (page.value[0]?.id ?? null) : null
  }
  let low = 0
  let high = 1
  for (let next = await after(low); next !== null; next = await after(high)) {
    low = next
    high = next * 2
  }
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    const next = await after(middle)
    if (next === null) high = middle
    else low = next
  }
  return low
}

/** Why this folder, as typed, can't be watched or audited. Null: it is there. */
export async function folderFault(ctx: Ctx, typed: string): Promise<{ readonly failure: Failure; readonly code: ExitCode } | null> {
  const path = resolve(ctx.cwd, typed)
  const failure = folderFailure(await ctx.kindOf(path), typed, path)
  if (failure === null) return null
  // The disk is in order: a person has to change the permissions.
  return { failure, code: failure.code === 'disk' ? EXIT.someFailed : exitCodeOf(failure.code) }
}

function folderFailure(kind: PathKind, typed: string, path: string): Failure | null {
  if (kind === 'directory') return null
  if (kind === 'missing') return missingFailure(typed, path)
  if (kind === 'denied')
    return { code: 'disk', title: `No permission to read ${show(path)}.`, hint: 'Check the permissions of the folder.' }
  return { code: 'usage', title: `${show(path)} is not a folder.`, hint: 'For a single file: slipway upload FILE' }
}
