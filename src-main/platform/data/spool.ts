// Stores standard input in a private file until its upload is confirmed, so that it can be sent again after a
// lost response or a crash. An engine deletes the file when the upload is completed or cancelled. If the
// process that stored a file was killed, or if the journal was lost, the file may have no registered upload.
// An engine that starts later then registers one, because the file is the only copy.
import { randomBytes } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import type { Handlers } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { TransferState } from '../../../src-shared/model.ts'
import { type PathStates, peekStates } from '../../engine/journal/peek.ts'
import { errorCode } from '../disk/disk-errors.ts'
import { forPeople } from '../disk/path-codec.ts'
import { realPath } from '../disk/real-path.ts'
import { journalFiles } from './journal-files.ts'
import type { DataPaths } from './paths.ts'
import { renamePatiently } from './patient-rename.ts'

/** Directories are named `stdin-<process>-<random>`. Each contains one file, named as it is uploaded. */
const ENTRY = /^stdin-(\d+)-[0-9a-f]{16}$/
/** The name of such a directory until its file is complete. */
const PARTIAL = /^partial-(\d+)-[0-9a-f]{16}$/

/**
 * Whether `put` created the file. The directory's name means nothing to the user, so callers show only the
 * file's name.
 */
export function isSpooled(path: string): boolean {
  return ENTRY.test(basename(dirname(path)))
}

/**
 * States in which an upload no longer needs its file. A failed upload still does, because it may be retried,
 * and so does a held one.
 */
export const OVER: ReadonlySet<string> = new Set<TransferState>(['done', 'cancelled', 'gone'])

export class EmptyInputError extends Error {}

export interface Spool {
  /**
   * Writes all of `input` to a file with this name and resolves to its real path once it is synced. If the
   * disk or `input` fails or `signal` is aborted, rejects and leaves nothing behind. Rejects with an
   * EmptyInputError if `input` has no bytes.
   */
  put(input: Readable, name: string, signal: AbortSignal): Promise<string>
  /** Deletes a file created by `put`. */
  drop(path: string): Promise<void>
}

export function createSpool(dir: string): Spool {
  const drop = (path: string): Promise<void> => rm(dirname(path), { recursive: true, force: true })
  return {
    put: async (input, name, signal) => {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const root = String(await realPath(dir))
      const id = `${process.pid}-${randomBytes(8).toString('hex')}`
      const partial = join(root, `partial-${id}`)
      const path = join(root, `stdin-${id}`, name)
      await mkdir(partial, { mode: 0o700 })
      try {
        const file = await open(join(partial, name), 'wx', 0o600)
        try {
          for await (const chunk of addAbortSignal(signal, input)) await file.appendFile(chunk)
          if ((await file.stat()).size === 0) throw new EmptyInputError()
          await file.sync()
        } finally {
          await file.close()
        }
        await syncDirectory(partial)
        await renamePatiently(partial, dirname(path))
        await syncDirectory(root)
        return path
      } catch (error) {
        await drop(join(partial, name))
        await drop(path)
        throw error
      }
    },
    drop,
  }
}

async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export interface SpoolCleaner {
  readonly close: () => void
}

/**
 * Deletes the files of uploads that have ended, now and whenever another upload ends. Also handles, once, the
 * files left behind by processes that have ended: incomplete files are deleted, and complete files that the
 * journal doesn't know are registered for upload.
 */
export function cleanSpool(options: {
  readonly dir: string
  readonly handlers: Pick<Handlers, 'transfers' | 'upload'>
  readonly onEvent: (listener: (event: EngineEvent) => void) => () => void
  readonly isAlive: (pid: number) => boolean
}): SpoolCleaner {
  const { dir, handlers } = options
  const remove = (name: string): void =>
    void rm(join(dir, name), { recursive: true, force: true }).catch(() => undefined)

  const stop = options.onEvent((event) => {
    if (event.kind !== 'transfers') return
    for (const item of event.items) {
      const name = OVER.has(item.state) ? entryOf(item.path) : null
      if (name !== null) remove(name)
    }
  })

  const sweep = async (): Promise<void> => {
    for (const name of await readdir(dir).catch(() => [])) {
      const writer = PARTIAL.exec(name)?.[1]
      if (writer !== undefined && !options.isAlive(Number(writer))) remove(name)
      const pid = ENTRY.exec(name)?.[1]
      if (pid === undefined) continue
      const rows = await handlers.transfers({
        folderId: null,
        states: [],
        afterId: 0,
        limit: 100,
        search: name,
      })
      if (!rows.ok) return
      const mine = rows.value.filter((row) => entryOf(row.path) === name)
      if (mine.length > 0 && mine.every((row) => OVER.has(row.state))) remove(name)
      if (mine.length > 0 || options.isAlive(Number(pid))) continue
      // An entry that can't be read, for example because it belongs to root, must not keep the others from
      // being registered.
      const paths = (await readdir(join(dir, name)).catch(() => [])).map((file) => join(dir, name, file))
      if (paths.length > 0)
        await handlers.upload({ paths, again: false, token: name, pasted: true, later: true })
    }
  }
  sweep().catch(() => undefined)
  return { close: stop }

  /** The name of the spool directory that contains this path; null if the path is elsewhere. */
  function entryOf(path: string): string | null {
    const place = dirname(forPeople(path))
    const name = basename(place)
    return ENTRY.test(name) && place.endsWith(`${basename(dir)}${sep}${name}`) ? name : null
  }
}

/** Whether a process with this ID is running, even if it belongs to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

// Counts an account's pasted and piped items whose uploads haven't ended. Slipway may have the only copies,
// and removing the account deletes them. No engine needs to be running.

/**
 * Returns the number of items, including those that the journal doesn't list. Counts every item if the
 * journal can't be read.
 */
export function countUnsentPastes({ pasted, journal }: Pick<DataPaths, 'pasted' | 'journal'>): number {
  const files = filesIn(pasted)
  const known = files.length === 0 ? null : peekStates(journal, files, journalFiles)
  const states: PathStates = known === null || known === 'unreadable' ? new Map() : known
  return files.filter((file) => {
    const found = states.get(file) ?? []
    return found.length === 0 || found.some((state) => !OVER.has(state))
  }).length
}

/**
 * The real paths of all files, as the journal stores them. Piped content is in subfolders (data/spool.ts).
 */
function filesIn(dir: string): readonly string[] {
  try {
    const real = realpathSync(dir)
    return readdirSync(real, { withFileTypes: true, recursive: true }).flatMap((one) => {
      const path = join(one.parentPath, one.name)
      return one.isFile() && (one.parentPath === real || isSpooled(path)) ? [path] : []
    })
  } catch {
    return []
  }
}
