// `slipway stats`: prints plan, limits and usage as the service reports them, and Slipway's own counts. It
// changes nothing. If the service can't be asked, it prints the last known figures and says so. If the unit
// of a size isn't known, the text output assumes bytes and says so; the JSON output contains the service's
// own figures.
import { formatBytes, formatCount, formatWhen, isoSeconds } from '../../../src-shared/format.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import { ask, type Ctx, document, fail, note } from '../context.ts'
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts'
import { notingWait } from '../follow/request-wait.ts'
import { windowJson, windowText } from '../output/budget-text.ts'
import { pairs } from '../output/table.ts'

export async function stats(ctx: Ctx): Promise<ExitCode> {
  const answer = await ask(ctx, notingWait(ctx, ctx.client.call('stats', {})))
  if (!answer.ok) return fail(ctx, answer.failure)
  const view = answer.value
  const { stale } = view
  const code = stale === undefined ? EXIT.ok : exitCodeOf(stale.failure.code)
  if (stale !== undefined) {
    fail({ ...ctx, json: false }, stale.failure)
    note(ctx, `These figures were read ${readText(stale.at, ctx.time.now())}.`)
  }
  if (ctx.json) {
    document(ctx, {
      plan: view.plan,
      stats: view.stats,
      limits: view.limits,
      budget: {
        minute: windowJson(view.minute),
        day: windowJson(view.day),
        daily_uploads: windowJson(view.dailyUploads),
      },
      ...(stale === undefined
        ? {}
        : { as_of: stale.at === null ? null : isoSeconds(stale.at), error: stale.failure }),
    })
    return code
  }
  // `/stats` doesn't say in which unit it gives sizes. The snapshot has the total in bytes once the engine
  // has learned the unit.
  const snapshot = await ask(ctx, ctx.client.call('snapshot', {}))
  const storedBytes = snapshot.ok ? snapshot.value.stored.bytes : null
  for (const line of pairs(statsRows(view, storedBytes, ctx.time.now()))) ctx.term.out(line)
  return code
}

/** When figures were read, for example `at 14:03`. `at`: epoch milliseconds, null if unknown. */
export function readText(at: number | null, now: number): string {
  return at === null ? 'earlier' : formatWhen(at, now)
}

const KNOWN_STATS = new Set(['total_files', 'total_size'])
const KNOWN_LIMITS = new Set(['max_file_size', 'daily_uploads'])

/**
 * Labels for fields that the API document doesn't define but services often send. Other fields are shown
 * under their own names.
 */
const WORDS: Readonly<Record<string, string>> = {
  total_downloads: 'Downloads',
  uploads_today: 'Uploads today',
  storage_used: 'Storage used',
  used_storage: 'Storage used',
  storage_limit: 'Storage limit',
  max_storage: 'Storage limit',
  requests_per_minute: 'Requests a minute (plan)',
  requests_per_day: 'Requests a day (plan)',
}

function statsRows(view: StatsView, storedBytes: number | null, now: number): [string, string][] {
  const rows: [string, string][] = [
    ['Plan', view.plan ?? '?'],
    ['Files', formatCount(view.totalFiles)],
    ['Total size', storedBytes === null ? assumed(view.totalSize) : formatBytes(storedBytes)],
    ['Largest file', largest(view.maxFileSize)],
    ['Uploads a day', windowText(view.dailyUploads, now)],
    ['Requests a minute', windowText(view.minute, now)],
    ['Requests a day', windowText(view.day, now)],
  ]
  const bytesOf = unitOf(view)
  const shown = (name: string, value: unknown): string => {
    if (typeof value !== 'number' || !/(?:^|_)(?:size|storage|bytes)(?:_|$)/.test(name))
      return plainValue(value)
    return bytesOf === null ? assumed(value) : formatBytes(value * bytesOf)
  }
  for (const [name, value] of Object.entries(view.stats))
    if (!KNOWN_STATS.has(name)) rows.push([wordOf(name), shown(name, value)])
  for (const [name, value] of Object.entries(view.limits))
    if (!KNOWN_LIMITS.has(name)) rows.push([wordOf(name), shown(name, value)])
  return rows
}

function wordOf(field: string): string {
  return Object.hasOwn(WORDS, field) ? (WORDS[field] ?? field) : field
}

/**
 * The number of bytes in the service's unit of size, derived from the file size limit; null if it can't be
 * derived.
 */
function unitOf(view: StatsView): number | null {
  const raw = view.limits['max_file_size']
  const { value, unit } = view.maxFileSize
  return unit === 'bytes' && value !== null && typeof raw === 'number' && raw > 0 ? value / raw : null
}

function largest(limit: StatsView['maxFileSize']): string {
  if (limit.kind === 'unlimited') return 'not limited'
  if (limit.kind === 'unknown' || limit.value === null) return 'not known'
  if (limit.unit === 'bytes') return formatBytes(limit.value)
  return limit.unit === 'unknown' ? assumed(limit.value) : `${formatCount(limit.value)} ${limit.unit}`
}

/** Formats a size whose unit isn't known. Assumes bytes and says so. */
function assumed(size: number | null): string {
  return size === null ? '?' : `${formatBytes(size)} (if the service counts bytes)`
}

export function plainValue(value: unknown): string {
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'string') return value
  return JSON.stringify(value) ?? '?'
}
