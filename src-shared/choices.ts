// Values that the window iterates over or looks up, as plain lists. The schemas of the contract are built
// from them. The page imports no schemas, because they would make it larger and slower to start.
import { LINK_FORMATS } from './format.ts'
import type { FileLimits } from './model.ts'

export const VIEWS = ['files', 'transfers', 'usage', 'settings'] as const

export const FILES_FILTERS = [
  'all',
  'picture',
  'document',
  'video',
  'audio',
  'archive',
  'code',
  'unopened',
] as const

/** When files were uploaded: at any time, today, in the last days, or in a range of days. */
export const DATE_FILTERS = ['any', 'today', 'week', 'month', 'range'] as const

export const LINK_STYLES = [...LINK_FORMATS, 'template'] as const
type Style = (typeof LINK_STYLES)[number]

/** The formats that "Copy as" offers beside `usual`, the one from the settings, starting with the `last` chosen. */
export function otherStyles(usual: Style, last: Style | null): readonly Style[] {
  return LINK_STYLES.filter((style) => style !== usual).toSorted(
    (a, b) => Number(b === last) - Number(a === last),
  )
}

/** Maximum number of files that are dragged out of the window at once. */
export const DRAG_MOST = 100

/** Ignores no file because of its size or type. */
export const NO_LIMITS: FileLimits = { maxBytes: null, onlyTypes: [], notTypes: [] }

/**
 * A deletion can be undone for at least as long, so that a page can't delete a file before anybody sees it.
 */
export const UNDO_LEAST_SECONDS = 3

/** How many pictures and texts that aren't files a drop can have. */
export const DROPPED_CONTENTS_MOST = 20

/** The settings that are global keyboard shortcuts. */
export const SHORTCUTS = ['shortcut', 'clipboardShortcut', 'regionShortcut', 'shelfShortcut'] as const
export type ShortcutName = (typeof SHORTCUTS)[number]

/** What happens to the link when a file in a watched folder changes. */
export const ON_CHANGE = ['new-link', 'replace', 'ignore', 'ask'] as const

/** How long the new files of a watched folder wait before they are uploaded, in seconds. */
export const GRACE_SECONDS = [0, 10, 60] as const
export type GraceSeconds = (typeof GRACE_SECONDS)[number]

/** The limits of which Slipway says that little is left, and from how many percent of use on. */
export const NEAR_LIMITS = ['uploads', 'requests', 'storage', 'files'] as const
export const NEAR_PERCENTS = [80, 90] as const

/** The orders in which a large number of files can be uploaded. */
export const UPLOAD_ORDERS = ['newest', 'smallest', 'name'] as const
export type UploadOrder = (typeof UPLOAD_ORDERS)[number]

/** An upload of more files or bytes than these is carried out only after a question. */
export const MANY = { files: 100, bytes: 1_000_000_000 } as const

export function isMany({ files, bytes }: { readonly files: number; readonly bytes: number }): boolean {
  return files > MANY.files || bytes > MANY.bytes
}

/**
 * Calls that apply regardless of the account in the window. All other calls are refused if they are for an
 * account that isn't shown.
 */
export const APP_WIDE = [
  'boot',
  'letGo',
  'typedSaved',
  'change',
  'snooze',
  'connect',
  'adopt',
  'signOut',
  'readKeyAgain',
  'accounts',
  'useAccount',
  'renameAccount',
  'removeAccount',
  'keepClipboard',
  'keepDrop',
  'kept',
  'discardKept',
  'startTrial',
  'endTrial',
  'update',
  'proxyLogin',
  'fileManager',
  'openData',
  'licences',
  'defaultRules',
  'diagnostics',
  'saveDiagnostics',
  'quit',
] as const
