// One run of the command line: reads the arguments, opens what the command needs, runs it, closes in order, and ends with its exit code.
// Signals and a reader that went away ask the command to end; a second signal ends at once. It decides nothing about files.
import { homedir } from 'node:os'
import type { Failure } from '../../src-shared/contract.ts'
import { printable } from '../../src-shared/format.ts'
import { createClock } from '../platform/clock.ts'
import type { Grace } from '../platform/engine-host.ts'
import { createEngineSession } from '../platform/engine-session.ts'
import { takeEnvironment } from '../platform/identity.ts'
import { dataDir } from '../platform/paths.ts'
import type { Time } from '../platform/time.ts'
import { diskFailure } from '../platform/trouble.ts'
import { VERSION } from '../platform/version.ts'
import { parseArguments } from './arguments.ts'
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
import { type Ctx, complain, fail, jsonText, NOBODY_READS, OUTPUT_LOST, type Output, show, whenAborted } from './context.ts'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import type { Globals, Invocation } from './grammar/invocation.ts'
import { summaryJson } from './lines.ts'
import { NOTHING } from './reporter.ts'
import { flush, isReaderGone, openStandardOutput, type StandardOutput } from './stdout.ts'
import { createTerminal } from './terminal.ts'
import { createWiring } from './wiring.ts'
import { COMMANDS } from './words.ts'

/** One Ctrl+C reaches a process more than once: from the terminal and from what started it. Later than this it is a second one. */
const SAME_SIGNAL_MS = 500
const GRACE_MS = 8000
const INTERRUPTED_GRACE_MS = 1500

export async function run(): Promise<void> {
  // A timer that never fires: a program that only waits must not be taken for one that is done.
  const alive = setInterval(() => undefined, 2 ** 30)
  const output = openStandardOutput()
  let isReported = false
  const reportLost = (error: Error): void => {
    if (isReported) return
    isReported = true
    process.stderr.write(`slipway: Couldn't write to standard output: ${error.message}\n  Links that were not printed: slipway link PATH\n`)
  }
  const code = await runLine(process.argv.slice(2), output.stream, reportLost)
  clearInterval(alive)
  const lost = await output.finish()
  const isLost = lost !== null && !isReaderGone(lost, output.stream.isTTY === true)
  if (isLost) reportLost(lost)
  await flush(process.stderr)
  // What was printed nowhere must not look like success.
  process.exit(isLost && (code === EXIT.ok || code === EXIT.interrupted) ? EXIT.defect : code)
}

async function runLine(argv: readonly string[], stdout: StandardOutput['stream'], reportLost: (error: Error) => void): Promise<ExitCode> {
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
    live: process.env['TERM'] !== 'dumb',
    onPipeClosed: () => stop.abort(NOBODY_READS),
    onWriteFailed: (error) => {
      reportLost(error)
      stop.abort(OUTPUT_LOST)
    },
  })
  const output: Output = { json: globals.json, quiet: globals.quiet, term }
  listenForSignals(stop, grace, output)
  process.on('uncaughtException', (error) => {
    const failure = diskFailure(error, dataDir(process.env))
    if (failure !== null) {
      complain(output, failure.title, failure.hint)
      // No summary: what was done up to here can't be counted from outside the command.
      if (globals.json) stdout.write(`${jsonText({ error: failure })}\n`)
      process.exit(exitCodeOf(failure.code))
    }
    complain(output, `Internal error: ${error.message}`, 'Nothing is lost; the next run goes on.')
    for (const line of (error.stack ?? '').split('\n').slice(1)) output.term.err(show(line))
    process.exit(EXIT.defect)
  })
  const wiring = createWiring({ env: process.env, taken, time, grace, tell: (title, hint) => complain(output, title, hint) })

  if (invocation.name === 'login' || invocation.name === 'logout') {
    const account = { ...output, ...wiring, env: taken, signal: stop.signal }
    try {
      return await (invocation.name === 'login' ? login(account, invocation) : logout(account))
    } catch (error) {
      const failure = diskFailure(error, wiring.paths.dir)
      if (failure === null) throw error
      return fail(output, failure)
    }
  }

  const session = await Promise.race([createEngineSession({ elect: wiring.elect, time }), whenAborted(stop.signal)])
  // Another engine may not answer for a while, or a disk; nothing has begun that could be lost.
  if (session === null) {
    complain(output, 'Interrupted.', null)
    return EXIT.interrupted
  }
  try {
    if (invocation.name === 'doctor')
      return await doctor({
        ...output,
        ...wiring,
        session,
        env: taken,
        readSettings: wiring.settings.read,
        dataDir: wiring.paths.dir,
        nodeVersion: process.versions.node,
        version: VERSION,
        time,
      })
    if (!session.ok) return fail(output, session.failure)
    const { message } = wiring.settings.read()
    if (message !== null) complain(output, message, null)
    const ctx: Ctx = {
      ...output,
      client: session.value,
      time,
      baseUrl: wiring.baseUrl(),
      cwd: process.cwd(),
      home: homedir(),
      kindOf: wiring.kindOf,
      keepInput: (name) => wiring.keepInput(name, stop.signal),
      dropInput: wiring.dropInput,
      signal: stop.signal,
    }
    return await runCommand(ctx, invocation)
  } finally {
    term.progress(null)
    if (session.ok) await session.value.close()
  }
}

function runCommand(ctx: Ctx, invocation: Exclude<Invocation, { name: 'login' }>): Promise<ExitCode> {
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
    case 'logout':
      throw new Error(`${invocation.name} has a way of its own`)
    default:
      return invocation satisfies never
  }
}

function listenForSignals(stop: AbortController, grace: Grace, output: Output): void {
  let firstAt: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      const now = performance.now()
      if (firstAt !== null && now - firstAt > SAME_SIGNAL_MS) {
        output.term.progress(null)
        process.exit(EXIT.interrupted)
      }
      firstAt ??= now
      grace.ms = INTERRUPTED_GRACE_MS
      stop.abort()
    })
}

export function wantsColor(globals: Pick<Globals, 'color'>, env: Readonly<Record<string, string | undefined>>): boolean {
  // An empty NO_COLOR is none (no-color convention).
  return globals.color && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

export function hasUnicode(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return (env['WT_SESSION'] ?? '') !== ''
  if (platform === 'darwin') return true
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '')
}

/** What a script that asked for JSON reads of a wrong line. Null: it did not ask. */
export function wrongJson(argv: readonly string[], failure: Failure): string | null {
  const end = argv.indexOf('--')
  const typed = end < 0 ? argv : argv.slice(0, end)
  if (!typed.includes('--json')) return null
  const command = typed.find((word) => COMMANDS.includes(word))
  return command === 'upload' || command === 'watch' ? summaryJson(NOTHING, failure) : jsonText({ error: failure })
}
