// Recognizes a folder that Slipway has used before.

/**
 * Files of which one is enough to show that Slipway has used a folder before, even if the folder contains
 * other files.
 */
const OWN_FILES = [
  'journal.db',
  'owner.db',
  'settings.json',
  'accounts.json',
  'slipway.log',
  'control.sock',
] as const

/**
 * Files with names that no other program uses. A folder counts as only Slipway's if it contains at least one
 * of them.
 */
const MARKS: readonly string[] = ['journal.db', 'owner.db']

/** The names in a data folder. Copies and temporary files have a suffix. */
const OWN_NAME =
  /^(?:(?:journal|owner)\.db|(?:settings|accounts|access|window|updates|drops|deletes|kept)\.json|(?:slipway|window)\.log|control\.(?:key|sock))(?:[.-].*)?$|^(?:window|updates|kept|pasted|accounts)$/

/** Whether Slipway has used the folder, and nothing else is in it. */
export function isOnlyOwn(names: readonly string[]): boolean {
  return MARKS.some((mark) => names.includes(mark)) && names.every((name) => OWN_NAME.test(name))
}

/** Whether the folder's name or the name of a file in it shows that Slipway has used the folder before. */
export function usedBefore(name: string, names: readonly string[]): boolean {
  return name.toLowerCase() === 'slipway' || OWN_FILES.some((own) => names.includes(own))
}
