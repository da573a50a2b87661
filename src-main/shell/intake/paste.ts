// Decides what to upload from the clipboard (files copied in a file manager, or else a picture, or else text)
// and how to name it. The caller passes in formats and contents. The engine finds secrets in text as it does
// in any file.

import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { fileName, type PasteKind, pasteName } from '../../../src-shared/paste-name.ts'
import type { Boot, DroppedContent } from '../../../src-shared/window-contract.ts'
import { fileUrlPath } from './file-url.ts'

type Platform = Boot['platform']

export type Paste =
  /** `skipped` counts the entries that have no path on this system. */
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly skipped: number }
  /** Content to be written to a file with this name and uploaded. */
  | {
      readonly kind: 'content'
      readonly what: 'picture' | 'text'
      readonly name: string
      readonly bytes: Uint8Array
    }
  | { readonly kind: 'too-big'; readonly what: 'picture' | 'text'; readonly bytes: number }
  | { readonly kind: 'nothing' }

export interface PasteInput {
  readonly platform: Platform
  /** The clipboard's content, keyed by the formats of `pasteFormats`. Empty formats may be missing. */
  readonly buffers: ReadonlyMap<string, Uint8Array>
  /** PNG data; empty if there is no picture. */
  readonly picture: Uint8Array
  readonly text: string
  readonly now: number
  /** How content is named; null or absent for the default. */
  readonly pattern?: string | null
  readonly texts: Pick<ShellTexts, 'paste'>
}

/**
 * Electron's format name for copied files on every system. It replaces the native formats `CF_HDROP`
 * (Windows) and `NSFilenamesPboardType` (macOS).
 */
const COPIED_FILES = 'text/uri-list'
/**
 * The only format that some file managers offer. Electron uses names of this form for formats that it doesn't
 * know.
 */
const GNOME_FILES = 'electron application/osclipboard;format="x-special/gnome-copied-files"'

/**
 * Maximum size of a picture in bytes. Clipboard content is held in memory, so it needs a limit. This one far
 * exceeds any screenshot.
 */
const PICTURE_MOST = 256 * 1024 * 1024
/** Maximum size of a text in bytes: far larger than any book. */
const TEXT_MOST = 32 * 1024 * 1024

/** The formats to read, in order of precedence. */
export function pasteFormats(platform: Platform): readonly string[] {
  return platform === 'darwin' || platform === 'win32' ? [COPIED_FILES] : [GNOME_FILES, COPIED_FILES]
}

interface Named {
  readonly paths: readonly string[]
  readonly skipped: number
}

function pathsIn(candidates: readonly (string | null)[]): Named {
  const paths = new Set(candidates.filter((path): path is string => path !== null))
  return { paths: [...paths], skipped: candidates.filter((path) => path === null).length }
}

/** Decodes up to the first NUL, because some programs terminate their lists with one. */
function utf8(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder('utf-8').decode(end < 0 ? bytes : bytes.subarray(0, end))
}

function urlPaths(lines: readonly string[], platform: Platform): Named {
  const urls = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  // Links copied in a browser are also a URI list. Without any `file:` URL, the list isn't meant as files.
  if (!urls.some((url) => /^file:/i.test(url))) return { paths: [], skipped: 0 }
  return pathsIn(urls.map((url) => fileUrlPath(url, platform)))
}

/** The first line says whether the files were copied or cut. Slipway only reads them in either case. */
function gnomePaths(text: string, platform: Platform): Named {
  const [verb, ...urls] = text.split('\n')
  return verb === 'copy' || verb === 'cut' ? urlPaths(urls, platform) : { paths: [], skipped: 0 }
}

function filesOf({ platform, buffers, text }: PasteInput): Named | null {
  for (const format of pasteFormats(platform)) {
    const bytes = buffers.get(format)
    if (bytes === undefined || bytes.length === 0) continue
    const found =
      format === GNOME_FILES
        ? gnomePaths(utf8(bytes), platform)
        : urlPaths(utf8(bytes).split(/\r?\n/), platform)
    if (found.paths.length > 0 || found.skipped > 0) return found
  }
  // Some versions of GNOME's file manager put the list on the clipboard as text.
  const mark = 'x-special/nautilus-clipboard\n'
  if (text.startsWith(mark)) {
    const found = gnomePaths(text.slice(mark.length), platform)
    if (found.paths.length > 0 || found.skipped > 0) return found
  }
  return null
}

/** How each format of pictures begins, after the given number of bytes. */
const PICTURES: readonly (readonly [extension: string, at: number, bytes: string])[] = [
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['jpg', 0, '\xff\xd8\xff'],
  ['gif', 0, 'GIF8'],
  ['webp', 8, 'WEBP'],
  ['avif', 4, 'ftypavi'],
  ['bmp', 0, 'BM'],
]

/** The extension for a picture with this content, which is more reliable than any name; null if it isn't one. */
export function pictureExtension(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return PICTURES.find(([, at, begin]) => start.startsWith(begin, at))?.[0] ?? null
}

function isJson(text: string): boolean {
  // Numbers and quoted words are also valid JSON, but aren't meant as JSON.
  if (!/^[[{]/.test(text) || !/[\]}]$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Chooses a specific extension only if the format is certain. A file with a wrong extension opens in the
 * wrong program; `.txt` opens everywhere.
 */
function extensionOf(text: string): string {
  const trimmed = text.trim()
  if (isJson(trimmed)) return 'json'
  if (/^<!doctype html[\s>]/i.test(trimmed)) return 'html'
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<svg[\s>]/.test(trimmed) && trimmed.endsWith('</svg>'))
    return 'svg'
  if (trimmed.startsWith('<?xml ') && trimmed.endsWith('>')) return 'xml'
  if (/^#!\s*\/\S*(?:\/env\s+)?\b(?:ba|z|da)?sh\b/.test(text)) return 'sh'
  if (/^#!\s*\/\S*(?:\/env\s+)?\bpython[\d.]*\b/.test(text)) return 'py'
  if (/^diff --git a\/.+ b\/.+\n/.test(text)) return 'diff'
  // A heading alone could be a comment in a script. Together with a fenced block it can only be Markdown.
  if (/^#{1,6} \S/m.test(trimmed) && (trimmed.match(/^```/gm)?.length ?? 0) > 1) return 'md'
  return 'txt'
}

export function pasteOf(input: PasteInput): Paste {
  const files = filesOf(input)
  if (files !== null) return { kind: 'files', ...files }
  const { picture, text, texts } = input
  const named = (kind: PasteKind): string =>
    pasteName(input.pattern ?? null, kind, input.now, texts.paste.names)
  if (pictureExtension(picture) === 'png') {
    if (picture.length > PICTURE_MOST) return { kind: 'too-big', what: 'picture', bytes: picture.length }
    return {
      kind: 'content',
      what: 'picture',
      name: `${named('picture')}.png`,
      bytes: picture,
    }
  }
  if (text.trim() === '') return { kind: 'nothing' }
  const length = Buffer.byteLength(text)
  if (length > TEXT_MOST) return { kind: 'too-big', what: 'text', bytes: length }
  const bytes = new TextEncoder().encode(text)
  return {
    kind: 'content',
    what: 'text',
    name: `${named('text')}.${extensionOf(text)}`,
    bytes,
  }
}

/**
 * The file for a text or a picture that was dropped without being a file; null if the picture isn't one, or if
 * either is too large. A picture keeps its name, with the extension that its content says.
 */
export function droppedContent(
  content: DroppedContent,
  { pattern, now, texts }: Pick<PasteInput, 'pattern' | 'now' | 'texts'>,
): { readonly name: string; readonly bytes: Uint8Array } | null {
  if (content.what === 'text') {
    const bytes = new TextEncoder().encode(content.text)
    if (bytes.length > TEXT_MOST) return null
    return {
      name: `${pasteName(pattern ?? null, 'text', now, texts.paste.names)}.${extensionOf(content.text)}`,
      bytes,
    }
  }
  const extension = pictureExtension(content.bytes)
  if (extension === null || content.bytes.length > PICTURE_MOST) return null
  const own = fileName(content.name.replace(/\.\w{1,5}$/, ''))
  return {
    name: `${own === '' ? pasteName(pattern ?? null, 'picture', now, texts.paste.names) : own}.${extension}`,
    bytes: content.bytes,
  }
}
