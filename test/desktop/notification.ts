// `Notification`: recorded in the order shown, never drawn. Tests emit `click`, `action`, `close` or
// `failed`, as a desktop would. Tests read the notifications through `electron.standIn`.
import { EventEmitter } from 'node:events'
import { strictClass } from './strict.ts'

export const notifications: Notification[] = []

export class Notification extends EventEmitter {
  title: string
  subtitle: string
  body: string
  silent: boolean
  urgency: 'normal' | 'critical' | 'low'
  actions: Electron.NotificationAction[]
  closeButtonText: string
  readonly options: Electron.NotificationConstructorOptions
  #shown = false

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    this.options = options
    this.title = options.title ?? ''
    this.subtitle = options.subtitle ?? ''
    this.body = options.body ?? ''
    this.silent = options.silent ?? false
    this.urgency = options.urgency ?? 'normal'
    this.actions = options.actions ?? []
    this.closeButtonText = options.closeButtonText ?? ''
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    this.close()
    this.#shown = true
    notifications.push(this)
    this.emit('show', {})
  }

  close(): void {
    if (!this.#shown) return
    this.#shown = false
    this.emit('close', {})
  }
}
strictClass('Notification', Notification)
