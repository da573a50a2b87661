// Handles the keyboard differences between platforms: how shortcuts are displayed, which modifier key
// triggers commands, and what a modified click or arrow key does. It also checks whether key presses are
// meant for a dialog or a text field, and knows whether the user works with the keyboard.
import { type LanguageCode, languageOf } from '../../src-shared/i18n/language.ts'
import type { Gesture } from '../lib/list-navigation.ts'
import { appStore } from './store.ts'

function isMac(): boolean {
  return appStore.getState().boot?.platform === 'darwin'
}

/**
 * Every key that the window or its menu binds, in the groups of the list of shortcuts. `isKey` recognizes them
 * and `keyLabels` shows them, so that the list can't miss one. Keys of a single control, such as the arrow keys
 * of a plot, are the control's own.
 */
export const KEY_GROUPS = {
  actions: {
    upload: ['mod U'],
    'upload-folder': ['shift mod U'],
    paste: ['mod V'],
    'paste-upload': ['shift mod V'],
    undo: ['mod Z'],
  },
  selection: {
    'copy-row': ['enter'],
    copy: ['mod C'],
    'copy-markdown': ['shift mod C'],
    open: ['mod enter'],
    delete: ['delete'],
    menu: ['menu', 'shift F10'],
    move: ['up', 'down', 'pageup', 'pagedown', 'home', 'end'],
    buttons: ['left', 'right'],
    toggle: ['space', 'mod space'],
    extend: ['shift up', 'shift down', 'shift space'],
    'select-all': ['mod A'],
    type: ['letters'],
    escape: ['esc'],
  },
  go: {
    palette: ['mod K'],
    files: ['mod 1'],
    transfers: ['mod 2'],
    usage: ['mod 3'],
    settings: ['mod ,'],
  },
  view: {
    search: ['mod F'],
    details: ['mod I'],
    refresh: ['refresh'],
    'zoom-in': ['mod +'],
    'zoom-out': ['mod -'],
    'zoom-reset': ['mod 0'],
    'full-screen': ['fullscreen'],
  },
  app: {
    shortcuts: ['F1', '?'],
    minimize: ['mod M'],
    close: ['mod W'],
    quit: ['mod Q'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export type KeyGroup = keyof typeof KEY_GROUPS
type NamesOf<Group> = Group extends unknown ? keyof Group : never
export type KeyName = NamesOf<(typeof KEY_GROUPS)[KeyGroup]>

const KEYS: Readonly<Record<KeyName, readonly string[]>> = Object.assign({}, ...Object.values(KEY_GROUPS))

/** What the browser calls the keys that have another name here. */
const BROWSER_NAMES: Readonly<Record<string, string>> = {
  enter: 'Enter',
  space: ' ',
  esc: 'Escape',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  menu: 'ContextMenu',
}
const SYMBOLS: Readonly<Record<string, string>> = {
  mod: '⌘',
  shift: '⇧',
  alt: '⌥',
  enter: '↩',
  delete: '⌘⌫',
  refresh: '⌘R',
  space: '␣',
  esc: 'esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: '⇞',
  pagedown: '⇟',
  home: '↖',
  end: '↘',
  letters: 'A … Z',
  fullscreen: '⌃⌘F',
}
const ARROWS = { up: '↑', down: '↓', left: '←', right: '→' } as const
/** The names that are printed on the keys of each language's keyboards. */
const WORDS: Readonly<Record<LanguageCode, Readonly<Record<string, string>>>> = {
  en: {
    ...ARROWS,
    mod: 'Ctrl',
    shift: 'Shift',
    alt: 'Alt',
    enter: 'Enter',
    delete: 'Del',
    refresh: 'F5',
    space: 'Space',
    esc: 'Esc',
    pageup: 'PgUp',
    pagedown: 'PgDn',
    home: 'Home',
    end: 'End',
    letters: 'A … Z',
    menu: 'Menu',
    fullscreen: 'F11',
  },
  de: {
    ...ARROWS,
    mod: 'Strg',
    shift: 'Umschalt',
    alt: 'Alt',
    enter: 'Eingabe',
    delete: 'Entf',
    refresh: 'F5',
    space: 'Leertaste',
    esc: 'Esc',
    pageup: 'Bild ↑',
    pagedown: 'Bild ↓',
    home: 'Pos1',
    end: 'Ende',
    letters: 'A … Z',
    menu: 'Menü',
    fullscreen: 'F11',
  },
}

/**
 * Shows a shortcut: `shift mod V` is `⇧⌘V` on macOS. Elsewhere it has the key names of the window's language:
 * `Ctrl+Shift+V` in English.
 */
export function keyLabel(keys: string): string {
  const parts = keys.split(' ')
  if (isMac()) return parts.map((part) => SYMBOLS[part] ?? part).join('')
  const { settings, boot } = appStore.getState()
  const words = WORDS[languageOf(settings?.language ?? 'system', boot?.locale ?? navigator.language)]
  // Outside macOS, Ctrl comes first.
  return parts
    .toSorted((a, b) => Number(b === 'mod') - Number(a === 'mod'))
    .map((part) => words[part] ?? part)
    .join('+')
}

/** All keys for the same thing, as the list of shortcuts shows them; empty if this system has none. */
export function keyLabels(name: KeyName): readonly string[] {
  const isWindows = appStore.getState().boot?.platform === 'win32'
  // There are no such keys: Electron binds none for quitting on Windows, and Macs have no menu key.
  if (name === 'quit' && isWindows) return []
  return KEYS[name].filter((keys) => keys !== 'menu' || !isMac()).map(keyLabel)
}

/** The first of the keys, as menus and buttons show it. */
export function firstKey(name: KeyName): string {
  return keyLabels(name)[0] ?? ''
}

interface KeyPress extends Modifiers {
  readonly key: string
  readonly altKey: boolean
}

/** Whether the key press is one of those for `name`. */
export function isKey(event: KeyPress, name: KeyName): boolean {
  return KEYS[name].some((keys) => {
    const parts = keys.split(' ')
    const key = parts.at(-1) ?? ''
    if (key === 'delete') return isDeleteKey(event)
    if (key === 'refresh') return isMac() ? withMod(event) && event.key === 'r' : event.key === 'F5'
    if (key === 'letters') return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (parts.includes('mod') !== withMod(event)) return false
    // On some keyboards, digits and signs need Shift.
    const isSign = key.length === 1 && !/\p{L}/u.test(key)
    if (!isSign && parts.includes('shift') !== event.shiftKey) return false
    return event.key.toLowerCase() === (BROWSER_NAMES[key] ?? key).toLowerCase()
  })
}

/** Whether Cmd (on macOS) or Ctrl (elsewhere) is pressed. */
export function withMod(event: { readonly metaKey: boolean; readonly ctrlKey: boolean }): boolean {
  return isMac() ? event.metaKey : event.ctrlKey
}

/**
 * Whether this key press is the one that `keyLabel('delete')` shows: Cmd+⌫ on macOS, as in the Finder, and
 * Del elsewhere.
 */
export function isDeleteKey(event: { readonly key: string; readonly metaKey: boolean }): boolean {
  return isMac() ? event.metaKey && event.key === 'Backspace' : event.key === 'Delete'
}

/**
 * Whether the event is a repeat of a held key whose action should happen once per press. Otherwise, holding
 * Enter would open a file many times, and holding the delete key would also cancel the uploads that move up
 * after the first one.
 */
export function isHeldAction(event: {
  readonly key: string
  readonly metaKey: boolean
  readonly repeat: boolean
}): boolean {
  return event.repeat && (event.key === 'Enter' || event.key === ' ' || isDeleteKey(event))
}

/** Whether a button or a header that has the focus handles the key itself. */
export function isForControl({ key }: { readonly key: string }): boolean {
  return key === 'Enter' || key === ' ' || key === 'Tab'
}

interface Modifiers {
  readonly shiftKey: boolean
  readonly metaKey: boolean
  readonly ctrlKey: boolean
}

/** Returns how a click on a row changes the selection. */
export function clickGesture(event: Modifiers): Gesture {
  return event.shiftKey ? 'extend' : withMod(event) ? 'toggle' : 'only'
}

/** Returns how an arrow key changes the selection. */
export function arrowGesture(event: Modifiers): Gesture {
  return event.shiftKey ? 'extend' : withMod(event) ? 'move' : 'only'
}

/**
 * Whether a dialog other than the palette is open. Shortcuts must then have no effect, because they would
 * change the window behind it, and the palette must not open over it.
 */
export function isBehindDialog(): boolean {
  return document.querySelector('[role=dialog]:not(.palette), [role=alertdialog]') !== null
}

/**
 * Whether the event's target is a form field or editable text, which handles letters and editing keys itself.
 */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Whether the user last used the pointer, or nothing yet. Lists then draw no focus ring (`data-quiet`). */
export function isQuiet(): boolean {
  return document.documentElement.dataset['quiet'] !== undefined
}

export function setQuiet(isQuietNow: boolean): void {
  document.documentElement.toggleAttribute('data-quiet', isQuietNow)
}
