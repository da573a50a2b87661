// Entry of the app: one instance, its window, tray and menu around the engine's thread. It puts the rooms together and decides nothing that
// a test would want to see alone. Nothing waits for `ready` at the top level: it comes only after this module has been evaluated.
import { app } from 'electron'
import { takeEnvironment } from '../platform/identity.ts'
import { run } from './app/run.ts'
import { registerScheme } from './window/page-protocol.ts'

// Out of the environment before anything else is started that could inherit it.
const taken = takeEnvironment(process.env)
app.enableSandbox()
registerScheme()
run(taken)
