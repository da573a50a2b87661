// One run of the command line: reads the arguments, opens what the command needs, runs it, closes in order, and ends with its exit code.
// Signals and a reader that went away ask the command to end; a second signal ends at once. It decides nothing about files.
import { createClock } from '../platform/clock.ts'
import type { Grace } from '../platform/engine-host.ts'
import { takeEnvironment } from '../platform/identity.ts'
import { createSession } from '../platform/session.ts'
import type { Time } from '../platform/time.ts'
import { VERSION } from '../platform/version.ts'
import { type Globals, type Invocation, parseArguments } from './arguments.ts'
import { audit } from './commands/audit.ts'
import { doctor } from './commands/doctor.ts'
import { info } from './commands/info.ts'
import { link } from './commands/link.ts'
import { login, logout } from './commands/login.ts'
import { ls } from './commands/ls.ts'
import { plan } from './commands/plan.ts'
import { retry, setPaused } from './commands/queue.ts'
import { rm } from './commands/rm.ts'
import { stats } from './commands/stats.ts'
import { status } from './commands/status.ts'
import { upload } from './commands/upload.ts'
import { watch } from './commands/watch.ts'
import { type Ctx, complain, fail, NOBODY_READS, type Output, show } from './context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { createTerminal } from './terminal.ts'
import { createWiring } from './wiring.ts'

/** One Ctrl+C reaches a process more than once: from the terminal and from what started it. Later than this it is a second one. */
const SAME_SIGNAL_MS = 500
const GRACE_MS = 8000
const INTERRUPTED_GRACE_MS = 1500

export async function run(): Promise<void> {
  // A timer that never fires: a program that only waits must not be taken for one that is done.
  const alive = setInterval(() => undefined, 2 ** 30)
  const code = await runLine(process.argv.slice(2))
  clearInterval(alive)
  await written(process.stdout)
  await written(process.stderr)
  process.exit(code)
}

async function runLine(argv: readonly string[]): Promise<ExitCode> {
  const taken = takeEnvironment(process.env)
  const parsed = parseArguments(argv)
  if (parsed.kind === 'answer') {
    process.stdout.on('error', () => undefined)
    process.stdout.write(`${parsed.text}\n`)
    return EXIT.ok
  }
  if (parsed.kind === 'wrong') {
    process.stderr.write(`slipway: ${parsed.message}\n${parsed.hint}\n`)
    return EXIT.usage
  }
  const { invocation, globals } = parsed
  const time: Time = createClock()
  const stop = new AbortController()
  const grace: Grace = { ms: GRACE_MS }
  const term = createTerminal({
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    color: wantsColor(globals, process.env),
    quiet: globals.quiet,
    unicode: hasUnicode(process.env, process.platform),
    time,
    onPipeClosed: () => stop.abort(NOBODY_READS),
  })
  const output: Output = { json: globals.json, quiet: globals.quiet, term }
  listenForSignals(stop, grace, output)
  process.on('uncaughtException', (error) => {
    complain(output, `A defect of Slipway: ${error.message}`, 'Nothing is lost; the next run goes on.')
    for (const line of (error.stack ?? '').split('\n').slice(1)) output.term.err(show(line))
    process.exit(EXIT.defect)
  })
  const wiring = createWiring({ env: process.env, taken, time, grace, tell: (title, hint) => complain(output, title, hint) })

  if (invocation.name === 'login' || invocation.name === 'logout') {
    const account = { ...output, ...wiring, env: taken, signal: stop.signal }
    return invocation.name === 'login' ? login(account, invocation) : logout(account)
  }

  const session = await createSession({ open: wiring.open, time })
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
    const ctx: Ctx = { ...output, client: session.value, time, cwd: process.cwd(), kindOf: wiring.kindOf, signal: stop.signal }
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
      return setPaused(ctx, { paused: true })
    case 'resume':
      return setPaused(ctx, { paused: false })
    case 'retry':
      return retry(ctx, invocation)
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

/** Resolves when all that was written is out, or can't get out any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve()
    else stream.write('', () => resolve())
  })
}
