// Recognizes a data folder of Slipway by its files, wherever it is: that of another SLIPWAY_DATA_DIR, or a copy. It contains the journal and
// the secret of the control socket, so nothing in it is sent. The files' names alone prove nothing, because a folder of the user's may have
// files with these names, too, so their content is checked as well.
import { z } from 'zod'
import { absolute } from '../disk/rel-path.ts'
import type { Disk, DiskFailure, Entry } from '../ports.ts'

type Stat = Entry | DiskFailure | null | undefined

/** Two files that together hardly ever occur outside a data folder. Each of them alone may be in a folder of the user's. */
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

/** Larger files aren't read: those of Slipway that are read here are much smaller. */
const READ_MOST = 1024 * 1024
/** The size of a database is a multiple of this number, its page size. */
const PAGE_BYTES = 4096
/** The stamp, and the identity of the journal file, which is empty on a disk without inode numbers (journal/stamp.ts). */
const STAMP = /^[0-9a-z]{8,40} \d{1,15}\n(?:\d+ -?\d+)?\n?$/
/** The secret of the control socket and, if it is elsewhere, the socket's path. */
const CONTROL_KEY = /^[0-9a-f]{64}(?:\n[^\n]+\n)?$/
const Accounts = z.looseObject({
  current: z.string().nullable(),
  accounts: z.array(z.looseObject({ keychain: z.string(), marks: z.array(z.string()), folder: z.string() })),
})

/**
 * Whether a directory is a data folder of Slipway. A file that can't be read counts as Slipway's, so that nothing is published by mistake.
 * `statOf`: the entry with this name, null or undefined if there is none.
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
  // The lock is always empty. The journal is empty while it is being created. It is never opened: closing it would release this process's lock
  // on it if it is its own.
  if (journal !== null && owner !== null && owner.size === 0 && journal.size % PAGE_BYTES === 0) return true
  const stamp = file('journal.db-stamp')
  if (journal !== null && stamp !== null && (await hasText(disk, path('journal.db-stamp'), stamp, (text) => STAMP.test(text)))) return true
  const accounts = file('accounts.json')
  const isPair = accounts !== null && file('accounts.lock') !== null
  if (isPair && (await hasText(disk, path('accounts.json'), accounts, isAccounts))) return true
  // A journal or a list of accounts that is damaged doesn't make the rest of the folder the user's.
  const [key] = await disk.stat([path('control.key')])
  const secret = regularFile(key)
  return secret !== null && hasText(disk, path('control.key'), secret, (text) => CONTROL_KEY.test(text))
}

function regularFile(stat: Stat): Entry | null {
  return stat !== null && stat !== undefined && !('code' in stat) && stat.kind === 'file' ? stat : null
}

/** Whether `isOurs` accepts the file's text. */
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
