// Converts the files that the user names on the command line into the engine's form: a file_id, a public link, or an absolute path. Paths
// must be absolute because a running engine may have another working directory. A number that could also be a file's name is refused.
import { resolve, sep } from 'node:path'
import type { Failure } from '../../src-shared/contract.ts'
import { ask, type Ctx } from './context.ts'
import { kindsOf } from './named-paths.ts'

/** Maximum number of selectors per call (contract.ts, `versions`). */
const AT_ONCE = 1000

/** A number of 2^53 or more doesn't count as a file_id. JavaScript can't represent it exactly, so it could identify another file. */
function isFileId(typed: string): boolean {
  return /^\d{1,16}$/.test(typed) && Number.isSafeInteger(Number(typed))
}

export function toSelector(text: string, cwd: string): string {
  const typed = text.trim()
  if (isFileId(typed) || /^https?:\/\//i.test(typed)) return typed
  return resolve(cwd, text)
}

/**
 * Resolves to a failure if one of the words is ambiguous: a number that is also the name of a file in the current folder, or of a file that
 * was uploaded from there. Also resolves to a failure if the engine can't be queried. Null means that no word is ambiguous.
 */
export async function findAmbiguous(ctx: Ctx, words: readonly string[]): Promise<Failure | null> {
  const ids = [...new Set(words.map((word) => word.trim()).filter(isFileId))]
  const kinds = await kindsOf(
    ctx,
    ids.map((id) => resolve(ctx.cwd, id)),
    { patienceMs: null, uploads: false },
  )
  if (!kinds.ok) return kinds.failure
  const at = kinds.value.indexOf('file')
  if (at !== -1) return bothFailure(ids[at] ?? '')
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const part = ids.slice(i, i + AT_ONCE)
    const known = await ask(ctx, ctx.client.call('versions', { selectors: part.map((id) => resolve(ctx.cwd, id)), which: 'all' }))
    if (!known.ok) return known.failure
    const both = part.find((_id, index) => (known.value[index]?.found ?? 'none') !== 'none')
    if (both !== undefined) return bothFailure(both)
  }
  return null
}

function bothFailure(id: string): Failure {
  return {
    code: 'usage',
    title: `${id} is a file_id and the name of a file.`,
    hint: `For the file, write .${sep}${id}. For the file_id, use the link, or run the command in another folder.`,
  }
}
