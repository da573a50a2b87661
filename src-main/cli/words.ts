// Words are not files: what no command takes, whatever it is. An empty argument (a variable that is not set) would otherwise become the
// current folder. Pure; whether a path exists is checked by named-paths.ts.
import { printable } from '../../src-shared/format.ts'

export const COMMANDS: readonly string[] =
  'login logout status upload watch ls info link rm stats plan audit doctor pause resume retry cancel release unwatch completion help'.split(
    ' ',
  )

/** The path that means standard input. A file of this name is `./-`. */
export const STDIN = '-'

export interface WrongWord {
  readonly message: string
  readonly hint: string
}

/** Null: every argument can mean something. Looks behind `--` too. */
export function wrongWord(argv: readonly string[]): WrongWord | null {
  const end = argv.indexOf('--')
  for (const [at, arg] of argv.entries()) {
    const isOption = end < 0 || at < end
    if (arg === '' || (isOption && /^--?[a-z][\w-]*=$/i.test(arg)))
      return {
        message: arg === '' ? 'An argument is empty.' : `${arg.slice(0, -1)} has an empty value.`,
        hint: 'A variable that is not set gives an empty argument. Nothing was done.',
      }
    if (arg.includes('\0')) return { message: `${printable(arg)} contains a NUL character.`, hint: 'Nothing was done.' }
  }
  return null
}

/** For values that are no paths: a name, a pattern, a search text. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
