// `slipway watch`: uploads what is in a folder and what comes; with --once it ends when nothing is left to do. The engine watches, scans and
// remembers; this tells what happens to the files of this folder, and decides when waiting has been long enough.
import { randomUUID } from 'node:crypto'
import { resolve, sep } from 'node:path'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import { formatLink } from '../../../src-shared/format.ts'
import { type AuditSums, type Existing, type Folder, type OnChange, type Transfer, WaitReason } from '../../../src-shared/model.ts'
import { isSpooled } from '../../platform/spool.ts'
import { type Ctx, complain, complainInterrupted, note, type PathKind, show } from '../context.ts'
import { accountEnding, decideEnding, type Ending, keyFaultOf, type Waits } from '../ending.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { follow, gateOf, inTime, refuseWithoutKey } from '../follow.ts'
import { confirmWide, missingFailure } from '../named-paths.ts'
import { failedMessage } from '../reason-text.ts'
import { createReporter, failLines, NOTHING } from '../reporter.ts'
import { createStuck } from '../stuck.ts'
import { createTracker } from '../tracker.ts'

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
  const path = resolve(ctx.cwd, args.folder)
  const fault = await folderFault(ctx, args.folder)
  if (fault !== null) return failLines(ctx, fault.failure, fault.code)
  const unsure = await confirmWide(ctx, [args.folder])
  if (unsure !== null) return unsure
  const keyless = await refuseWithoutKey(ctx)
  if (keyless !== null) return keyless

  const startedAt = ctx.time.now()
  const tracker = createTracker({ goneFails: false, now: ctx.time.now })
  const reporter = createReporter(ctx, ({ transfer }) => {
    if (!ctx.quiet && transfer.publicLink !== null)
      ctx.term.out(`${formatLink('url', { name: '', url: transfer.publicLink })}\t${show(transfer.path)}`)
  })
  let folderId: number | null = null
  let root = path
  /**
   * A file of this folder may have been named by an `upload` before; its row belongs to no folder. Standard input has its place in the data
   * folder, which may be in here as well.
   */
  const isOurs = (row: Transfer): boolean =>
    row.folderId === folderId || (row.path.startsWith(root.endsWith(sep) ? root : root + sep) && !isSpooled(row.path))
  const watcher = args.watcher ?? randomUUID()
  /** What is asked for; once the engine has answered, what holds: an engine that takes over goes on with it. */
  let rules: FolderRules = { existing: args.existing, onChange: args.onChange, ignore: [...args.ignore] }
  let since = startedAt
  let changeRules = args.changeRules
  /** Of the engine that was asked to watch the folder. */
  let generation = 0
  /** Events that came before the folder's number was known. */
  let early: Transfer[] = []
  /** Rows up to here need not be read again for news. */
  let readTo = 0
  let sums: AuditSums = NOTHING

  const failedPaths = new Set<string>()
  const see = (transfer: Transfer): void => {
    const lines = tracker.see(transfer)
    for (const line of lines) if (line.event === 'failed') failedPaths.add(line.path)
    reporter.tell(lines)
  }

  /** What the engine could not look at has no transfer, so no event names it. */
  const reportUnreadable = async (id: number): Promise<void> => {
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof ctx.client.call<'auditPage'>>> | null = await inTime(
        ctx,
        ctx.client.call('auditPage', { folderId: id, list: 'failed', after, limit: PAGE }),
      )
      if (page?.ok !== true) return
      for (const { path: failed, reason } of page.value.entries)
        if (reason === 'unreadable' && !failedPaths.has(failed))
          reporter.tell([{ event: 'failed', id: null, path: failed, reason, message: failedMessage(reason) }])
      after = page.value.next
      if (after === null) return
    }
  }
  const isStuck = createStuck(args.maxWaitMs)

  /** A person ended watching, by `slipway unwatch` or in the app, and that counts for every command. */
  const isEnded = (folders: readonly Folder[]): boolean =>
    folderId !== null && ctx.client.generation() === generation && !folders.some((folder) => folder.id === folderId)

  /** Reads the rows from `afterId` on; what was done before this command began is no news. */
  const read = async (afterId: number, states: readonly (typeof ALL_STATES)[number][]): Promise<Result<void>> => {
    for (let after = afterId; ; ) {
      const page = await ctx.client.call('transfers', { folderId: null, states: [...states], afterId: after, limit: PAGE })
      if (!page.ok) return page
      for (const row of page.value)
        if (isOurs(row) && (row.state !== 'done' || tracker.has(row.id) || (row.doneAt ?? 0) >= startedAt)) see(row)
      const last = page.value.at(-1)
      readTo = Math.max(readTo, last?.id ?? 0)
      if (page.value.length < PAGE || last === undefined) break
      after = last.id
    }
    return { ok: true, value: undefined }
  }

  const begin = async (reason: 'start' | 'reopened' | 'gap'): Promise<Result<void>> => {
    if (reason !== 'gap') {
      // Rows that were done before are no news, and there may be very many of them.
      if (reason === 'start') readTo = await newestRow(ctx)
      generation = ctx.client.generation()
      const folder = await ctx.client.call('watch', {
        path,
        ...rules,
        keep: false,
        since,
        watcher,
        ...(changeRules ? { changeRules } : {}),
      })
      if (!folder.ok) return folder
      folderId = folder.value.id
      root = folder.value.path
      if (reason === 'start' && folder.value.kept === true && rulesText(folder.value) !== rulesText(rules))
        note(
          ctx,
          `This folder is already being watched, with ${rulesText(folder.value)}. These rules stay; --change-rules changes them for both.`,
        )
      rules = rulesOf(folder.value)
      since = folder.value.since ?? since
      changeRules = false
    }
    if (reason === 'start') {
      const begun = await read(0, OPEN_STATES)
      for (const row of early) if (isOurs(row)) see(row)
      early = []
      return begun
    }
    return catchUp()
  }

  const catchUp = (): Promise<Result<void>> => {
    let from = readTo
    for (const row of tracker.pending()) from = Math.min(from, row.id - 1)
    return read(Math.max(0, from), ALL_STATES)
  }

  const ended = await follow({
    ctx,
    tracker,
    lookMs: args.once ? ONCE_LOOK_MS : LOOK_MS,
    begin,
    tell: reporter.tell,
    notices: !args.once,
    catchUp: async () => {
      if (folderId !== null) await inTime(ctx, catchUp())
    },
    onTransfers: (items) => {
      for (const item of items) {
        if (folderId === null) early.push(item)
        else if (isOurs(item)) see(item)
      }
    },
    onFolder: (folder) => {
      if (folder.id !== folderId || rulesText(folder) === rulesText(rules)) return
      rules = rulesOf(folder)
      note(ctx, `The rules of this folder were changed by another command or the app. It is now watched with ${rulesText(rules)}.`)
    },
    isNews: (snapshot) => isEnded(snapshot.folders),
    look: async ({ snapshot, offlineSince, pausedSince }): Promise<Result<Ending | null>> => {
      if (isEnded(snapshot.folders)) return { ok: true, value: UNWATCHED }
      if (!args.once || folderId === null) return { ok: true, value: null }
      const state = await ctx.client.call('folderIdle', { folderId, confirm: true })
      if (!state.ok) {
        if (state.failure.code !== 'not-found') return state
        if (ctx.client.generation() === generation) return { ok: true, value: UNWATCHED }
        // Another engine has taken over.
        const rebegun = await begin('reopened')
        return rebegun.ok ? { ok: true, value: null } : rebegun
      }
      sums = state.value.sums
      const now = ctx.time.now()
      const { idle, waitsUntil, reason } = state.value
      if (idle && sums.waiting === 0) return { ok: true, value: accountEnding(snapshot.account, keyFaultOf(snapshot)) ?? DONE }
      const gate = gateOf(snapshot)
      let waits: Waits = { kind: 'active' }
      // What still settles needs only its time; any other reason without a time is one that no time will end.
      if (idle || waitsUntil !== null || (reason !== null && reason !== 'settling')) {
        const until = snapshot.paused ? null : waitsUntil
        const why = snapshot.paused ? 'paused' : (WaitReason.safeParse(reason).data ?? gate?.reason ?? 'backoff')
        waits = { kind: 'waits', until, gate: { reason: why, until, message: null } }
      }
      // A file that is written to without end settles at no time that is known.
      if (isStuck(reason === 'settling', sums, now))
        waits = { kind: 'waits', until: null, gate: { reason: 'settling', until: null, message: null } }
      const ending = decideEnding({ snapshot, offlineSince, pausedSince, waits, maxWaitMs: args.maxWaitMs, now })
      // Before the first look at the folder has ended nobody knows what there is to wait for.
      const scanned = (snapshot.folders.find((folder) => folder.id === folderId)?.lastScanAt ?? 0) >= startedAt
      return { ok: true, value: ending?.code === EXIT.account && waits.kind === 'active' && !scanned ? null : ending }
    },
  })

  if (ended.kind === 'failed') {
    complain(ctx, ended.failure.title, ended.failure.hint)
    if (folderId !== null && ended.failure.code !== 'closing') reporter.summary(sums)
    return exitCodeOf(ended.failure.code)
  }
  if (folderId !== null) {
    const state = await inTime(ctx, ctx.client.call('folderIdle', { folderId }))
    if (state?.ok === true) sums = state.value.sums
    else if (state !== null) {
      // Not watched any more, as another command said; what is up stays so.
      const rest = await inTime(ctx, ctx.client.call('folderSums', { folderIds: [folderId] }))
      if (rest?.ok === true) sums = rest.value[0]?.sums ?? sums
    }
    if (args.once && sums.failed > failedPaths.size) await reportUnreadable(folderId)
    // An engine of another process lives on without this command, and need not go on with this folder for its sake.
    if (!ctx.client.isOwner()) await inTime(ctx, ctx.client.call('unwatch', { folderId, watcher }))
  }
  if (ended.kind === 'interrupted') {
    complainInterrupted(ctx)
    reporter.summary(sums)
    return EXIT.interrupted
  }
  if (ended.ending.code !== EXIT.ok) complain(ctx, ended.ending.title, ended.ending.hint)
  reporter.summary(sums)
  if (ended.ending.code !== EXIT.ok) return ended.ending.code
  return sums.held + sums.failed > 0 ? EXIT.someFailed : EXIT.ok
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
