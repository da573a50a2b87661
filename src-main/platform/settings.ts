// settings.json: what a person chose and every process of Slipway shares, the address of the service above all. It holds no secret. A file
// that can't be read is set aside and said so; fields of a newer version are kept as they are.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { AppSettings, DEFAULT_APP_SETTINGS } from '../../src-shared/settings.ts'
import { makePrivateDir } from './private-dir.ts'

const SettingsFile = z.looseObject({
  /** Normalised, with `/api/v1`. */
  baseUrl: z.string().min(1).max(4096).nullable().default(null),
  /** What a person chose about the app; each bad field falls back alone. */
  app: AppSettings.catch(DEFAULT_APP_SETTINGS).default(DEFAULT_APP_SETTINGS),
})
export type Settings = z.infer<typeof SettingsFile>

export const DEFAULT_SETTINGS: Settings = { baseUrl: null, app: DEFAULT_APP_SETTINGS }

export interface ReadSettings {
  readonly settings: Settings
  /** For people: what was wrong with the file and where it is now. Null: nothing. */
  readonly message: string | null
}

/** A file that is not there gives the defaults; a broken one too, after it was moved beside. Throws only what a folder without rights throws. */
export function readSettings(file: string, now: number): ReadSettings {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { settings: DEFAULT_SETTINGS, message: null }
    throw error
  }
  const read = parseSettings(text)
  if (read !== null) return { settings: read, message: null }
  const aside = `${file}.broken-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(file, aside)
  return {
    settings: DEFAULT_SETTINGS,
    message: `The settings could not be read and were set aside as ${aside}. The defaults hold; log in again to set the address.`,
  }
}

export function parseSettings(text: string): Settings | null {
  try {
    return SettingsFile.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Writes a whole new file beside and moves it into place, so that a power cut leaves the old one or the new one. */
export function writeSettings(file: string, settings: Settings): void {
  makePrivateDir(dirname(file))
  const beside = `${file}.${process.pid}.new`
  try {
    const handle = openSync(beside, 'w', 0o600)
    try {
      writeSync(handle, `${JSON.stringify(settings, null, 2)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  if (process.platform === 'win32') return
  // Without this the new name may be lost with the power, though the content is safe.
  const dir = openSync(dirname(file), 'r')
  try {
    fsyncSync(dir)
  } finally {
    closeSync(dir)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
