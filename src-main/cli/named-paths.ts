// Checks the paths named on the command line before anything is sent. If a path doesn't exist, the whole
// command fails. The user must confirm the upload of the home folder, of a folder above it, or of a whole
// disk: at a terminal when asked, otherwise with --yes.
import { posix, resolve, win32 } from 'node:path'
import type { Failure, Result } from '../../src-shared/engine-contract.ts'
import type { FailedReason } from '../../src-shared/model.ts'
import { orAborted } from '../../src-shared/or-aborted.ts'
import { within } from '../platform/time.ts'
import { COMMANDS } from './argument-mistakes.ts'
import { type Ctx, INTERRUPTED, note, type PathKind, show } from './context.ts'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import { failLines, NOTHING } from './follow/reporter.ts'
import { summaryJson } from './output/lines.ts'
import { reasonText } from './output/reason-text.ts'

/** Maximum number of paths checked concurrently. */
const AT_ONCE = 64
/**
 * A drive that takes longer than this counts as not responding. A sleeping disk takes several seconds to spin
 * up.
 */
const SILENT_MS = 30_000
/** The longest delay of a Node timer: about 24 days. */
const TIMER_MS = 2 ** 31 - 1

export interface MissingPath {
  /** The absolute path. */
  readonly path: string
  readonly reason: Extract<FailedReason, 'missing' | 'not-a-file'>
  readonly failure: Failure
}

interface Check {
  /** How long to wait for a drive that doesn't respond. Null: without limit. */
  readonly patienceMs: number | null
  /** Whether the command uploads. If so, its failures say that nothing was uploaded. */
  readonly uploads: boolean
}

/**
 * Returns all paths that don't exist or aren't files or folders, in the order given. An unreadable path
 * counts as existing. Fails like `kindsOf`. `check.patienceMs` applies to each group of `AT_ONCE` paths.
 */
export async function missingPaths(
  ctx: Ctx,
  typed: readonly string[],
  check: Check,
): Promise<Result<readonly MissingPath[]>> {
  const missing: MissingPath[] = []
  for (let i = 0; i < typed.length; i += AT_ONCE) {
    const part = typed.slice(i, i + AT_ONCE)
    const paths = part.map((one) => resolve(ctx.cwd, one))
    const kinds = await kindsOf(ctx, paths, check)
    if (!kinds.ok) return kinds
    for (const [at, path] of paths.entries()) {
      const kind = kinds.value[at] ?? 'missing'
      if (isStream(path)) missing.push({ path, reason: 'missing', failure: streamFailure(path, check) })
      else if (kind === 'missing')
        missing.push({ path, reason: 'missing', failure: missingFailure(part[at] ?? path, path, check) })
      else if (kind !== 'file' && kind !== 'directory' && kind !== 'denied')
        missing.push({ path, reason: 'not-a-file', failure: notAFileFailure(path, kind, check) })
    }
  }
  return { ok: true, value: missing }
}

/**
 * Resolves to what is at these absolute paths. Fails if a drive doesn't respond within `check.patienceMs`,
 * but not before `SILENT_MS`, or if the command is interrupted. Prints a note before waiting longer than
 * `SILENT_MS`.
 */
export async function kindsOf(
  ctx: Ctx,
  paths: readonly string[],
  check: Check,
): Promise<Result<readonly PathKind[]>> {
  const { patienceMs } = check
  const unanswered = new Set(paths)
  const look = async (path: string): Promise<PathKind> => {
    const kind = await ctx.kindOf(path)
    unanswered.delete(path)
    return kind
  }
  const looking = orAborted(Promise.all(paths.map(look)), ctx.signal, () => null)
  if (await isLater(ctx, looking, SILENT_MS)) {
    const [path = ''] = unanswered
    const silent: Failure = {
      code: 'waits',
      title: `${show(path)}: ${reasonText('drive-silent', null, ctx.time.now())}.`,
      hint: check.uploads ? 'Nothing was uploaded. Try again once it answers.' : 'Try again once it answers.',
    }
    const rest = patienceMs === null ? null : patienceMs - SILENT_MS
    if (rest === null || rest > 0) note(ctx, silent.title)
    if (rest !== null && (rest <= 0 || (await isLater(ctx, looking, rest))))
      return { ok: false, failure: silent }
  }
  const kinds = await looking
  return kinds === null ? { ok: false, failure: INTERRUPTED } : { ok: true, value: kinds }
}

/** Adds to the hint that nothing was uploaded, if the command uploads. */
function withOutcome(hint: string, { uploads }: Check): string {
  return uploads ? `${hint} Nothing was uploaded.` : hint
}

function missingFailure(typed: string, path: string, check: Check): Failure {
  if (COMMANDS.includes(typed))
    return {
      code: 'usage',
      title: `${typed} is a command, and there is no file of this name.`,
      hint: `How to use it: slipway ${typed} --help`,
    }
  return {
    code: 'not-found',
    title: `${show(path)} does not exist.`,
    hint: withOutcome('Check the path.', check),
  }
}

/**
 * Whether an absolute path names an alternate stream of a file, such as `a.txt:stream`. Only Windows has
 * them. No listing shows them, so an upload could publish what its user has never seen, and a watched folder
 * would never update it.
 */
export function isStream(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && path.slice(win32.parse(path).root.length).includes(':')
}

function streamFailure(path: string, check: Check): Failure {
  return {
    code: 'usage',
    title: `${show(path)} is an alternate stream of a file.`,
    hint: withOutcome(
      'Slipway uploads whole files only. Name the file without the colon and what follows.',
      check,
    ),
  }
}

type SpecialKind = Exclude<PathKind, 'directory' | 'file' | 'missing' | 'denied'>

/** What is at the path, and whether it can be passed as standard input. */
const SPECIAL: Readonly<Record<SpecialKind, { readonly what: string; readonly reads: boolean }>> = {
  pipe: { what: 'is a pipe', reads: true },
  socket: { what: 'is a socket', reads: false },
  device: { what: 'is a device', reads: false },
  deleted: { what: 'is an open file that was deleted', reads: true },
  created: { what: "isn't stored: the system creates its content when it is read", reads: true },
}

function notAFileFailure(path: string, kind: SpecialKind, check: Check): Failure {
  const { what, reads } = SPECIAL[kind]
  const hint = reads
    ? 'To upload what it gives, pass it as standard input: slipway upload - --name NAME'
    : 'Only files and folders can be uploaded.'
  return {
    code: 'usage',
    title: `${show(path)} ${what}.`,
    hint: check.uploads ? `Nothing was uploaded. ${hint}` : hint,
  }
}

/** Whether the path is the root of a disk, the home folder, or a folder that contains the home folder. */
export function isWide(path: string, home: string, platform: NodeJS.Platform = process.platform): boolean {
  const { dirname } = platform === 'win32' ? win32 : posix
  const wide = comparable(path, platform)
  for (let at = comparable(home, platform); ; at = dirname(at)) {
    if (at === wide) return true
    if (dirname(at) === at) return dirname(wide) === wide
  }
}

function isSamePath(one: string, other: string): boolean {
  return comparable(one, process.platform) === comparable(other, process.platform)
}

/** The same text for all usual ways to write an absolute path, on systems that ignore letter case. */
function comparable(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return path.replace(/^\\\\\?\\(?=[a-z]:)/i, '').toLowerCase()
  return platform === 'darwin' ? path.normalize('NFC').toLowerCase() : path
}

/**
 * Asks before uploading or watching a wide path (see `isWide`), even one that leads to a wide path through
 * symbolic links. Refuses it if there is no terminal. `isSure`: the user passed --yes. Resolves to null to
 * proceed, otherwise to the exit code.
 */
export async function confirmWide(
  ctx: Ctx,
  typed: readonly string[],
  isSure: boolean,
): Promise<ExitCode | null> {
  if (isSure) return null
  const realHome = await orAborted(ctx.realOf(ctx.home), ctx.signal, () => null)
  for (let i = 0; i < typed.length; i += AT_ONCE) {
    const paths = typed.slice(i, i + AT_ONCE).map((one) => resolve(ctx.cwd, one))
    const real = await orAborted(Promise.all(paths.map(ctx.realOf)), ctx.signal, () => null)
    if (realHome === null || real === null) return failLines(ctx, INTERRUPTED)
    for (const [at, path] of paths.entries()) {
      const target = real[at] ?? path
      if (!isWide(path, ctx.home) && !isWide(target, realHome)) continue
      const isHome = isSamePath(path, ctx.home) || isSamePath(target, realHome)
      const what = isHome ? `your whole home folder ${show(path)}` : `everything below ${show(path)}`
      if (!ctx.term.inIsTerminal)
        return failLines(ctx, {
          code: 'usage',
          title: `This would publish ${what}. Nothing was uploaded.`,
          hint: 'If you mean it, add --yes.',
        })
      const answer = await ctx.term.ask(`Publish ${what}? [y/N] `, false)
      if (answer === null) return failLines(ctx, INTERRUPTED)
      if (/^y(es)?$/i.test(answer.trim())) continue
      note(ctx, 'Nothing was uploaded.')
      if (ctx.json) ctx.term.out(summaryJson(NOTHING))
      return EXIT.ok
    }
  }
  return null
}

/**
 * Resolves to the reason why the folder can't be watched or audited, or to null if it can. Waits like
 * `kindsOf`.
 */
export async function folderFault(
  ctx: Ctx,
  typed: string,
  check: Check,
): Promise<{ readonly failure: Failure; readonly code: ExitCode } | null> {
  const path = resolve(ctx.cwd, typed)
  if (isStream(path)) return { failure: streamFailure(path, check), code: EXIT.usage }
  const kinds = await kindsOf(ctx, [path], check)
  if (!kinds.ok) return { failure: kinds.failure, code: exitCodeOf(kinds.failure.code) }
  const failure = folderFailure(kinds.value[0] ?? 'missing', { typed, path, check })
  if (failure === null) return null
  // Only the permissions are wrong, so the exit code isn't that of a failing disk.
  return { failure, code: failure.code === 'disk' ? EXIT.someFailed : exitCodeOf(failure.code) }
}

/** Resolves to true if `answer` hasn't resolved within `ms`, and to false as soon as it resolves. */
async function isLater({ time }: Pick<Ctx, 'time'>, answer: Promise<unknown>, ms: number): Promise<boolean> {
  return (
    (await within(
      Math.min(ms, TIMER_MS),
      answer.then(() => false),
      time.after,
    )) === null
  )
}

function folderFailure(
  kind: PathKind,
  { typed, path, check }: { readonly typed: string; readonly path: string; readonly check: Check },
): Failure | null {
  if (kind === 'directory') return null
  if (kind === 'missing') return missingFailure(typed, path, check)
  if (kind === 'denied')
    return {
      code: 'disk',
      title: `No permission to read ${show(path)}.`,
      hint: 'Check the permissions of the folder.',
    }
  return {
    code: 'usage',
    title: `${show(path)} is not a folder.`,
    hint: `For a single file: slipway ${check.uploads ? 'upload' : 'info'} FILE`,
  }
}
