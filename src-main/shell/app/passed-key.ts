// Takes the API key that the start script of the Linux packages (assets/linux/start-app.sh) passes through a descriptor. Unlike the
// environment, it doesn't reach the processes that Chromium starts before any JavaScript runs.
import { closeSync, fstatSync, readFileSync } from 'node:fs'

const VARIABLE = 'SLIPWAY_API_KEY_FD'
/** The first descriptor that isn't a standard stream. */
const FIRST = 3

/**
 * Reads the key and closes the descriptor. Removes the variable from `env`. Returns null if none is passed, or if the descriptor isn't a pipe
 * or file, as in a program that inherited only the variable.
 */
export function takePassedKey(env: Record<string, string | undefined>): string | null {
  const text = env[VARIABLE] ?? ''
  delete env[VARIABLE]
  const fd = Number(text)
  if (!/^\d{1,4}$/.test(text) || fd < FIRST) return null
  try {
    const kind = fstatSync(fd)
    // Shells put short texts into a pipe, or into a file without a name.
    if (!kind.isFIFO() && !(kind.isFile() && kind.nlink === 0)) return null
    const key = readFileSync(fd, 'utf8').trim()
    closeSync(fd)
    return key === '' ? null : key
  } catch {
    return null
  }
}
