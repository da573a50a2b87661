// The keyboard of this platform: how keys are written, which modifier means a command, and what a modified click or arrow key does.
// It registers no listener.
import type { Gesture } from '../lib/list-navigation.ts'
import { appStore } from './store.ts'

function isMac(): boolean {
  return appStore.getState().boot?.platform === 'darwin'
}

const SYMBOLS: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↩', delete: '⌫' }
const WORDS: Readonly<Record<string, string>> = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', delete: 'Del' }

/** `keyLabel('shift mod V')` is `⇧⌘V` on macOS and `Ctrl+Shift+V` elsewhere. */
export function keyLabel(keys: string): string {
  const parts = keys.split(' ')
  if (isMac()) return parts.map((part) => SYMBOLS[part] ?? part).join('')
  // Elsewhere Ctrl comes first.
  return parts
    .toSorted((a, b) => Number(b === 'mod') - Number(a === 'mod'))
    .map((part) => WORDS[part] ?? part)
    .join('+')
}

/** Cmd on macOS, Ctrl elsewhere. */
export function withMod(event: { readonly metaKey: boolean; readonly ctrlKey: boolean }): boolean {
  return isMac() ? event.metaKey : event.ctrlKey
}

interface Modifiers {
  readonly shiftKey: boolean
  readonly metaKey: boolean
  readonly ctrlKey: boolean
}

/** What a click on a row does to the selection. */
export function clickGesture(event: Modifiers): Gesture {
  return event.shiftKey ? 'extend' : withMod(event) ? 'toggle' : 'only'
}

/** What an arrow key does to the selection. */
export function arrowGesture(event: Modifiers): Gesture {
  return event.shiftKey ? 'extend' : withMod(event) ? 'move' : 'only'
}

/** True while the event's target is a text field, whose letters and editing keys are its own. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
