// Quits the app when a Windows session ends: at a sign-out, a restart or a shutdown, or if an installer needs the app's files. Electron
// reports this only through window events, and it doesn't emit `before-quit`. On other systems, `powerMonitor` reports a shutdown.
import { app, BrowserWindow } from 'electron'

/**
 * `quit` may be called more than once. If the app has no window, Windows ends it without notice, as in a crash, and the next start
 * recovers.
 */
export function quitAtSessionEnd({ isUploading, quit }: { readonly isUploading: () => boolean; readonly quit: () => void }): void {
  const follow = (window: BrowserWindow): void => {
    window.on('query-session-end', (event) => {
      // Another app may still stop the session from ending, so quit now only if uploads would be cut off. Windows waits for an app that
      // prevents the default, unless its window is hidden.
      if (!isUploading()) return
      event.preventDefault()
      quit()
    })
    window.on('session-end', quit)
  }
  for (const window of BrowserWindow.getAllWindows()) follow(window)
  app.on('browser-window-created', (_event, window) => follow(window))
}
