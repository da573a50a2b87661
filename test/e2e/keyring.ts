// A keychain for a spec on Linux: a D-Bus session with an unlocked, empty Secret Service. On other systems
// the keychain is the user's own and isn't touched.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { has, lacks } from '../tools/needs.ts'

const SESSION = join(import.meta.dirname, '../keyring-session.sh')

interface KeyringSession {
  readonly env: Readonly<Record<string, string>>
  end(): Promise<void>
}

/**
 * Starts a D-Bus session with an unlocked, empty keyring, which exists until `end`. Skips the spec where the
 * system has no keyring.
 */
export async function keyringSession(): Promise<KeyringSession> {
  test.skip(!has('keyring'), lacks(['keyring']))
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
    env: {
      DBUS_SESSION_BUS_ADDRESS: named('DBUS_SESSION_BUS_ADDRESS'),
      XDG_RUNTIME_DIR: named('XDG_RUNTIME_DIR'),
    },
    end: async () => {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}
