// Lists the IDs of the settings by section. The list of sections and the search follow this order. The texts
// are in src-shared/i18n.
import { SHORTCUTS } from '../../../src-shared/choices.ts'
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import { matchesAll, searchWords } from '../../lib/search-text.ts'

export const SECTIONS = {
  account: ['accounts', 'addAccount', 'address', 'plan', 'key'],
  folders: ['watched', 'addFolder', 'addScreenshots'],
  uploads: ['onChange', 'ignore', 'pasteName', 'askBeforeText', 'undo'],
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

/** The words on the controls of a setting, by which a search finds it, too: its choices, or its buttons. */
export function choiceWords({ settingsView: own, linkStyles }: Texts, id: RowId): string {
  const { onChanges, existings, graces, afters, typeModes } = own.folderForm
  const changes = Object.values(onChanges).map(({ label }) => label)
  const rules = [changes, existings, graces, afters, typeModes].flatMap((one) => Object.values(one))
  const all: { readonly [Id in RowId]?: Readonly<Record<string, string>> | readonly string[] } = {
    accounts: [own.accountUse, own.accountRename, own.accountRemove],
    key: [own.replaceKey, own.signOut],
    watched: rules,
    addFolder: rules,
    onChange: changes,
    linkStyle: linkStyles,
    copyWatched: own.copyWatcheds,
    notify: own.notifyLevels,
    theme: own.themes,
    density: own.densities,
    language: own.languages,
    proxy: own.proxies,
  }
  return Object.values(all[id] ?? []).join(' ')
}

// Finds the settings that match a search. Every word must occur in the section's name, the label, the
// explanation or the choices. Case and accents are ignored. Pure.

export interface Searchable<Id extends string> {
  readonly id: Id
  readonly text: string
}

/** All settings with the words by which the search finds them, in the window's language. */
export function searchableSettings(t: Texts): readonly Searchable<RowId>[] {
  const { sections, rows } = t.settingsView
  return SECTION_NAMES.flatMap((section) =>
    SECTIONS[section].map((id: RowId) => {
      const { label, hint } = rows[id]
      return { id, text: [sections[section], label, hint, choiceWords(t, id)].join(' ') }
    }),
  )
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
