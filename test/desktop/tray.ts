// `Tray`: never drawn; keeps the menu, tooltip and image that the app sets.
// Tests read these through `electron.standIn`, and emit clicks.
import { EventEmitter } from 'node:events'
import { desk, note } from './desk.ts'
import type { Menu } from './menu.ts'
import { imageOf, type NativeImage } from './native-image.ts'
import { endObject, strictClass } from './strict.ts'

export const trays: Tray[] = []

export class Tray extends EventEmitter {
  image: NativeImage
  toolTip = ''
  menu: Menu | null = null
  #title = ''

  constructor(image: NativeImage | string) {
    super()
    if (!desk.ready) throw new Error('Cannot create Tray before app is ready')
    this.image = imageOf(image)
    trays.push(this)
  }

  setImage(image: NativeImage | string): void {
    this.image = imageOf(image)
  }

  setToolTip(toolTip: string): void {
    this.toolTip = toolTip
  }

  setTitle(title: string): void {
    this.#title = title
  }

  getTitle(): string {
    return this.#title
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu
  }

  readonly setPressedImage = note('Tray.setPressedImage')
  readonly setIgnoreDoubleClickEvents = note('Tray.setIgnoreDoubleClickEvents')
  readonly popUpContextMenu = note('Tray.popUpContextMenu')
  readonly closeContextMenu = note('Tray.closeContextMenu')
  readonly focus = note('Tray.focus')

  getBounds(): Electron.Rectangle {
    return { x: 0, y: 0, width: 22, height: 22 }
  }

  destroy(): void {
    if (this.isDestroyed()) return
    trays.splice(trays.indexOf(this), 1)
    endObject(this, ['isDestroyed', 'destroy'], [], new Error('Tray is destroyed'))
  }

  isDestroyed(): boolean {
    return !trays.includes(this)
  }
}
strictClass('Tray', Tray)
