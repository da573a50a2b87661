// Entry point of the process that makes a keychain call, when Slipway runs from source. A built program starts itself instead.
import { serveKeychainCall } from './keychain.ts'

void serveKeychainCall()
