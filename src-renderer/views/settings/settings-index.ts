// Lists the IDs of the settings by section. The list of sections and the search follow this order. The texts
// are in src-shared/i18n.

export const SECTIONS = {
  account: ['accounts', 'addAccount', 'address', 'plan', 'key'],
  folders: ['watched', 'addFolder', 'addScreenshots'],
  uploads: ['onChange', 'ignore', 'undo'],
  guard: ['guardHold', 'guardAllow'],
  links: ['linkStyle', 'linkTemplate', 'copyAfterDrop', 'copyWatched', 'fileManager'],
  notifications: ['notify', 'snooze'],
  appearance: ['theme', 'density', 'language'],
  network: ['concurrency', 'speed', 'proxy', 'proxyLogin'],
  startup: ['openAtLogin', 'closeToTray', 'shortcut'],
  about: ['version', 'updates', 'checkUpdates', 'data', 'log', 'licences'],
} as const

export type Section = keyof typeof SECTIONS
export type RowId = (typeof SECTIONS)[Section][number]

export const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[]
