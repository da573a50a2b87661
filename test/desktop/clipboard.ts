// `clipboard`: the last written content in memory, offered under the format names that Electron 44 and later
// use. Reading and writing are asynchronous; what is read is a blob, except a bookmark. The page's own
// clipboard is Chromium's and separate from this one.
import { desk } from './desk.ts'
import { strict, strictClass } from './strict.ts'

type Payload = string | Blob | Electron.ClipboardBookmark
type Entries = Readonly<Record<string, Payload | Promise<Blob | string>>>

const PLAIN = 'text/plain'
const BOOKMARK = 'electron application/bookmark'
/** Formats that are read under the name they were written with. All other system formats are wrapped. */
const STANDARD: readonly string[] = [
  PLAIN,
  'text/html',
  'text/rtf',
  'image/svg+xml',
  'image/png',
  'text/uri-list',
]

/** The content of the clipboard by the types under which Electron offers it. */
type Content = ReadonlyMap<string, Blob>

const readSide = Symbol('read side')
interface ReadSide {
  readonly [readSide]: Content
}

export class ClipboardItem {
  readonly #entries: ReadonlyMap<string, Payload | Promise<Blob | string>>
  readonly #isReadSide: boolean

  constructor(items: Entries | ReadSide) {
    this.#isReadSide = readSide in items
    this.#entries = readSide in items ? items[readSide] : new Map(Object.entries(items))
    if (!this.#isReadSide && this.#entries.size === 0)
      throw new TypeError("Failed to construct 'ClipboardItem': at least one MIME type is required.")
  }

  get types(): string[] {
    return [...this.#entries.keys()]
  }

  async getType(type: string): Promise<Blob> {
    const payload = await this.#entries.get(type)
    if (payload === undefined) throw new Error(`The type '${type}' was not found in the ClipboardItem`)
    // A bookmark is the only payload that isn't a blob, and callers rely on that.
    if (type === BOOKMARK) return payload as unknown as Blob
    return payload instanceof Blob ? payload : new Blob([payload as string], { type })
  }

  /**
   * The content as the system stores it. Linux has no bookmarks and offers all pictures except SVG as PNG.
   */
  static async contentOf(item: ClipboardItem): Promise<Content> {
    if (item.#isReadSide)
      throw new TypeError(
        'clipboard.write cannot accept a ClipboardItem returned from clipboard.read() — construct a new ClipboardItem to write.',
      )
    const content = new Map<string, Blob>()
    for (const type of item.types.filter((one) => one !== BOOKMARK))
      content.set(offeredAs(type), await item.getType(type))
    return content
  }
}
strictClass('ClipboardItem', ClipboardItem)

function offeredAs(type: string): string {
  if (
    STANDARD.includes(type) ||
    type.startsWith('web ') ||
    type.startsWith('electron application/osclipboard;')
  )
    return type
  return type.startsWith('image/') ? 'image/png' : `electron application/osclipboard;format="${type}"`
}

/** Decided as in Electron: by the switch, otherwise by the session type. */
function isWayland(): boolean {
  const ozone = desk.switches.get('ozone-platform') ?? ''
  return ozone === '' || ozone === 'auto'
    ? process.env['XDG_SESSION_TYPE'] === 'wayland'
    : ozone === 'wayland'
}

async function textOf(content: Content): Promise<string> {
  return (await content.get(PLAIN)?.text()) ?? ''
}

const NOTHING: Content = new Map()

/**
 * On Wayland, content written without the focus doesn't reach other programs. The app reads it back until it
 * gets the focus again.
 */
class Held {
  #system: Content = NOTHING
  #refused: Content | null = null

  get(): Content {
    if (desk.focused !== undefined) this.#refused = null
    return this.#refused ?? this.#system
  }

  set(content: Content): void {
    if (isWayland() && desk.focused === undefined) this.#refused = content
    else this.setBySystem(content)
  }

  /** What other programs see. */
  system(): Content {
    return this.#system
  }

  setBySystem(content: Content): void {
    this.#refused = null
    this.#system = content
  }
}

function createClipboard(name: string, held: Held) {
  return strict(name, {
    clear: (): void => held.set(NOTHING),
    has: async (type: string): Promise<boolean> => await Promise.resolve(held.get().has(type)),
    /** Returns exactly one item, which has no types if the clipboard is empty. */
    read: async (): Promise<ClipboardItem[]> => [
      new ClipboardItem({ [readSide]: await Promise.resolve(held.get()) }),
    ],
    readText: (): Promise<string> => textOf(held.get()),
    write: async (data: readonly ClipboardItem[]): Promise<void> => {
      if (!Array.isArray(data) || !data.every((one) => one instanceof ClipboardItem))
        throw new TypeError('clipboard.write expects an array of ClipboardItem')
      const contents = await Promise.all(data.map((one) => ClipboardItem.contentOf(one)))
      held.set(new Map(contents.flatMap((content) => [...content])))
    },
    writeText: async (text: string): Promise<void> => {
      if (typeof text !== 'string') throw new TypeError('clipboard.writeText expects a string')
      held.set(await ClipboardItem.contentOf(new ClipboardItem({ [PLAIN]: text })))
    },
  })
}

const main = new Held()

/** Linux has a second clipboard with the latest selection. */
export const clipboard = Object.assign(createClipboard('clipboard', main), {
  selection: createClipboard('clipboard.selection', new Held()),
})

/** The clipboard from the perspective of other programs. */
export const systemClipboard = {
  text: (): Promise<string> => textOf(main.system()),
  /** `item` contains the system's formats under their own names. */
  write: async (item: ClipboardItem): Promise<void> => main.setBySystem(await ClipboardItem.contentOf(item)),
}
