// A local path out of a `file:` URL, as desktops put them on the clipboard and on a command line. Null for whatever does not stand for a
// file of this machine, or can't be said as a path. It does not look at the disk.
import { fileURLToPath } from 'node:url'
import type { Boot } from '../../../src-shared/app.ts'

export function fileUrlPath(url: string, platform: Boot['platform']): string | null {
  if (!/^file:/i.test(url) || !URL.canParse(url)) return null
  const parsed = new URL(url)
  // macOS may name a file by its number, which only its own toolkit can resolve.
  if (parsed.pathname.startsWith('/.file/id=')) return null
  try {
    const path = fileURLToPath(parsed, { windows: platform === 'win32' })
    return path.includes('\0') ? null : path
  } catch {
    // Another host, an encoded slash, or bytes that are no characters.
    return null
  }
}
