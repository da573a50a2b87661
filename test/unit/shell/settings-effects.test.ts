// The global shortcut of the settings: if another program uses it, the previous one is restored, and the settings show what is registered.
// Electron's shortcuts are replaced by a set; the settings are kept in memory.
import { beforeEach, expect, it, vi } from 'vitest'
import { SettingsEffects } from '../../../src-main/shell/app/settings-effects.ts'
import { type AppSettings, DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'

const keys = vi.hoisted(() => ({ registered: new Set<string>(), taken: new Set<string>() }))
vi.mock('electron', () => ({
  nativeTheme: {},
  globalShortcut: {
    unregisterAll: () => keys.registered.clear(),
    register: (one: string) => !keys.taken.has(one) && keys.registered.add(one).size > 0,
  },
}))
vi.mock('../../../src-main/shell/app/autostart.ts', () => ({ setAutostart: () => undefined }))

beforeEach(() => {
  keys.registered.clear()
  keys.taken.clear()
})

function room() {
  let now: AppSettings = DEFAULT_APP_SETTINGS
  const change = (patch: Partial<AppSettings>): AppSettings => {
    now = { ...now, ...patch }
    return now
  }
  const effects = new SettingsEffects({
    engines: () => [],
    settings: {
      read: () => now,
      change: (patch) => change(patch as Partial<AppSettings>),
      setBaseUrl: () => undefined,
      onChange: () => undefined,
      reread: () => now,
      message: null,
    },
    showMenu: () => undefined,
    onShortcut: () => undefined,
    log: () => undefined,
  })
  const choose = (shortcut: string | null) => {
    effects.apply(change({ shortcut }))
    return { shown: now.shortcut, registered: [...keys.registered] }
  }
  return { choose }
}

it('a shortcut that another program uses leaves the previous one in place', () => {
  const { choose } = room()
  expect(choose('Ctrl+1')).toEqual({ shown: 'Ctrl+1', registered: ['Ctrl+1'] })
  keys.taken.add('Ctrl+2')
  expect(choose('Ctrl+2')).toEqual({ shown: 'Ctrl+1', registered: ['Ctrl+1'] })
  expect(choose(null)).toEqual({ shown: null, registered: [] })
})

it('no shortcut is shown if the previous one is used by another program, too', () => {
  const { choose } = room()
  choose('Ctrl+1')
  keys.taken.add('Ctrl+1').add('Ctrl+2')
  expect(choose('Ctrl+2')).toEqual({ shown: null, registered: [] })
  keys.taken.clear()
  expect(choose('Ctrl+2')).toEqual({ shown: 'Ctrl+2', registered: ['Ctrl+2'] })
})
