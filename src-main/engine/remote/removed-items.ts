// Results of deletions that depend on nothing but what was found, with their messages in English. The command line prints them as they are.
// Pure.
import type { Failure, RemovedItem } from '../../../src-shared/contract.ts'

export const UNCONFIRMED = 'its upload was cancelled, but it may have arrived: it is looked for, and deleted if it is found'

/** For an upload that was held because looking for it had led to no result. */
export const HELD_UNCONFIRMED = {
  ok: false,
  fileId: null,
  outcome: 'unconfirmed',
  message: 'its upload was cancelled, but it may have arrived',
  failure: {
    code: 'waits',
    title: "The service doesn't show whether the upload arrived.",
    hint: 'To look for it: slipway ls. To delete it: slipway rm FILE_ID',
  },
} as const

export const KEPT_OLDER = 'kept: its file may be older than its upload, so others may use its link'

export const NONE = {
  deleted: { ok: true, outcome: 'deleted-before', message: 'deleted already' },
  older: { ok: true, outcome: 'no-such-version', message: 'there is no older version' },
  never: { ok: false, outcome: 'not-uploaded', message: 'not uploaded' },
} as const

export function lost(selector: string, failure: Failure): RemovedItem {
  return { selector, ok: false, outcome: 'failed', message: failure.title, failure }
}

export function names(paths: readonly string[]): string {
  const first = paths[0] ?? 'another file'
  return paths.length <= 1 ? first : `${first} and ${paths.length - 1} more`
}

export function keptText(paths: readonly string[]): string {
  return `kept: ${names(paths)} ${paths.length > 1 ? 'have' : 'has'} the same link`
}
