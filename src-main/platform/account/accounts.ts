// accounts.json: the accounts of a data folder, and which one is current. It holds no secret. Every account has a journal, and so an engine,
// of its own: the first one in the data folder itself, every further one in a folder in `accounts`, which also keeps a copy of its entry. A file
// that can't be read is set aside and rebuilt from those folders.
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Peeked, peekJournal } from '../../engine/journal/peek.ts'
import { ACCOUNTS, type DataPaths, dataPaths } from '../data/paths.ts'
import { makePrivateDir } from '../data/private-dir.ts'
import { writePrivateFile } from '../data/private-file.ts'
import { readSettings } from '../data/settings.ts'
import { acquireOwner } from '../host/owner-lock.ts'

const FILE = 'accounts.json'
const COPY = 'account.json'
const LOCK = 'accounts.lock'
const LOCK_WAIT_MS = 20
const LOCK_PATIENCE_MS = 10_000
/** A folder of `accounts`, and the beginning of the account's ID. */
const FOLDER = /^[0-9a-f]{12}$/
/** An account whose address is not known yet has no host to be named after. */
const NAMELESS = 'default'

const Entry = z.looseObject({
  /** Stable, as the journal has it. */
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(300),
  /** Normalised, with `/api/v1`. Null: an earlier version did not keep it. */
  baseUrl: z.string().min(1).max(4096).nullable(),
  /** The name of its key in the keychain. */
  keychain: z.string().min(1).max(600),
  /** Of the keys that are known to be this account's (accountMark). */
  marks: z.array(z.string().max(200)).max(1000),
  /** The name of its folder; empty: the data folder itself. */
  folder: z.union([z.literal(''), z.string().regex(FOLDER)]),
})
export type AccountEntry = z.infer<typeof Entry>

const AccountsFile = z.looseObject({ current: z.string().nullable(), accounts: z.array(Entry).max(1000) })
export type Accounts = z.infer<typeof AccountsFile>

export interface ReadAccounts {
  readonly accounts: Accounts
  /** The file says so: nothing would have to be written to keep it. */
  readonly isStored: boolean
  /** For people: what was wrong with the file and where it is now. Null: nothing. */
  readonly message: string | null
}

/** Throws only what a folder without rights throws. */
export function readAccounts(root: string, now: number): ReadAccounts {
  const file = join(root, FILE)
  const text = readText(file)
  if (text === null) return { accounts: discover(root, now), isStored: false, message: null }
  const read = parse(AccountsFile, text)
  if (read !== null && isSound(read)) return { accounts: read, isStored: true, message: null }
  const aside = `${file}.broken-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(file, aside)
  const accounts = discover(root, now)
  if (accounts.accounts.length > 0) writeAccounts(root, accounts)
  const message = `The list of accounts could not be read and was set aside as ${aside}. It was rebuilt from the data folder.`
  return { accounts, isStored: accounts.accounts.length > 0, message }
}

/** Reads, changes and writes as one step among all processes. `change` gives null where there is nothing to write. */
export async function changeAccounts(root: string, now: () => number, change: (accounts: Accounts) => Accounts | null): Promise<Accounts> {
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
    if (waited >= LOCK_PATIENCE_MS) throw new Error(`Another Slipway has been changing the list of accounts for too long (${file}).`)
    await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS))
  }
}

function writeAccounts(root: string, accounts: Accounts): void {
  // First the copies: a list without them could not be rebuilt, copies without the list are found again.
  for (const entry of accounts.accounts) {
    const file = join(dataPaths(root, {}, entry.folder).dir, COPY)
    const text = `${JSON.stringify(entry, null, 2)}\n`
    if (entry.folder !== '') makePrivateDir(join(root, ACCOUNTS))
    if (readText(file) !== text) writePrivateFile(file, text)
  }
  writePrivateFile(join(root, FILE), `${JSON.stringify(accounts, null, 2)}\n`)
}

/** What the folders themselves say. */
function discover(root: string, now: number): Accounts {
  const found: AccountEntry[] = []
  for (const folder of ['', ...foldersOf(root)]) {
    const { dir, journal } = dataPaths(root, {}, folder)
    const copy = readText(join(dir, COPY))
    const kept = copy === null ? null : parse(Entry, copy)
    const isKept = kept !== null && kept.folder === folder
    const id = isKept ? kept.id : (peekJournal(journal)?.account ?? null)
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

/** One ID, name and folder for one account only. */
function isSound({ accounts }: Accounts): boolean {
  const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length
  return (
    isUnique(accounts.map((one) => one.id)) &&
    isUnique(accounts.map((one) => one.name.toLowerCase())) &&
    isUnique(accounts.map((one) => one.folder))
  )
}

/** `mark`: of the first key that is known to be this account's; it becomes the account's ID. `name` null: after its host. */
export function addAccount(
  accounts: Accounts,
  { mark, baseUrl, name }: { readonly mark: string; readonly baseUrl: string; readonly name: string | null },
): { readonly accounts: Accounts; readonly entry: AccountEntry } {
  const folder = accounts.accounts.every((one) => one.folder !== '') ? '' : mark.slice(0, 12)
  const entry = newEntry(accounts.accounts, { id: mark, baseUrl, folder, marks: [mark], name })
  return { entry, accounts: { ...accounts, current: accounts.current ?? entry.id, accounts: [...accounts.accounts, entry] } }
}

/** The account has sent nothing yet, and is another key's from now on: keys that were used before are as new as any. */
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
  const keychain = others.some((one) => one.keychain === host) ? `${host}#${name}` : host
  return { ...fields, name, keychain }
}

/** The address of an account that an earlier version kept none of, once a key shows it; its name follows. */
export function withAddress(accounts: Accounts, id: string, baseUrl: string): Accounts {
  const others = accounts.accounts.filter((one) => one.id !== id)
  const host = hostOf(baseUrl) ?? NAMELESS
  const settle = (one: AccountEntry): AccountEntry =>
    one.id !== id || one.baseUrl !== null
      ? one
      : {
          ...one,
          baseUrl,
          ...(one.keychain === NAMELESS
            ? { keychain: others.some((other) => other.keychain === host) ? `${host}#${one.name}` : host }
            : {}),
          ...(one.name === NAMELESS ? { name: freeName(others, host) } : {}),
        }
  return { ...accounts, accounts: accounts.accounts.map(settle) }
}

export function changeEntry(accounts: Accounts, id: string, change: (entry: AccountEntry) => AccountEntry): Accounts {
  return { ...accounts, accounts: accounts.accounts.map((one) => (one.id === id ? change(one) : one)) }
}

function freeName(others: readonly AccountEntry[], wanted: string): string {
  const taken = (name: string): boolean => others.some((one) => one.name.toLowerCase() === name.toLowerCase())
  if (!taken(wanted)) return wanted
  for (let n = 2; ; n++) if (!taken(`${wanted}-${n}`)) return `${wanted}-${n}`
}

/** With its port. */
function hostOf(baseUrl: string | null): string | null {
  return baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : null
}

export function peekAccount(paths: DataPaths): Peeked | null {
  return peekJournal(paths.journal)
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

function parse<S extends z.ZodType>(schema: S, text: string): z.infer<S> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
