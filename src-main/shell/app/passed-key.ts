// Takes the API key that the start script of the Linux packages (assets/linux/start-app.sh) passes through a
// descriptor. Unlike an environment variable, the descriptor doesn't reach the processes that Chromium starts
// before any JavaScript runs.
import { closeSync, fstatSync, readFileSync } from 'node:fs'

const VARIABLE = 'SLIPWAY_API_KEY_FD'
/** The first descriptor that isn't a standard stream. */
const FIRST = 3

/**
 * Reads the key and closes the descriptor. Removes the variable from `env`. Returns null if no key is passed
 * or it can't be read, or if the descriptor isn't a pipe or an unlinked file, as in a program that inherited
 * only the variable.
 */
export function takePassedKey(env: Record<string, string | undefined>): string | null {
  const text = env[VARIABLE] ?? ''
  delete env[VARIABLE]
  const fd = Number(text)
  if (!/^\d{1,4}$/.test(text) || fd < FIRST) return null
  try {
    const kind = fstatSync(fd)
    // Depending on the shell, a here-document is passed in a pipe or in an unlinked temporary file.
    if (!kind.isFIFO() && !(kind.isFile() && kind.nlink === 0)) return null
    const key = readFileSync(fd, 'utf8').trim()
    closeSync(fd)
    return key === '' ? null : key
  } catch {
    return null
  }
}
