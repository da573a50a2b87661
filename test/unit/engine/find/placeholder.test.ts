// Which partial files belong to an empty file: the names used by browsers and download tools, and similar
// names. The current time is passed in, and no file is read.
import { describe, expect, it } from 'vitest'
import { belongsTo, isPartial, isPlaceholder } from '../../../../src-main/engine/find/settle.ts'

describe('a partial file', () => {
  it.each([
    ['name.pdf', 'name.pdf.part'],
    ['name.pdf', 'Xk2-9aQz.pdf.part'],
    ['NAME.PDF', 'xk29.pdf.part'],
    ['name.pdf', 'Unconfirmed 123456.crdownload'],
    ['name.pdf', '.com.google.Chrome.aB12cd'],
    ['name.pdf', '.org.chromium.Chromium.aB12cd'],
    ['name.pdf', 'name.pdf.crdownload'],
    ['name.pdf', 'name.pdf.download'],
    ['name.pdf', 'name.pdf.opdownload'],
    ['archive.tar.gz', 'archive.tar.gz.aria2'],
    ['name', 'name.part'],
  ])('for %s is %s', (name, partial) => {
    expect(isPartial(partial)).toBe(true)
    expect(belongsTo(partial, name)).toBe(true)
  })

  it.each([
    ['notes.txt', 'movie.mkv.part'],
    ['name', 'other.part'],
    ['name.pdf', 'name.pdf'],
    ['name.pdf', 'name.pdf.bak'],
    ['name.pdf', 'party.pdf'],
    ['name', 'x.pdf.part'],
  ])('for %s is not %s', (name, partial) => {
    expect(belongsTo(partial, name)).toBe(false)
  })
})

describe('an empty file', () => {
  it('waits for a partial file of today, and not for a leftover', () => {
    const now = 10 * 86_400_000
    expect(isPlaceholder('a.pdf', [{ name: 'a.pdf.part', mtime: now - 3_600_000 }], now)).toBe(true)
    expect(isPlaceholder('a.pdf', [{ name: 'a.pdf.part', mtime: now - 2 * 86_400_000 }], now)).toBe(false)
    // A drive whose clock is ahead, and a leftover from a day on which the clock was wrong.
    expect(isPlaceholder('a.pdf', [{ name: 'a.pdf.part', mtime: now + 3_600_000 }], now)).toBe(true)
    expect(isPlaceholder('a.pdf', [{ name: 'a.pdf.part', mtime: now + 400 * 86_400_000 }], now)).toBe(false)
    expect(isPlaceholder('a.pdf', [{ name: 'b.txt', mtime: now }], now)).toBe(false)
    expect(isPlaceholder('a.pdf', [], now)).toBe(false)
  })
})
