// `slipway plan`: shows what an upload would do under the plan, and when it would finish. It uploads and
// queues nothing, and makes a forecast only if the limits are known.
import { resolve } from 'node:path'
import { formatBytes, formatClock, isoSeconds, plural } from '../../../src-shared/format.ts'
import type { PlanForecast } from '../../../src-shared/model.ts'
import { ask, type Ctx, document, fail, note } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { accountEnding, keyFaultOf } from '../follow/ending.ts'
import { notingWait } from '../follow/request-wait.ts'
import { missingPaths } from '../named-paths.ts'
import { pairs } from '../output/table.ts'
import { withRefusal } from './status.ts'

const LIMITS_UNKNOWN =
  "not known: the service didn't report your plan. Uploads start at a cautious rate, and wait if a limit is reached."

/** Maximum number of steps to show. */
const STEPS_SHOWN = 14

export async function plan(ctx: Ctx, args: { readonly paths: readonly string[] }): Promise<ExitCode> {
  const found = await missingPaths(ctx, args.paths, { patienceMs: null, uploads: false })
  if (!found.ok) return fail(ctx, found.failure)
  const [missing] = found.value
  if (missing !== undefined) return fail(ctx, missing.failure)
  const answer = await ask(
    ctx,
    notingWait(ctx, ctx.client.call('plan', { paths: args.paths.map((path) => resolve(ctx.cwd, path)) })),
  )
  if (!answer.ok) return fail(ctx, answer.failure)
  const snapshot = await ask(ctx, ctx.client.call('snapshot', {}))
  if (!snapshot.ok) return fail(ctx, snapshot.failure)
  const { account } = withRefusal(snapshot.value)
  const blocked = accountEnding(account, keyFaultOf(snapshot.value), ctx.keySource())
  if (blocked !== null) note(ctx, `${blocked.title} ${blocked.hint ?? ''}`.trim())
  const p = answer.value
  const isLimitsKnown =
    blocked === null &&
    account.provedAt !== null &&
    (account.plan !== null || snapshot.value.dailyUploads.limit !== null)
  const failed = p.failed ?? 0
  const code = blocked?.code ?? (failed > 0 ? EXIT.someFailed : EXIT.ok)
  if (ctx.json) {
    document(ctx, {
      files: p.files,
      bytes: p.bytes,
      already: p.already,
      compared: p.compared ?? 0,
      // Without known limits or a usable key, these numbers would be a guess.
      now: isLimitsKnown ? p.now : null,
      later: isLimitsKnown ? p.later : null,
      too_big: p.tooBig,
      held: p.held,
      ignored: p.ignored,
      failed,
      limits_known: isLimitsKnown,
      done_at: !isLimitsKnown || p.doneAt === null ? null : isoSeconds(p.doneAt, 'up'),
      limited_by: isLimitsKnown ? p.limitedBy : null,
      steps: isLimitsKnown ? p.steps.map((step) => ({ at: isoSeconds(step.at), count: step.count })) : [],
    })
    return code
  }
  const unknown = blocked === null ? LIMITS_UNKNOWN : 'not known: the service gives no access'
  for (const line of planLines(p, isLimitsKnown ? null : unknown, ctx.time.now())) ctx.term.out(line)
  return code
}

/**
 * Says how many uploads start immediately, and by when the others do, because the rate limit may spread them
 * over several minutes.
 */
function nowWords(p: PlanForecast, now: number): string {
  const { atOnce = p.now, nowUntil = null } = p
  const soon = p.now - atOnce
  return soon === 0 || nowUntil === null
    ? `${p.now} immediately`
    : `${p.now}: ${atOnce} immediately, the other ${soon} by ${formatClock(nowUntil, now)}`
}

/** `unknown`: why the limits aren't known; null if they are. */
function planLines(p: PlanForecast, unknown: string | null, now: number): string[] {
  const toSend = p.now + p.later
  const rows: [string, string][] = [['Files', plural(p.files, 'file')]]
  // `bytes` covers only the files to send. Held and oversized files are counted, but their bytes aren't.
  if (toSend > 0) rows.push(['Upload', `${plural(toSend, 'file')}, ${formatBytes(p.bytes)}`])
  const add = (name: string, count: number, words: string): void => {
    if (count > 0) rows.push([name, `${count} ${words}`])
  }
  add('Uploaded', p.already, 'already')
  add(
    'Compare',
    p.compared ?? 0,
    'with files of the same name and size on the service; not uploaded again if identical',
  )
  if (unknown === null) {
    rows.push(['Now', nowWords(p, now)])
    add('Later', p.later, `after a limit${p.limitedBy === null ? '' : `: ${p.limitedBy}`}`)
  } else rows.push(['Limits', unknown])
  add('Too big', p.tooBig, "over your plan's file size limit")
  add('Held', p.held, 'until you approve (possible secrets)')
  add('Ignored', p.ignored, 'by a rule')
  add('Failed', p.failed ?? 0, "can't be read")
  const doneAt = unknown === null ? p.doneAt : null
  rows.push([
    'Done',
    toSend === 0 ? 'nothing to upload' : doneAt === null ? 'unknown' : `about ${formatClock(doneAt, now)}`,
  ])
  const lines = pairs(rows)
  if (unknown === null && p.steps.length > 1) {
    lines.push('')
    for (const step of p.steps.slice(0, STEPS_SHOWN))
      lines.push(`  from ${formatClock(step.at, now)}: ${plural(step.count, 'file')}`)
    if (p.steps.length > STEPS_SHOWN) lines.push(`  and ${p.steps.length - STEPS_SHOWN} more steps`)
  }
  return lines
}
