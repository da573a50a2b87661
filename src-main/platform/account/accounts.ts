// Reads and writes accounts.json, the list of accounts in a data folder. It contains no secrets. The first
// account uses the data folder itself; every other account has a folder in `accounts`. Each account's folder
// contains a copy of its entry. If accounts.json is missing or invalid, the list is rebuilt from the folders.
// An invalid file is moved aside.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Peeked, peekJournal } from '../../engine/journal/peek.ts'
import { ACCOUNTS, type DataPaths, dataPaths } from '../data/paths.ts'
import { setAsideSync } from '../data/patient-rename.ts'
import { makePrivateDir } from '../data/private-dir.ts'
import { readPrivateFile, writePrivateFile } from '../data/private-file.ts'
import { readSettings } from '../data/settings.ts'
import { acquireOwner } from '../host/owner-lock.ts'

const FILE = 'accounts.json'
const COPY = 'account.json'
const LOCK = 'accounts.lock'
const LOCK_WAIT_MS = 20
const LOCK_PATIENCE_MS = 10_000
/** Maximum number of marks of an account. */
const MARKS_MOST = 1000
/**
 * Matches the name of a folder in `accounts`: usually the beginning of the ID that the account had when it
 * was added (`freeFolder`).
 */
const FOLDER = /^[0-9a-f]{12}$/
/**
 * The name of an account whose address isn't known yet. Other accounts are named after their host by default.
 */
const NAMELESS = 'default'

const Entry = z.looseObject({
  /** The ID, as stored in the journal. It changes only if another key takes over the account (`takeOver`). */
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(300),
  /**
   * Normalized, with `/api/v1`. Null while unknown, for example because an earlier version didn't store it.
   */
  baseUrl: z.string().min(1).max(4096).nullable(),
  /** The name of the account's key in the keychain. */
  keychain: z.string().min(1).max(600),
  /** The marks of keys that are known to belong to this account (accountMark). */
  marks: z.array(z.string().max(200)).max(MARKS_MOST),
  /** The name of the account's folder in `accounts`; empty for the data folder itself. */
  folder: z.union([z.literal(''), z.string().regex(FOLDER)]),
})
export type AccountEntry = z.infer<typeof Entry>

const AccountsFile = z.looseObject({ current: z.string().nullable(), accounts: z.array(Entry).max(1000) })
export type Accounts = z.infer<typeof AccountsFile>

export interface ReadAccounts {
  readonly accounts: Accounts
  /** Whether the file already contains these accounts, so that nothing needs to be written. */
  readonly isStored: boolean
  /**
   * A message for the user that says what was wrong with the file and where it is now. Null if nothing was
   * wrong.
   */
  readonly message: string | null
}

/**
 * Reads the list, or rebuilds it if the file is missing or invalid. Throws if the file can't be read, moved
 * aside or replaced.
 */
export function readAccounts(root: string, now: number): ReadAccounts {
  const file = join(root, FILE)
  const text = readPrivateFile(file)
  if (text === null) return { accounts: discover(root, now), isStored: false, message: null }
  const read = parse(AccountsFile, text)
  if (read !== null && isSound(read)) return { accounts: read, isStored: true, message: null }
  const aside = setAsideSync(file, now)
  const accounts = discover(root, now)
  if (accounts.accounts.length > 0) writeAccounts(root, accounts)
  const message = `The list of accounts couldn't be read and was set aside as ${aside}. Slipway rebuilt it from the data folder.`
  return { accounts, isStored: accounts.accounts.length > 0, message }
}

/**
 * Reads, changes and writes the list atomically with respect to other processes. `change` returns null if
 * there is nothing to write. Rejects if another process keeps the list locked for longer than
 * LOCK_PATIENCE_MS.
 */
export async function changeAccounts(
  root: string,
  now: () => number,
  change: (accounts: Accounts) => Accounts | null,
): Promise<Accounts> {
  makePrivateDir(root)
  const release = await lock(join(root, LOCK))
  try {
    const before = readAccounts(root, now()).accounts
    const after = change(before)
    if (after === null) return before
    writeAccounts(root, after)
    return after
  } finally {
    release()
  }
}

async function lock(file: string): Promise<() => void> {
  for (let waited = 0; ; waited += LOCK_WAIT_MS) {
    const owner = acquireOwner(file)
    if (owner.ok) return owner.release
    if (waited >= LOCK_PATIENCE_MS)
      throw new Error(`Another Slipway has been changing the list of accounts for too long (${file}).`)
    await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS))
  }
}

function writeAccounts(root: string, accounts: Accounts): void {
  // What `readAccounts` would reject must not replace a list that can be read.
  AccountsFile.parse(accounts)
  // Write the copies first. After a crash in between, the list can still be rebuilt from them.
  for (const entry of accounts.accounts) {
    const file = join(dataPaths(root, {}, entry.folder).dir, COPY)
    const text = `${JSON.stringify(entry, null, 2)}\n`
    if (entry.folder !== '') makePrivateDir(join(root, ACCOUNTS))
    if (readPrivateFile(file) !== text) writePrivateFile(file, text)
  }
  writePrivateFile(join(root, FILE), `${JSON.stringify(accounts, null, 2)}\n`)
}

/** Rebuilds the list from the accounts' folders. The first account found becomes the current one. */
function discover(root: string, now: number): Accounts {
  const found: AccountEntry[] = []
  for (const folder of ['', ...foldersOf(root)]) {
    const { dir, journal } = dataPaths(root, {}, folder)
    const copy = readPrivateFile(join(dir, COPY))
    const kept = copy === null ? null : parse(Entry, copy)
    const isKept = kept !== null && kept.folder === folder
    const id = isKept ? kept.id : (readable(peek(journal))?.account ?? null)
    if (id === null || found.some((one) => one.id === id)) continue
    if (isKept) {
      found.push({ ...kept, name: freeName(found, kept.name) })
      continue
    }
    const baseUrl = folder === '' ? readSettings(join(root, 'settings.json'), now).settings.baseUrl : null
    found.push(newEntry(found, { id, baseUrl, folder, marks: [id], name: null }))
  }
  return { current: found[0]?.id ?? null, accounts: found }
}

function foldersOf(root: string): string[] {
  try {
    return readdirSync(join(root, ACCOUNTS)).filter((name) => FOLDER.test(name))
  } catch {
    return []
  }
}

/** Whether IDs, names and folders are unique. */
function isSound({ accounts }: Accounts): boolean {
  const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length
  return (
    isUnique(accounts.map((one) => one.id)) &&
    isUnique(accounts.map((one) => one.name.toLowerCase())) &&
    isUnique(accounts.map((one) => one.folder))
  )
}

/**
 * Adds an account. `mark` is the mark of the account's first known key, and becomes its ID. If `name` is
 * null, the account is named after its host.
 */
export function addAccount(
  accounts: Accounts,
  { mark, baseUrl, name }: { readonly mark: string; readonly baseUrl: string; readonly name: string | null },
): { readonly accounts: Accounts; readonly entry: AccountEntry } {
  const folder = accounts.accounts.every((one) => one.folder !== '')
    ? ''
    : freeFolder(accounts.accounts, mark)
  const entry = newEntry(accounts.accounts, { id: mark, baseUrl, folder, marks: [mark], name })
  return {
    entry,
    accounts: { ...accounts, current: accounts.current ?? entry.id, accounts: [...accounts.accounts, entry] },
  }
}

/**
 * Assigns an account that hasn't sent anything yet to another key. The account gets a new ID and loses the
 * marks of its earlier keys. If the address differs, it also gets a new name and a new name for its key in
 * the keychain.
 */
export function takeOver(
  accounts: Accounts,
  id: string,
  { mark, baseUrl, name }: { readonly mark: string; readonly baseUrl: string; readonly name: string | null },
): Accounts {
  const others = accounts.accounts.filter((one) => one.id !== id)
  const renew = (one: AccountEntry): AccountEntry =>
    one.baseUrl === baseUrl
      ? { ...one, id: mark, marks: [mark], name: name === null ? one.name : freeName(others, name) }
      : { ...one, ...newEntry(others, { id: mark, baseUrl, folder: one.folder, marks: [mark], name }) }
  return { ...changeEntry(accounts, id, renew), current: accounts.current === id ? mark : accounts.current }
}

function newEntry(
  others: readonly AccountEntry[],
  fields: Pick<AccountEntry, 'id' | 'baseUrl' | 'folder' | 'marks'> & { readonly name: string | null },
): AccountEntry {
  const host = hostOf(fields.baseUrl) ?? NAMELESS
  const name = freeName(others, fields.name ?? host)
  return { ...fields, name, keychain: freeKeychain(others, host, name) }
}

/**
 * Adds the address to an account that has none. An account or key with the default name is renamed after the
 * host. Does nothing if the account already has an address.
 */
export function withAddress(accounts: Accounts, id: string, baseUrl: string): Accounts {
  const others = accounts.accounts.filter((one) => one.id !== id)
  const host = hostOf(baseUrl) ?? NAMELESS
  const settle = (one: AccountEntry): AccountEntry =>
    one.id !== id || one.baseUrl !== null
      ? one
      : {
          ...one,
          baseUrl,
          ...(one.keychain === NAMELESS ? { keychain: freeKeychain(others, host, one.name) } : {}),
          ...(one.name === NAMELESS ? { name: freeName(others, host) } : {}),
        }
  return { ...accounts, accounts: accounts.accounts.map(settle) }
}

/**
 * Adds the mark of another key of the account. Of too many, the oldest is dropped, but not the first, because
 * it is usually the ID. The service is asked again about a key whose mark was dropped.
 */
export function withMark(entry: AccountEntry, mark: string): AccountEntry {
  const [first = mark, ...others] = entry.marks
  return { ...entry, marks: [...new Set([first, ...[...others, mark].slice(1 - MARKS_MOST)])] }
}

export function changeEntry(
  accounts: Accounts,
  id: string,
  change: (entry: AccountEntry) => AccountEntry,
): Accounts {
  return { ...accounts, accounts: accounts.accounts.map((one) => (one.id === id ? change(one) : one)) }
}

/**
 * Returns an unused folder name for a new account, by default the beginning of `mark`. That name may be in
 * use by an account that had this key before another key took it over.
 */
function freeFolder(others: readonly AccountEntry[], mark: string): string {
  for (let n = 1; ; n++) {
    const folder = (n === 1 ? mark : createHash('sha256').update(`${mark} ${n}`).digest('hex')).slice(0, 12)
    if (others.every((one) => one.folder !== folder)) return folder
  }
}

function freeName(others: readonly AccountEntry[], wanted: string): string {
  return free(
    others.map((one) => one.name),
    wanted,
  )
}

/**
 * Returns an unused name for a key in the keychain. Any name may be in use, because a renamed account keeps
 * the name of its key.
 */
function freeKeychain(others: readonly AccountEntry[], host: string, name: string): string {
  const used = others.map((one) => one.keychain)
  return used.includes(host) ? free(used, `${host}#${name}`) : host
}

/** Returns `wanted` or, if it is used (ignoring case), the first of `wanted-2`, `wanted-3`… that isn't. */
function free(used: readonly string[], wanted: string): string {
  const taken = new Set(used.map((one) => one.toLowerCase()))
  if (!taken.has(wanted.toLowerCase())) return wanted
  for (let n = 2; ; n++) if (!taken.has(`${wanted}-${n}`.toLowerCase())) return `${wanted}-${n}`
}

/** The host, followed by the port unless it is the default port. Null if there is no valid address. */
function hostOf(baseUrl: string | null): string | null {
  return baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : null
}

export function peekAccount(paths: DataPaths): Peeked | 'unreadable' | null {
  return peek(paths.journal)
}

/**
 * Maps `unreadable` to null. Only for callers that don't need to distinguish an unreadable journal from a
 * missing or empty one.
 */
export function readable(known: Peeked | 'unreadable' | null): Peeked | null {
  return known === 'unreadable' ? null : known
}

function peek(journal: string): Peeked | 'unreadable' | null {
  return peekJournal(journal, { exists: (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined })
}

function parse<S extends z.ZodType>(schema: S, text: string): z.infer<S> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
