// `nativeImage`: bytes of a picture and what can be read from a PNG without drawing it. Nothing is decoded, scaled or cropped:
// `resize` answers with the same picture.
import { readFileSync } from 'node:fs'
import { strict, strictClass } from './strict.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const DATA_URL = /^data:image\/png;base64,/

export class NativeImage {
  /** The file it was made from, for tests. Empty: from none. */
  readonly path: string
  readonly #bytes: Buffer
  #template = false

  constructor(bytes: Buffer, path = '') {
    this.#bytes = bytes.subarray(0, PNG.length).equals(PNG) ? bytes : Buffer.alloc(0)
    this.path = path
  }

  isEmpty(): boolean {
    return this.#bytes.length === 0
  }

  /** A PNG names its size in the 8 bytes after the head of its first chunk. */
  getSize(): Electron.Size {
    return this.isEmpty() ? { width: 0, height: 0 } : { width: this.#bytes.readUInt32BE(16), height: this.#bytes.readUInt32BE(20) }
  }

  getAspectRatio(): number {
    const { width, height } = this.getSize()
    return height === 0 ? 1 : width / height
  }

  toPNG(): Buffer {
    return Buffer.from(this.#bytes)
  }

  toDataURL(): string {
    return `data:image/png;base64,${this.#bytes.toString('base64')}`
  }

  setTemplateImage(option: boolean): void {
    this.#template = option
  }

  isTemplateImage(): boolean {
    return this.#template
  }

  addRepresentation(_options: Electron.AddRepresentationOptions): void {
    // One representation is enough where nothing is drawn.
  }

  resize(_options: Electron.ResizeOptions): NativeImage {
    return this
  }
}
strictClass('NativeImage', NativeImage)

function fileBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

export const nativeImage = strict('nativeImage', {
  createEmpty: (): NativeImage => new NativeImage(Buffer.alloc(0)),
  createFromPath: (path: string): NativeImage => new NativeImage(fileBytes(path), path),
  createFromBuffer: (buffer: Buffer): NativeImage => new NativeImage(Buffer.from(buffer)),
  createFromDataURL: (url: string): NativeImage => new NativeImage(Buffer.from(url.replace(DATA_URL, ''), 'base64')),
})

/** Electron takes a picture or the path of one, and does not go on without. */
export function imageOf(image: NativeImage | string): NativeImage {
  if (typeof image !== 'string') return image
  const loaded = nativeImage.createFromPath(image)
  if (loaded.isEmpty()) throw new Error(`Failed to load image from path '${image}'`)
  return loaded
}
