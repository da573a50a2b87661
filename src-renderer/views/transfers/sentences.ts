// The texts of rows, headings and the banner: the state, its reason, a time, and the colour. Pure; the texts
// themselves are in src-shared/i18n. Every combination of state and reason has a text.
import { printable } from '../../../src-shared/format.ts'
import type { Ended, Folder, PutAway, Reason, Transfer, WaitReason } from '../../../src-shared/model.ts'
import type { Overview } from '../../../src-shared/overview.ts'
import { isInBanner } from '../../lib/causes.ts'
import { pathNames } from '../../lib/path-names.ts'
import { reasonSentence, type Words } from '../../lib/words.ts'
import type { Changes } from './follow-changes.ts'
import type { NeedReason } from './groups.ts'
import type { Plan } from './upload-plan.ts'

export type Tone = 'second' | 'waiting' | 'problem'

export interface Sentence {
  readonly text: string
  readonly tone: Tone
}

/** Whether changes to the file are uploaded: it is in a watched folder that doesn't ignore changes. */
export function hasFollowUp(
  { folderId }: Transfer,
  folders: readonly Pick<Folder, 'id' | 'onChange'>[],
): boolean {
  return folders.some((folder) => folder.id === folderId && folder.onChange !== 'ignore')
}

export interface RowState {
  readonly now: number
  /** Whether the user has moved the transfer to the front since the view was opened. */
  readonly next: boolean
  /** Whether changes to the file are uploaded (`hasFollowUp`). */
  readonly followUp: boolean
}

/** Describes the state of a row and the reason for it. */
export function rowSentence(words: Words, transfer: Transfer, { now, next, followUp }: RowState): Sentence {
  const { t, f } = words
  const own = t.transfersView
  const { reason, state } = transfer
  switch (state) {
    case 'queued':
      return {
        text: next
          ? own.goesNext
          : reason === null
            ? own.ready
            : reasonSentence(words, reason, transfer.until, now),
        tone: 'second',
      }
    case 'settling':
      return { text: t.reasons.settling(''), tone: 'second' }
    case 'waiting':
      if (reason === null) return { text: own.ready, tone: 'second' }
      if (reason === 'grace' && transfer.until !== null)
        return { text: own.goesUpIn(f.duration(wholeSeconds(transfer.until - now))), tone: 'second' }
      return {
        text: reasonSentence(words, reason, transfer.until, now),
        tone:
          reason === 'settling' || reason === 'paused' || reason === 'folder-paused' ? 'second' : 'waiting',
      }
    case 'unknown':
      return { text: reasonSentence(words, reason ?? 'checking', transfer.until, now), tone: 'second' }
    case 'held':
    case 'failed': {
      const text = reason === null ? own.needsOther : reasonSentence(words, reason, null, now)
      const evidence =
        reason === 'secret' && transfer.message !== null ? own.secretRule(transfer.message) : null
      return { text: evidence === null ? text : own.evidence(text, evidence), tone: 'problem' }
    }
    case 'uploading':
      return {
        text: transfer.sent >= transfer.size && transfer.size > 0 ? own.allSent : own.starting,
        tone: 'second',
      }
    case 'done': {
      if (transfer.ended !== undefined)
        return { text: endedSentence(words, transfer.ended, followUp), tone: 'second' }
      const clock = f.clock(transfer.doneAt ?? transfer.createdAt, now)
      const text =
        transfer.publicLink === null
          ? own.noLink(clock)
          : transfer.adopted
            ? own.found(clock)
            : own.uploaded(clock)
      return { text: placeSentence(words, text, transfer.putAway), tone: 'second' }
    }
    case 'cancelled':
      if (transfer.ended !== undefined)
        return { text: endedSentence(words, transfer.ended, followUp), tone: 'second' }
      if (transfer.leftPublic === true) return { text: own.leftPublic, tone: 'problem' }
      // Slipway no longer looks for the file on the service, because it couldn't compare the possible
      // matches.
      return reason === 'ambiguous'
        ? { text: own.maybePublic, tone: 'problem' }
        : { text: own.leftOut, tone: 'second' }
    case 'gone':
      return { text: own.gone, tone: 'second' }
    default:
      return state satisfies never
  }
}

/** Adds to the text where the file was moved after its upload. */
function placeSentence({ t }: Words, text: string, putAway: PutAway | undefined): string {
  const { movedTo, inBin } = t.transfersView
  if (putAway === undefined) return text
  if (putAway.where === 'bin' || putAway.path === null) return inBin(text)
  return movedTo(text, printable(pathNames(putAway.path).at(-2) ?? putAway.path))
}

/** A countdown shows each second until it is over, and never 0. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000)) * 1000
}

/**
 * Whether the row's heading, or a banner in its place, gives the reason already, so that only screen readers
 * need it in the row. `headReason`: the reason that all rows below the heading share; null if there is none.
 */
export function isSaidAbove(
  { state, reason, message }: Transfer,
  headReason: Reason | null,
  { next }: Pick<RowState, 'next'>,
): boolean {
  if (headReason === null || next) return false
  if (state === 'queued' || state === 'waiting') return reason === null || reason === headReason
  return (state === 'held' || state === 'failed') && !(reason === 'secret' && message !== null)
}

/** Details beyond the row's sentence, for its tooltip; may be empty. */
export function rowDetail(
  { t }: Words,
  { message, leftLink }: Pick<Transfer, 'message' | 'leftLink'>,
): string {
  if (message === null) return ''
  const own = t.transfersView
  // While the transfer waits for something else, its message doesn't name the link.
  return leftLink !== undefined && message.includes(leftLink)
    ? own.leftDetail(message, leftLink)
    : own.detail(message)
}

function endedSentence({ t }: Words, ended: Ended, followUp: boolean): string {
  const own = t.transfersView
  return ended !== 'replaced' && followUp ? own.endedAgain[ended] : own.ended[ended]
}

/** Describes the reason that all rows of a fold share. */
export function foldSentence({ t }: Words, reason: NeedReason): string {
  return reason === 'other' ? t.transfersView.needsOther : t.reasons[reason]('')
}

/**
 * Describes a running upload: `64 % · 48 MB/s · 6 s left`. `size` and `sent` are in bytes; `speed` is in
 * bytes per second, or 0 if it isn't known yet.
 */
export function progressSentence({ t, f }: Words, size: number, sent: number, speed: number): string {
  const own = t.transfersView
  if (size > 0 && sent >= size) return own.allSent
  if (sent === 0 && speed === 0) return own.starting
  const parts = [f.percent(size === 0 ? 1 : sent / size)]
  if (speed >= 1) parts.push(f.speed(speed), own.spanLeft(f.duration(((size - sent) / speed) * 1000)))
  return own.progressWords(parts)
}

/**
 * Describes the reason that a whole group shares, without the word "Waiting", which the heading already
 * contains.
 */
function groupReason(words: Words, reason: Reason, until: number | null, now: number): string {
  const { waitingFor } = words.t.transfersView
  const isWait = (one: Reason): one is WaitReason => Object.hasOwn(waitingFor, one)
  if (!isWait(reason)) return reasonSentence(words, reason, until, now)
  return waitingFor[reason](until === null || until <= now ? '' : words.f.when(until, now))
}

/** Returns the text next to a heading's number, or '' if there is nothing to say. */
export function headDetail(
  words: Words,
  head: {
    readonly reason: Reason | null
    readonly until: number | null
    readonly settling: number
  },
  now: number,
): string {
  const parts: string[] = []
  if (head.reason !== null && !isInBanner(head.reason))
    parts.push(groupReason(words, head.reason, head.until, now))
  if (head.settling > 0)
    parts.push(words.t.transfersView.settling(head.settling, words.f.count(head.settling)))
  return parts.join(' · ')
}

/** Returns the text next to the view's title: `21 open · about 1 min 20 s left`. */
export function viewDetail(
  { t, f }: Words,
  { open, paused, leftMs }: Pick<Overview, 'open' | 'paused' | 'leftMs'>,
): string {
  const own = t.transfersView
  const parts = open === 0 && paused > 0 ? [] : [own.open(open, f.count(open))]
  if (paused > 0) parts.push(t.statusPaused(paused, f.count(paused)))
  if (leftMs !== null && leftMs >= 1000) parts.push(own.left(f.duration(leftMs)))
  return parts.join(' · ')
}

/** Returns title and hint of the banner about the daily upload limit. `now` is in epoch ms. */
export function planSentence(
  { t, f }: Words,
  plan: Plan,
  now: number,
): { readonly title: string; readonly hint: string } {
  const own = t.transfersView
  const limit = f.count(plan.limit)
  const done = own.planDone(plan.days, f.count(plan.days))
  const at = plan.from === null || plan.from <= now ? '' : f.when(plan.from, now)
  if (plan.now === 0)
    return { title: own.planNone(limit), hint: own.planLater(plan.later, f.count(plan.later), at) + done }
  const midnight = plan.from !== null && isMidnight(plan.from)
  const from =
    plan.from === null || plan.from <= now ? '' : midnight ? own.planMidnight : f.clock(plan.from, now)
  return {
    title: own.planSome(f.count(plan.left), limit),
    hint: own.planNow(plan.now, f.count(plan.now), f.count(plan.later), from) + done,
  }
}

function isMidnight(at: number): boolean {
  const date = new Date(at)
  return date.getHours() === 0 && date.getMinutes() === 0
}

/** Returns the text for the live region, which screen readers announce. */
export function changeSentence({ t, f }: Words, changes: Changes): string {
  const own = t.transfersView
  const parts: string[] = []
  if (changes.done > 0) parts.push(own.saidDone(changes.done, f.count(changes.done)))
  if (changes.needs > 0) parts.push(own.saidNeeds(changes.needs, f.count(changes.needs)))
  if (changes.waiting > 0) parts.push(own.saidWaiting(changes.waiting, f.count(changes.waiting)))
  return parts.join(', ')
}

/**
 * Returns `Today`, `Yesterday` or the date of `day`. Both arguments are starts of local days, in epoch ms.
 */
export function dayName({ t, f }: Words, day: number, today: number): string {
  if (day === today) return t.time.today
  const apart = Math.round((today - day) / 86_400_000)
  return apart === 1 ? t.time.yesterday : f.ago(day, today)
}
