// Reads the system clipboard, with a digest of all formats to detect changes, and writes text to it if the system
// allows it. Electron has no change counter, so the contents are compared.
import { createHash } from 'node:crypto'
import { app, type BrowserWindow, clipboard } from 'electron'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { within } from '../../platform/time.ts'
import { needsFocus } from './focus-rule.ts'
import type { ClipboardPort } from './unasked-copies.ts'

/**
 * Maximum time to read the clipboard. Without a limit, an unresponsive clipboard owner could delay a
 * notification.
 */
const READ_MS = 2000
/** Maximum number of bytes hashed at the start and at the end of each format's content. */
const END_BYTES = 512 * 1024
/** Maximum time to wait for the window to get the focus. After that, the write fails. */
const FOCUS_MS = 5000

interface ClipboardContent {
  /** The first item, by its types. */
  readonly blobs: ReadonlyMap<string, Blob>
  /** Of all items; '' for an empty clipboard. */
  readonly digest: string
}

/**
 * Reads the clipboard once, because the system encodes a picture at each reading, which can take longer than its
 * upload. Rejects if the system denies access.
 */
export async function readClipboard(): Promise<ClipboardContent> {
  const blobs = new Map<string, Blob>()
  const hash = createHash('sha256')
  let isEmpty = true
  for (const [at, item] of (await clipboard.read()).entries())
    for (const type of item.types.toSorted()) {
      isEmpty = false
      hash.update(`${type}\0`)
      const content: unknown = await item.getType(type).catch(() => null)
      // The content may be gone, for example because the program that offered it has quit.
      if (!(content instanceof Blob)) continue
      if (at === 0) blobs.set(type, content)
      hash.update(`${content.size}\0`)
      hash.update(new Uint8Array(await content.slice(0, END_BYTES).arrayBuffer()))
      if (content.size > END_BYTES) hash.update(new Uint8Array(await content.slice(-END_BYTES).arrayBuffer()))
    }
  return { blobs, digest: isEmpty ? '' : hash.digest('hex') }
}

export class SystemClipboard implements ClipboardPort {
  readonly #needsFocus: boolean
  readonly #window: () => BrowserWindow | null
  readonly #show: () => void

  constructor(platform: Boot['platform'], window: () => BrowserWindow | null, show: () => void) {
    this.#needsFocus = needsFocus(platform, process.env, app.commandLine.getSwitchValue('ozone-platform'))
    this.#window = window
    this.#show = show
  }

  digest(): Promise<string | null> {
    return within(
      READ_MS,
      readClipboard().then(
        ({ digest }) => digest,
        () => null,
      ),
    )
  }

  async write(text: string): Promise<boolean> {
    if (this.#needsFocus && this.#window()?.isFocused() !== true) return false
    try {
      await clipboard.writeText(text)
      return true
    } catch {
      return false
    }
  }

  /**
   * Writes at the user's request. Shows the window first if the system ignores writes without the focus.
   * Resolves to false if the write fails.
   */
  async writeAsked(text: string): Promise<boolean> {
    if (await this.write(text)) return true
    if (!this.#needsFocus) return false
    this.#show()
    await this.#focus()
    return this.write(text)
  }

  /** Resolves once the clipboard can be read, for which some systems, too, require the focus. */
  async ready(): Promise<void> {
    if (!this.#needsFocus || this.#window()?.isFocused() === true) return
    this.#show()
    await this.#focus()
  }

  async #focus(): Promise<void> {
    const window = this.#window()
    if (window === null || window.isFocused()) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        window.removeListener('focus', end)
        resolve()
      }
      const timer = setTimeout(end, FOCUS_MS)
      window.on('focus', end)
    })
  }
}
