// The app's settings, stored under `app` in settings.json. They contain no secret. An invalid field falls back to its own default, so that
// one bad value doesn't affect the others. The service's address is stored next to them, because the command line uses it too.
import { z } from 'zod'
import { LINK_FORMATS } from './format.ts'
import { OnChange } from './model.ts'

export const LinkStyle = z.enum([...LINK_FORMATS, 'template'])
export type LinkStyle = z.infer<typeof LinkStyle>

const Theme = z.enum(['system', 'light', 'dark'])
const Density = z.enum(['comfortable', 'compact'])
const Language = z.enum(['system', 'en', 'de'])
export const FILES_FILTERS = ['all', 'picture', 'document', 'video', 'archive', 'week', 'unopened', 'audio', 'code'] as const

/** The state in which the window was left: its view, and how the list of files was sorted and filtered. */
const Place = z.object({
  view: z.enum(['files', 'transfers', 'usage', 'settings']).catch('files'),
  sort: z.enum(['date', 'name', 'size', 'downloads', 'id']).catch('date'),
  descending: z.boolean().catch(true),
  filter: z.enum(FILES_FILTERS).catch('all'),
})
export type Place = z.infer<typeof Place>

const CopyWatched = z.enum(['never', 'always', 'chosen'])
const NotifyLevel = z.enum(['all', 'problems', 'none'])

export const AppSettings = z.object({
  theme: Theme.catch('system'),
  density: Density.catch('comfortable'),
  language: Language.catch('system'),
  linkStyle: LinkStyle.catch('url'),
  /** May contain `$url`, `$name`, `$stem`, `$ext`, `$size` and `$date`, or `{url}` and so on; see link-template.ts. */
  linkTemplate: z.string().max(2000).catch('$name: $url'),
  /** Copies the links of a drop as they become ready. */
  copyAfterDrop: z.boolean().catch(true),
  /** Copies the link of each file that is saved in a watched folder: in none, in every one, or in those of `copyFolders` (paths). */
  copyWatched: CopyWatched.catch('chosen'),
  copyFolders: z.array(z.string().max(65_536)).max(1000).catch([]),
  /** Folders (paths) for which the window still has to ask whether their links are copied; null if they haven't been determined yet. */
  copyAsk: z.array(z.string().max(65_536)).max(1000).nullable().catch(null),
  notify: NotifyLevel.catch('all'),
  /** Epoch milliseconds. Until then, only problems that stop all uploads cause a notification. */
  snoozedUntil: z.number().nullable().catch(null),
  /** Simultaneous uploads. */
  concurrency: z.number().int().min(1).max(16).catch(8),
  /** Limit for all uploads together, or null if there is none. */
  bytesPerSecond: z.number().int().min(1000).nullable().catch(null),
  /**
   * `system`: environment variables and system settings; `none`: always a direct connection, whatever these two say; or an address like
   * `http://proxy:3128`.
   */
  proxy: z.string().max(2000).catch('system'),
  openAtLogin: z.boolean().catch(false),
  /** Slipway keeps running in the tray when its window is closed. */
  closeToTray: z.boolean().catch(true),
  /** A keyboard shortcut that opens the file chooser from anywhere, or null if there is none. */
  shortcut: z.string().max(100).nullable().catch(null),
  /** This and `ignore` are the defaults for new watched folders. */
  onChange: OnChange.catch('new-link'),
  ignore: z.array(z.string().max(4096)).max(1000).catch([]),
  /**
   * Patterns in .gitignore syntax, matched against absolute paths. `guardHold`: files that are always held; `guardAllow`: files that are
   * never held as secrets. If both match, the file is held.
   */
  guardHold: z.array(z.string().max(4096)).max(1000).catch([]),
  guardAllow: z.array(z.string().max(4096)).max(1000).catch([]),
  /** Seconds in which a deletion can be undone. */
  undoSeconds: z.number().int().min(0).max(60).catch(8),
  /** Slipway checks for new versions automatically, if it installs its own updates. */
  checkUpdates: z.boolean().catch(true),
  welcomed: z.boolean().catch(false),
  place: Place.catch({ view: 'files', sort: 'date', descending: true, filter: 'all' }),
})
export type AppSettings = z.infer<typeof AppSettings>

export const DEFAULT_APP_SETTINGS: AppSettings = AppSettings.parse({})

/** A change to the settings: any subset of the fields, each of them valid. */
export const SettingsPatch = z
  .object(
    Object.fromEntries(Object.entries(AppSettings.shape).map(([name, field]) => [name, field.unwrap().optional()])) as {
      [K in keyof (typeof AppSettings)['shape']]: z.ZodOptional<ReturnType<(typeof AppSettings)['shape'][K]['unwrap']>>
    },
  )
  .strict()
export type SettingsPatch = z.infer<typeof SettingsPatch>
