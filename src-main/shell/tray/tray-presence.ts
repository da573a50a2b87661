// Detects whether the desktop shows tray icons. Windows and macOS always do. On Linux, a desktop with tray
// icons has a StatusNotifierWatcher with a host on the session bus. Plain GNOME has no watcher, but Electron
// creates an icon there as well. The watcher and the host may come and go while the app runs.
import { SessionBus } from '../../platform/bus/session-bus.ts'

const WATCHER = 'org.kde.StatusNotifierWatcher'
const RULES = [
  `type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${WATCHER}'`,
  `type='signal',interface='${WATCHER}',member='StatusNotifierHostRegistered'`,
  `type='signal',interface='${WATCHER}',member='StatusNotifierHostUnregistered'`,
]
/** Interval between attempts to reconnect. A lost session bus rarely comes back before the next session. */
const RECONNECT_MS = 30_000

export interface TrayHost {
  readonly isThere: boolean
  /** Calls the listener whenever `isThere` has changed. */
  onChange(listener: () => void): void
  /** Resolves to true once a host exists, or to false after `ms` milliseconds. */
  within(ms: number): Promise<boolean>
  close(): void
}

class FixedTrayHost implements TrayHost {
  readonly isThere = true
  onChange(): void {
    // `isThere` never changes.
  }
  within(): Promise<boolean> {
    return Promise.resolve(true)
  }
  close(): void {
    // There is nothing to release.
  }
}

export function createTrayHost(env: Readonly<Record<string, string | undefined>>): TrayHost {
  return process.platform === 'linux' ? new LinuxTrayHost(env) : new FixedTrayHost()
}

export class LinuxTrayHost implements TrayHost {
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #listeners = new Set<() => void>()
  #bus: SessionBus | null = null
  #isThere = false
  #isClosed = false
  #retry: NodeJS.Timeout | undefined

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env
    void this.#connect()
  }

  get isThere(): boolean {
    return this.#isThere
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  within(ms: number): Promise<boolean> {
    if (this.#isThere) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer)
        this.#listeners.delete(settle)
        resolve(this.#isThere)
      }
      const timer = setTimeout(settle, ms)
      this.#listeners.add(settle)
    })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#bus?.close()
  }

  async #connect(): Promise<void> {
    const lost = (): void => {
      this.#bus = null
      this.#set(false)
      if (this.#isClosed) return
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS)
      this.#retry.unref()
    }
    const bus = await SessionBus.open(this.#env, () => void this.#look(), lost)
    if (bus === null) return
    if (this.#isClosed) return bus.close()
    // If another bus address failed before this one worked, a reconnection is scheduled, which is now
    // unnecessary.
    clearTimeout(this.#retry)
    this.#bus = bus
    for (const rule of RULES) await bus.listen(rule)
    await this.#look()
  }

  async #look(): Promise<void> {
    const bus = this.#bus
    if (bus === null) return
    // Check for an owner first, because on some desktops the call below would start the watcher.
    const isThere = (await bus.hasOwner(WATCHER)) && (await hasHost(bus))
    if (bus === this.#bus) this.#set(isThere)
  }

  #set(isThere: boolean): void {
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    for (const listener of this.#listeners) listener()
  }
}

async function hasHost(bus: SessionBus): Promise<boolean> {
  const got = await bus.call({
    destination: WATCHER,
    path: '/StatusNotifierWatcher',
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    args: [WATCHER, 'IsStatusNotifierHostRegistered'],
  })
  return got?.[0] === true
}
