// Builds the flat list of the transfers view: headings, rows, folds (several rows with the same reason shown
// as one), placeholders for rows that aren't in memory, and items that show or read more. Pure.
import { foldText } from '../../../src-shared/fold-text.ts'
import type { Counts, Reason, Transfer, TransferState } from '../../../src-shared/model.ts'
import type { Choice } from '../../lib/key-selection.ts'
import { isComplete, type PagedList } from './paged-list.ts'

export const WAITING_STATES = ['queued', 'waiting', 'unknown'] as const satisfies readonly TransferState[]
export const PAUSED_STATES = ['queued', 'waiting'] as const satisfies readonly TransferState[]
export const NEEDS_STATES = ['held', 'failed'] as const satisfies readonly TransferState[]
export const ENDED_STATES = ['done', 'cancelled', 'gone'] as const satisfies readonly TransferState[]

/**
 * Number of waiting rows shown while their group is collapsed, so that "Needs attention" is never 100,000
 * rows away.
 */
export const WAITING_SHOWN = 3

export type Group = 'uploading' | 'waiting' | 'paused' | 'needs' | 'today' | 'history'

/** Why a transfer needs the user's attention; `other` if it names no reason. */
export type NeedReason = Reason | 'other'

export type Item =
  | {
      readonly kind: 'head'
      readonly key: string
      readonly group: Group
      /** Number of transfers. */
      readonly count: number
      /** Whether there may be more transfers than `count`. */
      readonly more: boolean
      /** Start of the local day, in epoch ms, for headings of ended transfers. Null for other headings. */
      readonly day: number | null
      /** The reason why the whole group waits; null if there is no common reason. */
      readonly reason: Reason | null
      readonly until: number | null
      readonly settling: number
    }
  | {
      readonly kind: 'row'
      readonly key: string
      readonly group: Group
      readonly transfer: Transfer
      readonly page: number | null
      readonly inFold: boolean
      /** The reason in the row's heading; null if that has none. */
      readonly headReason?: Reason | null
    }
  | {
      readonly kind: 'fold'
      readonly key: string
      readonly group: 'needs'
      readonly reason: NeedReason
      readonly rows: readonly Transfer[]
      readonly open: boolean
      readonly page: number | null
    }
  /** A placeholder for a row whose page isn't in memory. */
  | { readonly kind: 'gap'; readonly key: string; readonly group: Group; readonly page: number }
  /**
   * A "Show more" item. It expands the whole group (`all`) or reads the next page. `hidden`: number of hidden
   * rows; null if unknown.
   */
  | {
      readonly kind: 'rest'
      readonly key: string
      readonly group: Group
      readonly hidden: number | null
      readonly all: boolean
    }
  /** The end of the rows read so far. When it becomes visible, the next page is read. */
  | { readonly kind: 'tail'; readonly key: string; readonly group: Group }

export interface GroupInput {
  /** The running uploads, in any order. */
  readonly live: readonly Transfer[]
  /** Without those that the user has paused. */
  readonly waiting: PagedList
  readonly paused: PagedList
  readonly needs: PagedList
  readonly ended: PagedList
  /** Null during a search, or if not known yet. In that case, only the rows read so far are counted. */
  readonly counts: Counts | null
  readonly gate: { readonly reason: Reason; readonly until: number | null } | null
  readonly waitingOpen: boolean
  readonly foldsOpen: ReadonlySet<string>
  readonly now: number
}

/**
 * Whether a search finds the transfer. Case and accents are ignored, as in the engine, which searches the
 * other groups.
 */
export function isFoundBy(search: string, { path }: Transfer): boolean {
  return foldText(path).includes(foldText(search))
}

/**
 * Whether the user has paused this transfer, or its folder. If everything is paused, the transfer has the same
 * reason, but a message.
 */
export function isPaused({ reason, message }: Pick<Transfer, 'reason' | 'message'>): boolean {
  return reason === 'folder-paused' || (reason === 'paused' && message === null)
}

/** Returns the start of the local day that contains `at`, in epoch ms. */
export function startOfDay(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** Returns when a transfer ended or, if that is unknown, when it was created. In epoch ms. */
function endedAt(transfer: Transfer): number {
  return transfer.doneAt ?? transfer.createdAt
}

interface Slot {
  readonly page: number
  readonly row: Transfer | null
}

/**
 * Returns the rows of a paged list, with placeholders for those not in memory, and without transfers that
 * have moved to another group.
 */
function slots(
  paged: PagedList,
  states: readonly TransferState[],
  moved: ReadonlySet<number>,
): readonly Slot[] {
  const out: Slot[] = []
  for (const page of paged.pages) {
    if (page.rows === null) for (let i = 0; i < page.count; i++) out.push({ page: page.start, row: null })
    else
      for (const row of page.rows)
        if (states.includes(row.state) && !moved.has(row.id)) out.push({ page: page.start, row })
  }
  return out
}

/**
 * Returns the reason that all rows share, with their earliest `until`; null if there are no rows or no common
 * reason.
 */
export function commonReason(
  rows: readonly Transfer[],
): { readonly reason: Reason; readonly until: number | null } | null {
  const waiting = rows.filter((row) => row.reason !== null)
  const reason = waiting[0]?.reason ?? null
  if (reason === null || waiting.length < rows.length || waiting.some((row) => row.reason !== reason))
    return null
  const times = waiting.flatMap((row) => (row.until === null ? [] : [row.until]))
  return { reason, until: times.length === 0 ? null : Math.min(...times) }
}

const plainHead = { day: null, reason: null, until: null, settling: 0, more: false } as const

/** Builds the list from the pages read so far. Every key occurs once. */
export function buildList(input: GroupInput): readonly Item[] {
  const items: Item[] = []
  const uploading = input.live.toSorted((a, b) => a.id - b.id)
  const moved = new Set(uploading.map((one) => one.id))
  if (uploading.length > 0) {
    items.push({
      kind: 'head',
      key: 'head-uploading',
      group: 'uploading',
      count: uploading.length,
      ...plainHead,
    })
    for (const transfer of uploading)
      items.push({
        kind: 'row',
        key: `t${transfer.id}`,
        group: 'uploading',
        transfer,
        page: null,
        inFold: false,
      })
  }
  // The lists are read independently, so a row may briefly be in two of them, but its key must be unique.
  // Running uploads are shown only in their own group, and ended transfers only among the ended ones. A row
  // that is both in the waiting list and in the "Needs attention" list is shown in the one whose page isn't
  // stale. If both pages are stale or both are current, it is shown under "Needs attention".
  const ended = idsOf(input.ended, ENDED_STATES)
  const needs = idsOf(input.needs, NEEDS_STATES)
  const waiting = idsOf(input.waiting, WAITING_STATES)
  const paused = idsOf(input.paused, PAUSED_STATES)
  const outOf = (
    mine: ReadonlyMap<number, boolean>,
    other: ReadonlyMap<number, boolean>,
    atEvens: boolean,
  ): ReadonlySet<number> => {
    const out = new Set([...moved, ...ended.keys()])
    for (const [id, stale] of mine) {
      const otherStale = other.get(id)
      if (otherStale !== undefined && (stale === otherStale ? atEvens : stale)) out.add(id)
    }
    return out
  }
  pushWaiting(items, input, new Set([...outOf(waiting, needs, true), ...paused.keys()]))
  pushPaused(items, input, outOf(paused, needs, true))
  pushNeeds(items, input, outOf(needs, waiting, false))
  pushEnded(items, input, moved)
  return items
}

/** Returns the keys of the rows that can be selected, in the order shown. */
export function rowKeys(items: readonly Item[]): readonly string[] {
  return items.flatMap((item) => (item.kind === 'row' ? [item.key] : []))
}

/**
 * `chosen`: the selected transfers in the list. `meant`: those that a command applies to, which are the
 * selected ones or, without a selection, those of the active row. If all selected rows have left the list,
 * nothing is meant: another row has become active in their place, and a key press that was meant for them
 * must not cancel it.
 */
export function chosenOf(
  items: readonly Item[],
  choice: Choice,
): { readonly chosen: readonly Transfer[]; readonly meant: readonly Transfer[] } {
  const rows = new Map(
    items.flatMap((item) => (item.kind === 'row' ? [[item.key, item.transfer] as const] : [])),
  )
  const chosen = [...choice.chosen].flatMap((key) => rows.get(key) ?? [])
  if (choice.chosen.size > 0) return { chosen, meant: chosen }
  const active = items.find((item) => item.key === choice.active)
  return {
    chosen,
    meant: active?.kind === 'row' ? [active.transfer] : active?.kind === 'fold' ? active.rows : [],
  }
}

/** Maps the IDs in a paged list to whether their page is stale. */
function idsOf(paged: PagedList, states: readonly TransferState[]): ReadonlyMap<number, boolean> {
  const ids = new Map<number, boolean>()
  for (const page of paged.pages)
    for (const row of page.rows ?? []) if (states.includes(row.state)) ids.set(row.id, page.stale)
  return ids
}

function pushWaiting(items: Item[], input: GroupInput, moved: ReadonlySet<number>): void {
  const list = slots(input.waiting, WAITING_STATES, moved)
  const settling = input.counts?.settling ?? 0
  if (list.length === 0 && settling === 0) return
  const whole = isComplete(input.waiting)
  const counted =
    input.counts === null ? null : input.counts.queued + input.counts.waiting + input.counts.unknown
  const total = whole ? list.length : Math.max(list.length, counted ?? 0)
  const common = input.gate ?? commonReason(list.flatMap((slot) => (slot.row === null ? [] : [slot.row])))
  items.push({
    kind: 'head',
    key: 'head-waiting',
    group: 'waiting',
    count: total,
    more: !whole && counted === null,
    day: null,
    reason: common?.reason ?? null,
    until: common?.until ?? null,
    settling,
  })
  pushFolded(items, input, 'waiting', { list, total, whole, reason: common?.reason ?? null })
}

function pushPaused(items: Item[], input: GroupInput, moved: ReadonlySet<number>): void {
  const list = slots(input.paused, PAUSED_STATES, moved)
  if (list.length === 0) return
  const whole = isComplete(input.paused)
  const counted = input.counts?.paused ?? null
  const total = whole ? list.length : Math.max(list.length, counted ?? 0)
  const { reason = null } = commonReason(list.flatMap((slot) => (slot.row === null ? [] : [slot.row]))) ?? {}
  const more = !whole && counted === null
  items.push({ ...plainHead, kind: 'head', key: 'head-paused', group: 'paused', count: total, more, reason })
  pushFolded(items, input, 'paused', { list, total, whole, reason })
}

/** Adds the rows of a group that is collapsed while it has many. `reason`: the one in its heading. */
function pushFolded(
  items: Item[],
  input: GroupInput,
  group: 'waiting' | 'paused',
  {
    list,
    total,
    whole,
    reason,
  }: {
    readonly list: readonly Slot[]
    readonly total: number
    readonly whole: boolean
    readonly reason: Reason | null
  },
): void {
  // "Show all" takes the space of a row, so hiding one row would save nothing, and hiding two only one row.
  const folds = !input.waitingOpen && total > WAITING_SHOWN + 2
  const shown = folds ? list.slice(0, WAITING_SHOWN) : list
  for (const [at, slot] of shown.entries()) items.push(itemOf(slot, group, at, reason))
  if (folds)
    items.push({ kind: 'rest', key: `rest-${group}`, group, hidden: total - shown.length, all: true })
  else if (!whole) items.push({ kind: 'tail', key: `tail-${group}`, group })
}

function itemOf(slot: Slot, group: Group, at: number, headReason: Reason | null = null): Item {
  if (slot.row === null)
    return { kind: 'gap', key: `gap-${group}-${slot.page}-${at}`, group, page: slot.page }
  return {
    kind: 'row',
    key: `t${slot.row.id}`,
    group,
    transfer: slot.row,
    page: slot.page,
    inFold: false,
    headReason,
  }
}

function pushNeeds(items: Item[], input: GroupInput, moved: ReadonlySet<number>): void {
  const list = slots(input.needs, NEEDS_STATES, moved)
  if (list.length === 0) return
  const whole = isComplete(input.needs)
  const counted = input.counts === null ? null : input.counts.held + input.counts.failed
  const total = whole ? list.length : Math.max(list.length, counted ?? 0)
  items.push({
    kind: 'head',
    key: 'head-needs',
    group: 'needs',
    count: total,
    ...plainHead,
    more: !whole && counted === null,
  })
  const byReason = new Map<NeedReason, Slot[]>()
  const gaps: Slot[] = []
  for (const slot of list) {
    if (slot.row === null) {
      gaps.push(slot)
      continue
    }
    const reason = slot.row.reason ?? 'other'
    const had = byReason.get(reason)
    if (had === undefined) byReason.set(reason, [slot])
    else had.push(slot)
  }
  for (const [reason, of] of byReason) {
    const [first] = of
    if (first === undefined) continue
    if (of.length === 1) {
      items.push(itemOf(first, 'needs', 0))
      continue
    }
    const key = `fold-${reason}`
    const open = input.foldsOpen.has(key)
    const rows = of.flatMap((slot) => (slot.row === null ? [] : [slot.row]))
    items.push({ kind: 'fold', key, group: 'needs', reason, rows, open, page: first.page })
    if (open)
      for (const slot of of)
        if (slot.row !== null)
          items.push({
            kind: 'row',
            key: `t${slot.row.id}`,
            group: 'needs',
            transfer: slot.row,
            page: slot.page,
            inFold: true,
            headReason: reason === 'other' ? null : reason,
          })
  }
  for (const [at, slot] of gaps.entries()) items.push(itemOf(slot, 'needs', at))
  if (!whole)
    items.push({
      kind: 'rest',
      key: 'rest-needs',
      group: 'needs',
      hidden: counted === null ? null : total - list.length,
      all: false,
    })
}

/**
 * Adds the transfers that ended today, then those of the days before. The engine returns the highest IDs
 * first, but IDs follow the order in which transfers were queued, not the order in which they ended. So each
 * page is sorted by end time. A row that ended on a later day than the row above it stays below that row's
 * heading, so that no day gets a second heading.
 */
function pushEnded(items: Item[], input: GroupInput, moved: ReadonlySet<number>): void {
  const today = startOfDay(input.now)
  const rows: Slot[] = []
  for (const page of input.ended.pages) {
    if (page.rows === null) {
      for (let i = 0; i < page.count; i++) rows.push({ page: page.start, row: null })
      continue
    }
    const kept = page.rows.filter(
      (row) => (ENDED_STATES as readonly TransferState[]).includes(row.state) && !moved.has(row.id),
    )
    for (const row of kept.toSorted((a, b) => endedAt(b) - endedAt(a) || b.id - a.id))
      rows.push({ page: page.start, row })
  }
  let day: number | null = null
  let headAt = -1
  let count = 0
  const close = (ended: boolean): void => {
    const head = items[headAt]
    if (head?.kind === 'head') items[headAt] = { ...head, count, more: !ended }
  }
  for (const [at, slot] of rows.entries()) {
    const own: number = slot.row === null ? (day ?? today) : startOfDay(endedAt(slot.row))
    const shown: number = day === null ? Math.min(own, today) : Math.min(own, day)
    if (shown !== day) {
      close(true)
      day = shown
      count = 0
      headAt = items.length
      const group = day === today ? 'today' : 'history'
      items.push({ kind: 'head', key: `head-${day}`, group, count, ...plainHead, day })
    }
    count++
    items.push(itemOf(slot, day === today ? 'today' : 'history', at))
  }
  const whole = isComplete(input.ended)
  close(whole)
  if (!whole && input.ended.pages.length > 0)
    items.push({ kind: 'tail', key: 'tail-history', group: 'history' })
}

/**
 * Returns the IDs of the newest transfers that finished today and still have their remote file, in the order
 * of the list, up to the first page that isn't in memory. Some may have no link yet.
 */
export function linksOfToday(items: readonly Item[]): readonly number[] {
  const gap = items.findIndex((item) => item.kind === 'gap' && item.group === 'today')
  return (gap === -1 ? items : items.slice(0, gap)).flatMap((item) => {
    if (item.kind !== 'row' || item.group !== 'today') return []
    const { id, state, ended } = item.transfer
    return state === 'done' && ended === undefined ? [id] : []
  })
}
