// The paths that a person named on the command line, checked before anything is sent: one that does not exist stops the whole command. A home
// folder or a whole disk is legal, and confirmed where a person can answer.
import { dirname, resolve } from 'node:path'
import type { Failure } from '../../src-shared/contract.ts'
import { type Ctx, note, show } from './context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { COMMANDS } from './words.ts'

/** Paths looked at together: a pool of the system serves them. */
const AT_ONCE = 64

export interface MissingPath {
  /** Absolute. */
  readonly path: string
  readonly failure: Failure
}

/** Every path that does not exist, in the order given. One that can't be read is there. */
export async function missingPaths(ctx: Pick<Ctx, 'cwd' | 'kindOf'>, typed: readonly string[]): Promise<readonly MissingPath[]> {
  const missing: MissingPath[] = []
  for (let i = 0; i < typed.length; i += AT_ONCE) {
    const part = typed.slice(i, i + AT_ONCE)
    const kinds = await Promise.all(part.map((one) => ctx.kindOf(resolve(ctx.cwd, one))))
    for (const [at, one] of part.entries())
      if (kinds[at] === 'missing') missing.push({ path: resolve(ctx.cwd, one), failure: missingFailure(one, resolve(ctx.cwd, one)) })
  }
  return missing
}

export function missingFailure(typed: string, path: string): Failure {
  if (COMMANDS.includes(typed))
    return {
      code: 'usage',
      title: `${typed} is a command, and there is no file of this name.`,
      hint: `How to use it: slipway ${typed} --help`,
    }
  return { code: 'not-found', title: `${show(path)} does not exist.`, hint: 'Check the path. Nothing was uploaded.' }
}

/** The root of a disk, the home folder, or a folder around it. */
export function isWide(path: string, home: string): boolean {
  if (dirname(path) === path || path === home) return true
  for (let above = home; dirname(above) !== above; above = dirname(above)) if (dirname(above) === path) return true
  return false
}

/** Null: go ahead. Without a terminal nobody can answer, and the path was named in full. */
export async function confirmWide(ctx: Ctx, typed: readonly string[]): Promise<ExitCode | null> {
  if (!ctx.term.inIsTerminal) return null
  for (const path of typed.map((one) => resolve(ctx.cwd, one))) {
    if (!isWide(path, ctx.home)) continue
    const what = path === ctx.home ? `your whole home folder ${show(path)}` : `everything below ${show(path)}`
    const answer = await ctx.term.ask(`Publish ${what}? [y/N] `, false)
    if (answer === null) return EXIT.interrupted
    if (/^y(es)?$/i.test(answer.trim())) continue
    note(ctx, 'Nothing was uploaded.')
    return EXIT.ok
  }
  return null
}
