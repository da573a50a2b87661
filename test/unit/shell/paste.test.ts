// How clipboard content is interpreted: lists of files, pictures, texts and their extensions. Mostly
// table-driven. The lists are in the formats that each desktop writes. Invalid ones must never throw.
import { assert, constantFrom, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Paste, pasteFormats, pasteOf } from '../../../src-main/shell/intake/paste.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { at } from './world.ts'

type Input = Parameters<typeof pasteOf>[0]
const EMPTY = new Uint8Array()
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

function paste(changes: Partial<Input>): Paste {
  return pasteOf({
    platform: 'linux',
    buffers: new Map(),
    picture: EMPTY,
    text: '',
    now: at(),
    texts: english,
    ...changes,
  })
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const URIS = 'text/uri-list'
const GNOME = 'electron application/osclipboard;format="x-special/gnome-copied-files"'

function files(platform: Input['platform'], format: string, bytes: Uint8Array): unknown {
  const got = paste({ platform, buffers: new Map([[format, bytes]]) })
  return got.kind === 'files' ? [...got.paths, ...(got.skipped > 0 ? [got.skipped] : [])] : got.kind
}

describe('files', () => {
  it.each<[string, Input['platform'], string, Uint8Array, unknown]>([
    [
      'Finder',
      'darwin',
      URIS,
      utf8('file:///Users/ada/a.txt\r\nfile:///Users/ada/R&D%20%C3%A4.txt'),
      ['/Users/ada/a.txt', '/Users/ada/R&D ä.txt'],
    ],
    ['one on macOS by its number', 'darwin', URIS, utf8('file:///.file/id=6571367.8621'), [1]],
    [
      'Explorer',
      'win32',
      URIS,
      utf8('file:///C:/Gr%C3%BC%C3%9Fe/a.txt\r\nfile://nas/b.txt\r\n'),
      ['C:\\Grüße\\a.txt', '\\\\nas\\b.txt'],
    ],
    ['Explorer, no drive', 'win32', URIS, utf8('file:///a.txt'), [1]],
    [
      'GNOME copied',
      'linux',
      GNOME,
      utf8('copy\nfile:///srv/a%20b.txt\nfile:///srv/c'),
      ['/srv/a b.txt', '/srv/c'],
    ],
    ['GNOME cut, with a zero', 'linux', GNOME, utf8('cut\nfile:///srv/a\0'), ['/srv/a']],
    ['GNOME, something else', 'linux', GNOME, utf8('move\nfile:///srv/a'), 'nothing'],
    ['a list', 'linux', URIS, utf8('# from a manager\r\nfile:///srv/a\r\nfile:///srv/a\r\n\r\n'), ['/srv/a']],
    [
      'a list with some elsewhere',
      'linux',
      URIS,
      utf8('file:///srv/a\r\nsftp://nas/b\r\nfile://nas/c'),
      ['/srv/a', 2],
    ],
    ['a list elsewhere', 'linux', URIS, utf8('file://nas/c'), [1]],
    ['a list of links', 'linux', URIS, utf8('https://files.example.com/'), 'nothing'],
    ['other systems as on Linux', 'other', URIS, utf8('file:///srv/a'), ['/srv/a']],
    ['a format of another system', 'win32', GNOME, utf8('copy\nfile:///C:/a.txt'), 'nothing'],
  ])('%s', (_name, platform, format, bytes, expected) => {
    expect(files(platform, format, bytes)).toEqual(expected)
  })

  it('are read from the other format where one says nothing', () => {
    const buffers = new Map([
      [GNOME, utf8('nothing of the kind')],
      [URIS, utf8('file:///srv/a')],
    ])
    expect(paste({ buffers })).toEqual({ kind: 'files', paths: ['/srv/a'], skipped: 0 })
  })

  it('count before the picture and the text that desktops add to them', () => {
    const buffers = new Map([[URIS, utf8('file:///srv/a')]])
    expect(paste({ buffers, picture: PNG, text: '/srv/a' })).toMatchObject({ kind: 'files' })
  })

  it('may stand in the text', () => {
    expect(paste({ text: 'x-special/nautilus-clipboard\ncopy\nfile:///srv/a\n' })).toEqual({
      kind: 'files',
      paths: ['/srv/a'],
      skipped: 0,
    })
    expect(paste({ text: 'x-special/nautilus-clipboard\nis a format' })).toMatchObject({ kind: 'content' })
  })

  it('never throws, whatever the bytes', () => {
    const platforms = constantFrom('darwin', 'win32', 'linux', 'other')
    assert(
      property(platforms, uint8Array({ maxLength: 80 }), (platform, bytes) => {
        for (const format of pasteFormats(platform)) paste({ platform, buffers: new Map([[format, bytes]]) })
      }),
    )
  })
})

describe('a picture', () => {
  it('is called by its moment', () => {
    expect(paste({ picture: PNG, text: 'a caption' })).toEqual({
      kind: 'content',
      what: 'picture',
      name: 'Picture 2026-11-20 at 14.03.20.png',
      bytes: PNG,
    })
    expect(paste({ picture: PNG, texts: german })).toMatchObject({ name: 'Bild 2026-11-20 um 14.03.20.png' })
  })

  it('must be one', () => {
    expect(paste({ picture: Uint8Array.from([1, 2, 3]) })).toEqual({ kind: 'nothing' })
  })

  it('has a limit', () => {
    const huge = new Uint8Array(256 * 1024 * 1024 + 1)
    huge.set(PNG)
    expect(paste({ picture: huge })).toEqual({ kind: 'too-big', what: 'picture', bytes: huge.length })
  })
})

describe('a text', () => {
  it.each([
    ['hello', 'txt'],
    ['{"a": [1, 2]}\n', 'json'],
    ['[1]', 'json'],
    ['{a: 1}', 'txt'],
    ['42', 'txt'],
    ['<!DOCTYPE html>\n<p>x', 'html'],
    ['<p>x</p>', 'txt'],
    ['<svg viewBox="0 0 1 1"></svg>', 'svg'],
    ['<?xml version="1.0"?>\n<svg></svg>', 'svg'],
    ['<?xml version="1.0"?><note/>', 'xml'],
    ['#!/bin/sh\nls', 'sh'],
    ['#!/usr/bin/env bash\nls', 'sh'],
    ['#!/usr/bin/env python3\nprint(1)', 'py'],
    ['#!/usr/bin/env node\n1', 'txt'],
    ['diff --git a/x b/x\n--- a/x\n', 'diff'],
    ['# Notes\n\n```ts\nconst a = 1\n```\n', 'md'],
    ['# Notes\n\nfirst', 'txt'],
    ['# comment\nx = 1', 'txt'],
    ['a,b\n1,2', 'txt'],
    ['https://files.example.com/', 'txt'],
  ])('%j ends with .%s', (text, extension) => {
    expect(paste({ text })).toEqual({
      kind: 'content',
      what: 'text',
      name: `Text 2026-11-20 at 14.03.20.${extension}`,
      bytes: utf8(text),
    })
  })

  it.each(['', '   ', '\n\t\n'])('%j is nothing', (text) => {
    expect(paste({ text })).toEqual({ kind: 'nothing' })
  })

  it('has a limit in bytes', () => {
    const most = 32 * 1024 * 1024
    expect(paste({ text: 'x'.repeat(most + 1) })).toEqual({ kind: 'too-big', what: 'text', bytes: most + 1 })
    expect(paste({ text: 'ä'.repeat(most + 1) })).toEqual({
      kind: 'too-big',
      what: 'text',
      bytes: 2 * most + 2,
    })
    expect(paste({ text: 'ä'.repeat(most / 2 + 1) })).toEqual({
      kind: 'too-big',
      what: 'text',
      bytes: most + 2,
    })
  })
})
