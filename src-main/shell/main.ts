// Entry point of the app. Nothing at the top level may await the `ready` event, because Electron emits it
// only after this module has been evaluated.
import { app } from 'electron'
import { takeEnvironment } from '../platform/account/key-and-address.ts'
import { hardenProcess } from '../platform/hardening.ts'
import { cannotStart } from './app/cannot-start.ts'
import { Defects } from './app/defects.ts'
import { takePassedKey } from './app/passed-key.ts'
import { run } from './app/run.ts'
import { avoidSilentBuses } from './app/silent-buses.ts'
import { registerScheme } from './window/page-protocol.ts'

const defects = new Defects(
  (message) => cannotStart('Slipway can’t start', message),
  () => performance.now(),
)
process.on('uncaughtException', (error) => defects.thrown(error))
process.on('unhandledRejection', (reason) => defects.rejected(reason))

const ignored = hardenProcess()
// Electron goes on to start natively, and to connect to the buses, after this module.
const silentBuses = avoidSilentBuses()
// Remove the API key from the environment before starting anything that could inherit it.
const passed = takePassedKey(process.env)
const given = takeEnvironment(process.env)
const taken = { ...given, apiKey: passed ?? given.apiKey }
// Check for `--no-sandbox` before calling `enableSandbox`, which removes the switch.
const hasSandbox = !app.commandLine.hasSwitch('no-sandbox')
// Chromium would keep a key for cookies in the keyring, and a keyring that hangs would leave the window blank.
app.commandLine.appendSwitch('password-store', 'basic')
app.enableSandbox()
registerScheme()
run({ taken, isKeyInherited: given.apiKey !== null, hasSandbox, ignored, silentBuses, defects })
