// Which notifications are shown, and when: one for each drop or burst of a watched folder, one for each thing that holds everything up.
// Never for what the person looks at anyway, never twice for one cause within ten minutes. It is fed with what happens and the time, and
// answers with what to show; it shows nothing and has no clock. Its memory is its own: feed one after another, in the order of events.
import type { Boot, View } from '../../../src-shared/app.ts'
import { middleEllipsis, printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { FailedReason, HeldReason, Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'

const MINUTE = 60_000
/** A burst is over when nothing has ended for so long. */
const QUIET = 3000
/** A folder that never rests is told of once an hour. */
const BURST_MOST = 60 * MINUTE
/** A pause of the whole account that is longer ends a burst: what is up can be used, the rest is told when it is. */
const LONG_PAUSE = 2 * MINUTE
/** The service is away for a person only after this; shorter gaps are nobody's business. */
const AWAY = MINUTE
/** One cause is told once in this time. */
const AGAIN = 10 * MINUTE
/** What a copy of links takes at once (app.ts, `copyTransferLinks`). */
const IDS = 1000
const NAME = 40

export type NoticeEvent =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'transfers'; readonly items: readonly Transfer[] }
  /** What an upload took in, page by page; `more`: another page follows. Its transfers belong together from now on. */
  | { readonly kind: 'batch'; readonly batch: number; readonly items: readonly Transfer[]; readonly more: boolean }
  /** Files whose first download was just noticed. */
  | { readonly kind: 'first-downloads'; readonly files: readonly { readonly fileId: number; readonly name: string }[] }
  /** The machine slept: what was counted until now counts anew. */
  | { readonly kind: 'woke' }
  | { readonly kind: 'tick' }

export interface NoticePolicy extends Pick<AppSettings, 'notify' | 'snoozedUntil'> {
  /** The window has the focus. */
  readonly focused: boolean
  /** The links of a drop are copied once it is up (settings, `copyAfterDrop`). */
  readonly copies: boolean
  readonly platform: Boot['platform']
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
}

export type NoticeAction =
  | { readonly kind: 'copy-links'; readonly transferIds: readonly number[] }
  | { readonly kind: 'retry'; readonly transferIds: readonly number[] }
  | { readonly kind: 'show'; readonly view: View }

export interface Notice {
  /** A newer notice of the same cause may take the place of this one. */
  readonly cause: string
  readonly title: string
  readonly body: string
  /** Uploads stand still until a person does something. */
  readonly urgent: boolean
  readonly click: NoticeAction
  readonly actions: readonly { readonly label: string; readonly action: NoticeAction }[]
}

/** A drop whose last file has come to its end, told whether anything is shown or not. */
export interface EndedDrop {
  readonly batch: number
  /** Those with a link, in the order of the drop. */
  readonly done: readonly number[]
  /** How many are held or failed. */
  readonly needs: number
}

interface Answer {
  readonly notices: readonly Notice[]
  readonly ended: readonly EndedDrop[]
  /** When to come with a `tick` if nothing else happens before; null: no need. */
  readonly wakeAt: number | null
}

interface Notices {
  take(input: { readonly event: NoticeEvent; readonly now: number; readonly policy: NoticePolicy }): Answer
}

type End =
  | { readonly kind: 'done'; readonly name: string }
  | { readonly kind: 'held' | 'failed'; readonly name: string; readonly reason: HeldReason | FailedReason | null }

interface Drop {
  readonly batch: number
  readonly order: number[]
  readonly pending: Set<number>
  readonly ends: Map<number, End>
  complete: boolean
}

interface Burst {
  readonly ends: Map<number, End>
  readonly firstAt: number
  lastAt: number
}

function needsReason(transfer: Transfer, texts: ShellTexts['notice']['needs']): HeldReason | FailedReason | null {
  const { reason } = transfer
  return reason !== null && Object.hasOwn(texts, reason) ? (reason as HeldReason | FailedReason) : null
}

function endOf(transfer: Transfer, texts: ShellTexts): End | 'open' | 'closed' {
  const name = transfer.filename ?? transfer.name
  // Deleted or replaced since: its link is no news.
  if (transfer.ended !== undefined) return 'closed'
  switch (transfer.state) {
    case 'done':
      return { kind: 'done', name }
    case 'held':
    case 'failed':
      return { kind: transfer.state, name, reason: needsReason(transfer, texts.notice.needs) }
    case 'cancelled':
    case 'gone':
      return 'closed'
    default:
      return 'open'
  }
}

function shownName(name: string): string {
  return middleEllipsis(printable(name), NAME)
}

function list(names: readonly string[], { texts, formats }: NoticePolicy): string {
  const [first = '', second, third] = names.map(shownName)
  if (second === undefined) return first
  if (third === undefined) return texts.notice.and(first, second)
  if (names.length === 3) return texts.notice.and(`${first}, ${second}`, third)
  return texts.notice.andMore(`${first}, ${second}`, formats.count(names.length - 2))
}

interface Told {
  readonly cause: string
  readonly ends: ReadonlyMap<number, End>
  /** The ids of `ends` as they are to be read. */
  readonly order: readonly number[]
  /** Their links are on the clipboard by now. */
  readonly copied: boolean
}

function batchNotice({ cause, ends, order, copied }: Told, policy: NoticePolicy): Notice | null {
  const { texts, formats } = policy
  const words = texts.notice
  const all = order.flatMap((id) => {
    const end = ends.get(id)
    return end === undefined ? [] : [{ id, end }]
  })
  const done = all.filter(({ end }) => end.kind === 'done')
  const needs = all.flatMap(({ end }) => (end.kind === 'done' ? [] : [end]))
  const failed = all.filter(({ end }) => end.kind === 'failed')
  if (all.length === 0) return null

  const ids = done.slice(0, IDS).map(({ id }) => id)
  const copy = { label: words.copyLinks(ids.length, formats.count(ids.length)), action: { kind: 'copy-links', transferIds: ids } } as const
  const names = list(
    done.map(({ end }) => end.name),
    policy,
  )
  if (needs.length === 0) {
    const show = { kind: 'show', view: 'files' } as const
    return {
      cause,
      title: words.linksReady(done.length, formats.count(done.length)),
      body: copied ? words.onClipboard(done.length, names) : names,
      urgent: false,
      // With the links on the clipboard already, there is nothing nearer to do than to see them.
      click: copied ? show : copy.action,
      actions: copied ? [{ label: words.show, action: show }] : [copy, { label: words.show, action: show }],
    }
  }
  const show = { kind: 'show', view: 'transfers' } as const
  const [one] = needs
  const retry = { kind: 'retry', transferIds: failed.slice(0, IDS).map(({ id }) => id) } as const
  return {
    cause,
    title:
      done.length === 0
        ? words.needYou(needs.length, formats.count(needs.length))
        : words.mixed(done.length, formats.count(done.length), needs.length, formats.count(needs.length)),
    body:
      needs.length === 1 && one !== undefined && one.reason !== null
        ? words.reason(shownName(one.name), words.needs[one.reason])
        : list(
            needs.map((end) => end.name),
            policy,
          ),
    urgent: false,
    click: show,
    actions: [
      { label: words.show, action: show },
      ...(failed.length > 0 ? [{ label: words.retry, action: retry }] : []),
      ...(done.length > 0 && !copied ? [copy] : []),
    ],
  }
}

function openCount({ counts }: Snapshot): number {
  return counts.settling + counts.queued + counts.uploading + counts.waiting + counts.unknown
}

/** Whether more of a burst is to come soon. `dropped` are open transfers that belong to drops. */
function isMoving(snapshot: Snapshot | null, dropped: number, now: number): boolean {
  if (snapshot === null) return false
  const { counts, gate } = snapshot
  if (gate !== null && (gate.until === null || gate.until - now > LONG_PAUSE)) return false
  // What waits by itself is not counted: its time may be hours away.
  return counts.settling + counts.queued + counts.uploading + counts.unknown - dropped > 0
}

function isAway({ account, gate }: Snapshot): boolean {
  return account.state === 'offline' || gate?.reason === 'offline'
}

export function createNotices(): Notices {
  let snapshot: Snapshot | null = null
  /** Drops that still come in, by their number; `live` holds those as well that only wait for their ends. */
  const incoming = new Map<number, Drop>()
  const live = new Set<Drop>()
  const owners = new Map<number, Drop>()
  let burst: Burst | null = null
  let bursts = 0
  /** What was told of a transfer lately, oldest first; a drop that learns of its files later finds their ends here. */
  const told = new Map<number, { readonly at: number; readonly end: End }>()
  const causes = new Map<string, number>()
  let blockedShown: 'key-refused' | 'no-api' | null = null
  let blocked: 'key-refused' | 'no-api' | null = null
  let awaySince: number | null = null
  let awayShown = false
  const foldersAway = new Set<number>()

  const forget = (now: number): void => {
    for (const [id, { at }] of told) {
      if (now - at < AGAIN) break
      told.delete(id)
    }
    for (const [cause, at] of causes) if (now - at >= AGAIN) causes.delete(cause)
  }

  const tell = (ends: ReadonlyMap<number, End>, now: number): void => {
    for (const [id, end] of ends) {
      told.delete(id)
      told.set(id, { at: now, end })
    }
  }

  const place = (drop: Drop, id: number, end: End | 'open' | 'closed'): void => {
    drop.ends.delete(id)
    drop.pending.delete(id)
    if (end === 'open') drop.pending.add(id)
    else if (end !== 'closed') drop.ends.set(id, end)
  }

  const takeTransfer = (transfer: Transfer, now: number, texts: ShellTexts): void => {
    const { id, doneAt } = transfer
    const end = endOf(transfer, texts)
    const owner = owners.get(id)
    if (owner !== undefined) {
      place(owner, id, end)
      return
    }
    if (end === 'open' || end === 'closed') {
      burst?.ends.delete(id)
      return
    }
    if (told.get(id)?.end.kind === end.kind) return
    // Said again after a restart or a move; news only to a program.
    if (end.kind === 'done' && doneAt !== null && now - doneAt > AGAIN) return
    burst ??= { ends: new Map(), firstAt: now, lastAt: now }
    if (burst.ends.get(id)?.kind !== end.kind) burst.lastAt = now
    burst.ends.set(id, end)
  }

  const takeBatch = ({ batch, items, more }: Extract<NoticeEvent, { kind: 'batch' }>, texts: ShellTexts): void => {
    const drop: Drop = incoming.get(batch) ?? { batch, order: [], pending: new Set(), ends: new Map(), complete: false }
    live.add(drop)
    for (const transfer of items) {
      const { id } = transfer
      const before = owners.get(id)
      const end = endOf(transfer, texts)
      // The answer to an upload may be older than the events of its first files. What ended long ago and is open in the answer, was sent again.
      const earlier = before?.ends.get(id) ?? told.get(id)?.end
      const known = burst?.ends.get(id) ?? (earlier?.kind === 'done' ? earlier : undefined)
      burst?.ends.delete(id)
      if (before !== drop) {
        // The same file dropped once more while it is on its way: the later drop tells of it.
        if (before !== undefined) place(before, id, 'closed')
        drop.order.push(id)
      }
      owners.set(id, drop)
      place(drop, id, end === 'open' ? (known ?? end) : end)
    }
    drop.complete = !more
    if (more) incoming.set(batch, drop)
    else incoming.delete(batch)
  }

  return {
    take({ event, now, policy }) {
      const { texts, formats } = policy
      const words = texts.notice
      const notices: Notice[] = []
      const ended: EndedDrop[] = []
      forget(now)

      /** True if it is shown. `blocks` gets through a snooze: nothing at all is uploaded until a person comes. */
      const show = (notice: Notice, weight: 'news' | 'problem' | 'blocks'): boolean => {
        const last = causes.get(notice.cause)
        if (last !== undefined) return false
        causes.set(notice.cause, now)
        if (policy.focused || policy.notify === 'none') return false
        if (policy.notify === 'problems' && weight === 'news') return false
        if (policy.snoozedUntil !== null && policy.snoozedUntil > now && weight !== 'blocks') return false
        notices.push(notice)
        return true
      }
      const plain = (cause: string, text: { readonly title: string; readonly body: string }, view: View, urgent = false): Notice => ({
        cause,
        ...text,
        urgent,
        click: { kind: 'show', view },
        actions: [{ label: words.show, action: { kind: 'show', view } }],
      })
      const showBatch = (batch: Told): void => {
        const notice = batchNotice(batch, policy)
        const good = [...batch.ends.values()].every((end) => end.kind === 'done')
        if (notice !== null) show(notice, good ? 'news' : 'problem')
        tell(batch.ends, now)
      }

      switch (event.kind) {
        case 'snapshot':
          snapshot = event.snapshot
          break
        case 'transfers':
          for (const transfer of event.items) takeTransfer(transfer, now, texts)
          break
        case 'batch':
          takeBatch(event, texts)
          break
        case 'first-downloads': {
          const files = event.files.filter(({ fileId }) => !causes.has(`download ${fileId}`))
          const [first] = files
          for (const { fileId } of files) causes.set(`download ${fileId}`, now)
          if (first === undefined) break
          const text =
            files.length === 1
              ? { title: words.firstDownload.title, body: words.firstDownload.body(shownName(first.name)) }
              : {
                  title: words.firstDownloads(files.length, formats.count(files.length)),
                  body: list(
                    files.map(({ name }) => name),
                    policy,
                  ),
                }
          show(plain(`downloads ${first.fileId}`, text, 'files'), 'news')
          break
        }
        case 'woke':
          if (awaySince !== null) awaySince = now
          break
        case 'tick':
          break
      }

      let wakeAt = Number.POSITIVE_INFINITY
      const wake = (at: number): void => {
        wakeAt = Math.min(wakeAt, at)
      }

      for (const drop of live) {
        if (!drop.complete || drop.pending.size > 0) continue
        live.delete(drop)
        for (const id of drop.order) if (owners.get(id) === drop) owners.delete(id)
        const done = drop.order.filter((id) => drop.ends.get(id)?.kind === 'done')
        ended.push({ batch: drop.batch, done, needs: drop.ends.size - done.length })
        bursts++
        showBatch({ cause: `drop ${bursts}`, ends: drop.ends, order: drop.order, copied: policy.copies && done.length > 0 })
      }

      if (burst !== null && burst.ends.size === 0) burst = null
      if (burst !== null) {
        let dropped = 0
        for (const drop of live) dropped += drop.pending.size
        const end = isMoving(snapshot, dropped, now) ? Math.max(burst.firstAt + BURST_MOST, burst.lastAt + QUIET) : burst.lastAt + QUIET
        if (now >= end) {
          bursts++
          showBatch({ cause: `burst ${bursts}`, ends: burst.ends, order: [...burst.ends.keys()], copied: false })
          burst = null
        } else wake(end)
      }

      if (snapshot !== null) {
        const { state } = snapshot.account
        const nowBlocked = state === 'key-refused' || state === 'no-api' ? state : null
        if (nowBlocked !== null && nowBlocked !== blocked) {
          const enter = { label: words.enterKey, action: { kind: 'show', view: 'settings' } } as const
          const notice =
            nowBlocked === 'no-api'
              ? plain('account no-api', words.noApi, 'settings', true)
              : { ...plain('account key-refused', words.keyRefused, 'settings', true), actions: [enter] }
          if (show(notice, 'blocks')) blockedShown = nowBlocked
        }
        if (nowBlocked !== null) blocked = nowBlocked
        else if (state === 'ok' || state === 'none') {
          if (blockedShown !== null && state === 'ok') show(plain('account back', words.accountBack, 'transfers'), 'news')
          blocked = null
          blockedShown = null
        }

        if (isAway(snapshot)) {
          awaySince ??= now
          // With nothing to send, nobody misses the service.
          if (!awayShown && openCount(snapshot) > 0) {
            if (now - awaySince < AWAY) wake(awaySince + AWAY)
            else awayShown = show(plain('server away', words.serverAway, 'transfers'), 'problem')
          }
        } else {
          if (awayShown) show(plain('server back', words.serverBack, 'transfers'), 'news')
          awaySince = null
          awayShown = false
        }

        for (const folder of snapshot.folders) {
          if (folder.state !== 'away') {
            foldersAway.delete(folder.id)
            continue
          }
          if (foldersAway.has(folder.id)) continue
          foldersAway.add(folder.id)
          const name = folder.path.split(policy.platform === 'win32' ? /[\\/]/ : '/').findLast((part) => part !== '') ?? folder.path
          const text = { title: words.folderAway.title(shownName(name)), body: words.folderAway.body }
          show(plain(`folder ${folder.id}`, text, 'transfers'), 'problem')
        }
      }
      return { notices, ended, wakeAt: Number.isFinite(wakeAt) ? wakeAt : null }
    },
  }
}
