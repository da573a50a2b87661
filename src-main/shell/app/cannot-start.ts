// Ends the app if it can't start, once the user has read why. The dialog is asynchronous, so that signals are
// heard meanwhile.
import { app, dialog } from 'electron'
import { onSignals } from './signals.ts'

let isEnding = false

/** Shows the message and ends the app with `code`. Only the first call counts. */
export function cannotStart(title: string, detail: string, code = 1): void {
  if (isEnding) return
  isEnding = true
  process.stderr.write(`${detail.trimEnd()}\n`)
  // Otherwise, files of later starts would be passed to this process.
  app.releaseSingleInstanceLock()
  void app
    .whenReady()
    .then(() => {
      onSignals(() => app.exit(code))
      return dialog.showMessageBox({ type: 'error', message: title, detail })
    })
    .finally(() => app.exit(code))
}
