// The common part of `upload` and `watch`: follows the engine's events and its takeovers, looks once a second whether it is time to end,
// draws the live line. What belongs to the command and when it is done, the command says.

import type { EngineEvent, Failure, Result } from '../../src-shared/contract.ts'
import type { Folder, Gate, Snapshot, Transfer } from '../../src-shared/model.ts'
import { type Ctx, note, whenAborted } from './context.ts'
import { accountEnding, type Ending, keyFaultOf } from './ending.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Line } from './lines.ts'
import { reasonText } from './reason-text.ts'
import { failLines } from './reporter.ts'
import { PACE_MS, type Tracker } from './tracker.ts'

/** News of rows come up to a quarter of a second after the gate that their end has closed: until then nobody knows who waits for it. */
const GATE_MS = 400
const LAST_WORD_MS = 3000
/** After an event things may be done; many events come together. */
const SOON_MS = 60

export type Ended =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'interrupted' }

export interface Look {
  readonly snapshot: Snapshot
  /** Since when the account is seen offline, null while it is not. */
  readonly offlineSince: number | null
  /** Since when uploads are seen paused, null while they are not; minus infinity: since before this command began. */
  readonly pausedSince: number | null
}

export interface FollowOptions {
  readonly ctx: Ctx
  readonly tracker: Tracker
  /** Reads rows anew before the end is told: news of the last ones may be on their way still. */
  readonly catchUp: () => Promise<void>
  /** Asks the engine for what this command wants, and reads all of it. Runs again after a takeover or a gap in the events. */
  readonly begin: (reason: 'start' | 'reopened' | 'gap') => Promise<Result<void>>
  /** Events; those that come before `begin` has ended too. */
  readonly onTransfers: (items: readonly Transfer[]) => void
  readonly tell: (lines: readonly Line[]) => void
  readonly onFolder?: (folder: Folder) => void
  /** True: what the engine says of itself is a reason to look at once. */
  readonly isNews?: (snapshot: Snapshot) => boolean
  /** Time between two looks when nothing is heard. */
  readonly lookMs: number
  /** A command that ends by itself says at its end what is wrong; one that does not has to say it when it happens. */
  readonly notices: boolean
  /** Null: go on. */
  readonly look: (look: Look) => Promise<Result<Ending | null>>
}

export async function follow(options: FollowOptions): Promise<Ended> {
  const { ctx, tracker } = options
  const interrupted = whenAborted(ctx.signal).then((): Ended => ({ kind: 'interrupted' }))
  /** Something happened since the last look. */
  let stirred = false
  let endSleep: () => void = () => undefined
  const wake = (): void => {
    stirred = true
    endSleep()
  }
  let again: 'reopened' | 'gap' | null = null
  let lastSeq: number | null = null
  let offlineSince: number | null = null
  let pausedSince: number | null = null
  let hasLooked = false
  let gateNow: Gate | null = null
  let noted: Gate['reason'] | null = null
  let gateTimer: (() => void) | null = null
  let soon: (() => void) | null = null

  const tellGate = (): void => {
    gateTimer = null
    const gate = gateNow
    const now = ctx.time.now()
    options.tell(tracker.gate(gate))
    const reason = gate === null || (gate.until !== null && gate.until - now < PACE_MS) ? null : gate.reason
    if (reason === noted) return
    noted = reason
    // The minute's budget comes and goes all the time; the live line tells it where there is one.
    if (gate === null || reason === null || reason === 'rate-minute' || ctx.json || ctx.term.errIsTerminal || tracker.pendingCount() === 0)
      return
    note(ctx, `${reasonText(gate.reason, gate.until, now)}.`)
  }

  const stopTimers = (): void => {
    gateTimer?.()
    soon?.()
  }

  const seeGate = (gate: Gate | null): void => {
    gateNow = gate
    gateTimer ??= ctx.time.after(GATE_MS, tellGate)
  }

  const lookSoon = (): void => {
    soon ??= ctx.time.after(SOON_MS, () => {
      soon = null
      wake()
    })
  }

  const seeEvent = (event: EngineEvent): void => {
    if (lastSeq !== null && event.seq !== lastSeq + 1 && again === null) again = 'gap'
    lastSeq = event.seq
    switch (event.kind) {
      case 'transfers':
        options.onTransfers(event.items)
        lookSoon()
        break
      case 'progress':
        draw(event.progress)
        break
      case 'gate':
        seeGate(event.gate)
        lookSoon()
        break
      case 'folder':
        options.onFolder?.(event.folder)
        lookSoon()
        break
      case 'notice':
        if (options.notices && event.level === 'problem') note(ctx, event.hint === null ? event.title : `${event.title} ${event.hint}`)
        break
      case 'state':
        seeSnapshot(event.snapshot)
        if (options.isNews?.(event.snapshot) === true) lookSoon()
        break
      case 'catalog':
        break
      default:
        event satisfies never
    }
  }

  const draw = (progress: Snapshot['progress']): void => {
    if (!ctx.term.errIsTerminal || ctx.quiet) return
    const sent = new Map(progress.active.map((one) => [one.id, one.sent]))
    const active = progress.active.some((one) => tracker.has(one.id))
    ctx.term.progress({
      ...tracker.progress(sent),
      speed: progress.speed,
      etaMs: progress.etaMs,
      wait: active || tracker.pendingCount() === 0 ? null : gateNow,
      now: ctx.time.now(),
    })
  }

  const seeSnapshot = (snapshot: Snapshot): void => {
    if (snapshot.account.state !== 'offline') offlineSince = null
    else offlineSince ??= ctx.time.now()
    if (!snapshot.paused) pausedSince = null
    else pausedSince ??= hasLooked ? ctx.time.now() : Number.NEGATIVE_INFINITY
    hasLooked = true
    seeGate(gateOf(snapshot))
    draw(snapshot.progress)
  }

  const stopEvents = ctx.client.onEvent(seeEvent)
  const stopReopen = ctx.client.onReopen(() => {
    again = 'reopened'
    lastSeq = null
    wake()
  })

  const run = async (): Promise<Ended> => {
    const begun = await options.begin('start')
    if (!begun.ok) return { kind: 'failed', failure: begun.failure }
    for (;;) {
      if (again !== null) {
        const reason = again
        again = null
        const rebegun = await options.begin(reason)
        if (!rebegun.ok) return { kind: 'failed', failure: rebegun.failure }
      }
      stirred = false
      const snapshot = await ctx.client.call('snapshot', {})
      if (!snapshot.ok) return { kind: 'failed', failure: snapshot.failure }
      seeSnapshot(snapshot.value)
      const ending = await options.look({ snapshot: snapshot.value, offlineSince, pausedSince })
      if (!ending.ok) return { kind: 'failed', failure: ending.failure }
      if (ending.value !== null) return { kind: 'ended', ending: ending.value }
      if (!stirred) {
        await new Promise<void>((resolve) => {
          const cancel = ctx.time.after(options.lookMs, resolve)
          endSleep = () => {
            cancel()
            resolve()
          }
        })
      }
      if (ctx.signal.aborted) return { kind: 'interrupted' }
    }
  }

  const ended = await Promise.race([run(), interrupted])
  stopEvents()
  stopReopen()
  stopTimers()
  if (ended.kind !== 'failed') await options.catchUp()
  // No file is left without the reason why it is not up.
  if (ended.kind === 'ended')
    options.tell(tracker.gate(gateNow ?? (offlineSince === null ? null : { reason: 'offline', until: null, message: null }), true))
  ctx.term.progress(null)
  return ended
}

/** An engine that hangs must not hold up the end. Null: it took too long. */
export async function inTime<T>(ctx: Ctx, call: Promise<T>): Promise<T | null> {
  let cancel: () => void = () => undefined
  const late = new Promise<null>((done) => {
    cancel = ctx.time.after(LAST_WORD_MS, () => done(null))
  })
  const answer = await Promise.race([call, late])
  cancel()
  return answer
}

/** What holds back the account, a pause by a person included. */
export function gateOf(snapshot: Snapshot): Gate | null {
  return snapshot.paused ? { reason: 'paused', until: null, message: null } : snapshot.gate
}

/** No key at all is told before anything is asked for. */
export async function refuseWithoutKey(ctx: Ctx): Promise<ExitCode | null> {
  const snapshot = await ctx.client.call('snapshot', {})
  // Whatever is wrong with the engine, the next call says it better.
  if (!snapshot.ok || snapshot.value.account.state !== 'none') return null
  const ending = accountEnding(snapshot.value.account, keyFaultOf(snapshot.value))
  return ending === null ? null : failLines(ctx, { code: 'no-key', title: ending.title, hint: ending.hint })
}
