// Locates this program's own code for the process that makes a keychain call. The program may run from
// source, from the one-file build, or from the installed executable, which contains Node and the code (Node's
// "single executable application") but no script file.
import { isSea } from 'node:sea'

/** The script for a keychain call; null if the executable contains it. */
export function keychainEntry(): URL | null {
  if (isSea()) return null
  return import.meta.url.endsWith('.ts')
    ? new URL('../platform/account/keychain-main.ts', import.meta.url)
    : new URL(import.meta.url)
}
