// What the window and the tray show about accounts: the current account's connection, including where its API
// key is stored, and the state of each account on this computer.
import { z } from 'zod/mini'

const count = z.int().check(z.nonnegative())

export const Connection = z.object({
  /** `host` or `host:port` of the service, or null if unknown. */
  host: z.nullable(z.string()),
  baseUrl: z.nullable(z.string()),
  /**
   * The account's name and its ID; null if no account is known yet. During a trial, the name is also null.
   */
  account: z.optional(z.nullable(z.string())),
  accountId: z.optional(z.nullable(z.string())),
  /**
   * Where the API key is kept, or null if there is none. `session`: in memory until Slipway quits.
   * `environment`: in SLIPWAY_API_KEY.
   */
  key: z.nullable(z.enum(['keychain', 'session', 'environment'])),
  /**
   * Set if `key` is null only because the keychain couldn't be read: it hasn't been read yet (`pending`), it
   * is locked or doesn't respond (`failed`), or no keychain is available at the moment (`missing`).
   */
  unread: z.optional(z.enum(['pending', 'failed', 'missing'])),
  /** Set during a trial, in which Slipway uploads to a service on this computer. */
  trial: z.optional(z.literal(true)),
})
export type Connection = z.infer<typeof Connection>

const AccountState = z.enum([
  'ok',
  'uploading',
  'waiting',
  'needs-you',
  'paused',
  'offline',
  'key-refused',
  'no-api',
  /** The engine couldn't be started, so the account's files wait. */
  'stopped',
  /** The keychain can't be read, so it isn't known whether the account has a key. Its files wait. */
  'key-unread',
  /** The account has no key, so its files wait. */
  'signed-out',
])

/**
 * An account on this computer. `stored`: the key in use comes from the environment, but the keychain also has
 * one, which signing out removes.
 */
export const AccountInfo = z.object({
  id: z.string(),
  name: z.string(),
  /** `host` or `host:port`, or null if unknown. */
  host: z.nullable(z.string()),
  /** Whether this is the account in the window. */
  shown: z.boolean(),
  key: Connection.shape.key,
  stored: z.optional(z.literal(true)),
  state: AccountState,
  /**
   * File counts. `open`: files that Slipway can finish without the user; `needs`: held or failed;
   * `uploading`: in progress.
   */
  open: count,
  needs: count,
  uploading: count,
  folders: count,
})
export type AccountInfo = z.infer<typeof AccountInfo>
