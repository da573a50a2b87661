// Renames an account, or removes it from this computer. Removing an account deletes its key and its data,
// including pasted and piped content (spool.ts). Other local files, and files on the service, aren't
// touched.
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { Keychain, KeychainFailure } from '../../engine/ports.ts'
import { dataPaths } from '../data/paths.ts'
import { folderFailure } from '../data/trouble.ts'
import { acquireOwner } from '../host/owner-lock.ts'
import { byName } from './account-choice.ts'
import { type AccountEntry, changeAccounts, changeEntry, readAccounts } from './accounts.ts'

/**
 * Matches the names of an account's files. For the first account, only these are deleted, because its folder
 * is the data folder, which contains other files as well. The folder of any other account is deleted as a
 * whole.
 */
const OWN_FILE = /^(?:journal\.db.*|slipway\.log.*|(?:drops|deletes)\.json.*|pasted|account\.json)$/

/**
 * Options for `rm` with retries, because Windows can refuse to delete a file that another program, such as a
 * virus scanner, has open.
 */
const PATIENTLY = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const

export interface ChangeParts {
  /** The data folder. */
  readonly root: string
  readonly now: () => number
  readonly keychain: Pick<Keychain, 'get' | 'remove'>
}

export const NAME_RULE =
  'Use up to 64 letters, digits, spaces, dots, hyphens and underscores; start with a letter or digit.'

/** Whether a user may give an account this name. */
export function isAccountName(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(text) && !text.endsWith(' ')
}

/**
 * Renames an account. Fails if the name is invalid, if another account has it (ignoring case), or if the
 * account doesn't exist any more.
 */
export async function renameAccount(
  { root, now }: ChangeParts,
  id: string,
  name: string,
): Promise<Result<AccountEntry>> {
  if (!isAccountName(name)) return refuse('usage', 'This isn’t a valid account name.', NAME_RULE)
  let failure: Failure | null = null
  const kept = await changeAccounts(root, now, (accounts) => {
    const named = byName(accounts.accounts, name)
    if (named !== null && named.id !== id) {
      failure = {
        code: 'usage',
        title: `An account named ${named.name} already exists.`,
        hint: 'Choose another name.',
      }
      return null
    }
    return changeEntry(accounts, id, (one) => ({ ...one, name }))
  })
  if (failure !== null) return { ok: false, failure }
  const entry = kept.accounts.find((one) => one.id === id)
  return entry === undefined ? NOT_THERE : { ok: true, value: entry }
}

/**
 * Deletes the account's key, then its data, then its entry. The caller must have closed the account's engine.
 * Fails without changing anything if another process runs that engine, or if the key can't be deleted.
 */
export async function removeAccount(parts: ChangeParts, id: string): Promise<Result<void>> {
  const { root, now, keychain } = parts
  const entry = readAccounts(root, now()).accounts.accounts.find((one) => one.id === id)
  if (entry === undefined) return NOT_THERE
  const paths = dataPaths(root, {}, entry.folder)
  try {
    const owner = acquireOwner(paths.owner)
    if (!owner.ok)
      return refuse('usage', `Another Slipway is using ${entry.name}.`, 'Quit it, then try again.')
    try {
      const failure = await forgetKey(keychain, entry)
      if (failure !== null) return { ok: false, failure }
      // Delete the data before the entry in the list. After a crash in between, an account without data is
      // harmless, but data without its account could be attributed to another one.
      for (const name of readdirSync(paths.dir))
        if (OWN_FILE.test(name)) await rm(join(paths.dir, name), PATIENTLY)
    } finally {
      owner.release()
    }
    await changeAccounts(root, now, ({ current, accounts, ...more }) => {
      const left = accounts.filter((one) => one.id !== id)
      return { ...more, accounts: left, current: current === id ? (left[0]?.id ?? null) : current }
    })
    if (entry.folder !== '') await rm(paths.dir, PATIENTLY)
    return { ok: true, value: undefined }
  } catch (error) {
    const failure = folderFailure(error, paths.dir)
    if (failure === null) throw error
    return { ok: false, failure }
  }
}

/**
 * Deletes the account's key from the keychain. Resolves to null if no key is left, or if the system has no
 * keychain. Resolves to a failure if the keychain can't be used right now, for example because it is locked.
 */
async function forgetKey(keychain: ChangeParts['keychain'], entry: AccountEntry): Promise<Failure | null> {
  const stored = await keychain.get(entry.keychain)
  if (!stored.ok) return stored.failure.code === 'missing' ? null : keyStays(entry, stored.failure)
  if (stored.secret === null) return null
  const removed = await keychain.remove(entry.keychain)
  return removed.ok ? null : keyStays(entry, removed.failure)
}

function keyStays({ name }: AccountEntry, { code, message }: KeychainFailure): Failure {
  const what = `Couldn’t delete the key of ${name} from the keychain, so the account wasn’t removed`
  const [why, first] = {
    locked: ['it is locked', 'Unlock the keychain'],
    denied: ["the system doesn't let Slipway use it", 'Allow it'],
    timeout: ["it didn't answer", 'Unlock the keychain or restart it'],
    missing: ['it no longer answers', 'Start the keychain'],
    other: [message, 'Unlock the keychain or restart it'],
  }[code]
  return {
    code: 'keychain',
    title: `${what}: ${why}${code === 'other' ? '' : '.'}`,
    hint: `${first}, then remove the account again.`,
  }
}

const NOT_THERE = refuse('not-found', 'This account is no longer on this computer.', null)

function refuse(
  code: Failure['code'],
  title: string,
  hint: string | null,
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code, title, hint } }
}
