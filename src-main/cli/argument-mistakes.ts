// Checks the arguments of all commands for mistakes before they are parsed. For example, an empty argument
// (from an unset variable) would otherwise mean the current folder. Pure; named-paths.ts checks whether paths
// exist.
import { printable } from '../../src-shared/format.ts'

export const COMMANDS: readonly string[] =
  'login logout accounts status upload watch ls info link rm stats plan audit doctor pause resume retry cancel release unwatch completion help'.split(
    ' ',
  )

/** The path that means standard input. A file with this name can be written as `./-`. */
export const STDIN = '-'

export interface WrongWord {
  readonly message: string
  readonly hint: string
}

/**
 * Finds the first mistake; null if there is none. Arguments after `--` are paths and may look like an option,
 * but must not be empty or contain a NUL.
 */
export function wrongWord(argv: readonly string[]): WrongWord | null {
  const end = argv.indexOf('--')
  for (const [at, arg] of argv.entries()) {
    const isOption = end < 0 || at < end
    if (arg === '' || (isOption && /^--?[a-z][\w-]*=$/i.test(arg)))
      return {
        message: arg === '' ? 'An argument is empty.' : `${arg.slice(0, -1)} has an empty value.`,
        hint: 'An unset variable results in an empty argument. Nothing was done.',
      }
    if (arg.includes('\0'))
      return { message: `${printable(arg)} contains a NUL character.`, hint: 'Nothing was done.' }
    // Bytes that aren't valid UTF-8 are decoded to this character, and another file may really have it in its name.
    if (arg.includes('\ufffd'))
      return {
        message: `${printable(arg)} contains \ufffd, which stands for bytes that aren't valid UTF-8.`,
        hint: 'Name its folder, or use its ID or link. Nothing was done.',
      }
  }
  return null
}

/**
 * Used for values that aren't paths, such as names, patterns and search texts. Paths may contain control
 * characters.
 */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
