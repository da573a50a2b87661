// `Menu` and `MenuItem`: templates are validated as in Electron, and items carry out their clicks and roles.
// Menus are never drawn; tests click items as a user would.
import { EventEmitter } from 'node:events'
import { app } from './app.ts'
import { desk } from './desk.ts'
import { notImplemented, strictClass } from './strict.ts'

type Options = Electron.MenuItemConstructorOptions
type Role = NonNullable<Electron.MenuItem['role']>

const TYPES = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'] as const

/** Electron's roles with their default labels, in lower case as Electron stores them. */
const ROLES: Readonly<Record<string, string>> = {
  about: 'About',
  clearrecentdocuments: 'Clear Menu',
  close: 'Close Window',
  copy: 'Copy',
  cut: 'Cut',
  delete: 'Delete',
  forcereload: 'Force Reload',
  front: 'Bring All to Front',
  help: 'Help',
  hide: 'Hide',
  hideothers: 'Hide Others',
  minimize: 'Minimize',
  paste: 'Paste',
  pasteandmatchstyle: 'Paste and Match Style',
  quit: 'Quit',
  recentdocuments: 'Open Recent',
  redo: 'Redo',
  reload: 'Reload',
  resetzoom: 'Actual Size',
  selectall: 'Select All',
  services: 'Services',
  startspeaking: 'Start Speaking',
  stopspeaking: 'Stop Speaking',
  toggledevtools: 'Toggle Developer Tools',
  togglefullscreen: 'Toggle Full Screen',
  togglespellchecker: 'Check Spelling While Typing',
  undo: 'Undo',
  unhide: 'Show All',
  window: 'Window',
  zoom: 'Zoom',
  zoomin: 'Zoom In',
  zoomout: 'Zoom Out',
}

/**
 * Roles that include a whole menu. Not implemented: an app that labels every item in its own language doesn't
 * use them.
 */
const WHOLE_MENUS = new Set(['appmenu', 'editmenu', 'filemenu', 'viewmenu', 'windowmenu', 'sharemenu'])

/** Carries out a role. Roles that need a real desktop are recorded instead. */
function runRole(role: string): void {
  const window = desk.focused
  const contents = window?.webContents
  switch (role) {
    case 'quit':
      app.quit()
      return
    case 'close':
      window?.close()
      return
    case 'minimize':
      window?.minimize()
      return
    case 'togglefullscreen':
      window?.setFullScreen(!window.isFullScreen())
      return
    case 'reload':
    case 'forcereload':
      window?.reload()
      return
    case 'toggledevtools':
      contents?.toggleDevTools()
      return
    case 'resetzoom':
      contents?.setZoomLevel(0)
      return
    case 'zoomin':
    case 'zoomout':
      contents?.setZoomLevel(contents.getZoomLevel() + (role === 'zoomin' ? 0.5 : -0.5))
      return
    case 'undo':
    case 'redo':
    case 'cut':
    case 'copy':
    case 'paste':
    case 'delete':
      contents?.[role]()
      return
    case 'selectall':
      contents?.selectAll()
      return
    default:
      desk.calls.push({ api: 'Menu.role', args: [role] })
  }
}

export class MenuItem {
  readonly id: string
  readonly type: (typeof TYPES)[number]
  readonly role?: Role
  readonly accelerator: Electron.Accelerator | null
  readonly submenu: Menu | undefined
  readonly icon: Options['icon']
  label: string
  sublabel: string
  toolTip: string
  enabled: boolean
  visible: boolean
  menu: Menu | undefined
  readonly #click: Options['click']
  #checked: boolean

  constructor(options: Options) {
    const role = options.role?.toLowerCase()
    if (role !== undefined && WHOLE_MENUS.has(role)) throw notImplemented(`Menu role ${role}`)
    if (role !== undefined && !(role in ROLES)) throw new Error(`stand-in: Electron has no menu role ${role}`)
    const { submenu } = options
    this.submenu = Array.isArray(submenu)
      ? Menu.buildFromTemplate(submenu)
      : (submenu as unknown as Menu | undefined)
    const type = options.type ?? (this.submenu === undefined ? 'normal' : 'submenu')
    if (type === 'submenu' && !(this.submenu instanceof Menu)) throw new Error('Invalid submenu')
    if (!TYPES.includes(type)) throw new Error(`Unknown menu item type: ${type as string}`)
    this.type = type
    if (role !== undefined) this.role = role as Role
    this.id = options.id ?? ''
    this.label = options.label ?? (role === undefined ? '' : (ROLES[role] ?? ''))
    this.sublabel = options.sublabel ?? ''
    this.toolTip = options.toolTip ?? ''
    this.icon = options.icon
    this.accelerator = options.accelerator ?? null
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.#checked = options.checked ?? false
    this.#click = options.click
  }

  get checked(): boolean {
    return this.#checked
  }

  /** Only one of a group of radio items is checked. A group ends at the next separator. */
  set checked(checked: boolean) {
    if (this.type === 'radio' && checked)
      for (const other of this.menu?.radioRowOf(this) ?? []) other.#checked = false
    this.#checked = checked
  }

  click(): void {
    // A user can't click a disabled or hidden item, so a test that does is wrong.
    if (!this.enabled || !this.visible)
      throw new Error(`stand-in: the menu item ${this.label} cannot be clicked`)
    if (this.type === 'checkbox') this.checked = !this.checked
    else if (this.type === 'radio') this.checked = true
    if (this.role !== undefined) runRole(this.role)
    else
      this.#click?.(
        this as unknown as Electron.MenuItem,
        desk.focused as unknown as Electron.BrowserWindow | undefined,
        {},
      )
  }
}
strictClass('MenuItem', MenuItem)

export class Menu extends EventEmitter {
  readonly items: MenuItem[] = []

  static buildFromTemplate(template: readonly (Options | MenuItem)[]): Menu {
    if (!Array.isArray(template))
      throw new TypeError('Invalid template for Menu: Menu template must be an array')
    const valid = template.every(
      (one) =>
        one != null &&
        typeof one === 'object' &&
        ('label' in one || 'role' in one || one.type === 'separator'),
    )
    if (!valid)
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type')
    const menu = new Menu()
    for (const one of template) menu.append(one instanceof MenuItem ? one : new MenuItem(one as Options))
    return menu
  }

  static setApplicationMenu(menu: Menu | null): void {
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Invalid menu')
    desk.menu = menu
  }

  static getApplicationMenu(): Menu | null {
    return desk.menu
  }

  append(item: MenuItem): void {
    this.insert(this.items.length, item)
  }

  insert(position: number, item: MenuItem): void {
    if (!(item instanceof MenuItem)) throw new TypeError('Invalid item')
    item.menu = this
    this.items.splice(position, 0, item)
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      if (item.id === id) return item
      const inside = item.submenu?.getMenuItemById(id)
      if (inside) return inside
    }
    return null
  }

  radioRowOf(item: MenuItem): MenuItem[] {
    const at = this.items.indexOf(item)
    const first = this.items.findLastIndex((one, index) => index < at && one.type === 'separator') + 1
    const end = this.items.findIndex((one, index) => index > at && one.type === 'separator')
    return this.items.slice(first, end === -1 ? undefined : end).filter((one) => one.type === 'radio')
  }

  popup(options?: Electron.PopupOptions): void {
    desk.calls.push({ api: 'Menu.popup', args: [this, options] })
    this.emit('menu-will-show', {})
  }

  closePopup(): void {
    this.emit('menu-will-close', {})
  }
}
strictClass('Menu', Menu)
