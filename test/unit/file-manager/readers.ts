// Parses the menus' files as the file managers do, as far as needed to know which program they start with
// which arguments: GLib's key files and command line splitting (Nemo), desktop entries (Dolphin), and
// property lists (macOS).

/** The groups of a key file with their keys and values. Escapes in the values are resolved. */
export function keyFile(text: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const groups: Record<string, Record<string, string>> = {}
  let group: Record<string, string> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const name = /^\[(.+)\]$/.exec(line)?.[1]
    if (name !== undefined) {
      group = groups[name] = {}
      continue
    }
    const [, key = '', raw = ''] = /^([A-Za-z][\w-]*(?:\[\w+\])?)=(.*)$/.exec(line) ?? []
    if (key === '' || key in group) throw new Error(`${JSON.stringify(line)} is no key of its own.`)
    group[key] = raw.replaceAll(/\\(.)/g, (_whole, char: string) => {
      const stands = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' }[char]
      if (stands === undefined) throw new Error(`\\${char} is no escape.`)
      return stands
    })
  }
  return groups
}

/** Like g_shell_parse_argv: supports a shell's quotes and backslashes, and nothing else. */
function splitLikeGlib(line: string): string[] {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === "'") {
      const end = line.indexOf("'", at + 1)
      if (end === -1) throw new Error('A quote is not closed.')
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (char === '"') {
      word ??= ''
      for (at++; line.charAt(at) !== '"'; at++) {
        if (at >= line.length) throw new Error('A quote is not closed.')
        if (line.charAt(at) === '\\' && '$`"\\\n'.includes(line.charAt(at + 1))) at++
        word += line.charAt(at)
      }
    } else if (char === '\\') {
      at++
      if (line.charAt(at) !== '\n') word = (word ?? '') + line.charAt(at)
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  if (word !== null) words.push(word)
  return words
}

/**
 * Like Nemo since its first version with actions: `%U` is replaced by the URIs, each between the quotes that
 * `Quote` specifies, without escaping.
 */
export function nemoStarts(file: string, paths: readonly string[]): string[] {
  const action = keyFile(file)['Nemo Action'] ?? {}
  const quote = { single: "'", double: '"' }[action['Quote'] ?? ''] ?? ''
  const urls = paths.map((path) => `${quote}${gioUri(path)}${quote}`).join(' ')
  const exec = action['Exec'] ?? ''
  const at = exec.indexOf('%')
  return splitLikeGlib(exec.slice(at, at + 2) === '%U' ? exec.slice(0, at) + urls + exec.slice(at + 2) : exec)
}

/**
 * Like Dolphin: the arguments of Exec according to the specification. Each separate `%F` is replaced by all
 * files.
 */
export function dolphinStarts(exec: string, paths: readonly string[]): string[] {
  return [...exec.matchAll(/"((?:[^"\\`$]|\\["`$\\])*)"|(\S+)/gs)].flatMap(([, quoted, bare]) => {
    if (bare === '%F') return paths
    return [
      (quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(["`$\\])/g, '$1')).replaceAll('%%', '%'),
    ]
  })
}

/** A URI as GLib writes it. GLib escapes fewer characters than other programs. */
export function gioUri(path: string): string {
  const bytes = [...new TextEncoder().encode(path)]
  const text = bytes.map((byte) => {
    const char = String.fromCharCode(byte)
    return /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/.test(char)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  return `file://${text.join('')}`
}

type Plist = string | number | boolean | readonly Plist[] | { readonly [key: string]: Plist }

/**
 * Parses an XML property list. Throws if a tag isn't closed, a key has no value, or anything is left over.
 */
export function readPlist(text: string): Plist {
  const [, inner = ''] = /<plist version="1\.0">([\s\S]*)<\/plist>\s*$/.exec(text) ?? []
  const tokens = [...inner.matchAll(/<(\/?)(\w+)(\/?)>|([^<]+)/g)].filter(
    (token) => token[4] === undefined || token[4].trim() !== '',
  )
  let at = 0
  const textOf = (tag: string): string => {
    const body = tokens[at]?.[4] === undefined ? '' : (tokens[at++]?.[4] ?? '')
    close(tag)
    return body.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  }
  const close = (tag: string): void => {
    const token = tokens[at++]
    if (token?.[1] !== '/' || token[2] !== tag) throw new Error(`</${tag}> is missing.`)
  }
  const isEnd = (): boolean => at >= tokens.length || tokens[at]?.[1] === '/'
  const read = (): Plist => {
    const [, , tag = '', empty] = tokens[at++] ?? []
    if (tag === 'true' || tag === 'false') return tag === 'true'
    if (tag === 'string') return textOf('string')
    if (tag === 'integer') return Number(textOf('integer'))
    if (tag === 'array') {
      const items: Plist[] = []
      if (empty !== '/') {
        while (!isEnd()) items.push(read())
        close('array')
      }
      return items
    }
    if (tag !== 'dict') throw new Error(`<${tag}> is unknown.`)
    const entries: [string, Plist][] = []
    if (empty !== '/') {
      while (!isEnd()) {
        if (tokens[at++]?.[2] !== 'key') throw new Error('A key is missing.')
        const key = textOf('key')
        entries.push([key, read()])
      }
      close('dict')
    }
    return Object.fromEntries(entries)
  }
  const value = read()
  if (at !== tokens.length) throw new Error('More follows the value.')
  return value
}
