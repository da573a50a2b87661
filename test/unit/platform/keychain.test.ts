// The keychain port with a real Secret Service in a separate session, without one, and with one that never
// answers.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { keychainFailure, keychainLimit, noResponse } from '../../../src-main/platform/account/keychain.ts'
import { itNeeding } from '../../tools/needing.ts'
import { ROOT } from '../../tools/tree.ts'
import { ROUND } from './keychain-round.ts'

const run = promisify(execFile)
const NODE = process.execPath
const SESSION = join(ROOT, 'test/keyring-session.sh')
const PROGRAM = join(import.meta.dirname, 'keychain-program.ts')

describe('an error of the library', () => {
  it.each([
    [
      'timeout',
      'Platform failure: DBus error: Did not receive a reply. Possible causes include: the remote application did not send a reply, the message bus security policy blocked the reply, the reply timeout expired, or the network connection was broken.',
    ],
    [
      'timeout',
      'Platform failure: DBus error: Message recipient disconnected from message bus without replying',
    ],
    [
      'timeout',
      "Platform failure: DBus error: Failed to activate service 'org.freedesktop.secrets': timed out (service_start_timeout=120000ms)",
    ],
    [
      'missing',
      'Platform failure: DBus error: Failed to connect to socket /run/user/1000/bus: Permission denied',
    ],
    [
      'missing',
      'Platform failure: DBus error: Failed to connect to socket /run/user/1000/bus: No such file or directory',
    ],
    [
      'missing',
      'Platform failure: DBus error: Failed to connect to socket /tmp/dbus-kJ2: Connection refused',
    ],
    [
      'missing',
      'Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled at compile time, set your DBUS_SESSION_BUS_ADDRESS instead',
    ],
    ['missing', 'Platform failure: DBus error: Address does not contain a colon'],
    ['missing', 'Platform failure: zbus error: I/O error: Permission denied (os error 13)'],
    [
      'missing',
      'Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files',
    ],
    ['missing', 'Platform failure: DBus error: The name is not activatable'],
    ['missing', 'Platform failure: DBus error: Process org.freedesktop.secrets exited with status 1'],
    [
      'missing',
      'Platform failure: zbus error: org.freedesktop.DBus.Error.ServiceUnknown: The name org.freedesktop.secrets was not provided by any .service files',
    ],
    [
      'missing',
      'Platform failure: D-Bus error: Object does not exist at path “/org/freedesktop/secrets/collection/login”',
    ],
    ['missing', "Couldn't access platform storage: Secret Service: no result found"],
    ['missing', "Couldn't access platform storage: No DBus session or Secret Service provider found"],
    ['missing', "Cannot find module '@napi-rs/keyring-linux-x64-gnu'"],
    ['missing', 'libdbus-1.so.3: cannot open shared object file: No such file or directory'],
    ['missing', "Couldn't access platform storage: A default keychain could not be found."],
    ['missing', "Couldn't access platform storage: Windows ERROR_NO_SUCH_LOGON_SESSION"],
    [
      'missing',
      "Couldn't access platform storage: A specified logon session does not exist. It may already have been terminated.",
    ],
    ['locked', "Couldn't access platform storage: Secret Service: unlock prompt was dismissed"],
    ['locked', "Couldn't access platform storage: Secret Service: object locked"],
    ['locked', 'Platform failure: DBus error: Cannot create an item in a locked collection'],
    ['locked', 'org.freedesktop.Secret.Error.IsLocked'],
    ['locked', 'Platform failure: User interaction is not allowed.'],
    ['locked', 'Platform failure: User canceled the operation.'],
    [
      'denied',
      'Platform failure: DBus error: An AppArmor policy prevents this sender from sending this message to this recipient; type="method_call", interface="org.freedesktop.Secret.Service" member="OpenSession" destination="org.freedesktop.secrets"',
    ],
    [
      'denied',
      'Platform failure: DBus error: Rejected send message, 2 matched rules; type="method_call", interface="org.freedesktop.Secret.Service" member="OpenSession"',
    ],
    ['denied', 'Platform failure: The user name or passphrase you entered is not correct.'],
    ['denied', "Platform failure: A required entitlement isn't present."],
    ['denied', 'Platform failure: Access is denied.'],
    ['other', 'something else'],
  ] as const)('is classified as %s: %s', (code, text) => {
    expect(keychainFailure(text).code).toBe(code)
  })
})

it.each([
  ['linux', 10_000, /Unlock or restart it/],
  ['win32', 10_000, /Unlock or restart it/],
  ['darwin', 60_000, /If macOS asks whether Slipway may use it, allow it/],
] as const)('on %s, a call may take %i ms', (platform, ms, message) => {
  expect(keychainLimit(platform)).toBe(ms)
  expect(noResponse(platform)).toMatchObject({ code: 'timeout', message: expect.stringMatching(message) })
})

describe.runIf(process.platform === 'linux')('keychain', () => {
  itNeeding('keyring', 'keeps, overwrites, reads and removes a key in the Secret Service', async () => {
    const { stdout } = await run(SESSION, [NODE, PROGRAM], {
      env: { PATH: process.env['PATH'], KEYCHAIN_DO: 'round' },
    })
    expect(JSON.parse(stdout)).toEqual(ROUND)
  })

  itNeeding('keyring', "stands in the keychain's own program under a name that a person knows", () => {
    const script = `"${NODE}" "${PROGRAM}" >/dev/null; secret-tool search --all service Slipway 2>&1`
    const out = execFileSync(SESSION, ['sh', '-c', script], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], KEYCHAIN_DO: 'keep' },
    })
    expect(out).toContain('must-go-nowhere')
    expect(out).toContain('files.example.test')
  })

  it('says that there is none, and puts the key nowhere else', async () => {
    const home = mkdtempSync(join(tmpdir(), 'slipway-nobus-'))
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${home}/nothing`,
    }
    const { stdout } = await run(NODE, [PROGRAM], { env })
    const report = JSON.parse(stdout) as { ok: boolean; failure: { code: string; message: string } }[]
    expect(report.map((r) => r.ok)).toEqual([false, false])
    expect(report[0]?.failure.code).toBe('missing')
    expect(report[0]?.failure.message).toContain('SLIPWAY_API_KEY')
    expect(stdout).not.toContain('must-go-nowhere')
    // A fallback would have stored it in the kernel's key ring.
    const keys = spawnSync('sh', ['-c', 'cat /proc/keys 2>/dev/null || true'], { encoding: 'utf8' }).stdout
    expect(keys).not.toContain('Slipway')
    rmSync(home, { recursive: true, force: true })
  })

  it('gives up on a keychain that never answers', async () => {
    const home = mkdtempSync(join(tmpdir(), 'slipway-hung-'))
    const path = join(home, 'bus')
    const sockets = new Set<{ destroy(): void }>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => {
      server.listen(path, resolve)
    })
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
      KEYCHAIN_TIMEOUT: '500',
    }
    const { stdout } = await run(NODE, [PROGRAM], { env })
    const report = JSON.parse(stdout) as { ok: boolean; failure: { code: string } }[]
    expect(report[0]?.failure.code).toBe('timeout')
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(home, { recursive: true, force: true })
  })
})
