// A start of the program while it already runs: the files it names are uploaded, whatever their names, and
// relative names count from where it was started.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { startAgain } from './desk.ts'
import { expect, test } from './fixture.ts'
import { makeFiles } from './slipway.ts'

// Windows and macOS pass files to a running program in other ways, and don't allow all of these names.
test.skip(process.platform !== 'linux', 'names that only Linux allows')

const NAMES = [
  'plain.txt',
  'Příliš žluťoučký.pdf',
  'it’s here.txt',
  '日本 語.txt',
  'two\nlines.txt',
  '-dash “quoted”.txt',
]

test('files of a second start are uploaded, whatever their names', async ({ slipway }) => {
  const s = await slipway({ service: { plan: 'enterprise' } })
  const desk = makeFiles(s.home, 'Můj stůl', Object.fromEntries(NAMES.map((name) => [name, `in ${name}`])))
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
  const stored = (): readonly string[] =>
    s.service.ledger
      .live()
      .map(({ sha256 }) => sha256)
      .toSorted()
  const relative = NAMES.map((name) => (name.startsWith('-') ? name : `./${name}`))
  expect(await startAgain(s, relative.toSpliced(-1, 0, '--'), desk)).toBe(0)
  await expect.poll(stored).toEqual(NAMES.map((name) => digest(`in ${name}`)).toSorted())
  // Ten at once, a count that some versions of Electron mistake for white space at the end of the data.
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.txt`, `many ${at}`]))
  const folder = makeFiles(s.home, 'many', many)
  expect(
    await startAgain(
      s,
      Object.keys(many).map((name) => join(folder, name)),
    ),
  ).toBe(0)
  await expect.poll(() => stored().length).toBe(NAMES.length + 10)
  // More than the 32 KiB that Chromium can pass to a running app.
  const long = Object.fromEntries(
    Array.from({ length: 160 }, (_, at) => [`${'ž'.repeat(110)} ${at}.txt`, `long ${at}`]),
  )
  const deep = makeFiles(s.home, 'long', long)
  expect(
    await startAgain(
      s,
      Object.keys(long).map((name) => join(deep, name)),
    ),
  ).toBe(0)
  await expect.poll(() => stored().length, { timeout: 60_000 }).toBe(NAMES.length + 170)
})
