// A keychain for a spec on Linux: a D-Bus session with an unlocked, empty Secret Service. On other systems the keychain is the user's own
// and isn't touched.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const SESSION = join(import.meta.dirname, '../keyring-session.sh')

interface KeyringSession {
  readonly env: Readonly<Record<string, string>>
  end(): Promise<void>
}

/** Starts a D-Bus session with an unlocked, empty keyring, which exists until `end`. */
export async function keyringSession(): Promise<KeyringSession> {
  for (const program of ['dbus-run-session', 'gnome-keyring-daemon'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
      throw new Error(`${program} is missing: apt-get install gnome-keyring dbus`)
  const child = spawn(SESSION, ['sh', '-c', 'env; echo READY; cat >/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] },
  })
  let told = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    told += String(text)
    if (told.includes('READY\n')) break
  }
  const named = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(told)?.[1] ?? ''
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: named('DBUS_SESSION_BUS_ADDRESS'), XDG_RUNTIME_DIR: named('XDG_RUNTIME_DIR') },
    end: async () => {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}
