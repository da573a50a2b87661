// The client of the session bus with the test's own bus, which encodes messages independently, and with the
// system's real one, so that both can be trusted. Slipway uses the client to find out whether a desktop shows
// trays.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Argument } from '../../../src-main/platform/bus/message.ts'
import { busPaths, SessionBus } from '../../../src-main/platform/bus/session-bus.ts'
import { LinuxTrayHost } from '../../../src-main/shell/tray/tray-presence.ts'
import { type BusState, type FakeSessionBus, serveSessionBus } from '../../desktop/session-bus.ts'

const closing: { close(): void }[] = []
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

async function serve(tray: BusState): Promise<FakeSessionBus> {
  const bus = await serveSessionBus(tray)
  closing.push(bus)
  return bus
}

function hostOn(address: string): LinuxTrayHost {
  const host = new LinuxTrayHost({ DBUS_SESSION_BUS_ADDRESS: address })
  closing.push(host)
  return host
}

/** A socket that handles each connection as specified. */
async function oddBus(onConnection: (socket: Socket) => void): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-bus-'))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  server.listen(join(dir, 'bus'))
  await once(server, 'listening')
  closing.push({
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      rmSync(dir, { recursive: true, force: true })
    },
  })
  return `unix:path=${join(dir, 'bus')}`
}

describe('the address of the bus', () => {
  it.each([
    [{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus' }, ['/run/user/1000/bus']],
    [{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/tmp/a%20b,guid=00ff' }, ['/tmp/a b']],
    [{ DBUS_SESSION_BUS_ADDRESS: 'unix:guid=00ff,path=/tmp/x' }, ['/tmp/x']],
    [
      { DBUS_SESSION_BUS_ADDRESS: 'tcp:host=h;unix:abstract=/tmp/dbus-1;unix:path=/tmp/2' },
      ['\0/tmp/dbus-1', '/tmp/2'],
    ],
    [{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=%zz' }, []],
    [{ XDG_RUNTIME_DIR: '/run/user/7' }, ['/run/user/7/bus']],
    [{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/tmp/x', XDG_RUNTIME_DIR: '/run/user/7' }, ['/tmp/x']],
    [{}, []],
  ])('in %o is %o', (env, paths) => {
    expect(busPaths(env)).toEqual(paths)
  })
})

// Other systems have no such bus.
describe.runIf(process.platform === 'linux')('a tray', () => {
  it.each([
    ['none', false],
    ['watcher', false],
    ['silent', false],
    ['host', true],
  ] as const)('of the kind %s is there: %s', async (tray, isThere) => {
    const host = hostOn((await serve(tray)).address)
    expect(await host.within(isThere ? 10_000 : 300)).toBe(isThere)
    expect(host.isThere).toBe(isThere)
  })

  it('is noticed when it comes and when it goes', async () => {
    const bus = await serve('none')
    const host = hostOn(bus.address)
    const changed = vi.fn()
    host.onChange(changed)
    expect(await host.within(300)).toBe(false)
    bus.setTray('host')
    await expect.poll(() => host.isThere).toBe(true)
    bus.setTray('none')
    await expect.poll(() => host.isThere).toBe(false)
    expect(changed).toHaveBeenCalledTimes(2)
  })

  it('is gone with its bus', async () => {
    const bus = await serve('host')
    const host = hostOn(bus.address)
    expect(await host.within(10_000)).toBe(true)
    bus.close()
    await expect.poll(() => host.isThere).toBe(false)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['refuses', (socket) => socket.on('data', () => socket.write('REJECTED EXTERNAL\r\n'))],
    ['hangs up', (socket) => socket.end()],
    [
      'speaks nonsense',
      (socket) => socket.once('data', () => socket.write(`OK 00\r\n${'\u00ff'.repeat(64)}`)),
    ],
    [
      'never ends a message',
      (socket) =>
        socket.once('data', () =>
          socket.write(Buffer.concat([Buffer.from('OK 00\r\nl'), Buffer.alloc(15, 0x7f)])),
        ),
    ],
  ])('is not there where the bus %s', async (_what, onConnection) => {
    expect(await hostOn(await oddBus(onConnection)).within(300)).toBe(false)
  })

  it('is not there where no bus answers', async () => {
    expect(
      await SessionBus.open({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' }, vi.fn(), vi.fn()),
    ).toBeNull()
    expect(await SessionBus.open({}, vi.fn(), vi.fn())).toBeNull()
  })
})

it.runIf(process.platform === 'linux')(
  'the test’s own bus takes calls with values of every type',
  async () => {
    const bus = await serve('none')
    const client = await SessionBus.open({ DBUS_SESSION_BUS_ADDRESS: bus.address }, vi.fn(), vi.fn())
    closing.push({ close: () => client?.close() })
    const picture = {
      type: '(iiba(sv)ay)',
      value: [2, 1, true, [['depth', { type: 'u', value: 8 }]], [255, 0]],
    }
    const notify = (title: string, hints: Argument) =>
      client?.call({
        destination: 'org.freedesktop.Notifications',
        path: '/org/freedesktop/Notifications',
        interface: 'org.freedesktop.Notifications',
        member: 'Notify',
        signature: 'susssasa{sv}i',
        args: ['Slipway', 0, '', title, '', [], hints, 7],
      })
    const urgency: Argument = ['urgency', { type: 'y', value: 1 }]
    // Titles of different lengths, so that what follows has to be aligned by any number of bytes.
    for (const [length, hints] of [0, 1, 2, 3, 4, 5, 6, 7].flatMap(
      (n) =>
        [
          [n, [['image-data', picture], urgency]],
          [n, []],
        ] as const,
    ))
      expect(await notify('x'.repeat(length), hints)).toEqual([bus.notifications.shown.length])
    expect(bus.notifications.shown.slice(-2).map((one) => one.hints)).toEqual([
      { 'image-data': [2, 1, true, [['depth', 8]], [255, 0]], urgency: 1 },
      {},
    ])
  },
)
