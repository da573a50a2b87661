// Entry point of the child process that makes one keychain call. Used only when Slipway runs from source.
import { serveKeychainCall } from './keychain.ts'

void serveKeychainCall()
