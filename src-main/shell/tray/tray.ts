// Shows the tray icon and its menu as described by tray-view.ts. Clicks on the icon may never arrive on Linux,
// so every action is in the menu. The icon is created once the desktop shows tray icons (tray-presence.ts), or
// after TRAY_MS. In the latter case, Electron uses an older kind of icon, which some panels show. The icon is
// created again if a tray appears.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, nativeTheme, Tray } from 'electron'
import { Throttle } from '../../platform/time.ts'
import type { TrayHost } from './tray-presence.ts'
import type { TrayAction, TrayIcon, TrayItem, TrayView } from './tray-view.ts'

/** Maximum wait for the desktop to show tray icons, which may take a while after login. */
export const TRAY_MS = 15_000

/**
 * Minimum interval between two changes. An icon that changes more often flickers; one that changes less often
 * shows outdated state.
 */
const EVERY_MS = 500

export interface TrayMenu {
  update(view: TrayView): void
  /** Whether the icon is visible on this desktop at the moment, as far as can be detected. */
  readonly there: boolean
  close(): void
}

function template(
  items: readonly TrayItem[],
  act: (action: TrayAction) => void,
): MenuItemConstructorOptions[] {
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
          ...(item.checked === undefined ? {} : { type: 'radio', checked: item.checked }),
          ...(item.accelerator === null ? {} : { accelerator: item.accelerator, registerAccelerator: false }),
          ...(item.toolTip === null ? {} : { toolTip: item.toolTip }),
        }
      case 'submenu':
        return {
          label: item.label,
          submenu: template(item.items, act),
          ...(item.toolTip === null ? {} : { toolTip: item.toolTip }),
        }
      default:
        return item satisfies never
    }
  })
}

function iconFile(dir: string, icon: TrayIcon): string {
  if (process.platform === 'darwin') return join(dir, `${icon}Template.png`)
  if (process.platform === 'win32')
    return join(dir, `${icon}-${nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light'}.ico`)
  // GNOME's top bar is black even with the light theme.
  const dark = nativeTheme.shouldUseDarkColors || /GNOME/i.test(process.env['XDG_CURRENT_DESKTOP'] ?? '')
  return join(dir, `${icon}-${dark ? 'dark' : 'light'}.png`)
}

export function createTray(options: {
  readonly dir: string
  readonly host: TrayHost
  readonly act: (action: TrayAction) => void
  readonly onClick: () => void
  readonly onDrop: (paths: readonly string[]) => void
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}): TrayMenu {
  const file = (icon: TrayIcon): string => iconFile(options.dir, icon)
  const picture = (icon: TrayIcon) => {
    const image = nativeImage.createFromPath(file(icon))
    if (process.platform === 'darwin') image.setTemplateImage(true)
    return image
  }
  let tray: Tray | null = null
  let hadHost = false
  let isClosed = false
  let wanted: TrayView | null = null
  /** What the icon shows, and the menu. */
  let shown = ''
  let menuShown = ''
  /**
   * Whether the menu is open. Replacing an open menu would close it. Always false on Linux, where this can't
   * be detected.
   */
  let isMenuOpen = false
  const create = (): void => {
    if (isClosed) return
    hadHost = options.host.isThere
    shown = ''
    menuShown = ''
    try {
      if (!existsSync(file('idle'))) throw new Error(`There is no picture ${file('idle')}.`)
      tray = new Tray(picture('idle'))
    } catch (error) {
      options.log('tray.missing', { message: error instanceof Error ? error.message : String(error) })
      return
    }
    tray.on('click', () => {
      // On macOS, a click opens the menu.
      if (process.platform !== 'darwin') options.onClick()
    })
    tray.on('drop-files', (_event, files) => options.onDrop(files))
    step()
  }

  const act = (action: TrayAction): void => {
    options.act(action)
    if (action.kind !== 'use-account') return
    // The system marks the clicked account as selected at once, but switching may fail. Rebuild the menu to
    // show the actual state.
    menuShown = ''
    setImmediate(showMenu)
  }

  const show = (): void => {
    if (tray === null || wanted === null) return
    shown = printOf(wanted)
    tray.setImage(picture(wanted.icon))
    tray.setToolTip(wanted.tooltip)
    if (process.platform === 'darwin') tray.setTitle(wanted.title)
    showMenu()
  }
  const printOf = (view: TrayView): string => JSON.stringify([view, file(view.icon)])
  const throttle = new Throttle(EVERY_MS, show)
  const step = (): void => {
    if (wanted === null || shown === printOf(wanted)) throttle.cancel()
    else throttle.request()
  }
  const showMenu = (): void => {
    if (tray === null || wanted === null || isMenuOpen) return
    const print = JSON.stringify(wanted.menu)
    if (print === menuShown) return
    menuShown = print
    const menu = Menu.buildFromTemplate(template(wanted.menu, act))
    if (process.platform !== 'linux') {
      menu.on('menu-will-show', () => {
        isMenuOpen = true
      })
      menu.on('menu-will-close', () => {
        isMenuOpen = false
        // Wait, because the click on an item arrives only after this event.
        setImmediate(showMenu)
      })
    }
    tray.setContextMenu(menu)
  }
  const hostChanged = (): void => {
    if (!options.host.isThere || (tray !== null && hadHost)) return
    tray?.destroy()
    tray = null
    create()
  }
  nativeTheme.on('updated', step)
  hostChanged()
  options.host.onChange(hostChanged)
  void options.host.within(TRAY_MS).then((isThere) => {
    if (!isThere && tray === null) create()
  })

  return {
    get there() {
      return tray !== null && options.host.isThere
    },
    update: (view) => {
      wanted = view
      step()
    },
    close: () => {
      isClosed = true
      options.host.close()
      throttle.cancel()
      nativeTheme.off('updated', step)
      tray?.destroy()
      tray = null
    },
  }
}
