// Finds the home folder in a line of JSON, so that the log can shorten it. JSON doubles each backslash of a Windows path, and again if the
// text is nested in more JSON. Windows paths also occur with slashes, as file URLs and in any letter case.

/** Returns a pattern that matches `home` in all of these spellings, or null if it is the root of a disk, which identifies no user. */
export function homePattern(home: string, platform: NodeJS.Platform): RegExp | null {
  const isWindows = platform === 'win32'
  const parts = home.split(isWindows ? /[\\/]+/ : '/').filter((part) => part !== '')
  if (parts.length === 0 || (isWindows && parts.length === 1)) return null
  const separator = isWindows ? String.raw`[\\/]+` : '/'
  const path = parts.map(spellings).join(separator)
  // A share begins with two backslashes, a drive with its letter. `\\?\` may precede either.
  const start = isWindows ? (/^[\\/]{2}/.test(home) ? separator : String.raw`(?:\\{2,}\?\\+)?`) : separator
  return new RegExp(start + path, platform === 'win32' || platform === 'darwin' ? 'giu' : 'gu')
}

/** A pattern that matches the text unescaped, as escaped by JSON, and as escaped in a URL. */
function spellings(part: string): string {
  const all = new Set([part, JSON.stringify(part).slice(1, -1), encodeURI(part)])
  return `(?:${[...all].map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})`
}
