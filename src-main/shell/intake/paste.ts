// What an upload of the clipboard means: the files that were copied in a file manager, else a picture, else a text. And what it is to be called.
// It is given formats and contents and reads nothing itself; a secret in a text is found by the engine like in any file.
import type { Boot } from '../../../src-shared/app.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { fileUrlPath } from './file-url.ts'

type Platform = Boot['platform']

export type Paste =
  /** `skipped` entries stand for no file of this machine. */
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly skipped: number }
  /** To be written as a file of this name, then uploaded. */
  | { readonly kind: 'content'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'too-big'; readonly what: 'picture' | 'text'; readonly bytes: number }
  | { readonly kind: 'nothing' }

interface PasteInput {
  readonly platform: Platform
  /** What the clipboard holds for the formats of `pasteFormats`, by their names; empty ones may be left out. */
  readonly buffers: ReadonlyMap<string, Uint8Array>
  /** As PNG; empty: there is none. */
  readonly picture: Uint8Array
  readonly text: string
  readonly now: number
  readonly texts: Pick<ShellTexts, 'paste'>
}

const FORMATS = {
  darwin: ['NSFilenamesPboardType', 'public.file-url'],
  win32: ['CF_HDROP', 'FileNameW'],
  linux: ['x-special/gnome-copied-files', 'text/uri-list'],
} as const satisfies Record<string, readonly string[]>

/** The clipboard is held in memory and written once more to disk: a screen in full depth fits ten times, a book a hundred times. */
const PICTURE_MOST = 256 * 1024 * 1024
const TEXT_MOST = 32 * 1024 * 1024

/** The raw formats to read, in the order in which they count. */
export function pasteFormats(platform: Platform): readonly string[] {
  return platform === 'other' ? FORMATS.linux : FORMATS[platform]
}

interface Named {
  readonly paths: readonly string[]
  readonly skipped: number
}

function named(candidates: readonly (string | null)[]): Named {
  const paths = new Set(candidates.filter((path): path is string => path !== null))
  return { paths: [...paths], skipped: candidates.filter((path) => path === null).length }
}

/** Up to the first zero, with which some programs end their lists. */
function utf8(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder('utf-8').decode(end < 0 ? bytes : bytes.subarray(0, end))
}

function utf16(bytes: Uint8Array): string {
  return new TextDecoder('utf-16le').decode(bytes)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** The list of paths that Finder leaves as XML. The binary form is not read: there the single `public.file-url` stands in. */
function plistPaths(bytes: Uint8Array): Named {
  const text = utf8(bytes)
  if (!text.trimStart().startsWith('<?xml')) return { paths: [], skipped: 0 }
  const found = [...text.matchAll(/<string>([^<]*)<\/string>/g)].map(([, path = '']) => unescapeXml(path))
  return named(found.map((path) => (path.startsWith('/') && !path.includes('\0') ? path : null)))
}

/** A DROPFILES record: the offset of the names in its first four bytes, whether they are wide in the last four of twenty. */
function dropFiles(bytes: Uint8Array): Named {
  if (bytes.length < 20) return { paths: [], skipped: 0 }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const offset = view.getUint32(0, true)
  // The narrow form is in the code page of the machine, which nobody says.
  if (offset < 20 || offset > bytes.length || view.getUint32(16, true) === 0) return { paths: [], skipped: 0 }
  return windowsPaths(bytes.subarray(offset))
}

/** Wide names that end with a zero each; an empty one ends them all. */
function windowsPaths(bytes: Uint8Array): Named {
  const names = utf16(bytes).split('\0')
  const end = names.indexOf('')
  return named((end < 0 ? names : names.slice(0, end)).map((path) => (/^([a-z]:[\\/]|\\\\)/i.test(path) ? path : null)))
}

function urlPaths(lines: readonly string[], platform: Platform): Named {
  const urls = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  // Links copied in a browser are a list of addresses too; without a single file they are no files.
  if (!urls.some((url) => /^file:/i.test(url))) return { paths: [], skipped: 0 }
  return named(urls.map((url) => fileUrlPath(url, platform)))
}

/** The first line says what was meant, copy or cut; Slipway only ever reads. */
function gnomePaths(text: string, platform: Platform): Named {
  const [verb, ...urls] = text.split('\n')
  return verb === 'copy' || verb === 'cut' ? urlPaths(urls, platform) : { paths: [], skipped: 0 }
}

function filesOf({ platform, buffers, text }: PasteInput): Named | null {
  for (const format of pasteFormats(platform)) {
    const bytes = buffers.get(format)
    if (bytes === undefined || bytes.length === 0) continue
    const found = read(format, bytes, platform)
    if (found.paths.length > 0 || found.skipped > 0) return found
  }
  // Some versions of GNOME's file manager leave their list as a text.
  const mark = 'x-special/nautilus-clipboard\n'
  if (text.startsWith(mark)) {
    const found = gnomePaths(text.slice(mark.length), platform)
    if (found.paths.length > 0 || found.skipped > 0) return found
  }
  return null
}

function read(format: string, bytes: Uint8Array, platform: Platform): Named {
  switch (format) {
    case 'NSFilenamesPboardType':
      return plistPaths(bytes)
    case 'CF_HDROP':
      return dropFiles(bytes)
    case 'FileNameW':
      return windowsPaths(bytes)
    case 'x-special/gnome-copied-files':
      return gnomePaths(utf8(bytes), platform)
    default:
      return urlPaths(utf8(bytes).split(/\r?\n/), platform)
  }
}

function isPng(bytes: Uint8Array): boolean {
  return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, index) => bytes[index] === byte)
}

function isJson(text: string): boolean {
  // A number or a quoted word is JSON as well, but nobody means it so.
  if (!/^[[{]/.test(text) || !/[\]}]$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Only what is certain: a wrong extension opens in the wrong program, `.txt` opens everywhere. */
function extensionOf(text: string): string {
  const trimmed = text.trim()
  if (isJson(trimmed)) return 'json'
  if (/^<!doctype html[\s>]/i.test(trimmed)) return 'html'
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<svg[\s>]/.test(trimmed) && trimmed.endsWith('</svg>')) return 'svg'
  if (trimmed.startsWith('<?xml ') && trimmed.endsWith('>')) return 'xml'
  if (/^#!\s*\/\S*(?:\/env\s+)?\b(?:ba|z|da)?sh\b/.test(text)) return 'sh'
  if (/^#!\s*\/\S*(?:\/env\s+)?\bpython[\d.]*\b/.test(text)) return 'py'
  if (/^diff --git a\/.+ b\/.+\n/.test(text)) return 'diff'
  // A heading alone may be a comment of a script; a heading with a fenced block is nothing else.
  if (/^#{1,6} \S/m.test(trimmed) && (trimmed.match(/^```/gm)?.length ?? 0) > 1) return 'md'
  return 'txt'
}

/** Local time, in characters that every file system takes. */
function stamp(now: number): readonly [date: string, time: string] {
  const date = new Date(now)
  const two = (n: number): string => String(n).padStart(2, '0')
  return [
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    `${two(date.getHours())}.${two(date.getMinutes())}.${two(date.getSeconds())}`,
  ]
}

export function pasteOf(input: PasteInput): Paste {
  const files = filesOf(input)
  if (files !== null) return { kind: 'files', ...files }
  const { picture, text, texts } = input
  const [date, time] = stamp(input.now)
  if (isPng(picture)) {
    if (picture.length > PICTURE_MOST) return { kind: 'too-big', what: 'picture', bytes: picture.length }
    return { kind: 'content', name: `${texts.paste.picture(date, time)}.png`, bytes: picture }
  }
  if (text.trim() === '') return { kind: 'nothing' }
  // A character is at most three bytes long here, so what is that short need not be measured.
  if (text.length > TEXT_MOST) return { kind: 'too-big', what: 'text', bytes: text.length }
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > TEXT_MOST) return { kind: 'too-big', what: 'text', bytes: bytes.length }
  return { kind: 'content', name: `${texts.paste.text(date, time)}.${extensionOf(text)}`, bytes }
}
