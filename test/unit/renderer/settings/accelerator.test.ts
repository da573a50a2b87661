// Recording a shortcut from one key press on each platform, and its display there. The tables contain what
// browsers report for real keyboards: Alt and Shift change the character but not the key's position.
import { describe, expect, it } from 'vitest'
import {
  type Platform,
  type PressedKey,
  recordKey,
  shownAccelerator,
} from '../../../../src-renderer/views/settings/accelerator.ts'

function press(keys: string, key: string, code = ''): PressedKey {
  const has = (name: string): boolean => keys.split(' ').includes(name)
  return {
    key,
    code,
    ctrl: has('ctrl'),
    alt: has('alt'),
    shift: has('shift'),
    meta: has('meta'),
    altGraph: has('altgr'),
  }
}

describe('recordKey', () => {
  it.each<[Platform, string, string, string, string]>([
    ['linux', 'ctrl shift', 'U', 'KeyU', 'Control+Shift+U'],
    ['linux', 'ctrl alt', 'u', 'KeyU', 'Control+Alt+U'],
    ['win32', 'ctrl alt shift', 'ArrowUp', 'ArrowUp', 'Control+Alt+Shift+Up'],
    ['win32', 'meta shift', 'ä', 'Quote', ''],
    ['darwin', 'meta shift', 'u', 'KeyU', 'Shift+Command+U'],
    ['darwin', 'ctrl alt', 'Dead', 'KeyU', 'Control+Alt+U'],
    ['darwin', 'alt meta', 'Ω', 'KeyZ', 'Alt+Command+Z'],
    ['darwin', 'alt meta', 'z', 'KeyY', 'Alt+Command+Z'],
    ['linux', 'ctrl shift', '!', 'Digit1', 'Control+Shift+1'],
    ['linux', 'ctrl alt', '5', 'Numpad5', 'Control+Alt+num5'],
    ['linux', 'ctrl alt', '+', 'NumpadAdd', 'Control+Alt+numadd'],
    ['linux', 'ctrl alt', '+', 'BracketRight', 'Control+Alt+Plus'],
    ['linux', 'ctrl alt', '-', 'Slash', 'Control+Alt+-'],
    ['linux', 'ctrl', 'F9', 'F9', 'Control+F9'],
    ['linux', '', 'F13', 'F13', 'F13'],
    ['linux', 'shift', 'F20', 'F20', 'Shift+F20'],
    ['linux', 'meta', 'u', 'KeyU', 'Super+U'],
    ['linux', 'ctrl alt', ' ', 'Space', 'Control+Alt+Space'],
    ['linux', 'ctrl', 'PrintScreen', 'PrintScreen', 'Control+PrintScreen'],
    ['linux', 'ctrl shift', 'Enter', 'Enter', 'Control+Shift+Return'],
    ['linux', 'ctrl shift', 'Delete', 'Delete', 'Control+Shift+Delete'],
  ])('%s: %s %s', (platform, keys, key, code, accelerator) => {
    const got = recordKey(press(keys, key, code), platform)
    if (accelerator === '') expect(got).toMatchObject({ kind: 'refused', why: 'unknown-key' })
    else expect(got).toEqual({ kind: 'shortcut', accelerator })
  })

  it.each<[Platform, string, string, string, string]>([
    ['linux', '', 'u', 'KeyU', 'needs-modifier'],
    ['linux', 'shift', 'U', 'KeyU', 'needs-modifier'],
    ['linux', '', 'F5', 'F5', 'needs-modifier'],
    ['linux', 'shift', 'Delete', 'Delete', 'needs-modifier'],
    ['linux', 'ctrl', 'c', 'KeyC', 'reserved'],
    ['win32', 'ctrl', 'ArrowLeft', 'ArrowLeft', 'reserved'],
    ['linux', 'ctrl', ' ', 'Space', 'reserved'],
    ['linux', 'alt', 'f', 'KeyF', 'reserved'],
    ['win32', 'alt', 'F4', 'F4', 'reserved'],
    ['win32', 'meta', 'l', 'KeyL', 'reserved'],
    ['darwin', 'meta', 'q', 'KeyQ', 'reserved'],
    ['darwin', 'alt', '@', 'KeyL', 'reserved'],
    ['darwin', 'ctrl', 'a', 'KeyA', 'reserved'],
    ['darwin', 'meta shift', '#', 'Digit3', 'reserved'],
    ['win32', 'ctrl alt altgr', '@', 'KeyQ', 'unknown-key'],
    ['linux', 'ctrl', 'Process', 'KeyU2', 'unknown-key'],
    ['linux', 'ctrl', 'MediaPlayPause', 'MediaPlayPause', 'unknown-key'],
  ])('%s refuses %s %s %s: %s', (platform, keys, key, code, why) => {
    expect(recordKey(press(keys, key, code), platform)).toMatchObject({ kind: 'refused', why })
  })

  it.each([
    ['', 'Escape', { kind: 'cancel' }],
    ['ctrl', 'Escape', { kind: 'cancel' }],
    ['', 'Tab', { kind: 'leave' }],
    ['shift', 'Tab', { kind: 'leave' }],
    ['', 'Delete', { kind: 'clear' }],
    ['', 'Backspace', { kind: 'clear' }],
    ['ctrl', 'Control', { kind: 'partial', held: ['Control'] }],
    ['ctrl shift', 'Shift', { kind: 'partial', held: ['Control', 'Shift'] }],
    ['', 'CapsLock', { kind: 'partial', held: [] }],
  ])('%s %s', (keys, key, expected) => {
    expect(recordKey(press(keys, key, key), 'linux')).toEqual(expected)
  })
})

describe('shownAccelerator', () => {
  const words = {
    Control: 'Strg',
    Shift: 'Umschalt',
    Super: 'Super',
    Windows: 'Win',
    Return: 'Eingabe',
    Command: 'Cmd',
  }
  it.each<[Platform, string, string]>([
    ['linux', 'Control+Shift+U', 'Strg+Umschalt+U'],
    ['win32', 'Super+Return', 'Win+Eingabe'],
    ['linux', 'Super+F9', 'Super+F9'],
    ['darwin', 'Control+Alt+Shift+Command+U', '⌃⌥⇧⌘U'],
    ['darwin', 'CommandOrControl+Shift+U', '⌘⇧U'],
    ['win32', 'CommandOrControl+Plus', 'Strg++'],
    ['linux', 'Control+Alt+num5', 'Strg+Alt+5'],
    ['linux', 'Control+Alt+Left', 'Strg+Alt+←'],
    ['linux', '', ''],
  ])('%s %s', (platform, accelerator, shown) => {
    expect(shownAccelerator(accelerator, platform, words)).toBe(shown)
  })
})
