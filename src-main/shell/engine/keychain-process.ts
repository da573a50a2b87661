// Runs keychain calls in a utility process, which is Electron's kind of Node process: a packaged app can't be started as plain Node. A process
// that hangs is killed; a thread could not be. The request travels as a message, so no secret is in arguments or the environment.
import { type UtilityProcess, utilityProcess } from 'electron'
import type { CallOutside, KeychainAnswer } from '../../platform/account/keychain.ts'

const ENDED: KeychainAnswer = { ok: false, error: 'the keychain process ended without an answer' }

/** `entry`: the path of thread.ts as built, which answers in a utility process. Call only after `ready`. */
export function keychainUtilityProcess(entry: string): CallOutside {
  return async (request, ms) => {
    let child: UtilityProcess
    try {
      child = utilityProcess.fork(entry, [], { serviceName: 'Slipway keychain', stdio: 'ignore' })
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
}
