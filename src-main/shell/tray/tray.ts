// The icon in the tray and its menu, made from the view that tray-view.ts decides. On Linux clicks may never come, so everything is in the
// menu. It is set anew at most every five seconds, as tray-schedule.ts says.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, nativeTheme, Tray } from 'electron'
import { NOTHING_SHOWN, trayStep } from './tray-schedule.ts'
import type { TrayAction, TrayIcon, TrayItem, TrayView } from './tray-view.ts'

export interface TrayMenu {
  update(view: TrayView): void
  /** False where this desktop has no tray, as far as it can be told. */
  readonly there: boolean
  close(): void
}

function template(items: readonly TrayItem[], act: (action: TrayAction) => void): MenuItemConstructorOptions[] {
  return items.map((item): MenuItemConstructorOptions => {
    switch (item.type) {
      case 'text':
        return { label: item.label, enabled: false }
      case 'separator':
        return { type: 'separator' }
      case 'action':
        return {
          label: item.label,
          enabled: item.enabled,
          click: () => act(item.action),
          ...(item.accelerator === null ? {} : { accelerator: item.accelerator, registerAccelerator: false }),
          ...(item.toolTip === null ? {} : { toolTip: item.toolTip }),
        }
      case 'submenu':
        return { label: item.label, submenu: template(item.items, act), ...(item.toolTip === null ? {} : { toolTip: item.toolTip }) }
      default:
        return item satisfies never
    }
  })
}

export function createTray(options: {
  readonly dir: string
  readonly act: (action: TrayAction) => void
  readonly onClick: () => void
  readonly onDrop: (paths: readonly string[]) => void
  readonly now: () => number
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}): TrayMenu {
  const iconFile = (icon: TrayIcon): string => {
    if (process.platform === 'darwin') return join(options.dir, `${icon}Template.png`)
    if (process.platform === 'win32')
      return join(options.dir, `${icon}-${nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light'}.ico`)
    // The bar of GNOME is black in its light theme as well.
    const dark = nativeTheme.shouldUseDarkColors || /GNOME/i.test(process.env['XDG_CURRENT_DESKTOP'] ?? '')
    return join(options.dir, `${icon}-${dark ? 'dark' : 'light'}.png`)
  }
  const picture = (icon: TrayIcon) => {
    const image = nativeImage.createFromPath(iconFile(icon))
    if (process.platform === 'darwin') image.setTemplateImage(true)
    return image
  }
  let tray: Tray | null = null
  let schedule = NOTHING_SHOWN
  let wanted: TrayView | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    if (!existsSync(iconFile('idle'))) throw new Error(`There is no picture ${iconFile('idle')}.`)
    tray = new Tray(picture('idle'))
    tray.on('click', () => {
      // On macOS a click opens the menu, as people of that system expect.
      if (process.platform !== 'darwin') options.onClick()
    })
    tray.on('drop-files', (_event, files) => options.onDrop(files))
  } catch (error) {
    options.log('tray.missing', { message: error instanceof Error ? error.message : String(error) })
  }

  const step = (): void => {
    clearTimeout(timer)
    if (tray === null || wanted === null) return
    const next = trayStep({ state: schedule, wanted: JSON.stringify([wanted, nativeTheme.shouldUseDarkColors]), now: options.now() })
    schedule = next.state
    if (next.wakeAt !== null) timer = setTimeout(step, Math.max(50, next.wakeAt - options.now()))
    if (!next.show) return
    tray.setImage(picture(wanted.icon))
    tray.setToolTip(wanted.tooltip)
    if (process.platform === 'darwin') tray.setTitle(wanted.title)
    tray.setContextMenu(Menu.buildFromTemplate(template(wanted.menu, options.act)))
  }
  nativeTheme.on('updated', step)

  return {
    there: tray !== null,
    update: (view) => {
      wanted = view
      step()
    },
    close: () => {
      clearTimeout(timer)
      nativeTheme.off('updated', step)
      tray?.destroy()
      tray = null
    },
  }
}
