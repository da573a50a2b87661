// Builds the notification for a drop or burst: the text about links that are ready and files that need
// attention, and what a click does. File names are shortened and made safe to display. The functions are
// pure.
import { otherStyles } from '../../../src-shared/choices.ts'
import { middleEllipsis, printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { FailedReason, HeldReason, Transfer } from '../../../src-shared/model.ts'
import type { Notice, NoticePolicy } from './notice-types.ts'

/** Maximum number of IDs in an action (src-shared/window-contract.ts, `copyTransferLinks`). */
const IDS_MOST = 1000
const NAME_MOST = 40

/** The outcome of one file of a drop or burst. */
export type End =
  | { readonly kind: 'done'; readonly name: string }
  /**
   * Found in a folder that the user named, but not uploaded, because the user had deleted an earlier upload
   * of this path and content.
   */
  | { readonly kind: 'skipped'; readonly name: string }
  | {
      readonly kind: 'held' | 'failed'
      readonly name: string
      readonly reason: HeldReason | FailedReason | null
    }

/** The outcomes of one drop or burst, which are reported together. */
export interface Delivery {
  readonly cause: string
  /** Whether the user gave these files to Slipway, which can be undone. */
  readonly isDrop: boolean
  /** By transfer ID, in the order in which the files are named. */
  readonly ends: ReadonlyMap<number, End>
  /** Whether the links have been copied to the clipboard. */
  readonly copied: boolean
}

function needsReason(
  transfer: Transfer,
  texts: ShellTexts['notice']['needs'],
): HeldReason | FailedReason | null {
  const { reason } = transfer
  return reason !== null && Object.hasOwn(texts, reason) ? (reason as HeldReason | FailedReason) : null
}

/** Returns the outcome of a transfer; `open` if it is still in progress, or `closed` if it isn't reported. */
export function endOf(transfer: Transfer, texts: ShellTexts): End | 'open' | 'closed' {
  const name = transfer.filename ?? transfer.name
  if (transfer.state === 'cancelled' && transfer.ended === 'deleted' && transfer.fileId === null)
    return { kind: 'skipped', name }
  // The uploaded file was replaced or deleted, or is gone from the service, so its link no longer works.
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

export function shownName(name: string): string {
  return middleEllipsis(printable(name), NAME_MOST)
}

function nameList(names: readonly string[], { texts, formats }: NoticePolicy): string {
  const [first = '', second, third] = names.map(shownName)
  if (second === undefined) return first
  if (third === undefined) return texts.notice.and(first, second)
  if (names.length === 3) return texts.notice.and(`${first}, ${second}`, third)
  return texts.notice.andMore(`${first}, ${second}`, formats.count(names.length - 2))
}

/** Copies the links in the format that was last chosen outside the window, unless it is the usual one. */
function copyAs(
  transferIds: readonly number[],
  { texts, linkStyle, copyStyles }: NoticePolicy,
): Notice['actions'] {
  const [style] = otherStyles(linkStyle, copyStyles.tray)
  if (style === undefined) return []
  return [
    {
      label: texts.notice.copyAs(texts.linkStyles[style]),
      action: { kind: 'copy-links', transferIds, style },
    },
  ]
}

export function deliveryNotice(
  { cause, isDrop, ends, copied }: Delivery,
  policy: NoticePolicy,
): Notice | null {
  const all = [...ends].map(([id, end]) => ({ id, end }))
  const skipped = all.filter(({ end }) => end.kind === 'skipped').length
  const rest = all.filter(({ end }) => end.kind !== 'skipped')
  const notice = noticeOf({ cause, isDrop, copied }, rest, policy)
  if (skipped === 0) return notice
  const words = policy.texts.notice
  const shown = policy.formats.count(skipped)
  if (notice !== null) return { ...notice, body: `${notice.body}\n${words.alsoSkipped(skipped, shown)}` }
  const show = { kind: 'show', view: 'transfers' } as const
  return {
    cause,
    title: words.skipped(skipped, shown),
    body: words.whySkipped(skipped),
    urgent: false,
    click: show,
    actions: [{ label: words.show, action: show }],
  }
}

/**
 * The notification about links and files that need attention; null if there are none. `all`: in the order in
 * which they are named.
 */
function noticeOf(
  { cause, isDrop, copied }: Omit<Delivery, 'ends'>,
  all: readonly { readonly id: number; readonly end: End }[],
  policy: NoticePolicy,
): Notice | null {
  const { texts, formats } = policy
  const words = texts.notice
  const done = all.filter(({ end }) => end.kind === 'done')
  const needs = all.flatMap(({ end }) => (end.kind === 'held' || end.kind === 'failed' ? [end] : []))
  const failed = all.filter(({ end }) => end.kind === 'failed')
  if (all.length === 0) return null

  const ids = done.slice(0, IDS_MOST).map(({ id }) => id)
  const copy = {
    label: words.copyLinks(ids.length, formats.count(ids.length)),
    action: { kind: 'copy-links', transferIds: ids },
  } as const
  const names = nameList(
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
      // If the links are on the clipboard already, the user probably wants to see the files.
      click: copied ? show : copy.action,
      actions: [
        ...(copied ? [] : [copy]),
        ...copyAs(ids, policy),
        ...(isDrop ? [{ label: words.undo, action: { kind: 'undo', transferIds: ids } as const }] : []),
        { label: words.show, action: show },
      ],
    }
  }
  const show = { kind: 'show', view: 'transfers' } as const
  const [one] = needs
  const retry = { kind: 'retry', transferIds: failed.slice(0, IDS_MOST).map(({ id }) => id) } as const
  return {
    cause,
    title:
      done.length === 0
        ? words.needYou(needs.length, formats.count(needs.length))
        : words.mixed(done.length, formats.count(done.length), needs.length, formats.count(needs.length)),
    body:
      needs.length === 1 && one !== undefined && one.reason !== null
        ? words.reason(shownName(one.name), words.needs[one.reason])
        : nameList(
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
