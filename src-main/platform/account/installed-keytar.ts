// Replaces `keytar` in the installed command line. An executable can't contain a native module, so this loads the package from node_modules
// beside the executable or in a parent folder. In the app's packages, it is the same copy that the app uses.
import { createRequire } from 'node:module'

const require = createRequire(process.execPath)
export const { AsyncEntry } = require('keytar') as typeof import('keytar')
