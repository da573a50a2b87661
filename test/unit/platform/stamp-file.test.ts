// The stamp beside the journal is valid only for that one file: if both are restored from a backup, the stamp
// proves nothing. scenario/lost-journal tests the consequences.
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeStamp } from '../../../src-main/engine/journal/stamp.ts'
import { createStampFile } from '../../../src-main/platform/data/journal-files.ts'

const folders: string[] = []
function journal(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-stamp-'))
  folders.push(folder)
  writeFileSync(join(folder, 'journal.db'), 'rows')
  return join(folder, 'journal.db')
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const LINE = 'abcdefgh 7'
const verdict = (file: string): string => judgeStamp(LINE, createStampFile(file).read())

describe('the stamp beside a journal', () => {
  it('is read as it was written, also after the journal grew', () => {
    const file = journal()
    createStampFile(file).write(`${LINE}\n`)
    writeFileSync(file, 'more rows')
    expect(verdict(file)).toBe('current')
  })

  it('is none for a copy of the journal with all that is beside it', () => {
    const [file, other] = [journal(), journal()]
    createStampFile(file).write(`${LINE}\n`)
    copyFileSync(file, other)
    copyFileSync(`${file}-stamp`, `${other}-stamp`)
    expect(verdict(other)).toBe('older')
    rmSync(file)
    copyFileSync(other, file)
    expect(verdict(file)).toBe('older')
  })

  it('counts where an older version wrote it', () => {
    const file = journal()
    writeFileSync(`${file}-stamp`, `${LINE}\n`)
    expect(verdict(file)).toBe('current')
  })

  it('moves with the journal', () => {
    const file = journal()
    createStampFile(file).write(`${LINE}\n`)
    renameSync(file, `${file}.moved`)
    renameSync(`${file}-stamp`, `${file}.moved-stamp`)
    expect(verdict(`${file}.moved`)).toBe('current')
  })
})
