// `slipway info`: shows everything known about one file, locally and on the service. It changes nothing.
// Unknown values are shown as unknown or left out.

import { assertNever } from '../../../src-shared/assert.ts'
import { formatBytes, formatClock, formatCount, isoSeconds } from '../../../src-shared/format.ts'
import type { Ended, Transfer } from '../../../src-shared/model.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { ask, type Ctx, document, fail, show } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { notingWait } from '../follow/request-wait.ts'
import { reasonText } from '../output/reason-text.ts'
import { pairs } from '../output/table.ts'
import { readSelectors } from '../selectors.ts'
import { dateText, idOf, linkText, rowJson, sizeText } from './ls.ts'

export async function info(ctx: Ctx, args: { readonly selector: string }): Promise<ExitCode> {
  const read = await readSelectors(ctx, [args.selector])
  if (!read.ok) return fail(ctx, read.failure)
  const [selector = ''] = read.value
  const found = await ask(ctx, notingWait(ctx, ctx.client.call('info', { selector })))
  if (!found.ok) return fail(ctx, found.failure)
  const { remote, transfers, downloads, unfound = false } = found.value
  if (remote === null && transfers.length === 0)
    return fail(ctx, {
      code: 'not-found',
      title: `Nothing is known about ${show(args.selector)}.`,
      hint: 'Use a file_id, a public link or a path. To list files: slipway ls',
    })
  if (ctx.json) {
    document(ctx, {
      file:
        remote === null
          ? null
          : {
              ...rowJson(remote),
              uploaded_at: remote.uploadedAt === null ? null : isoSeconds(remote.uploadedAt),
              bytes: remote.bytes,
              path: remote.localPath === null ? null : forPeople(remote.localPath),
              sha256: remote.sha256,
            },
      ...(unfound ? { not_found: true } : {}),
      transfers: transfers.map(transferJson),
      downloads: downloads.map((one) => ({ at: isoSeconds(one.at), count: one.count })),
    })
    return EXIT.ok
  }
  const now = ctx.time.now()
  if (remote !== null) {
    const rows: [string, string][] = [
      ['File', remote.filename ?? '?'],
      ['Link', `${linkText(remote)}${unfound ? " (the service doesn't find this file)" : ''}`],
      ['file_id', show(String(idOf(remote) ?? '?'))],
      ['Size', sizeText(remote)],
      ['Uploaded', dateText(remote, now)],
      ['Downloads', remote.downloadCount === null ? '?' : formatCount(remote.downloadCount)],
    ]
    if (remote.localPath !== null) rows.push(['From', forPeople(remote.localPath)])
    if (remote.sha256 !== null) rows.push(['SHA-256', remote.sha256])
    for (const line of pairs(rows)) ctx.term.out(line)
  }
  for (const [at, one] of transfers.entries()) {
    if (remote !== null || at > 0) ctx.term.out('')
    const rows: [string, string][] = [
      ['Transfer', String(one.id)],
      ['Path', forPeople(one.path)],
      ['Size', formatBytes(one.size)],
      ['State', stateText(one, now)],
    ]
    if (one.publicLink !== null && remote === null) rows.push(['Link', one.publicLink])
    for (const line of pairs(rows)) ctx.term.out(line)
  }
  return EXIT.ok
}

export function stateText(one: Transfer, now: number): string {
  if (one.ended !== undefined) return endedText(one.ended)
  if (one.state === 'done')
    return `Uploaded ${one.doneAt === null ? '' : formatClock(one.doneAt, now)}`.trim()
  if (one.state === 'uploading') return `Uploading, ${formatBytes(one.sent)} of ${formatBytes(one.size)}`
  if (one.state === 'gone') return 'Deleted before it was uploaded'
  if (one.state === 'cancelled') {
    const what = one.reason === 'ambiguous' ? 'Cancelled; may have been published before that' : 'Cancelled'
    return one.message === null ? what : `${what} (${one.message})`
  }
  if (one.reason === null) return one.state === 'unknown' ? 'Checking whether the upload arrived' : 'Queued'
  const text = reasonText(one.reason, one.until, now)
  // Some messages only repeat the reason.
  return one.message === null || one.message === `${text}.` ? text : `${text} (${one.message})`
}

function endedText(ended: Ended): string {
  switch (ended) {
    case 'deleted':
      return 'Deleted on the service'
    case 'deleting':
      return 'Being deleted; may still be public until the service has confirmed it'
    case 'kept':
      return 'Deleted here only; another file has the same link'
    case 'gone':
      return 'Gone from the service'
    case 'replaced':
      return 'Replaced by a newer version'
    default:
      return assertNever(ended)
  }
}

function transferJson(one: Transfer): Record<string, unknown> {
  return {
    id: one.id,
    path: forPeople(one.path),
    size: one.size,
    state: one.state,
    reason: one.reason,
    message: one.message,
    until: one.until === null ? null : isoSeconds(one.until, 'up'),
    attempts: one.attempts,
    sha256: one.sha256,
    file_id: one.fileId,
    public_link: one.publicLink,
    filename: one.filename,
    adopted: one.adopted,
    ...(one.ended === undefined ? {} : { ended: one.ended }),
    created_at: isoSeconds(one.createdAt),
    done_at: one.doneAt === null ? null : isoSeconds(one.doneAt),
  }
}
