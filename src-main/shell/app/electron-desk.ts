// Implements the handlers' desktop interface (../window/desk.ts) with Electron's dialogs, clipboard, and
// functions for opening links and files. Pasted content is written to the data folder, because it must stay
// readable until it has been uploaded.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, type BrowserWindow, ClipboardItem, clipboard, dialog, nativeImage, shell } from 'electron'
import type { Result } from '../../../src-shared/engine-contract.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { pasteName } from '../../../src-shared/paste-name.ts'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { readClipboard } from '../clipboard/system-clipboard.ts'
import { writeNew } from '../intake/new-file.ts'
import { droppedContent, type PasteInput, pasteFormats, pasteOf, pictureExtension } from '../intake/paste.ts'
import { regionSystem, takeRegion } from '../intake/region.ts'
import { findScreenshots, screenshotSystem } from '../intake/screenshots.ts'
import type { Desk, Pasted } from '../window/desk.ts'
import { fail, ok } from '../window/handler-results.ts'
import { builtPath } from '../window/window.ts'
import { createAsking } from './asking.ts'
import { openPath, showInFolder } from './open-path.ts'
import { textQuestion } from './questions.ts'

interface Options {
  readonly platform: Boot['platform']
  readonly texts: () => ShellTexts
  readonly window: () => BrowserWindow | null
  readonly now: () => number
  readonly writeText: Desk['writeText']
  /** Called when the user has agreed to something in a system dialog. */
  readonly agreed: () => void
  readonly quit: () => void
  /** How pasted content is named (settings, `pasteName`). */
  readonly pasteName: () => string | null
  /** Whether a pasted text needs a question (settings, `askBeforeText`). */
  readonly asksAboutText: () => boolean
  /** Called when the user doesn't want to be asked about a pasted text again. */
  readonly stopAskingAboutText: () => void
  /** Resolves once the system lets this program read the clipboard. */
  readonly clipboardReady: () => Promise<void>
}

export function createDesk(options: Options): Desk & {
  /** Whether a dialog is open that would close with the window. */
  readonly isAsking: () => boolean
  /** Counts a dialog that other code shows as an open question until `answer` settles. */
  readonly whileAsking: <T>(answer: Promise<T>) => Promise<T>
} {
  /** A dialog of a hidden window could be hidden as well, and one without a window behind other programs. */
  const shownWindow = (): BrowserWindow | null => {
    const window = options.window()
    if (window?.isVisible() === true) return window
    if (options.platform === 'darwin') app.focus({ steal: true })
    return null
  }
  let dialogs = 0
  const during = async <T>(answer: Promise<T>): Promise<T> => {
    dialogs++
    try {
      return await answer
    } finally {
      dialogs--
    }
  }
  let isTaking = false
  let picking = false
  const pick = async (properties: Electron.OpenDialogOptions['properties']): Promise<readonly string[]> => {
    // A second click or a second press of the shortcut may arrive before the dialog is visible. One dialog is
    // enough.
    if (picking) return []
    picking = true
    try {
      const window = shownWindow()
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

  const asking = createAsking({ shownWindow, during, agreed: options.agreed })
  const { choose } = asking

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
      clipboardFiles(options, pastedDir, async (name, text) => {
        if (!asksForText || !options.asksAboutText()) return true
        const box = { label: options.texts().paste.dontAsk, tick: options.stopAskingAboutText }
        return (await choose({ ...textQuestion(name, text, options.texts()), box })) === 0
      }),
    region: async (pastedDir) => {
      // A second press of the key may arrive before the system's tool is visible.
      if (isTaking) return ok({ paths: [], pasted: false, isDeclined: true })
      isTaking = true
      try {
        return await regionFile(options, pastedDir)
      } finally {
        isTaking = false
      }
    },
    droppedFile: async (dir, content) => {
      const file = droppedContent(content, {
        ...options,
        pattern: options.pasteName(),
        texts: options.texts(),
        now: options.now(),
      })
      if (file === null) return null
      if (content.what === 'text') {
        await asking.freed()
        if ((await choose(textQuestion(file.name, content.text, options.texts(), true))) !== 0) return null
      }
      return writeNew(dir, file.name, file.bytes)
    },
    confirm: asking.confirm,
    choose,
    quit: options.quit,
    isAsking: () => dialogs > 0,
    hasQuestion: asking.hasQuestion,
    whileAsking: asking.whileAsking,
  }
}

/** Lets the user take a picture of a part of the screen, and writes it to a file. */
async function regionFile(options: Options, pastedDir: string): Promise<Result<Pasted>> {
  const { platform, texts, now } = options
  const got = await takeRegion(
    regionSystem({
      platform,
      openUrl: (url) => shell.openExternal(url),
      clipboard: async () => {
        const content = await readContent(platform).catch(() => null)
        return { digest: content?.mark ?? null, picture: content?.picture ?? new Uint8Array() }
      },
    }),
  )
  if (got === 'none') return fail('not-found', 'There is no tool for screenshots that Slipway can use.')
  if (got === 'refused') return fail('unreadable', "The system's tool for screenshots took no picture.")
  if (got === 'cancelled') return ok({ paths: [], pasted: false, isDeclined: true })
  const name = pasteName(options.pasteName(), 'screenshot', now(), texts().paste.names)
  const path = await writeNew(pastedDir, `${name}.${pictureExtension(got) ?? 'png'}`, got)
  return ok({ paths: [path], pasted: true })
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
  content: Buffer | string,
  during: <T>(answer: Promise<T>) => Promise<T>,
): Promise<boolean> {
  const settings = { defaultPath: join(app.getPath('downloads'), name) }
  const { canceled, filePath } =
    window === null
      ? await dialog.showSaveDialog(settings)
      : await during(dialog.showSaveDialog(window, settings))
  if (canceled || filePath === '') return false
  await writeFile(filePath, content)
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
  options: Options,
  pastedDir: string,
  mayUpload: (name: string, text: string) => Promise<boolean>,
): ReturnType<Desk['clipboardFiles']> {
  let content: Awaited<ReturnType<typeof readContent>>
  try {
    await options.clipboardReady()
    content = await readContent(options.platform)
  } catch (error) {
    return fail(
      'clipboard',
      `Couldn't read the clipboard: ${String(error)}.`,
      'Copy the content again, then try again.',
    )
  }
  const { mark } = content
  const paste = pasteOf({
    ...content,
    platform: options.platform,
    now: options.now(),
    pattern: options.pasteName(),
    texts: options.texts(),
  })
  switch (paste.kind) {
    case 'files':
      return ok({ paths: paste.paths, pasted: false, mark })
    case 'content':
      // The question may stay open for long. What is uploaded is the text that it shows, whatever the clipboard
      // holds by then.
      if (paste.what === 'text' && !(await mayUpload(paste.name, content.text)))
        return ok({ paths: [], pasted: false, isDeclined: true })
      return ok({ paths: [await writeNew(pastedDir, paste.name, paste.bytes)], pasted: true, mark })
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
async function readContent(
  platform: Boot['platform'],
): Promise<Pick<PasteInput, 'buffers' | 'picture' | 'text'> & { readonly mark: string }> {
  const { blobs, digest } = await readClipboard()
  const bytesOf = async (type: string): Promise<Uint8Array> =>
    new Uint8Array((await blobs.get(type)?.arrayBuffer()) ?? [])
  const buffers = new Map<string, Uint8Array>()
  for (const format of pasteFormats(platform)) buffers.set(format, await bytesOf(format))
  const picture = await bytesOf('image/png')
  // Beside a picture, text isn't uploaded.
  const text = digest === '' || picture.length > 0 ? '' : await clipboard.readText()
  return { buffers, picture, text, mark: digest }
}
