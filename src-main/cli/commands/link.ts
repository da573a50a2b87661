// `slipway link`: prints links, ready to paste, in one or several formats. It changes nothing. Unless JSON is
// requested, standard output contains nothing but links.
import { basename } from 'node:path'
import { formatLink, type LinkFormat } from '../../../src-shared/format.ts'
import type { Ended, FileId } from '../../../src-shared/model.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { ask, type Ctx, compact, complain, document, fail, show } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readSelectors } from '../selectors.ts'
import { idOf } from './ls.ts'

export interface LinkArgs {
  readonly selectors: readonly string[]
  readonly formats: readonly LinkFormat[]
}

const ENDED_TEXT: Readonly<Record<Ended, string>> = {
  deleted: 'was deleted on the service, so it has no link.',
  gone: 'was deleted on the service, so it has no link.',
  deleting:
    'is being deleted, so its link is no longer shown. The file may still be public until the service has confirmed it.',
  kept: 'was deleted here only, so it has no link. Another file still has the same one.',
  replaced: 'was replaced by a newer version, which has no link yet.',
}

/** Maximum number of selectors per call (engine-contract.ts, `links`). */
const MOST = 1000

export async function link(ctx: Ctx, args: LinkArgs): Promise<ExitCode> {
  const read = await readSelectors(ctx, args.selectors)
  if (!read.ok) return fail(ctx, read.failure)
  const found: {
    asked: string
    name: string
    url: string | null
    fileId: FileId | null
    ended: Ended | null
  }[] = []
  for (let i = 0; i < args.selectors.length; i += MOST) {
    const part = args.selectors.slice(i, i + MOST)
    const answer = await ask(
      ctx,
      ctx.client.call('links', { selectors: read.value.slice(i, i + MOST), confirm: true }),
    )
    if (!answer.ok) return fail(ctx, answer.failure)
    for (const [at, asked] of part.entries()) {
      const row = answer.value[at]?.row ?? null
      const name = row?.filename ?? (row?.localPath == null ? asked : basename(forPeople(row.localPath)))
      found.push({
        asked,
        name,
        url: row?.publicLink ?? null,
        fileId: row === null ? null : idOf(row),
        ended: answer.value[at]?.ended ?? null,
      })
    }
  }
  const missing = found.filter((one) => one.url === null)
  if (ctx.json) {
    document(ctx, {
      links: found.map(({ asked, name, url, fileId }) =>
        url === null
          ? { selector: asked, public_link: null }
          : compact({
              selector: asked,
              file_id: fileId,
              filename: name,
              public_link: url,
              ...Object.fromEntries(
                args.formats
                  .filter((format) => format !== 'url')
                  .map((format) => [format, formatLink(format, { name, url })]),
              ),
            }),
      ),
    })
  } else {
    let first = true
    for (const { name, url } of found) {
      if (url === null) continue
      // With several formats, each file's links form a block, and an empty line separates the blocks.
      if (!first && args.formats.length > 1) ctx.term.out('')
      first = false
      for (const format of args.formats) ctx.term.out(formatLink(format, { name, url }))
    }
  }
  for (const one of missing)
    complain(
      ctx,
      one.ended === null
        ? `There is no link for ${show(one.asked)}.`
        : `${show(one.asked)} ${ENDED_TEXT[one.ended]}`,
      null,
    )
  if (missing.some((one) => one.ended === null) && !ctx.quiet)
    ctx.term.err('  Use a file_id or the path of an uploaded file. To list files: slipway ls')
  return missing.length > 0 ? EXIT.notFound : EXIT.ok
}
