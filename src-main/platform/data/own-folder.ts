// Recognizes a folder that Slipway has used before.

/** Files whose presence shows that Slipway has used the folder before. */
const OWN_FILES = ['journal.db', 'owner.db', 'settings.json', 'accounts.json', 'slipway.log', 'control.sock'] as const

/** Whether the folder is Slipway's, according to its name and the names in it. */
export function usedBefore(name: string, names: readonly string[]): boolean {
  return name.toLowerCase() === 'slipway' || OWN_FILES.some((own) => names.includes(own))
}
