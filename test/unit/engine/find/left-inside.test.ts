// What the outer folder knows of nested ones whose watch has ended: where they are, and whether a scan has
// recorded what was left in them.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LeftInside } from '../../../../src-main/engine/find/left-inside.ts'
import type { EndedInside } from '../../../../src-main/engine/journal/files.ts'

const ended: EndedInside = {
  innerId: 2,
  path: join('/watched/inner'),
  rootDev: 1,
  rootIno: 7,
  endedAt: 6000,
  counted: false,
}

/** `inside`: directories at or below the ended folder's path in which a scan has recorded files. */
function leftInside(change: Partial<EndedInside>, inside: readonly string[]) {
  const counted: number[] = []
  const left = new LeftInside({
    files: {
      endedInside: () => [{ ...ended, ...change }],
      setCountedInside: (_outer, { innerId }) => void counted.push(innerId),
      dirsBelow: () => inside,
      file: () => null,
    },
    folder: { id: 1, path: join('/watched') },
  })
  return { left, counted }
}

describe('a complete scan has recorded what was left', () => {
  it.each<readonly [string, Partial<EndedInside>, string | null, number, readonly string[], boolean]>([
    ['in the folder itself', {}, 'inner', 7, [], true],
    ['in the folder under another name', {}, 'renamed', 7, [], true],
    ['not if nothing is at the path', {}, null, 0, [], false],
    ['not if an empty directory is at the path', {}, 'inner', 8, [], false],
    ['if another directory with files is at the path', {}, 'inner', 8, ['inner/deep'], true],
    ['not if only other directories were found', {}, 'other', 8, ['inner'], false],
    ['if the folder was never found before', { rootDev: null, rootIno: null }, 'inner', 8, [], true],
    ['if the disk has no inodes', { rootIno: 0 }, 'inner', 0, [], true],
  ])('%s', async (_what, change, found, ino, inside, expected) => {
    const { left, counted } = leftInside(change, inside)
    const scan = (kind: 'complete' | 'incomplete') =>
      left.counting(async () => {
        if (found !== null) left.noteDirectory(found, { dev: 1, ino })
        return kind === 'complete'
          ? { kind, unreadable: [], files: 0, covers: () => true }
          : { kind, reason: 'aborted', failure: null }
      })
    await scan('incomplete')
    expect(counted).toEqual([])
    await scan('complete')
    expect(counted).toEqual(expected ? [2] : [])
  })
})

it('finds the folder around a directory by its path, and after a rename by its inode', () => {
  const { left } = leftInside({}, [])
  expect(left.around('inner/deep')?.innerId).toBe(2)
  expect(left.around('inner2')).toBe(null)
  left.noteDirectory('renamed', { dev: 2, ino: 7 })
  expect(left.around('renamed')).toBe(null)
  left.noteDirectory('renamed', { dev: 1, ino: 7 })
  expect(left.around('renamed/deep')?.innerId).toBe(2)
})

it('searches the ended folders once for all files of a directory', () => {
  let searched = 0
  const one = Object.defineProperty({ ...ended }, 'path', { get: () => (searched++, '/watched/inner') })
  const files = {
    endedInside: () => [one],
    setCountedInside: () => undefined,
    dirsBelow: () => [],
    file: () => null,
  }
  const left = new LeftInside({ files, folder: { id: 1, path: '/watched' } })
  left.around('photos')
  const once = searched
  for (let i = 0; i < 1000; i++) expect(left.around('photos')).toBe(null)
  expect(searched).toBe(once)
})
