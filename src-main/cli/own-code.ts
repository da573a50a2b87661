// Locates this program's own code for the threads and processes that it starts. The program may run from source, from the one-file build,
// or from the installed executable, which contains Node and the code (Node's "single executable application") but no script file.
import { getAsset, isSea } from 'node:sea'
import type { WorkerEntry } from '../platform/worker/worker-roles.ts'

/** The name of the asset under which assets/packaging/program.ts embeds the code a second time, as text. */
export const CODE_ASSET = 'slipway.cjs'

/**
 * The code that worker threads start. From source it is a separate entry module; in the one-file build it is that file itself; in the
 * executable it is the embedded text.
 */
export function workerEntry(): WorkerEntry {
  if (isSea()) return { code: getAsset(CODE_ASSET, 'utf8') }
  return import.meta.url.endsWith('.ts') ? new URL('../platform/worker/worker-main.ts', import.meta.url) : new URL(import.meta.url)
}

/** The script for the process that makes a keychain call; null if the executable contains it. */
export function keychainEntry(): URL | null {
  const entry = workerEntry()
  return entry instanceof URL ? entry : null
}
