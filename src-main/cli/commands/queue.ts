// `slipway pause`, `resume` and `retry`: a person acts on the queue.
// What is held goes out only when it is named by its number; nothing is released in bulk.
import { plural } from '../../../src-shared/format.ts'
import { ask, type Ctx, document, fail } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { statusJson } from './status.ts'

export async function setPaused(ctx: Ctx, args: { readonly paused: boolean }): Promise<ExitCode> {
  const answer = await ask(ctx, ctx.client.call(args.paused ? 'pause' : 'resume', {}))
  if (!answer.ok) return fail(ctx, answer.failure)
  if (ctx.json) document(ctx, statusJson(answer.value, !ctx.client.isOwner()))
  else if (!ctx.quiet) ctx.term.out(args.paused ? 'Paused. Go on with: slipway resume' : 'Uploads go on.')
  return EXIT.ok
}

export async function retry(ctx: Ctx, args: { readonly ids: readonly number[] }): Promise<ExitCode> {
  let count = 0
  const known: number[] = []
  const held: number[] = []
  for (const id of args.ids) {
    const row = await ask(ctx, ctx.client.call('transfers', { folderId: null, states: [], afterId: id - 1, limit: 1 }))
    if (!row.ok) return fail(ctx, row.failure)
    const [first] = row.value
    if (first?.id === id) (first.state === 'held' ? held : known).push(id)
  }
  const unknown = args.ids.filter((id) => !known.includes(id) && !held.includes(id))
  if (held.length > 0) {
    const released = await ask(ctx, ctx.client.call('release', { ids: held }))
    if (!released.ok) return fail(ctx, released.failure)
    count += released.value.count
  }
  if (known.length > 0 || args.ids.length === 0) {
    const retried = await ask(ctx, ctx.client.call('retry', { ids: args.ids.length === 0 ? null : known }))
    if (!retried.ok) return fail(ctx, retried.failure)
    count += retried.value.count
  }
  if (ctx.json && unknown.length === 0) document(ctx, { count })
  else if (!ctx.json && !ctx.quiet) ctx.term.out(count === 0 ? 'Nothing to try again.' : `${plural(count, 'file')} will be tried again.`)
  if (unknown.length === 0) return EXIT.ok
  return fail(ctx, {
    code: 'not-found',
    title: `There is no transfer ${unknown.join(', ')}.`,
    hint: 'The numbers of what needs a person stand in: slipway status',
  })
}
