// The mover port over the disk in memory. Directories below `/media` are another drive, `/media/fat` one without
// second names; the bin is `/home/bin`, with a note for each of its files, or one that the system alone fills. What is
// denied can't be written.
import { basename, dirname } from 'node:path'
import type { DiskFailure, Mover, PlaceResult } from '../../src-main/engine/ports.ts'
import type { MemDisk } from './mem-disk.ts'

interface MoveStep {
  readonly at: 'before' | 'after'
  readonly what: 'link' | 'copy' | 'rename' | 'remove' | 'reserve' | 'forget' | 'trash'
  readonly from: string
  readonly to: string
}

/** What it returns holds the move up; `full`: the drive has no space for the copy. */
export type OnMove = (step: MoveStep) => Promise<void> | 'full' | undefined

export const BIN = '/home/bin'
const OTHER_DRIVE = '/media'
const NO_NAMES = '/media/fat'

function driveOf(path: string): string {
  return [NO_NAMES, OTHER_DRIVE].find((root) => path.startsWith(`${root}/`)) ?? '/'
}

export function createWorldMover(
  disk: MemDisk,
  onMove: OnMove = () => undefined,
  isSystemBin = false,
): Mover {
  const step = async <T>(
    what: MoveStep['what'],
    from: string,
    to: string,
    run: () => T | Promise<T>,
  ): Promise<T> => {
    const isFull = (await onMove({ at: 'before', what, from, to })) === 'full'
    const result = isFull ? ({ code: 'io', message: 'no space left' } as T) : await run()
    await onMove({ at: 'after', what, from, to })
    return result
  }
  const has = (path: string): boolean => disk.peek(path) !== 'gone'
  const fault = async (...paths: readonly string[]): Promise<DiskFailure | null> => {
    for (const path of paths) {
      const [dir] = await disk.stat([dirname(path)])
      if (dir == null) return { code: 'gone', message: 'gone' }
      const inside = (await disk.list([dirname(path)]))[0]
      if (inside?.failure != null) return inside.failure
    }
    return null
  }
  const place = async (from: string, to: string, run: () => void): Promise<PlaceResult> => {
    const failed = await fault(from, to)
    if (failed !== null) return failed
    if (has(to)) return 'taken'
    if (!has(from)) return { code: 'gone', message: 'gone' }
    run()
    return 'made'
  }
  const trash = (path: string): Promise<DiskFailure | null> =>
    step('trash', path, BIN, () => {
      disk.rename(path, `${BIN}/${basename(path)}`)
      return null
    })
  return {
    link: (from, to) =>
      step('link', from, to, async () =>
        driveOf(from) === driveOf(to) && driveOf(to) !== NO_NAMES
          ? place(from, to, () => disk.link(from, to))
          : 'other-drive',
      ),
    copy: (from, to) =>
      step('copy', from, to, () =>
        place(from, to, () => {
          const source = disk.peek(from)
          if (typeof source === 'string') throw new Error(source)
          disk.write(to, Buffer.from(source.data))
          disk.setMtime(to, source.entry.mtime)
        }),
      ),
    rename: (from, to) =>
      step('rename', from, to, async () => {
        const failed = await fault(from, to)
        if (failed !== null) return failed
        if (!has(from)) return { code: 'gone', message: 'gone' }
        disk.rename(from, to)
        return null
      }),
    remove: (path) =>
      step('remove', path, path, async () => {
        const failed = await fault(path)
        if (failed !== null) return failed
        if (!has(path)) return { code: 'gone', message: 'gone' }
        disk.remove(path)
        return null
      }),
    sync: async () => undefined,
    bin: isSystemBin
      ? { trash }
      : {
          reserve: (from) =>
            step('reserve', from, BIN, () => {
              const name = basename(from)
              let to = `${BIN}/${name}`
              const noted = (): string => {
                const note = disk.peek(`${to}.trashinfo`)
                return typeof note === 'string' ? from : Buffer.from(note.data).toString()
              }
              for (let n = 2; has(to) || noted() !== from; n++) to = `${BIN}/${name} ${n}`
              disk.mkdir(BIN)
              disk.write(`${to}.trashinfo`, from)
              return { to }
            }),
          forget: (to) =>
            step('forget', to, to, () => {
              if (has(`${to}.trashinfo`)) disk.remove(`${to}.trashinfo`)
            }),
        },
  }
}
