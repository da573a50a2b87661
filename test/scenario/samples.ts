// What the tests of all dialects share: the files that are uploaded, and which dialects hide most of what the
// service stores. Contains no expectations.
import { dialects } from '../service/dialect.ts'

/** Names with their content. */
export const SAMPLES: readonly (readonly [string, string])[] = [
  ['notes.txt', 'plain words'],
  ['empty.bin', ''],
  ['sub/notes.txt', 'the same name below'],
  // Windows doesn't allow double quotes in names.
  [process.platform === 'win32' ? "quotes 'x' & é.md" : 'quotes "x" & é.md', 'odd name'],
  ['emoji 🚀.txt', 'flying'],
  ['photo.PNG', '\u0089PNG not really'],
  ['table.csv', 'a,b\n'.repeat(4000)],
]

/**
 * Dialects in which it can't be checked within a minute whether a file arrived: files are shown up to 45 s
 * late, at different times, or without name, link and details.
 */
export const UNSEEN: readonly string[] = ['list late at random', 'ids and sizes only']

/** Dialects that hide most, but not for longer than a minute. */
export const HIDING: readonly string[] = Object.keys(dialects).filter(
  (name) =>
    /plain|bare|only|sparse|minimal|id|zero|stranger|hidden|random|renam|sanit/i.test(name) &&
    !UNSEEN.includes(name),
)
