// Puts changes to the app's settings into effect (theme, start at login, menu language, global shortcut, engine limits, proxy). It
// remembers what it last applied, so that only changed settings are applied again (apart from the theme).
import { globalShortcut, nativeTheme } from 'electron'
import type { AppSettings } from '../../../src-shared/settings.ts'
import { bandwidthShares } from '../accounts/account-list.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'
import type { EngineLink } from '../engine/protocol.ts'
import { setAutostart } from './autostart.ts'

interface Running {
  readonly link: Pick<EngineLink, 'call' | 'op'>
  /** Whether the engine has files to send. */
  readonly isBusy: boolean
}

interface SettingsParts {
  /** All engines of the app. */
  readonly engines: () => readonly Running[]
  readonly settings: AppSettingsFile
  /** Rebuilds the menu in the language of the settings. */
  readonly showMenu: () => void
  readonly onShortcut: () => void
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void
}

export class SettingsEffects {
  readonly #parts: SettingsParts
  #applied: AppSettings | null = null
  /** The speed limit last sent to each engine, in bytes per second; null for no limit. */
  readonly #shares = new WeakMap<Running['link'], number | null>()

  constructor(parts: SettingsParts) {
    this.#parts = parts
  }

  apply(settings: AppSettings): void {
    const { engines, settings: file, showMenu } = this.#parts
    const before = this.#applied
    nativeTheme.themeSource = settings.theme
    if (before?.openAtLogin !== settings.openAtLogin) setAutostart(settings.openAtLogin)
    if (before?.language !== settings.language) showMenu()
    if (before?.shortcut !== settings.shortcut) this.#setShortcut(settings.shortcut, before?.shortcut ?? null)
    if (before?.concurrency !== settings.concurrency || before.bytesPerSecond !== settings.bytesPerSecond) this.configureEngines(true)
    if (before !== null && before.proxy !== settings.proxy)
      for (const { link } of engines()) void link.op('proxy', { proxy: settings.proxy })
    this.#applied = file.read()
  }

  /**
   * Sends the concurrency and a share of the speed limit to the engines whose share has changed, or to all of them if `isAll`. Call with
   * `isAll` when an engine connects, since the journal doesn't store these limits, and without it when an engine may have become busy or
   * idle, since that changes the shares.
   */
  configureEngines(isAll: boolean): void {
    const { concurrency, bytesPerSecond } = this.#parts.settings.read()
    const engines = this.#parts.engines()
    const shares = bandwidthShares(
      bytesPerSecond,
      engines.map((one) => one.isBusy),
    )
    for (const [at, { link }] of engines.entries()) {
      const share = shares[at] ?? null
      if (!isAll && this.#shares.get(link) === share) continue
      this.#shares.set(link, share)
      void link.call('configure', { concurrency, bytesPerSecond: share })
    }
  }

  #setShortcut(keys: string | null, before: string | null): void {
    globalShortcut.unregisterAll()
    if (keys === null || this.#register(keys)) return
    // The shortcut is invalid or another program uses it. Restore the previous one if it is still free, so that the settings never show one
    // that doesn't work.
    this.#parts.settings.change({ shortcut: before !== null && this.#register(before) ? before : null })
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
