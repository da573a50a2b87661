// Combines files that arrive one by one into a single drop. Explorer starts the program once per selected
// file, and macOS sends one event per file. If each file were a separate drop, its copied link would replace
// the previous file's link.
import type { Boot } from '../../../src-shared/window-contract.ts'

/**
 * Files that arrive within this interval belong together. Starting a program takes about this long on a slow
 * machine.
 */
const QUIET_MS = 700
/** Maximum time that the first file waits. */
const MOST_MS = 5000

interface Parts {
  readonly platform: Boot['platform']
  /** Resolves to false if nothing has become of the files yet. */
  readonly upload: (files: readonly string[], copyLink: boolean) => Promise<boolean>
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Returns a function that cancels the timer. */
  readonly after: (ms: number, run: () => void) => () => void
}

/** Called with what `upload` resolves to. */
type Settle = (areTaken: boolean) => void

interface Group {
  readonly files: Set<string>
  readonly settle: Settle[]
  readonly since: number
  cancel: () => void
}

export class Gathering {
  readonly #parts: Parts
  /** The open groups, keyed by whether the group's links are copied regardless of the settings. */
  readonly #groups = new Map<boolean, Group>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Uploads the files together with those that follow shortly. On Linux, file managers pass all files at
   * once, so they are uploaded without waiting.
   */
  add(files: readonly string[], copyLink: boolean, settle: Settle = () => undefined): void {
    const { platform, upload, now, after } = this.#parts
    if (platform === 'linux' || platform === 'other') {
      void upload(files, copyLink).then(settle)
      return
    }
    const group = this.#groups.get(copyLink) ?? {
      files: new Set<string>(),
      settle: [],
      since: now(),
      cancel: () => undefined,
    }
    group.cancel()
    for (const file of files) group.files.add(file)
    group.settle.push(settle)
    this.#groups.set(copyLink, group)
    group.cancel = after(Math.max(0, Math.min(QUIET_MS, group.since + MOST_MS - now())), () => {
      this.#groups.delete(copyLink)
      void upload([...group.files], copyLink).then((areTaken) => {
        for (const one of group.settle) one(areTaken)
      })
    })
  }

  /** Ends all groups that still wait, and returns them without uploading them. Call when the app quits. */
  end(): readonly { readonly files: readonly string[]; readonly copyLink: boolean }[] {
    const groups = [...this.#groups]
    this.#groups.clear()
    for (const [, group] of groups) group.cancel()
    return groups.map(([copyLink, { files }]) => ({ files: [...files], copyLink }))
  }
}
