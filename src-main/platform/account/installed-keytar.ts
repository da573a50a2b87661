// Takes the place of `keytar` in the installed command line: an executable can't hold a native module, so the package is loaded from
// node_modules beside the executable or in a folder above it. In the app's packages it is the copy that the app uses.
import { createRequire } from 'node:module'

const require = createRequire(process.execPath)
export const { AsyncEntry } = require('keytar') as typeof import('keytar')
