// In the place of `node:sqlite`, which an older Node lacks. The threads that use it run in a process of Node 24
// (threads.ts), where this is the real module; elsewhere there is none until somebody uses it.
import type { DatabaseSync as Database } from 'node:sqlite'

const sqlite = process.getBuiltinModule?.('node:sqlite') as
  | { readonly DatabaseSync: typeof Database }
  | undefined

export const DatabaseSync = sqlite?.DatabaseSync as typeof Database
