// Finds out whether the disk at a directory ignores letter case in names, as those of Windows and macOS usually do. Ignore rules then ignore
// it, too, as in git. Only looks names up: nothing is written.
import { basename, dirname } from 'node:path'
import { absolute } from '../disk/rel-path.ts'
import type { Clock, Disk, DiskFailure, Entry } from '../ports.ts'
import { RULES_FILE } from './ignore-rules.ts'

/** A disk hardly ever changes this, but another one may be mounted at the same path. */
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

  /** Whether names in this directory (absolute path) are found in any case. If the disk fails, the last answer holds, at first false. */
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

  /** Looks up a name that exists in the directory, or else the directory's own name, in the other case. Null if the disk fails. */
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
    // The name of a mount point or a drive is looked up on another disk, if at all.
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

/** The name with its letters from A to Z in the other case, which every disk that ignores case treats as the same. */
function otherCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
}

function isEntry(found: Found): found is Entry {
  return found !== null && found !== undefined && !('code' in found)
}

/** Whether both are one file. Where a disk has no inode numbers, it is FAT, which ignores case. */
function isSame(one: Entry, other: Found): boolean {
  return isEntry(other) && other.ino === one.ino && other.dev === one.dev
}
