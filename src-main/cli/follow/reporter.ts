// Prints the lines of `upload` and `watch`. With --json, all of them go to standard output. Otherwise, only
// the summary, refused uploads and what needs attention are printed, to standard error. The command prints
// plain links itself, in its own order.

import type { Failure } from '../../../src-shared/engine-contract.ts'
import { plural } from '../../../src-shared/format.ts'
import type { AuditSums } from '../../../src-shared/model.ts'
import { type Ctx, complain, note, type Output, show } from '../context.ts'
import { type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { type Line, lineJson, summaryJson } from '../output/lines.ts'
import { UploadedPaths } from './reported-sums.ts'
import { lineSentence, refusalSentence } from './tracker.ts'

export interface Reporter {
  tell(lines: readonly Line[]): void
  summary(sums: AuditSums): void
}

export function createReporter(
  ctx: Ctx,
  onUploaded: (line: Extract<Line, { event: 'uploaded' }>) => void,
): Reporter {
  let isSummedUp = false
  const sent = new UploadedPaths()
  return {
    tell: (lines) => {
      // Drop lines that come after the summary, because the summary must be the last line.
      if (isSummedUp) return
      for (const line of lines) {
        if (line.event === 'uploaded' && line.sent) sent.add(line.transfer.path)
        if (ctx.json) {
          ctx.term.out(lineJson(line))
          continue
        }
        if (line.event === 'uploaded') onUploaded(line)
        if (line.event === 'waiting') {
          const refusal = refusalSentence(line, ctx.time.now())
          if (refusal !== null) note(ctx, `${show(line.path)}: ${show(refusal)}`)
        }
        if (line.event !== 'held' && line.event !== 'failed') continue
        const next = line.event === 'held' ? `To upload it anyway: slipway release ${line.id}` : null
        complain(ctx, `${show(line.path)}: ${show(lineSentence(line, ctx.time.now()))}`, next)
      }
    },
    summary: (sums) => {
      isSummedUp = true
      if (ctx.json) {
        ctx.term.out(summaryJson(sums))
        return
      }
      const uploaded = Math.min(sent.size, sums.uploaded)
      const parts = Object.entries({ uploaded, 'already uploaded': sums.uploaded - uploaded, ...rest(sums) })
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} ${name}`)
      note(ctx, `${plural(sums.seen, 'file')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`)
    },
  }
}

function rest({ waiting, held, failed, ignored }: AuditSums): Omit<AuditSums, 'seen' | 'uploaded'> {
  return { waiting, held, failed, ignored }
}

export const NOTHING: AuditSums = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }

/**
 * Reports that `upload` or `watch` ended before anything was requested. With --json, the summary says why.
 */
export function failLines(
  output: Output,
  failure: Failure,
  code: ExitCode = exitCodeOf(failure.code),
): ExitCode {
  complain(output, failure.title, failure.hint)
  if (output.json) output.term.out(summaryJson(NOTHING, failure))
  return code
}
