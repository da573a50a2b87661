// The JSON lines of `upload` and `watch`, with the names and the order that scripts rely on. Pure. Unknown
// values are omitted and never null or NaN.

import type { Failure } from '../../../src-shared/engine-contract.ts'
import { isoSeconds } from '../../../src-shared/format.ts'
import type { AuditSums, Transfer } from '../../../src-shared/model.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { compact, jsonText } from '../context.ts'

export type Line =
  | { readonly event: 'queued'; readonly id: number; readonly path: string; readonly size: number }
  | {
      readonly event: 'uploaded'
      readonly transfer: Transfer
      readonly adopted: boolean
      readonly sent: boolean
    }
  | {
      readonly event: 'waiting'
      readonly id: number
      readonly path: string
      readonly reason: string
      readonly until: number | null
      /** Details for people; null if there are none, or if the wait isn't the file's own. */
      readonly message: string | null
    }
  | {
      readonly event: 'held'
      readonly id: number
      readonly path: string
      readonly reason: string
      readonly message: string | null
    }
  /**
   * A file that the user named, but that isn't uploaded. If `reason` is `deleted`, the user named a folder
   * that contains the file. If it is `rule`, `message` is the rule that excludes the file.
   */
  | {
      readonly event: 'ignored'
      readonly path: string
      readonly reason: 'rule' | 'cancelled' | 'deleted'
      readonly message: string | null
    }
  | {
      readonly event: 'failed'
      readonly id: number | null
      readonly path: string
      readonly reason: string
      readonly message: string
    }

export function lineJson(line: Line): string {
  return jsonText(compact(fields(line)))
}

function fields(line: Line): Record<string, unknown> {
  switch (line.event) {
    case 'queued':
      return { event: line.event, path: forPeople(line.path), size: line.size }
    case 'uploaded': {
      const t = line.transfer
      return {
        event: line.event,
        path: forPeople(t.path),
        size: t.size,
        sha256: t.sha256,
        file_id: t.fileId,
        public_link: t.publicLink,
        filename: t.filename ?? t.name,
        adopted: line.adopted,
        sent: line.sent,
      }
    }
    case 'waiting':
      return {
        event: line.event,
        path: forPeople(line.path),
        reason: line.reason,
        until: line.until === null ? null : isoSeconds(line.until, 'up'),
      }
    case 'held':
      return { event: line.event, path: forPeople(line.path), reason: line.reason, message: line.message }
    case 'ignored':
    case 'failed':
      return { event: line.event, path: forPeople(line.path), reason: line.reason, message: line.message }
    default:
      return line satisfies never
  }
}

/** The summary as a JSON line. `error` says why the command ended early. */
export function summaryJson(sums: AuditSums, error: Failure | null = null): string {
  const { seen, uploaded, waiting, held, failed, ignored } = sums
  return jsonText(
    compact({
      event: 'summary',
      seen,
      uploaded,
      waiting,
      held,
      failed,
      ignored,
      error: error === null ? null : compact({ code: error.code, title: error.title, hint: error.hint }),
    }),
  )
}
