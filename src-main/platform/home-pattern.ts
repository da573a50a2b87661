// Finds the home folder in a line of JSON, to shorten it in the log. Windows' backslashes are doubled there, once more for each time the text was
// quoted before; its paths also come with slashes, as file URLs and in any letter case.

/** Matches every spelling of `home`; null if the home folder is the root, which says nothing about anyone. */
export function homePattern(home: string, platform: NodeJS.Platform): RegExp | null {
  const isWindows = platform === 'win32'
  const parts = home.split(isWindows ? /[\\/]+/ : '/').filter((part) => part !== '')
  if (parts.length === 0 || (isWindows && parts.length === 1)) return null
  const separator = isWindows ? String.raw`[\\/]+` : '/'
  const path = parts.map(spellings).join(separator)
  // A share begins with two backslashes, a drive with its letter; `\\?\` may come before either.
  const start = isWindows ? (/^[\\/]{2}/.test(home) ? separator : String.raw`(?:\\{2,}\?\\+)?`) : separator
  return new RegExp(start + path, platform === 'win32' || platform === 'darwin' ? 'giu' : 'gu')
}

/** As it is, as JSON writes it, and as a URL does. */
function spellings(part: string): string {
  const all = new Set([part, JSON.stringify(part).slice(1, -1), encodeURI(part)])
  return `(?:${[...all].map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})`
}
