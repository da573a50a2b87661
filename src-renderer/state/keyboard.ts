// Handles the keyboard differences between platforms: how shortcuts are displayed, which modifier key
// triggers commands, and what a modified click or arrow key does. It also checks whether key presses are
// meant for a dialog or a text field, and knows whether the user works with the keyboard.
import { type LanguageCode, languageOf } from '../../src-shared/i18n/language.ts'
import type { Gesture } from '../lib/list-navigation.ts'
import { appStore } from './store.ts'

function isMac(): boolean {
  return appStore.getState().boot?.platform === 'darwin'
}

const SYMBOLS: Readonly<Record<string, string>> = {
  mod: '⌘',
  shift: '⇧',
  alt: '⌥',
  enter: '↩',
  delete: '⌘⌫',
  refresh: '⌘R',
}
/** The names that are printed on the keys of each language's keyboards. */
const WORDS: Readonly<Record<LanguageCode, Readonly<Record<string, string>>>> = {
  en: { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', delete: 'Del', refresh: 'F5' },
  de: { mod: 'Strg', shift: 'Umschalt', alt: 'Alt', enter: 'Eingabe', delete: 'Entf', refresh: 'F5' },
}

/**
 * `keyLabel('shift mod V')` is `⇧⌘V` on macOS. Elsewhere it uses the key names of the window's language:
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
