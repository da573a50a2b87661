// Finds the home folder in a line of JSON, so that the log can replace it. Each level of JSON doubles the backslashes of a Windows path.
// Windows paths also occur with forward slashes, as file URLs and in any letter case.
import { realpathSync } from 'node:fs'

/**
 * Returns patterns for the given path of the home folder and, if it differs, for its real path, because the engine knows files by their
 * real paths. The longer path comes first, because it may contain the shorter one.
 */
export function homePatterns(home: string, platform: NodeJS.Platform): readonly RegExp[] {
  return [...new Set([home, realPath(home)])].toSorted((a, b) => b.length - a.length).flatMap((path) => homePattern(path, platform) ?? [])
}

function realPath(home: string): string {
  try {
    return realpathSync.native(home)
  } catch {
    return home // It doesn't exist, or its drive doesn't support resolving links.
  }
}

/** Returns a pattern that matches all spellings of `home`. Returns null if `home` is the root of a disk, which doesn't identify a user. */
export function homePattern(home: string, platform: NodeJS.Platform): RegExp | null {
  const isWindows = platform === 'win32'
  const parts = home.split(isWindows ? /[\\/]+/ : '/').filter((part) => part !== '')
  if (parts.length === 0 || (isWindows && parts.length === 1)) return null
  const separator = isWindows ? String.raw`[\\/]+` : '/'
  const path = parts.map(spellings).join(separator)
  // A UNC path begins with two backslashes. Other paths begin with a drive letter, which may be preceded by `\\?\`.
  const start = isWindows ? (/^[\\/]{2}/.test(home) ? separator : String.raw`(?:\\{2,}\?\\+)?`) : separator
  return new RegExp(start + path, platform === 'win32' || platform === 'darwin' ? 'giu' : 'gu')
}

/** A pattern that matches the text unescaped, as escaped by JSON, and as escaped in a URL. */
function spellings(part: string): string {
  const all = new Set([part, JSON.stringify(part).slice(1, -1), encodeURI(part)])
  return `(?:${[...all].map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})`
}
