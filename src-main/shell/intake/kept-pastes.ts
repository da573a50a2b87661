// Keeps what the user pastes before an account is connected. Clipboard content is saved at once, because the clipboard may change. It is
// uploaded once there is an account, or deleted if the user discards it. Files copied in a file manager are kept as paths only and never
// moved or deleted.
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Kept } from '../../../src-shared/app.ts'

/** `pasted`: whether Slipway wrote these files itself. */
interface Paste {
  readonly paths: readonly string[]
  readonly pasted: boolean
}

/** The number of names that the window shows, besides a count. */
const NAMES_MOST = 3

export class KeptPastes {
  #pastes: readonly Paste[] = []

  add(paste: Paste): void {
    this.#pastes = [...this.#pastes, paste]
  }

  view(): Kept {
    const names = this.#pastes.flatMap((one) => one.paths.map((path) => basename(path)))
    return { count: names.length, names: names.slice(0, NAMES_MOST) }
  }

  /**
   * Returns all pastes as one upload, in the order of pasting; null if there are none. They are kept until `done` is called. Files written
   * by Slipway are moved to `dir`, from where the account may upload them.
   */
  async all(dir: string): Promise<Paste | null> {
    if (this.#pastes.length === 0) return null
    const moved = this.#pastes.map(async (one) =>
      one.pasted ? { paths: await Promise.all(one.paths.map((path) => moveInto(dir, path))), pasted: true } : one,
    )
    this.#pastes = await Promise.all(moved)
    return { paths: this.#pastes.flatMap((one) => one.paths), pasted: this.#pastes.some((one) => one.pasted) }
  }

  done(): void {
    this.#pastes = []
  }

  async discard(): Promise<void> {
    const own = this.#pastes.filter((one) => one.pasted).flatMap((one) => one.paths)
    this.#pastes = []
    for (const path of own) await rm(path, { force: true }).catch(() => undefined)
  }
}

/** If the move fails, the file stays where it is, and its upload reports the reason. */
async function moveInto(dir: string, path: string): Promise<string> {
  if (dirname(path) === dir) return path
  const to = join(dir, basename(path))
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await rename(path, to)
    return to
  } catch {
    return path
  }
}
