// Implements the engine thread's operations on the list of accounts. The list shows figures from each
// account's journal, and whether the keychain contains the account's key. No operation opens an engine or
// sends a request.
import type { Result } from '../../../src-shared/engine-contract.ts'
import type { Keychain } from '../../engine/ports.ts'
import { removeAccount, renameAccount } from '../../platform/account/account-changes.ts'
import type { AccountDesk } from '../../platform/account/account-finder.ts'
import { type AccountEntry, peekAccount, readable } from '../../platform/account/accounts.ts'
import { countUnsentPastes } from '../../platform/data/spool.ts'
import type { AccountLine, EngineThreadOps } from './protocol.ts'

interface AccountParts {
  readonly desk: Pick<AccountDesk, 'accounts' | 'pathsOf' | 'use'>
  readonly keychain: Pick<Keychain, 'get' | 'remove'>
  /** The data folder. */
  readonly root: string
  readonly now: () => number
}

const DONE = { ok: true, value: {} } as const

/** `leave` closes the running engine if it belongs to the given account. */
export function accountOps(
  parts: AccountParts,
  leave: (account: string) => Promise<void>,
): Pick<EngineThreadOps, 'accounts' | 'use' | 'rename' | 'unsentPastes' | 'remove'> {
  const { desk, keychain } = parts
  const done = (result: Result<unknown>): Result<Record<string, never>> => (result.ok ? DONE : result)
  return {
    accounts: async () => ({ ok: true, value: { accounts: await accountLines(desk, keychain) } }),
    use: async ({ account }) => {
      await desk.use(account)
      return DONE
    },
    rename: async ({ account, name }) => done(await renameAccount(parts, account, name)),
    unsentPastes: async ({ account }) => {
      const entry = desk.accounts().accounts.accounts.find((one) => one.id === account)
      return { ok: true, value: { count: entry === undefined ? 0 : countUnsentPastes(desk.pathsOf(entry)) } }
    },
    remove: async ({ account }) => {
      await leave(account)
      return done(await removeAccount(parts, account))
    },
  }
}

async function accountLines(
  desk: Pick<AccountDesk, 'accounts' | 'pathsOf'>,
  keychain: Pick<Keychain, 'get'>,
): Promise<readonly AccountLine[]> {
  const lines: AccountLine[] = []
  for (const entry of desk.accounts().accounts.accounts) {
    const peeked = peekAccount(desk.pathsOf(entry))
    const known = readable(peeked)
    // Once the keychain can't be read for one account, don't try the remaining ones, because each read could
    // open another dialog.
    const isKeyStored = lines.at(-1)?.isKeyStored === null ? null : await keyStored(keychain, entry)
    lines.push({
      id: entry.id,
      name: entry.name,
      host: hostOf(entry),
      isKeyStored,
      folders: known?.folders.length ?? 0,
      open: known?.waiting ?? 0,
      hasCleanup: known?.hasCleanup ?? false,
      needs: (known?.held ?? 0) + (known?.failed ?? 0),
      isUnread: peeked === 'unreadable',
    })
  }
  return lines
}

function hostOf({ baseUrl }: AccountEntry): string | null {
  return baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : null
}

async function keyStored(keychain: Pick<Keychain, 'get'>, entry: AccountEntry): Promise<boolean | null> {
  const stored = await keychain.get(entry.keychain)
  return stored.ok ? stored.secret !== null && stored.secret !== '' : null
}
