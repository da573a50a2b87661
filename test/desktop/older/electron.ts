// Functions of Electron's main process that came after the version of an older one, made from those that it has.
import * as electron from 'electron'

/** The clipboard before Electron 44. */
interface OldClipboard {
  readonly availableFormats: () => readonly string[]
  readonly readText: () => string
  readonly readImage: () => Electron.NativeImage
  readonly readBuffer: (format: string) => Buffer
}

/** Formats that have the same name on the web. Electron 44 gives others their system's name in a longer one. */
const WEB = new Set(['text/plain', 'text/html', 'text/rtf', 'text/uri-list', 'image/png'])
const webName = (format: string): string =>
  WEB.has(format) ? format : `electron application/osclipboard;format=${JSON.stringify(format)}`

if (!('ClipboardItem' in electron)) {
  const { clipboard } = electron
  const old = clipboard as unknown as OldClipboard
  const bytesOf = (format: string): string | Uint8Array => {
    if (format === 'text/plain') return old.readText()
    return format === 'image/png' ? old.readImage().toPNG() : old.readBuffer(format)
  }
  const read = async (): Promise<unknown> => {
    const formats = new Map(old.availableFormats().map((format) => [webName(format), format]))
    const getType = async (type: string): Promise<Blob> => {
      const format = formats.get(type)
      if (format === undefined) throw new Error('NotFoundError')
      return await Promise.resolve(new Blob([bytesOf(format) as string], { type: WEB.has(type) ? type : '' }))
    }
    return await Promise.resolve(formats.size === 0 ? [] : [{ types: [...formats.keys()], getType }])
  }
  Object.assign(clipboard, { read })
}
