// The names in a path of any platform. A backslash separates names on Windows only.
// Pure text functions.
import { describe, expect, it } from 'vitest'
import { folderName, pathNames } from '../../../../src-renderer/lib/path-names.ts'

describe('pathNames', () => {
  it.each([
    ['/home/ada/a\\b', ['home', 'ada', 'a\\b']],
    ['/home//ada/', ['home', 'ada']],
    ['C:\\Users\\ada', ['C:', 'Users', 'ada']],
    ['C:/Users/ada', ['C:', 'Users', 'ada']],
    ['\\\\server\\share\\Files', ['server', 'share', 'Files']],
  ])('%s', (path, names) => {
    expect(pathNames(path)).toEqual(names)
  })
})

describe('folderName', () => {
  it.each([
    ['/home/ada/a\\b', 'a\\b'],
    ['E:\\Fotos\\', 'Fotos'],
    ['/', '/'],
    ['/home/ada/a\u202eb', 'a\\u202eb'],
  ])('%s', (path, name) => {
    expect(folderName(path)).toBe(name)
  })
})
