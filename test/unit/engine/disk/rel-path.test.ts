// Conversion of paths between the disk's and the journal's format, for POSIX and for Windows with its drives.
// No disk is accessed.
import { posix, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { absolute, below } from '../../../../src-main/engine/disk/rel-path.ts'

describe('a path of the journal', () => {
  it.each([
    ['/', '', '', '/'],
    ['/', '', 'a.txt', '/a.txt'],
    ['/watched', '', '', '/watched'],
    ['/watched', 'sub/deep', '', '/watched/sub/deep'],
    ['/watched', 'sub', 'back\\slash', '/watched/sub/back\\slash'],
  ])('below %s: %s %s', (root, dir, name, path) => {
    expect(absolute(root, dir, name, posix.sep)).toBe(path)
    expect(below(root, path, posix.sep)).toBe(posix.join(dir, name) === '.' ? '' : posix.join(dir, name))
  })

  it.each([
    ['E:\\', '', '', 'E:\\'],
    ['E:\\', '', 'a.txt', 'E:\\a.txt'],
    ['E:\\', 'sub/deep', '', 'E:\\sub\\deep'],
    ['C:\\Users\\me\\Share', '', '', 'C:\\Users\\me\\Share'],
    ['C:\\Users\\me\\Share', 'sub', 'a.txt', 'C:\\Users\\me\\Share\\sub\\a.txt'],
    ['\\\\server\\share\\', 'sub', 'a.txt', '\\\\server\\share\\sub\\a.txt'],
  ])('of Windows, below %s: %s %s', (root, dir, name, path) => {
    expect(absolute(root, dir, name, win32.sep)).toBe(path)
    expect(below(root, path, win32.sep)).toBe([dir, name].filter((part) => part !== '').join('/'))
    // The result doesn't depend on a drive's working directory.
    expect(win32.isAbsolute(path)).toBe(true)
  })

  it('that is beside the folder is not below it', () => {
    expect(below('/watched', '/watched-too/a', posix.sep)).toBeNull()
    expect(below('E:\\a', 'E:\\ab\\c', win32.sep)).toBeNull()
  })
})
