// The exit codes of the command line, as scripts rely on them, and which of them a failure becomes.
// A code is part of the public face: it never changes its meaning.
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
    // Without a keychain there is no key to work with.
    case 'keychain':
      return EXIT.account
    case 'no-connection':
    // Somebody answers, but not as the service does: nothing can be done with it now.
    case 'server':
      return EXIT.noConnection
    case 'not-found':
      return EXIT.notFound
    case 'waits':
      return EXIT.waits
    case 'closing':
      return EXIT.interrupted
    case 'disk':
    case 'defect':
      return EXIT.defect
    default:
      return assertNever(code)
  }
}
