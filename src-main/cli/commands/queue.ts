// Implements `slipway pause`, `resume`, `retry`, `cancel` and `release`, which act on the queue. Only
// `release` lifts a hold. Unless --yes is given, it lists each file with the reason for its hold and asks
// first.

import { heldFile, type Output } from '../../../src-shared/engine-contract.ts'
import { plural } from '../../../src-shared/format.ts'
import { type Ended, HeldReason, type Snapshot, type Transfer } from '../../../src-shared/model.ts'
import { shownWord } from '../../platform/data/shell-word.ts'
import { isSpooled } from '../../platform/data/spool.ts'
import { ask, type Ctx, complain, document, fail, INTERRUPTED, note, show, showFile } from '../context.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { gateOf } from '../follow/follow.ts'
import { afterName, reasonText } from '../output/reason-text.ts'
import { idWord } from '../selectors.ts'
import { gateJson, LATER, queuedCount, queueRowJson, statusJson } from './status.ts'

const IDS_HINT = 'To list IDs: slipway status'

export async function setPaused(
  ctx: Ctx,
  args: { readonly paused: boolean; readonly now: boolean },
): Promise<ExitCode> {
  const before = await ask(ctx, ctx.client.call('snapshot', {}))
  if (!before.ok) return fail(ctx, before.failure)
  const answer = await ask(
    ctx,
    args.paused ? ctx.client.call('pause', args.now ? { now: true } : {}) : ctx.client.call('resume', {}),
  )
  if (!answer.ok) return fail(ctx, answer.failure)
  if (ctx.json) document(ctx, statusJson(answer.value, !ctx.client.isOwner(), ctx.account))
  else if (!ctx.quiet)
    for (const line of args.paused
      ? pausedLines(before.value, answer.value, args.now)
      : resumedLines(ctx, before.value, answer.value))
      ctx.term.out(line)
  return EXIT.ok
}

function pausedLines(before: Snapshot, after: Snapshot, now: boolean): string[] {
  const first = `${before.paused ? 'Already paused.' : 'Paused.'} To continue: slipway resume`
  if (now && before.counts.uploading > 0)
    return [
      first,
      `${plural(before.counts.uploading, 'upload')} in progress: stopped, sent again after resume.`,
    ]
  const { uploading } = after.counts
  return uploading > 0
    ? [first, `${plural(uploading, 'upload')} in progress: will finish. To stop now: slipway pause --now`]
    : [first]
}

/** Returns the lines to print after `resume`: what it did, and what still keeps uploads from starting. */
function resumedLines(ctx: Ctx, before: Snapshot, after: Snapshot): string[] {
  const { queued, waiting, unknown } = after.counts
  const lines = [before.paused ? 'Resumed.' : 'Uploads were not paused.']
  if (after.gate !== null) lines.push(`${reasonText(after.gate.reason, after.gate.until, ctx.time.now())}.`)
  if (queued + waiting + unknown > 0 && ctx.client.isOwner()) lines.push(LATER)
  return lines
}

interface Found {
  readonly rows: readonly Transfer[]
  readonly unknown: readonly number[]
}

async function findRows(ctx: Ctx, ids: readonly number[]): Promise<Found | ExitCode> {
  const rows: Transfer[] = []
  const unknown: number[] = []
  for (const id of new Set(ids)) {
    const page = await ask(
      ctx,
      ctx.client.call('transfers', { folderId: null, states: [], afterId: id - 1, limit: 1 }),
    )
    if (!page.ok) return fail(ctx, page.failure)
    const [first] = page.value
    if (first?.id === id) rows.push(first)
    else unknown.push(id)
  }
  return { rows, unknown }
}

function unknownIds(ctx: Ctx, ids: readonly number[]): ExitCode {
  return fail(ctx, { code: 'not-found', title: `No transfer has the ID ${ids.join(', ')}.`, hint: IDS_HINT })
}

/**
 * Describes a finished transfer, as text to follow the file's name. Null if the transfer can still be retried
 * or cancelled.
 */
function overText(row: Transfer): string | null {
  if (row.ended !== undefined) return ENDED_TEXT[row.ended]
  switch (row.state) {
    case 'done':
      return 'is already uploaded'
    case 'cancelled':
      return 'is already cancelled'
    case 'gone':
      return 'was deleted before it was uploaded'
    default:
      return null
  }
}

/** Describes what became of an uploaded file, as text to follow the file's name. */
export const ENDED_TEXT: Readonly<Record<Ended, string>> = {
  deleted: 'was uploaded, then deleted',
  deleting: 'was uploaded and is being deleted',
  kept: 'was uploaded, then deleted here only; another file has the same link',
  gone: 'was uploaded and is no longer on the service',
  replaced: 'was uploaded, then replaced by a newer version',
}

function tellOver(ctx: Ctx, row: Transfer, next: string | null): void {
  note(ctx, `${showFile(row)} ${overText(row) ?? ''}.${next === null ? '' : ` ${next}`}`)
}

export async function retry(ctx: Ctx, args: { readonly ids: readonly number[] }): Promise<ExitCode> {
  const found = await findRows(ctx, args.ids)
  if (typeof found === 'number') return found
  if (found.unknown.length > 0) return unknownIds(ctx, found.unknown)
  const isForPerson = (row: Transfer): boolean =>
    row.state === 'held' && row.reason !== 'too-big' && row.reason !== 'ambiguous'
  const over = found.rows.filter((row) => overText(row) !== null)
  const ids = found.rows.filter((row) => !isForPerson(row) && overText(row) === null).map((row) => row.id)
  let count = 0
  if (ids.length > 0 || args.ids.length === 0) {
    const retried = await ask(ctx, ctx.client.call('retry', { ids: args.ids.length === 0 ? null : ids }))
    if (!retried.ok) return fail(ctx, retried.failure)
    count = retried.value.count
  }
  // List the requested files that still wait, for example for a rate limit.
  const after = await findRows(ctx, ids)
  if (typeof after === 'number') return after
  const waiting = after.rows.filter((row) => row.state === 'waiting')
  const held = [...found.rows.filter(isForPerson), ...after.rows.filter((row) => row.state === 'held')]
  const snapshot = await ask(ctx, ctx.client.call('snapshot', {}))
  if (!snapshot.ok) return fail(ctx, snapshot.failure)
  const gate = args.ids.length === 0 ? gateOf(snapshot.value) : null
  if (ctx.json)
    document(ctx, {
      count,
      ...(waiting.length === 0 ? {} : { waiting: waiting.map(queueRowJson) }),
      ...(gate === null ? {} : { gate: gateJson(gate) }),
    })
  else if (!ctx.quiet && (count > 0 || (held.length === 0 && over.length === 0 && waiting.length === 0)))
    ctx.term.out(count === 0 ? 'Nothing to retry.' : `${plural(count, 'file')} queued again.`)
  const now = ctx.time.now()
  for (const row of waiting)
    note(ctx, `${showFile(row)}: ${row.reason === null ? 'Queued' : reasonText(row.reason, row.until, now)}.`)
  if (gate !== null && queuedCount(snapshot.value.counts) > 0)
    note(ctx, `${reasonText(gate.reason, gate.until, now)}.`)
  for (const row of over)
    tellOver(
      ctx,
      row,
      row.state === 'done' && row.ended === undefined && !isSpooled(row.path)
        ? `To upload it again: slipway upload ${shownWord(show(row.path))} --again`
        : null,
    )
  for (const row of held)
    complain(
      ctx,
      `${showFile(row)} is held: ${holdText(row)}`,
      `To upload it anyway: slipway release ${row.id}`,
    )
  if (count > 0 && ctx.client.isOwner()) note(ctx, LATER)
  if (held.length > 0) return EXIT.someFailed
  return count === 0 && waiting.length > 0 ? EXIT.waits : EXIT.ok
}

export async function cancel(ctx: Ctx, args: { readonly ids: readonly number[] }): Promise<ExitCode> {
  const found = await findRows(ctx, args.ids)
  if (typeof found === 'number') return found
  if (found.unknown.length > 0) return unknownIds(ctx, found.unknown)
  const over = found.rows.filter((row) => overText(row) !== null)
  const ids = found.rows.filter((row) => overText(row) === null).map((row) => row.id)
  let ended: Output<'cancel'> = { count: 0 }
  if (ids.length > 0) {
    // Confirm even if no file was being sent when the rows were read, because an upload may have begun since.
    const cancelled = await ask(ctx, ctx.client.call('cancel', { ids, confirm: true }))
    if (!cancelled.ok) return fail(ctx, cancelled.failure)
    ended = cancelled.value
  }
  const { count, unconfirmed, unproved, published = [] } = ended
  const open = [...(unconfirmed?.ids ?? []), ...(unproved?.ids ?? [])]
  if (ctx.json)
    document(ctx, {
      count,
      ...(open.length === 0 ? {} : { unconfirmed: open }),
      ...(published.length === 0 ? {} : { published: published.map((one) => one.id) }),
    })
  else if (!ctx.quiet && (count > 0 || over.length === 0))
    ctx.term.out(count === 0 ? 'Nothing to cancel.' : `${plural(count, 'file')} cancelled.`)
  for (const row of over) tellOver(ctx, row, afterOver(row))
  for (const row of found.rows) {
    const said = `${showFile(row)} may have arrived before it was cancelled`
    if (unconfirmed?.ids.includes(row.id) === true)
      complain(ctx, `${said}: it is looked for, and deleted if it is found.`, unconfirmed.failure.hint)
    if (unproved?.ids.includes(row.id) === true)
      complain(ctx, `${said}. ${unproved.failure.title}`, unproved.failure.hint)
    const left = published.find((one) => one.id === row.id)
    if (left !== undefined) complain(ctx, `${showFile(row)}: ${left.message}`, null)
  }
  if (published.length > 0) return EXIT.someFailed
  const failure = unconfirmed?.failure ?? unproved?.failure
  return failure === undefined ? EXIT.ok : exitCodeOf(failure.code)
}

/**
 * Returns a second sentence about a transfer that can't be cancelled any more; null if there is nothing to
 * add.
 */
function afterOver(row: Transfer): string | null {
  if (row.state === 'cancelled')
    return row.message ?? (row.reason === 'ambiguous' ? 'It may have been published before that.' : null)
  return row.state === 'done' && row.ended === undefined
    ? `To delete it: slipway rm ${row.fileId === null ? shownWord(show(row.path)) : idWord(row.fileId)}`
    : null
}

export async function release(
  ctx: Ctx,
  args: { readonly ids: readonly number[]; readonly yes: boolean },
): Promise<ExitCode> {
  const found = await findRows(ctx, args.ids)
  if (typeof found === 'number') return found
  if (found.unknown.length > 0) return unknownIds(ctx, found.unknown)
  const held = found.rows.filter((row) => row.state === 'held')
  for (const row of found.rows) if (row.state !== 'held') note(ctx, `${showFile(row)} is not held.`)
  if (held.length > 0 && !args.yes) {
    if (!ctx.term.inIsTerminal)
      return fail(ctx, {
        code: 'usage',
        title: 'Releasing a held file needs your confirmation, and standard input is not a terminal.',
        hint: 'In a script, add --yes.',
      })
    for (const row of held) ctx.term.err(`  ${showFile(row)}  ${holdText(row)}`)
    const answer = await ctx.term.ask(
      `Publish ${plural(held.length, 'file')} anyway? Anyone with the link can read it. [y/N] `,
      false,
    )
    if (answer === null) return ctx.json ? fail(ctx, INTERRUPTED) : EXIT.interrupted
    if (!/^y(es)?$/i.test(answer.trim())) {
      note(ctx, 'Nothing was released.')
      if (ctx.json) document(ctx, { count: 0 })
      return EXIT.ok
    }
  }
  let count = 0
  if (held.length > 0) {
    const shown = held.map(heldFile)
    const released = await ask(ctx, ctx.client.call('release', { ids: held.map((row) => row.id), shown }))
    if (!released.ok) return fail(ctx, released.failure)
    count = released.value.count
  }
  const changed =
    count < held.length
      ? await findRows(
          ctx,
          held.map((row) => row.id),
        )
      : null
  if (typeof changed === 'number') return changed
  const left = changed?.rows.filter((row) => row.state === 'held') ?? []
  if (ctx.json) document(ctx, { count })
  else if (!ctx.quiet && (count > 0 || left.length === 0))
    ctx.term.out(count === 0 ? 'Nothing to release.' : `${plural(count, 'file')} released.`)
  // These files changed after they were shown to the user, so the approval doesn't apply to them.
  for (const row of left)
    complain(
      ctx,
      `${showFile(row)} has changed and is still held: ${holdText(row)}`,
      `To upload it: slipway release ${row.id}`,
    )
  if (count > 0 && ctx.client.isOwner()) note(ctx, LATER)
  return left.length > 0 ? EXIT.someFailed : EXIT.ok
}

/** Reason and rule of a held file, for example `looks like a secret (.env)`. */
function holdText(row: Transfer): string {
  const reason = HeldReason.safeParse(row.reason).data
  const what = reason === undefined ? 'needs your approval' : afterName(reason)
  return show(row.message === null ? what : `${what} (${row.message})`)
}
