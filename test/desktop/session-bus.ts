// A D-Bus session bus for one run. It completes the handshake, knows whether there is a tray, and has a
// notification server that records what it was given. Signals go to every client. It encodes and decodes
// messages independently, so that it doesn't repeat a bug of the app.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The state of the tray. A StatusNotifierWatcher without a registered host shows nothing. `silent`: the bus
 * accepts connections but never answers. `hung-keychain`: a process that queries the keychain hangs in native
 * code.
 */
export type BusState = 'none' | 'watcher' | 'host' | 'silent' | 'hung-keychain'

/** `silent`: it gets the requests and never answers. */
export type FileManagerState = 'none' | 'there' | 'silent'

/** How a picture of the screen ends. */
export interface PortalAnswer {
  /** 0: the user took it; 1: they cancelled; 2: it failed. */
  readonly response: number
  /** The address of the file. */
  readonly uri?: string
  /** The sender and the object of the signal, if it is somebody else's. */
  readonly from?: string
  readonly of?: string
}

/** What a notification server was given. */
export interface FakeNotification {
  readonly id: number
  /** The ID that was to be replaced; 0 if none. */
  readonly replaces: number
  readonly app: string
  readonly icon: string
  readonly title: string
  readonly body: string
  /** Keys and labels. */
  readonly actions: readonly (readonly [string, string])[]
  readonly hints: Readonly<Record<string, unknown>>
}

export interface FakeNotifications {
  /** Every notification so far, in order, whether it is still open or not. */
  readonly shown: readonly FakeNotification[]
  /** The IDs that were to be closed. */
  readonly closed: readonly number[]
  /** How often the capabilities were asked for. */
  readonly asked: number
  capabilities: readonly string[]
  /** `gone`: there is no such server. `hung`: it takes calls, and answers them once it is `there`. */
  set(state: 'there' | 'hung' | 'gone'): void
  invoke(id: number, key: string, from?: string): void
  close(id: number, reason: number): void
  /** Sends bytes to every client as they are. */
  send(bytes: Buffer): void
}

export interface FakeSessionBus {
  /** The value for `DBUS_SESSION_BUS_ADDRESS`. */
  readonly address: string
  setTray(state: BusState): void
  readonly notifications: FakeNotifications
  /** The number of connections so far. */
  connections(): number
  setFileManager(state: FileManagerState): void
  /** The signals with which the portal for screenshots ends each picture; null: there is no portal. */
  setPortal(answers: readonly PortalAnswer[] | null): void
  /** The options of each picture that was asked for. */
  pictures(): readonly Readonly<Record<string, unknown>>[]
  /** The addresses of the files that the file manager was asked to show. */
  shownFiles(): readonly string[]
  close(): void
}

const WATCHER = 'org.kde.StatusNotifierWatcher'
const BUS = 'org.freedesktop.DBus'
const NOTIFICATIONS = 'org.freedesktop.Notifications'
const FILE_MANAGER = 'org.freedesktop.FileManager1'
const PORTAL = 'org.freedesktop.portal.Desktop'
const PORTAL_NAME = ':1.901'
/** The unique name of the notification server. */
export const SERVER_NAME = ':1.900'

type Value =
  | { readonly type: 's' | 'g' | 'o'; readonly text: string }
  | { readonly type: 'b' | 'u'; readonly number: number }
export const text = (value: string): Value => ({ type: 's', text: value })
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

/** A signal of the notification server, or of whoever `sender` is. */
export function notificationSignal(
  member: string,
  id: number,
  last: Value,
  sender: string,
  serial: number,
): Buffer {
  const fields = [
    [1, { type: 'o', text: '/org/freedesktop/Notifications' }],
    [2, text(NOTIFICATIONS)],
    [3, text(member)],
    [7, text(sender)],
  ] as const
  const body = add(add(Buffer.alloc(0), { type: 'u', number: id }), last)
  return message(4, fields, `u${last.type}`, body, serial)
}

function portalResponse(
  handle: string,
  { response, uri, from = PORTAL_NAME, of = handle }: PortalAnswer,
): Buffer {
  const fields = [
    [1, { type: 'o', text: of }],
    [2, text('org.freedesktop.portal.Request')],
    [3, text('Response')],
    [7, text(from)],
  ] as const
  // A dictionary with at most one entry, which begins at a multiple of 8.
  const entry =
    uri === undefined ? NONE : add(add(add(NONE, text('uri')), { type: 'g', text: 's' }), text(uri))
  return message(4, fields, 'ua{sv}', Buffer.concat([u32(response), u32(entry.length), entry]), 1)
}

/** An array of strings, as the only value of a body. */
function list(values: readonly string[]): Buffer {
  const items = values.reduce((bytes, one) => add(bytes, text(one)), Buffer.alloc(0) as Buffer)
  return Buffer.concat([u32(items.length), items])
}

function message(
  type: 1 | 2 | 3 | 4,
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
  readonly sender: string
  readonly destination: string
  readonly member: string
  readonly args: readonly unknown[]
}

/** The alignment of a type, which is also the size of a number. */
function alignmentOf(type: string): 1 | 2 | 4 | 8 {
  const first = type.charAt(0)
  if ('ygv'.includes(first)) return 1
  if ('nq'.includes(first)) return 2
  return 'xtd({'.includes(first) ? 8 : 4
}

/** Splits a signature into its complete types. */
function typesIn(signature: string): readonly string[] {
  const types: string[] = []
  let depth = 0
  let from = 0
  for (const [at, character] of [...signature].entries()) {
    if ('({'.includes(character)) depth++
    if (')}'.includes(character)) depth--
    if (depth > 0 || character === 'a') continue
    types.push(signature.slice(from, at + 1))
    from = at + 1
  }
  return types
}

/** Reads values of any type, because not only the app is on the bus, but also the libraries of its Electron. */
function readValues(bytes: Buffer, signature: string, from: number): readonly unknown[] {
  let at = from
  const align = (type: string): void => {
    at = Math.ceil(at / alignmentOf(type)) * alignmentOf(type)
  }
  const number = (type: string): number => {
    const size = alignmentOf(type)
    align(type)
    at += size
    return size === 8 ? Number(bytes.readBigUInt64LE(at - 8)) : bytes.readUIntLE(at - size, size)
  }
  const string = (lengthType: 'y' | 'u'): string => {
    const length = number(lengthType)
    at += length + 1
    return bytes.toString('utf8', at - length - 1, at - 1)
  }
  const read = (type: string): unknown => {
    switch (type.charAt(0)) {
      case 's':
      case 'o':
        return string('u')
      case 'g':
        return string('y')
      case 'v':
        return read(string('y'))
      case 'b':
        return number('u') === 1
      case '(':
      case '{':
        align(type)
        return typesIn(type.slice(1, -1)).map(read)
      case 'a': {
        const length = number('u')
        align(type.slice(1))
        const items: unknown[] = []
        for (const end = at + length; at < end; ) items.push(read(type.slice(1)))
        return type.startsWith('a{') ? Object.fromEntries(items as [string, unknown][]) : items
      }
      default:
        return number(type)
    }
  }
  return typesIn(signature).map(read)
}

function readCall(bytes: Buffer): Call {
  const [serial, header] = readValues(bytes, 'ua(yv)', 8) as [number, readonly [number, string][]]
  const fields = new Map(header)
  const bodyFrom = Math.ceil((16 + bytes.readUInt32LE(12)) / 8) * 8
  return {
    serial,
    sender: fields.get(7) ?? '',
    destination: fields.get(6) ?? '',
    member: fields.get(3) ?? '',
    args: readValues(bytes, fields.get(8) ?? '', bodyFrom),
  }
}

/** Answers a call with values of this signature, or with an error. */
type Reply = (signature: string, body: Buffer, error?: string) => void
const NONE = Buffer.alloc(0)

/** `send` sends a signal to every program on the bus. */
function createNotificationServer(send: (bytes: Buffer) => void): {
  readonly notifications: FakeNotifications
  readonly isGone: () => boolean
  readonly answer: (call: Call, reply: Reply) => void
} {
  let state: 'there' | 'hung' | 'gone' = 'there'
  let asked = 0
  let serial = 1000
  let late: (() => void)[] = []
  const shown: FakeNotification[] = []
  const closed: number[] = []
  const take = (args: readonly unknown[]): number => {
    const [app, replaces, icon, title, body, actions, hints] = args as unknown as [
      ...[string, number, string, string, string, readonly string[], Readonly<Record<string, unknown>>],
    ]
    const id = replaces === 0 ? 1 + Math.max(0, ...shown.map((one) => one.id)) : replaces
    const pairs = actions.flatMap((key, at): [string, string][] =>
      at % 2 === 0 ? [[key, actions[at + 1] ?? '']] : [],
    )
    shown.push({ id, replaces, app, icon, title, body, actions: pairs, hints })
    return id
  }
  const notifications: FakeNotifications = {
    shown,
    closed,
    get asked() {
      return asked
    },
    capabilities: ['actions', 'body', 'body-markup', 'persistence'],
    set: (next) => {
      const before = state
      state = next
      if (next === 'gone') send(ownerChanged(NOTIFICATIONS, SERVER_NAME, ''))
      if (before === 'gone') send(ownerChanged(NOTIFICATIONS, '', SERVER_NAME))
      if (next !== 'there') return
      for (const run of late) run()
      late = []
    },
    invoke: (id, key, from = SERVER_NAME) =>
      send(notificationSignal('ActionInvoked', id, text(key), from, ++serial)),
    close: (id, reason) =>
      send(
        notificationSignal('NotificationClosed', id, { type: 'u', number: reason }, SERVER_NAME, ++serial),
      ),
    send,
  }
  return {
    notifications,
    isGone: () => state === 'gone',
    answer: ({ member, args }, reply) => {
      if (member === 'GetCapabilities') asked++
      const id = member === 'Notify' ? take(args) : Number(args[0])
      if (member === 'CloseNotification') closed.push(id)
      const respond = (): void => {
        if (member === 'GetCapabilities') reply('as', list(notifications.capabilities))
        else if (member === 'Notify') reply('u', add(NONE, { type: 'u', number: id }))
        else {
          reply('', NONE)
          notifications.close(id, 3)
        }
      }
      if (state === 'hung') late.push(respond)
      else respond()
    },
  }
}

function ownerChanged(name: string, before: string, after: string): Buffer {
  const fields = [
    [1, { type: 'o', text: '/org/freedesktop/DBus' }],
    [2, text(BUS)],
    [3, text('NameOwnerChanged')],
    [7, text(BUS)],
  ] as const
  const body = [name, before, after].reduce((bytes, one) => add(bytes, text(one)), NONE as Buffer)
  return message(4, fields, 'sss', body, 1)
}

/** Calls `take` for each message of a connection, once `begin` has returned true for one of its first lines. */
function readMessages(
  socket: Socket,
  begin: (line: string) => boolean,
  take: (message: Buffer) => void,
): void {
  let received: Buffer = Buffer.alloc(0)
  let begun = false
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (!begun) {
      const end = received.indexOf('\r\n')
      if (end < 0) return
      const line = received.toString('latin1', 0, end).replace('\0', '')
      received = received.subarray(end + 2)
      begun = begin(line)
    }
    while (received.length >= 16) {
      const length = Math.ceil((16 + received.readUInt32LE(12)) / 8) * 8 + received.readUInt32LE(4)
      if (received.length < length) return
      take(received.subarray(0, length))
      received = received.subarray(length)
    }
  })
}

function replyTo(socket: Socket, call: Call, sender: string | null): Reply {
  return (signature, body, error) => {
    const fields: [number, Value][] = [[5, { type: 'u', number: call.serial }]]
    if (call.sender !== '') fields.push([6, text(call.sender)])
    if (sender !== null) fields.push([7, text(sender)])
    if (error !== undefined) fields.push([4, text(error)])
    socket.write(message(error === undefined ? 2 : 3, fields, signature, body, 1))
  }
}

/** Puts a notification server on the bus of a desktop that is the test's own, whose socket has this path. */
export async function joinSessionBus(path: string): Promise<FakeNotifications> {
  const socket = connect({ path })
  socket.unref()
  const { notifications, answer } = createNotificationServer((bytes) => socket.write(bytes))
  const request = (serial: number, member: string, signature: string, body: Buffer): void => {
    const fields = [
      [1, { type: 'o', text: '/org/freedesktop/DBus' }],
      [2, text(BUS)],
      [3, text(member)],
      [6, text(BUS)],
    ] as const
    socket.write(message(1, fields, signature, body, serial))
  }
  const named = Promise.withResolvers<void>()
  const begin = (line: string): boolean => {
    if (!line.startsWith('OK ')) named.reject(new Error(`The bus says ${line}.`))
    socket.write('BEGIN\r\n')
    request(1, 'Hello', '', NONE)
    request(2, 'RequestName', 'su', add(add(NONE, text(NOTIFICATIONS)), { type: 'u', number: 4 }))
    return true
  }
  readMessages(socket, begin, (bytes) => {
    const call = readCall(bytes)
    if (bytes[1] === 1) answer(call, replyTo(socket, call, null))
    else if (call.member === 'NameAcquired' && call.args[0] === NOTIFICATIONS) named.resolve()
  })
  const user = Buffer.from(String(process.getuid?.())).toString('hex')
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`)
  await named.promise
  return notifications
}

/** Rejects if this system can't listen on a socket in its folder for temporary files. */
export async function serveSessionBus(initial: BusState): Promise<FakeSessionBus> {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-bus-'))
  const path = join(dir, 'bus')
  const clients = new Set<Socket>()
  let tray = initial
  let names = 0
  let connections = 0
  let fileManager: FileManagerState = 'none'
  const shownFiles: string[] = []
  let portal: readonly PortalAnswer[] | null = null
  const pictures: Readonly<Record<string, unknown>>[] = []

  const hasWatcher = (): boolean => tray === 'watcher' || tray === 'host'
  const toAll = (bytes: Buffer): void => {
    for (const socket of clients) socket.write(bytes)
  }
  const server = createNotificationServer(toAll)

  const answer = (socket: Socket, call: Call): void => {
    const { destination, member, args } = call
    const isServer = destination === NOTIFICATIONS
    const reply = replyTo(socket, call, isServer ? SERVER_NAME : BUS)
    const isKeychain = [destination, args[0]].includes('org.freedesktop.secrets')
    if (isKeychain && tray === 'hung-keychain') return
    if (isServer && !server.isGone()) return server.answer(call, reply)
    if (destination === FILE_MANAGER && fileManager !== 'none') {
      shownFiles.push(...(args[0] as readonly string[]))
      return fileManager === 'there' ? reply('', NONE) : undefined
    }
    if (args[0] === PORTAL && portal !== null) {
      if (member === 'StartServiceByName') return reply('u', add(NONE, { type: 'u', number: 1 }))
      if (member === 'GetNameOwner') return reply('s', add(NONE, text(PORTAL_NAME)))
    }
    if (destination === PORTAL && portal !== null) {
      const options = args[1] as Readonly<Record<string, unknown>>
      pictures.push(options)
      const handle = `/org/freedesktop/portal/desktop/request/1_1/${String(options['handle_token'])}`
      reply('o', add(NONE, { type: 'o', text: handle }))
      for (const one of portal) socket.write(portalResponse(handle, one))
      return
    }
    if (destination === BUS && member === 'Hello') return reply('s', add(NONE, text(`:1.${++names}`)))
    if (destination === BUS && member === 'NameHasOwner')
      return reply('b', add(NONE, bool(args[0] === BUS || (args[0] === WATCHER && hasWatcher()))))
    if (destination === BUS && member === 'GetNameOwner' && args[0] === NOTIFICATIONS && !server.isGone())
      return reply('s', add(NONE, text(SERVER_NAME)))
    if (destination === BUS && member === 'AddMatch') return reply('', NONE)
    if (destination === BUS && member === 'ListActivatableNames') return reply('as', list([]))
    if (destination === WATCHER && hasWatcher() && args[1] === 'IsStatusNotifierHostRegistered')
      return reply('v', add(Buffer.from([1, 0x62, 0]), bool(tray === 'host')))
    // As dbus-daemon words it: the keychain's library passes on nothing but the text.
    const unknown = `The name ${destination} was not provided by any .service files`
    reply('s', add(NONE, text(unknown)), `${BUS}.Error.ServiceUnknown`)
  }

  const listener = createServer((socket) => {
    connections++
    clients.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => clients.delete(socket))
    const begin = (line: string): boolean => {
      if (tray === 'silent') return false
      if (line.startsWith('AUTH EXTERNAL')) socket.write('OK 00112233445566778899aabbccddeeff\r\n')
      else if (line !== 'BEGIN') socket.write('ERROR\r\n')
      return line === 'BEGIN'
    }
    readMessages(socket, begin, (bytes) => {
      if (tray !== 'silent') answer(socket, readCall(bytes))
    })
  })
  await new Promise<void>((resolve, reject) => {
    // Windows listens on named pipes only, and no system on a path that is too long.
    listener.once('error', reject).listen(path, resolve)
  })
  return {
    address: `unix:path=${path}`,
    setTray: (state) => {
      tray = state
      toAll(ownerChanged(WATCHER, '', ':1.99'))
    },
    notifications: server.notifications,
    connections: () => connections,
    setFileManager: (state) => {
      fileManager = state
    },
    shownFiles: () => shownFiles,
    setPortal: (answers) => {
      portal = answers
    },
    pictures: () => pictures,
    close: () => {
      for (const socket of clients) socket.destroy()
      listener.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
