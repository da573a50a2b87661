// The exit codes of the command line, and the failures that each of them reports.
// They are a public interface: the meaning of a code never changes.
import { assertNever } from '../../src-shared/assert.ts'
import type { FailureCode } from '../../src-shared/contract.ts'

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
    // The service responded with an error, or something else, such as a proxy, responded instead. The user can only try again later.
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
