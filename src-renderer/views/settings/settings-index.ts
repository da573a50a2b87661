// Which settings there are, in which section and in which order: the list at the left, the page and the search all follow it.
// It holds names only; words come from the catalogue.

export const SECTIONS = {
  account: ['address', 'plan', 'key', 'signOut'],
  folders: ['watched', 'addFolder'],
  uploads: ['onChange', 'ignore', 'undo'],
  links: ['linkStyle', 'linkTemplate', 'copyAfterDrop'],
  notifications: ['notify', 'snooze'],
  appearance: ['theme', 'density', 'language'],
  network: ['concurrency', 'speed', 'proxy'],
  startup: ['openAtLogin', 'closeToTray', 'shortcut'],
  about: ['version', 'data', 'log', 'licences'],
} as const

export type Section = keyof typeof SECTIONS
export type RowId = (typeof SECTIONS)[Section][number]

export const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[]
