// Keys as each system writes them, and which of them a page reacts to.
// It listens to nothing.
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

/** Does the person type into a field? Then letters and editing keys are the field's. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
