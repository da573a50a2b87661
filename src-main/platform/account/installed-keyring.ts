// Replaces @napi-rs/keyring in the installed command line. An executable can't contain a native module, so
// this module loads the package from node_modules beside the executable or in a parent folder.
import { createRequire } from 'node:module'

const require = createRequire(process.execPath)
export const { AsyncEntry } = require('@napi-rs/keyring') as typeof import('@napi-rs/keyring')
