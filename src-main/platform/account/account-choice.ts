// Chooses the account that a command or the app works with. Considers, in this order, the name on the command
// line, the key in the environment, the address in the environment, and the current account. For an unknown
// key, the caller must ask the service (account-of-key.ts). Pure.
import type { Failure } from '../../../src-shared/engine-contract.ts'

export interface ChoiceAccount {
  readonly id: string
  readonly name: string
  readonly baseUrl: string | null
  readonly marks: readonly string[]
}

export interface ChoiceFacts {
  readonly accounts: readonly ChoiceAccount[]
  readonly current: string | null
  /** The value of `--account NAME`. */
  readonly named: string | null
  /**
   * The normalized address from `SLIPWAY_BASE_URL` or, if no account is known yet, from the settings. Null if
   * there is none.
   */
  readonly baseUrl: string | null
  /**
   * Computes the mark that identifies the environment's key at an address (`accountMark`); null if the
   * environment contains no key.
   */
  readonly markAt: ((baseUrl: string) => string) | null
}

export type Choice =
  | { readonly kind: 'account'; readonly id: string }
  /** No account is known yet. */
  | { readonly kind: 'first' }
  /**
   * The key in the environment is new. It may be another key of one of the candidates, which are sorted by
   * likelihood.
   */
  | { readonly kind: 'ask'; readonly baseUrl: string; readonly candidates: readonly string[] }
  | { readonly kind: 'refused'; readonly failure: Failure }

export function chooseAccount(facts: ChoiceFacts): Choice {
  const { accounts, named, markAt, current } = facts
  const wanted = named === null ? null : byName(accounts, named)
  if (named !== null && wanted === null) return refuse(unknownName(named, accounts))
  if (accounts.length === 0) return { kind: 'first' }
  if (markAt !== null) return chooseByKey(facts, wanted, markAt)
  if (wanted !== null) return { kind: 'account', id: wanted.id }
  const now = accounts.find((one) => one.id === current) ?? accounts[0]
  return facts.baseUrl === null && now !== undefined
    ? { kind: 'account', id: now.id }
    : chooseByAddress(facts, now ?? null)
}

/** Finds an account by its name, ignoring case if no name matches exactly. Returns null if there is none. */
export function byName<T extends { readonly name: string }>(accounts: readonly T[], name: string): T | null {
  const lower = name.toLowerCase()
  return (
    accounts.find((one) => one.name === name) ??
    accounts.find((one) => one.name.toLowerCase() === lower) ??
    null
  )
}

export function unknownName(name: string, accounts: readonly Pick<ChoiceAccount, 'name'>[]): Failure {
  const names = accounts.map((one) => one.name).join(', ')
  return {
    code: 'not-found',
    title: `There is no account ${name}.`,
    hint: names === '' ? 'There are no accounts yet. Add one with: slipway login' : `Accounts: ${names}`,
  }
}

function chooseByKey(
  facts: ChoiceFacts,
  wanted: ChoiceAccount | null,
  markAt: (baseUrl: string) => string,
): Choice {
  const { accounts, current, baseUrl } = facts
  const knows = (one: ChoiceAccount): boolean => {
    const at = baseUrl ?? one.baseUrl
    return at !== null && one.marks.includes(markAt(at))
  }
  const owner = wanted !== null && knows(wanted) ? wanted : accounts.find(knows)
  if (owner !== undefined) {
    if (wanted === null || wanted.id === owner.id) return { kind: 'account', id: owner.id }
    return refuse(foreignKey(owner.name, wanted.name))
  }
  const first = wanted ?? accounts.find((one) => one.id === current) ?? accounts[0]
  const at = baseUrl ?? first?.baseUrl ?? null
  // Without an address, the service can't be asked who owns the key, so ignore the key.
  if (at === null) return first === undefined ? { kind: 'first' } : { kind: 'account', id: first.id }
  if (wanted !== null) return { kind: 'ask', baseUrl: at, candidates: [wanted.id] }
  return { kind: 'ask', baseUrl: at, candidates: likeliestFirst(accounts, at, current).map((one) => one.id) }
}

/**
 * Sorts the accounts by how likely an unknown key for this address belongs to them: accounts with the same
 * address first, and within each group the current account first.
 */
export function likeliestFirst<T extends Pick<ChoiceAccount, 'id' | 'baseUrl'>>(
  accounts: readonly T[],
  baseUrl: string,
  current: string | null,
): readonly T[] {
  const rank = (one: T): number => (one.baseUrl === baseUrl ? 0 : 2) + (one.id === current ? 0 : 1)
  return accounts.toSorted((a, b) => rank(a) - rank(b))
}

function foreignKey(owner: string, wanted: string): Failure {
  return {
    code: 'key-refused',
    title: `The key in SLIPWAY_API_KEY belongs to the account ${owner}, not to ${wanted}.`,
    hint: `Set the key of ${wanted}, or leave out --account.`,
  }
}

function chooseByAddress({ accounts, baseUrl }: ChoiceFacts, current: ChoiceAccount | null): Choice {
  const there = accounts.filter((one) => one.baseUrl === baseUrl || one.baseUrl === null)
  const found = there.find((one) => one.id === current?.id) ?? (there.length === 1 ? there[0] : undefined)
  if (found !== undefined) return { kind: 'account', id: found.id }
  if (there.length > 1) {
    const hint = `Choose one with --account: ${there.map((one) => one.name).join(', ')}`
    return refuse({ code: 'usage', title: `There are several accounts at ${baseUrl}.`, hint })
  }
  return refuse({
    code: 'no-key',
    title: `There is no account at ${baseUrl} yet.`,
    hint: `Add it with slipway login, set SLIPWAY_API_KEY, or choose one with --account: ${accounts.map((one) => one.name).join(', ')}`,
  })
}

function refuse(failure: Failure): Choice {
  return { kind: 'refused', failure }
}
