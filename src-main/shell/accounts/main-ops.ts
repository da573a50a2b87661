// Provides the entry file of the engine thread, and the operations that the thread may request from the main
// thread: keychain calls in a separate process, the system's bin and proxy, and proxy logins. The engine thread can't
// load anything from the app's archive (no-asar.ts), so its entry file is stored outside the archive.
import { pathToFileURL } from 'node:url'
import { shell, type UtilityProcess, utilityProcess } from 'electron'
import type { ProxyLoginSource } from '../../api/types.ts'
import type { CallOutside, KeychainAnswer } from '../../platform/account/keychain.ts'
import type { MainThreadOps } from '../engine/protocol.ts'
import { systemSession, unpackedPath } from '../window/window.ts'

export const ENGINE_ENTRY = pathToFileURL(unpackedPath('main', 'engine.js'))

// Runs keychain calls in a utility process, because a packaged app can't be started as plain Node. Unlike a
// thread, a process that hangs can be killed. The request is sent as a message, so no secret appears in
// arguments or the environment.
const KEYCHAIN_FILE = unpackedPath('main', 'keychain.js')
const ENDED: KeychainAnswer = { ok: false, error: 'the keychain process ended without an answer' }

export function createMainOps(logins: ProxyLoginSource): MainThreadOps {
  return {
    keychain: ({ request, ms }) => callKeychain(request, ms),
    systemProxy: ({ url }) => systemSession().resolveProxy(url),
    findProxyLogin: ({ proxy }) => logins.find(proxy),
    trash: async ({ path }) => {
      await shell.trashItem(path)
      return true
    },
    proxyLoginRefused: async ({ proxy, login }) => {
      logins.refused(proxy, login)
      return null
    },
  }
}

/** Runs a keychain call in a separate process. Use only after the app is ready. */
export const callKeychain: CallOutside = async (request, ms) => {
  let child: UtilityProcess
  try {
    child = utilityProcess.fork(KEYCHAIN_FILE, [], { serviceName: 'Slipway keychain', stdio: 'ignore' })
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
  return new Promise((resolve) => {
    const end = (answer: KeychainAnswer | null): void => {
      clearTimeout(timer)
      resolve(answer)
      child.kill()
    }
    const timer = setTimeout(() => end(null), ms)
    child.once('message', (answer: KeychainAnswer) => end(answer))
    child.once('exit', () => end(ENDED))
    child.postMessage(request)
  })
}
