// Only on Windows: one file or folder has many spellings, and some names are possible only through `\\?\`.
// None of them leads to a second upload, or to none.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld, type Place, sha256 } from '../scenario/cli-process.ts'
import type { Service } from '../service/service.ts'

/** Other ways to write the same absolute path. */
const SPELLINGS: readonly (readonly [string, (path: string) => string])[] = [
  [
    'with the drive letter in the other case',
    (path) => (/^[A-Z]/.test(path) ? path[0]?.toLowerCase() : path[0]?.toUpperCase()) + path.slice(1),
  ],
  ['in capitals', (path) => path.toUpperCase()],
  ['in small letters', (path) => path.toLowerCase()],
  ['with slashes', (path) => path.replaceAll('\\', '/')],
  ['with \\\\?\\ in front', (path) => `\\\\?\\${path}`],
]

/** Names that Windows programs can create through `\\?\` only, or that few programs expect. */
const ODD = [
  'NUL.txt',
  'aux',
  'COM1',
  'dot.',
  'space ',
  'Grüße 日本 😀.txt',
  'e\u0301.txt',
  `${'n'.repeat(240)}.txt`,
]

/** A folder whose path has over 260 characters, which most programs can't open. */
const DEEP = Array.from({ length: 6 }, (_, i) => `${'long-folder-name-'.repeat(3)}${i}`).join('\\')

async function uploaded(place: Place, service: Service, args: readonly string[]): Promise<string> {
  const ended = await place.run(args, { url: service.url })
  expect({ args, code: ended.code, err: ended.err }).toEqual({
    args,
    code: 0,
    err: expect.stringMatching(/^(?:|.*files?: .*\n)$/),
  })
  return ended.out
}

describe('on win32, another spelling', () => {
  it.each(SPELLINGS)('of a folder and a file, %s, uploads nothing again', (_name, spell) =>
    inWorld(async (place, service) => {
      const file = place.write('Sub/Photo.JPG', 'photo')
      await uploaded(place, service, ['watch', place.folder, '--once', '--json'])
      const link = await uploaded(place, service, ['link', file])
      expect(link).toMatch(/^http/)
      await uploaded(place, service, ['watch', spell(place.folder), '--once', '--json'])
      expect(await uploaded(place, service, ['upload', spell(file)])).toBe(link)
      expect(await uploaded(place, service, ['link', spell(file)])).toBe(link)
      expect(service.ledger.files()).toHaveLength(1)
    }),
  )

  it.each(SPELLINGS)(
    'of the data folder, %s, is the same data folder, with the same engine',
    (_name, spell) =>
      inWorld(async (place, service) => {
        place.write('a.txt', 'a')
        const watch = place.start(['watch', place.folder, '--json'], { url: service.url })
        try {
          await watch.says('"event":"uploaded"')
          const env = { SLIPWAY_DATA_DIR: spell(place.data) }
          const status = await place.run(['status'], { url: service.url, env })
          expect({ code: status.code, err: status.err }).toEqual({ code: 0, err: '' })
          expect(status.out).toContain('another process')
          expect(
            (await place.run(['upload', join(place.folder, 'a.txt')], { url: service.url, env })).code,
          ).toBe(0)
          expect(service.ledger.files()).toHaveLength(1)
        } finally {
          watch.child.kill('SIGKILL')
          await watch.ended
        }
      }),
  )
})

describe('on win32, a file with an odd name', () => {
  it('is uploaded once from a watched folder, and found by its path', () =>
    inWorld(async (place, service) => {
      const long = join(place.folder, DEEP)
      expect(long.length).toBeGreaterThan(260)
      mkdirSync(`\\\\?\\${long}`, { recursive: true })
      const files = [...ODD.map((name) => join(place.folder, name)), join(long, 'deep.txt')]
      for (const file of files) writeFileSync(`\\\\?\\${file}`, `in ${basename(file)}`)
      for (let run = 0; run < 2; run++) {
        const out = await uploaded(place, service, ['watch', place.folder, '--once', '--json'])
        expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({
          seen: files.length,
          uploaded: files.length,
        })
        const sums = service.ledger.files().map((one) => one.sha256)
        expect(sums.toSorted()).toEqual(files.map((file) => sha256(`in ${basename(file)}`)).toSorted())
      }
      const links = await uploaded(place, service, ['link', ...files])
      expect(new Set(links.trim().split('\n')).size).toBe(files.length)
    }))

  it.each([...ODD, 'long'])('is uploaded where it is named with \\\\?\\ in front: %j', (name) =>
    inWorld(async (place, service) => {
      const dir = join(place.folder, name === 'long' ? DEEP : '')
      mkdirSync(`\\\\?\\${dir}`, { recursive: true })
      const file = `\\\\?\\${join(dir, name)}`
      writeFileSync(file, 'content')
      const link = await uploaded(place, service, ['upload', file])
      expect(await uploaded(place, service, ['link', join(dir, name)])).toBe(link)
      expect(await uploaded(place, service, ['upload', join(dir, name)])).toBe(link)
      expect(service.ledger.files().map((one) => one.sha256)).toEqual([sha256('content')])
    }),
  )
})

describe('on win32, an alternate stream', () => {
  it.each([
    ['upload', 'a.txt:stream'],
    ['upload', 'a.txt::$DATA'],
    ['plan', 'a.txt:stream'],
    ['watch', 'Sub:stream'],
    ['audit', 'Sub:stream'],
  ])('is refused by %s, because only whole files are uploaded: %s', (command, name) =>
    inWorld(async (place, service) => {
      place.write('a.txt', 'a')
      place.write('Sub/b.txt', 'b')
      if (!name.includes('$')) writeFileSync(join(place.folder, name), 'hidden')
      for (const typed of [name, join(place.folder, name), `\\\\?\\${join(place.folder, name)}`]) {
        const ended = await place.run([command, typed], { url: service.url, cwd: place.folder })
        expect({ typed, code: ended.code, err: ended.err }).toEqual({
          typed,
          code: 2,
          err: expect.stringContaining('alternate stream'),
        })
      }
      expect(service.ledger.files()).toEqual([])
    }),
  )
})
