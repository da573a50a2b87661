// `slipway doctor`: checks everything that an upload needs and prints a finding for each. It uploads nothing.
// System access is injected, so that every finding can be tested.
import type { Result } from '../../../src-shared/engine-contract.ts'
import { formatBytes, formatDuration } from '../../../src-shared/format.ts'
import type { Folder } from '../../../src-shared/model.ts'
import { orAborted } from '../../../src-shared/or-aborted.ts'
import { rescansText, WATCH_LIMITS, type WatchLimit } from '../../../src-shared/watch-limits.ts'
import type { ApiFailure } from '../../api/types.ts'
import type { Keychain } from '../../engine/ports.ts'
import type { Address, Environment } from '../../platform/account/key-and-address.ts'
import type { ReadSettings } from '../../platform/data/settings.ts'
import type { EngineSession } from '../../platform/host/engine-session.ts'
import type { Time } from '../../platform/time.ts'
import { compact, document, fail, INTERRUPTED, type Output, show } from '../context.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { plainValue, readText } from './stats.ts'

export type Reach =
  | { readonly ok: true; readonly serverDate: number | null }
  | {
      readonly ok: false
      readonly cause: Extract<ApiFailure, { kind: 'connect' }>['cause'] | 'other'
      readonly message: string
    }

export interface DoctorCtx extends Output {
  readonly session: Result<EngineSession>
  readonly env: Environment
  /** The address of the account being checked. */
  readonly address: Result<Address | null>
  /** The name of the account's key in the keychain; null if no account is known yet. */
  readonly keyName: string | null
  readonly keychain: Keychain
  readonly readSettings: () => ReadSettings
  readonly dataDir: string
  /** Resolves to the reason why files can't be written to the data folder; null if they can. */
  readonly dataDirFault: () => Promise<string | null>
  /**
   * Why other users of this computer may have access to the data folder; null if there is no sign that they
   * do.
   */
  readonly dataDirAccess: () => string | null
  readonly freeBytes: () => Promise<number | null>
  /** Tries to reach the service, without sending the key. */
  readonly reach: (address: Address) => Promise<Reach>
  /**
   * The maximum number of directories that Linux lets this user watch; null on other systems, and if the
   * limit can't be read.
   */
  readonly watchLimit: () => Promise<number | null>
  /** The limit that keeps this process from watching a folder now; null if none does. */
  readonly reachedLimit: () => WatchLimit | null
  readonly nodeVersion: string
  readonly version: string
  readonly time: Time
  /** Aborted when the command should end. */
  readonly signal: AbortSignal
}

export interface Finding {
  readonly name: string
  /** `note`: not a problem in itself, but the user should know about it. */
  readonly state: 'ok' | 'note' | 'problem'
  readonly message: string
  readonly hint: string | null
  readonly code: ExitCode
}

const COLOURS = { ok: 'green', note: 'yellow', problem: 'red' } as const

/** With fewer free bytes, there may not be enough space for the journal and the log. */
const FREE_LEAST = 100 * 1000 * 1000
/**
 * If the system lets a user watch fewer directories than this, the limit is reported, because a home folder
 * can have more. On Linux before 5.11, the default is 8192; since then it depends on the memory and is at
 * most 1,048,576.
 */
const WATCHES_LEAST = 65_536
/** With a larger clock difference, certificates may be rejected. */
const SKEW_MS = 5 * 60_000

export function doctor(ctx: DoctorCtx): Promise<ExitCode> {
  return orAborted(checkAll(ctx), ctx.signal, () => fail(ctx, INTERRUPTED))
}

async function checkAll(ctx: DoctorCtx): Promise<ExitCode> {
  const findings: Finding[] = []
  const say = (finding: Finding): void => {
    // The checks continue after an interruption, and the session that is being closed then makes them fail.
    if (ctx.signal.aborted) return
    findings.push(finding)
    if (ctx.json || (ctx.quiet && finding.state !== 'problem')) return
    const state = ctx.term.paint('out', COLOURS[finding.state], finding.state.padEnd(7))
    ctx.term.out(`${state}  ${finding.name}: ${show(finding.message)}`)
    if (finding.hint !== null) ctx.term.out(`         ${show(finding.hint)}`)
  }
  const ok = (name: string, message: string): void =>
    say({ name, state: 'ok', message, hint: null, code: EXIT.ok })
  const noted = (name: string, message: string, hint: string | null): void =>
    say({ name, state: 'note', message, hint, code: EXIT.ok })
  const problem = (name: string, message: string, hint: string | null, code: ExitCode): void =>
    say({ name, state: 'problem', message, hint, code })

  ok('program', `Slipway ${ctx.version} on Node ${ctx.nodeVersion}`)

  await checkDataFolder(ctx, { ok, noted, problem })

  const { message } = ctx.readSettings()
  if (message !== null) noted('settings', message, null)

  const session = ctx.session.ok ? ctx.session.value : null
  if (!ctx.session.ok)
    problem(
      'engine',
      ctx.session.failure.title,
      furtherHint(ctx.session.failure.hint) ?? `See the log in ${ctx.dataDir}.`,
      exitCodeOf(ctx.session.failure.code),
    )
  else
    ok(
      'engine',
      ctx.session.value.isOwner()
        ? 'not running otherwise; started for this check'
        : 'running in another process',
    )

  const found = ctx.address
  const address = found.ok ? found.value : null
  if (!found.ok) problem('address', found.failure.title, found.failure.hint, EXIT.account)
  else if (address === null)
    problem('address', "The service's address isn't known yet.", 'slipway login --base-url URL', EXIT.account)
  else ok('address', address.baseUrl)

  const probe = await ctx.keychain.get(ctx.keyName ?? address?.host ?? 'slipway-doctor')
  const snapshot = session === null ? null : await session.call('snapshot', {})
  // Another process that runs the engine may have a key that this process can't see, for example from its
  // environment.
  const hasEngineKey =
    session?.isOwner() === false && snapshot?.ok === true && snapshot.value.account.state !== 'none'
  const hasKey = ctx.env.apiKey !== null || (probe.ok && probe.secret !== null) || hasEngineKey
  if (ctx.env.apiKey !== null) {
    if (probe.ok) ok('keychain', 'available; this process uses the key from SLIPWAY_API_KEY')
    else noted('keychain', probe.failure.message, 'This process uses the key from SLIPWAY_API_KEY.')
  } else if (probe.ok && probe.secret !== null) ok('keychain', 'available, with a key')
  else if (hasEngineKey) noted('keychain', probe.ok ? NO_STORED_KEY : probe.failure.message, ENGINE_KEY)
  else if (probe.ok) problem('keychain', NO_STORED_KEY, 'slipway login', EXIT.account)
  else problem('keychain', probe.failure.message, null, EXIT.account)

  const isReached = address !== null && (await checkNetwork(ctx, address, { ok, noted, problem }))

  if (session !== null && hasKey && isReached) {
    const stats = await session.call('stats', {})
    const failure = stats.ok ? (stats.value.stale?.failure ?? null) : stats.failure
    if (failure === null) ok('key', 'the service accepts it')
    else if (failure.code === 'waits') noted('key', failure.title, failure.hint)
    else
      problem(
        failure.code === 'no-api' ? 'plan' : 'key',
        failure.title,
        failure.hint,
        exitCodeOf(failure.code),
      )
    if (stats.ok) {
      const { plan, limits, stale } = stats.value
      const text = [
        plan ?? 'not named',
        ...Object.entries(limits).map(([name, value]) => `${name} ${plainValue(value)}`),
      ].join(', ')
      if (stale === undefined) ok('plan', text)
      else noted('plan', text, `These figures were read ${readText(stale.at, ctx.time.now())}.`)
    }
  }

  await checkWatching(ctx, snapshot?.ok === true ? snapshot.value.folders : [], { ok, noted })

  const problems = findings.filter((one) => one.state === 'problem')
  if (ctx.json && !ctx.signal.aborted)
    document(ctx, {
      ok: problems.length === 0,
      checks: findings.map(({ name, state, message: text, hint }) =>
        compact({ name, ok: state !== 'problem', state, message: text, hint }),
      ),
    })
  // In order of precedence, all before `EXIT.defect`: a missing key or connection, for example, often causes
  // the other problems.
  for (const code of [EXIT.notFound, EXIT.account, EXIT.noConnection, EXIT.usage, EXIT.waits])
    if (problems.some((one) => one.code === code)) return code
  return problems.length === 0 ? EXIT.ok : EXIT.defect
}

interface Say {
  readonly ok: (name: string, message: string) => void
  readonly noted: (name: string, message: string, hint: string | null) => void
  readonly problem: (name: string, message: string, hint: string | null, code: ExitCode) => void
}

async function checkDataFolder(ctx: DoctorCtx, { ok, noted, problem }: Say): Promise<void> {
  const fault = await ctx.dataDirFault()
  const free = await ctx.freeBytes()
  const access = ctx.dataDirAccess()
  if (fault !== null)
    problem(
      'data folder',
      fault,
      'Free up space or make it writable, or set SLIPWAY_DATA_DIR to another folder.',
      EXIT.defect,
    )
  else if (free !== null && free < FREE_LEAST)
    problem(
      'data folder',
      `Only ${formatBytes(free)} are free on ${ctx.dataDir}.`,
      'Free up space on the disk.',
      EXIT.defect,
    )
  else if (access !== null)
    noted(
      'data folder',
      `Other users of this computer may have access to ${ctx.dataDir}: ${access}.`,
      'Set SLIPWAY_DATA_DIR to a new folder, or leave it out.',
    )
  else ok('data folder', `${ctx.dataDir}${free === null ? '' : `, ${formatBytes(free)} free`}`)
}

/** Resolves to whether the service can be reached. */
async function checkNetwork(ctx: DoctorCtx, address: Address, { ok, noted, problem }: Say): Promise<boolean> {
  const reach = await ctx.reach(address)
  if (!reach.ok) {
    problem('network', reach.message, NETWORK_HINTS[reach.cause], EXIT.noConnection)
    return false
  }
  ok('network', `${address.host} answers`)
  if (reach.serverDate === null) return true
  const skew = ctx.time.now() - reach.serverDate
  if (Math.abs(skew) > SKEW_MS)
    noted(
      'clock',
      `This machine is ${formatDuration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the service.`,
      "Set the clock automatically. Until then, Slipway uses the service's clock.",
    )
  else ok('clock', 'agrees with the service')
  return true
}

async function checkWatching(
  ctx: DoctorCtx,
  folders: readonly Folder[],
  { ok, noted }: Pick<Say, 'ok' | 'noted'>,
): Promise<void> {
  const watches = await ctx.watchLimit()
  const limit = ctx.reachedLimit()
  if (limit !== null) {
    const text = `The limit is reached: ${WATCH_LIMITS[limit].name}. Folders are scanned every 20 seconds instead.`
    noted('watcher', text, `To raise it: ${WATCH_LIMITS[limit].raise}`)
  } else if (watches !== null) {
    if (watches < WATCHES_LEAST)
      noted(
        'watcher',
        `This system lets a user watch ${watches} directories. Larger folders are scanned every 20 seconds instead.`,
        `To raise it: ${WATCH_LIMITS.watches.raise}`,
      )
    else ok('watcher', `up to ${watches} directories`)
  }
  for (const folder of folders) {
    if (folder.silent === true)
      noted(
        'folder',
        `The drive of ${folder.path} isn't responding.`,
        'Check the drive and its connection. Uploads continue once it responds. Nothing in the folder counts as deleted.',
      )
    else if (folder.state === 'away')
      noted(
        'folder',
        `${folder.path} is unavailable.`,
        'Connect its disk again, or restore the folder. Nothing in it counts as deleted.',
      )
    else if (folder.watching === 'rescans') {
      const { title, hint } = rescansText(folder.watchLimit)
      noted('folder', `${folder.path}: ${title}`, hint ?? folder.message)
    }
  }
}

/** A failure's hint, without the advice to run this command. */
function furtherHint(hint: string | null): string | null {
  return hint?.replace(/ ?(?:For details|To check): slipway doctor\.?$/, '') || null
}

const NO_STORED_KEY = 'It is available, but contains no key for this service.'
const ENGINE_KEY = 'Slipway, which runs in another process, has a key. To store one: slipway login'

const NETWORK_HINTS: Readonly<Record<Extract<Reach, { ok: false }>['cause'], string>> = {
  dns: "Check the address and this network's DNS.",
  refused: 'Check the address and its port. A firewall may block the connection.',
  tls: "The certificate isn't trusted here. Check the clock, the address, and whether something intercepts connections on this network.",
  timeout: 'Check the network. A firewall may block the connection.',
  proxy: 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
  'proxy-login': 'Put them into the address of the proxy: HTTPS_PROXY=http://user:password@proxy:3128',
  policy: 'Ask your administrator to correct the policy.',
  other: 'Check the network, then try again.',
}
