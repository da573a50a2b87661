// What a person names on the command line, as the engine takes it: a file_id, a public link, or a path made absolute here, since a running
// engine has another current folder. Pure.
import { resolve } from 'node:path'

export function toSelector(text: string, cwd: string): string {
  const typed = text.trim()
  if (/^\d{1,16}$/.test(typed) || /^https?:\/\//i.test(typed)) return typed
  return resolve(cwd, text)
}
