// Puts changes to the app's settings into effect (theme, start at login, menu language, global shortcuts,
// engine limits, proxy). The theme is applied every time, everything else only if its setting has changed
// since the last call. If an effect fails, the others are still applied and the app still starts.
import { nativeTheme } from 'electron'
import { SHORTCUTS, type ShortcutName } from '../../../src-shared/choices.ts'
import type { ManagedSettings } from '../../../src-shared/computer.ts'
import type { NoticeAbout } from '../../../src-shared/events.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { UpdateView } from '../../../src-shared/update.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import { currentPolicy, FRESH_MS, type Policy } from '../../platform/data/policy.ts'
import { bandwidthShares } from '../accounts/account-list.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'
import type { EngineLink } from '../engine/protocol.ts'
import { setAutostart } from './autostart.ts'
import type { Language } from './language.ts'
import { Shortcuts } from './shortcuts.ts'

interface Running {
  readonly link: Pick<EngineLink, 'call' | 'op'>
  /** Whether the engine has unfinished files. */
  readonly isBusy: boolean
}

interface SettingsParts {
  /** All engines of the app. */
  readonly engines: () => readonly Running[]
  readonly settings: AppSettingsFile
  /** Rebuilds the menu in the language of the settings. */
  readonly showMenu: () => void
  readonly onShortcut: (name: ShortcutName) => void
  readonly app: { language(): Language; warn(title: string, hint: string | null, about?: NoticeAbout): void }
  /** Closes the window's notices about this subject. */
  readonly solved: (what: NoticeAbout['what']) => void
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void
}

export class SettingsEffects {
  readonly #parts: SettingsParts
  #applied: AppSettings | null = null
  /** The speed limit last sent to each engine, in bytes per second; null for no limit. */
  readonly #shares = new WeakMap<Running['link'], number | null>()
  readonly #shortcuts: Shortcuts

  constructor(parts: SettingsParts) {
    this.#parts = parts
    this.#shortcuts = new Shortcuts(parts)
  }

  /**
   * Applies the settings that have changed since the last call. `isLoaded` is true if they were read from a
   * file, and false if the user has just chosen them.
   */
  apply(settings: AppSettings, isLoaded = false): void {
    const { engines, settings: file, showMenu } = this.#parts
    const before = this.#applied
    // The settings to return to if an effect fails. Null for loaded settings, because the ones applied before
    // may come from another file, for example that of a trial.
    const previous = isLoaded ? null : before
    nativeTheme.themeSource = settings.theme
    if (before?.openAtLogin !== settings.openAtLogin) this.#setAutostart(settings.openAtLogin, previous)
    if (before?.language !== settings.language) this.#try('menu', showMenu)
    for (const name of SHORTCUTS)
      if (before?.[name] !== settings[name])
        this.#try('shortcut', () => {
          const kept = this.#shortcuts.set(name, settings[name], previous?.[name] ?? null, isLoaded)
          if (kept !== settings[name]) file.change({ [name]: kept })
        })
    if (before?.concurrency !== settings.concurrency || before.bytesPerSecond !== settings.bytesPerSecond)
      this.configureEngines(true)
    if (before !== null && before.proxy !== settings.proxy)
      for (const { link } of engines()) void link.op('proxy', { proxy: settings.proxy })
    this.#applied = file.read()
  }

  /**
   * Sends the concurrency and a share of the speed limit to the engines whose share has changed, or to all
   * engines if `isAll` is true. Pass true when an engine connects, because the journal doesn't store these
   * limits. Pass false when an engine may have become busy or idle.
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

  #setAutostart(on: boolean, before: AppSettings | null): void {
    if (this.#try('autostart', () => setAutostart(on))) return
    const { title, hint } = this.#parts.app.language().texts.autostartFailed
    this.#parts.app.warn(title, hint)
    // A loaded setting is kept, because the cause, such as a full disk, may be temporary. Otherwise the
    // previous value is restored, so that the settings never show a value that has no effect.
    if (before !== null)
      this.#try('settings', () => this.#parts.settings.change({ openAtLogin: before.openAtLogin }))
  }

  /** Applies an effect and returns whether it succeeded. A failure is logged. */
  #try(name: string, effect: () => unknown): boolean {
    try {
      effect()
      return true
    } catch (error) {
      this.#parts.log('settings.effect', {
        name,
        message: error instanceof Error ? error.message : String(error),
      })
      return false
    }
  }
}

// What the policy prescribes and forbids, reported to the window. The engine enforces the policy.

export function managedSettings({ address, forbidden, fault }: Policy = currentPolicy()): ManagedSettings {
  return { address, forbidden: [...forbidden], fault: fault?.reason ?? null }
}

/**
 * Returns a function that sends the policy to the page if it has changed since the last call. Call that
 * function regularly. `update` returns the state of updates, because a policy can turn them off. `policy`
 * must return a new object after each change, even if the change is undone between two calls: a page that was
 * loaded in between may still show the changed policy.
 */
export function createPolicySender({
  tell,
  update,
  policy = currentPolicy,
}: {
  readonly tell: (event: WindowEvent) => void
  readonly update: () => UpdateView
  readonly policy?: () => Policy
}): () => void {
  let told = policy()
  let again: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    const now = policy()
    if (now === told) return
    told = now
    tell({ kind: 'managed', managed: managedSettings(now) })
    tell({ kind: 'update', update: update() })
  }
  return () => {
    look()
    // The files may have changed since they were last read, and the next call may come only much later.
    again ??= setTimeout(() => {
      again = undefined
      look()
    }, FRESH_MS)
    again.unref()
  }
}
