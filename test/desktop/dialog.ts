// `dialog` and `shell`: nobody is there to answer, so every dialog is cancelled, and everything handed to the desktop is written down.
// A test that wants another answer replaces the function, as it would in Electron.
import { desk, note } from './desk.ts'
import { strict } from './strict.ts'

/** Written down, and answered a moment later, as from a desktop. */
function asked<T>(api: string, answer: T): (...args: readonly unknown[]) => Promise<T> {
  return async (...args) => {
    desk.calls.push({ api, args })
    return await Promise.resolve(answer)
  }
}

export const dialog = strict('dialog', {
  showOpenDialog: asked('dialog.showOpenDialog', { canceled: true, filePaths: [] as string[] }),
  showSaveDialog: asked('dialog.showSaveDialog', { canceled: true, filePath: '' }),
  async showMessageBox(...args: readonly unknown[]): Promise<Electron.MessageBoxReturnValue> {
    desk.calls.push({ api: 'dialog.showMessageBox', args })
    const options = args.at(-1) as Electron.MessageBoxOptions
    return await Promise.resolve({ response: options.cancelId ?? 0, checkboxChecked: options.checkboxChecked ?? false })
  },
  showErrorBox: note('dialog.showErrorBox'),
})

export const shell = strict('shell', {
  openExternal: asked('shell.openExternal', undefined),
  openPath: asked('shell.openPath', ''),
  trashItem: asked('shell.trashItem', undefined),
  showItemInFolder: note('shell.showItemInFolder'),
  beep: note('shell.beep'),
})
