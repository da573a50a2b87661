// Finds out whether a directory's disk ignores letter case in names, as is usual on Windows and macOS. If so, ignore rules do the same, as
// in git. Only looks up names and writes nothing.
import { basename, dirname } from 'node:path'
import { absolute } from '../disk/rel-path.ts'
import type { Clock, Disk, DiskFailure, Entry } from '../ports.ts'
import { RULES_FILE } from './ignore-rules.ts'

/** How long a result is cached. A disk hardly ever changes its behaviour, but another disk may be mounted at the same path. */
const FRESH_MS = 10 * 60_000
const DIRECTORIES_MAX = 5000

type Found = Entry | DiskFailure | null | undefined

export class LetterCase {
  readonly #disk: Pick<Disk, 'list' | 'stat'>
  readonly #clock: Pick<Clock, 'mono'>
  /** `at`: monotonic milliseconds. */
  readonly #known = new Map<string, { readonly at: number; readonly isIgnored: boolean }>()

  constructor(disk: Pick<Disk, 'list' | 'stat'>, clock: Pick<Clock, 'mono'>) {
    this.#disk = disk
    this.#clock = clock
  }

  /** Whether names in this directory (absolute path) are found in any letter case. If the disk fails, returns the last result or false. */
  async isIgnored(dir: string): Promise<boolean> {
    const known = this.#known.get(dir)
    const now = this.#clock.mono()
    if (known !== undefined && now - known.at < FRESH_MS) return known.isIgnored
    const isIgnored = await this.#probe(dir)
    if (isIgnored === null) return known?.isIgnored ?? false
    if (this.#known.size > DIRECTORIES_MAX) this.#known.clear()
    this.#known.set(dir, { at: now, isIgnored })
    return isIgnored
  }

  /**
   * Looks up an existing name with the case of its letters swapped: that of the rules file, of the directory itself or, at a mount point,
   * of any entry. Null if the disk fails, or if a mount point has no entry whose name contains a letter.
   */
  async #probe(dir: string): Promise<boolean | null> {
    const parent = dirname(dir)
    const name = basename(dir)
    const [self, above, renamed, rules, otherRules] = await this.#disk.stat([
      dir,
      parent,
      absolute(parent, '', otherCase(name)),
      absolute(dir, '', RULES_FILE),
      absolute(dir, '', otherCase(RULES_FILE)),
    ])
    if (isEntry(rules)) return isSame(rules, otherRules)
    if (!isEntry(self) || !isEntry(above)) return null
    // The name of a mount point belongs to another disk, and a drive's root has no name.
    if (parent === dir || self.dev !== above.dev) return this.#probeInside(dir)
    return otherCase(name) === name ? this.isIgnored(parent) : isSame(self, renamed)
  }

  async #probeInside(dir: string): Promise<boolean | null> {
    const [list] = await this.#disk.list([dir])
    if (list === undefined || list.failure !== null) return null
    const name = list.names.split('/').find((one) => otherCase(one) !== one)
    if (name === undefined) return null
    const [one, other] = await this.#disk.stat([absolute(dir, '', name), absolute(dir, '', otherCase(name))])
    return isEntry(one) ? isSame(one, other) : null
  }
}

/** Swaps the case of the letters A to Z. Every disk that ignores case treats the result as the same name. */
function otherCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
}

function isEntry(found: Found): found is Entry {
  return found !== null && found !== undefined && !('code' in found)
}

/** Whether both are the same file. Files without inode numbers count as the same: only FAT lacks such numbers, and it ignores case. */
function isSame(one: Entry, other: Found): boolean {
  return isEntry(other) && other.ino === one.ino && other.dev === one.dev
}
