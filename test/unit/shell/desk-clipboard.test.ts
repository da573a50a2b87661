// What the desktop reads from the clipboard for an upload: content is written to a file, and content that
// can't be uploaded is named instead of counting as nothing. Also what was dropped without being a file.
// Electron's clipboard is replaced.
import { readdirSync, readFileSync } from 'node:fs'
import { beforeEach, expect, it, vi } from 'vitest'
import { createDesk } from '../../../src-main/shell/app/electron-desk.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const board = vi.hoisted(() => ({
  text: '',
  picture: null as Uint8Array<ArrayBuffer> | null,
  refuses: '',
  asked: '',
  answer: 0,
  reads: [] as string[],
}))
/** The system encodes the picture at each reading. */
const pictureOf = vi.hoisted(() => async (type: string) => {
  board.reads.push(type)
  return new Blob([board.picture ?? new Uint8Array()])
})
vi.mock('electron', () => ({
  app: {},
  dialog: {
    showMessageBox: async (box: { readonly detail: string }) => {
      board.asked = box.detail
      // What the user copies while the question is open.
      board.text = 'a password'
      return { response: board.answer }
    },
  },
  shell: {},
  clipboard: {
    read: () =>
      board.refuses === 'read'
        ? Promise.reject(new DOMException('Read permission denied.', 'NotAllowedError'))
        : Promise.resolve(
            board.picture !== null
              ? [{ types: ['image/png'], getType: pictureOf }]
              : board.text === ''
                ? []
                : [{ types: ['text/plain'], getType: () => Promise.resolve(new Blob([board.text])) }],
          ),
    readText: () =>
      board.refuses === 'readText' ? Promise.reject(new Error('busy')) : Promise.resolve(board.text),
  },
}))

let dir = ''
beforeEach(() => {
  dir = tempFolder()
  Object.assign(board, { text: '', picture: null, refuses: '', asked: '', answer: 0, reads: [] })
})

const desk = createDesk({
  platform: 'linux',
  texts: () => english,
  window: () => null,
  now: () => 0,
  writeText: async () => true,
  pasteName: () => null,
  asksAboutText: () => true,
  stopAskingAboutText: () => undefined,
  clipboardReady: async () => undefined,
  agreed: () => undefined,
  quit: () => undefined,
})

it('a text becomes a file', async () => {
  board.text = 'hello'
  const got = await desk.clipboardFiles(dir)
  expect(got).toMatchObject({ value: { pasted: true } })
  expect(readFileSync(got.ok ? (got.value.paths[0] ?? '') : '', 'utf8')).toBe('hello')
})

it('a picture is read once, for its file and for what the link may replace', async () => {
  board.picture = new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  const got = await desk.clipboardFiles(dir)
  expect(got).toMatchObject({ value: { pasted: true, mark: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  expect(board.reads).toEqual(['image/png'])
  // The same content has the same mark.
  expect(await desk.clipboardFiles(dir)).toMatchObject({ value: { mark: got.ok ? got.value.mark : null } })
})

it('a pasted text is uploaded as the question showed it, whatever is copied meanwhile', async () => {
  board.text = '  hello\n\tthere'
  const got = await desk.clipboardFiles(dir, true)
  expect(board.asked).toMatch(/^It becomes “Text .*\.txt”.*\n\nhello there$/)
  expect(readFileSync(got.ok ? (got.value.paths[0] ?? '') : '', 'utf8')).toBe('  hello\n\tthere')
})

it('a pasted text is not uploaded, and no file written, if the user declines', async () => {
  Object.assign(board, { text: 'hello', answer: 1 })
  expect(await desk.clipboardFiles(dir, true)).toEqual({
    ok: true,
    value: { paths: [], pasted: false, isDeclined: true },
  })
  expect(readdirSync(dir)).toEqual([])
})

it('an empty clipboard is nothing to upload', async () => {
  expect(await desk.clipboardFiles(dir)).toEqual({ ok: true, value: { paths: [], pasted: false } })
})

it('a text that is too large is refused with its size', async () => {
  board.text = 'ä'.repeat(17 * 1024 * 1024)
  expect(await desk.clipboardFiles(dir)).toMatchObject({
    failure: { code: 'usage', tooLarge: { what: 'text', bytes: 34 * 1024 * 1024 } },
  })
})

it.each([
  ['read', 'Read permission denied'],
  ['readText', 'busy'],
])('a system that refuses %s is a failure of the clipboard', async (refuses, why) => {
  Object.assign(board, { text: 'hello', refuses })
  expect(await desk.clipboardFiles(dir)).toMatchObject({
    failure: { code: 'clipboard', title: expect.stringContaining(why) },
  })
})

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])

it.each([
  ['a picture keeps its name', 'cat.png', PNG, 'cat.png'],
  ['a picture gets the extension of its content', 'cat.php', PNG, 'cat.png'],
  ['a picture can’t be named out of its folder', '../../cat.png', PNG, '-..-cat.png'],
  ['a picture without a name gets one', '', PNG, /^Picture .*\.png$/],
  ['a photo', 'a.jpeg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), 'a.jpg'],
])('dropped without a file: %s', async (_title, name, bytes, expected) => {
  const path = await desk.droppedFile(dir, { what: 'picture', name, bytes })
  expect(readdirSync(dir)).toEqual([expect.stringMatching(expected)])
  expect(new Uint8Array(readFileSync(path ?? ''))).toEqual(bytes)
})

it.each([
  ['a program', Uint8Array.from([0x4d, 0x5a, 0x90])],
  ['a drawing, which is text', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['nothing', new Uint8Array()],
])('dropped without a file: %s is no picture', async (_title, bytes) => {
  expect(await desk.droppedFile(dir, { what: 'picture', name: 'cat.png', bytes })).toBeNull()
  expect(readdirSync(dir)).toEqual([])
})

it('a dropped text is uploaded only after the question that shows it', async () => {
  const path = await desk.droppedFile(dir, { what: 'text', text: '{"dropped": 1}' })
  expect(board.asked).toMatch(/^It becomes “Text .*\.json”.*\n\n{"dropped": 1}$/)
  expect(readFileSync(path ?? '', 'utf8')).toBe('{"dropped": 1}')
  board.answer = 1
  expect(await desk.droppedFile(dir, { what: 'text', text: 'a secret' })).toBeNull()
  expect(readdirSync(dir)).toHaveLength(1)
})

it('a text that is dropped while a question is open waits for its answer, and isn’t lost', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const open = desk.whileAsking(promise)
  const dropped = desk.droppedFile(dir, { what: 'text', text: 'kept' })
  // A page can't pile up questions: a second one is declined.
  expect(await desk.droppedFile(dir, { what: 'text', text: 'one too many' })).toBeNull()
  expect(readdirSync(dir)).toEqual([])
  resolve(0)
  await open
  expect(readFileSync((await dropped) ?? '', 'utf8')).toBe('kept')
})
