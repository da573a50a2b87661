// Decides what the tray shows: an icon, a tooltip, and a menu with a status line at the top, as plain data.
// tray.ts builds the real icon and menu from it. File names are shortened, made safe to display, and escaped
// here.

import { otherStyles } from '../../../src-shared/choices.ts'
import { middleEllipsis, printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import { keyState, mayHaveKey } from '../../../src-shared/key-state.ts'
import type { Folder, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { doneTime, openCount, overviewOf } from '../../../src-shared/overview.ts'
import type { AppSettings, LinkStyle } from '../../../src-shared/settings.ts'
import type { AccountInfo, Boot, Connection } from '../../../src-shared/window-contract.ts'

export type TrayIcon = 'idle' | 'uploading' | 'waiting' | 'paused' | 'problem'

/**
 * The account whose links the menu shows; null as long as it isn't known. Another account may be shown by the
 * time an item is clicked, and the same IDs identify other transfers there.
 */
interface OfAccount {
  readonly account: string | null
}

export type TrayAction =
  /** Without `style`, in the format from the settings. */
  | (OfAccount & {
      readonly kind: 'copy-link'
      readonly transferId: number
      readonly style?: LinkStyle
    })
  | (OfAccount & { readonly kind: 'open-link'; readonly transferId: number })
  | (OfAccount & { readonly kind: 'show-file'; readonly transferId: number })
  | (OfAccount & { readonly kind: 'copy-last-drop' })
  | { readonly kind: 'upload-files' }
  | { readonly kind: 'upload-clipboard' }
  | { readonly kind: 'take-region' }
  | { readonly kind: 'open-shelf' }
  /** `now` also stops uploads in progress. */
  | { readonly kind: 'pause'; readonly now: boolean }
  | { readonly kind: 'resume' }
  /** Zero minutes end the snooze. */
  | { readonly kind: 'snooze'; readonly minutes: number }
  | { readonly kind: 'show-problems' }
  | { readonly kind: 'use-account'; readonly account: string }
  | { readonly kind: 'add-account' }
  | { readonly kind: 'manage-accounts' }
  | { readonly kind: 'open' }
  | { readonly kind: 'quit' }

/** An item of the tray menu. Labels are already escaped for Electron. */
export type TrayItem =
  /** A line that can't be clicked. */
  | { readonly type: 'text'; readonly label: string }
  | { readonly type: 'separator' }
  | {
      readonly type: 'action'
      readonly label: string
      readonly action: TrayAction
      readonly enabled: boolean
      readonly accelerator: string | null
      readonly toolTip: string | null
      /** Whether this is the selected item in a group. */
      readonly checked?: boolean
    }
  | {
      readonly type: 'submenu'
      readonly label: string
      readonly toolTip: string | null
      readonly items: readonly TrayItem[]
    }

export interface TrayView {
  readonly icon: TrayIcon
  readonly tooltip: string
  /** Text beside the icon on macOS: the number of unfinished files while uploading, otherwise ''. */
  readonly title: string
  readonly menu: readonly TrayItem[]
}

interface TrayInput {
  /** Null until the engine has answered. */
  readonly snapshot: Snapshot | null
  /** Whether the engine has stopped and couldn't be started again, so that `snapshot` is out of date. */
  readonly isStopped: boolean
  /** The newest uploads whose links work, newest first. */
  readonly recent: readonly Transfer[]
  /** Number of links that are ready in the last drop; null if there was no drop. */
  readonly lastDrop: { readonly count: number } | null
  readonly settings: Pick<AppSettings, 'notify' | 'snoozedUntil' | 'welcomed' | 'linkStyle' | 'copyStyles'>
  readonly connection: Connection
  /**
   * All accounts. The icon, the tooltip, the text beside the icon and the accounts menu show all of them.
   * Everything else shows the account in the window.
   */
  readonly accounts: readonly AccountInfo[]
  readonly now: number
  readonly platform: Boot['platform']
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count' | 'clock' | 'percent' | 'time' | 'when'>
}

const RECENT = 10
const NAME = 40
/** Maximum length of the tooltip in UTF-16 code units. Windows truncates longer tooltips. */
const TOOLTIP = 127
const DAY = 86_400_000

/**
 * Escapes `&`. Electron treats a single `&` as a mnemonic marker on Windows and Linux and drops it on macOS.
 */
function escapeLabel(text: string): string {
  return text.replaceAll('&', '&&')
}

function shownName(name: string): string {
  return middleEllipsis(printable(name), NAME)
}

function folderName(folder: Folder, platform: Boot['platform']): string {
  const parts = folder.path.split(platform === 'win32' ? /[\\/]/ : '/').filter((part) => part !== '')
  return shownName(parts.at(-1) ?? folder.path)
}

interface Status {
  readonly icon: TrayIcon
  readonly text: string
}

function statusOf({ snapshot, isStopped, connection, now, platform, texts, formats }: TrayInput): Status {
  const words = texts.tray
  if (isStopped) return { icon: 'problem', text: words.stopped }
  const key = keyState(connection, snapshot)
  if (key === 'key-unread') return { icon: 'problem', text: words.keyUnread }
  if (key === 'signed-out') return { icon: 'paused', text: words.notConnected }
  if (snapshot === null || key === 'pending') return { icon: 'idle', text: words.starting }
  const { account, counts, gate } = snapshot
  if (account.state === 'key-refused') return { icon: 'problem', text: words.keyRefused }
  if (account.state === 'no-api') return { icon: 'problem', text: words.noApi }
  const open = openCount(snapshot.counts)
  if (gate?.reason === 'policy') return { icon: 'problem', text: words.waiting.policy('') }
  if (snapshot.paused) {
    if (counts.uploading > 0)
      return {
        icon: 'paused',
        text: words.pausedFinishing(counts.uploading, formats.count(counts.uploading)),
      }
    return { icon: 'paused', text: open === 0 ? words.paused : words.pausedOpen(open, formats.count(open)) }
  }
  // Don't show a time in the past. The next snapshot will contain a new one.
  const when = gate?.until == null || gate.until < now ? '' : formats.when(gate.until, now)
  if (account.state === 'offline' || gate?.reason === 'offline')
    return { icon: 'waiting', text: words.waiting.offline(when) }
  if (counts.uploading > 0) {
    const of = [counts.uploading, formats.count(counts.uploading), formats.count(open)] as const
    const { leftMs } = overviewOf(snapshot)
    if (leftMs === null) return { icon: 'uploading', text: words.uploading(...of) }
    return { icon: 'uploading', text: words.uploadingUntil(...of, doneTime(leftMs, now, formats)) }
  }
  if (open > 0) {
    if (gate !== null) return { icon: 'waiting', text: words.waiting[gate.reason](when) }
    if (counts.settling === open) return { icon: 'waiting', text: words.settling(open, formats.count(open)) }
    return { icon: 'waiting', text: words.filesWait(open, formats.count(open)) }
  }
  const away = snapshot.folders.find((folder) => folder.state === 'away')
  if (away !== undefined) {
    const say = away.silent === true ? words.folderSilent : words.folderAway
    return { icon: 'problem', text: say(folderName(away, platform)) }
  }
  const needs = counts.held + counts.failed
  if (needs > 0) return { icon: 'problem', text: words.needsYou(needs, formats.count(needs)) }
  if (counts.paused > 0)
    return { icon: 'paused', text: words.filesPaused(counts.paused, formats.count(counts.paused)) }
  return { icon: 'idle', text: words.allSafe }
}

/** From most to least urgent. With several accounts, the icon shows the most urgent state. */
const URGENCY: readonly TrayIcon[] = ['problem', 'uploading', 'waiting', 'paused', 'idle']

const ICON_OF: Readonly<Record<AccountInfo['state'], TrayIcon>> = {
  ok: 'idle',
  uploading: 'uploading',
  waiting: 'waiting',
  'needs-you': 'problem',
  paused: 'paused',
  offline: 'waiting',
  'key-refused': 'problem',
  'no-api': 'problem',
  stopped: 'problem',
  'key-unread': 'problem',
  'signed-out': 'idle',
}

function accountStatus(
  { state, uploading, open, needs }: AccountInfo,
  { texts, formats }: TrayInput,
): string {
  const words = texts.tray
  switch (state) {
    case 'ok':
      return words.allSafe
    case 'uploading':
      return words.uploading(uploading, formats.count(uploading), formats.count(open))
    case 'waiting':
      return words.filesWait(open, formats.count(open))
    case 'needs-you':
      return words.needsYou(needs, formats.count(needs))
    case 'paused':
      return open === 0 ? words.paused : words.pausedOpen(open, formats.count(open))
    case 'offline':
      return words.waiting.offline('')
    case 'key-refused':
      return words.keyRefused
    case 'no-api':
      return words.noApi
    case 'stopped':
      return words.stopped
    case 'key-unread':
      return words.keyUnread
    case 'signed-out':
      return words.signedOut
    default:
      return state satisfies never
  }
}

/**
 * Returns a submenu that lists all accounts and is named after the one in the window; [] if there are fewer
 * than two accounts.
 */
function accountItems(input: TrayInput): TrayItem[] {
  const { accounts, texts } = input
  if (accounts.length < 2) return []
  const now = accounts.find((one) => one.shown)
  const lines = accounts.map((one): TrayItem => {
    const entry = item(texts.tray.ofAccount(shownName(one.name), accountStatus(one, input)), {
      kind: 'use-account',
      account: one.id,
    })
    return entry.type === 'action' ? { ...entry, checked: one.shown, toolTip: one.host } : entry
  })
  return [
    {
      type: 'submenu',
      label: escapeLabel(now === undefined ? texts.tray.accounts : texts.tray.account(shownName(now.name))),
      toolTip: null,
      items: [
        ...lines,
        SEPARATOR,
        item(texts.tray.addAccount, { kind: 'add-account' }),
        item(texts.tray.manageAccounts, { kind: 'manage-accounts' }),
      ],
    },
  ]
}

const SEPARATOR: TrayItem = { type: 'separator' }

function line(label: string): TrayItem {
  return { type: 'text', label: escapeLabel(label) }
}

function item(
  label: string,
  action: TrayAction,
  more: {
    readonly enabled?: boolean
    readonly accelerator?: string | null
    readonly toolTip?: string | null
  } = {},
): TrayItem {
  return {
    type: 'action',
    label: escapeLabel(label),
    action,
    enabled: more.enabled ?? true,
    accelerator: more.accelerator ?? null,
    toolTip: more.toolTip ?? null,
  }
}

/**
 * Whether each link has a submenu with further actions. Only macOS has these submenus; elsewhere a click
 * copies the link. On Linux a submenu would take an extra click, and some trays draw it on top of the menu.
 */
function hasLinkMenus(platform: Boot['platform']): boolean {
  return platform === 'darwin'
}

/**
 * The newest link, at the top of the menu, where one click copies it, and below it in the other formats, first
 * in the one that was last chosen here.
 */
function newestItems(
  transfer: Transfer | undefined,
  { texts, connection, settings }: TrayInput,
): readonly TrayItem[] {
  if (transfer === undefined) return []
  const of = { account: connection.accountId ?? null, transferId: transfer.id }
  const name = shownName(transfer.filename ?? transfer.name)
  return [
    item(
      texts.tray.copyNewest(name),
      { kind: 'copy-link', ...of },
      { toolTip: printable(transfer.publicLink ?? '') },
    ),
    {
      type: 'submenu',
      label: escapeLabel(texts.tray.copyNewestAs),
      toolTip: null,
      items: otherStyles(settings.linkStyle, settings.copyStyles.tray).map((style) =>
        item(texts.linkStyles[style], { kind: 'copy-link', ...of, style }),
      ),
    },
  ]
}

function linkItem(transfer: Transfer, { platform, texts, connection }: TrayInput): TrayItem {
  const label = shownName(transfer.filename ?? transfer.name)
  const toolTip = printable(transfer.publicLink ?? '')
  const of = { account: connection.accountId ?? null, transferId: transfer.id }
  const copy = { kind: 'copy-link', ...of } as const
  if (!hasLinkMenus(platform)) return item(label, copy, { toolTip })
  return {
    type: 'submenu',
    label: escapeLabel(label),
    toolTip,
    items: [
      item(texts.tray.copyLink, copy),
      item(texts.tray.openLink, { kind: 'open-link', ...of }),
      item(texts.tray.showInFolder, { kind: 'show-file', ...of }),
    ],
  }
}

function snoozeItems({ settings, now, texts, formats }: TrayInput): TrayItem[] {
  const words = texts.tray
  // Without notifications there is nothing to snooze.
  if (settings.notify === 'none') return []
  const until = settings.snoozedUntil
  if (until !== null && until > now) {
    return [
      {
        type: 'submenu',
        label: escapeLabel(
          words.snoozed(until - now < DAY ? formats.time(until) : formats.clock(until, now)),
        ),
        toolTip: null,
        items: [item(words.snoozeEnd, { kind: 'snooze', minutes: 0 })],
      },
    ]
  }
  return [
    {
      type: 'submenu',
      label: escapeLabel(words.snooze),
      toolTip: null,
      items: [
        item(words.snoozeMinutes(30), { kind: 'snooze', minutes: 30 }),
        item(words.snoozeHours(1), { kind: 'snooze', minutes: 60 }),
        item(words.snoozeHours(8), { kind: 'snooze', minutes: 480 }),
      ],
    },
  ]
}

/** While files are being uploaded, the labels say how pausing affects these uploads. */
function pauseItems({ snapshot, texts, formats }: TrayInput): TrayItem[] {
  const words = texts.tray
  const uploading = snapshot?.counts.uploading ?? 0
  const now = uploading > 0 ? [item(words.pauseNow, { kind: 'pause', now: true })] : []
  if (snapshot?.paused === true) return [item(words.resume, { kind: 'resume' }), ...now]
  const label = uploading > 0 ? words.pauseAfter(uploading, formats.count(uploading)) : words.pause
  return [item(label, { kind: 'pause', now: false }, { enabled: snapshot !== null }), ...now]
}

export function trayView(input: TrayInput): TrayView {
  const { snapshot, connection, lastDrop, platform, texts, formats } = input
  const words = texts.tray
  const others = input.accounts.filter((one) => !one.shown)
  const status = named(statusOf(input), input)
  const connected = mayHaveKey(connection, input.settings.welcomed)
  // Accelerators in a tray menu work only on macOS, and only while the menu is open. Elsewhere they would be
  // misleading.
  const keys = (accelerator: string): string | null => (platform === 'darwin' ? accelerator : null)

  const links = input.recent.filter((transfer) => transfer.publicLink !== null).slice(0, RECENT)
  const drop = lastDrop !== null && lastDrop.count > 1 ? lastDrop.count : 0
  // Where links have menus of their own, the newest one needs it, too.
  const listed = hasLinkMenus(platform) ? links : links.slice(1)
  const linkItems = [
    ...(listed.length > 0 ? [line(hasLinkMenus(platform) ? words.recentLinks : words.clickToCopy)] : []),
    ...listed.map((transfer) => linkItem(transfer, input)),
    ...(drop > 0
      ? [
          item(words.copyLastDrop(drop, formats.count(drop)), {
            kind: 'copy-last-drop',
            account: connection.accountId ?? null,
          }),
        ]
      : []),
  ]
  const needs = snapshot === null ? 0 : snapshot.counts.held + snapshot.counts.failed

  const problems =
    needs > 0 ? [item(words.showProblems(needs, formats.count(needs)), { kind: 'show-problems' })] : []
  const near = (snapshot?.near ?? []).map(({ limit, percent }) =>
    line(words.nearLimits[limit](formats.percent(percent / 100))),
  )
  // The status line is omitted if the item below it says the same, because the line can't be clicked.
  const isSaidByItem = needs > 0 && status.text === words.needsYou(needs, formats.count(needs))

  const groups: readonly (readonly TrayItem[])[] = [
    newestItems(links[0], input),
    [...(isSaidByItem ? [] : [line(status.text)]), ...near, ...problems],
    linkItems,
    [
      item(words.uploadFiles, { kind: 'upload-files' }, { enabled: connected, accelerator: keys('Cmd+U') }),
      item(
        words.uploadClipboard,
        { kind: 'upload-clipboard' },
        { enabled: connected, accelerator: keys('Shift+Cmd+V') },
      ),
      item(words.takeRegion, { kind: 'take-region' }, { enabled: connected }),
      item(words.openShelf, { kind: 'open-shelf' }, { enabled: connected }),
      ...pauseItems(input),
    ],
    accountItems(input),
    snoozeItems(input),
    [item(words.open, { kind: 'open' }), item(words.quit, { kind: 'quit' }, { accelerator: keys('Cmd+Q') })],
  ]
  const menu = groups
    .filter((group) => group.length > 0)
    .flatMap((group, at) => (at === 0 ? group : [SEPARATOR, ...group]))

  const active = status.icon === 'uploading' ? snapshot?.progress.active[0] : undefined
  const name = active?.path.split(platform === 'win32' ? /[\\/]/ : '/').at(-1)
  const tooltip = [
    words.tooltip(status.text),
    ...(name === undefined || name === '' ? [] : [shownName(name)]),
    // Space in the tooltip is limited, so leave out accounts that are idle.
    ...others
      .filter((one) => ICON_OF[one.state] !== 'idle')
      .map((one) => words.ofAccount(shownName(one.name), accountStatus(one, input))),
  ].join('\n')
  const icons = [status.icon, ...others.map((one) => ICON_OF[one.state])]
  const open =
    (snapshot === null ? 0 : openCount(snapshot.counts)) + others.reduce((sum, one) => sum + one.open, 0)
  const icon = URGENCY.find((one) => icons.includes(one)) ?? status.icon
  return {
    icon,
    // Don't split a surrogate pair.
    tooltip: tooltip.slice(0, TOOLTIP).replace(/[\ud800-\udbff]$/u, ''),
    title: platform === 'darwin' && icon === 'uploading' && open > 0 ? formats.count(open) : '',
    menu,
  }
}

/** With several accounts, prefixes the status with the name of the account in the window. */
function named(status: Status, { accounts, texts }: TrayInput): Status {
  const now = accounts.length < 2 ? undefined : accounts.find((one) => one.shown)
  return now === undefined
    ? status
    : { ...status, text: texts.tray.ofAccount(shownName(now.name), status.text) }
}
