// `slipway login` and `logout`. The key is read from the terminal without echo or from standard input,
// checked with `/stats`, and stored only in the keychain. A running engine is notified. The key is never
// printed, and never accepted as an argument.

import type { EngineClient, Failure, Result } from '../../../src-shared/engine-contract.ts'
import { orAborted } from '../../../src-shared/or-aborted.ts'
import { isAddressSoFar } from '../../api/base-url.ts'
import type { ApiClient, Stats } from '../../api/types.ts'
import type { Keychain, KeychainFailure } from '../../engine/ports.ts'
import { isAccountName, NAME_RULE } from '../../platform/account/account-changes.ts'
import { byName } from '../../platform/account/account-choice.ts'
import type { AccountDesk } from '../../platform/account/account-finder.ts'
import { type AccountEntry, peekAccount, readable } from '../../platform/account/accounts.ts'
import {
  type Address,
  addressOf,
  type Environment,
  NO_ADDRESS,
} from '../../platform/account/key-and-address.ts'
import { prove, readKey } from '../../platform/account/key-check.ts'
import { readPolicy } from '../../platform/data/policy.ts'
import type { ReadSettings, Settings } from '../../platform/data/settings.ts'
import { shownWord } from '../../platform/data/shell-word.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import type { Time } from '../../platform/time.ts'
import { complain, document, fail, note, type Output } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { KEY_FOR_SESSION } from '../follow/ending.ts'
import { notingSlowness } from '../follow/request-wait.ts'
import { pairs } from '../output/table.ts'
import { plainValue } from './stats.ts'

const ADDRESS_TRIES = 3

export interface AccountCtx extends Output {
  readonly env: Environment
  readonly keychain: Keychain
  readonly settings: { readonly read: () => ReadSettings; readonly write: (settings: Settings) => void }
  readonly desk: Pick<
    AccountDesk,
    'accounts' | 'ownerOf' | 'prepare' | 'register' | 'chooseStored' | 'pathsOf'
  >
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient<string>
  /** Access to the engine of an account. */
  readonly open: (entry: AccountEntry) => {
    /**
     * Connects to the engine that runs on the account's folder. Resolves to null if none responds, or if it
     * has another version.
     */
    readonly findRunning: () => Promise<EngineClient | null>
    /** Connects to the engine that runs on the account's folder, or else starts one in this process. */
    readonly elect: () => Promise<Result<{ readonly client: EngineClient }>>
  }
  readonly signal: AbortSignal
  readonly time: Time
}

function notStored(why: string): Failure {
  return {
    code: 'keychain',
    title: `The key is valid, but couldn't be stored. ${why}`,
    hint: KEY_FOR_SESSION,
  }
}

/**
 * Stores the address in the settings as they are now, because the app may have changed them since this
 * command began.
 */
function keepAddress({ settings }: Pick<AccountCtx, 'settings'>, baseUrl: string): void {
  settings.write({ ...settings.read().settings, baseUrl })
}

export interface LoginArgs {
  readonly baseUrl: string | null
  readonly allowHttp: boolean
  /** `--account NAME`: a known account that gets a new key, or the name for a new account. */
  readonly account: string | null
}

export async function login(ctx: AccountCtx, args: LoginArgs): Promise<ExitCode> {
  const { settings, message } = ctx.settings.read()
  const { accounts, message: listMessage } = ctx.desk.accounts()
  for (const text of [message, listMessage]) if (text !== null) complain(ctx, text, null)
  const named = args.account === null ? null : byName(accounts.accounts, args.account)
  if (args.account !== null && named === null && !isAccountName(args.account)) return fail(ctx, BAD_NAME)
  const current = accounts.accounts.find((one) => one.id === accounts.current)
  const known = readPolicy().address ?? (named ?? current)?.baseUrl ?? settings.baseUrl
  const address = await readAddress(ctx, args, { ...settings, baseUrl: known })
  if (!address.ok) return fail(ctx, address.failure)
  if (address.value === null) return EXIT.interrupted

  const read = await readTypedKey(ctx, address.value)
  if (read === null || ctx.signal.aborted) return EXIT.interrupted
  if (!read.ok) return fail(ctx, read.failure)
  const proved = { baseUrl: address.value.baseUrl, key: read.value }

  const asked = prove({
    createApi: ctx.createApi,
    address: address.value,
    key: read.value,
    signal: ctx.signal,
  })
  const proof = await notingSlowness(ctx, ctx.time, asked)
  if (ctx.signal.aborted) return EXIT.interrupted
  if (!proof.ok) return fail(ctx, proof.failure)
  const owner = await ctx.desk.ownerOf(proved, named, ctx.signal)
  if (ctx.signal.aborted) return EXIT.interrupted
  if (!owner.ok) return fail(ctx, owner.failure)
  const { value: whose } = owner
  if (named !== null && (whose.kind === 'new' || whose.entry.id !== named.id))
    return fail(ctx, notTheirs(named.name, whose.kind === 'new' ? null : whose.entry.name))
  if (args.account !== null && named === null && whose.kind === 'known')
    return fail(ctx, notTheirs(args.account, whose.entry.name, true))

  const place = ctx.desk.prepare(proved, owner.value, args.account)
  const stored = await ctx.keychain.set(place.keychain, read.value)
  if (!stored.ok) {
    // The address isn't secret. Store it for later commands that get the key from the environment.
    if (settings.baseUrl === null) keepAddress(ctx, proved.baseUrl)
    return fail(ctx, notStored(stored.failure.message))
  }
  const entry = await ctx.desk.register(proved, owner.value, args.account)
  // If another login took the keychain name in the meantime, this account was given a different one. Store
  // the key under that name too.
  const again =
    entry.keychain === place.keychain ? stored : await ctx.keychain.set(entry.keychain, read.value)
  if (!again.ok) return fail(ctx, notStored(again.failure.message))
  // Older versions know only the first account, and read its address from the settings.
  if (entry.folder === '' && settings.baseUrl !== proved.baseUrl) keepAddress(ctx, proved.baseUrl)
  await keepProof(ctx, entry)
  const isNew = owner.value.kind === 'new'
  if (ctx.json)
    document(ctx, {
      account: entry.name,
      added: isNew,
      base_url: proved.baseUrl,
      plan: proof.value.plan,
      stats: proof.value.stats,
      limits: proof.value.limits,
    })
  else {
    for (const line of pairs(planRows(address.value, proof.value))) ctx.term.out(line)
    note(ctx, 'The key is stored in the keychain.')
    tellAccount(ctx, { entry, isNew, before: current ?? null })
  }
  return EXIT.ok
}

const BAD_NAME: Failure = {
  code: 'usage',
  title: "This isn't a valid account name.",
  hint: NAME_RULE,
}

/** `isNew`: no account is called `wanted`. */
function notTheirs(wanted: string, owner: string | null, isNew = false): Failure {
  const renaming = isNew ? " To rename the account, use the app's settings." : ''
  return {
    code: 'key-refused',
    title: `This key belongs to ${owner === null ? 'another account' : `the account ${owner}`}, not to ${wanted}. Nothing was stored.`,
    hint:
      owner === null
        ? 'To add its account, leave out --account or give it a new name.'
        : `Leave out --account to renew its key.${renaming}`,
  }
}

/**
 * Determines the address; asks for it at a terminal if none is configured. The result's value is null if the
 * user gave up.
 */
async function readAddress(
  ctx: AccountCtx,
  args: LoginArgs,
  settings: Settings,
): Promise<Result<Address | null>> {
  let typed = args.baseUrl
  let known = addressOf(typed === null ? null : { url: typed, allowHttp: args.allowHttp }, ctx.env, settings)
  if (known.ok && known.value === null) {
    if (!ctx.term.inIsTerminal) return { ok: false, failure: { ...NO_ADDRESS, code: 'usage' } }
    for (let tries = 1; ; tries++) {
      // If a key is pasted here by mistake, it is neither echoed nor sent anywhere.
      typed = await ctx.term.ask('Service address (you enter the key next): ', false, isAddressSoFar)
      if (typed === null) return { ok: true, value: null }
      known = addressOf({ url: typed, allowHttp: args.allowHttp }, ctx.env, settings)
      if (known.ok || tries === ADDRESS_TRIES) break
      complain(ctx, known.failure.title, null)
    }
  }
  if (known.ok && known.value === null) return { ok: false, failure: { ...NO_ADDRESS, code: 'usage' } }
  return known
}

/**
 * Asks for the key at a terminal, otherwise reads it from standard input. Resolves to null if the user gave
 * up.
 */
async function readTypedKey(ctx: AccountCtx, address: Address): Promise<Result<string> | null> {
  const entered = ctx.term.inIsTerminal
    ? await ctx.term.ask(`API key for ${address.host} (not shown): `, true)
    : await ctx.term.readInput()
  if (entered === null && ctx.term.inIsTerminal) return null
  const read = readKey(entered ?? '')
  if (read.ok || read.failure.code !== 'no-key') return read
  return {
    ok: false,
    failure: {
      ...read.failure,
      hint: 'Enter it when asked, or pass it on standard input: slipway login < key.txt',
    },
  }
}

/**
 * Prints that the key of a known account was renewed, or that another account was added and what the previous
 * one keeps. Prints nothing for the first account.
 */
function tellAccount(
  ctx: AccountCtx,
  {
    entry,
    isNew,
    before,
  }: { readonly entry: AccountEntry; readonly isNew: boolean; readonly before: AccountEntry | null },
): void {
  if (!isNew) {
    note(ctx, `The key of the account ${entry.name} was renewed. Its files, links and folders are kept.`)
    return
  }
  if (before === null || before.id === entry.id) return
  note(
    ctx,
    `Added the account ${entry.name}, which is the current one now. ${before.name} keeps its files, links and folders.`,
  )
  const folders = readable(peekAccount(ctx.desk.pathsOf(before)))?.folders ?? []
  for (const folder of folders)
    note(
      ctx,
      `  ${folder} stays with ${before.name}; for ${entry.name} as well: slipway watch ${shownWord(forPeople(folder))}`,
    )
}

function planRows(address: Address, stats: Stats): [string, string][] {
  return [
    ['Service', address.baseUrl],
    ['Plan', stats.plan ?? '?'],
    // Show the service's own names and values, because the service doesn't state the units.
    ...Object.entries(stats.limits).map(([name, value]): [string, string] => [name, plainValue(value)]),
    ...Object.entries(stats.stats).map(([name, value]): [string, string] => [name, plainValue(value)]),
  ]
}

export async function logout(ctx: AccountCtx, account: string | null): Promise<ExitCode> {
  const { settings, message } = ctx.settings.read()
  if (message !== null) complain(ctx, message, null)
  const chosen = ctx.desk.chooseStored(account)
  if (!chosen.ok) return fail(ctx, chosen.failure)
  const address = addressOf(null, ctx.env, settings)
  if (chosen.value === null && !address.ok) return fail(ctx, address.failure)
  const name = chosen.value?.keychain ?? (address.ok ? address.value?.host : undefined)
  let removed = false
  if (name !== undefined) {
    const gone = await ctx.keychain.remove(name)
    if (!gone.ok) return fail(ctx, notRemoved(gone.failure, ctx.env.apiKey !== null))
    removed = gone.existed
    if (chosen.value !== null) await tellRunning(ctx, chosen.value)
  }
  const isGiven = ctx.env.apiKey !== null
  if (ctx.json)
    document(ctx, {
      ...(chosen.value === null ? {} : { account: chosen.value.name }),
      removed,
      ...(isGiven ? { environment_key: true } : {}),
    })
  else if (removed) note(ctx, 'The key was removed from the keychain.')
  else note(ctx, 'There was no key in the keychain.')
  if (isGiven && !ctx.json) note(ctx, 'SLIPWAY_API_KEY still provides a key. To sign out, unset it.')
  return EXIT.ok
}

/** The keychain's own messages suggest setting a key for the session, which isn't the way to sign out. */
function notRemoved({ code, message }: KeychainFailure, isGiven: boolean): Failure {
  const [title, next] = {
    missing: [
      'No keychain responds, so no stored key could be removed.',
      'If a key was stored on this computer, log in to its desktop and run slipway logout again.',
    ],
    locked: ["The keychain is locked, so the key wasn't removed.", 'Unlock it, then try again.'],
    denied: [
      "The system doesn't let Slipway use the keychain, so the key wasn't removed.",
      'Allow it, then try again.',
    ],
    timeout: [
      "The keychain didn't respond, so the key may still be stored.",
      'Unlock or restart it, then try again.',
    ],
    other: [message, 'Try again.'],
  }[code] as [string, string]
  return {
    code: 'keychain',
    title,
    hint: isGiven ? 'SLIPWAY_API_KEY provides a key. To sign out, unset it.' : next,
  }
}

/**
 * Makes the running engine, or a temporary one, read the new key, so that the result of the check is recorded
 * at once. If that fails, the login still succeeds: the key is stored, and the next start reads it.
 */
async function keepProof(ctx: AccountCtx, entry: AccountEntry): Promise<void> {
  const opened = await ctx.open(entry).elect()
  if (!opened.ok) return
  await orAborted(opened.value.client.call('reloadKey', {}), ctx.signal, () => null)
  await opened.value.client.close()
}

/**
 * Makes a running engine stop using the key at once. If the engine can't be reached, that isn't an error,
 * because the next start will find no key.
 */
async function tellRunning(ctx: AccountCtx, entry: AccountEntry): Promise<void> {
  const client = await ctx.open(entry).findRunning()
  if (client === null) return
  await client.call('reloadKey', {})
  await client.close()
}
