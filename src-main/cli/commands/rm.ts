// `slipway rm`: deletes files on the service, after which their links stop working. Without --yes, it lists
// the versions and asks first. It never touches local files.
import type {
  Failure,
  Output,
  RemovedItem,
  Result,
  WhichVersions,
} from '../../../src-shared/engine-contract.ts'
import { formatClock, formatCount, plural } from '../../../src-shared/format.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { ask, type Ctx, compact, complain, document, fail, INTERRUPTED, note, show } from '../context.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { notingWait } from '../follow/request-wait.ts'
import { readSelectors } from '../selectors.ts'

export interface RmArgs {
  readonly selectors: readonly string[]
  readonly yes: boolean
  /** Which versions to delete if a path has several. */
  readonly which: WhichVersions
}

type Version = Output<'versions'>[number]['versions'][number]

/** Maximum number of versions listed before the question. A longer list wouldn't help the user decide. */
const NAMED = 10
const AT_ONCE = 1000

export async function rm(ctx: Ctx, args: RmArgs): Promise<ExitCode> {
  const read = await readSelectors(ctx, args.selectors)
  if (!read.ok) return fail(ctx, read.failure)
  const selectors = read.value
  if (!args.yes) {
    const sure = await confirm(ctx, args, selectors)
    if (sure !== null) return sure
  }
  const removed: RemovedItem[] = []
  let stopped: Failure | null = null
  /**
   * The first deletion that had to be queued, for example for lack of a connection. All later ones are queued
   * without being attempted.
   */
  let away: RemovedItem | null = null
  // Delete one at a time, so that after a failure it is clear which files were deleted.
  for (const [at, selector] of selectors.entries()) {
    const call: Promise<Result<RemovedItem[]>> = ctx.client.call('remove', {
      selectors: [selector],
      which: args.which,
      ...(away === null ? {} : { later: true }),
    })
    const answer: Result<RemovedItem[]> = await ask(ctx, notingWait(ctx, call))
    if (!answer.ok) {
      stopped = answer.failure
      break
    }
    for (const one of answer.value) {
      const typed = { ...one, selector: args.selectors[at] ?? one.selector }
      if (one.outcome === 'queued' && away !== null)
        removed.push({
          ...typed,
          ok: false,
          message: away.message,
          ...(away.failure === undefined ? {} : { failure: away.failure }),
        })
      else removed.push(typed)
      if (one.outcome === 'queued') away ??= one
    }
  }
  tell(ctx, removed, stopped)
  if (stopped !== null) return fail({ ...ctx, json: false }, stopped)
  const [failure] = removed.flatMap((one) => one.failure ?? [])
  if (failure !== undefined) {
    if (removed.some((one) => one.outcome === 'queued'))
      note(
        ctx,
        '  Queued deletions are carried out by the app, the next `slipway watch` or `upload`, or the same `rm` again.',
      )
    return exitCodeOf(failure.code)
  }
  // A file that couldn't be deleted may still exist, so the exit code isn't that of a missing file.
  if (removed.some((one) => one.outcome === 'failed')) return EXIT.someFailed
  return removed.some((one) => !one.ok) ? EXIT.notFound : EXIT.ok
}

function tell(ctx: Ctx, removed: readonly RemovedItem[], stopped: Failure | null): void {
  if (ctx.json)
    document(
      ctx,
      compact({ removed: removed.map(itemJson), error: stopped === null ? null : errorJson(stopped) }),
    )
  // All queued deletions have the same cause. If it is a wait, its hint is printed only once, with the first
  // of them.
  const queued = removed.find((one) => one.outcome === 'queued' && one.failure?.code === 'waits')
  for (const one of removed) {
    const versions = removed.filter((other) => other.selector === one.selector).length
    const name =
      versions > 1 && one.fileId != null
        ? `${show(one.selector)} (file_id ${show(String(one.fileId))})`
        : show(one.selector)
    if (!one.ok)
      complain(
        ctx,
        `${name}: ${show(one.message)}`,
        one.outcome === 'failed' || one.outcome === 'unconfirmed' || one === queued
          ? (one.failure?.hint ?? null)
          : null,
      )
    else if (!ctx.json && !ctx.quiet) ctx.term.out(`${name}: ${show(one.message)}`)
  }
}

function itemJson(one: RemovedItem): Record<string, unknown> {
  return compact({
    selector: one.selector,
    ok: one.ok,
    message: one.message,
    outcome: one.outcome,
    file_id: one.fileId,
    shared_with: one.shared === undefined || one.shared.length === 0 ? null : one.shared.map(forPeople),
    error: one.failure === undefined ? null : errorJson(one.failure),
  })
}

function errorJson(failure: Failure): Record<string, unknown> {
  return { code: failure.code, title: failure.title }
}

interface Known {
  readonly versions: readonly { readonly typed: string; readonly version: Version }[]
  /** The files to delete. Each is counted once, even if several selectors mean it. */
  readonly files: ReadonlySet<string>
  /** The selectors, as typed, about which nothing is known. */
  readonly unknown: readonly string[]
}

async function readVersions(ctx: Ctx, args: RmArgs, selectors: readonly string[]): Promise<Result<Known>> {
  const versions: { typed: string; version: Version }[] = []
  const files = new Set<string>()
  const unknown: string[] = []
  for (let i = 0; i < selectors.length; i += AT_ONCE) {
    const known = await ask(
      ctx,
      ctx.client.call('versions', { selectors: selectors.slice(i, i + AT_ONCE), which: args.which }),
    )
    if (!known.ok) return known
    for (const [at, one] of known.value.entries()) {
      const typed = show(args.selectors[i + at] ?? one.selector)
      if (one.found === 'none') unknown.push(typed)
      for (const [nth, version] of one.versions.entries()) {
        versions.push({ typed, version })
        files.add(version.fileId === null ? `${one.selector} ${nth}` : String(version.fileId))
      }
    }
  }
  return { ok: true, value: { versions, files, unknown } }
}

/**
 * Lists the versions and asks whether to delete them. Asks again if others have been added before the answer,
 * because the deletion would include them, or with --latest take them instead. Resolves to null to proceed,
 * otherwise to the exit code.
 */
async function confirm(ctx: Ctx, args: RmArgs, selectors: readonly string[]): Promise<ExitCode | null> {
  let approved: ReadonlySet<string> = new Set()
  for (;;) {
    const known = await readVersions(ctx, args, selectors)
    if (!known.ok) return fail(ctx, known.failure)
    const { versions, files, unknown } = known.value
    const count = files.size
    if (!ctx.term.inIsTerminal) {
      // Don't suggest --yes if there is no known version that it would delete.
      if (count === 0 && unknown.length > 0)
        return fail(ctx, {
          code: 'not-found',
          title: `${unknown.join(', ')}: not found`,
          hint: 'To list files: slipway ls',
        })
      const title =
        'Deleting needs your confirmation, and standard input is not a terminal. Nothing was deleted.'
      return fail(ctx, { code: 'usage', title, hint: 'In a script, add --yes.' })
    }
    // Either there is nothing to confirm, and the deletion itself reports unknown and already deleted files,
    // or all have been approved.
    if ([...files].every((file) => approved.has(file))) return null
    if (approved.size > 0) note(ctx, 'The files have changed in the meantime.')
    for (const { typed, version } of versions.slice(0, NAMED)) nameVersion(ctx, typed, version)
    if (versions.length > NAMED) ctx.term.err(`  and ${formatCount(versions.length - NAMED)} more`)
    const answer = await ctx.term.ask(
      `Delete ${plural(count, 'file')} on the service? Links to them stop working. [y/N] `,
      false,
    )
    if (answer === null) return ctx.json ? fail(ctx, INTERRUPTED) : EXIT.interrupted
    if (!/^y(es)?$/i.test(answer.trim())) {
      note(ctx, 'Nothing was deleted.')
      if (ctx.json) document(ctx, { removed: [] })
      return EXIT.ok
    }
    approved = files
  }
}

function nameVersion(ctx: Ctx, typed: string, version: Version): void {
  const parts = [
    typed,
    version.unconfirmed === true
      ? 'may be uploaded already'
      : version.fileId === null
        ? version.publicLink === null
          ? 'not uploaded yet'
          : 'file_id not known'
        : `file_id ${show(String(version.fileId))}`,
    ...(version.at === null ? [] : [formatClock(version.at, ctx.time.now())]),
    ...(version.publicLink === null ? [show(version.name)] : [show(version.publicLink)]),
  ]
  ctx.term.err(`  ${parts.join('  ')}`)
  for (const path of version.shared.slice(0, NAMED)) ctx.term.err(`    the same link as ${show(path)}`)
}
