// `nativeImage`: the bytes of a picture, and the properties that a PNG states in its header. Nothing is
// decoded, scaled or cropped: what `resize` returns only says that it has another size.
import { readFileSync } from 'node:fs'
import { strict, strictClass } from './strict.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const DATA_URL = /^data:image\/png;base64,/

export class NativeImage {
  /** The file that it was created from, for tests; empty if there is none. */
  readonly path: string
  readonly #bytes: Buffer
  readonly #size: Electron.Size | undefined
  #template = false

  constructor(bytes: Buffer, path = '', size?: Electron.Size) {
    this.#bytes = bytes.subarray(0, PNG.length).equals(PNG) ? bytes : Buffer.alloc(0)
    this.path = path
    this.#size = size
  }

  isEmpty(): boolean {
    return this.#bytes.length === 0
  }

  /** A PNG states its size in the 8 bytes after the header of its first chunk. */
  getSize(): Electron.Size {
    if (this.isEmpty()) return { width: 0, height: 0 }
    return this.#size !== undefined
      ? { ...this.#size }
      : { width: this.#bytes.readUInt32BE(16), height: this.#bytes.readUInt32BE(20) }
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
    // A single representation is enough, because nothing is drawn.
  }

  /** A side that isn't given follows from the other one. */
  resize({ width, height }: Electron.ResizeOptions): NativeImage {
    const ratio = this.getAspectRatio()
    const size = {
      width: width ?? (height === undefined ? this.getSize().width : Math.round(height * ratio)),
      height: height ?? (width === undefined ? this.getSize().height : Math.round(width / ratio)),
    }
    return new NativeImage(this.#bytes, this.path, size)
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
  createFromDataURL: (url: string): NativeImage =>
    new NativeImage(Buffer.from(url.replace(DATA_URL, ''), 'base64')),
})

/** Electron accepts a picture or its path, and throws without one. */
export function imageOf(image: NativeImage | string): NativeImage {
  if (typeof image !== 'string') return image
  const loaded = nativeImage.createFromPath(image)
  if (loaded.isEmpty()) throw new Error(`Failed to load image from path '${image}'`)
  return loaded
}
