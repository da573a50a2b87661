// The types of a parsed command line: a command with its options, an immediate answer such as help, or an
// error.
import type { WhichVersions } from '../../../src-shared/engine-contract.ts'
import type { LinkFormat } from '../../../src-shared/format.ts'
import type { Existing, OnChange } from '../../../src-shared/model.ts'
import type { SortField } from '../commands/ls.ts'

export interface Globals {
  readonly json: boolean
  /** The value of `--account NAME`; null if the option wasn't given. */
  readonly account: string | null
  readonly quiet: boolean
  readonly color: boolean
}

export type Invocation =
  | { readonly name: 'login'; readonly baseUrl: string | null; readonly allowHttp: boolean }
  | { readonly name: 'logout' }
  | { readonly name: 'status' | 'stats' | 'doctor' | 'resume' }
  /** `use` is the account to make the current one; null to change nothing. */
  | { readonly name: 'accounts'; readonly use: string | null }
  | { readonly name: 'pause'; readonly now: boolean }
  | {
      readonly name: 'upload'
      /** `-` means standard input. */
      readonly paths: readonly string[]
      readonly stdinName?: string
      readonly again: boolean
      readonly maxWaitMs: number
      readonly yes?: boolean
    }
  | {
      readonly name: 'watch'
      readonly folder: string
      readonly once: boolean
      readonly existing: Existing
      readonly onChange: OnChange
      readonly ignore: readonly string[]
      readonly maxWaitMs: number
      readonly changeRules: boolean
      readonly yes?: boolean
    }
  | {
      readonly name: 'ls'
      readonly search: string
      readonly sort: SortField
      readonly descending: boolean
      readonly limit: number
    }
  | { readonly name: 'info'; readonly selector: string }
  | { readonly name: 'link'; readonly selectors: readonly string[]; readonly formats: readonly LinkFormat[] }
  | {
      readonly name: 'rm'
      readonly selectors: readonly string[]
      readonly yes: boolean
      readonly which: WhichVersions
    }
  | { readonly name: 'plan'; readonly paths: readonly string[] }
  | { readonly name: 'audit'; readonly folder: string }
  | { readonly name: 'retry' | 'cancel'; readonly ids: readonly number[] }
  | { readonly name: 'release'; readonly ids: readonly number[]; readonly yes: boolean }
  | { readonly name: 'unwatch'; readonly folder: string }

export type Parsed =
  | { readonly kind: 'run'; readonly invocation: Invocation; readonly globals: Globals }
  /** Help, version or a completion script, for standard output. */
  | { readonly kind: 'answer'; readonly text: string }
  /** An error for standard error, with exit code 2. */
  | { readonly kind: 'wrong'; readonly message: string; readonly hint: string }
