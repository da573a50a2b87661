// Provides the app's settings, which all accounts share. They are kept in memory and written to a file. The
// command line may also write the file, so it is reread before every change.
import type { AppSettings, SettingsPatch } from '../../../src-shared/settings.ts'
import { readSettings, writeSettings } from '../../platform/data/settings.ts'

export interface AppSettingsFile {
  read(): AppSettings
  change(patch: SettingsPatch): AppSettings
  /**
   * Stores the address of the first account. Earlier versions, commands without an account, and the code that
   * rebuilds the list of accounts read this address.
   */
  setBaseUrl(baseUrl: string): void
  onChange(listener: () => void): void
  /** Reads the settings again. Call when `file()` starts returning a different path. */
  reread(): AppSettings
  /** What was wrong with the file when it was first read; null if it was valid. */
  readonly message: string | null
}

/** `file` returns the path of the settings file, which is a different one during a trial. */
export function createAppSettings(file: () => string, now: () => number): AppSettingsFile {
  const first = readSettings(file(), now())
  let settings = first.settings.app
  const listeners = new Set<() => void>()
  return {
    read: () => settings,
    change: (patch) => {
      const { settings: read } = readSettings(file(), now())
      const definite = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
      settings = { ...read.app, ...definite }
      writeSettings(file(), { ...read, app: settings })
      for (const listener of listeners) listener()
      return settings
    },
    reread: () => {
      settings = readSettings(file(), now()).settings.app
      for (const listener of listeners) listener()
      return settings
    },
    setBaseUrl: (baseUrl) => {
      const { settings: read } = readSettings(file(), now())
      if (read.baseUrl !== baseUrl) writeSettings(file(), { ...read, baseUrl })
    },
    onChange: (listener) => listeners.add(listener),
    message: first.message,
  }
}
