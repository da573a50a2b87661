// What a drop on the window is: files, a text, or a picture's address, which is never loaded.
import { expect, it } from 'vitest'
import { dragKind, dropContent } from '../../../../src-renderer/lib/drop-content.ts'

type Data = Readonly<Record<string, string>>
const URL_OF = 'https://pictures.example/cat.png'

it.each<[string, number, Data, unknown]>([
  [
    'files, whatever else comes along',
    1,
    { 'text/plain': URL_OF, 'text/html': '<img src="x">' },
    { kind: 'files' },
  ],
  ['a text', 0, { 'text/plain': ' two\nlines ' }, { kind: 'text', text: ' two\nlines ' }],
  [
    'a link',
    0,
    { 'text/uri-list': URL_OF, 'text/html': '<a href="x">x</a>' },
    { kind: 'text', text: URL_OF },
  ],
  [
    'a picture of which there is only the address',
    0,
    { 'text/uri-list': URL_OF, 'text/html': `<meta charset='utf-8'><img src="${URL_OF}">` },
    { kind: 'address' },
  ],
  [
    'a picture inside of a link',
    0,
    { 'text/plain': URL_OF, 'text/html': '<a><IMG\nsrc="x"></a>' },
    { kind: 'address' },
  ],
  ['a picture without any text', 0, { 'text/html': '<img src="x">' }, { kind: 'address' }],
  [
    'text with a picture in between',
    0,
    { 'text/plain': 'read this', 'text/html': '<p>read <img src="x"> this' },
    { kind: 'text', text: 'read this' },
  ],
  ['only spaces', 0, { 'text/plain': ' \n' }, { kind: 'nothing' }],
  ['nothing', 0, {}, { kind: 'nothing' }],
])('%s', (_name, files, data, expected) => {
  expect(dropContent(files, (type) => data[type] ?? '')).toEqual(expected)
})

it.each<[readonly string[], unknown]>([
  [['text/html', 'Files'], 'files'],
  [['text/uri-list'], 'text'],
  [['application/x-other'], null],
  [['text/plain', 'application/x-slipway'], null],
])('a drag with %j is %j', (types, expected) => {
  expect(dragKind(types)).toBe(expected)
})
