// Finds the account that a command or the app works with, and its key. Registers new accounts, and new keys
// of known accounts. account-choice.ts makes the decision; account-of-key.ts asks the service. The usual case
// reads one small file and sends no request.
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { ApiClient } from '../../api/types.ts'
import type { Identity } from '../../engine/budget/current-key.ts'
import type { Keychain } from '../../engine/ports.ts'
import { type DataPaths, dataPaths } from '../data/paths.ts'
import { type Policy, readPolicy } from '../data/policy.ts'
import type { Settings } from '../data/settings.ts'
import { folderFailure } from '../data/trouble.ts'
import { acquireOwner } from '../host/owner-lock.ts'
import { type Choice, chooseAccount, likeliestFirst } from './account-choice.ts'
import { type Candidate, type Proof, proveAccount } from './account-of-key.ts'
import {
  type AccountEntry,
  type Accounts,
  addAccount,
  changeAccounts,
  changeEntry,
  peekAccount,
  readAccounts,
  takeOver,
  withAddress,
  withMark,
} from './accounts.ts'
import {
  type Address,
  accountMark,
  addressOf,
  type Environment,
  keyFailure,
  NO_ADDRESS,
  REFUSED_ENVIRONMENT_KEY,
  readIdentity,
} from './key-and-address.ts'

export interface ChosenAccount {
  /** Null if no account is known yet. `identity` then registers one for the configured key. */
  readonly entry: AccountEntry | null
  readonly paths: DataPaths
  /** The configured address, even if there is no key. Null if no address is configured. */
  readonly address: () => Result<Address | null>
  /** Key and address, read again whenever the engine asks. */
  readonly identity: () => Promise<Result<Identity>>
}

/**
 * The owner of a key: a known account, a known account that has sent nothing yet and that the key takes over,
 * or a new account.
 */
export type Owner =
  | { readonly kind: 'known' | 'takes-over'; readonly entry: AccountEntry }
  | { readonly kind: 'new' }

export interface AccountDesk {
  readonly accounts: () => { readonly accounts: Accounts; readonly message: string | null }
  readonly pathsOf: (entry: AccountEntry | null) => DataPaths
  /**
   * Chooses the account called `named`; if that is null, as account-choice.ts decides. Registers the
   * environment's key if it is new. Returns errors of the data folder or its disk as failures; rejects with
   * any other error.
   */
  readonly choose: (named: string | null, signal: AbortSignal) => Promise<Result<ChosenAccount>>
  /** Returns a known account with its own key. Ignores any key in the environment. */
  readonly known: (entry: AccountEntry) => ChosenAccount
  /** Opens an account by ID, with the environment's key if there is one, otherwise with its own. */
  readonly open: (id: string) => Result<ChosenAccount>
  /** Chooses the account for a command that ignores the environment's key. Null if none is known yet. */
  readonly chooseStored: (named: string | null) => Result<AccountEntry | null>
  /**
   * Finds the account that the key belongs to. If no account has this key yet, checks whether the key gives
   * access to files of a known account (of `only`, if given).
   */
  readonly ownerOf: (key: ProvedKey, only: AccountEntry | null, signal: AbortSignal) => Promise<Result<Owner>>
  /**
   * Returns the entry that `register` would store, except that it may contain the account's previous address.
   * Stores nothing.
   */
  readonly prepare: (key: ProvedKey, owner: Owner, name: string | null) => AccountEntry
  /**
   * Registers the key for its account, which becomes the current one. `name` applies to a new or taken-over
   * account.
   */
  readonly register: (key: ProvedKey, owner: Owner, name: string | null) => Promise<AccountEntry>
  readonly use: (id: string) => Promise<void>
}

export interface ProvedKey {
  readonly baseUrl: string
  readonly key: string
}

export interface DeskOptions {
  readonly root: DataPaths
  readonly environment: () => Environment
  readonly processEnv: Readonly<Record<string, string | undefined>>
  readonly settings: () => Settings
  readonly keychain: Keychain
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient<string>
  readonly now: () => number
  /** The policy that decides which addresses may be used; by default, what its files say now. */
  readonly policy?: () => Policy
  /** The path of the lock file of the engine that the caller works with; null if there is none. */
  readonly ownEngine?: () => string | null
}

const IDENTITY_MS = 60_000

export function createAccountDesk(options: DeskOptions): AccountDesk {
  return new Desk(options)
}

class Desk implements AccountDesk {
  readonly #options: DeskOptions
  /**
   * What was wrong with accounts.json; null if nothing was. Only the first read can report it, because that
   * read moves the file aside.
   */
  #message: string | null = null
  /**
   * The mark of a key that couldn't be verified but is trusted, because the user named its account. Null if
   * there is no such key.
   */
  #vouched: string | null = null

  constructor(options: DeskOptions) {
    this.#options = options
  }

  accounts(): { readonly accounts: Accounts; readonly message: string | null } {
    const { accounts } = this.#read()
    return { accounts, message: this.#message }
  }

  pathsOf(entry: AccountEntry | null): DataPaths {
    const { root, processEnv } = this.#options
    return entry === null || entry.folder === '' ? root : dataPaths(root.root, processEnv, entry.folder)
  }

  async choose(named: string | null, signal: AbortSignal): Promise<Result<ChosenAccount>> {
    try {
      const found = await this.#find(named, signal)
      return found.ok ? { ok: true, value: this.#chosen(found.value, this.#options.environment) } : found
    } catch (error) {
      const failure = folderFailure(error, this.#options.root.root)
      if (failure === null) throw error
      return { ok: false, failure }
    }
  }

  known(entry: AccountEntry): ChosenAccount {
    return this.#chosen(entry, () => ({ apiKey: null, baseUrl: entry.baseUrl }))
  }

  open(id: string): Result<ChosenAccount> {
    const entry = this.#read().accounts.accounts.find((one) => one.id === id)
    if (entry !== undefined) return { ok: true, value: this.#chosen(entry, this.#options.environment) }
    return {
      ok: false,
      failure: { code: 'not-found', title: 'This account is no longer on this computer.', hint: null },
    }
  }

  chooseStored(named: string | null): Result<AccountEntry | null> {
    const { accounts } = this.#read()
    const env = this.#options.environment()
    const facts = this.#facts(accounts, named, { apiKey: null, baseUrl: env.baseUrl })
    if (!facts.ok) return facts
    const choice = chooseAccount(facts.value)
    if (choice.kind === 'refused') return { ok: false, failure: choice.failure }
    return { ok: true, value: choice.kind === 'account' ? entryOf(accounts, choice.id) : null }
  }

  async ownerOf(
    { baseUrl, key }: ProvedKey,
    only: AccountEntry | null,
    signal: AbortSignal,
  ): Promise<Result<Owner>> {
    const { accounts } = this.#read()
    const mark = accountMark(baseUrl, key)
    const knows = accounts.accounts.find((one) => one.marks.includes(mark))
    if (knows !== undefined) return { ok: true, value: { kind: 'known', entry: knows } }
    const candidates = only === null ? likeliestFirst(accounts.accounts, baseUrl, accounts.current) : [only]
    const proof = await this.#prove({ baseUrl, key }, candidates, true, signal)
    return proof.ok ? { ok: true, value: ownerBy(accounts, proof.value) } : proof
  }

  prepare(proved: ProvedKey, owner: Owner, name: string | null): AccountEntry {
    const { accounts, id } = withKey(this.#read().accounts, proved, owner, name)
    return entryOf(accounts, id)
  }

  async register(proved: ProvedKey, owner: Owner, name: string | null): Promise<AccountEntry> {
    const { root, now } = this.#options
    const kept = await changeAccounts(root.root, now, (before) => {
      const { accounts, id } = withKey(before, proved, owner, name)
      // Store the address again, because the service may have moved to another address.
      return { ...changeEntry(accounts, id, (one) => ({ ...one, baseUrl: proved.baseUrl })), current: id }
    })
    return entryOf(kept, kept.current ?? '')
  }

  async use(id: string): Promise<void> {
    const { root, now } = this.#options
    await changeAccounts(root.root, now, (accounts) =>
      accounts.current === id ? null : { ...accounts, current: id },
    )
  }

  /**
   * Finds the account to work with. Resolves to null if no account is known yet and the environment's key, or
   * an address for it, is missing.
   */
  async #find(named: string | null, signal: AbortSignal): Promise<Result<AccountEntry | null>> {
    const env = this.#options.environment()
    const read = this.#read()
    const facts = this.#facts(read.accounts, named, env)
    if (!facts.ok) return facts
    const choice = chooseAccount(facts.value)
    if (choice.kind === 'refused') return { ok: false, failure: choice.failure }
    const key = env.apiKey
    // Check the key before it is registered or sent to the service.
    const failure = key === null ? null : keyFailure(key, REFUSED_ENVIRONMENT_KEY)
    if (failure !== null) return { ok: false, failure }
    switch (choice.kind) {
      case 'account': {
        const entry = entryOf(read.accounts, choice.id)
        if (read.isStored && entry.baseUrl !== null) return { ok: true, value: entry }
        // The list isn't stored yet, or lacks the account's address. Both can happen after an update from an
        // earlier version.
        return { ok: true, value: await this.#settle(entry, facts.value.baseUrl) }
      }
      case 'first': {
        if (key === null || facts.value.baseUrl === null) return { ok: true, value: null }
        return { ok: true, value: await this.#keep({ baseUrl: facts.value.baseUrl, key }, { kind: 'new' }) }
      }
      case 'ask':
        return key === null
          ? { ok: true, value: null }
          : this.#ask(read.accounts, choice, { key, isNamed: named !== null }, signal)
      default:
        return choice satisfies never
    }
  }

  async #ask(
    accounts: Accounts,
    choice: Extract<Choice, { kind: 'ask' }>,
    { key, isNamed }: { readonly key: string; readonly isNamed: boolean },
    signal: AbortSignal,
  ): Promise<Result<AccountEntry | null>> {
    const candidates = choice.candidates.map((id) => entryOf(accounts, id))
    const proved = { baseUrl: choice.baseUrl, key }
    const proof = await this.#prove(proved, candidates, isNamed, signal)
    const first = candidates[0]
    if (!proof.ok) {
      if (proof.failure.code === 'key-refused')
        return { ok: false, failure: { ...proof.failure, hint: REFUSED_ENVIRONMENT_KEY } }
      // Without a connection, the key's owner can't be determined, so trust the user who named the account.
      // The next start checks again.
      if (!isNamed || first === undefined || proof.failure.code !== 'no-connection') return proof
      this.#vouched = accountMark(choice.baseUrl, key)
      return { ok: true, value: first }
    }
    if (isNamed && proof.value.kind === 'other')
      return { ok: false, failure: otherAccount(first?.name ?? '') }
    return { ok: true, value: await this.#keep(proved, ownerBy(accounts, proof.value)) }
  }

  #policy(): Policy {
    return this.#options.policy?.() ?? readPolicy()
  }

  #chosen(entry: AccountEntry | null, environment: () => Environment): ChosenAccount {
    const settings = (): Settings => {
      const read = this.#options.settings()
      return { ...read, baseUrl: entry?.baseUrl ?? read.baseUrl }
    }
    // If the environment contains no key and the account has an address, the environment's address is ignored
    // too, because the stored key must not be sent to another address.
    const env = (): Environment => {
      const given = environment()
      return given.apiKey === null && (entry?.baseUrl ?? null) !== null
        ? { apiKey: null, baseUrl: null }
        : given
    }
    return {
      entry,
      paths: this.pathsOf(entry),
      address: () => addressOf(null, env(), settings(), this.#policy()),
      identity: () =>
        entry === null
          ? this.#firstIdentity()
          : this.#identityOf(entry.id, { env: env(), settings: settings() }),
    }
  }

  /** Registers the first account from the configured key (environment or keychain). */
  async #firstIdentity(): Promise<Result<Identity>> {
    const { environment, settings, keychain } = this.#options
    const policy = this.#policy()
    const read = await readIdentity({ env: environment(), settings: settings(), keychain, policy })
    if (!read.ok) return read
    const entry = await this.#keep(read.value, { kind: 'new' })
    // Another process may have registered a different account as the first one.
    if (entry.folder !== '') return { ok: false, failure: otherAccount(this.#nameOfRoot()) }
    return { ok: true, value: { ...read.value, account: entry.id, marks: entry.marks } }
  }

  async #identityOf(
    id: string,
    { env, settings }: { readonly env: Environment; readonly settings: Settings },
  ): Promise<Result<Identity>> {
    const entry = this.#read().accounts.accounts.find((one) => one.id === id)
    if (entry === undefined) return { ok: false, failure: NO_ADDRESS }
    const read = await readIdentity({
      env,
      settings,
      keychain: this.#options.keychain,
      entry: entry.keychain,
      policy: this.#policy(),
    })
    if (!read.ok) return read
    const { baseUrl, key } = read.value
    const mark = accountMark(baseUrl, key)
    const identity = { ok: true, value: { ...read.value, account: entry.id, marks: entry.marks } } as const
    if (entry.marks.includes(mark) || mark === this.#vouched) return identity
    const owner = await this.ownerOf({ baseUrl, key }, entry, AbortSignal.timeout(IDENTITY_MS))
    if (!owner.ok) return owner
    if (owner.value.kind !== 'known' || owner.value.entry.id !== entry.id)
      return { ok: false, failure: otherAccount(entry.name) }
    await this.#keep({ baseUrl, key }, owner.value)
    return identity
  }

  #nameOfRoot(): string {
    return this.#read().accounts.accounts.find((one) => one.folder === '')?.name ?? ''
  }

  /**
   * Assigns the key to its owner in the list, unless it is already assigned. Resolves to the owner's entry.
   */
  async #keep(proved: ProvedKey, owner: Owner): Promise<AccountEntry> {
    const { root, now } = this.#options
    let id = ''
    const kept = await changeAccounts(root.root, now, (before) => {
      const after = withKey(before, proved, owner, null)
      id = after.id
      return after.accounts === before ? null : after.accounts
    })
    return entryOf(kept, id)
  }

  /**
   * Stores the list, because an earlier version may have stored none. Adds the account's address if it was
   * unknown.
   */
  async #settle(entry: AccountEntry, baseUrl: string | null): Promise<AccountEntry> {
    const { root, now } = this.#options
    const kept = await changeAccounts(root.root, now, (accounts) =>
      baseUrl === null ? accounts : withAddress(accounts, entry.id, baseUrl),
    )
    return entryOf(kept, entry.id)
  }

  #prove(
    { baseUrl, key }: ProvedKey,
    entries: readonly AccountEntry[],
    isChosen: boolean,
    signal: AbortSignal,
  ): Promise<Result<Proof>> {
    const candidates = entries.map((entry): Candidate => {
      const paths = this.pathsOf(entry)
      return {
        id: entry.id,
        name: entry.name,
        baseUrl: entry.baseUrl,
        known: peekAccount(paths),
        isRunning: paths.owner !== this.#options.ownEngine?.() && isOwned(paths.owner),
      }
    })
    return proveAccount({ createApi: this.#options.createApi, baseUrl, key, candidates, isChosen, signal })
  }

  #facts(
    accounts: Accounts,
    named: string | null,
    env: Environment,
  ): Result<Parameters<typeof chooseAccount>[0]> {
    const known = accounts.accounts.length > 0
    // If accounts are known, the address in the settings belongs to the first one. It must not influence the
    // choice.
    const address = addressOf(
      null,
      env,
      known ? { ...this.#options.settings(), baseUrl: null } : this.#options.settings(),
      this.#policy(),
    )
    if (!address.ok) return address
    const { apiKey } = env
    return {
      ok: true,
      value: {
        accounts: accounts.accounts,
        current: accounts.current,
        named,
        baseUrl: address.value?.baseUrl ?? null,
        markAt: apiKey === null ? null : (baseUrl) => accountMark(baseUrl, apiKey),
      },
    }
  }

  #read(): ReturnType<typeof readAccounts> {
    const read = readAccounts(this.#options.root.root, this.#options.now())
    this.#message ??= read.message
    return read
  }
}

/** Returns the list with the key assigned to its owner, and the ID of the owner's account. Pure. */
function withKey(
  accounts: Accounts,
  { baseUrl, key }: ProvedKey,
  owner: Owner,
  name: string | null,
): { readonly accounts: Accounts; readonly id: string } {
  const mark = accountMark(baseUrl, key)
  const knows = accounts.accounts.find((one) => one.marks.includes(mark))
  if (knows !== undefined)
    return {
      id: knows.id,
      accounts: knows.baseUrl === null ? withAddress(accounts, knows.id, baseUrl) : accounts,
    }
  const known = owner.kind === 'new' ? undefined : accounts.accounts.find((one) => one.id === owner.entry.id)
  if (known === undefined) {
    const added = addAccount(accounts, { mark, baseUrl, name })
    return { id: added.entry.id, accounts: added.accounts }
  }
  if (owner.kind === 'takes-over')
    return { id: mark, accounts: takeOver(accounts, known.id, { mark, baseUrl, name }) }
  const marked = changeEntry(accounts, known.id, (one) => withMark(one, mark))
  return { id: known.id, accounts: withAddress(marked, known.id, baseUrl) }
}

function entryOf(accounts: Accounts, id: string): AccountEntry {
  const entry = accounts.accounts.find((one) => one.id === id)
  if (entry === undefined) throw new Error(`The account ${id} is no longer in the list.`)
  return entry
}

function ownerBy(accounts: Accounts, proof: Proof): Owner {
  switch (proof.kind) {
    case 'other':
      return { kind: 'new' }
    case 'same':
      return { kind: 'known', entry: entryOf(accounts, proof.id) }
    case 'takes-over':
      return { kind: 'takes-over', entry: entryOf(accounts, proof.id) }
    default:
      return proof satisfies never
  }
}

function otherAccount(name: string): Failure {
  return {
    code: 'key-refused',
    title: `This key belongs to a different account than ${name}. Nothing is sent.`,
    hint: 'Leave out --account to work with the account of this key, or store the key of this account with slipway login.',
  }
}

function isOwned(file: string): boolean {
  try {
    const owner = acquireOwner(file)
    if (owner.ok) owner.release()
    return !owner.ok
  } catch {
    // If the lock file can't be opened, for example because the folder doesn't exist yet, no engine is using
    // the folder.
    return false
  }
}
