// The file names of the chaos runs: ordinary ones, and odd ones for the kind of that name.
// On Windows those that it can't have are left out.

/** Letters, signs and spaces that occur in names, and what escaping would break. */
const PLAIN: readonly string[] = [
  'with space',
  'ümläut',
  'emoji 🚀',
  'quote " and \'',
  'new\nline',
  'per%20cent',
  '#hash',
  '!bang',
  'semi;colon',
  'back\\slash',
  '.dotted',
  'ÄÖ',
  '日本',
  'a&b=c',
]

const LONG = `${'ä'.repeat(125)} 255.x`.slice(0, 130)

const ODD: readonly string[] = [
  // 255 bytes, the longest name that Linux allows.
  LONG.padEnd(255 - (Buffer.byteLength(LONG) - LONG.length), 'y'),
  'Case.txt',
  'case.txt',
  'CASE.TXT',
  'two\nlines\n',
  '👩‍👩‍👧‍👦 family',
  'e\u0301 apart',
  '\u00e9 whole',
  ' leading and trailing ',
  '-rf',
  '--json',
  '...',
  'tab\there',
  'bell\u0007',
  '"quoted"; filename="other"',
  '\u202eright to left',
  'CON',
  'a:b|c?d*',
]

const isWindows = process.platform === 'win32'
/** Separators, wildcards and control characters anywhere, or a point or space at the end. */
const WINDOWS_REFUSED = /[<>:"/\\|?*\p{Cc}]|[. ]$/u
const WINDOWS_RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

function isPossible(name: string): boolean {
  return !isWindows || !(WINDOWS_REFUSED.test(name) || WINDOWS_RESERVED.test(name))
}

export const PLAIN_NAMES: readonly [string, ...string[]] = ['plain', ...PLAIN.filter(isPossible)]

/** Names that differ in case alone are one file on Windows. */
export function oddNamesHere(): readonly string[] {
  const seen = new Set<string>()
  return ODD.filter((name) => {
    const key = isWindows ? name.toLowerCase() : name
    if (!isPossible(name) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
