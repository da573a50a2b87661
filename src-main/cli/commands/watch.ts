// `slipway watch`: uploads what is in a folder and what comes; with --once it ends when nothing is left to do. The engine watches, scans and
// remembers; this tells what happens to the files of this folder, and decides when waiting has been long enough.
import { resolve, sep } from 'node:path'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import { formatLink } from '../../../src-shared/format.ts'
import { type AuditSums, type Existing, type OnChange, type Transfer, WaitReason } from '../../../src-shared/model.ts'
import { type Ctx, complain, complainInterrupted, show } from '../context.ts'
import { accountEnding, decideEnding, type Ending, keyFaultOf, type Waits } from '../ending.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { follow, gateOf, inTime, refuseWithoutKey } from '../follow.ts'
import { createReporter } from '../reporter.ts'
import { createTracker } from '../tracker.ts'

export interface WatchArgs {
  readonly folder: string
  readonly once: boolean
  readonly existing: Existing
  readonly onChange: OnChange
  readonly ignore: readonly string[]
  readonly maxWaitMs: number
}

const ONCE_LOOK_MS = 1000
/** Without --once nothing depends on the look: events tell all, this is for the case that one was missed. */
const LOOK_MS = 15_000
const PAGE = 500

const NOTHING: AuditSums = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
const OPEN_STATES = ['queued', 'uploading', 'waiting', 'unknown', 'held', 'failed'] as const
const ALL_STATES = [...OPEN_STATES, 'cancelled', 'gone', 'done'] as const

export async function watch(ctx: Ctx, args: WatchArgs): Promise<ExitCode> {
  const path = resolve(ctx.cwd, args.folder)
  const missing = await folderFault(ctx, path)
  if (missing !== null) {
    complain(ctx, missing.title, missing.hint)
    return exitCodeOf(missing.code)
  }
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
  /** A file of this folder may have been named by an `upload` before; its row belongs to no folder. */
  const isOurs = (row: Transfer): boolean => row.folderId === folderId || row.path.startsWith(root.endsWith(sep) ? root : root + sep)
  /** Somebody else had this folder watched before: it stays so. */
  let theirs = false
  /** Events that came before the folder's number was known. */
  let early: Transfer[] = []
  /** Rows up to here need not be read again for news. */
  let readTo = 0
  let sums: AuditSums = NOTHING

  const see = (transfer: Transfer): void => reporter.tell(tracker.see(transfer))

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
      const before = await ctx.client.call('snapshot', {})
      if (!before.ok) return before
      // Rows that were done before are no news, and there may be very many of them.
      if (reason === 'start') readTo = await newestRow(ctx)
      const others = before.value.folders.map((folder) => folder.id)
      const folder = await ctx.client.call('watch', {
        path,
        existing: args.existing,
        onChange: args.onChange,
        ignore: [...args.ignore],
        keep: false,
      })
      if (!folder.ok) return folder
      folderId = folder.value.id
      root = folder.value.path
      theirs ||= others.includes(folderId)
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
    look: async ({ snapshot, offlineSince }): Promise<Result<Ending | null>> => {
      if (!args.once || folderId === null) return { ok: true, value: null }
      const state = await ctx.client.call('folderIdle', { folderId })
      if (!state.ok) {
        // A takeover, or another command that let go of the same folder: it is asked for again.
        if (state.failure.code !== 'not-found') return state
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
      const ending = decideEnding({ snapshot, offlineSince, waits, maxWaitMs: args.maxWaitMs, now })
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
    // An engine of another process lives on without this command, and nobody asked it to go on with this folder.
    if (!theirs && !ctx.client.isOwner()) await inTime(ctx, ctx.client.call('unwatch', { folderId }))
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

/** Why this folder can't be watched or audited. Null: it is there. */
export async function folderFault(ctx: Ctx, path: string): Promise<Failure | null> {
  const kind = await ctx.kindOf(path)
  if (kind === 'directory') return null
  if (kind === 'missing') return { code: 'not-found', title: `There is no folder ${show(path)}.`, hint: 'Check the path.' }
  return { code: 'usage', title: `${show(path)} is not a folder.`, hint: 'For a single file: slipway upload FILE' }
}
