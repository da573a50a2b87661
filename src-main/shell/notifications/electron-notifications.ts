// Shows notifications on macOS and Windows through Electron.
import { Notification } from 'electron'
import type { NotificationSystem } from './notification-screen.ts'

export const electronNotifications: NotificationSystem = {
  isSupported: () => Notification.isSupported(),
  show: ({ title, body, urgent, actions }, listeners, replaced) => {
    replaced?.close()
    if (!Notification.isSupported()) return { close: () => undefined }
    const native = new Notification({
      title,
      body,
      urgency: urgent ? 'critical' : 'normal',
      silent: !urgent,
      actions: actions.map((text) => ({ type: 'button', text })),
    })
    native.on('click', () => listeners.onAction(null))
    native.on('action', (details) => listeners.onAction(details.actionIndex))
    native.on('close', ({ reason }) => listeners.onClose(reason === 'timedOut'))
    native.on('failed', (_event, error) => listeners.onFail(error))
    native.show()
    return { close: () => native.close() }
  },
}
