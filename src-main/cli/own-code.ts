// Where this program's own code is, for the threads and processes that it starts: the sources, the one-file build, or the installed
// executable, which holds Node and the code (Node's "single executable application") and has no script to name.
import { getAsset, isSea } from 'node:sea'
import type { WorkerEntry } from '../platform/worker/worker-roles.ts'

/** The name under which assets/packaging/program.ts puts the code into the executable, a second time, as text. */
export const CODE_ASSET = 'slipway.cjs'

/** What worker threads start. Run from source, they have an entry of their own; every build starts itself. */
export function workerEntry(): WorkerEntry {
  if (isSea()) return { code: getAsset(CODE_ASSET, 'utf8') }
  return import.meta.url.endsWith('.ts') ? new URL('../platform/worker/worker-main.ts', import.meta.url) : new URL(import.meta.url)
}

/** The script of the process that makes a keychain call, or null if the executable is the script. */
export function keychainEntry(): URL | null {
  const entry = workerEntry()
  return entry instanceof URL ? entry : null
}
