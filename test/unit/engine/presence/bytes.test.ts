// What a held upload says about files on the service that couldn't be compared with it.
import { expect, it } from 'vitest'
import { ambiguous } from '../../../../src-main/engine/presence/bytes.ts'

const LINK = { publicLink: 'https://example.org/1' }
const NONE = { publicLink: null }

it.each([
  [
    [LINK],
    1,
    "A file on the service may be this one, but can't be compared with it: its link can't be read.",
  ],
  [
    [NONE, LINK],
    1,
    "2 files on the service may be this one, but can't be compared with it: their links can't be read.",
  ],
  [
    [NONE],
    1,
    "A file on the service may be this one, but can't be compared with it: the service shows no link to it.",
  ],
  [
    [LINK],
    2 ** 30,
    "A file on the service may be this one, but can't be compared with it: files of more than 512 MiB aren't compared.",
  ],
])('the reason names what prevented the comparison (%#)', (files, size, message) => {
  expect(ambiguous(files, size)).toBe(message)
})
