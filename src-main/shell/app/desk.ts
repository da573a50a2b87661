// Implements the handlers' desktop interface (../window/desk.ts) with Electron's dialogs, clipboard, and
// functions for opening links and files. Pasted content is written to the data folder, because it must stay
// readable until it has been uploaded.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, type BrowserWindow, ClipboardItem, clipboard, dialog, nativeImage, shell } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { writeNew } from '../intake/new-file.ts'
import { type PasteInput, pasteFormats, pasteOf } from '../intake/paste.ts'
import { findScreenshots, screenshotSystem } from '../intake/screenshots.ts'
import type { Desk } from '../window/desk.ts'
import { fail, ok } from '../window/handler-results.ts'
import { builtPath } from '../window/window.ts'
import { openPath, showInFolder } from './open-path.ts'
import { type Choice, type Question, textQuestion } from './questions.ts'

interface Options {
  readonly platform: Boot['platform']
  readonly texts: () => ShellTexts
  readonly window: () => BrowserWindow | null
  readonly now: () => number
  readonly writeText: Desk['writeText']
  /** Called when the user has agreed to something in a system dialog. */
  readonly agreed: () => void
  readonly quit: () => void
}

export function createDesk(options: Options): Desk & {
  /** Whether a dialog is open that would close with the window. */
  readonly isAsking: () => boolean
  /** Whether a question is open. Until it is answered, any other question is declined without being shown. */
  readonly hasQuestion: () => boolean
  /** Counts a dialog that other code shows as an open question until `answer` settles. */
  readonly whileAsking: <T>(answer: Promise<T>) => Promise<T>
} {
  let dialogs = 0
  const during = async <T>(answer: Promise<T>): Promise<T> => {
    dialogs++
    try {
      return await answer
    } finally {
      dialogs--
    }
  }
  let picking = false
  const pick = async (properties: Electron.OpenDialogOptions['properties']): Promise<readonly string[]> => {
    // A second click or a second press of the shortcut may arrive before the dialog is visible. One dialog is
    // enough.
    if (picking) return []
    picking = true
    try {
      const window = options.window()
      const settings = { properties: properties ?? [] }
      const answer =
        window === null
          ? await dialog.showOpenDialog(settings)
          : await during(dialog.showOpenDialog(window, settings))
      return answer.canceled ? [] : answer.filePaths
    } finally {
      picking = false
    }
  }

  let questions = 0
  const whileAsking = async <T>(answer: Promise<T>): Promise<T> => {
    questions++
    try {
      return await answer
    } finally {
      questions--
    }
  }
  const ask = async (box: Electron.MessageBoxOptions): Promise<number | null> => {
    // Allow only one question at a time, so that a page can't pile up dialogs for the user to dismiss.
    if (questions > 0) return null
    const window = options.window()
    const answer = window === null ? dialog.showMessageBox(box) : during(dialog.showMessageBox(window, box))
    return (await whileAsking(answer)).response
  }
  const confirm = async ({ title, detail, confirm: yes, cancel }: Question): Promise<boolean> => {
    // Enter and Escape both decline, since a page could open the dialog while the user is typing.
    const buttons = [yes, cancel]
    if (
      (await ask({
        type: 'warning',
        message: title,
        detail,
        buttons,
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      })) !== 0
    )
      return false
    options.agreed()
    return true
  }
  const choose = async ({ title, detail, answers, cancel, byEnter }: Choice): Promise<number | null> => {
    const cancelId = answers.length
    const buttons = [...answers, cancel]
    const chosen = await ask({
      type: 'question',
      message: title,
      detail,
      buttons,
      defaultId: byEnter ?? cancelId,
      cancelId,
      noLink: true,
    })
    return chosen === null || chosen >= cancelId ? null : chosen
  }

  return {
    chooseFolder: async () => (await pick(['openDirectory', 'createDirectory']))[0] ?? null,
    screenshots: () => findScreenshots(screenshotSystem(options.platform, app.getPath('pictures'))),
    chooseFiles: (folders) => pick([folders ? 'openDirectory' : 'openFile', 'multiSelections']),
    writeText: options.writeText,
    writePicture,
    saveAs: (name, bytes) => saveAs(options.window(), name, bytes, during),
    openUrl: (url) => void shell.openExternal(url),
    openPath,
    showInFolder,
    dragFiles: (paths) => dragFiles(options.window(), paths),
    clipboardFiles: (pastedDir, asksForText = false) =>
      clipboardFiles(options, pastedDir, async (name, text) =>
        asksForText ? (await choose(textQuestion(name, text, options.texts()))) === 0 : true,
      ),
    confirm,
    choose,
    quit: options.quit,
    isAsking: () => dialogs > 0,
    hasQuestion: () => questions > 0,
    whileAsking,
  }
}

async function writePicture(png: Buffer): Promise<boolean> {
  try {
    const picture = new Blob([new Uint8Array(png)], { type: 'image/png' })
    await clipboard.write([new ClipboardItem({ 'image/png': picture })])
    return true
  } catch {
    return false
  }
}

async function saveAs(
  window: BrowserWindow | null,
  name: string,
  bytes: Buffer,
  during: <T>(answer: Promise<T>) => Promise<T>,
): Promise<boolean> {
  const settings = { defaultPath: join(app.getPath('downloads'), name) }
  const { canceled, filePath } =
    window === null
      ? await dialog.showSaveDialog(settings)
      : await during(dialog.showSaveDialog(window, settings))
  if (canceled || filePath === '') return false
  await writeFile(filePath, bytes)
  return true
}

/** Size of the icon under the pointer, in pixels. */
const DRAG_ICON_PX = 48

function dragFiles(window: BrowserWindow | null, paths: readonly string[]): void {
  const [file] = paths
  if (window === null || file === undefined) return
  const icon = nativeImage.createFromPath(builtPath('..', 'assets', 'icon.png'))
  // Without an icon, Electron refuses to drag.
  window.webContents.startDrag({ file, files: [...paths], icon: icon.resize({ width: DRAG_ICON_PX }) })
}

async function clipboardFiles(
  options: Pick<Options, 'platform' | 'texts' | 'now'>,
  pastedDir: string,
  mayUpload: (name: string, text: string) => Promise<boolean>,
): ReturnType<Desk['clipboardFiles']> {
  let content: Awaited<ReturnType<typeof readClipboard>>
  try {
    content = await readClipboard(options.platform)
  } catch (error) {
    return fail(
      'clipboard',
      `Couldn't read the clipboard: ${String(error)}.`,
      'Copy the content again, then try again.',
    )
  }
  const paste = pasteOf({
    ...content,
    platform: options.platform,
    now: options.now(),
    texts: options.texts(),
  })
  switch (paste.kind) {
    case 'files':
      return ok({ paths: paste.paths, pasted: false })
    case 'content':
      // The question may stay open for long. What is uploaded is the text that it shows, whatever the clipboard
      // holds by then.
      if (paste.what === 'text' && !(await mayUpload(paste.name, content.text)))
        return ok({ paths: [], pasted: false })
      return ok({ paths: [await writeNew(pastedDir, paste.name, paste.bytes)], pasted: true })
    case 'too-big': {
      const { what, bytes } = paste
      const { failure } = fail(
        'usage',
        `The ${what} on the clipboard is too large.`,
        'Save it as a file, then upload the file.',
      )
      return { ok: false, failure: { ...failure, tooLarge: { what, bytes } } }
    }
    case 'nothing':
      return ok({ paths: [], pasted: false })
    default:
      return paste satisfies never
  }
}

/** Reads the clipboard's content in all formats that may be uploaded. Rejects if the system denies access. */
async function readClipboard(
  platform: Boot['platform'],
): Promise<Pick<PasteInput, 'buffers' | 'picture' | 'text'>> {
  const [item] = await clipboard.read()
  const bytesOf = async (type: string): Promise<Uint8Array> => {
    try {
      const found: unknown = item?.types.includes(type) === true ? await item.getType(type) : null
      return found instanceof Blob ? new Uint8Array(await found.arrayBuffer()) : new Uint8Array()
    } catch {
      // The content may be gone, for example because the program that offered it has quit. Treat it as empty.
      return new Uint8Array()
    }
  }
  const buffers = new Map<string, Uint8Array>()
  for (const format of pasteFormats(platform)) buffers.set(format, await bytesOf(format))
  return {
    buffers,
    picture: await bytesOf('image/png'),
    text: item === undefined ? '' : await clipboard.readText(),
  }
}
