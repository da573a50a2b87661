// A D-Bus session bus for one run. It completes the handshake, knows whether there is a tray, and provides no
// other service. Signals go to every client. It encodes messages independently, so that it doesn't repeat a
// bug in the app's encoder.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The state of the tray. A StatusNotifierWatcher without a registered host shows nothing. `silent`: the bus
 * accepts connections but never answers, so a process that queries the keychain hangs in native code.
 */
export type BusState = 'none' | 'watcher' | 'host' | 'silent'

export interface FakeSessionBus {
  /** The value for `DBUS_SESSION_BUS_ADDRESS`. */
  readonly address: string
  setTray(state: BusState): void
  /** The number of connections so far. */
  connections(): number
  close(): void
}

const WATCHER = 'org.kde.StatusNotifierWatcher'
const BUS = 'org.freedesktop.DBus'

type Value =
  | { readonly type: 's' | 'g' | 'o'; readonly text: string }
  | { readonly type: 'b' | 'u'; readonly number: number }
const text = (value: string): Value => ({ type: 's', text: value })
const bool = (value: boolean): Value => ({ type: 'b', number: value ? 1 : 0 })

const u32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(n)
  return bytes
}
const pad = (bytes: Buffer, to: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])

function add(bytes: Buffer, value: Value): Buffer {
  if ('number' in value) return Buffer.concat([pad(bytes, 4), u32(value.number)])
  const content = Buffer.from(`${value.text}\0`)
  const length = content.length - 1
  return value.type === 'g'
    ? Buffer.concat([bytes, Buffer.from([length]), content])
    : Buffer.concat([pad(bytes, 4), u32(length), content])
}

function message(
  type: 2 | 3 | 4,
  fields: readonly (readonly [number, Value])[],
  signature: string,
  body: Buffer,
  serial: number,
): Buffer {
  let array: Buffer = Buffer.alloc(0)
  for (const [code, value] of [
    ...fields,
    ...(signature === '' ? [] : [[8, { type: 'g', text: signature }] as const]),
  ]) {
    array = Buffer.concat([pad(array, 8), Buffer.from([code, 1]), Buffer.from(`${value.type}\0`)])
    array = add(array, value)
  }
  return Buffer.concat([
    pad(
      Buffer.concat([
        Buffer.from([0x6c, type, 1, 1]),
        u32(body.length),
        u32(serial),
        u32(array.length),
        array,
      ]),
      8,
    ),
    body,
  ])
}

interface Call {
  readonly serial: number
  readonly destination: string
  readonly member: string
  readonly args: readonly string[]
}

/** Only string arguments are read. */
function readCall(bytes: Buffer): Call {
  const fieldsEnd = 16 + bytes.readUInt32LE(12)
  const fields = new Map<number, string>()
  let at = 16
  while (at < fieldsEnd) {
    at = Math.ceil(at / 8) * 8
    const code = bytes.readUInt8(at)
    const type = bytes.toString('latin1', at + 2, at + 3)
    at += 4
    if (type === 'g') {
      const length = bytes.readUInt8(at)
      fields.set(code, bytes.toString('utf8', at + 1, at + 1 + length))
      at += length + 2
    } else {
      at = Math.ceil(at / 4) * 4
      const length = bytes.readUInt32LE(at)
      if (type === 's' || type === 'o') fields.set(code, bytes.toString('utf8', at + 4, at + 4 + length))
      at += type === 's' || type === 'o' ? length + 5 : 4
    }
  }
  const args: string[] = []
  let body = Math.ceil(fieldsEnd / 8) * 8
  for (const type of fields.get(8) ?? '') {
    if (type !== 's') break
    body = Math.ceil(body / 4) * 4
    const length = bytes.readUInt32LE(body)
    args.push(bytes.toString('utf8', body + 4, body + 4 + length))
    body += length + 5
  }
  return {
    serial: bytes.readUInt32LE(8),
    destination: fields.get(6) ?? '',
    member: fields.get(3) ?? '',
    args,
  }
}

/** Rejects if this system can't listen on a socket in its folder for temporary files. */
export async function serveSessionBus(initial: BusState): Promise<FakeSessionBus> {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-bus-'))
  const path = join(dir, 'bus')
  const clients = new Set<Socket>()
  let tray = initial
  let serial = 0
  let names = 0
  let connections = 0

  const answer = (socket: Socket, call: Call): void => {
    const reply = (signature: string, body: Buffer, type: 2 | 3 = 2, error = ''): void => {
      const fields: [number, Value][] = [[5, { type: 'u', number: call.serial }]]
      if (error !== '') fields.push([4, text(error)])
      socket.write(message(type, fields, signature, body, ++serial))
    }
    const none = Buffer.alloc(0)
    if (call.destination === BUS && call.member === 'Hello')
      return reply('s', add(none, text(`:1.${++names}`)))
    if (call.destination === BUS && call.member === 'NameHasOwner')
      return reply(
        'b',
        add(none, bool(call.args[0] === BUS || (call.args[0] === WATCHER && tray !== 'none'))),
      )
    if (call.destination === BUS && call.member === 'AddMatch') return reply('', none)
    if (call.destination === WATCHER && tray !== 'none' && call.args[1] === 'IsStatusNotifierHostRegistered')
      return reply('v', add(Buffer.from([1, 0x62, 0]), bool(tray === 'host')))
    reply('s', add(none, text('No such service')), 3, `${BUS}.Error.ServiceUnknown`)
  }

  const server = createServer((socket) => {
    let received: Buffer = Buffer.alloc(0)
    let begun = false
    connections++
    clients.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => clients.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      if (tray === 'silent') return
      received = Buffer.concat([received, chunk])
      while (!begun) {
        const end = received.indexOf('\r\n')
        if (end < 0) return
        const line = received.toString('latin1', 0, end).replace('\0', '')
        received = received.subarray(end + 2)
        if (line.startsWith('AUTH EXTERNAL')) socket.write('OK 00112233445566778899aabbccddeeff\r\n')
        else if (line === 'BEGIN') begun = true
        else socket.write('ERROR\r\n')
      }
      while (received.length >= 16) {
        const length = Math.ceil((16 + received.readUInt32LE(12)) / 8) * 8 + received.readUInt32LE(4)
        if (received.length < length) return
        answer(socket, readCall(received.subarray(0, length)))
        received = received.subarray(length)
      }
    })
  })
  await new Promise<void>((resolve, reject) => {
    // Windows listens on named pipes only, and no system on a path that is too long.
    server.once('error', reject).listen(path, resolve)
  })
  return {
    address: `unix:path=${path}`,
    setTray: (state) => {
      tray = state
      const fields: [number, Value][] = [
        [1, { type: 'o', text: '/org/freedesktop/DBus' }],
        [2, text(BUS)],
        [3, text('NameOwnerChanged')],
      ]
      const body = [WATCHER, '', ':1.99'].reduce(
        (bytes, one) => add(bytes, text(one)),
        Buffer.alloc(0) as Buffer,
      )
      for (const socket of clients) socket.write(message(4, fields, 'sss', body, ++serial))
    },
    connections: () => connections,
    close: () => {
      for (const socket of clients) socket.destroy()
      server.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
