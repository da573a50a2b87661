// Table-driven tests of the text copied for a link: every style, every placeholder of a template, and names
// with special characters. The styles themselves are tested in format.test.ts.
import { describe, expect, it } from 'vitest'
import { type LinkFile, linkText, templateFault } from '../../../src-shared/link-template.ts'

const AT = new Date(2026, 10, 5, 23, 59).getTime()
const FILE: LinkFile = {
  name: 'harbour final.tar.gz',
  url: 'https://files.example.com/d/1',
  bytes: 4_800_000,
  at: AT,
}
const copy = (template: string, changes: Partial<LinkFile> = {}): string =>
  linkText({ style: 'template', template, files: [{ ...FILE, ...changes }] })

describe('a template', () => {
  it.each([
    ['$url', 'https://files.example.com/d/1'],
    ['$name: $url', 'harbour final.tar.gz: https://files.example.com/d/1'],
    ['$stem|$ext', 'harbour final.tar|gz'],
    ['$size, $date', '4.8 MB, 2026-11-05'],
    ['$name_$ext', 'harbour final.tar.gz_gz'],
    ['$$url', '$https://files.example.com/d/1'],
    ['$price $URL', '$price $URL'],
    ['nothing to fill in', 'nothing to fill in'],
    ['', ''],
    ['{name}: {url}', 'harbour final.tar.gz: https://files.example.com/d/1'],
    ['{stem}_v1.{ext}', 'harbour final.tar_v1.gz'],
    ['{price} {}', '{price} {}'],
    ['two\nlines of $ext', 'two\nlines of gz'],
  ])('%j', (template, expected) => {
    expect(copy(template)).toBe(expected)
  })

  it.each<[Partial<LinkFile>, string, string]>([
    [{ name: '$url.txt' }, '$name', '$url.txt'],
    [{ name: '$&' }, '$name', '$&'],
    [{ name: '{url}.txt' }, '{name}', '{url}.txt'],
    [{ bytes: null }, '{stem} ({size})', 'harbour final.tar'],
    [{ name: '.profile' }, '$stem|$ext', '.profile|'],
    [{ name: 'README' }, '$stem|$ext', 'README|'],
    [{ name: 'dot.' }, '$stem|$ext', 'dot|'],
    [{ name: 'a\nrm -rf x' }, '$name', 'a\\nrm -rf x'],
    [{ name: 'a\u202egpj.exe' }, '$stem', 'a\\u202egpj'],
    [{ url: 'https://files.example.com/\u001b[2J' }, '$url', 'https://files.example.com/\\x1b[2J'],
    // Unknown values are omitted together with the separator.
    [{ bytes: null, at: null }, '$size $date', ''],
    [{ at: Number.NaN }, '$date', ''],
    [
      { bytes: null, at: null },
      '$stem ($size, $date): $url',
      'harbour final.tar: https://files.example.com/d/1',
    ],
    [{ bytes: null }, '$stem ($size, $date)', 'harbour final.tar (2026-11-05)'],
    [{ at: null }, '$stem ($size, $date)', 'harbour final.tar (4.8 MB)'],
    [{ bytes: null }, '$size | $stem', 'harbour final.tar'],
    [{ bytes: null }, '$stem - $size - $date', 'harbour final.tar - 2026-11-05'],
    [{ at: null }, 'From $date on: $url', 'From on: https://files.example.com/d/1'],
    [{ at: null, name: 'a (), b.txt' }, '$name, $date', 'a (), b.txt'],
    [{ bytes: null }, '$ext ()', 'gz ()'],
  ])('with %j', (changes, template, expected) => {
    expect(copy(template, changes)).toBe(expected)
  })
})

describe('what is wrong with a template', () => {
  it.each([
    ['$url', null],
    ['{name} <{url}>', null],
    ['$stem_1 $url', null],
    ['5 $ for $url {}', null],
    ['  ', { what: 'empty' }],
    ['$name', { what: 'no-url' }],
    ['$nmae: $url', { what: 'unknown', word: '$nmae' }],
    ['{link}', { what: 'unknown', word: '{link}' }],
    ['$URL', { what: 'unknown', word: '$URL' }],
  ] as const)('%j', (template, fault) => {
    expect(templateFault(template)).toEqual(fault)
  })
})

describe('many links', () => {
  const files = [FILE, { ...FILE, name: 'b.jpg', url: 'https://files.example.com/d/2' }]
  it.each([
    ['url', 'https://files.example.com/d/1\nhttps://files.example.com/d/2'],
    [
      'markdown',
      '[harbour final.tar.gz](https://files.example.com/d/1)\n[b.jpg](https://files.example.com/d/2)',
    ],
    ['template', 'harbour final.tar.gz!\nb.jpg!'],
  ] as const)('%s: one line each', (style, expected) => {
    expect(linkText({ style, template: '$name!', files })).toBe(expected)
  })

  it('are no text where there are none', () => {
    expect(linkText({ style: 'html', template: '', files: [] })).toBe('')
  })
})
