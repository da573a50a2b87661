// The desktop made real: dialogs, clipboard, the system's browser and file manager. Thin: what is asked for and what comes of it is decided
// elsewhere. Pasted content is written into the data folder, since what is uploaded must stay readable until it is up.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserWindow, clipboard, dialog, shell } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { pasteFormats, pasteOf } from '../intake/paste.ts'
import type { Desk } from '../window/desk.ts'
import type { Question } from './questions.ts'

/** A pasted file that is older was uploaded long ago, or nobody waits for it. */
const PASTED_KEEP_MS = 14 * 86_400_000

export function createDesk(options: {
  readonly platform: Boot['platform']
  readonly texts: () => ShellTexts
  readonly window: () => BrowserWindow | null
  readonly pastedDir: string
  readonly now: () => number
  readonly quit: () => void
}): Desk {
  const ask = async (properties: Electron.OpenDialogOptions['properties']): Promise<readonly string[]> => {
    const window = options.window()
    const settings = { properties: properties ?? [] }
    const answer = window === null ? await dialog.showOpenDialog(settings) : await dialog.showOpenDialog(window, settings)
    return answer.canceled ? [] : answer.filePaths
  }

  let asking = false
  const confirm = async (question: Question): Promise<boolean> => {
    // A page must not wear a person down with one dialog upon another.
    if (asking) return false
    asking = true
    try {
      const window = options.window()
      const box: Electron.MessageBoxOptions = {
        type: 'warning',
        message: question.title,
        detail: question.detail,
        buttons: [question.confirm, question.cancel],
        // Enter and Escape both decline: a page could open the dialog under a person's fingers.
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      }
      const { response } = window === null ? await dialog.showMessageBox(box) : await dialog.showMessageBox(window, box)
      return response === 0
    } finally {
      asking = false
    }
  }

  const write = async (name: string, bytes: Uint8Array): Promise<string> => {
    await mkdir(options.pastedDir, { recursive: true, mode: 0o700 })
    for (let n = 1; ; n++) {
      const dot = name.lastIndexOf('.')
      const path = join(options.pastedDir, n === 1 ? name : `${name.slice(0, dot)} ${n}${name.slice(dot)}`)
      try {
        await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
        return path
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST') || n > 999) throw error
      }
    }
  }

  return {
    chooseFolder: async () => (await ask(['openDirectory', 'createDirectory']))[0] ?? null,
    chooseFiles: (folders) => ask([folders ? 'openDirectory' : 'openFile', 'multiSelections']),
    writeText: (text) => void clipboard.writeText(text),
    openUrl: (url) => void shell.openExternal(url),
    openPath: (path) => shell.openPath(path),
    showInFolder: (path) => shell.showItemInFolder(path),
    clipboardFiles: async () => {
      const [item] = await clipboard.read()
      if (item === undefined) return { paths: [], pasted: false }
      const bytesOf = async (type: string): Promise<Uint8Array> => {
        try {
          const found: unknown = item.types.includes(type) ? await item.getType(type) : null
          return found instanceof Blob ? new Uint8Array(await found.arrayBuffer()) : new Uint8Array()
        } catch {
          // Taken away by its owner meanwhile.
          return new Uint8Array()
        }
      }
      const buffers = new Map<string, Uint8Array>()
      for (const format of pasteFormats(options.platform)) {
        const raw = await bytesOf(`electron application/osclipboard;format="${format}"`)
        buffers.set(format, raw.length > 0 ? raw : await bytesOf(format))
      }
      const paste = pasteOf({
        platform: options.platform,
        buffers,
        picture: await bytesOf('image/png'),
        text: await clipboard.readText(),
        now: options.now(),
        texts: options.texts(),
      })
      if (paste.kind === 'files') return { paths: paste.paths, pasted: false }
      return paste.kind === 'content' ? { paths: [await write(paste.name, paste.bytes)], pasted: true } : { paths: [], pasted: false }
    },
    confirm,
    quit: options.quit,
  }
}

/** Throws away what was pasted long ago. What was pasted lately may still wait for its upload. */
export async function tidyPasted(dir: string, now: number): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const path = join(dir, name)
    const there = await stat(path).catch(() => null)
    if (there !== null && now - there.mtimeMs > PASTED_KEEP_MS) await rm(path, { force: true }).catch(() => undefined)
  }
}
