// Folders that were watched before Slipway could copy the links of saved files. Their users were never asked, so the window asks once; a
// folder that is added since is chosen with its own switch.
import type { Folder } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'

export class CopyOffer {
  readonly #settings: Pick<AppSettingsFile, 'read' | 'change'>
  /** The first start that knows the setting; at every later one, all folders have been looked at. */
  readonly #isFirstStart: boolean
  /** Accounts whose folders have been looked at. */
  readonly #seen = new WeakSet<object>()

  constructor(settings: Pick<AppSettingsFile, 'read' | 'change'>) {
    this.#settings = settings
    this.#isFirstStart = settings.read().copyAsk === null
  }

  /** `account`: whose engine has just begun; `folders`: all that it keeps. Returns the settings if they have changed, else null. */
  take(account: object, folders: readonly Pick<Folder, 'path'>[]): AppSettings | null {
    if (!this.#isFirstStart || this.#seen.has(account)) return null
    this.#seen.add(account)
    const { copyAsk, copyFolders } = this.#settings.read()
    const unasked = folders.map((folder) => folder.path).filter((path) => !copyFolders.includes(path))
    return copyAsk !== null && unasked.length === 0 ? null : this.#settings.change({ copyAsk: [...(copyAsk ?? []), ...unasked] })
  }
}
