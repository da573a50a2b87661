// What a person chose about the app, as it stands under `app` in settings.json. It holds no secret. A field that can't be read falls back to
// its default alone, so that one bad value never costs the others. The address of the service is not here but beside it, shared with the CLI.
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
  /** `$url`, `$name`, `$stem`, `$ext`, `$size`, `$date`; everything else stays as it is. */
  linkTemplate: z.string().max(2000).catch('$name: $url'),
  /** Copies the links of a drop once its last file is up. */
  copyAfterDrop: z.boolean().catch(true),
  notify: NotifyLevel.catch('all'),
  /** Epoch ms; before it only what stops every upload is told. */
  snoozedUntil: z.number().nullable().catch(null),
  /** Uploads at once. */
  concurrency: z.number().int().min(1).max(16).catch(8),
  /** Cap over all uploads, null: none. */
  bytesPerSecond: z.number().int().min(1000).nullable().catch(null),
  /** `system`: the variables and settings of the system; `none`; or an address like `http://proxy:3128`. */
  proxy: z.string().max(2000).catch('system'),
  openAtLogin: z.boolean().catch(false),
  /** Closing the window leaves Slipway in the tray. */
  closeToTray: z.boolean().catch(true),
  /** An accelerator that opens the file chooser from anywhere; null: none. */
  shortcut: z.string().max(100).nullable().catch(null),
  /** For folders that are added from now on. */
  onChange: OnChange.catch('new-link'),
  ignore: z.array(z.string().max(4096)).max(1000).catch([]),
  /** In gitignore syntax against absolute paths: held in any case, and never taken for secrets. Where both match, the file is held. */
  guardHold: z.array(z.string().max(4096)).max(1000).catch([]),
  guardAllow: z.array(z.string().max(4096)).max(1000).catch([]),
  /** Seconds in which a deletion can be undone. */
  undoSeconds: z.number().int().min(0).max(60).catch(8),
  welcomed: z.boolean().catch(false),
})
export type AppSettings = z.infer<typeof AppSettings>

export const DEFAULT_APP_SETTINGS: AppSettings = AppSettings.parse({})

/** What a change may hold: any fields, each valid. */
export const SettingsPatch = z
  .object(
    Object.fromEntries(Object.entries(AppSettings.shape).map(([name, field]) => [name, field.unwrap().optional()])) as {
      [K in keyof (typeof AppSettings)['shape']]: z.ZodOptional<ReturnType<(typeof AppSettings)['shape'][K]['unwrap']>>
    },
  )
  .strict()
export type SettingsPatch = z.infer<typeof SettingsPatch>
