// Entry point of the utility process that answers one keychain call. A file of its own beside main.js, because
// loading the engine's takes a fifth of a second of CPU, which each call would pay.
import { answerKeychainCall } from '../../platform/account/keychain.ts'

const port = process.parentPort
port.once('message', ({ data }) => void answerKeychainCall(data).then((answer) => port.postMessage(answer)))
