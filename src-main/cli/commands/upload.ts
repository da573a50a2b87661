// `slipway upload`: uploads files and folders and prints one link per line in the order given, each as early
// as that order allows. One token identifies the whole request, so that repeating it with another engine
// uploads nothing twice.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Result, UploadItem } from '../../../src-shared/engine-contract.ts'
import { formatLink } from '../../../src-shared/format.ts'
import { type AuditSums, FailedReason, type Snapshot, type Transfer } from '../../../src-shared/model.ts'
import { STDIN } from '../argument-mistakes.ts'
import { type Ctx, complain, complainInterrupted, note, show } from '../context.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { decideEnding, type Ending, type Waits, waitsOf } from '../follow/ending.ts'
import { type Ended, follow, gateOf, inTime, type Look, refuseWithoutKey } from '../follow/follow.ts'
import { createReporter, failLines, NOTHING, type Reporter } from '../follow/reporter.ts'
import { Patience } from '../follow/stuck.ts'
import { isPending, Tracker } from '../follow/tracker.ts'
import { confirmWide, type MissingPath, missingPaths } from '../named-paths.ts'
import { type Line, lineJson, summaryJson } from '../output/lines.ts'
import { failedMessage, withoutStop } from '../output/reason-text.ts'
import { eachRow } from '../transfer-rows.ts'
import { deletedLines, hasNoLink, linklessText, listOf, type Slot, slotKey } from './upload-slots.ts'

export interface UploadArgs {
  /** `-` means standard input. */
  readonly paths: readonly string[]
  readonly stdinName?: string
  readonly again: boolean
  readonly maxWaitMs: number
  /** Whether to upload a home folder or a whole disk without asking first. */
  readonly yes?: boolean
  /** Identifies this request. Random, except in tests. */
  readonly token?: string
}

/** Maximum number of paths per call, well below the contract's limit. */
const PATHS_MOST = 1000
const STDIN_NAME = 'stdin'
const LOOK_MS = 1000

export async function upload(ctx: Ctx, args: UploadArgs): Promise<ExitCode> {
  const onDisk = args.paths.filter((path) => path !== STDIN)
  const missing = await missingPaths(ctx, onDisk, { patienceMs: args.maxWaitMs, uploads: true })
  if (!missing.ok) return failLines(ctx, missing.failure)
  if (missing.value.length > 0) return refuseMissing(ctx, missing.value)
  const unsure = await confirmWide(ctx, onDisk, args.yes === true)
  if (unsure !== null) return unsure
  const keyless = await refuseWithoutKey(ctx)
  if (keyless !== null) return keyless
  if (onDisk.length === args.paths.length) return send(ctx, args, null)

  if (ctx.term.inIsTerminal) note(ctx, 'Reading standard input. To end it: Ctrl+D')
  const kept = await ctx.keepInput(args.stdinName ?? STDIN_NAME)
  return kept.ok ? send(ctx, args, kept.value) : failLines(ctx, kept.failure)
}

/**
 * `input` is the path of the file that holds standard input; null if the user didn't name `-`. The engine
 * deletes that file after the upload.
 */
async function send(ctx: Ctx, args: UploadArgs, input: string | null): Promise<ExitCode> {
  const run = new UploadRun(ctx, args, input)
  return run.finish(await run.follow())
}

/** One run of `slipway upload`: the requested paths as slots in the order given, and their outcomes. */
class UploadRun {
  readonly #ctx: Ctx
  readonly #args: UploadArgs
  readonly #input: string | null
  readonly #startedAt: number
  readonly #token: string
  readonly #tracker: Tracker
  readonly #reporter: Reporter
  readonly #patience: Patience
  readonly #latest = new Map<number, Transfer>()
  readonly #links = new Map<number, string>()
  /** Paths as the user typed them, by transfer ID. */
  readonly #names = new Map<number, string>()
  /** The arguments as absolute paths, and `-`. */
  readonly #named: ReadonlySet<string>
  /**
   * Rows that arrived in events before `#load` read them, by transfer ID. A file may be done before the page
   * with its row has been read.
   */
  readonly #early = new Map<number, Transfer>()
  /** Paths of files in named folders that aren't uploaded because the user deleted their content before. */
  readonly #deleted: string[] = []
  #slots: Slot[] = []
  /** The keys (`slotKey`) of the items that `#load` has read so far. */
  readonly #taken = new Set<string>()
  /** Number of slots whose links have been printed or that have none. */
  #printed = 0
  /** Number of slots that have been reported, and aren't reported again if the request is repeated. */
  #reported = 0
  #isLoaded = false

  constructor(ctx: Ctx, args: UploadArgs, input: string | null) {
    this.#ctx = ctx
    this.#args = args
    this.#input = input
    this.#startedAt = ctx.time.now()
    this.#token = args.token ?? randomUUID()
    this.#named = new Set(args.paths.map((path) => (path === STDIN ? path : resolve(ctx.cwd, path))))
    this.#patience = new Patience(args.maxWaitMs)
    this.#tracker = new Tracker({ goneFails: true, now: ctx.time.now })
    this.#reporter = createReporter(ctx, ({ transfer }) => {
      if (transfer.publicLink !== null) this.#links.set(transfer.id, transfer.publicLink)
    })
  }

  follow(): Promise<Ended> {
    const tracker = this.#tracker
    return follow({
      ctx: this.#ctx,
      tracker,
      lookMs: LOOK_MS,
      begin: () => this.#begin(),
      tell: this.#reporter.tell,
      onTransfers: (items) => {
        for (const item of items) {
          if (tracker.has(item.id)) this.#reporter.tell(this.#see(item))
          else if (!this.#isLoaded) this.#early.set(item.id, item)
        }
        this.#printLinks(false)
      },
      notices: false,
      catchUp: async () => {
        await inTime(this.#ctx, this.#readPending())
      },
      look: (look) => this.#look(look),
    })
  }

  async finish(ended: Ended): Promise<ExitCode> {
    const ctx = this.#ctx
    this.#printLinks(true)
    const total = this.#sums()
    const linkless = this.#slots.filter(
      (slot) => slot.direct && hasNoLink(this.#listOf(slot), this.#linkOf(slot)),
    )
    await this.#dropUnusedInput(ended)
    if (ended.kind === 'failed') {
      if (this.#slots.length === 0 && ended.failure.code !== 'closing') return failLines(ctx, ended.failure)
      complain(ctx, ended.failure.title, ended.failure.hint)
      if (this.#slots.length > 0) this.#reporter.summary(total)
      return exitCodeOf(ended.failure.code)
    }
    if (ended.kind === 'ended' && ended.ending.code !== EXIT.ok)
      complain(ctx, ended.ending.title, ended.ending.hint)
    if (ended.kind === 'interrupted') complainInterrupted(ctx)
    for (const slot of linkless)
      if (this.#listOf(slot) === 'uploaded') complain(ctx, linklessText(this.#rowOf(slot), this.#names), null)
    for (const line of deletedLines(this.#deleted)) note(ctx, line)
    this.#reporter.summary(total)
    if (ended.kind === 'interrupted') return EXIT.interrupted
    if (ended.ending.code !== EXIT.ok) return ended.ending.code
    if (this.#slots.length > 0 && this.#slots.every((slot) => slot.kind === 'settled' && slot.missing))
      return EXIT.notFound
    return linkless.length > 0 || total.held + total.failed > 0 ? EXIT.someFailed : EXIT.ok
  }

  async #begin(): Promise<Result<void>> {
    for (;;) {
      const result = await this.#load()
      if (result !== null) return result
    }
  }

  /**
   * Requests the upload and reads its rows. Resolves to null if the engine has changed, so that everything
   * must be requested again.
   */
  async #load(): Promise<Result<void> | null> {
    const { client, cwd } = this.#ctx
    this.#isLoaded = false
    const before = this.#slots
    this.#slots = []
    this.#taken.clear()
    for (const [at, group] of groupsOf(this.#args.paths, cwd, this.#input).entries()) {
      const first = await client.call('upload', {
        ...group,
        again: this.#args.again,
        token: `${this.#token}.${at}`,
      })
      const generation = client.generation()
      for (let page = first; ; ) {
        if (client.generation() !== generation) return null
        if (!page.ok) {
          // Keep the slots from the previous engine, so that the summary still counts them.
          if (this.#slots.length < before.length) this.#slots = before
          return page
        }
        for (const item of page.value.items) this.#take(item)
        this.#printLinks(false)
        const { batch, next } = page.value
        if (next === null) break
        page = await client.call('batchPage', { batch, after: next })
      }
    }
    this.#isLoaded = true
    this.#early.clear()
    this.#taken.clear()
    return { ok: true, value: undefined }
  }

  #take(given: UploadItem): void {
    const item = this.#asTyped(given)
    const index = this.#slots.length
    const isFresh = index >= this.#reported
    if (isFresh) this.#reported = index + 1
    const key = slotKey(given)
    const isRepeat = this.#taken.has(key)
    this.#taken.add(key)
    const { transfer } = item
    // If the request is repeated with another engine, files that this command has uploaded have the outcome
    // `already`, but are still followed.
    const isOurs =
      transfer !== null && (this.#tracker.has(transfer.id) || (transfer.doneAt ?? 0) >= this.#startedAt)
    if (transfer !== null && (item.outcome !== 'already' || isOurs)) {
      this.#slots.push({ kind: 'transfer', id: transfer.id, direct: this.#named.has(item.path), isRepeat })
      const lines = this.#see(transfer)
      const newer = this.#early.get(transfer.id)
      this.#reporter.tell(newer === undefined ? lines : [...lines, ...this.#see(newer)])
      return
    }
    this.#takeSettled(item, isRepeat, isFresh && !isRepeat)
  }

  /** Records an item for which nothing is uploaded. */
  #takeSettled(item: UploadItem, isRepeat: boolean, isFresh: boolean): void {
    const { transfer } = item
    const direct = item.direct === true || this.#named.has(item.path)
    switch (item.outcome) {
      case 'already':
        this.#slots.push({ kind: 'settled', direct, isRepeat, list: 'uploaded', transfer, missing: false })
        if (isFresh && transfer !== null && this.#ctx.json)
          this.#reporter.tell([
            { event: 'queued', id: transfer.id, path: item.path, size: transfer.size },
            { event: 'uploaded', transfer: { ...transfer, path: item.path }, adopted: false, sent: false },
          ])
        return
      case 'ignored':
        this.#slots.push({
          kind: 'settled',
          direct,
          isRepeat,
          list: 'ignored',
          transfer: null,
          missing: false,
        })
        // In a folder, users expect rules to exclude files, so report only files that the user named.
        if (!isFresh || !direct) return
        complain(
          this.#ctx,
          `Not uploaded: ${show(item.path)}, by the rule: ${withoutStop(item.reason ?? 'unknown')}.`,
          null,
        )
        this.#reporter.tell([{ event: 'ignored', path: item.path, reason: 'rule', message: item.reason }])
        return
      case 'queued':
      case 'failed': {
        const reason = FailedReason.safeParse(item.reason).data ?? 'unreadable'
        this.#slots.push({
          kind: 'settled',
          direct,
          isRepeat,
          list: 'failed',
          transfer: null,
          missing: reason === 'missing',
        })
        if (isFresh)
          this.#reporter.tell([
            { event: 'failed', id: null, path: item.path, reason, message: failedMessage(reason) },
          ])
        return
      }
      default:
        item.outcome satisfies never
    }
  }

  #see(seen: Transfer): Line[] {
    const transfer = { ...seen, path: this.#names.get(seen.id) ?? seen.path }
    if (transfer.state === 'cancelled' && this.#latest.get(transfer.id)?.state !== 'cancelled')
      this.#tellCancelled(transfer)
    if (!this.#tracker.isFinished(transfer.id)) this.#latest.set(transfer.id, transfer)
    return this.#tracker.see(transfer)
  }

  /** Reports that a rule now excludes the file, or that its upload was cancelled elsewhere. */
  #tellCancelled({ path, message, doneAt, leftPublic, reason, ended }: Transfer): void {
    if (ended === 'deleted' && !this.#named.has(path)) {
      this.#deleted.push(path)
      this.#reporter.tell([{ event: 'ignored', path, reason: 'deleted', message: null }])
      return
    }
    const mayBePublic = doneAt !== null || leftPublic === true || reason === 'ambiguous'
    const known =
      message ?? (reason === 'ambiguous' ? 'The upload was cancelled, but it may have arrived before.' : null)
    const text = `${mayBePublic ? '' : 'Not uploaded: '}${show(path)}. ${known ?? 'The upload was cancelled.'}`
    if (this.#named.has(path)) {
      complain(this.#ctx, text, null)
      this.#reporter.tell([{ event: 'ignored', path, reason: 'cancelled', message: known }])
    } else if (known !== null) note(this.#ctx, text)
  }

  /**
   * Restores the path as the user typed it: a symbolic link instead of its target, `-` instead of the stored
   * input.
   */
  #asTyped(item: UploadItem): UploadItem {
    const named = item.typed ?? item.path
    const path = named === this.#input ? STDIN : named
    if (item.transfer !== null && !this.#names.has(item.transfer.id)) this.#names.set(item.transfer.id, path)
    return { ...item, path }
  }

  async #look({ snapshot, unansweredSince, pausedSince }: Look): Promise<Result<Ending | null>> {
    const decide = (): Ending | null => {
      if (this.#tracker.pendingCount() === 0) return { code: EXIT.ok, title: '', hint: null }
      const now = this.#ctx.time.now()
      const waits = this.#waits(snapshot, now)
      const keySource = this.#ctx.keySource()
      return decideEnding({
        snapshot,
        keySource,
        unansweredSince,
        pausedSince,
        waits,
        maxWaitMs: this.#args.maxWaitMs,
        now,
      })
    }
    this.#printLinks(false)
    const ending = decide()
    if (ending === null || ending.code === EXIT.ok) return { ok: true, value: ending }
    // The rows may be older than the snapshot, so a file that appears to be waiting may be done.
    const read = await this.#readPending()
    return read.ok ? { ok: true, value: decide() } : read
  }

  /**
   * What the unfinished files wait for. Once waits without a known end have lasted for --max-wait, the result
   * is marked as stuck.
   */
  #waits(snapshot: Snapshot, now: number): Waits {
    const gate = gateOf(snapshot)
    const { active } = snapshot.progress
    const stuck = this.#patience.stuck(this.#tracker.pending(), { sums: this.#sums(), now, gate, active })
    return stuck ?? waitsOf(this.#tracker.pending(), gate, now)
  }

  async #readPending(): Promise<Result<void>> {
    const ids = [...this.#tracker.pending()].map((row) => row.id).toSorted((x, y) => x - y)
    const [first] = ids
    if (first === undefined) return { ok: true, value: undefined }
    const take = (row: Transfer): void => {
      if (this.#tracker.has(row.id)) this.#reporter.tell(this.#see(row))
    }
    const read = await eachRow(this.#ctx, [], take, { afterId: first - 1, lastId: ids.at(-1) ?? first })
    this.#printLinks(false)
    return read
  }

  /**
   * Prints links in the order given, up to the first file that is still pending. If `all` is true, skips
   * pending files.
   */
  #printLinks(all: boolean): void {
    if (this.#ctx.json) return
    for (; this.#printed < this.#slots.length; this.#printed++) {
      const slot = this.#slots[this.#printed]
      if (slot === undefined) return
      const row = this.#rowOf(slot)
      if (slot.kind === 'transfer' && !all && row !== null && isPending(row)) return
      const link = slot.kind === 'settled' ? (row?.publicLink ?? null) : (this.#links.get(slot.id) ?? null)
      if (link !== null) this.#ctx.term.out(formatLink('url', { name: '', url: link }))
    }
  }

  #sums(): AuditSums {
    const all = { ...NOTHING }
    for (const slot of this.#slots) {
      if (slot.isRepeat) continue
      all.seen++
      all[this.#listOf(slot)]++
    }
    return all
  }

  #rowOf(slot: Slot): Transfer | null {
    return slot.kind === 'settled' ? slot.transfer : (this.#latest.get(slot.id) ?? null)
  }

  #linkOf(slot: Slot): string | null {
    return this.#rowOf(slot)?.publicLink ?? null
  }

  #listOf(slot: Slot): keyof AuditSums {
    return slot.kind === 'settled'
      ? slot.list
      : listOf(this.#latest.get(slot.id), this.#tracker.isFinished(slot.id))
  }

  /**
   * Deletes the stored input if it has no transfer, because the file would otherwise remain until the next
   * engine starts. After an interruption it is uncertain whether there is a transfer, so the input is kept.
   */
  async #dropUnusedInput(ended: Ended): Promise<void> {
    if (this.#input === null || ended.kind === 'interrupted') return
    const isUsed = this.#slots.some(
      (slot) => slot.kind === 'transfer' && this.#latest.get(slot.id)?.path === STDIN,
    )
    if (!isUsed) await this.#ctx.dropInput(this.#input)
  }
}

interface Group {
  readonly paths: string[]
  readonly pasted?: true
}

/**
 * Splits the paths into groups of at most PATHS_MOST, in the order given. Standard input forms its own group.
 */
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

/**
 * Reports the missing paths and refuses the whole command: if one path contains a typo, nothing must be
 * published.
 */
function refuseMissing(ctx: Ctx, missing: readonly MissingPath[]): ExitCode {
  for (const { path, reason, failure } of missing) {
    if (ctx.json) ctx.term.out(lineJson({ event: 'failed', id: null, path, reason, message: failure.title }))
    complain(ctx, failure.title, failure.hint)
  }
  if (ctx.json) ctx.term.out(summaryJson({ ...NOTHING, seen: missing.length, failed: missing.length }))
  return missing.some(({ failure }) => failure.code === 'usage') ? EXIT.usage : EXIT.notFound
}
