// Entry point of the installed command line, an executable that contains Node 24 and this program. Unlike
// main.ts, it doesn't look for a newer Node. The build output is CommonJS, so top-level await isn't
// available.
import '../platform/disk/no-asar.ts'
import { isKeychainCall, serveKeychainCall } from '../platform/account/keychain.ts'
import { hardenCommand } from '../platform/hardening.ts'

hardenCommand()
if (isKeychainCall()) void serveKeychainCall()
else void import('./run.ts').then(({ run }) => run())
