// Provides the entry file of the engine thread, and the operations that the thread may request from the main thread: keychain calls in a
// separate process, the system's proxy, and proxy logins. The engine thread can't load anything from the app's archive (no-asar.ts), so its
// entry file is stored outside the archive.
import { pathToFileURL } from 'node:url'
import type { ProxyLoginSource } from '../../api/types.ts'
import type { CallOutside } from '../../platform/account/keychain.ts'
import { keychainUtilityProcess } from '../engine/keychain-process.ts'
import type { MainThreadOps } from '../engine/protocol.ts'
import { systemSession, unpackedPath } from '../window/window.ts'

const ENGINE_FILE = unpackedPath('main', 'engine.js')

export const ENGINE_ENTRY = pathToFileURL(ENGINE_FILE)

/** Runs a keychain call in a separate process. Use only after the app is ready. */
export const callKeychain: CallOutside = keychainUtilityProcess(ENGINE_FILE)

export function createMainOps(logins: ProxyLoginSource): MainThreadOps {
  return {
    keychain: ({ request, ms }) => callKeychain(request, ms),
    systemProxy: ({ url }) => systemSession().resolveProxy(url),
    findProxyLogin: ({ proxy }) => logins.find(proxy),
    proxyLoginRefused: async ({ proxy, login }) => {
      logins.refused(proxy, login)
      return null
    },
  }
}
