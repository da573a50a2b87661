// The start-up data of an engine thread, and the operations it may request from the main thread: the keychain, in a process of its own, and
// the system's proxy. A thread can't load anything from the app's archive (no-asar.ts), so the engine's file and the keychain module lie
// beside it.
import { pathToFileURL } from 'node:url'
import { session } from 'electron'
import { keychainUtilityProcess } from '../engine/keychain-process.ts'
import type { MainThreadOps } from '../engine/protocol.ts'
import { unpackedPath } from '../window/window.ts'

const ENGINE_FILE = unpackedPath('main', 'engine.js')

export const ENGINE_ENTRY = pathToFileURL(ENGINE_FILE)

export function createMainOps(): MainThreadOps {
  const callKeychain = keychainUtilityProcess(ENGINE_FILE)
  return {
    keychain: ({ request, ms }) => callKeychain(request, ms),
    systemProxy: ({ url }) => session.defaultSession.resolveProxy(url),
  }
}
