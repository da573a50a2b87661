// A keyring session (keyring.ts) that can be made to respond late, as while a person types its password, or
// not at all, as while it starts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { busPaths } from '../../src-main/platform/bus/session-bus.ts'
import { HURRIED } from './hurry.ts'
import { keyringSession } from './keyring.ts'

export interface SlowKeyring {
  readonly env: Readonly<Record<string, string>>
  /** Whether a read that begins from now on waits. Those that wait are answered once it is false. */
  hang(isHanging: boolean): void
  /** Whether a read from now on fails after the time that the library waits for a reply. */
  stop(isStopped: boolean): void
  end(): Promise<void>
}

export async function slowKeyring(): Promise<SlowKeyring> {
  const session = await keyringSession()
  const bus = session.env['DBUS_SESSION_BUS_ADDRESS'] ?? ''
  const [path = ''] = busPaths(session.env)
  const dir = mkdtempSync(join(tmpdir(), 'slipway-slow-bus-'))
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let isHanging = false
  const server = createServer((client) => {
    const to = connect(path)
    for (const one of [client, to]) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        client.destroy()
        to.destroy()
      })
    }
    to.pipe(client)
    // Only the keyring is late: Slipway's own connections to the bus, which carry no files, go on. Before its
    // library has joined the bus, it waits without a time limit, as for a person who types a password.
    let held: Buffer[] | null = null
    client.on('data', (chunk: Buffer) => {
      if (held !== null) held.push(chunk)
      else if (isHanging && chunk.includes('NEGOTIATE_UNIX_FD')) {
        held = [chunk]
        waiting.push(() => {
          for (const one of held ?? []) to.write(one)
          held = null
        })
      } else to.write(chunk)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(join(dir, 'bus'), resolve)
  })
  const hang = (next: boolean): void => {
    isHanging = next
    if (!next) for (const go of waiting.splice(0)) go()
  }
  const stop = (isStopped: boolean): void =>
    void process.kill(secretService(bus), isStopped ? 'SIGSTOP' : 'SIGCONT')
  return {
    env: { ...session.env, ...HURRIED, DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(dir, 'bus')}` },
    hang,
    stop,
    end: async () => {
      stop(false)
      for (const one of sockets) one.destroy()
      server.close()
      await session.end()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The process ID of the keyring's daemon in the session with this bus. */
function secretService(bus: string): number {
  const found = readdirSync('/proc').find((pid) => {
    try {
      const isDaemon = readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('gnome-keyring')
      return (
        isDaemon &&
        readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DBUS_SESSION_BUS_ADDRESS=${bus}`)
      )
    } catch {
      // Not a process, one that has ended, or another user's.
      return false
    }
  })
  if (found === undefined) throw new Error('The keyring session has no daemon.')
  return Number(found)
}
