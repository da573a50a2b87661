// The exit codes of the command line, and the failures that each of them reports.
// They are a public interface: the meaning of a code never changes.
import { assertNever } from '../../src-shared/assert.ts'
import type { FailureCode } from '../../src-shared/engine-contract.ts'

export const EXIT = {
  ok: 0,
  defect: 1,
  usage: 2,
  account: 3,
  someFailed: 4,
  waits: 5,
  noConnection: 6,
  notFound: 7,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/**
 * What each code means, in ascending order. For the manual page and docs/commands.md; `slipway --help` has
 * shorter texts.
 */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'all done',
  1: "an error on this computer: the disk is full or can't be written, the journal can't be opened, doctor found a problem, or an internal error",
  2: "invalid usage, or the data folder or one of its files can't be used",
  3: "key or address missing, key invalid, the keychain can't be read, or the plan doesn't include the API",
  4: 'some files failed, are held, or were named but have no link',
  5: 'something is still waiting: for a limit, a pause, a drive, a file that keeps changing, or the outcome of a deletion',
  6: 'no connection, or no usable response from the service',
  7: 'not found, or not readable',
  130: 'interrupted; the next run continues',
}

export function exitCodeOf(code: FailureCode): ExitCode {
  switch (code) {
    case 'usage':
      return EXIT.usage
    case 'no-key':
    case 'key-refused':
    case 'no-api':
    // A key that can't be read from the keychain counts as missing.
    case 'keychain':
      return EXIT.account
    case 'no-connection':
    // The service responded with an error, or something else, such as a proxy, responded instead. The user
    // can only try again later.
    case 'server':
      return EXIT.noConnection
    case 'not-found':
    case 'unreadable':
      return EXIT.notFound
    case 'waits':
      return EXIT.waits
    case 'closing':
      return EXIT.interrupted
    case 'disk':
    case 'journal-unusable':
    case 'clipboard':
    case 'defect':
      return EXIT.defect
    default:
      return assertNever(code)
  }
}
