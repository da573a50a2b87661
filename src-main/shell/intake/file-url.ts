// Converts a `file:` URL, as found on the clipboard and on command lines, to a path without accessing the
// disk. Returns null if the URL can't be expressed as a path on this system.
import { fileURLToPath } from 'node:url'
import type { Boot } from '../../../src-shared/window-contract.ts'

export function fileUrlPath(url: string, platform: Boot['platform']): string | null {
  if (!/^file:/i.test(url) || !URL.canParse(url)) return null
  const parsed = new URL(url)
  // A macOS file reference URL identifies a file by its ID, which only Apple's frameworks can resolve.
  if (parsed.pathname.startsWith('/.file/id=')) return null
  try {
    const path = fileURLToPath(parsed, { windows: platform === 'win32' })
    return path.includes('\0') ? null : path
  } catch {
    // The URL has no valid path: for example, it has an encoded slash, invalid bytes, or a host that this
    // system doesn't allow.
    return null
  }
}
