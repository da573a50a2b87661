// `clipboard`: what the app wrote last, in memory, in every form it was given. The page's own clipboard is Chromium's and not this one.
// Pictures are the bytes of a PNG.
import { nativeImage, type NativeImage } from './native-image.ts'
import { strict } from './strict.ts'

const contents = new Map<string, Buffer>()
const PLAIN = 'text/plain'
const HTML = 'text/html'
const IMAGE = 'image/png'

function textOf(format: string): string {
  return contents.get(format)?.toString() ?? ''
}

function put(entries: readonly (readonly [string, Buffer])[]): void {
  contents.clear()
  for (const [format, bytes] of entries) contents.set(format, bytes)
}

export const clipboard = strict('clipboard', {
  readText: (): string => textOf(PLAIN),
  writeText: (text: string): void => put([[PLAIN, Buffer.from(text)]]),
  readHTML: (): string => textOf(HTML),
  writeHTML: (markup: string): void => put([[HTML, Buffer.from(markup)]]),
  readImage: (): NativeImage => nativeImage.createFromBuffer(contents.get(IMAGE) ?? Buffer.alloc(0)),
  writeImage: (image: NativeImage): void => put([[IMAGE, image.toPNG()]]),
  write(data: { readonly text?: string; readonly html?: string; readonly image?: NativeImage; readonly rtf?: string }): void {
    const entries: [string, Buffer][] = []
    if (data.text !== undefined) entries.push([PLAIN, Buffer.from(data.text)])
    if (data.html !== undefined) entries.push([HTML, Buffer.from(data.html)])
    if (data.rtf !== undefined) entries.push(['text/rtf', Buffer.from(data.rtf)])
    if (data.image !== undefined) entries.push([IMAGE, data.image.toPNG()])
    put(entries)
  },
  readBuffer: (format: string): Buffer => Buffer.from(contents.get(format) ?? []),
  writeBuffer: (format: string, buffer: Buffer): void => put([[format, Buffer.from(buffer)]]),
  availableFormats: (): string[] => [...contents.keys()],
  has: (format: string): boolean => contents.has(format),
  clear: (): void => contents.clear(),
})
