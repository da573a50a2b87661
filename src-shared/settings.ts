// The app's settings, stored under `app` in settings.json. They contain no secret. An invalid field falls back to its own default, so that
// one bad value doesn't affect the others. The service's address is stored next to them, because the command line uses it too.
import { z } from 'zod/mini'
import { FILES_FILTERS, LINK_STYLES, VIEWS } from './choices.ts'
import { OnChange } from './model.ts'

export const LinkStyle = z.enum(LINK_STYLES)
export type LinkStyle = z.infer<typeof LinkStyle>

const Theme = z.enum(['system', 'light', 'dark'])
const Density = z.enum(['comfortable', 'compact'])
const Language = z.enum(['system', 'en', 'de'])

/** The state in which the window was left: its view, and how the list of files was sorted and filtered. */
const Place = z.object({
  view: z.catch(z.enum(VIEWS), 'files'),
  sort: z.catch(z.enum(['date', 'name', 'size', 'downloads', 'id']), 'date'),
  descending: z.catch(z.boolean(), true),
  filter: z.catch(z.enum(FILES_FILTERS), 'all'),
})
export type Place = z.infer<typeof Place>

const CopyWatched = z.enum(['never', 'always', 'chosen'])
const NotifyLevel = z.enum(['all', 'problems', 'none'])

export const AppSettings = z.object({
  theme: z.catch(Theme, 'system'),
  density: z.catch(Density, 'comfortable'),
  language: z.catch(Language, 'system'),
  linkStyle: z.catch(LinkStyle, 'url'),
  /** May contain `$url`, `$name`, `$stem`, `$ext`, `$size` and `$date`, or `{url}` and so on; see link-template.ts. */
  linkTemplate: z.catch(z.string().check(z.maxLength(2000)), '$name: $url'),
  /** Copies the links of a drop as they become ready. */
  copyAfterDrop: z.catch(z.boolean(), true),
  /** Copies the link of each file that is saved in a watched folder: in none, in every one, or in those of `copyFolders` (paths). */
  copyWatched: z.catch(CopyWatched, 'chosen'),
  copyFolders: z.catch(z.array(z.string().check(z.maxLength(65_536))).check(z.maxLength(1000)), []),
  /** Folders (paths) for which the window still has to ask whether their links are copied; null if they haven't been determined yet. */
  copyAsk: z.catch(z.nullable(z.array(z.string().check(z.maxLength(65_536))).check(z.maxLength(1000))), null),
  notify: z.catch(NotifyLevel, 'all'),
  /** Epoch milliseconds. Until then, only problems that stop all uploads cause a notification. */
  snoozedUntil: z.catch(z.nullable(z.number()), null),
  /** Simultaneous uploads. */
  concurrency: z.catch(z.int().check(z.minimum(1), z.maximum(16)), 8),
  /** Limit for all uploads together, or null if there is none. */
  bytesPerSecond: z.catch(z.nullable(z.int().check(z.minimum(1000))), null),
  /**
   * `system`: environment variables and system settings; `none`: always a direct connection, whatever these two say; or an address like
   * `http://proxy:3128`.
   */
  proxy: z.catch(z.string().check(z.maxLength(2000)), 'system'),
  openAtLogin: z.catch(z.boolean(), false),
  /** Slipway keeps running in the tray when its window is closed. */
  closeToTray: z.catch(z.boolean(), true),
  /** A keyboard shortcut that opens the file chooser from anywhere, or null if there is none. */
  shortcut: z.catch(z.nullable(z.string().check(z.maxLength(100))), null),
  /** This and `ignore` are the defaults for new watched folders. */
  onChange: z.catch(OnChange, 'new-link'),
  ignore: z.catch(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(1000)), []),
  /**
   * Patterns in .gitignore syntax, matched against absolute paths. `guardHold`: files that are always held; `guardAllow`: files that are
   * never held as secrets. If both match, the file is held.
   */
  guardHold: z.catch(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(1000)), []),
  guardAllow: z.catch(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(1000)), []),
  /** Seconds in which a deletion can be undone. */
  undoSeconds: z.catch(z.int().check(z.minimum(0), z.maximum(60)), 8),
  /** Slipway checks for new versions automatically, if it installs its own updates. */
  checkUpdates: z.catch(z.boolean(), true),
  welcomed: z.catch(z.boolean(), false),
  place: z.catch(Place, { view: 'files', sort: 'date', descending: true, filter: 'all' }),
})
export type AppSettings = z.infer<typeof AppSettings>

export const DEFAULT_APP_SETTINGS: AppSettings = AppSettings.parse({})

type Fields = (typeof AppSettings)['shape']

/** A change to the settings: any subset of the fields, each of them valid. */
export const SettingsPatch = z.strictObject(
  Object.fromEntries(Object.entries(AppSettings.shape).map(([name, field]) => [name, z.optional(field.def.innerType)])) as {
    [K in keyof Fields]: z.ZodMiniOptional<Fields[K]['def']['innerType']>
  },
)
export type SettingsPatch = z.infer<typeof SettingsPatch>
