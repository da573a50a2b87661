// Keeps what the user pastes or drops before an account is connected, until it is uploaded or discarded.
// Clipboard content is written at once to files in a separate folder, because the clipboard may change. For
// dropped files and files copied in a file manager, only the paths are kept; the files themselves are never
// moved or deleted. The list is on disk, so that it survives a reload and a restart.
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Kept } from '../../../src-shared/window-contract.ts'
import { writePrivateFile } from '../../platform/data/private-file.ts'
import { copyInto } from './new-file.ts'

const Saved = z.object({
  items: z.array(
    z.object({
      /**
       * For a written file, only its name in the folder `dir`, so that nothing outside that folder is ever
       * deleted.
       */
      path: z.string().min(1).max(65_536),
      /**
       * `written`: Slipway wrote the file for a paste. `copied`: the user copied it in a file manager, then
       * pasted it. `dropped`: the user dropped it on the window.
       */
      source: z.enum(['written', 'copied', 'dropped']),
    }),
  ),
})

interface Item {
  readonly path: string
  readonly source: z.infer<typeof Saved>['items'][number]['source']
  /**
   * Whether the current trial has uploaded the file. A pasted file is then still kept for the first account.
   */
  isTried: boolean
}

interface KeptUpload {
  readonly paths: readonly string[]
  /** Whether Slipway wrote any of these files itself. */
  readonly pasted: boolean
  /**
   * Call once the files are registered as uploads. Forgets these files, but nothing that was added since.
   * After a trial's upload, pasted files are kept for the first account. If `areUnreadable` is true, no file
   * could be read, and the files that Slipway wrote are kept too.
   */
  done(areUnreadable?: boolean): Promise<void>
}

/** Maximum number of names that the window shows, in addition to the number of files. */
const NAMES_MOST = 3

export class KeptFiles {
  /** The data folder, which contains the list. */
  readonly root: string
  /**
   * The folder for clipboard content. It belongs to no account, so that removing an account doesn't delete
   * it.
   */
  readonly dir: string
  readonly #list: string
  readonly #note: (message: string) => void
  #items: readonly Item[] | null = null
  /** Runs copies and deletions one at a time, so that a discarded file isn't copied. */
  #turn: Promise<unknown> = Promise.resolve()

  /**
   * `root` is the data folder. If the list can't be saved, a method either throws or calls `note` with the
   * reason.
   */
  constructor(root: string, note: (message: string) => void) {
    this.root = root
    this.dir = join(root, 'kept')
    this.#list = join(root, 'kept.json')
    this.#note = note
  }

  /**
   * `pasted`: whether Slipway has written these files to `dir`; otherwise they were copied in a file manager.
   * For copied files, throws if the list can't be written, and then adds nothing.
   */
  addPaste({ paths, pasted }: { readonly paths: readonly string[]; readonly pasted: boolean }): void {
    this.#add(paths, pasted ? 'written' : 'copied')
  }

  /**
   * Throws, and adds nothing, if the list can't be written, because the files would be lost when the app
   * quits.
   */
  addDrop(paths: readonly string[]): void {
    this.#add(paths, 'dropped')
  }

  view(isTrial: boolean): Kept {
    const names = this.#all().flatMap((one) => (isTrial && one.isTried ? [] : [basename(one.path)]))
    return { count: names.length, names: names.slice(0, NAMES_MOST) }
  }

  /**
   * Makes all pasted files available again, even if an earlier trial has uploaded them. Call when a trial
   * starts.
   */
  startTrial(): void {
    for (const one of this.#all()) one.isTried = false
  }

  /**
   * Returns one upload with everything that was pasted, in the order of pasting; null if there is nothing.
   * Files written by Slipway are copied to `dir`, from which the account uploads them. Rejects if the disk
   * fails.
   */
  pastes(dir: string, isTrial: boolean): Promise<KeptUpload | null> {
    return this.#inTurn(async () => {
      const taken = new Map<Item, string>()
      const gone: Item[] = []
      for (const one of this.#all()) {
        if (one.source === 'dropped' || (isTrial && one.isTried)) continue
        const path = one.source === 'written' ? await copyInto(dir, one.path) : one.path
        if (path === null) gone.push(one)
        else taken.set(one, path)
      }
      if (gone.length > 0) this.#set(this.#all().filter((one) => !gone.includes(one)))
      if (taken.size === 0) return null
      return {
        paths: [...taken.values()],
        pasted: [...taken.keys()].some((one) => one.source === 'written'),
        done: (areUnreadable = false) => {
          const over = [...taken.keys()].filter((one) => !areUnreadable || one.source !== 'written')
          for (const one of over) one.isTried = isTrial
          return isTrial ? Promise.resolve() : this.#remove(over)
        },
      }
    })
  }

  /**
   * Returns one upload with everything that was dropped; null if there is nothing. `done` forgets these
   * files, even after a trial's upload.
   */
  drops(): KeptUpload | null {
    const taken = this.#all().filter((one) => one.source === 'dropped')
    if (taken.length === 0) return null
    return { paths: taken.map((one) => one.path), pasted: false, done: () => this.#remove(taken) }
  }

  discard(): Promise<void> {
    return this.#remove(this.#all())
  }

  #add(paths: readonly string[], source: Item['source']): void {
    const all = this.#all()
    // The first call of `#all` also reads the folder, so it may already have found the files that were just
    // written there.
    const added = source === 'written' ? paths.filter((path) => !all.some((one) => one.path === path)) : paths
    const items = [...all, ...added.map((path) => ({ path, source, isTried: false }))]
    // Files that Slipway wrote are found again in `dir` even if the list can't be saved. For all others the
    // list is the only record, so a failure to save it is thrown.
    if (source === 'written') this.#set(items)
    else {
      this.#save(items)
      this.#items = items
    }
  }

  #remove(items: readonly Item[]): Promise<void> {
    return this.#inTurn(async () => {
      // Delete the files before saving the list, because a file in the folder that isn't in the list is added
      // to it at the next start.
      for (const { path, source } of items)
        if (source === 'written') await rm(path, { force: true }).catch(() => undefined)
      this.#set(this.#all().filter((one) => !items.includes(one)))
    })
  }

  #set(items: readonly Item[]): void {
    this.#items = items
    try {
      this.#save(items)
    } catch (error) {
      this.#note(error instanceof Error ? error.message : String(error))
    }
  }

  #save(items: readonly Item[]): void {
    const saved = items.map(({ path, source }) => ({
      path: source === 'written' ? basename(path) : path,
      source,
    }))
    writePrivateFile(this.#list, JSON.stringify({ items: saved } satisfies z.infer<typeof Saved>))
  }

  #all(): readonly Item[] {
    this.#items ??= this.#read()
    return this.#items
  }

  /**
   * Reads the list. Skips written files that are gone, and adds those that the list lacks, for example
   * because it is lost or invalid.
   */
  #read(): readonly Item[] {
    const names = new Set(filesIn(this.dir))
    const items: Item[] = []
    for (const { path, source } of readList(this.#list))
      if (source !== 'written') items.push({ path, source, isTried: false })
      else if (names.delete(path)) items.push({ path: join(this.dir, path), source, isTried: false })
    for (const name of names) items.push({ path: join(this.dir, name), source: 'written', isTried: false })
    return items
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(run)
    this.#turn = next.catch(() => undefined)
    return next
  }
}

function filesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
  } catch {
    return []
  }
}

function readList(file: string): z.infer<typeof Saved>['items'] {
  try {
    return Saved.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data?.items ?? []
  } catch {
    return []
  }
}
