// `slipway rm`: deletes files on the service; their links stop working. A person is asked first, a script has to say --yes.
// It never touches a file on this machine.
import type { Failure } from '../../../src-shared/contract.ts'
import { formatCount, plural } from '../../../src-shared/format.ts'
import { ask, type Ctx, complain, document, fail, note, show } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { toSelector } from '../selectors.ts'

export interface RmArgs {
  readonly selectors: readonly string[]
  readonly yes: boolean
}

/** More names than this tell a person nothing more. */
const NAMED = 10

export async function rm(ctx: Ctx, args: RmArgs): Promise<ExitCode> {
  const selectors = args.selectors.map((one) => toSelector(one, ctx.cwd))
  if (!args.yes) {
    if (!ctx.term.inIsTerminal)
      return fail(ctx, { code: 'usage', title: 'Nobody is here to say yes, so nothing was deleted.', hint: 'In a script, add --yes.' })
    const sure = await confirm(ctx, args.selectors, selectors)
    if (sure !== null) return sure
  }
  const removed: { selector: string; ok: boolean; message: string }[] = []
  let stopped: Failure | null = null
  // One at a time: if the connection goes in the middle, it is known what is deleted and what is not.
  for (const [at, selector] of selectors.entries()) {
    const answer = await ask(ctx, ctx.client.call('remove', { selectors: [selector] }))
    if (!answer.ok) {
      stopped = answer.failure
      break
    }
    for (const one of answer.value) removed.push({ ...one, selector: args.selectors[at] ?? one.selector })
  }
  if (ctx.json) document(ctx, stopped === null ? { removed } : { removed, error: { code: stopped.code, title: stopped.title } })
  for (const one of removed) {
    if (!one.ok) complain(ctx, `${show(one.selector)}: ${show(one.message)}`, null)
    else if (!ctx.json && !ctx.quiet) ctx.term.out(`${show(one.selector)}: ${show(one.message)}`)
  }
  if (stopped !== null) return fail({ ...ctx, json: false }, stopped)
  return removed.some((one) => !one.ok) ? EXIT.notFound : EXIT.ok
}

/** Null: go ahead. */
async function confirm(ctx: Ctx, typed: readonly string[], selectors: readonly string[]): Promise<ExitCode | null> {
  const shown = selectors.slice(0, NAMED)
  const known = await ask(ctx, ctx.client.call('links', { selectors: [...shown] }))
  if (!known.ok) return fail(ctx, known.failure)
  for (const [at, one] of known.value.entries()) {
    const name = one.row?.filename ?? null
    ctx.term.err(`  ${show(typed[at] ?? one.selector)}${name === null ? '' : `  ${show(name)}`}`)
  }
  if (typed.length > shown.length) ctx.term.err(`  and ${formatCount(typed.length - shown.length)} more`)
  const answer = await ctx.term.ask(`Delete ${plural(typed.length, 'file')} on the service? Links to them stop working. [y/N] `, false)
  if (answer === null) return EXIT.interrupted
  if (/^y(es)?$/i.test(answer.trim())) return null
  note(ctx, 'Nothing was deleted.')
  return EXIT.ok
}
