// `clipboard`: what the app wrote last, in memory, in every form it was given. As in Electron 45 all of it is asynchronous and pictures are
// blobs. The page's own clipboard is Chromium's and not this one.
import { strict, strictClass } from './strict.ts'

type Payload = string | Blob | Electron.ClipboardBookmark
type Entries = Readonly<Record<string, Payload | Promise<Blob | string>>>

const PLAIN = 'text/plain'
const BOOKMARK = 'electron application/bookmark'

export class ClipboardItem {
  readonly types: string[]
  readonly #entries: ReadonlyMap<string, Payload | Promise<Blob | string>>

  constructor(items: Entries) {
    this.#entries = new Map(Object.entries(items))
    this.types = [...this.#entries.keys()]
    if (this.types.length === 0) throw new TypeError('Empty dictionary argument')
  }

  async getType(type: string): Promise<Blob> {
    const payload = await this.#entries.get(type)
    if (payload === undefined) throw new Error('The type was not found')
    // A bookmark is the one payload that is not a blob; callers of that name expect it.
    if (type === BOOKMARK) return payload as unknown as Blob
    return payload instanceof Blob ? payload : new Blob([payload as string], { type })
  }
}
strictClass('ClipboardItem', ClipboardItem)

function createClipboard(name: string) {
  let item: ClipboardItem | null = null
  return strict(name, {
    clear: (): void => {
      item = null
    },
    has: async (type: string): Promise<boolean> => await Promise.resolve(item?.types.includes(type) ?? false),
    read: async (): Promise<ClipboardItem[]> => await Promise.resolve(item === null ? [] : [item]),
    readText: async (): Promise<string> => (item?.types.includes(PLAIN) === true ? await (await item.getType(PLAIN)).text() : ''),
    write: async (data: readonly ClipboardItem[]): Promise<void> => {
      const [first] = data
      if (!(first instanceof ClipboardItem)) throw new TypeError('clipboard.write expects an array of ClipboardItem')
      item = await Promise.resolve(first)
    },
    writeText: async (text: string): Promise<void> => {
      if (typeof text !== 'string') throw new TypeError('clipboard.writeText expects a string')
      item = await Promise.resolve(new ClipboardItem({ [PLAIN]: text }))
    },
  })
}

/** On Linux there is a second one, of what was selected last. */
export const clipboard = Object.assign(createClipboard('clipboard'), { selection: createClipboard('clipboard.selection') })
