// The settings of the app, stored under `app` in settings.json. They contain no secret. A field that can't be read falls back to its own default,
// so one bad value never costs the others. The address of the service is beside them in the file, shared with the command line.
import { z } from 'zod'
import { LINK_FORMATS } from './format.ts'
import { OnChange } from './model.ts'

export const LinkStyle = z.enum([...LINK_FORMATS, 'template'])
export type LinkStyle = z.infer<typeof LinkStyle>

const Theme = z.enum(['system', 'light', 'dark'])
const Density = z.enum(['comfortable', 'compact'])
const Language = z.enum(['system', 'en', 'de'])
const NotifyLevel = z.enum(['all', 'problems', 'none'])

export const AppSettings = z.object({
  theme: Theme.catch('system'),
  density: Density.catch('comfortable'),
  language: Language.catch('system'),
  linkStyle: LinkStyle.catch('url'),
  /** With `$url`, `$name`, `$stem`, `$ext`, `$size` and `$date`; everything else is copied as it is. */
  linkTemplate: z.string().max(2000).catch('$name: $url'),
  /** Copies the links of a drop once its last file is uploaded. */
  copyAfterDrop: z.boolean().catch(true),
  notify: NotifyLevel.catch('all'),
  /** Epoch ms. Until then only problems that stop all uploads are notified. */
  snoozedUntil: z.number().nullable().catch(null),
  /** Simultaneous uploads. */
  concurrency: z.number().int().min(1).max(16).catch(8),
  /** Limit for all uploads together. Null: none. */
  bytesPerSecond: z.number().int().min(1000).nullable().catch(null),
  /** `system`: environment variables and system settings; `none`; or an address like `http://proxy:3128`. */
  proxy: z.string().max(2000).catch('system'),
  openAtLogin: z.boolean().catch(false),
  /** Slipway keeps running in the tray when its window is closed. */
  closeToTray: z.boolean().catch(true),
  /** An accelerator that opens the file chooser from anywhere; null: none. */
  shortcut: z.string().max(100).nullable().catch(null),
  /** The default for folders that are added; `ignore` too. */
  onChange: OnChange.catch('new-link'),
  ignore: z.array(z.string().max(4096)).max(1000).catch([]),
  /** In .gitignore syntax, matched against absolute paths: always held, and never held as secrets. Where both match, the file is held. */
  guardHold: z.array(z.string().max(4096)).max(1000).catch([]),
  guardAllow: z.array(z.string().max(4096)).max(1000).catch([]),
  /** Seconds in which a deletion can be undone. */
  undoSeconds: z.number().int().min(0).max(60).catch(8),
  welcomed: z.boolean().catch(false),
})
export type AppSettings = z.infer<typeof AppSettings>

export const DEFAULT_APP_SETTINGS: AppSettings = AppSettings.parse({})

/** A change: any of the fields, each of them valid. */
export const SettingsPatch = z
  .object(
    Object.fromEntries(Object.entries(AppSettings.shape).map(([name, field]) => [name, field.unwrap().optional()])) as {
      [K in keyof (typeof AppSettings)['shape']]: z.ZodOptional<ReturnType<(typeof AppSettings)['shape'][K]['unwrap']>>
    },
  )
  .strict()
export type SettingsPatch = z.infer<typeof SettingsPatch>
