// Reads and writes settings.json, which contains the user's choices and the address of the service, and which
// all Slipway processes share. It contains no secret. A file that can't be parsed is moved aside and
// reported. Unknown fields from a newer version are kept.
import { catch as withDefault, z } from 'zod'
import { AppSettings, DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import { setAsideSync } from './patient-rename.ts'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

const SettingsFile = z.looseObject({
  /** Normalized, including `/api/v1`. */
  baseUrl: z.string().min(1).max(4096).nullable().default(null),
  /** The app's settings. An invalid field is replaced by its default without affecting the others. */
  app: withDefault(z.looseObject(AppSettings.shape), DEFAULT_APP_SETTINGS).default(DEFAULT_APP_SETTINGS),
})
export type Settings = z.infer<typeof SettingsFile>

export const DEFAULT_SETTINGS: Settings = { baseUrl: null, app: DEFAULT_APP_SETTINGS }

export interface ReadSettings {
  readonly settings: Settings
  /**
   * A message for the user that says what was wrong with the file and where it is now. Null if nothing was
   * wrong.
   */
  readonly message: string | null
}

/**
 * Returns the defaults if the file is missing or invalid. Moves an invalid file aside. Throws if the file
 * can't be read or moved.
 */
export function readSettings(file: string, now: number): ReadSettings {
  const text = readPrivateFile(file)
  if (text === null) return { settings: DEFAULT_SETTINGS, message: null }
  const read = parseSettings(text)
  if (read !== null) return { settings: read, message: null }
  const aside = setAsideSync(file, now)
  return {
    settings: DEFAULT_SETTINGS,
    message: `The settings couldn't be read and were set aside as ${aside}. The defaults apply. To set the address again, log in.`,
  }
}

export function parseSettings(text: string): Settings | null {
  try {
    // Some editors on Windows begin a file with a byte order mark.
    return SettingsFile.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).data ?? null
  } catch {
    return null
  }
}

export function writeSettings(file: string, settings: Settings): void {
  // What `readSettings` would reject must not replace settings that can be read.
  SettingsFile.parse(settings)
  writePrivateFile(file, `${JSON.stringify(settings, null, 2)}\n`)
}
