// What the tray shows, read off what is known: an icon, a tooltip, and a menu as plain data with one line on how things stand at its top.
// It decides alone; tray.ts makes the real icon and menu of it. Names from outside are cut, made harmless and escaped here.
import type { Boot, Connection } from '../../../src-shared/app.ts'
import { middleEllipsis, printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Folder, Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'

export type TrayIcon = 'idle' | 'uploading' | 'waiting' | 'paused' | 'problem'

export type TrayAction =
  | { readonly kind: 'copy-link'; readonly transferId: number }
  | { readonly kind: 'open-link'; readonly transferId: number }
  | { readonly kind: 'show-file'; readonly transferId: number }
  | { readonly kind: 'copy-last-drop' }
  | { readonly kind: 'upload-files' }
  | { readonly kind: 'upload-clipboard' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** 0 ends it. */
  | { readonly kind: 'snooze'; readonly minutes: number }
  | { readonly kind: 'show-problems' }
  | { readonly kind: 'open' }
  | { readonly kind: 'quit' }

/** Labels are escaped for Electron's menus already. */
export type TrayItem =
  /** A line to read; not for clicking. */
  | { readonly type: 'text'; readonly label: string }
  | { readonly type: 'separator' }
  | {
      readonly type: 'action'
      readonly label: string
      readonly action: TrayAction
      readonly enabled: boolean
      readonly accelerator: string | null
      readonly toolTip: string | null
    }
  | { readonly type: 'submenu'; readonly label: string; readonly toolTip: string | null; readonly items: readonly TrayItem[] }

export interface TrayView {
  readonly icon: TrayIcon
  readonly tooltip: string
  /** Beside the icon on macOS: files still to go while some are going; else ''. */
  readonly title: string
  readonly menu: readonly TrayItem[]
}

interface TrayInput {
  /** Null until the engine has answered. */
  readonly snapshot: Snapshot | null
  /** Last done transfers, newest first. */
  readonly recent: readonly Transfer[]
  /** How many links the last drop has by now; null: there was none. */
  readonly lastDrop: { readonly count: number } | null
  readonly settings: Pick<AppSettings, 'notify' | 'snoozedUntil'>
  readonly connection: Connection
  readonly now: number
  readonly platform: Boot['platform']
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count' | 'clock' | 'time' | 'when'>
}

const RECENT = 10
const NAME = 40
/** Windows keeps 127 characters of a tooltip and drops the rest. */
const TOOLTIP = 127
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** One `&` underlines the next letter on Windows and Linux and is swallowed on macOS; two are one everywhere. */
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

/** Files that Slipway still has something to do for, without a person. */
function openCount({ counts }: Snapshot): number {
  return counts.settling + counts.queued + counts.uploading + counts.waiting + counts.unknown
}

function statusOf({ snapshot, connection, now, platform, texts, formats }: TrayInput): Status {
  const words = texts.tray
  if (connection.key === null || snapshot?.account.state === 'none') return { icon: 'paused', text: words.notConnected }
  if (snapshot === null) return { icon: 'idle', text: words.starting }
  const { account, counts, gate } = snapshot
  if (account.state === 'key-refused') return { icon: 'problem', text: words.keyRefused }
  if (account.state === 'no-api') return { icon: 'problem', text: words.noApi }
  const open = openCount(snapshot)
  if (snapshot.paused) {
    return { icon: 'paused', text: open === 0 ? words.paused : words.pausedOpen(open, formats.count(open)) }
  }
  // A moment that has passed says nothing; the next snapshot brings another.
  const when = gate?.until == null || gate.until < now ? '' : formats.when(gate.until, now)
  if (account.state === 'offline' || gate?.reason === 'offline') return { icon: 'waiting', text: words.waiting.offline(when) }
  if (counts.uploading > 0) {
    const of = [formats.count(counts.uploading), formats.count(open)] as const
    const { etaMs } = snapshot.progress
    if (etaMs === null) return { icon: 'uploading', text: words.uploading(...of) }
    // Rounded up, since "about" should be kept rather than missed.
    const end = Math.ceil((now + etaMs) / MINUTE) * MINUTE
    const time = etaMs < DAY && new Date(end).getDate() === new Date(now).getDate() ? formats.time(end) : formats.clock(end, now)
    return { icon: 'uploading', text: words.uploadingUntil(...of, time) }
  }
  if (open > 0) {
    if (gate !== null) return { icon: 'waiting', text: words.waiting[gate.reason](when) }
    if (counts.settling === open) return { icon: 'waiting', text: words.settling(open, formats.count(open)) }
    return { icon: 'waiting', text: words.filesWait(open, formats.count(open)) }
  }
  const away = snapshot.folders.find((folder) => folder.state === 'away')
  if (away !== undefined) return { icon: 'problem', text: words.folderAway(folderName(away, platform)) }
  const needs = counts.held + counts.failed
  if (needs > 0) return { icon: 'problem', text: words.needsYou(needs, formats.count(needs)) }
  return { icon: 'idle', text: words.allSafe }
}

const SEPARATOR: TrayItem = { type: 'separator' }

function line(label: string): TrayItem {
  return { type: 'text', label: escapeLabel(label) }
}

function item(
  label: string,
  action: TrayAction,
  more: { readonly enabled?: boolean; readonly accelerator?: string | null; readonly toolTip?: string | null } = {},
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

function linkItem(transfer: Transfer, { platform, texts }: TrayInput): TrayItem {
  const label = shownName(transfer.filename ?? transfer.name)
  const toolTip = printable(transfer.publicLink ?? '')
  const transferId = transfer.id
  if (platform === 'win32') return item(label, { kind: 'copy-link', transferId }, { toolTip })
  // These menus tell no right click from a left one, so what else a link can do stands below it.
  return {
    type: 'submenu',
    label: escapeLabel(label),
    toolTip,
    items: [
      item(texts.tray.copyLink, { kind: 'copy-link', transferId }),
      item(texts.tray.openLink, { kind: 'open-link', transferId }),
      item(texts.tray.showInFolder, { kind: 'show-file', transferId }),
    ],
  }
}

function snoozeItems({ settings, now, texts, formats }: TrayInput): TrayItem[] {
  const words = texts.tray
  // Who wants none at all has nothing to put off.
  if (settings.notify === 'none') return []
  const until = settings.snoozedUntil
  if (until !== null && until > now) {
    return [
      {
        type: 'submenu',
        label: escapeLabel(words.snoozed(until - now < DAY ? formats.time(until) : formats.clock(until, now))),
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

export function trayView(input: TrayInput): TrayView {
  const { snapshot, connection, lastDrop, platform, texts, formats } = input
  const words = texts.tray
  const status = statusOf(input)
  const connected = connection.key !== null
  // Keys of a tray menu work while it is open, and only on macOS; elsewhere they would promise what does not happen.
  const keys = (accelerator: string): string | null => (platform === 'darwin' ? accelerator : null)

  const links = input.recent.filter((transfer) => transfer.publicLink !== null).slice(0, RECENT)
  const drop = lastDrop !== null && lastDrop.count > 1 ? lastDrop.count : 0
  const linkItems = [
    ...(links.length > 0 ? [line(platform === 'win32' ? words.clickToCopy : words.recentLinks)] : []),
    ...links.map((transfer) => linkItem(transfer, input)),
    ...(drop > 0 ? [item(words.copyLastDrop(drop, formats.count(drop)), { kind: 'copy-last-drop' })] : []),
  ]
  const needs = snapshot === null ? 0 : snapshot.counts.held + snapshot.counts.failed
  const paused = snapshot?.paused === true

  const groups: readonly (readonly TrayItem[])[] = [
    [line(status.text)],
    linkItems,
    [
      item(words.uploadFiles, { kind: 'upload-files' }, { enabled: connected, accelerator: keys('Cmd+U') }),
      item(words.uploadClipboard, { kind: 'upload-clipboard' }, { enabled: connected, accelerator: keys('Shift+Cmd+V') }),
      paused ? item(words.resume, { kind: 'resume' }) : item(words.pause, { kind: 'pause' }, { enabled: connected && snapshot !== null }),
    ],
    [...snoozeItems(input), ...(needs > 0 ? [item(words.showProblems(needs, formats.count(needs)), { kind: 'show-problems' })] : [])],
    [item(words.open, { kind: 'open' }), item(words.quit, { kind: 'quit' }, { accelerator: keys('Cmd+Q') })],
  ]
  const menu = groups.filter((group) => group.length > 0).flatMap((group, at) => (at === 0 ? group : [SEPARATOR, ...group]))

  const active = status.icon === 'uploading' ? snapshot?.progress.active[0] : undefined
  const name = active?.path.split(platform === 'win32' ? /[\\/]/ : '/').at(-1)
  const tooltip = [words.tooltip(status.text), ...(name === undefined || name === '' ? [] : [shownName(name)])].join('\n')
  return {
    icon: status.icon,
    tooltip: [...tooltip].slice(0, TOOLTIP).join(''),
    title: platform === 'darwin' && status.icon === 'uploading' && snapshot !== null ? formats.count(openCount(snapshot)) : '',
    menu,
  }
}
