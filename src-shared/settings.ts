// The app's settings, stored under `app` in settings.json. They contain no secret. An invalid field falls
// back to its own default, so that one bad value doesn't affect the others. The service's address is stored
// next to them, because the command line uses it too.
import { catch as withDefault, z } from 'zod/mini'
import { FILES_FILTERS, LINK_STYLES, UNDO_LEAST_SECONDS, VIEWS } from './choices.ts'
import { OnChange } from './model.ts'

export const LinkStyle = z.enum(LINK_STYLES)
export type LinkStyle = z.infer<typeof LinkStyle>

const Theme = z.enum(['system', 'light', 'dark'])
const Density = z.enum(['comfortable', 'compact'])
const Language = z.enum(['system', 'en', 'de'])

/** The state in which the window was left: its view, and how the list of files was sorted and filtered. */
const Place = z.object({
  view: withDefault(z.enum(VIEWS), 'files'),
  sort: withDefault(z.enum(['date', 'name', 'size', 'downloads', 'id']), 'date'),
  descending: withDefault(z.boolean(), true),
  filter: withDefault(z.enum(FILES_FILTERS), 'all'),
})
export type Place = z.infer<typeof Place>

const lastStyle = withDefault(z.nullable(LinkStyle), null)
const CopyStyles = z.object({ row: lastStyle, selection: lastStyle, tray: lastStyle })

const CopyWatched = z.enum(['never', 'always', 'chosen'])
const NotifyLevel = z.enum(['all', 'problems', 'none'])

/** An accelerator in Electron's format. */
const Shortcut = withDefault(z.nullable(z.string().check(z.maxLength(100))), null)

export const AppSettings = z.object({
  theme: withDefault(Theme, 'system'),
  density: withDefault(Density, 'comfortable'),
  language: withDefault(Language, 'system'),
  linkStyle: withDefault(LinkStyle, 'url'),
  /**
   * May contain `$url`, `$name`, `$stem`, `$ext`, `$size` and `$date`, or `{url}` and so on; see
   * link-template.ts.
   */
  linkTemplate: withDefault(z.string().check(z.maxLength(2000)), '$name: $url'),
  /** The format last chosen under "Copy as" for a single row, for several, and in the tray. */
  copyStyles: withDefault(CopyStyles, { row: null, selection: null, tray: null }),
  /** Whether the links of dropped files are copied to the clipboard as they become ready. */
  copyAfterDrop: withDefault(z.boolean(), true),
  /**
   * In which watched folders the link of each saved file is copied: in none, in all, or in those that
   * `copyFolders` lists (paths).
   */
  copyWatched: withDefault(CopyWatched, 'chosen'),
  copyFolders: withDefault(z.array(z.string().check(z.maxLength(65_536))).check(z.maxLength(1000)), []),
  /**
   * Folders (paths) for which the window still has to ask whether links are copied; null if the folders
   * haven't been determined yet.
   */
  copyAsk: withDefault(
    z.nullable(z.array(z.string().check(z.maxLength(65_536))).check(z.maxLength(1000))),
    null,
  ),
  notify: withDefault(NotifyLevel, 'all'),
  /**
   * Epoch ms until which notifications are shown only for a refused key, a plan without API access, or an
   * unwritable disk.
   */
  snoozedUntil: withDefault(z.nullable(z.number()), null),
  /**
   * The IDs of the accounts that "Pause all" has already paused; any other account is paused when its engine
   * starts. An account that is resumed individually stays in this list. Null unless "Pause all" is in effect.
   */
  pausedAccounts: withDefault(
    z.nullable(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(1000))),
    null,
  ),
  /** Maximum number of simultaneous uploads. */
  concurrency: withDefault(z.int().check(z.minimum(1), z.maximum(16)), 8),
  /** Limit on the combined speed of all uploads, or null if there is none. */
  bytesPerSecond: withDefault(z.nullable(z.int().check(z.minimum(1000))), null),
  /**
   * An address like `http://proxy:3128`, or one of two modes. `system`: uses environment variables and system
   * settings. `none`: always connects directly, regardless of both.
   */
  proxy: withDefault(z.string().check(z.maxLength(2000)), 'system'),
  openAtLogin: withDefault(z.boolean(), false),
  /** Whether Slipway keeps running in the tray when its window is closed. */
  closeToTray: withDefault(z.boolean(), true),
  /**
   * Global keyboard shortcuts: for the file chooser, for uploading the clipboard, for taking a picture of a
   * part of the screen and uploading it, and for the shelf. Null if there is none.
   */
  shortcut: Shortcut,
  clipboardShortcut: Shortcut,
  regionShortcut: Shortcut,
  shelfShortcut: Shortcut,
  /** How pasted content and screenshots are named (paste-name.ts); null for the language's default. */
  pasteName: withDefault(z.nullable(z.string().check(z.maxLength(200))), null),
  /** Whether text that is pasted into the window is uploaded only after a question. */
  askBeforeText: withDefault(z.boolean(), true),
  /** `onChange` and `ignore` are the defaults for new watched folders. */
  onChange: withDefault(OnChange, 'new-link'),
  ignore: withDefault(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(1000)), []),
  /**
   * Patterns in .gitignore syntax, matched against absolute paths. `guardHold`: files that are always held;
   * `guardAllow`: files that are never held as secrets. If both match, the file is held.
   */
  guardHold: withDefault(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(1000)), []),
  guardAllow: withDefault(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(1000)), []),
  /** Number of seconds for which a deletion can be undone. */
  undoSeconds: withDefault(z.int().check(z.minimum(UNDO_LEAST_SECONDS), z.maximum(60)), 8),
  /** Whether Slipway checks for new versions automatically, if it installs its own updates. */
  checkUpdates: withDefault(z.boolean(), true),
  welcomed: withDefault(z.boolean(), false),
  place: withDefault(Place, { view: 'files', sort: 'date', descending: true, filter: 'all' }),
})
export type AppSettings = z.infer<typeof AppSettings>

export const DEFAULT_APP_SETTINGS: AppSettings = AppSettings.parse({})

type Fields = (typeof AppSettings)['shape']

/** A change to the settings: any subset of the fields, each of them valid. */
export const SettingsPatch = z.strictObject(
  Object.fromEntries(
    Object.entries(AppSettings.shape).map(([name, field]) => [name, z.optional(field.def.innerType)]),
  ) as {
    [K in keyof Fields]: z.ZodMiniOptional<Fields[K]['def']['innerType']>
  },
)
export type SettingsPatch = z.infer<typeof SettingsPatch>
