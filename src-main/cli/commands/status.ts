// `slipway status`: prints the account, the plan, limits, the queue, pending deletions, watched folders and
// health on one screen. It changes nothing and sends no request to the service.

import type { Output } from '../../../src-shared/engine-contract.ts'
import { formatClock, formatCount, formatSpeed, isoSeconds, nearText } from '../../../src-shared/format.ts'
import type { Account, Counts, Gate, Health, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { overviewOf } from '../../../src-shared/overview.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { ask, type Ctx, compact, document, fail, show, showFile } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { keyFaultOf } from '../follow/ending.ts'
import { gateOf } from '../follow/follow.ts'
import { type KeySource, refusedKeyHint } from '../key-source.ts'
import { windowJson, windowText } from '../output/budget-text.ts'
import { reasonText } from '../output/reason-text.ts'
import { pairs } from '../output/table.ts'
import { readRows } from '../transfer-rows.ts'
import { stateText } from './info.ts'
import { progressText } from './ls.ts'

/** Maximum number of rows per list in the text output. */
const ROWS_SHOWN = 10
/** Maximum number of transfers in the JSON output. */
const ROWS_IN_JSON = 10_000

/**
 * Printed if no other process runs the engine, because commands like this one end without uploading anything.
 */
export const LATER = 'Slipway is not running. Uploads start with the app, slipway watch or slipway upload.'

const NEED_STATES = ['held', 'failed'] as const
const QUEUE_STATES = ['queued', 'uploading', 'waiting', 'unknown'] as const

export async function status(ctx: Ctx): Promise<ExitCode> {
  const answer = await ask(ctx, ctx.client.call('snapshot', {}))
  if (!answer.ok) return fail(ctx, answer.failure)
  const s = withRefusal(withAddress(answer.value, ctx.baseUrl))
  if (ctx.json) {
    const rows = await readRows(ctx, [...NEED_STATES, ...QUEUE_STATES], { most: ROWS_IN_JSON })
    if (!rows.ok) return fail(ctx, rows.failure)
    const copies = await readCopies(ctx)
    const second = copies.length === 0 ? {} : { second_copies: copies.map(copyJson) }
    document(ctx, {
      ...statusJson(s, !ctx.client.isOwner(), ctx.account),
      ...transfersJson(rows.value, s.counts),
      ...second,
    })
    return EXIT.ok
  }
  const need = await readRows(ctx, NEED_STATES, { most: ROWS_SHOWN })
  if (!need.ok) return fail(ctx, need.failure)
  const queue = await readRows(ctx, QUEUE_STATES, { most: ROWS_SHOWN })
  if (!queue.ok) return fail(ctx, queue.failure)
  const now = ctx.time.now()
  for (const line of statusLines(s, {
    now,
    elsewhere: !ctx.client.isOwner(),
    keySource: ctx.keySource(),
    name: ctx.account,
  }))
    ctx.term.out(line)
  const { held, failed } = s.counts
  const lists = [
    rowLines(
      'Needs your approval (slipway release ID), or failed (slipway retry ID):',
      need.value,
      held + failed,
      now,
    ),
    rowLines('In the queue (slipway cancel ID, slipway retry ID):', queue.value, rowCount(s.counts), now),
  ]
  for (const line of [...lists.flat(), ...copyLines(await readCopies(ctx))]) ctx.term.out(line)
  return EXIT.ok
}

type Copies = Output<'secondCopies'>

/** Duplicates that stay public; none if they can't be read. */
async function readCopies(ctx: Ctx): Promise<Copies> {
  const copies = await ask(ctx, ctx.client.call('secondCopies', {}))
  return copies.ok ? copies.value : []
}

function copyJson({ fileId, path, publicLink }: Copies[number]): Record<string, unknown> {
  return compact({ file_id: fileId, path: forPeople(path), public_link: publicLink })
}

function copyLines(copies: Copies): readonly string[] {
  if (copies.length === 0) return []
  const shown = copies
    .slice(0, ROWS_SHOWN)
    .map(({ fileId, path, publicLink }) => `  ${fileId}  ${show(forPeople(path))}  ${show(publicLink ?? '')}`)
  const more = copies.length - shown.length
  return [
    '',
    "Second copies that stay public, because they may be someone else's (slipway rm ID):",
    ...shown,
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
  ]
}

/** The number of files that are queued, being uploaded, waiting or being checked, without paused ones. */
export function queuedCount(counts: Counts): number {
  return QUEUE_STATES.reduce((sum, state) => sum + counts[state], 0)
}

/** The number of transfers in `QUEUE_STATES`. */
function rowCount(counts: Counts): number {
  return queuedCount(counts) + counts.paused
}

/** Without a key the engine doesn't know the address, so show the configured one. */
function withAddress(s: Snapshot, baseUrl: string | null): Snapshot {
  return s.account.state === 'none' && s.account.baseUrl === null
    ? { ...s, account: { ...s.account, baseUrl } }
    : s
}

const REFUSED = {
  'key-refused': 'The service refused this key when it was last used.',
  'no-api': "The plan didn't include API access when the key was last used.",
} as const

/**
 * Shows that the service refused an earlier request. `status` and `plan` send no request that needs the key, so
 * they can't find out whether the refusal still applies.
 */
export function withRefusal(s: Snapshot): Snapshot {
  const { refused } = s.account
  if (refused === undefined) return s
  const message = REFUSED[refused]
  return {
    ...s,
    account: { ...s.account, state: refused, message },
    health: [...s.health, { what: 'account', message }],
  }
}

function accountText(account: Account, keyFault: Health | null, keySource: KeySource): string {
  switch (account.state) {
    case 'none':
      if (keySource === 'environment' && account.baseUrl === null)
        return 'no address for the key in SLIPWAY_API_KEY; set SLIPWAY_BASE_URL, or use: slipway login --base-url URL'
      return keyFault?.what === 'keychain'
        ? 'no API key, and no keychain to store one; set SLIPWAY_API_KEY'
        : 'no API key; store one with: slipway login'
    case 'unproved':
      return 'API key not checked yet'
    case 'ok':
      return 'ok'
    case 'key-refused':
      return `API key refused. ${refusedKeyHint(keySource)}`
    case 'no-api':
      return "this plan doesn't include API access"
    case 'offline':
      return `no connection${account.message === null ? '' : ` (${account.message})`}`
    default:
      return account.state satisfies never
  }
}

/** Counts the files in the queue by state. The figures are the same as in the window and the tray. */
function queueText(s: Snapshot): string {
  const { uploading, waiting, paused } = overviewOf(s)
  const { unknown, settling, held, failed } = s.counts
  const parts: [string, number][] = [
    ['uploading', uploading],
    ['waiting', waiting],
    ['paused', paused],
    ['being checked', unknown],
    ['still being written', settling],
    ['held', held],
    ['failed', failed],
  ]
  const shown = parts.filter(([, count]) => count > 0).map(([name, count]) => `${formatCount(count)} ${name}`)
  return shown.length === 0 ? 'empty' : shown.join(', ')
}

function deletingText({ count, names }: NonNullable<Snapshot['deleting']>): string {
  const more = count - names.length
  return `${formatCount(count)} not confirmed yet: ${names.map(show).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
}

function replacingText({ count, next }: NonNullable<Snapshot['replacing']>, now: number): string {
  const still = `${formatCount(count)} replaced, still public`
  return next === null
    ? still
    : `${still}: deleted an hour after the last download, next check ${formatClock(next, now)}`
}

interface StatusFrame {
  readonly now: number
  readonly elsewhere: boolean
  readonly keySource: KeySource
  /** The account's name; null if no account is known yet. */
  readonly name: string | null
}

export function statusLines(s: Snapshot, { now, elsewhere, keySource, name }: StatusFrame): string[] {
  const gate = gateOf(s)
  const rows: [string, string][] = [
    ['Service', s.account.baseUrl ?? 'no address yet'],
    ['Account', `${name === null ? '' : `${name}: `}${accountText(s.account, keyFaultOf(s), keySource)}`],
    ['Plan', s.account.plan ?? '?'],
    ['This minute', windowText(s.minute, now)],
    ['This day', windowText(s.day, now)],
    ['Uploads today', windowText(s.dailyUploads, now)],
    ...(s.near ?? []).map((one): [string, string] => ['Little left', nearText(one)]),
    ['Queue', queueText(s)],
  ]
  if (s.listing !== undefined) rows.push(['File list', `${progressText(s.listing)} read`])
  if (s.deleting !== undefined) rows.push(['Deletions', deletingText(s.deleting)])
  if (s.replacing !== undefined) rows.push(['Old versions', replacingText(s.replacing, now)])
  if (s.counts.uploading > 0 && s.progress.speed >= 1) rows.push(['Speed', formatSpeed(s.progress.speed)])
  if (gate !== null)
    rows.push([
      'Waiting',
      `${reasonText(gate.reason, gate.until, now)}${gate.message === null ? '' : ` (${gate.message})`}`,
    ])
  else if (!elsewhere && queuedCount(s.counts) > 0) rows.push(['Waiting', LATER])
  for (const folder of s.folders) {
    const how =
      folder.state === 'away'
        ? folder.silent === true
          ? 'drive not responding'
          : 'not available'
        : folder.paused === true
          ? 'paused'
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
  return pairs(rows)
}

/**
 * A list of transfers with their IDs under a heading. `total` is the number of transfers including those not
 * listed.
 */
function rowLines(heading: string, rows: readonly Transfer[], total: number, now: number): string[] {
  if (rows.length === 0) return []
  const more = total - rows.length
  return [
    '',
    heading,
    ...rows.map((one) => `  ${one.id}  ${showFile(one)}: ${show(stateText(one, now))}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more. To list all: slipway status --json`] : []),
  ]
}

/**
 * The transfers that can be retried, cancelled or released. `transfers_more` is the number of transfers
 * omitted.
 */
function transfersJson(rows: readonly Transfer[], counts: Counts): Record<string, unknown> {
  const more = rowCount(counts) + counts.held + counts.failed - rows.length
  return {
    transfers: rows.map(queueRowJson),
    ...(rows.length >= ROWS_IN_JSON && more > 0 ? { transfers_more: more } : {}),
  }
}

/** A transfer of the queue, as `status --json` and `retry --json` print it. */
export function queueRowJson({
  id,
  path,
  size,
  state,
  reason,
  message,
  until,
}: Transfer): Record<string, unknown> {
  return compact({
    id,
    path: forPeople(path),
    size,
    state,
    reason,
    message,
    until: until === null ? null : isoSeconds(until, 'up'),
  })
}

export function gateJson({ reason, until, message }: Gate): Record<string, unknown> {
  return { reason, until: until === null ? null : isoSeconds(until, 'up'), message }
}

export function statusJson(s: Snapshot, elsewhere: boolean, name: string | null): Record<string, unknown> {
  const time = (at: number | null): string | null => (at === null ? null : isoSeconds(at, 'up'))
  const gate = gateOf(s)
  return {
    version: s.version,
    account: {
      name,
      state: s.account.state,
      base_url: s.account.baseUrl,
      plan: s.account.plan,
      proved_at: s.account.provedAt === null ? null : isoSeconds(s.account.provedAt),
      message: s.account.message,
    },
    paused: s.paused,
    gate: gate === null ? null : gateJson(gate),
    budget: {
      minute: windowJson(s.minute),
      day: windowJson(s.day),
      daily_uploads: windowJson(s.dailyUploads),
    },
    ...(s.near === undefined ? {} : { near_limits: s.near }),
    queue: s.counts,
    ...(s.listing === undefined ? {} : { listing: s.listing }),
    ...(s.deleting === undefined
      ? {}
      : {
          deletions: { count: s.deleting.count, file_ids: s.deleting.fileIds, until: time(s.deleting.until) },
        }),
    ...(s.replacing === undefined
      ? {}
      : { old_versions: { count: s.replacing.count, until: time(s.replacing.next) } }),
    progress: {
      speed: s.progress.speed,
      sent_bytes: s.progress.sentBytes,
      total_bytes: s.progress.totalBytes,
    },
    folders: s.folders.map((folder) => ({
      path: forPeople(folder.path),
      state: folder.state,
      paused: folder.paused === true,
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
