// Converts the files that the user names on the command line into the engine's form: a file_id, a public
// link, or an absolute path. Paths must be absolute because a running engine may have another working
// directory. A word that could be both a file_id and a file's name is refused.
import { resolve, sep } from 'node:path'
import type { Failure, Result } from '../../src-shared/engine-contract.ts'
import { idSelector, selectedId } from '../../src-shared/file-id.ts'
import type { FileId } from '../../src-shared/model.ts'
import { shownWord } from '../platform/data/shell-word.ts'
import { ask, type Ctx, show } from './context.ts'
import { kindsOf } from './named-paths.ts'

/** Maximum number of selectors per call (engine-contract.ts, `versions`). */
const AT_ONCE = 1000
/** A single word of this form is much more likely an ID, such as a UUID, than the name of a file. */
const ID_LIKE = /^(?=.*\d)[\w-]{16,200}$/

export function toSelector(text: string, cwd: string): string {
  const typed = text.trim()
  if (selectedId(typed) !== null || /^https?:\/\//i.test(typed)) return typed
  return resolve(cwd, text)
}

/** Returns a file_id as a word of a command line. */
export function idWord(fileId: FileId): string {
  return shownWord(show(idSelector(fileId)))
}

/**
 * Resolves to the selectors of these words. A single word that isn't the path of an uploaded file can be a
 * file_id. Fails if a file_id is also the name of a file in the current folder. Also fails if the engine
 * can't be queried.
 */
export async function readSelectors(ctx: Ctx, words: readonly string[]): Promise<Result<readonly string[]>> {
  const typed = [...new Set(words.map((word) => word.trim()))]
  const ids = await singleIds(ctx, typed.filter(isSingle))
  if (!ids.ok) return ids
  const digits = typed.filter((word) => /^\d+$/.test(word))
  const maybe = [...digits, ...ids.value]
  const paths = maybe.map((word) => resolve(ctx.cwd, word))
  const kinds = await kindsOf(ctx, paths, { patienceMs: null, uploads: false })
  if (!kinds.ok) return kinds
  const uploaded = await knownOf(ctx, paths.slice(0, digits.length))
  if (!uploaded.ok) return uploaded
  const both = maybe.find((_word, at) => kinds.value[at] === 'file' || uploaded.value[at] === true)
  if (both !== undefined) return { ok: false, failure: bothFailure(both) }
  return {
    ok: true,
    value: words.map((word) =>
      ids.value.has(word.trim()) ? idSelector(word.trim()) : toSelector(word, ctx.cwd),
    ),
  }
}

/** Whether the word can be an ID as well as the name of a file in the current folder. */
function isSingle(word: string): boolean {
  return !/^\.{0,2}$|[/\\]/.test(word) && selectedId(word) === null
}

/**
 * Which of these words are IDs: none from whose path a file was uploaded, but those that the journal knows,
 * or that look like an ID.
 */
async function singleIds(ctx: Ctx, words: readonly string[]): Promise<Result<ReadonlySet<string>>> {
  const paths = await knownOf(
    ctx,
    words.map((word) => resolve(ctx.cwd, word)),
  )
  if (!paths.ok) return paths
  const others = words.filter((_word, at) => paths.value[at] !== true)
  const known = await knownOf(ctx, others.map(idSelector))
  return known.ok
    ? {
        ok: true,
        value: new Set(others.filter((word, at) => known.value[at] === true || ID_LIKE.test(word))),
      }
    : known
}

/** Whether the engine knows what these selectors mean, without asking the service. */
async function knownOf(ctx: Ctx, selectors: readonly string[]): Promise<Result<readonly boolean[]>> {
  const known: boolean[] = []
  for (let i = 0; i < selectors.length; i += AT_ONCE) {
    const part = selectors.slice(i, i + AT_ONCE)
    const got = await ask(ctx, ctx.client.call('versions', { selectors: part, which: 'all', known: true }))
    if (!got.ok) return got
    known.push(...part.map((_one, at) => (got.value[at]?.found ?? 'none') !== 'none'))
  }
  return { ok: true, value: known }
}

function bothFailure(id: string): Failure {
  return {
    code: 'usage',
    title: `${show(id)} is a file_id and the name of a file.`,
    hint: `For the file, write .${sep}${show(id)}. For the file_id, write id:${show(id)}.`,
  }
}
