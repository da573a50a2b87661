// Lists the IDs of the settings by section. The list of sections and the search follow this order. The texts
// are in src-shared/i18n.
import { SHORTCUTS } from '../../../src-shared/choices.ts'
import { matchesAll, searchWords } from '../../lib/search-text.ts'

export const SECTIONS = {
  account: ['accounts', 'addAccount', 'address', 'plan', 'key'],
  folders: ['watched', 'addFolder', 'addScreenshots'],
  uploads: ['onChange', 'ignore', 'pasteName', 'undo'],
  guard: ['guardHold', 'guardAllow'],
  links: ['linkStyle', 'linkTemplate', 'copyAfterDrop', 'copyWatched', 'fileManager'],
  notifications: ['notify', 'snooze'],
  appearance: ['theme', 'density', 'language'],
  network: ['concurrency', 'speed', 'proxy', 'proxyLogin'],
  startup: ['openAtLogin', 'closeToTray', ...SHORTCUTS],
  about: ['version', 'updates', 'checkUpdates', 'data', 'log', 'diagnostics', 'licences'],
} as const

export type Section = keyof typeof SECTIONS
export type RowId = (typeof SECTIONS)[Section][number]

export const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[]

// Finds the settings that match a search. Every word must occur in the section's name, the label or the
// explanation. Case and accents are ignored. Pure.

export interface Searchable<Id extends string> {
  readonly id: Id
  readonly text: string
}

/** Returns the IDs of the matching settings; null if nothing was typed, so that all settings are shown. */
export function findSettings<Id extends string>(
  query: string,
  all: readonly Searchable<Id>[],
): ReadonlySet<Id> | null {
  const words = searchWords(query)
  if (words.length === 0) return null
  return new Set(all.filter(({ text }) => matchesAll(words, text)).map(({ id }) => id))
}
