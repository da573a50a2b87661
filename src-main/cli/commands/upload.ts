// `slipway upload`: sends files and folders, prints one link a line in the order given, as early as that order allows.
// One token names the whole request, so asking again after a takeover sends nothing twice.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Result, UploadItem } from '../../../src-shared/contract.ts'
import { formatLink } from '../../../src-shared/format.ts'
import { type AuditSums, FailedReason, type Transfer } from '../../../src-shared/model.ts'
import { type Ctx, complain, complainInterrupted, note, show } from '../context.ts'
import { decideEnding, type Ending, waitsOf } from '../ending.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { follow, gateOf, inTime, refuseWithoutKey } from '../follow.ts'
import { type Line, lineJson, summaryJson } from '../lines.ts'
import { confirmWide, type MissingPath, missingPaths } from '../named-paths.ts'
import { failedMessage } from '../reason-text.ts'
import { createReporter, failLines, NOTHING } from '../reporter.ts'
import { createTracker, isPending } from '../tracker.ts'
import { STDIN } from '../words.ts'

export interface UploadArgs {
  /** `-` is standard input. */
  readonly paths: readonly string[]
  readonly stdinName?: string
  readonly again: boolean
  readonly maxWaitMs: number
  /** Names this request; a new one each time but in tests. */
  readonly token?: string
}

/** As many as one call of the contract takes. */
const PATHS_MOST = 1000
const STDIN_NAME = 'stdin'
const LOOK_MS = 1000
const PAGE = 500

type Slot =
  /** Counted where it stands in the journal. */
  | { readonly kind: 'transfer'; readonly id: number }
  /** Nothing is sent for it; `link` if its content is up already. */
  | { readonly kind: 'settled'; readonly list: keyof AuditSums; readonly link: string | null; readonly missing: boolean }

export async function upload(ctx: Ctx, args: UploadArgs): Promise<ExitCode> {
  const onDisk = args.paths.filter((path) => path !== STDIN)
  const missing = await missingPaths(ctx, onDisk)
  if (missing.length > 0) return refuseMissing(ctx, missing)
  const unsure = await confirmWide(ctx, onDisk)
  if (unsure !== null) return unsure
  const keyless = await refuseWithoutKey(ctx)
  if (keyless !== null) return keyless
  if (onDisk.length === args.paths.length) return send(ctx, args, null)

  if (ctx.term.inIsTerminal) note(ctx, 'Reading standard input. To end it: Ctrl+D')
  const kept = await ctx.keepInput(args.stdinName ?? STDIN_NAME)
  return kept.ok ? send(ctx, args, kept.value) : failLines(ctx, kept.failure)
}

/** `input`: where standard input is kept, if it is named. The engine removes it when its upload is over. */
async function send(ctx: Ctx, args: UploadArgs, input: string | null): Promise<ExitCode> {
  const startedAt = ctx.time.now()
  const token = args.token ?? randomUUID()
  const tracker = createTracker({ goneFails: true, now: ctx.time.now })
  const latest = new Map<number, Transfer>()
  const links = new Map<number, string>()
  let slots: Slot[] = []
  let printed = 0
  /** Slots whose lines were told. */
  let told = 0
  let loaded = false

  const reporter = createReporter(ctx, ({ transfer }) => {
    if (transfer.publicLink !== null) links.set(transfer.id, transfer.publicLink)
  })

  const printLinks = (all: boolean): void => {
    if (ctx.json) return
    for (; printed < slots.length; printed++) {
      const slot = slots[printed]
      if (slot === undefined) return
      let link: string | null
      if (slot.kind === 'settled') link = slot.link
      else {
        const row = latest.get(slot.id)
        if (!all && row !== undefined && isPending(row)) return
        link = links.get(slot.id) ?? null
      }
      if (link !== null) ctx.term.out(formatLink('url', { name: '', url: link }))
    }
  }

  /** A person named standard input, not the file that it is kept in. */
  const asTyped = <T extends { readonly path: string }>(item: T): T => (item.path === input ? { ...item, path: STDIN } : item)

  const see = (seen: Transfer): Line[] => {
    const transfer = asTyped(seen)
    if (transfer.state === 'cancelled' && transfer.message !== null && latest.get(transfer.id)?.state !== 'cancelled')
      note(ctx, `Not uploaded: ${show(transfer.path)}. ${transfer.message}`)
    if (!tracker.isFinished(transfer.id)) latest.set(transfer.id, transfer)
    return tracker.see(transfer)
  }

  const take = (given: UploadItem): void => {
    const item = asTyped(given)
    const index = slots.length
    const fresh = index >= told
    if (fresh) told = index + 1
    const { transfer } = item
    // Asked again after a takeover, the engine calls what this very command has sent "already" up.
    const ours = transfer !== null && (tracker.has(transfer.id) || (transfer.doneAt ?? 0) >= startedAt)
    if (transfer !== null && (item.outcome !== 'already' || ours)) {
      slots.push({ kind: 'transfer', id: transfer.id })
      const lines = see(transfer)
      const newer = early.get(transfer.id)
      reporter.tell(newer === undefined ? lines : [...lines, ...see(newer)])
      return
    }
    switch (item.outcome) {
      case 'already':
        slots.push({ kind: 'settled', list: 'uploaded', link: transfer?.publicLink ?? null, missing: false })
        if (fresh && transfer !== null && ctx.json)
          reporter.tell([
            { event: 'queued', id: transfer.id, path: item.path, size: transfer.size },
            { event: 'uploaded', transfer: { ...transfer, path: item.path }, adopted: false },
          ])
        return
      case 'ignored':
        slots.push({ kind: 'settled', list: 'ignored', link: null, missing: false })
        // Nobody wonders about a file that a folder's rules leave out; one that was named is not left out in silence.
        if (fresh && item.direct === true) note(ctx, `Not uploaded: ${show(item.path)}, by the rule: ${item.reason ?? 'unknown'}.`)
        return
      case 'queued':
      case 'failed': {
        const reason = FailedReason.safeParse(item.reason).data ?? 'unreadable'
        slots.push({ kind: 'settled', list: 'failed', link: null, missing: reason === 'missing' })
        if (fresh) reporter.tell([{ event: 'failed', id: null, path: item.path, reason, message: failedMessage(reason) }])
        return
      }
      default:
        item.outcome satisfies never
    }
  }

  /** Events of rows that were not asked for yet: a file can be done before its page was read. */
  const early = new Map<number, Transfer>()

  /** Null: another engine took over in between, so all is asked for anew. */
  const load = async (): Promise<Result<void> | null> => {
    loaded = false
    slots = []
    for (const [at, group] of groupsOf(args.paths, ctx.cwd, input).entries()) {
      const first = await ctx.client.call('upload', { ...group, again: args.again, token: `${token}.${at}` })
      const generation = ctx.client.generation()
      for (let page = first; ; ) {
        if (ctx.client.generation() !== generation) return null
        if (!page.ok) return page
        for (const item of page.value.items) take(item)
        printLinks(false)
        const { batch, next } = page.value
        if (next === null) break
        page = await ctx.client.call('batchPage', { batch, after: next })
      }
    }
    loaded = true
    early.clear()
    return { ok: true, value: undefined }
  }

  const begin = async (): Promise<Result<void>> => {
    for (;;) {
      const result = await load()
      if (result !== null) return result
    }
  }

  const sums = (): AuditSums => {
    const all = { seen: slots.length, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
    for (const slot of slots) all[slot.kind === 'settled' ? slot.list : listOf(latest.get(slot.id), tracker.isFinished(slot.id))]++
    return all
  }

  const readPending = async (): Promise<Result<void>> => {
    const ids = [...tracker.pending()].map((row) => row.id).toSorted((x, y) => x - y)
    const last = ids.at(-1)
    for (let after = (ids[0] ?? 0) - 1; last !== undefined && after < last; ) {
      const page = await ctx.client.call('transfers', { folderId: null, states: [], afterId: after, limit: PAGE })
      if (!page.ok) return page
      for (const row of page.value) if (tracker.has(row.id)) reporter.tell(see(row))
      after = page.value.at(-1)?.id ?? last
    }
    printLinks(false)
    return { ok: true, value: undefined }
  }

  const ended = await follow({
    ctx,
    tracker,
    lookMs: LOOK_MS,
    begin,
    tell: reporter.tell,
    onTransfers: (items) => {
      for (const item of items) {
        if (tracker.has(item.id)) reporter.tell(see(item))
        else if (!loaded) early.set(item.id, item)
      }
      printLinks(false)
    },
    notices: false,
    catchUp: async () => {
      await inTime(ctx, readPending())
    },
    look: async ({ snapshot, offlineSince, pausedSince }): Promise<Result<Ending | null>> => {
      const decide = (): Ending | null => {
        if (tracker.pendingCount() === 0) return { code: EXIT.ok, title: '', hint: null }
        const now = ctx.time.now()
        const waits = waitsOf(tracker.pending(), gateOf(snapshot), now)
        return decideEnding({ snapshot, offlineSince, pausedSince, waits, maxWaitMs: args.maxWaitMs, now })
      }
      printLinks(false)
      const ending = decide()
      if (ending === null || ending.code === EXIT.ok) return { ok: true, value: ending }
      // The snapshot is of now, the rows may be older: what seems to wait may be done.
      const read = await readPending()
      return read.ok ? { ok: true, value: decide() } : read
    },
  })

  printLinks(true)
  const total = sums()
  // Nothing was registered that an engine would end. Where its answer is still to come, nobody knows.
  if (
    input !== null &&
    ended.kind !== 'interrupted' &&
    !slots.some((slot) => slot.kind === 'transfer' && latest.get(slot.id)?.path === STDIN)
  )
    await ctx.dropInput(input)
  if (ended.kind === 'failed') {
    complain(ctx, ended.failure.title, ended.failure.hint)
    if (slots.length > 0) reporter.summary(total)
    return exitCodeOf(ended.failure.code)
  }
  if (ended.kind === 'ended' && ended.ending.code !== EXIT.ok) complain(ctx, ended.ending.title, ended.ending.hint)
  if (ended.kind === 'interrupted') complainInterrupted(ctx)
  reporter.summary(total)
  if (ended.kind === 'interrupted') return EXIT.interrupted
  if (ended.ending.code !== EXIT.ok) return ended.ending.code
  if (slots.length > 0 && slots.every((slot) => slot.kind === 'settled' && slot.missing)) return EXIT.notFound
  return total.held + total.failed > 0 ? EXIT.someFailed : EXIT.ok
}

interface Group {
  readonly paths: string[]
  readonly pasted?: true
}

/** In the order given, each as large as one call may be; what Slipway wrote itself is asked for alone. */
function groupsOf(typed: readonly string[], cwd: string, input: string | null): readonly Group[] {
  const groups: Group[] = []
  let open: string[] | null = null
  for (const path of typed) {
    if (path === STDIN && input !== null) {
      groups.push({ paths: [input], pasted: true })
      open = null
      continue
    }
    if (open === null || open.length >= PATHS_MOST) {
      open = []
      groups.push({ paths: open })
    }
    open.push(resolve(cwd, path))
  }
  return groups
}

/** One path that does not exist stops all: what was meant is not known, and a link that went out can't be called back. */
function refuseMissing(ctx: Ctx, missing: readonly MissingPath[]): ExitCode {
  for (const { path, failure } of missing) {
    if (ctx.json) ctx.term.out(lineJson({ event: 'failed', id: null, path, reason: 'missing', message: failure.title }))
    complain(ctx, failure.title, failure.hint)
  }
  if (ctx.json) ctx.term.out(summaryJson({ ...NOTHING, seen: missing.length, failed: missing.length }))
  return missing.some(({ failure }) => failure.code === 'usage') ? EXIT.usage : EXIT.notFound
}

function listOf(row: Transfer | undefined, finished: boolean): Exclude<keyof AuditSums, 'seen'> {
  if (finished || row === undefined) return 'uploaded'
  switch (row.state) {
    case 'settling':
    case 'queued':
    case 'uploading':
    case 'waiting':
    case 'unknown':
      return 'waiting'
    case 'held':
      return 'held'
    case 'failed':
    case 'gone':
      return 'failed'
    case 'cancelled':
      return 'ignored'
    case 'done':
      return 'uploaded'
    default:
      return row.state satisfies never
  }
}
