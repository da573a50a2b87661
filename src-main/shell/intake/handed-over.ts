// Hands files and actions over from one start of the app to another, through lists in the data folder.
// Chromium's message to a running app holds 32 KiB and ends at some names, and an app that quits ignores it; a
// list holds any, and outlives both processes.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from '../../platform/data/private-file.ts'
import { QuickAction } from './given-files.ts'

const Saved = z.object({
  files: z.array(
    z
      .string()
      .max(65_536)
      .refine((file) => isAbsolute(file) && !file.includes('\0')),
  ),
  copyLink: z.boolean(),
  action: QuickAction.optional(),
})
export interface HandedOver {
  /** Absolute paths. */
  readonly files: readonly string[]
  /** Whether the links are copied regardless of the settings. */
  readonly copyLink: boolean
  readonly action?: QuickAction | undefined
}

/** `root` is the data folder. Throws if the list can't be written. */
export function handOver(root: string, { files, copyLink, action }: HandedOver): void {
  if (files.length > 0) save(root, { files, copyLink })
  // A list of its own, because an action is carried out once, but files until the engine has them.
  if (action !== undefined) save(root, { files: [], copyLink, action })
}

/** Number of lists that this process has written. */
let written = 0

function save(root: string, handed: HandedOver): void {
  // The names order the lists by time, and those of one millisecond as they were written.
  const [at, order] = [String(Date.now()).padStart(15, '0'), String(written++).padStart(6, '0')]
  const name = `${at}-${order}-${randomUUID()}.json`
  writePrivateFile(join(folderOf(root), name), JSON.stringify(handed))
}

/** What another start was given. Its list stays until `done`, so that the files outlive this process. */
interface Handed extends HandedOver {
  /** Call once the files are uploads of the engine's, or once the user knows that they can't be. */
  readonly done: () => void
  /** Call if nothing has become of them. The next call of `takeHandedOver` returns them again. */
  readonly failed: () => void
}

/** The lists that this process has taken and not finished. */
const taken = new Set<string>()

/** Returns all that was handed over and isn't taken yet, oldest first. */
export function takeHandedOver(root: string): readonly Handed[] {
  const folder = folderOf(root)
  return listsIn(folder).flatMap((name) => {
    const list = join(folder, name)
    if (taken.has(list)) return []
    const failed = (): void => void taken.delete(list)
    const done = (): void => {
      failed()
      try {
        rmSync(list, { force: true })
      } catch {
        // The next start uploads the files again, which the engine recognizes.
      }
    }
    try {
      const read = Saved.safeParse(JSON.parse(readFileSync(list, 'utf8')))
      if (!read.success) {
        done()
        return []
      }
      taken.add(list)
      return [{ ...read.data, done, failed }]
    } catch {
      // A list that can't be read stays for a later start.
      return []
    }
  })
}

const folderOf = (root: string): string => join(root, 'handed-over')

function listsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
  } catch {
    return []
  }
}
