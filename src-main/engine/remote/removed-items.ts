// The results of deletions that are shown to the user: fixed ones, and pure functions that build the others.
// Messages are in English, because the command line prints them unchanged.
import type { Failure, RemovedItem } from '../../../src-shared/engine-contract.ts'
import type { CallFailure } from '../budget/failure-words.ts'
import type { Doubts } from '../journal/doubts.ts'
import type { FileIds } from '../journal/file-ids.ts'

/** The result of a deletion, with the engine's number of the file. */
export type RemovedFile = Omit<RemovedItem, 'fileId'> & { readonly fileId?: number | null }

/** The result with the ID that the service sent. */
export function itemOf(file: RemovedFile, ids: Pick<FileIds, 'shown'>): RemovedItem {
  const { fileId, ...item } = file
  if (fileId === undefined) return item
  return { ...file, fileId: fileId === null ? null : ids.shown(fileId) }
}

export const UNCONFIRMED =
  'its upload was cancelled, but it may have arrived: it is looked for, and deleted if it is found'

/** The result for a cancelled upload that may have arrived, if the search for it was inconclusive. */
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

/**
 * The failure for a cancelled upload that has arrived but couldn't be deleted in the time that a command
 * waits.
 */
export const STILL_THERE: Failure = { code: 'waits', title: 'The service still has its file.', hint: null }

/** Added to a deletion if an earlier upload of the same version may still turn up. */
export const LATE_COPY =
  '; its first upload got no answer and may still turn up: the app, or the next `slipway watch` or `upload`, looks for it and deletes it'

export const KEPT_OLDER = 'kept: its file may be older than its upload, so others may use its link'

/** The results for copies of a path's file that stay public, because they may be someone else's. */
export function copiesLeft(
  selector: string,
  path: string | null,
  { doubts, ids }: { readonly doubts: Pick<Doubts, 'twinsLeft'>; readonly ids: Pick<FileIds, 'shown'> },
): readonly RemovedFile[] {
  if (path === null) return []
  return doubts
    .twinsLeft()
    .filter((twin) => twin.path === path)
    .map(({ fileId, publicLink }) => {
      const message = `a copy that may be someone else's stays public${publicLink === null ? '' : `: ${publicLink}`}. To delete it: slipway rm ${ids.shown(fileId)}`
      return { selector, ok: false, fileId, outcome: 'failed', message }
    })
}

/**
 * The result for an upload whose file_id the service never sent. `message` replaces the default text; null
 * keeps that text.
 */
export function nameless(message: string | null): Omit<RemovedFile, 'selector'> {
  return {
    ok: false,
    fileId: null,
    outcome: 'failed',
    message: message ?? "the service never sent its file_id, so it can't be deleted",
  }
}

export const NONE = {
  deleted: { ok: true, outcome: 'deleted-before', message: 'deleted already' },
  older: { ok: true, outcome: 'no-such-version', message: 'there is no older version' },
  never: { ok: false, outcome: 'not-uploaded', message: 'not uploaded' },
} as const

export function lost(selector: string, failure: Failure): RemovedFile {
  return { selector, ok: false, outcome: 'failed', message: failure.title, failure }
}

export function names(paths: readonly string[]): string {
  const first = paths[0] ?? 'another file'
  return paths.length <= 1 ? first : `${first} and ${paths.length - 1} more`
}

export function keptText(paths: readonly string[]): string {
  return `kept: ${names(paths)} ${paths.length > 1 ? 'have' : 'has'} the same link`
}

/**
 * Returns the failure to show for a deletion that stays queued. If the service itself answered with an error,
 * the code becomes `waits`, because the connection works.
 */
export function whyQueued(failure: CallFailure, said: Failure): Failure {
  const answer = failure.kind === 'api' ? failure.failure : null
  const isOwn = answer?.kind === 'refused' || (answer?.kind === 'status' && answer.isPage !== true)
  return isOwn && said.code === 'server' ? { ...said, code: 'waits' } : said
}

/** Whether a deletion that failed like this was sent, and may have been carried out. */
export function mayBeDeleted(failure: CallFailure): boolean {
  if (failure.kind !== 'api') return failure.kind === 'unproved'
  const { kind, phase } = failure.failure
  return (kind === 'cut' || kind === 'timeout' || kind === 'garbage') && phase !== 'unsent'
}

/** `mayBe`: see `mayBeDeleted`. */
export function queuedText({ code, title }: Failure, mayBe = false): string {
  const what = mayBe
    ? 'not confirmed yet: the deletion stays queued'
    : 'not deleted yet: the deletion is queued'
  return code === 'no-connection' ? `${what} until the service can be reached` : `${what}. ${title}`
}
