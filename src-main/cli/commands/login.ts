// `slipway login` and `logout`: the key comes from the terminal without echo or from standard input, is proved with `/stats`, and goes into
// the keychain and nowhere else. A running engine is told. The key is never printed and never taken from the command line.

import type { EngineClient, Result } from '../../../src-shared/contract.ts'
import { isAddressSoFar } from '../../api/base-url.ts'
import type { ApiClient, Stats } from '../../api/types.ts'
import type { Keychain } from '../../engine/ports.ts'
import { type Address, addressOf, type Environment, NO_ADDRESS } from '../../platform/identity.ts'
import { prove, readKey } from '../../platform/proof.ts'
import type { ReadSettings, Settings } from '../../platform/settings.ts'
import { complain, document, fail, note, type Output, whenAborted } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { pairs } from '../table.ts'
import { plainValue } from './stats.ts'

const ADDRESS_TRIES = 3

export interface AccountCtx extends Output {
  readonly env: Environment
  readonly keychain: Keychain
  readonly settings: { readonly read: () => ReadSettings; readonly write: (settings: Settings) => void }
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** The engine that runs on this data folder; null: none. */
  readonly findRunning: () => Promise<EngineClient | null>
  /** The engine that runs on this data folder, else one in this process. */
  readonly elect: () => Promise<Result<{ readonly client: EngineClient }>>
  readonly signal: AbortSignal
}

export interface LoginArgs {
  readonly baseUrl: string | null
  readonly allowHttp: boolean
}

export async function login(ctx: AccountCtx, args: LoginArgs): Promise<ExitCode> {
  const { settings, message } = ctx.settings.read()
  if (message !== null) complain(ctx, message, null)
  let typed = args.baseUrl
  let known = addressOf(typed === null ? null : { url: typed, allowHttp: args.allowHttp }, ctx.env, settings)
  if (known.ok && known.value === null) {
    if (!ctx.term.inIsTerminal) return fail(ctx, { ...NO_ADDRESS, code: 'usage' })
    for (let tries = 1; ; tries++) {
      // Whoever pastes the key here is not shown it, and it goes nowhere.
      typed = await ctx.term.ask('Address of the service (the key is asked for next): ', false, isAddressSoFar)
      if (typed === null) return EXIT.interrupted
      known = addressOf({ url: typed, allowHttp: args.allowHttp }, ctx.env, settings)
      if (known.ok || tries === ADDRESS_TRIES) break
      complain(ctx, known.failure.title, null)
    }
  }
  if (!known.ok) return fail(ctx, known.failure)
  if (known.value === null) return fail(ctx, { ...NO_ADDRESS, code: 'usage' })
  const address = known.value

  const entered = ctx.term.inIsTerminal
    ? await ctx.term.ask(`API key for ${address.host} (it is not shown): `, true)
    : await ctx.term.readInput()
  if (entered === null && ctx.term.inIsTerminal) return EXIT.interrupted
  const read = readKey(entered ?? '')
  if (!read.ok)
    return fail(
      ctx,
      read.failure.code === 'no-key'
        ? { ...read.failure, hint: 'Type it when asked, or give it on standard input: slipway login < key.txt' }
        : read.failure,
    )
  const key = read.value

  const proof = await prove({ createApi: ctx.createApi, address, key, signal: ctx.signal })
  if (ctx.signal.aborted) return EXIT.interrupted
  if (!proof.ok) return fail(ctx, proof.failure)

  const stored = await ctx.keychain.set(address.host, key)
  if (!stored.ok) {
    // The address holds no secret and is worth keeping for a session with the key in the environment.
    if (settings.baseUrl === null) ctx.settings.write({ ...settings, baseUrl: address.baseUrl })
    return fail(ctx, {
      code: 'keychain',
      title: `The key is good, but it could not be stored. ${stored.failure.message}`,
      hint: 'For this session alone: read -rs SLIPWAY_API_KEY && export SLIPWAY_API_KEY',
    })
  }
  if (settings.baseUrl !== address.baseUrl) ctx.settings.write({ ...settings, baseUrl: address.baseUrl })
  await keepProof(ctx)
  if (ctx.json) document(ctx, { base_url: address.baseUrl, plan: proof.value.plan, stats: proof.value.stats, limits: proof.value.limits })
  else for (const line of pairs(planRows(address, proof.value))) ctx.term.out(line)
  if (!ctx.json) note(ctx, 'The key is stored in the keychain.')
  return EXIT.ok
}

function planRows(address: Address, stats: Stats): [string, string][] {
  return [
    ['Service', address.baseUrl],
    ['Plan', stats.plan ?? '?'],
    // The names are the service's own; so are the units, which it does not tell.
    ...Object.entries(stats.limits).map(([name, value]): [string, string] => [name, plainValue(value)]),
    ...Object.entries(stats.stats).map(([name, value]): [string, string] => [name, plainValue(value)]),
  ]
}

export async function logout(ctx: AccountCtx): Promise<ExitCode> {
  const { settings, message } = ctx.settings.read()
  if (message !== null) complain(ctx, message, null)
  const known = addressOf(null, ctx.env, settings)
  if (!known.ok) return fail(ctx, known.failure)
  let removed = false
  if (known.value !== null) {
    const gone = await ctx.keychain.remove(known.value.host)
    if (!gone.ok) return fail(ctx, { code: 'keychain', title: gone.failure.message, hint: null })
    removed = gone.existed
    await tellRunning(ctx)
  }
  if (ctx.json) document(ctx, { removed })
  else note(ctx, removed ? 'The key was removed from the keychain.' : 'There was no key in the keychain.')
  return EXIT.ok
}

/** The engine that runs, or one for this moment, reads the new key, so that what the login has proved is known from now on. That it can't is no
 * failure of the login: the key is stored, and the next start reads it. */
async function keepProof(ctx: AccountCtx): Promise<void> {
  const opened = await ctx.elect()
  if (!opened.ok) return
  await Promise.race([opened.value.client.call('reloadKey', {}), whenAborted(ctx.signal)])
  await opened.value.client.close()
}

/** A running engine works with the new key at once. That it can't be told is no failure: it was stored, and the next start reads it. */
async function tellRunning(ctx: AccountCtx): Promise<void> {
  const client = await ctx.findRunning()
  if (client === null) return
  await client.call('reloadKey', {})
  await client.close()
}
