// `slipway status`: account, plan, budgets, queue, watched folders and health on one screen.
// It changes nothing and asks the service nothing.

import { formatClock, formatCount, formatSpeed, isoSeconds } from '../../../src-shared/format.ts'
import type { Account, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { forPeople } from '../../platform/path-codec.ts'
import { windowJson, windowText } from '../budget-text.ts'
import { ask, type Ctx, document, fail, show, showFile } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { gateOf } from '../follow.ts'
import { reasonText } from '../reason-text.ts'
import { pairs } from '../table.ts'
import { stateText } from './info.ts'

/** Rows that need a person, so many are shown. */
const NEED_SHOWN = 10

export async function status(ctx: Ctx): Promise<ExitCode> {
  const answer = await ask(ctx, ctx.client.call('snapshot', {}))
  if (!answer.ok) return fail(ctx, answer.failure)
  const need = await ask(ctx, ctx.client.call('transfers', { folderId: null, states: ['held', 'failed'], afterId: 0, limit: NEED_SHOWN }))
  if (!need.ok) return fail(ctx, need.failure)
  const s = withAddress(answer.value, ctx.baseUrl)
  if (ctx.json) {
    document(ctx, statusJson(s, !ctx.client.isOwner()))
    return EXIT.ok
  }
  for (const line of statusLines(s, need.value, ctx.time.now(), !ctx.client.isOwner())) ctx.term.out(line)
  return EXIT.ok
}

/** Without a key the engine knows no address; the configured one is shown. */
function withAddress(s: Snapshot, baseUrl: string | null): Snapshot {
  return s.account.state === 'none' && s.account.baseUrl === null ? { ...s, account: { ...s.account, baseUrl } } : s
}

function accountText(account: Account): string {
  switch (account.state) {
    case 'none':
      return 'no API key; store one with: slipway login'
    case 'unproved':
      return 'API key not checked yet'
    case 'ok':
      return 'ok'
    case 'key-refused':
      return 'API key refused; enter a new one with: slipway login'
    case 'no-api':
      return 'this plan has no API'
    case 'offline':
      return `no connection${account.message === null ? '' : ` (${account.message})`}`
    default:
      return account.state satisfies never
  }
}

function queueText(s: Snapshot): string {
  const parts = Object.entries(s.counts).filter(([name, count]) => count > 0 && name !== 'done' && name !== 'cancelled' && name !== 'gone')
  return parts.length === 0
    ? 'empty'
    : parts.map(([name, count]) => `${formatCount(count)} ${name === 'unknown' ? 'being checked' : name}`).join(', ')
}

function deletingText({ count, names }: NonNullable<Snapshot['deleting']>): string {
  const more = count - names.length
  return `${formatCount(count)} not sent yet: ${names.map(show).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
}

function statusLines(s: Snapshot, need: readonly Transfer[], now: number, elsewhere: boolean): string[] {
  const gate = gateOf(s)
  const rows: [string, string][] = [
    ['Service', s.account.baseUrl ?? 'no address yet'],
    ['Account', accountText(s.account)],
    ['Plan', s.account.plan ?? '?'],
    ['This minute', windowText(s.minute, now)],
    ['This day', windowText(s.day, now)],
    ['Uploads today', windowText(s.dailyUploads, now)],
    ['Queue', queueText(s)],
  ]
  if (s.deleting !== undefined) rows.push(['Deletions', deletingText(s.deleting)])
  if (s.counts.uploading > 0 && s.progress.speed >= 1) rows.push(['Speed', formatSpeed(s.progress.speed)])
  if (gate !== null) rows.push(['Waiting', reasonText(gate.reason, gate.until, now)])
  for (const folder of s.folders) {
    const how =
      folder.state === 'away'
        ? 'not available'
        : folder.watching === 'rescans'
          ? 'rescanned'
          : folder.state === 'idle'
            ? 'idle'
            : folder.state
    const note = folder.message === null ? '' : ` (${folder.message})`
    const seen = folder.lastScanAt === null ? '' : `, last scan ${formatClock(folder.lastScanAt, now)}`
    rows.push(['Folder', `${forPeople(folder.path)}: ${how}${note}${seen}`])
  }
  rows.push(['Engine', elsewhere ? 'running in another process' : 'running in this command'])
  rows.push(['Health', s.health.length === 0 ? 'ok' : s.health.map((one) => one.message).join(' ')])
  const lines = pairs(rows)
  if (need.length > 0) {
    lines.push('', 'Needs your approval (slipway release ID), or failed (slipway retry ID):')
    for (const one of need) lines.push(`  ${one.id}  ${showFile(one)}: ${show(stateText(one, now))}`)
    const more = s.counts.held + s.counts.failed - need.length
    if (more > 0) lines.push(`  and ${formatCount(more)} more`)
  }
  return lines
}

export function statusJson(s: Snapshot, elsewhere: boolean): Record<string, unknown> {
  const time = (at: number | null): string | null => (at === null ? null : isoSeconds(at, 'up'))
  const gate = gateOf(s)
  return {
    version: s.version,
    account: {
      state: s.account.state,
      base_url: s.account.baseUrl,
      plan: s.account.plan,
      proved_at: s.account.provedAt === null ? null : isoSeconds(s.account.provedAt),
      message: s.account.message,
    },
    paused: s.paused,
    gate: gate === null ? null : { reason: gate.reason, until: time(gate.until), message: gate.message },
    budget: { minute: windowJson(s.minute), day: windowJson(s.day), daily_uploads: windowJson(s.dailyUploads) },
    queue: s.counts,
    ...(s.deleting === undefined
      ? {}
      : { deletions: { count: s.deleting.count, file_ids: s.deleting.fileIds, until: time(s.deleting.until) } }),
    progress: { speed: s.progress.speed, sent_bytes: s.progress.sentBytes, total_bytes: s.progress.totalBytes },
    folders: s.folders.map((folder) => ({
      path: forPeople(folder.path),
      state: folder.state,
      watching: folder.watching,
      existing: folder.existing,
      on_change: folder.onChange,
      ignore: folder.ignore,
      message: folder.message,
      last_scan_at: folder.lastScanAt === null ? null : isoSeconds(folder.lastScanAt),
    })),
    engine: elsewhere ? 'another-process' : 'this-command',
    health: s.health,
  }
}
