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
  'archive',
  'week',
  'unopened',
  'audio',
  'code',
] as const

export const LINK_STYLES = [...LINK_FORMATS, 'template'] as const

/** Ignores no file because of its size or type. */
export const NO_LIMITS: FileLimits = { maxBytes: null, onlyTypes: [], notTypes: [] }

/**
 * A deletion can be undone for at least as long, so that a page can't delete a file before anybody sees it.
 */
export const UNDO_LEAST_SECONDS = 3

/** What happens to the link when a file in a watched folder changes. */
export const ON_CHANGE = ['new-link', 'replace', 'ignore', 'ask'] as const

/**
 * Calls that apply regardless of the account in the window. All other calls are refused if they are for an
 * account that isn't shown.
 */
export const APP_WIDE = [
  'boot',
  'letGo',
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
  'quit',
] as const
