// `slipway stats`: plan, limits and usage as the service tells them, and what Slipway counted itself.
// It changes nothing; units that the service does not tell are not guessed.
import { formatBytes, formatCount } from '../../../src-shared/format.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import { windowJson, windowText } from '../budget-text.ts'
import { ask, type Ctx, document, fail } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { pairs } from '../table.ts'

export async function stats(ctx: Ctx): Promise<ExitCode> {
  const answer = await ask(ctx, ctx.client.call('stats', {}))
  if (!answer.ok) return fail(ctx, answer.failure)
  const view = answer.value
  if (ctx.json) {
    document(ctx, {
      plan: view.plan,
      stats: view.stats,
      limits: view.limits,
      budget: { minute: windowJson(view.minute), day: windowJson(view.day), daily_uploads: windowJson(view.dailyUploads) },
    })
    return EXIT.ok
  }
  for (const line of pairs(statsRows(view, ctx.time.now()))) ctx.term.out(line)
  return EXIT.ok
}

const KNOWN_STATS = new Set(['total_files', 'total_size'])
const KNOWN_LIMITS = new Set(['max_file_size', 'daily_uploads'])

function statsRows(view: StatsView, now: number): [string, string][] {
  const rows: [string, string][] = [
    ['Plan', view.plan ?? '?'],
    ['Files', formatCount(view.totalFiles)],
    // Its unit is not told, so it stands as it came.
    ['Total size', view.totalSize === null ? '?' : `${formatCount(view.totalSize)} (as the service counts)`],
    ['Largest file', largest(view.maxFileSize)],
    ['Uploads a day', windowText(view.dailyUploads, now)],
    ['Requests a minute', windowText(view.minute, now)],
    ['Requests a day', windowText(view.day, now)],
  ]
  for (const [name, value] of Object.entries(view.stats)) if (!KNOWN_STATS.has(name)) rows.push([name, plainValue(value)])
  for (const [name, value] of Object.entries(view.limits)) if (!KNOWN_LIMITS.has(name)) rows.push([name, plainValue(value)])
  return rows
}

function largest(limit: StatsView['maxFileSize']): string {
  if (limit.kind === 'unlimited') return 'not limited'
  if (limit.kind === 'unknown' || limit.value === null) return 'not known'
  if (limit.unit === 'bytes') return formatBytes(limit.value)
  return `${formatCount(limit.value)}${limit.unit === 'unknown' ? ' (unit not known yet)' : ` ${limit.unit}`}`
}

export function plainValue(value: unknown): string {
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'string') return value
  return JSON.stringify(value) ?? '?'
}
