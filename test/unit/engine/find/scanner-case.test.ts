// Renames on a case-preserving but case-insensitive disk, as on macOS and Windows: the old name still works,
// yet there is only one file. Each file keeps its row and therefore its link.
import { afterEach, describe, expect, it } from 'vitest'
import type { FileSystem } from '../../../world/file-systems.ts'
import { createScannerWorld, ROOT, type ScannerWorld } from './scanner-world.ts'

let w: ScannerWorld
const live = (): AbortSignal => new AbortController().signal

async function watched(fileSystem: FileSystem, files: readonly string[]): Promise<void> {
  w = createScannerWorld({ fileSystem })
  w.disk.mkdir(`${ROOT}/Docs/Deep`)
  for (const name of files) w.disk.write(`${ROOT}/${name}`, name)
  expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
  w.found.length = 0
}

/** Nothing is new or gone, with any kind of scan, however often. */
async function expectSame(rows: readonly string[]): Promise<void> {
  const again = [w.scanner.tree('', live()), w.scanner.dirs(['', 'docs', 'Docs'], live())]
  for (const look of again) expect(await look).toMatchObject({ kind: 'complete' })
  expect({ found: w.found, vanished: w.vanished, touched: w.touched }).toEqual({
    found: [],
    vanished: [],
    touched: [],
  })
  expect(w.rows()).toEqual(rows)
}

describe.each<FileSystem>(['apfs', 'ntfs', 'fat'])('on %s, a rename in letter case alone', (fileSystem) => {
  afterEach(() => w.end())

  it.each([
    ['a scan of everything', () => w.scanner.tree('', live())],
    ['a look at the directory', () => w.scanner.dirs([''], live())],
    ['a look at both names', () => w.scanner.paths(['photo.jpg', 'Photo.JPG'], live())],
    ['a look at both names, the new one first', () => w.scanner.paths(['Photo.JPG', 'photo.jpg'], live())],
  ])('of a file keeps its row: %s', async (_name, look) => {
    await watched(fileSystem, ['photo.jpg', 'b.txt'])
    w.disk.rename(`${ROOT}/photo.jpg`, `${ROOT}/Photo.JPG`)
    expect(await look()).toMatchObject({ kind: 'complete' })
    await expectSame(['Photo.JPG tracked', 'b.txt tracked'])
    expect(w.moved).toEqual(['photo.jpg -> Photo.JPG'])
  })

  it('of an accent that is composed otherwise keeps its row', async () => {
    await watched(fileSystem, ['caf\u00e9.txt'])
    w.disk.rename(`${ROOT}/caf\u00e9.txt`, `${ROOT}/cafe\u0301.txt`)
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    await expectSame(['cafe\u0301.txt tracked'])
  })

  it('of a folder keeps the rows of all that is in it', async () => {
    await watched(fileSystem, ['Docs/a.txt', 'Docs/Deep/b.txt'])
    w.disk.rename(`${ROOT}/Docs`, `${ROOT}/docs`)
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    await expectSame(['docs/Deep/b.txt tracked', 'docs/a.txt tracked'])
    expect(w.moved).toHaveLength(2)
  })

  it('waits for a listing that gives no answer', async () => {
    await watched(fileSystem, ['photo.jpg'])
    w.disk.rename(`${ROOT}/photo.jpg`, `${ROOT}/Photo.JPG`)
    let asked = 0
    w.interfere({
      list: (list) =>
        ++asked === 1
          ? list
          : { ...list, failure: { code: 'interrupted', message: 'no answer' }, names: '', kinds: '' },
    })
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'incomplete', reason: 'failed' })
    w.interfere({})
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    await expectSame(['Photo.JPG tracked'])
  })
})

describe('on a disk that tells letter case apart', () => {
  afterEach(() => w.end())

  it('a second name in other letter case is a file of its own', async () => {
    await watched('ext4', ['photo.jpg'])
    w.disk.link(`${ROOT}/photo.jpg`, `${ROOT}/Photo.JPG`)
    expect(await w.scanner.tree('', live())).toMatchObject({ kind: 'complete' })
    expect(w.found).toEqual(['Photo.JPG'])
    expect(w.rows()).toEqual(['Photo.JPG tracked', 'photo.jpg tracked'])
  })
})
