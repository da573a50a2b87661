// Recognizes a data folder of Slipway by its files, wherever it is: that of another SLIPWAY_DATA_DIR, or a copy. It contains the journal and
// the secret of the control socket, so nothing in it is sent. Pure.

/** Two files that together occur only in a data folder. Each of them alone may be in a folder of the user's. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['journal.db', 'owner.db'],
  ['journal.db', 'journal.db-stamp'],
  // Accounts remain in the folder if the first of them, whose journal it contains, is removed.
  ['accounts.json', 'accounts.lock'],
]

/** The first files of the pairs. A directory with none of them isn't a data folder, whatever else is in it. */
export const DATA_FILES: readonly string[] = [...new Set(PAIRS.map(([file]) => file))]

/** Files that complete a pair. They hardly ever occur elsewhere, so a directory is checked again when one of them appears. */
export const DATA_MARKS: ReadonlySet<string> = new Set(PAIRS.map(([, mark]) => mark))

/** Whether a directory is a data folder of Slipway. `hasFile`: whether a regular file with this name is in the directory. */
export function isDataFolder(hasFile: (name: string) => boolean): boolean {
  return PAIRS.some((pair) => pair.every(hasFile))
}
