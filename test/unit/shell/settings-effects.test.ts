// The global shortcuts of the settings: if another program uses it, the previous one is restored, and the
// settings show what is registered. One that was stored earlier is kept, and registered later. An effect that
// fails is reported, keeps no other from being applied, and never throws. Electron's shortcuts are replaced
// by a set; the settings are kept in memory.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SettingsEffects } from '../../../src-main/shell/app/settings-effects.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { textsOf } from '../../../src-shared/i18n/texts.ts'
import { type AppSettings, DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import { FORMATS } from './world.ts'

const keys = vi.hoisted(() => ({
  registered: new Set<string>(),
  taken: new Set<string>(),
  run: new Map<string, () => void>(),
}))
vi.mock('electron', () => ({
  nativeTheme: {},
  globalShortcut: {
    unregister: (one: string) => keys.registered.delete(one),
    register: (one: string, run: () => void) => {
      if (one === 'broken') throw new TypeError('Error processing argument')
      if (keys.taken.has(one) || keys.registered.has(one)) return false
      keys.run.set(one, run)
      return keys.registered.add(one).size > 0
    },
  },
}))
/** Whether the autostart entry can't be written, and what is written. */
const autostart = vi.hoisted(() => ({ isReadOnly: false, set: [] as boolean[] }))
vi.mock('../../../src-main/shell/app/autostart.ts', () => ({
  setAutostart: (on: boolean) => {
    if (autostart.isReadOnly) throw new Error('EACCES: permission denied')
    autostart.set.push(on)
  },
}))

beforeEach(() => {
  keys.registered.clear()
  keys.taken.clear()
  autostart.isReadOnly = false
  autostart.set.length = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function room(first: Partial<AppSettings> = {}) {
  let now: AppSettings = { ...DEFAULT_APP_SETTINGS, ...first }
  const disk = { isFull: false }
  const showMenu = vi.fn()
  const engine = vi.fn()
  const logged: unknown[] = []
  const change = (patch: Partial<AppSettings>): AppSettings => {
    now = { ...now, ...patch }
    return now
  }
  const warnings: string[] = []
  const solved: string[] = []
  const pressed: string[] = []
  const effects = new SettingsEffects({
    engines: () => [{ isBusy: true, link: { call: engine, op: vi.fn() } }],
    settings: {
      read: () => now,
      change: (patch) => {
        if (disk.isFull) throw new Error('ENOSPC: no space left on device')
        return change(patch as Partial<AppSettings>)
      },
      setBaseUrl: () => undefined,
      onChange: () => undefined,
      reread: () => now,
      message: null,
    },
    showMenu,
    onShortcut: (name) => pressed.push(name),
    app: {
      language: () => ({ texts: english, window: textsOf('en'), formats: FORMATS }),
      warn: (title) => warnings.push(title),
    },
    solved: (what) => solved.push(what),
    log: (event, { name }) => logged.push([event, name]),
  })
  const choose = (shortcut: string | null) => {
    effects.apply(change({ shortcut }))
    return { shown: now.shortcut, registered: [...keys.registered] }
  }
  /** The app starts with this shortcut in its settings. */
  const load = (shortcut: string) => effects.apply(change({ shortcut }), true)
  const state = () => ({ shown: now.shortcut, registered: [...keys.registered], warnings: warnings.length })
  return {
    choose,
    load,
    state,
    change,
    effects,
    disk,
    warnings,
    solved,
    pressed,
    showMenu,
    engine,
    logged,
    now: () => now,
  }
}

it.each([
  [{ concurrency: 7 }, { concurrency: 7, bytesPerSecond: null }],
  [{ bytesPerSecond: 5000 }, { concurrency: DEFAULT_APP_SETTINGS.concurrency, bytesPerSecond: 5000 }],
])('%j alone reaches the running engine at once, and no other setting does', (patch, limits) => {
  const { change, effects, engine } = room()
  effects.apply(change({}))
  engine.mockClear()
  effects.apply(change({ language: 'de' }))
  expect(engine).not.toHaveBeenCalled()
  effects.apply(change(patch))
  expect(engine.mock.calls).toEqual([['configure', limits]])
})

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

it('a stored shortcut that another program uses at the start is kept, reported, and registered once it is free', () => {
  const { load, state } = room()
  keys.taken.add('Ctrl+1')
  load('Ctrl+1')
  expect(state()).toEqual({ shown: 'Ctrl+1', registered: [], warnings: 1 })
  vi.advanceTimersByTime(180_000)
  expect(state()).toEqual({ shown: 'Ctrl+1', registered: [], warnings: 1 })
  keys.taken.clear()
  vi.advanceTimersByTime(60_000)
  expect(state()).toEqual({ shown: 'Ctrl+1', registered: ['Ctrl+1'], warnings: 1 })
})

it('a stored shortcut is no longer tried once the user has chosen another one', () => {
  const { choose, load, state } = room()
  keys.taken.add('Ctrl+1')
  load('Ctrl+1')
  expect(choose('Ctrl+2')).toEqual({ shown: 'Ctrl+2', registered: ['Ctrl+2'] })
  keys.taken.clear()
  vi.advanceTimersByTime(120_000)
  expect(state()).toMatchObject({ shown: 'Ctrl+2', registered: ['Ctrl+2'] })
})

it('a stored shortcut that is invalid is removed', () => {
  const { load, state } = room()
  load('broken')
  expect(state()).toEqual({ shown: null, registered: [], warnings: 0 })
})

it('a shortcut of the settings that were loaded before is not restored', () => {
  const { load, state } = room()
  load('Ctrl+1')
  load('broken')
  expect(state()).toMatchObject({ shown: null, registered: [] })
})

it.each(['Ctrl+2', 'broken'])(
  'a stored shortcut is still tried after the attempt to choose %s has failed',
  (other) => {
    const { choose, load, state, solved } = room()
    keys.taken.add('Ctrl+1').add('Ctrl+2')
    load('Ctrl+1')
    expect(choose(other)).toEqual({ shown: 'Ctrl+1', registered: [] })
    vi.advanceTimersByTime(60_000)
    expect(solved).toEqual([])
    keys.taken.delete('Ctrl+1')
    vi.advanceTimersByTime(60_000)
    expect(state()).toEqual({ shown: 'Ctrl+1', registered: ['Ctrl+1'], warnings: 1 })
  },
)

describe('the notice about a stored shortcut that another program uses', () => {
  it('is closed once the shortcut is registered', () => {
    const { load, solved } = room()
    keys.taken.add('Ctrl+1')
    load('Ctrl+1')
    vi.advanceTimersByTime(60_000)
    expect(solved).toEqual([])
    keys.taken.clear()
    vi.advanceTimersByTime(60_000)
    expect(solved).toEqual(['shortcut-taken'])
  })

  it.each(['Ctrl+2', null])('is closed once the user has chosen another one: %s', (other) => {
    const { choose, load, solved } = room()
    keys.taken.add('Ctrl+1')
    load('Ctrl+1')
    choose(other)
    expect(solved).toEqual(['shortcut-taken'])
  })
})

describe('start at login that can’t be changed', () => {
  it('is reported and reset to what it was', () => {
    const { effects, change, warnings, logged, now } = room()
    effects.apply(now())
    autostart.isReadOnly = true
    effects.apply(change({ openAtLogin: true, language: 'de' }))
    expect(now()).toMatchObject({ openAtLogin: false, language: 'de' })
    expect(warnings).toEqual([english.autostartFailed.title])
    expect(logged).toEqual([['settings.effect', 'autostart']])
    // The next attempt is a change again.
    autostart.isReadOnly = false
    effects.apply(change({ openAtLogin: true }))
    expect([now().openAtLogin, autostart.set]).toEqual([true, [false, true]])
  })

  it('is kept in settings that were loaded, as those before may have been a trial’s', () => {
    const { effects, change, warnings, now } = room()
    effects.apply(now())
    autostart.isReadOnly = true
    effects.apply(change({ openAtLogin: true }), true)
    expect(now().openAtLogin).toBe(true)
    expect(warnings).toEqual([english.autostartFailed.title])
  })

  it('keeps the app from starting neither with a full disk nor with a folder that is read-only', () => {
    const { effects, disk, warnings, showMenu, now } = room({ openAtLogin: true, shortcut: 'Ctrl+1' })
    autostart.isReadOnly = true
    disk.isFull = true
    effects.apply(now())
    // The cause may be temporary, so the setting stays.
    expect(now().openAtLogin).toBe(true)
    expect(warnings).toEqual([english.autostartFailed.title])
    // Everything else is in effect.
    expect(showMenu).toHaveBeenCalledTimes(1)
    expect([...keys.registered]).toEqual(['Ctrl+1'])
  })

  it('is reported even if the settings can’t be written either', () => {
    const { effects, change, disk, warnings, now } = room()
    effects.apply(now())
    autostart.isReadOnly = true
    disk.isFull = true
    effects.apply(change({ openAtLogin: true }))
    expect(warnings).toEqual([english.autostartFailed.title])
  })
})

it('a shortcut that is taken at the start keeps the app from starting not even with a full disk', () => {
  const { effects, disk, logged, now } = room({ shortcut: 'Ctrl+1' })
  keys.taken.add('Ctrl+1')
  disk.isFull = true
  effects.apply(now())
  expect(logged).toEqual([['settings.effect', 'shortcut']])
})

describe('several shortcuts', () => {
  it('each does its own, and one stays when another one is removed', () => {
    const { effects, change, pressed } = room()
    effects.apply(change({ shortcut: 'Ctrl+1', clipboardShortcut: 'Ctrl+2', regionShortcut: 'Ctrl+3' }))
    for (const one of ['Ctrl+3', 'Ctrl+1', 'Ctrl+2']) keys.run.get(one)?.()
    expect(pressed).toEqual(['regionShortcut', 'shortcut', 'clipboardShortcut'])
    effects.apply(change({ shortcut: null }))
    expect([...keys.registered]).toEqual(['Ctrl+2', 'Ctrl+3'])
  })

  it('one that another setting has is refused, and that one keeps working', () => {
    const { effects, change, now } = room()
    effects.apply(change({ clipboardShortcut: 'Ctrl+2' }))
    effects.apply(change({ shelfShortcut: 'Ctrl+2' }))
    expect([now().clipboardShortcut, now().shelfShortcut]).toEqual(['Ctrl+2', null])
    expect([...keys.registered]).toEqual(['Ctrl+2'])
  })

  it('the notice about those that are taken stays until each is registered or replaced', () => {
    const { effects, change, warnings, solved } = room()
    keys.taken.add('Ctrl+1').add('Ctrl+2')
    effects.apply(change({ clipboardShortcut: 'Ctrl+1', regionShortcut: 'Ctrl+2' }), true)
    expect(warnings).toHaveLength(2)
    keys.taken.delete('Ctrl+1')
    vi.advanceTimersByTime(60_000)
    expect(solved).toEqual([])
    effects.apply(change({ regionShortcut: null }))
    expect(solved).toEqual(['shortcut-taken'])
  })
})
