// Extracts a local path from a `file:` URL, as found on the clipboard and on command lines. Returns null if it isn't a file of this
// machine or can't be expressed as a path. Doesn't access the disk.
import { fileURLToPath } from 'node:url'
import type { Boot } from '../../../src-shared/app.ts'

export function fileUrlPath(url: string, platform: Boot['platform']): string | null {
  if (!/^file:/i.test(url) || !URL.canParse(url)) return null
  const parsed = new URL(url)
  // macOS may refer to a file by its ID, which only its own frameworks can resolve.
  if (parsed.pathname.startsWith('/.file/id=')) return null
  try {
    const path = fileURLToPath(parsed, { windows: platform === 'win32' })
    return path.includes('\0') ? null : path
  } catch {
    // Another host, an encoded slash, or invalid bytes.
    return null
  }
}
