// Runs keychain calls in a utility process, because a packaged app can't be started as plain Node. Unlike a thread, a process that hangs
// can be killed. The request is sent as a message, so no secret appears in arguments or the environment.
import { type UtilityProcess, utilityProcess } from 'electron'
import type { CallOutside, KeychainAnswer } from '../../platform/account/keychain.ts'

const ENDED: KeychainAnswer = { ok: false, error: 'the keychain process ended without an answer' }

/** `entry` is the path of the built thread.ts, which handles the call in the utility process. Call only after the app is ready. */
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
