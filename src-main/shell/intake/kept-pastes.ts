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

/** All pastes that were kept when the upload began. `done` removes these, and no paste that was added since. */
interface KeptUpload extends Paste {
  readonly done: () => void
}

/** The number of names that the window shows, besides a count. */
const NAMES_MOST = 3

export class KeptPastes {
  #pastes: readonly { paths: readonly string[]; readonly pasted: boolean }[] = []
  /** Runs moves and deletions one at a time, so that discarded files are deleted wherever a move has put them. */
  #turn: Promise<unknown> = Promise.resolve()

  add(paste: Paste): void {
    this.#pastes = [...this.#pastes, { ...paste }]
  }

  view(): Kept {
    const names = this.#pastes.flatMap((one) => one.paths.map((path) => basename(path)))
    return { count: names.length, names: names.slice(0, NAMES_MOST) }
  }

  /**
   * Returns all pastes as one upload, in the order of pasting; null if there are none. They are kept until its `done` is called. Files
   * written by Slipway are moved to `dir`, from where the account may upload them.
   */
  all(dir: string): Promise<KeptUpload | null> {
    return this.#inTurn(async () => {
      const before = this.#pastes
      for (const one of before) if (one.pasted) one.paths = await Promise.all(one.paths.map((path) => moveInto(dir, path)))
      // An upload that began earlier may have ended in the meantime.
      const taken = before.filter((one) => this.#pastes.includes(one))
      if (taken.length === 0) return null
      return {
        paths: taken.flatMap((one) => one.paths),
        pasted: taken.some((one) => one.pasted),
        done: () => {
          this.#pastes = this.#pastes.filter((one) => !taken.includes(one))
        },
      }
    })
  }

  discard(): Promise<void> {
    return this.#inTurn(async () => {
      const own = this.#pastes.filter((one) => one.pasted).flatMap((one) => one.paths)
      this.#pastes = []
      for (const path of own) await rm(path, { force: true }).catch(() => undefined)
    })
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(run)
    this.#turn = next.catch(() => undefined)
    return next
  }
}

/** Moves the file to `dir` and returns its new path, or the old one if that fails. The upload then reports the reason. */
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
