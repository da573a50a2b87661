// `dialog` and `shell`: there is no user, so every dialog is cancelled, and everything passed to the desktop
// is recorded. A test that needs another answer replaces the function, as it would in Electron.
import { desk, note } from './desk.ts'
import { strict } from './strict.ts'

/** Records the call and answers shortly after, like a desktop. */
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
    return await Promise.resolve({
      response: options.cancelId ?? 0,
      checkboxChecked: options.checkboxChecked ?? false,
    })
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
