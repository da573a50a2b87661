// `powerMonitor`, `powerSaveBlocker`, `globalShortcut` and `systemPreferences`: tests emit their events and
// trigger shortcuts. Blockers and shortcuts are only recorded; nothing here changes the machine.
import { EventEmitter } from 'node:events'
import { desk } from './desk.ts'
import { strict } from './strict.ts'

/** Events that Electron has only on other systems, according to the `@platform` tags of its types. */
const NOT_ON_LINUX: ReadonlySet<string | symbol> = new Set([
  'lock-screen',
  'on-ac',
  'on-battery',
  'speed-limit-change',
  'thermal-state-change',
  'unlock-screen',
  'user-did-become-active',
  'user-did-resign-active',
])

class PowerEvents extends EventEmitter {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (process.platform === 'linux' && NOT_ON_LINUX.has(event))
      throw new Error(`stand-in: powerMonitor doesn't emit ${String(event)} on Linux`)
    return super.emit(event, ...args)
  }
}

export const powerMonitor = strict(
  'powerMonitor',
  Object.assign(new PowerEvents(), {
    onBatteryPower: false,
    isOnBatteryPower: (): boolean => false,
    getSystemIdleTime: (): number => 0,
    getSystemIdleState: (_threshold: number): 'active' | 'idle' | 'locked' | 'unknown' => 'active',
    getCurrentThermalState: (): 'unknown' => 'unknown',
  }),
)

const blockers = new Map<number, string>()
let lastBlocker = 0

export const powerSaveBlocker = strict('powerSaveBlocker', {
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    blockers.set(++lastBlocker, type)
    return lastBlocker
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id),
})

const shortcuts = new Map<string, () => void>()
const MODIFIERS = 'Command|Cmd|Control|Ctrl|CommandOrControl|CmdOrCtrl|Alt|Option|AltGr|Shift|Super|Meta'
const ACCELERATOR = new RegExp(
  `^((${MODIFIERS})\\+)*([A-Z0-9]|F([1-9]|1\\d|2[0-4])|[^\\w\\s]|Plus|Space|Tab|[A-Z][A-Za-z0-9]+)$`,
  'i',
)

function checkAccelerator(accelerator: string): void {
  if (!desk.ready) throw new Error('globalShortcut cannot be used before the app is ready')
  if (!ACCELERATOR.test(accelerator))
    throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`)
}

export const globalShortcut = strict('globalShortcut', {
  register(accelerator: string, callback: () => void): boolean {
    checkAccelerator(accelerator)
    if (shortcuts.has(accelerator)) return false
    shortcuts.set(accelerator, callback)
    return true
  },
  isRegistered: (accelerator: string): boolean => shortcuts.has(accelerator),
  unregister(accelerator: string): void {
    shortcuts.delete(accelerator)
  },
  unregisterAll: (): void => shortcuts.clear(),
})

/** Does what the user's key press would do. Returns false if the shortcut isn't registered. */
export function pressShortcut(accelerator: string): boolean {
  const callback = shortcuts.get(accelerator)
  callback?.()
  return callback !== undefined
}

export const systemPreferences = strict(
  'systemPreferences',
  Object.assign(new EventEmitter(), {
    getAnimationSettings: (): Electron.AnimationSettings => ({
      shouldRenderRichAnimation: true,
      scrollAnimationsEnabledBySystem: true,
      prefersReducedMotion: false,
    }),
  }),
)
