// Recognizes a folder that Slipway has used before.

/** Files whose presence shows that Slipway has used the folder before. */
const OWN_FILES = ['journal.db', 'owner.db', 'settings.json', 'accounts.json', 'slipway.log', 'control.sock'] as const

/** Files that no other program has, so that they prove that Slipway has used the folder. */
const MARKS: readonly string[] = ['journal.db', 'owner.db']

/** The names in a data folder. Copies and temporary files have a suffix. */
const OWN_NAME =
  /^(?:(?:journal|owner)\.db|(?:settings|accounts|access|window|updates|drops|deletes|kept)\.json|(?:slipway|window)\.log|control\.(?:key|sock))(?:[.-].*)?$|^(?:window|updates|kept|pasted|accounts)$/

/** Whether Slipway has used the folder, and nothing else is in it. */
export function isOnlyOwn(names: readonly string[]): boolean {
  return MARKS.some((mark) => names.includes(mark)) && names.every((name) => OWN_NAME.test(name))
}

/** Whether the folder is Slipway's, according to its name and the names in it. */
export function usedBefore(name: string, names: readonly string[]): boolean {
  return name.toLowerCase() === 'slipway' || OWN_FILES.some((own) => names.includes(own))
}
