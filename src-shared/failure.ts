// The failures that calls of the engine's contract return.
import { z } from 'zod/mini'

export const FailureCode = z.enum([
  'usage',
  'no-key',
  'key-refused',
  'no-api',
  'no-connection',
  'not-found',
  'unreadable',
  'waits',
  'disk',
  'journal-unusable',
  'keychain',
  'clipboard',
  'server',
  'closing',
  'defect',
])
/**
 * Why a folder can't be watched: a policy forbids it, the folder belongs to Slipway itself, the path isn't a
 * folder, the user can't read the folder, or the user has ended the watch that a command wants to continue.
 */
export const FolderRefusal = z.enum([
  'forbidden',
  'own-data',
  'not-a-folder',
  'unreadable',
  'unwatched',
  /** The folder to which uploaded files would move doesn't exist. */
  'target-missing',
  /** It is in a watched folder, or belongs to Slipway. */
  'target-refused',
  /** Another watched folder moves its files into this one. */
  'is-target',
])
export type FolderRefusal = z.infer<typeof FolderRefusal>
/** Clipboard content that exceeds the size limit for pasting. */
const TooLarge = z.object({ what: z.enum(['picture', 'text']), bytes: z.number() })
/**
 * An error. `title` says what happened and `hint` what the user can do, both in English. `refusal`,
 * `tooLarge` and `status` (of an HTTP response) are more precise than `code`, so that the window can name the
 * reason in its language.
 */
export const Failure = z.object({
  code: FailureCode,
  title: z.string(),
  hint: z.nullable(z.string()),
  refusal: z.optional(FolderRefusal),
  tooLarge: z.optional(TooLarge),
  status: z.optional(z.number()),
})
export type FailureCode = z.infer<typeof FailureCode>
export type Failure = z.infer<typeof Failure>
