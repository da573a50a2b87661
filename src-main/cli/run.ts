// Runs one command. It parses the arguments, opens what the command needs, runs it, closes everything in
// order, and exits with the command's code. A signal or a failed write to standard output asks the command to
// end. A second signal ends the process immediately.
import { homedir } from 'node:os'
import { isAbsolute, parse } from 'node:path'
import type { Failure, Result } from '../../src-shared/engine-contract.ts'
import { printable } from '../../src-shared/format.ts'
import { orAborted } from '../../src-shared/or-aborted.ts'
import { addressOf, type Environment, takeEnvironment } from '../platform/account/key-and-address.ts'
import { createClock } from '../platform/clock.ts'
import { dataDir } from '../platform/data/paths.ts'
import { DEFAULT_SETTINGS, type ReadSettings } from '../platform/data/settings.ts'
import { diskFailure, folderFailure } from '../platform/data/trouble.ts'
import type { Grace } from '../platform/host/engine-host.ts'
import { createEngineSession, type EngineSession } from '../platform/host/engine-session.ts'
import type { Time } from '../platform/time.ts'
import { VERSION } from '../platform/version.ts'
import { forceExit, hasStuckRequest, hasStuckThread } from '../platform/worker/worker-thread.ts'
import { COMMANDS } from './argument-mistakes.ts'
import { parseArguments } from './arguments.ts'
import { accounts } from './commands/accounts.ts'
import { audit } from './commands/audit.ts'
import { doctor } from './commands/doctor.ts'
import { info } from './commands/info.ts'
import { link } from './commands/link.ts'
import { login, logout } from './commands/login.ts'
import { ls } from './commands/ls.ts'
import { plan } from './commands/plan.ts'
import { cancel, release, retry, setPaused } from './commands/queue.ts'
import { rm } from './commands/rm.ts'
import { stats } from './commands/stats.ts'
import { status } from './commands/status.ts'
import { unwatch } from './commands/unwatch.ts'
import { upload } from './commands/upload.ts'
import { watch } from './commands/watch.ts'
import {
  type Ctx,
  complain,
  fail,
  INTERRUPTED,
  jsonText,
  NOBODY_READS,
  OUTPUT_LOST,
  type Output,
  show,
} from './context.ts'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import { NOTHING } from './follow/reporter.ts'
import type { Globals, Invocation } from './grammar/invocation.ts'
import { type KeySource, keySourceOf, withKeyHint } from './key-source.ts'
import { isJournalStream } from './output/journal-stream.ts'
import { summaryJson } from './output/lines.ts'
import { flush, isReaderGone, openStandardOutput, type StandardOutput } from './output/stdout.ts'
import { createTerminal } from './output/terminal.ts'
import { endAtOnce, endOnSignals } from './signals.ts'
import { createWiring, type OpenAccount, type Wiring } from './wiring.ts'

const GRACE_MS = 8000
const INTERRUPTED_GRACE_MS = 1500
/** How much longer a stuck thread or disk request may take to end before the process kills itself. */
const STUCK_MS = 4000

export async function run(): Promise<void> {
  // Keeps the event loop alive while only unref'd timers are pending.
  const alive = setInterval(() => undefined, 2 ** 30)
  const output = openStandardOutput()
  // If standard error has no reader, its messages are lost, but that doesn't change the outcome. Without a
  // listener, Node would exit with 1.
  process.stderr.on('error', () => undefined)
  let isReported = false
  const reportLost = (error: Error): void => {
    if (isReported) return
    isReported = true
    process.stderr.write(
      `slipway: Couldn't write to standard output: ${error.message}\n` +
        '  Links that were not printed: slipway link PATH\n',
    )
  }
  const code = await runLine(process.argv.slice(2), output.stream, reportLost)
  clearInterval(alive)
  const lost = await output.finish()
  const isLost = lost !== null && !isReaderGone(lost, output.stream.isTTY === true)
  if (isLost) reportLost(lost)
  await flush(process.stderr)
  // If output was lost, the exit code must report that instead of success or of the interruption that the
  // loss caused.
  const exitCode = isLost && (code === EXIT.ok || code === EXIT.interrupted) ? EXIT.defect : code
  if ((await hasStuckThread(STUCK_MS)) || (await hasStuckRequest(STUCK_MS))) {
    process.stderr.write("slipway: A disk or network drive doesn't respond. Slipway was forced to exit.\n")
    await flush(process.stderr)
    forceExit(exitCode)
  }
  process.exit(exitCode)
}

async function runLine(
  argv: readonly string[],
  stdout: StandardOutput['stream'],
  reportLost: (error: Error) => void,
): Promise<ExitCode> {
  const taken = takeEnvironment(process.env)
  const parsed = parseArguments(argv)
  if (parsed.kind === 'answer') {
    stdout.write(`${parsed.text}\n`)
    return EXIT.ok
  }
  if (parsed.kind === 'wrong') {
    process.stderr.write(`slipway: ${printable(parsed.message)}\n${parsed.hint}\n`)
    const json = wrongJson(argv, { code: 'usage', title: parsed.message, hint: parsed.hint })
    if (json !== null) stdout.write(`${json}\n`)
    return EXIT.usage
  }
  const { invocation, globals } = parsed
  const time: Time = createClock()
  const stop = new AbortController()
  const grace: Grace = { ms: GRACE_MS }
  const term = createTerminal({
    stdin: process.stdin,
    stdout,
    stderr: process.stderr,
    color: wantsColor(globals, process.env),
    quiet: globals.quiet,
    unicode: hasUnicode(process.env, process.platform),
    time,
    signal: stop.signal,
    live: process.env['TERM'] !== 'dumb',
    journal: isJournalStream(process.env),
    onPipeClosed: () => stop.abort(NOBODY_READS),
    onWriteFailed: (error) => {
      reportLost(error)
      stop.abort(OUTPUT_LOST)
    },
  })
  const output: Output = { json: globals.json, quiet: globals.quiet, term }
  listenForSignals(stop, grace, output)
  endOnDefects(output)
  const wiring = createWiring({
    env: process.env,
    taken,
    time,
    grace,
    tell: (title, hint) => complain(output, title, hint),
  })

  if (invocation.name === 'login' || invocation.name === 'logout' || invocation.name === 'accounts') {
    try {
      return await runAccountCommand(
        output,
        wiring,
        { taken, signal: stop.signal, account: globals.account, time },
        invocation,
      )
    } catch (error) {
      const failure = folderFailure(error, wiring.paths.dir)
      if (failure === null) throw error
      return fail(output, failure)
    }
  }

  return runWithEngine({ output, wiring, taken, globals, time, signal: stop.signal }, invocation)
}

/** Ends the process after an exception that nothing has caught, with what the user can do about it. */
function endOnDefects(output: Output): void {
  process.on('uncaughtException', (error) => {
    const failure = diskFailure(error, dataDir(process.env))
    if (failure !== null) {
      complain(output, failure.title, failure.hint)
      // Don't print a summary, because only the command knows what has been done.
      if (output.json) output.term.out(jsonText({ error: failure }))
      process.exit(exitCodeOf(failure.code))
    }
    complain(output, `Internal error: ${error.message}`, 'Nothing is lost; the next run continues.')
    for (const line of (error.stack ?? '').split('\n').slice(1)) output.term.err(show(line), true)
    process.exit(EXIT.defect)
  })
}

interface Run {
  readonly output: Output
  readonly wiring: Wiring
  readonly taken: Environment
  readonly globals: Globals
  readonly time: Time
  readonly signal: AbortSignal
}

type EngineInvocation = Exclude<Invocation, { name: 'login' } | { name: 'logout' } | { name: 'accounts' }>

/** Chooses the account, connects to its engine, runs the command and closes what was opened. */
async function runWithEngine(
  { output, wiring, taken, globals, time, signal }: Run,
  invocation: EngineInvocation,
): Promise<ExitCode> {
  const opened = await orAborted(openSession(wiring, globals.account, signal, time), signal, () => null)
  // Don't wait any longer for another engine or a disk that doesn't respond. Nothing has begun yet that could
  // be lost.
  if (opened === null) return failOpening(output, invocation, { ok: false, failure: INTERRUPTED })
  const { account } = opened
  const keySource = (): KeySource =>
    opened.session.ok ? keySourceOf(taken.apiKey !== null, opened.session.value) : 'keychain'
  const session: typeof opened.session = opened.session.ok
    ? { ok: true, value: withKeyHint(opened.session.value, keySource) }
    : opened.session
  try {
    if (invocation.name === 'doctor')
      return await doctor({
        ...output,
        ...wiring,
        session,
        env: taken,
        address:
          account === null ? addressOf(null, taken, readSettingsOf(wiring).settings) : account.address(),
        keyName: account?.entry?.keychain ?? null,
        readSettings: () => readSettingsOf(wiring),
        dataDir: wiring.paths.dir,
        nodeVersion: process.versions.node,
        version: VERSION,
        time,
        signal,
      })
    if (!session.ok || account === null) return failOpening(output, invocation, session)
    for (const message of [wiring.settings.read().message, wiring.desk.accounts().message])
      if (message !== null) complain(output, message, null)
    const address = account.address()
    const ctx: Ctx = {
      ...output,
      client: session.value,
      time,
      account: account.entry?.name ?? null,
      baseUrl: address.ok ? (address.value?.baseUrl ?? null) : null,
      cwd: startFolder(process.env, () => process.cwd()),
      keySource,
      home: homedir(),
      kindOf: wiring.kindOf,
      realOf: wiring.realOf,
      keepInput: (name) => account.keepInput(name, signal),
      dropInput: account.dropInput,
      signal,
    }
    return await runCommand(ctx, invocation)
  } finally {
    output.term.progress(null)
    if (session.ok) await session.value.close()
  }
}

/**
 * Reads the settings for `doctor`. If that fails, `doctor` continues with the defaults and reports the reason
 * with the data folder.
 */
function readSettingsOf({ settings }: Wiring): ReadSettings {
  try {
    return settings.read()
  } catch {
    return { settings: DEFAULT_SETTINGS, message: null }
  }
}

/**
 * Chooses the account and connects to its engine. `account` is null if none could be chosen; `session` then
 * contains the reason.
 */
async function openSession(
  wiring: Wiring,
  named: string | null,
  signal: AbortSignal,
  time: Time,
): Promise<{ readonly account: OpenAccount | null; readonly session: Result<EngineSession> }> {
  const account = await wiring.choose(named, signal)
  if (!account.ok) return { account: null, session: account }
  return { account: account.value, session: await createEngineSession({ elect: account.value.elect, time }) }
}

function failOpening(output: Output, invocation: Invocation, session: Result<unknown>): ExitCode {
  const failure: Failure = session.ok
    ? { code: 'defect', title: 'No account was chosen.', hint: null }
    : session.failure
  if (!output.json || (invocation.name !== 'upload' && invocation.name !== 'watch'))
    return fail(output, failure)
  complain(output, failure.title, failure.hint)
  output.term.out(summaryJson(NOTHING, failure))
  return exitCodeOf(failure.code)
}

/** Runs a command that chooses its accounts itself and opens an account's engine only if it needs one. */
function runAccountCommand(
  output: Output,
  wiring: Wiring,
  given: {
    readonly taken: Environment
    readonly signal: AbortSignal
    readonly account: string | null
    readonly time: Time
  },
  invocation: Extract<Invocation, { name: 'login' } | { name: 'accounts' } | { name: 'logout' }>,
): Promise<ExitCode> {
  const { taken: env, signal, account, time } = given
  if (invocation.name === 'login')
    return login({ ...output, ...wiring, env, signal, time }, { ...invocation, account })
  if (invocation.name === 'logout') return logout({ ...output, ...wiring, env, signal, time }, account)
  const address = env.baseUrl === null ? null : addressOf(null, env, DEFAULT_SETTINGS)
  return accounts(
    { ...output, ...wiring, env, envBaseUrl: address?.ok === true ? (address.value?.baseUrl ?? null) : null },
    { use: invocation.use, account },
  )
}

function runCommand(ctx: Ctx, invocation: EngineInvocation): Promise<ExitCode> {
  switch (invocation.name) {
    case 'upload':
      return upload(ctx, invocation)
    case 'watch':
      return watch(ctx, invocation)
    case 'ls':
      return ls(ctx, invocation)
    case 'info':
      return info(ctx, invocation)
    case 'link':
      return link(ctx, invocation)
    case 'rm':
      return rm(ctx, invocation)
    case 'stats':
      return stats(ctx)
    case 'status':
      return status(ctx)
    case 'plan':
      return plan(ctx, invocation)
    case 'audit':
      return audit(ctx, invocation)
    case 'pause':
      return setPaused(ctx, { paused: true, now: invocation.now })
    case 'resume':
      return setPaused(ctx, { paused: false, now: false })
    case 'retry':
      return retry(ctx, invocation)
    case 'cancel':
      return cancel(ctx, invocation)
    case 'release':
      return release(ctx, invocation)
    case 'unwatch':
      return unwatch(ctx, invocation)
    case 'doctor':
      throw new Error(`${invocation.name} is handled separately`)
    default:
      return invocation satisfies never
  }
}

function listenForSignals(stop: AbortController, grace: Grace, output: Output): void {
  endOnSignals({
    source: process,
    platform: process.platform,
    now: () => performance.now(),
    onFirst: () => {
      grace.ms = INTERRUPTED_GRACE_MS
      stop.abort()
    },
    onSecond: () => {
      output.term.progress(null)
      endAtOnce(EXIT.interrupted)
    },
  })
}

/**
 * The folder that relative paths start from. `npm run slipway` runs this program in the repository and names
 * the folder where it was called, in INIT_CWD. Under any other script, relative paths start from the current
 * folder.
 */
export function startFolder(env: Readonly<Record<string, string | undefined>>, cwd: () => string): string {
  const called = env['INIT_CWD'] ?? ''
  const isOwnScript = env['npm_lifecycle_event'] === 'slipway' && env['npm_package_name'] === 'slipway'
  if (isOwnScript && isAbsolute(called)) return called
  try {
    return cwd()
  } catch {
    // The folder was deleted. What is named by its full path, or comes from standard input, can still be sent.
    const last = env['PWD'] ?? ''
    return isAbsolute(last) ? last : parse(homedir()).root
  }
}

export function wantsColor(
  globals: Pick<Globals, 'color'>,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  // An empty NO_COLOR counts as unset (no-color.org).
  return globals.color && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

export function hasUnicode(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean {
  if (platform === 'win32') return (env['WT_SESSION'] ?? '') !== ''
  if (platform === 'darwin') return true
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '')
}

/** The JSON output for invalid arguments; null if the user didn't ask for JSON. */
export function wrongJson(argv: readonly string[], failure: Failure): string | null {
  const end = argv.indexOf('--')
  const typed = end < 0 ? argv : argv.slice(0, end)
  if (!typed.includes('--json')) return null
  const command = typed.find((word) => COMMANDS.includes(word))
  return command === 'upload' || command === 'watch'
    ? summaryJson(NOTHING, failure)
    : jsonText({ error: failure })
}
