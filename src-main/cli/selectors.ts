// Converts what the user names on the command line into the engine's form: a file_id, a public link, or an absolute path. Paths must be
// absolute because a running engine may have another working directory. Pure.
import { resolve } from 'node:path'

export function toSelector(text: string, cwd: string): string {
  const typed = text.trim()
  if (/^\d{1,16}$/.test(typed) || /^https?:\/\//i.test(typed)) return typed
  return resolve(cwd, text)
}
