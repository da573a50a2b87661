// Finds folders that were watched before Slipway could copy the links of saved files. The user was never
// asked whether to copy links from these folders, so the window asks once.
import type { Folder } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'

export class CopyOffer {
  readonly #settings: Pick<AppSettingsFile, 'read' | 'change'>
  /**
   * Whether this is the first start of a version that has the setting `copyAsk`. On later starts, no folders
   * are checked.
   */
  readonly #isFirstStart: boolean
  /** Accounts whose folders have been checked. */
  readonly #seen = new WeakSet<object>()

  constructor(settings: Pick<AppSettingsFile, 'read' | 'change'>) {
    this.#settings = settings
    this.#isFirstStart = settings.read().copyAsk === null
  }

  /**
   * On the first start of a version with `copyAsk`, adds an account's folders to those that the window asks
   * about. Call with all of the account's folders when its engine starts. Returns the changed settings; null
   * if nothing changed. Throws if the settings can't be written.
   */
  take(account: object, folders: readonly Pick<Folder, 'path'>[]): AppSettings | null {
    if (!this.#isFirstStart || this.#seen.has(account)) return null
    this.#seen.add(account)
    const { copyAsk, copyFolders } = this.#settings.read()
    const unasked = folders.map((folder) => folder.path).filter((path) => !copyFolders.includes(path))
    return copyAsk !== null && unasked.length === 0
      ? null
      : this.#settings.change({ copyAsk: [...(copyAsk ?? []), ...unasked] })
  }
}
