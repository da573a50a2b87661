// `slipway ls`: requests the list of files from the service and prints it. If that fails, for example without
// a connection, it reports the failure and prints the cached list, if there is one. It changes nothing.
import type { Output, Result } from '../../../src-shared/engine-contract.ts'
import { formatBytes, formatClock, formatCount, formatWhen, isoSeconds } from '../../../src-shared/format.ts'
import type { FileId, ListProgress, RemoteRow } from '../../../src-shared/model.ts'
import { ask, type Ctx, document, fail, note, show } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { notingWait } from '../follow/request-wait.ts'
import { table } from '../output/table.ts'

export const SORT_FIELDS = ['date', 'name', 'size', 'downloads', 'id'] as const
export type SortField = (typeof SORT_FIELDS)[number]

export interface LsArgs {
  readonly search: string
  readonly sort: SortField
  readonly descending: boolean
  readonly limit: number
}

/** Maximum number of rows per call (engine-contract.ts, `catalog`). */
const PAGE = 500
/**
 * Maximum number of attempts to read the list while it keeps changing. After that, a file may be missing, but
 * none is listed twice.
 */
const ATTEMPTS_MOST = 5

type Query = Pick<LsArgs, 'search' | 'sort' | 'descending'>
type Page = Output<'catalog'>

export async function ls(ctx: Ctx, args: LsArgs): Promise<ExitCode> {
  const query: Query = { search: args.search, sort: args.sort, descending: args.descending }
  let code: ExitCode = EXIT.ok
  const asked = ctx.client.call('catalog', {
    ...query,
    offset: 0,
    limit: Math.min(PAGE, args.limit),
    fresh: 'need',
  })
  let page: Result<Page> = await ask(ctx, notingWait(ctx, asked))
  if (!page.ok && page.failure.code !== 'closing') {
    const why = page.failure
    const known = await ask(
      ctx,
      ctx.client.call('catalog', { ...query, offset: 0, limit: Math.min(PAGE, args.limit), fresh: 'cache' }),
    )
    if (!known.ok || known.value.rows.length === 0) return fail(ctx, why)
    code = fail({ ...ctx, json: false }, why)
    page = known
    const readAt = known.value.asOf
    if (readAt !== null)
      note(
        ctx,
        `The list was last read ${formatWhen(readAt, ctx.time.now())}. Uploads and deletions by Slipway since then are included.`,
      )
  }
  const list = page.ok ? await readRest(ctx, { query, limit: args.limit }, page.value) : page
  if (!list.ok) return fail(ctx, list.failure)
  const { rows, page: newest } = list.value
  const { total, asOf, reading, unnumbered = 0 } = newest
  if (unnumbered > 0) note(ctx, unlistedText(unnumbered))
  if (ctx.json) {
    document(ctx, {
      files: rows.map(rowJson),
      total,
      as_of: asOf === null ? null : isoSeconds(asOf),
      ...(reading === undefined ? {} : { reading }),
      ...(unnumbered === 0 ? {} : { unnumbered }),
    })
    return code
  }
  if (rows.length === 0) {
    if (unnumbered > 0 && args.search === '') return code
    note(
      ctx,
      args.search === ''
        ? 'No files on the service yet. Send the first: slipway upload FILE'
        : 'No results. Try a shorter search.',
    )
    return code
  }
  const lines = table(
    [
      { title: 'ID', align: 'right' },
      { title: 'NAME', shrinkTo: 12 },
      { title: 'SIZE', align: 'right', leaves: 3 },
      { title: 'UPLOADED', leaves: 2 },
      { title: 'DOWNLOADS', align: 'right', leaves: 1 },
      // This column comes last, so that the others are shortened first. A shortened link is useless.
      { title: 'LINK', shrinkTo: 8 },
    ],
    rows.map((row) => [
      show(String(idOf(row) ?? '?')),
      row.filename ?? '?',
      sizeText(row),
      dateText(row, ctx.time.now()),
      row.downloadCount === null ? '?' : formatCount(row.downloadCount),
      linkText(row),
    ]),
    ctx.term.outIsTerminal ? ctx.term.columns : null,
  )
  for (const line of lines) ctx.term.out(line)
  if (reading !== undefined) note(ctx, `The list is still being read: ${progressText(reading)} so far.`)
  if (total > rows.length)
    note(ctx, `${formatCount(rows.length)} of ${formatCount(total)} files. More: --limit ${total}`)
  return code
}

/**
 * Reads the pages after the first one. The list may change in between, for example through uploads. If files
 * have moved to other pages, it is read again from the start, because a file could otherwise be listed twice,
 * or not at all.
 */
async function readRest(
  ctx: Ctx,
  { query, limit }: { readonly query: Query; readonly limit: number },
  first: Page,
): Promise<Result<{ readonly rows: readonly RemoteRow[]; readonly page: Page }>> {
  let page = first
  let rows = [...first.rows]
  let offset = rows.length
  let attempts = 1
  while (offset < Math.min(limit, page.total) && page.rows.length > 0) {
    const next = await ask(
      ctx,
      ctx.client.call('catalog', { ...query, offset, limit: Math.min(PAGE, limit - offset), fresh: 'cache' }),
    )
    if (!next.ok) return next
    const hasMoved = next.value.revision !== page.revision
    page = next.value
    if (hasMoved && attempts++ < ATTEMPTS_MOST) {
      const again = await ask(
        ctx,
        ctx.client.call('catalog', { ...query, offset: 0, limit: Math.min(PAGE, limit), fresh: 'cache' }),
      )
      if (!again.ok) return again
      page = again.value
      rows = []
      offset = 0
    }
    rows.push(...page.rows)
    offset += page.rows.length
  }
  return { ok: true, value: { rows: withoutRepeats(rows), page } }
}

/** Drops rows whose ID is known from an earlier row. */
function withoutRepeats(rows: readonly RemoteRow[]): readonly RemoteRow[] {
  const ids = new Set<FileId>()
  return rows.filter((row) => {
    const isRepeat = idOf(row) !== null && ids.has(row.fileId)
    ids.add(row.fileId)
    return !isRepeat
  })
}

function unlistedText(count: number): string {
  const [files, them] = count === 1 ? ["1 file isn't", 'it'] : [`${formatCount(count)} files aren't`, 'them']
  return `${files} listed, because the service sends no usable ID for ${them}.`
}

/**
 * Returns how much of the list has been read, for example `4,120 of 20,000 files`. Leaves out the total if it
 * isn't known.
 */
export function progressText({ read, total }: ListProgress): string {
  return total === null ? `${formatCount(read)} files` : `${formatCount(read)} of ${formatCount(total)} files`
}

/**
 * Returns the file for JSON output, with the service's own field names. Fields that the service didn't return
 * are null.
 */
export function rowJson(row: RemoteRow): Record<string, unknown> {
  return {
    file_id: idOf(row),
    filename: row.filename,
    size: row.size,
    upload_date: row.uploadDate,
    download_count: row.downloadCount,
    public_link: row.publicLink,
    ...(row.deleting === true ? { deleting: true } : {}),
  }
}

/** The file's ID; null if it isn't known. */
export function idOf(row: Pick<RemoteRow, 'fileId'>): FileId | null {
  return row.fileId === 0 ? null : row.fileId
}

export function linkText(row: RemoteRow): string {
  return row.publicLink ?? (row.deleting === true ? '(being deleted)' : '?')
}

export function sizeText(row: RemoteRow): string {
  // As long as the unit is unknown, print the number as the service wrote it.
  if (row.bytes !== null) return formatBytes(row.bytes)
  return row.size === null ? '?' : String(row.size)
}

export function dateText(row: RemoteRow, now: number): string {
  if (row.uploadedAt !== null) return formatClock(row.uploadedAt, now)
  return row.uploadDate ?? '?'
}
