// `slipway unwatch`: ends watching a folder, by whichever engine runs; what waits in it is withdrawn. A folder whose disk is away can be named
// too. Files that are up keep their links.
import { resolve } from 'node:path'
import { forPeople } from '../../platform/path-codec.ts'
import { ask, type Ctx, document, fail, show } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'

export async function unwatch(ctx: Ctx, args: { readonly folder: string }): Promise<ExitCode> {
  const path = resolve(ctx.cwd, args.folder)
  const known = await ask(ctx, ctx.client.call('audit', { path, rescan: false }))
  let folder = known.ok ? known.value.folder : null
  if (!known.ok && known.failure.code !== 'not-found') return fail(ctx, known.failure)
  if (folder === null) {
    // Its disk may be away: then only the list of watched folders knows it.
    const snapshot = await ask(ctx, ctx.client.call('snapshot', {}))
    if (!snapshot.ok) return fail(ctx, snapshot.failure)
    folder = snapshot.value.folders.find((one) => one.path === path) ?? null
  }
  if (folder === null)
    return fail(ctx, { code: 'not-found', title: `${show(path)} is not watched.`, hint: 'Watched folders are listed by: slipway status' })
  const before = await ask(ctx, ctx.client.call('folderSums', { folderIds: [folder.id] }))
  const done = await ask(ctx, ctx.client.call('unwatch', { folderId: folder.id }))
  if (!done.ok) return fail(ctx, done.failure)
  const after = await ask(ctx, ctx.client.call('folderSums', { folderIds: [folder.id] }))
  // What is on its way when a folder is let go comes to its end, and still counts as waiting.
  const waiting = (sums: typeof before): number => (sums.ok ? (sums.value[0]?.sums.waiting ?? 0) : 0)
  const left = waiting(after)
  const withdrawn = Math.max(0, waiting(before) - left)
  if (ctx.json) document(ctx, { folder: forPeople(folder.path), watched: false, withdrawn })
  else if (!ctx.quiet)
    ctx.term.out(
      `${show(folder.path)} is not watched any more.${withdrawn === 0 ? '' : ` ${withdrawn} waiting ${withdrawn === 1 ? 'file' : 'files'} withdrawn.`}${left === 0 ? '' : ` ${left} on the way ${left === 1 ? 'is' : 'are'} still uploaded.`}`,
    )
  return EXIT.ok
}
