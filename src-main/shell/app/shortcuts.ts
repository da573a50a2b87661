// Registers the global shortcuts of the settings. If another program uses a stored one, its registration is
// retried, because that program may release it later; one that the user has just chosen is rejected instead,
// and the previous one restored.
import { globalShortcut } from 'electron'
import type { ShortcutName } from '../../../src-shared/choices.ts'
import type { NoticeAbout } from '../../../src-shared/events.ts'
import { after } from '../../platform/time.ts'

const RETRY_MS = 60_000
/** The subject of the notices that are shown until every shortcut is registered or replaced. */
const TAKEN = 'shortcut-taken'

interface ShortcutParts {
  readonly onShortcut: (name: ShortcutName) => void
  readonly app: { warn(title: string, hint: string | null, about?: NoticeAbout): void }
  /** Closes the window's notices about this subject. */
  readonly solved: (what: NoticeAbout['what']) => void
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void
}

export class Shortcuts {
  readonly #parts: ShortcutParts
  readonly #registered = new Map<ShortcutName, string>()
  /** Cancels the next attempt, for each shortcut that another program uses. */
  readonly #retries = new Map<ShortcutName, () => void>()

  constructor(parts: ShortcutParts) {
    this.#parts = parts
  }

  /**
   * Replaces the shortcut `name` by `keys`, or else by `before`. Returns what the settings keep. `isLoaded` is
   * false if the user has just chosen `keys`.
   */
  set(name: ShortcutName, keys: string | null, before: string | null, isLoaded: boolean): string | null {
    const wasWaiting = this.#release(name)
    const kept = this.#choose(name, keys, isLoaded) ? keys : this.#restore(name, before, wasWaiting)
    if (wasWaiting) this.#solvedIfAll()
    return kept
  }

  /** Returns whether the registration was being retried. */
  #release(name: ShortcutName): boolean {
    const registered = this.#registered.get(name)
    if (registered !== undefined) globalShortcut.unregister(registered)
    this.#registered.delete(name)
    this.#retries.get(name)?.()
    return this.#retries.delete(name)
  }

  /** Registers the shortcut and returns whether the settings keep it. */
  #choose(name: ShortcutName, keys: string | null, isLoaded: boolean): boolean {
    const isRegistered = keys === null || this.#register(name, keys)
    if (keys === null || isRegistered === true) return true
    if (!isLoaded || isRegistered === null) return false
    this.#parts.app.warn(`Couldn't register the shortcut ${keys}.`, null, {
      what: TAKEN,
      name: keys,
      count: 0,
    })
    this.#registerLater(name, keys)
    return true
  }

  /**
   * Registers the previous shortcut again and returns it. Returns null if that fails, so that the settings
   * don't show a shortcut that doesn't work. If its registration was already being retried (`wasWaiting`), the
   * shortcut is returned nevertheless, and the retries continue.
   */
  #restore(name: ShortcutName, before: string | null, wasWaiting: boolean): string | null {
    const isRegistered = before === null ? null : this.#register(name, before)
    if (before === null || isRegistered === null || !(isRegistered || wasWaiting)) return null
    if (!isRegistered) this.#registerLater(name, before)
    return before
  }

  #registerLater(name: ShortcutName, keys: string): void {
    const cancel = after(RETRY_MS, () => {
      this.#retries.delete(name)
      if (this.#register(name, keys) === false) this.#registerLater(name, keys)
      else this.#solvedIfAll()
    })
    this.#retries.set(name, cancel)
  }

  #solvedIfAll(): void {
    if (this.#retries.size === 0) this.#parts.solved(TAKEN)
  }

  /** Returns false if another program or another setting uses the shortcut, and null if it is invalid. */
  #register(name: ShortcutName, keys: string): boolean | null {
    try {
      if (!globalShortcut.register(keys, () => this.#parts.onShortcut(name))) return false
      this.#registered.set(name, keys)
      return true
    } catch (error) {
      this.#parts.log('shortcut.refused', { message: error instanceof Error ? error.message : String(error) })
      return null
    }
  }
}
