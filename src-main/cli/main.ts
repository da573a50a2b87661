// Entry point of the command line, both from source and in the one-file build. Ensures the right version of
// Node first. The process that makes a keychain call also starts here, but doesn't load the rest of the
// program.
import './bootstrap.ts'
import '../platform/disk/no-asar.ts'
import { isKeychainCall, serveKeychainCall } from '../platform/account/keychain.ts'

if (isKeychainCall()) void serveKeychainCall()
else {
  const { run } = await import('./run.ts')
  await run()
}
