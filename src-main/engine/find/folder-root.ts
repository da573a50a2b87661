// Checks whether the watched folder itself is available. If the folder is missing, or if an empty mount point or a link has replaced it,
// its uploads wait, and nothing in it counts as deleted.

import { leadsThroughLink } from '../disk/links.ts'
import type { Files } from '../journal/files.ts'
import type { Disk } from '../ports.ts'
import type { Admission } from '../rules/facts.ts'
import type { FolderState } from './folder-state.ts'

export const MISSING = 'The folder is unavailable. Its uploads wait, and nothing counts as deleted.'
const UNPLUGGED = "An empty folder has taken the watched one's place, as if its disk weren't connected. Nothing counts as deleted."
/** Files below a link aren't sent, because the link could later point to other files. */
const LINKED =
  "A link has taken the folder's place, or that of a folder above it. Its uploads wait, and nothing counts as deleted. Watch the folder to which it leads instead."

/** Without this message, files left over from a data folder in, say, the home folder would silently stop all uploads below it. */
function inDataFolder(dir: string): string {
  return `${dir} contains data of Slipway, such as journal.db or accounts.json, so nothing in it is uploaded. If Slipway doesn't use this data any more, move it to another folder.`
}

export class FolderRoot {
  readonly #disk: Disk
  readonly #files: Files
  readonly #state: FolderState
  readonly #admission: Pick<Admission, 'dataFolder'>

  constructor(disk: Disk, files: Files, state: FolderState, admission: Pick<Admission, 'dataFolder'>) {
    this.#disk = disk
    this.#files = files
    this.#state = state
    this.#admission = admission
  }

  /** Checks the root before a scan. Returns null if the scan may begin, otherwise the message to show. Records a new or replaced root. */
  async whyAway(): Promise<string | null> {
    const { row } = this.#state
    const found = await this.#disk.resolve(row.path)
    if ('code' in found || found.entry.kind !== 'dir') return MISSING
    if (await leadsThroughLink(this.#disk, row.path, found.real)) return LINKED
    const dataFolder = await this.#admission.dataFolder(row.path)
    if (dataFolder !== null) return inDataFolder(dataFolder)
    const { dev, ino } = found.entry
    if (row.rootDev === dev && row.rootIno === ino) return null
    // Emptying the folder wouldn't change its inode. So this is another directory, most likely the mount point of a missing disk.
    if (row.rootDev !== null && !this.#files.isEmpty(this.#state.id) && (await this.#isEmptyOnDisk(row.path))) return UNPLUGGED
    this.#state.setRoot(dev, ino)
    return null
  }

  /** Whether the root is still the directory that `whyAway` accepted. False if it can't be resolved. */
  async isSame(): Promise<boolean> {
    const { row } = this.#state
    const found = await this.#disk.resolve(row.path)
    if ('code' in found || found.entry.kind !== 'dir' || (await leadsThroughLink(this.#disk, row.path, found.real))) return false
    return found.entry.dev === row.rootDev && found.entry.ino === row.rootIno
  }

  async #isEmptyOnDisk(path: string): Promise<boolean> {
    const [list] = await this.#disk.list([path])
    return list === undefined || list.failure !== null || list.names === ''
  }
}
