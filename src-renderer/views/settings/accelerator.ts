// Converts pressed keys to the name under which the shell registers a global shortcut, and that name to what
// each platform displays. Refuses reserved shortcuts and those with too few modifiers. Pure; only the shell
// can find out whether another program uses a shortcut.

export type Platform = 'darwin' | 'win32' | 'linux' | 'other'

/** The relevant part of a keyboard event. */
export interface PressedKey {
  readonly key: string
  readonly code: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
  readonly meta: boolean
  /**
   * Whether AltGr is held. It makes keys type their third-level characters, for example @, so shortcuts can't
   * use it.
   */
  readonly altGraph: boolean
}

export type Recorded =
  | { readonly kind: 'shortcut'; readonly accelerator: string }
  /** Only modifiers have been pressed so far. */
  | { readonly kind: 'partial'; readonly held: readonly string[] }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'clear' }
  /** Tab moves to the next field, as it does everywhere else. */
  | { readonly kind: 'leave' }
  | {
      readonly kind: 'refused'
      readonly why: 'needs-modifier' | 'reserved' | 'unknown-key'
      readonly accelerator: string
    }

const MODIFIERS = new Set([
  'Control',
  'Alt',
  'Shift',
  'Meta',
  'AltGraph',
  'OS',
  'Hyper',
  'Super',
  'CapsLock',
  'NumLock',
  'Fn',
])

const NAMED: Readonly<Record<string, string>> = {
  ' ': 'Space',
  Enter: 'Return',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Backspace: 'Backspace',
  Delete: 'Delete',
  Insert: 'Insert',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  PrintScreen: 'PrintScreen',
}

const NUMPAD: Readonly<Record<string, string>> = {
  NumpadAdd: 'numadd',
  NumpadSubtract: 'numsub',
  NumpadMultiply: 'nummult',
  NumpadDivide: 'numdiv',
  NumpadDecimal: 'numdec',
}

function held(pressed: PressedKey, platform: Platform): readonly string[] {
  return [
    ...(pressed.ctrl ? ['Control'] : []),
    ...(pressed.alt ? ['Alt'] : []),
    ...(pressed.shift ? ['Shift'] : []),
    ...(pressed.meta ? [platform === 'darwin' ? 'Command' : 'Super'] : []),
  ]
}

/** Returns the name of the main key, or null if it has none that can be registered. */
function keyName({ key, code }: PressedKey): string | null {
  const pad = /^Numpad(\d)$/.exec(code)?.[1]
  if (pad !== undefined) return `num${pad}`
  const operator = NUMPAD[code]
  if (operator !== undefined) return operator
  const named = NAMED[key]
  if (named !== undefined) return named
  if (/^F([1-9]|1\d|2[0-4])$/.test(key)) return key
  // Use the letter or digit that the key types. If it types another character (with Alt or Shift, or on a
  // layout such as Cyrillic), use the letter or digit at that position on a US keyboard.
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase()
  const place = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1]
  if (place !== undefined) return place
  if (key === '+') return 'Plus'
  return /^[!-/:-@[-`{-~]$/.test(key) ? key : null
}

/**
 * Whether a key types a character. Alone or with only Ctrl, Alt or Cmd, such a key is left to the focused
 * program.
 */
function writes(name: string): boolean {
  return name.length === 1 || name === 'Plus' || name === 'Space' || name.startsWith('num')
}

/**
 * With only Ctrl, Alt or Cmd, these keys edit text or navigate in most programs, for example to delete a word
 * or to go to the start.
 */
const EDITS = new Set([
  'Left',
  'Right',
  'Up',
  'Down',
  'Home',
  'End',
  'Backspace',
  'Delete',
  'Return',
  'Insert',
  'PageUp',
  'PageDown',
])

/**
 * Returns what a key press means while a shortcut is being recorded. `accelerator` is in Electron's format.
 */
export function recordKey(pressed: PressedKey, platform: Platform): Recorded {
  const modifiers = held(pressed, platform)
  if (MODIFIERS.has(pressed.key)) return { kind: 'partial', held: modifiers }
  if (pressed.key === 'Escape') return { kind: 'cancel' }
  if (pressed.key === 'Tab') return { kind: 'leave' }
  if (modifiers.length === 0 && (pressed.key === 'Backspace' || pressed.key === 'Delete'))
    return { kind: 'clear' }
  const name = keyName(pressed)
  const accelerator = [...modifiers, name ?? ''].join('+')
  if (name === null || pressed.altGraph) return { kind: 'refused', why: 'unknown-key', accelerator }
  const strong = modifiers.filter((modifier) => modifier !== 'Shift')
  const functionKey = /^F\d+$/.test(name)
  if (strong.length === 0)
    return functionKey && Number(name.slice(1)) >= 13
      ? { kind: 'shortcut', accelerator }
      : { kind: 'refused', why: 'needs-modifier', accelerator }
  const main = platform === 'darwin' ? 'Command' : 'Control'
  const alone =
    modifiers.length === 1 && (modifiers[0] === main || modifiers[0] === 'Alt' || modifiers[0] === 'Control')
  if (alone && (writes(name) || EDITS.has(name))) return { kind: 'refused', why: 'reserved', accelerator }
  if (RESERVED.has(accelerator)) return { kind: 'refused', why: 'reserved', accelerator }
  return { kind: 'shortcut', accelerator }
}

/**
 * Other combinations that programs or the system use, for example for redo, paste as plain text, screenshots,
 * or locking the screen.
 */
const RESERVED = new Set([
  'Alt+F4',
  'Control+Alt+Delete',
  'Control+Shift+Z',
  'Control+Shift+V',
  'Control+Shift+T',
  'Control+Shift+N',
  'Shift+Command+Z',
  'Shift+Command+V',
  'Shift+Command+T',
  'Shift+Command+N',
  'Shift+Command+3',
  'Shift+Command+4',
  'Shift+Command+5',
  'Shift+Command+Q',
  'Alt+Command+Backspace',
  'Control+Command+Q',
  'Super+L',
])

const SYMBOLS: Readonly<Record<string, string>> = {
  Control: '⌃',
  Alt: '⌥',
  Shift: '⇧',
  Command: '⌘',
  Super: '⌘',
  Return: '↩',
  Backspace: '⌫',
  Delete: '⌦',
  PageUp: '⇞',
  PageDown: '⇟',
  Home: '↖',
  End: '↘',
}
const ARROWS: Readonly<Record<string, string>> = { Up: '↑', Down: '↓', Left: '←', Right: '→', Plus: '+' }
const PAD_SIGNS: Readonly<Record<string, string>> = { add: '+', sub: '-', mult: '×', div: '÷', dec: '.' }

/**
 * Returns the keys of an accelerator as the platform shows them. Arrows and numpad keys are shown as symbols
 * everywhere, and most other named keys only on macOS. `words` maps accelerator names to localized names.
 */
export function shownKeys(
  accelerator: string,
  platform: Platform,
  words: Readonly<Record<string, string>>,
): readonly string[] {
  return accelerator
    .split('+')
    .filter((part) => part !== '')
    .map((part) => {
      const pad = /^num(\d|add|sub|mult|div|dec)$/.exec(part)?.[1]
      if (pad !== undefined) return PAD_SIGNS[pad] ?? pad
      if (ARROWS[part] !== undefined) return ARROWS[part]
      const general = part === 'CommandOrControl' ? (platform === 'darwin' ? 'Command' : 'Control') : part
      if (platform === 'darwin') return SYMBOLS[general] ?? words[general] ?? general
      if (general === 'Super' && platform === 'win32') return words['Windows'] ?? general
      return words[general] ?? general
    })
}

/**
 * Returns the accelerator as one text: without separators on macOS, elsewhere with a plus between the keys.
 */
export function shownAccelerator(
  accelerator: string,
  platform: Platform,
  words: Readonly<Record<string, string>>,
): string {
  return shownKeys(accelerator, platform, words).join(platform === 'darwin' ? '' : '+')
}
