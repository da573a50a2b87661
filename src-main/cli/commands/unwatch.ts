// `slipway unwatch`: stops watching a folder in whichever engine is running. It removes the folder's waiting,
// held and failed files from the queue, except those passed to `slipway upload`. It also works for a folder
// whose disk isn't connected. Uploaded files keep their links.
import { resolve } from 'node:path'
import { plural } from '../../../src-shared/format.ts'
import type { AuditSums, Transfer } from '../../../src-shared/model.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { ask, type Ctx, document, fail, show, showFile } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { NOTHING } from '../follow/reporter.ts'
import { readRows } from '../transfer-rows.ts'

const NAMES_SHOWN = 10

export async function unwatch(ctx: Ctx, args: { readonly folder: string }): Promise<ExitCode> {
  const path = resolve(ctx.cwd, args.folder)
  const known = await ask(ctx, ctx.client.call('audit', { path, rescan: false }))
  let folder = known.ok ? known.value.folder : null
  if (!known.ok && known.failure.code !== 'not-found') return fail(ctx, known.failure)
  if (folder === null) {
    // If the disk isn't connected, the folder is found only in the list of watched folders.
    const snapshot = await ask(ctx, ctx.client.call('snapshot', {}))
    if (!snapshot.ok) return fail(ctx, snapshot.failure)
    folder = snapshot.value.folders.find((one) => one.path === path) ?? null
  }
  if (folder === null)
    return fail(ctx, {
      code: 'not-found',
      title: `${show(path)} is not watched.`,
      hint: 'Watched folders are listed by: slipway status',
    })
  const before = await sumsOf(ctx, folder.id)
  const held = await readRows(ctx, ['held'], { folderId: folder.id })
  const done = await ask(ctx, ctx.client.call('unwatch', { folderId: folder.id }))
  if (!done.ok) return fail(ctx, done.failure)
  const after = await sumsOf(ctx, folder.id)
  const open = await readRows(ctx, ['uploading', 'unknown'], { folderId: folder.id })
  const uploading = open.ok ? open.value.length : 0
  const withdrawnOf = (list: 'waiting' | 'failed'): number => Math.max(0, before[list] - after[list])
  const left: Left = {
    waiting: withdrawnOf('waiting'),
    held: held.ok ? held.value : [],
    failed: withdrawnOf('failed'),
    uploading,
    // Files that the user passed to `slipway upload` stay in the queue and still count as waiting.
    named: Math.max(0, after.waiting - uploading),
  }
  if (ctx.json)
    document(ctx, {
      folder: forPeople(folder.path),
      watched: false,
      withdrawn: left.waiting + left.held.length + left.failed,
      withdrawn_held: left.held.map((row) => forPeople(row.path)),
      uploading: left.uploading,
      queued: left.named,
    })
  else if (!ctx.quiet) for (const line of leftLines(show(folder.path), left)) ctx.term.out(line)
  return EXIT.ok
}

interface Left {
  readonly waiting: number
  /** All withdrawn held files. */
  readonly held: readonly Transfer[]
  readonly failed: number
  readonly uploading: number
  readonly named: number
}

function leftLines(path: string, { waiting, held, failed, uploading, named }: Left): string[] {
  const first = [`${path} is no longer watched.`]
  if (waiting > 0) first.push(`${plural(waiting, 'waiting file')} withdrawn.`)
  if (failed > 0) first.push(`${plural(failed, 'failed file')} withdrawn.`)
  if (uploading > 0)
    first.push(`${plural(uploading, 'upload')} in progress ${uploading === 1 ? 'continues' : 'continue'}.`)
  const lines = [first.join(' ')]
  if (held.length > 0) {
    lines.push(
      `${plural(held.length, 'held file')} withdrawn:`,
      ...held.slice(0, NAMES_SHOWN).map((row) => `  ${showFile(row)}`),
    )
    if (held.length > NAMES_SHOWN) lines.push(`  and ${held.length - NAMES_SHOWN} more`)
  }
  if (named > 0)
    lines.push(
      `${plural(named, 'file')} passed to slipway upload ${named === 1 ? 'stays' : 'stay'} in the queue. To list them: slipway status`,
    )
  return lines
}

async function sumsOf(ctx: Ctx, folderId: number): Promise<AuditSums> {
  const answer = await ask(ctx, ctx.client.call('folderSums', { folderIds: [folderId] }))
  return (answer.ok ? answer.value[0]?.sums : undefined) ?? NOTHING
}
