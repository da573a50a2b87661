// Shows notifications on Linux through org.freedesktop.Notifications (Desktop Notifications Specification
// 1.2). Not through Electron's `Notification`, which waits for the notification server with the main thread,
// even to say whether there is one, and has no buttons on Linux. While the server doesn't answer, the latest
// notifications wait; without a server, there are none.
import type { Message, MethodCall, Value } from '../../platform/bus/message.ts'
import { BUS, SessionBus } from '../../platform/bus/session-bus.ts'
import type {
  NotificationContent,
  NotificationListeners,
  NotificationSystem,
  ShownNotification,
} from './notification-screen.ts'

const NAME = 'org.freedesktop.Notifications'
const SERVER = { destination: NAME, path: '/org/freedesktop/Notifications', interface: NAME } as const
const RULES = [
  `type='signal',sender='${BUS.destination}',interface='${BUS.interface}',member='NameOwnerChanged',arg0='${NAME}'`,
  `type='signal',sender='${NAME}',interface='${NAME}'`,
]

/** How long a server may take before the log says that it doesn't answer. */
const ANSWER_MS = 10_000
/** Maximum number of notifications that wait for the server. The oldest are dropped. */
const WAITING_MAX = 20
/** Maximum number of notifications whose buttons work. Some servers never say that one was closed. */
const SHOWN_MAX = 100
/** The key of a click on the notification itself. The keys of buttons are their numbers. */
const DEFAULT = 'default'
/** Values of the hint `urgency`. */
const NORMAL = 1
const CRITICAL = 2

class Entry implements ShownNotification {
  readonly content: NotificationContent
  readonly listeners: NotificationListeners
  /** The notification in whose place this one is shown. Null once it is. */
  previous: Entry | null
  /** Given by the server; null until then. */
  id: number | null = null
  isClosed = false
  /** The actions that were taken. A server may repeat itself. */
  readonly taken = new Set<number>()
  readonly #onClose: () => void

  constructor(
    content: NotificationContent,
    listeners: NotificationListeners,
    previous: Entry | null,
    onClose: () => void,
  ) {
    this.content = content
    this.listeners = listeners
    this.previous = previous
    this.#onClose = onClose
  }

  close(): void {
    this.isClosed = true
    this.#onClose()
  }
}

export class LinuxNotifications implements NotificationSystem {
  readonly #env: Readonly<Record<string, string | undefined>>
  /** Null once the connection is lost, until the next notification. */
  #bus: Promise<SessionBus | null> | null
  /** The server's unique name on the bus; '' if it isn't running. */
  #owner = ''
  /** What the running server can do; null if it hasn't said so. */
  #capabilities: readonly Value[] | null = null
  /** Whether the bus starts a server on demand. True until the bus has answered. */
  #isStartable = true
  #isSending = false
  #waiting: Entry[] = []
  readonly #shown = new Map<number, Entry>()

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env
    this.#bus = this.#connect()
  }

  /** Whether a server is running or can be started. True until the bus has answered. */
  isSupported(): boolean {
    return this.#owner !== '' || this.#isStartable
  }

  show(
    content: NotificationContent,
    listeners: NotificationListeners,
    replaced: ShownNotification | null,
  ): ShownNotification {
    const before = replaced instanceof Entry ? replaced : null
    const isShown = before === null || !this.#waiting.includes(before)
    const entry = new Entry(content, listeners, isShown ? before : before.previous, () => {
      if (entry.id !== null && this.#shown.get(entry.id) === entry) this.#closeOnScreen(entry.id)
    })
    this.#waiting = [...this.#waiting.filter((one) => one !== before && !one.isClosed), entry]
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift()
    void this.#send()
    return entry
  }

  /** Shows what waits, one after the other, so that a server that doesn't answer is given only one. */
  async #send(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      if (!next.isClosed) await this.#notify(next)
    this.#isSending = false
  }

  async #notify(entry: Entry): Promise<void> {
    const { content, listeners, previous } = entry
    this.#bus ??= this.#connect()
    const bus = await this.#bus
    if (bus === null) return listeners.onFail('There is no session bus.')
    const slow = setTimeout(() => listeners.onSlow(), ANSWER_MS)
    slow.unref()
    const { promise, resolve } = Promise.withResolvers<void>()
    const ask = (then: () => void): void => {
      if (this.#capabilities !== null) return then()
      bus.request({ ...SERVER, member: 'GetCapabilities', args: [] }, (values) => {
        const [capabilities] = values ?? []
        this.#capabilities = Array.isArray(capabilities) ? (capabilities as readonly Value[]) : null
        then()
      })
    }
    ask(() => {
      const id = previous?.id ?? 0
      const replaces = this.#shown.get(id) === previous ? id : 0
      bus.request(notifyCall(content, replaces, this.#capabilities, this.#env), (values) => {
        const [given] = values ?? []
        entry.previous = null
        if (typeof given !== 'number') listeners.onFail('The notification server is missing or refused it.')
        else {
          this.#shown.delete(replaces)
          this.#shown.set(given, entry)
          entry.id = given
          if (entry.isClosed) this.#closeOnScreen(given)
          const [oldest] = this.#shown.keys()
          if (this.#shown.size > SHOWN_MAX && oldest !== undefined) this.#shown.delete(oldest)
        }
        resolve()
      })
    })
    await promise
    clearTimeout(slow)
  }

  #closeOnScreen(id: number): void {
    this.#shown.delete(id)
    const close = { ...SERVER, member: 'CloseNotification', signature: 'u', args: [id] }
    void this.#bus?.then((bus) => bus?.request(close, () => undefined))
  }

  async #connect(): Promise<SessionBus | null> {
    const lost = (): void => {
      this.#bus = null
      this.#setOwner('')
    }
    const bus = await SessionBus.open(this.#env, (signal) => this.#take(signal), lost)
    this.#isStartable = false
    if (bus === null) return null
    // An earlier address may have failed.
    this.#bus = Promise.resolve(bus)
    for (const rule of RULES) await bus.listen(rule)
    const [owner] = (await bus.call({ ...BUS, member: 'GetNameOwner', args: [NAME] })) ?? []
    if (typeof owner === 'string') this.#setOwner(owner)
    const [names] = (await bus.call({ ...BUS, member: 'ListActivatableNames', args: [] })) ?? []
    this.#isStartable = Array.isArray(names) && names.includes(NAME)
    return bus
  }

  /** Another server knows nothing of what was shown. */
  #setOwner(owner: string): void {
    if (owner === this.#owner) return
    if (this.#owner !== '') {
      for (const { listeners } of this.#shown.values()) listeners.onClose(false)
      this.#shown.clear()
    }
    this.#owner = owner
    this.#capabilities = null
  }

  /** Any program on the bus can send a signal with any content, so only the server's and the bus's count. */
  #take(signal: Message): void {
    if (signal.sender === BUS.destination && signal.member === 'NameOwnerChanged') {
      const [name, , owner] = signal.body()
      if (name === NAME && typeof owner === 'string') this.#setOwner(owner)
    } else if (signal.sender === this.#owner && this.#owner !== '') {
      const [id, key] = signal.body()
      const entry = this.#shown.get(Number(id))
      if (entry === undefined) return
      if (signal.member === 'NotificationClosed') {
        this.#shown.delete(Number(id))
        entry.listeners.onClose(false)
      } else if (signal.member === 'ActionInvoked') {
        const at = entry.content.actions.findIndex((_label, index) => String(index) === key)
        if ((at < 0 && key !== DEFAULT) || entry.taken.has(at)) return
        entry.taken.add(at)
        entry.listeners.onAction(at < 0 ? null : at)
      }
    }
  }
}

/** What a server that hasn't said what it can do gets is safe with every server. */
function notifyCall(
  content: NotificationContent,
  replaces: number,
  capabilities: readonly Value[] | null,
  env: Readonly<Record<string, string | undefined>>,
): MethodCall {
  const { title, body, urgent, clickLabel, actions } = content
  const hasMarkup = capabilities?.includes('body-markup') ?? true
  const hasActions = capabilities?.includes('actions') ?? false
  const keys = [DEFAULT, clickLabel, ...actions.flatMap((label, at) => [String(at), label])]
  const flatpak = env['FLATPAK_ID']
  const hints = [
    ['urgency', { type: 'y', value: urgent ? CRITICAL : NORMAL }],
    ['suppress-sound', { type: 'b', value: !urgent }],
    ['desktop-entry', { type: 's', value: flatpak ?? 'slipway' }],
  ]
  return {
    ...SERVER,
    member: 'Notify',
    signature: 'susssasa{sv}i',
    args: [
      'Slipway',
      replaces,
      flatpak ?? 'slipway-desktop',
      title,
      hasMarkup ? withoutMarkup(body) : body,
      hasActions ? keys : [],
      hints,
      // The server decides how long the notification is shown.
      -1,
    ],
  }
}

/** In a body with markup, a file name with angle brackets could become a link or disappear. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
