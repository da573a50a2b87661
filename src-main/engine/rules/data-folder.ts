// Recognizes data folders of Slipway by their files, wherever they are, such as that of another SLIPWAY_DATA_DIR or a copy. A data folder
// contains the journal and the secret of the control socket, so nothing in it is sent. File names alone prove nothing, because a user's own
// folder may contain files with the same names, so their content or size is checked as well.
import { z } from 'zod'
import { absolute } from '../disk/rel-path.ts'
import type { Disk, DiskFailure, Entry } from '../ports.ts'
import { CONTROL_KEY } from './own-files.ts'

type Stat = Entry | DiskFailure | null | undefined

/** Pairs of files that hardly ever occur together outside a data folder. Either file alone may also be in a user's own folder. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['journal.db', 'owner.db'],
  ['journal.db', 'journal.db-stamp'],
  // A data folder contains the first account's journal. If that account is removed, these two files remain for the other accounts.
  ['accounts.json', 'accounts.lock'],
]

/** The first files of the pairs. A directory with none of them isn't a data folder, whatever else is in it. */
export const DATA_FILES: readonly string[] = [...new Set(PAIRS.map(([file]) => file))]

/** Files that complete a pair. They hardly ever occur elsewhere, so a directory is checked again when one of them appears. */
export const DATA_MARKS: ReadonlySet<string> = new Set(PAIRS.map(([, mark]) => mark))

/** Maximum size, in bytes, of a file that is read here. Those that Slipway writes are much smaller. */
const READ_MOST = 1024 * 1024
/** The journal's page size. The size of a database is a multiple of its page size. */
const PAGE_BYTES = 4096
/** Content of `journal.db-stamp`: the stamp, and the journal file's identity, which may be empty (platform/data/stamp-file.ts). */
const STAMP = /^[0-9a-z]{8,40} \d{1,15}\n(?:\d+ -?\d+)?\n?$/
const Accounts = z.looseObject({
  current: z.string().nullable(),
  accounts: z.array(z.looseObject({ keychain: z.string(), marks: z.array(z.string()), folder: z.string() })),
})

/**
 * Whether a directory is a data folder of Slipway. A file that can't be read counts as Slipway's, so that nothing is published by mistake.
 * `statOf`: returns the directory's entry with this name, null or undefined if there is none, or the failure if it can't be examined.
 */
export async function isDataFolder(disk: Disk, dir: string, statOf: (name: string) => Stat): Promise<boolean> {
  const file = (name: string): Entry | null => regularFile(statOf(name))
  return PAIRS.some((pair) => pair.every((name) => file(name) !== null)) && isConfirmed(disk, dir, file)
}

/** Whether the content of the files confirms what their names suggest. */
async function isConfirmed(disk: Disk, dir: string, file: (name: string) => Entry | null): Promise<boolean> {
  const path = (name: string): string => absolute(dir, '', name)
  const journal = file('journal.db')
  const owner = file('owner.db')
  // `owner.db` is a lock file and always empty. The journal is empty while it is being created. The journal isn't opened here: if it is
  // this process's own, closing it would release the process's lock on it.
  if (journal !== null && owner !== null && owner.size === 0 && journal.size % PAGE_BYTES === 0) return true
  const stamp = file('journal.db-stamp')
  if (journal !== null && stamp !== null && (await hasText(disk, path('journal.db-stamp'), stamp, (text) => STAMP.test(text)))) return true
  const accounts = file('accounts.json')
  const isPair = accounts !== null && file('accounts.lock') !== null
  if (isPair && (await hasText(disk, path('accounts.json'), accounts, isAccounts))) return true
  // Even if the journal or the list of accounts is damaged, a valid control key shows that the folder is a data folder.
  const [key] = await disk.stat([path('control.key')])
  const secret = regularFile(key)
  return secret !== null && hasText(disk, path('control.key'), secret, (text) => CONTROL_KEY.test(text))
}

function regularFile(stat: Stat): Entry | null {
  return stat !== null && stat !== undefined && !('code' in stat) && stat.kind === 'file' ? stat : null
}

/** Whether `isOurs` accepts the file's text. False if the file is larger than `READ_MOST`, true if it can't be read. */
async function hasText(disk: Disk, path: string, { size }: Entry, isOurs: (text: string) => boolean): Promise<boolean> {
  if (size > READ_MOST) return false
  const text = await disk.text(path)
  return text === null || isOurs(text)
}

function isAccounts(text: string): boolean {
  try {
    return Accounts.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}
