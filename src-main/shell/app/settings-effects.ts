// What a change of settings changes outside of the engine's journal: theme, start at login, menu language, global shortcut, limits of the
// engine, proxy. Compares with what was applied last, so that nothing is set twice.
import { globalShortcut, nativeTheme } from 'electron'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { EngineLink } from '../engine/protocol.ts'
import type { ShellStore } from '../engine/store.ts'
import { setAutostart } from './autostart.ts'

interface SettingsParts {
  readonly link: EngineLink
  readonly store: ShellStore
  /** The menu in the language of the settings. */
  readonly showMenu: () => void
  readonly onShortcut: () => void
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void
}

export class SettingsEffects {
  readonly #parts: SettingsParts
  #applied: AppSettings | null = null

  constructor(parts: SettingsParts) {
    this.#parts = parts
  }

  apply(settings: AppSettings): void {
    const { link, store, showMenu } = this.#parts
    const before = this.#applied
    nativeTheme.themeSource = settings.theme
    if (before?.openAtLogin !== settings.openAtLogin) setAutostart(settings.openAtLogin)
    if (before?.language !== settings.language) showMenu()
    if (before?.shortcut !== settings.shortcut) this.#setShortcut(settings.shortcut, before?.shortcut ?? null)
    if (before?.concurrency !== settings.concurrency || before.bytesPerSecond !== settings.bytesPerSecond) this.configureEngine(settings)
    if (before !== null && before.proxy !== settings.proxy) void link.op('proxy', { proxy: settings.proxy })
    this.#applied = store.settings()
  }

  /** To every engine that starts to answer as well. */
  configureEngine({ concurrency, bytesPerSecond }: AppSettings): void {
    void this.#parts.link.call('configure', { concurrency, bytesPerSecond })
  }

  #setShortcut(keys: string | null, before: string | null): void {
    globalShortcut.unregisterAll()
    if (keys === null || this.#register(keys)) return
    // Another program holds these keys, or they are not valid: the settings must not show a shortcut that doesn't work.
    if (before !== null) this.#register(before)
    this.#parts.store.change({ shortcut: before })
  }

  #register(keys: string): boolean {
    try {
      return globalShortcut.register(keys, this.#parts.onShortcut)
    } catch (error) {
      this.#parts.log('shortcut.refused', { message: error instanceof Error ? error.message : String(error) })
      return false
    }
  }
}
