// Writes the log: one JSON object per line, in rotated files. Registered secrets and anything that looks like
// a bearer token are redacted, and the home folder is replaced by `~`. Lines that can't be written, for
// example because the disk is full, are dropped and counted.
import { appendFileSync, realpathSync, renameSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Redact, redactAll } from '../api/redact.ts'
import type { DebugTopic, Log, LogValue } from '../engine/ports.ts'

const MOST_BYTES = 5 * 1024 * 1024
const KEEP = 3
const FLUSH_MS = 200
const LINE_MOST = 8192
/**
 * Warnings and errors with the same name that are written within a minute. More of them, which a hostile page
 * or service can cause, would push everything else out of the rotated files.
 */
const ALIKE_MOST = 100
const ALIKE_MS = 60_000

export interface FileLog extends Log {
  /**
   * Redacts this text and its encoded forms in all later lines. Texts of fewer than four characters are
   * ignored.
   */
  addSecret(secret: string): void
  flush(): void
  close(): void
}

export function createLog(options: {
  readonly file: string
  readonly now?: () => number
  readonly home?: string
  readonly platform?: NodeJS.Platform
  /** Topics to log at level `debug`; none by default. */
  readonly debug?: ReadonlySet<DebugTopic>
}): FileLog {
  const now = options.now ?? Date.now
  const homes = homePatterns(options.home ?? homedir(), options.platform ?? process.platform)
  const secrets = new Set<string>()
  let redact: Redact = (text) => text
  let lines: string[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | null = null
  let size = sizeOf(options.file)
  const alike = new Map<string, { readonly since: number; count: number }>()

  const clean = (text: string): string => {
    let out = redact(text).replace(
      /\b(authorization\s*[:=]\s*)?bearer(?:\s|%20|\+)+[^\s"\\]+/gi,
      '$1Bearer [key]',
    )
    for (const home of homes) out = out.replaceAll(home, '~')
    return out
  }

  const rotate = (): void => {
    for (let n = KEEP - 1; n >= 1; n--) {
      try {
        renameSync(n === 1 ? options.file : `${options.file}.${n - 1}`, `${options.file}.${n}`)
      } catch {
        // The file can't be renamed, for example because it doesn't exist yet. Continue with the others.
      }
    }
    // Not 0 if the current file couldn't be renamed, for example because another program has it open on
    // Windows.
    size = sizeOf(options.file)
  }

  const flush = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (lines.length === 0) return
    const count = lines.length
    if (dropped > 0)
      lines.unshift(
        `${JSON.stringify({ at: new Date(now()).toISOString(), level: 'warn', event: 'log.dropped', count: dropped })}\n`,
      )
    const text = Buffer.from(lines.join(''))
    lines = []
    try {
      if (size + text.length > MOST_BYTES) rotate()
      if (size > 0 && size + text.length > MOST_BYTES) throw new Error('the log could not be rotated')
      appendFileSync(options.file, text, { mode: 0o600 })
      size += text.length
      dropped = 0
    } catch {
      // A failed write, for example to a full disk, must not stop the engine, and a log that can't be rotated
      // must not grow without limit. The number of dropped lines is logged once writing succeeds again.
      dropped += count
    }
  }

  const isLimited = (event: string): boolean => {
    let seen = alike.get(event)
    if (seen === undefined || Math.abs(now() - seen.since) >= ALIKE_MS)
      alike.set(event, (seen = { since: now(), count: 0 }))
    seen.count++
    if (seen.count === ALIKE_MOST + 1)
      write('warn', 'log.limited', { of: event, most: ALIKE_MOST, seconds: ALIKE_MS / 1000 })
    return seen.count > ALIKE_MOST
  }

  const write = (
    level: 'debug' | 'info' | 'warn' | 'error',
    event: string,
    fields: Readonly<Record<string, LogValue>> | undefined,
  ): void => {
    if ((level === 'warn' || level === 'error') && event !== 'log.limited' && isLimited(event)) return
    const line = shortened(
      clean(JSON.stringify({ at: new Date(now()).toISOString(), level, event, ...fields })),
    )
    if (lines.length >= 10_000) {
      dropped++
      return
    }
    lines.push(`${line}\n`)
    if (timer !== null) return
    timer = setTimeout(flush, FLUSH_MS)
    timer.unref()
  }

  return {
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
    debug: (topic) =>
      options.debug?.has(topic) === true ? (event, fields) => write('debug', event, fields) : null,
    addSecret: (secret) => {
      if (secret.length < 4) return
      secrets.add(secret)
      redact = redactAll([...secrets])
    },
    flush,
    close: flush,
  }
}

/**
 * Shortens a line to about LINE_MOST characters by truncating its strings, so that it usually remains valid
 * JSON. The line must already be redacted, because a truncated secret wouldn't be found.
 */
function shortened(line: string): string {
  if (line.length <= LINE_MOST) return line
  try {
    const record: unknown = JSON.parse(line)
    for (let most = LINE_MOST; most >= 1; most /= 2) {
      const short = JSON.stringify(record, (_name, value: unknown) =>
        typeof value === 'string' && value.length > most ? `${value.slice(0, most)}…` : value,
      )
      if (short.length <= LINE_MOST) return short
    }
  } catch {
    // Redaction can turn a number into something that isn't JSON.
  }
  return line.slice(0, LINE_MOST)
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

// Finds the home folder in a line of JSON, so that the log can replace it. Each level of JSON doubles the
// backslashes of a Windows path. Windows paths also occur with forward slashes, as file URLs and in any
// letter case.

/**
 * Returns patterns for the given path of the home folder and, if it differs, for its real path, because the
 * engine knows files by their real paths. The longer path comes first, because it may contain the shorter
 * one.
 */
function homePatterns(home: string, platform: NodeJS.Platform): readonly RegExp[] {
  return [...new Set([home, realPath(home)])]
    .toSorted((a, b) => b.length - a.length)
    .flatMap((path) => homePattern(path, platform) ?? [])
}

function realPath(home: string): string {
  try {
    return realpathSync.native(home)
  } catch {
    return home // It doesn't exist, or its drive doesn't support resolving links.
  }
}

/**
 * Returns a pattern that matches all spellings of `home`. Returns null if `home` is the root of a disk, which
 * doesn't identify a user.
 */
export function homePattern(home: string, platform: NodeJS.Platform): RegExp | null {
  const isWindows = platform === 'win32'
  const parts = home.split(isWindows ? /[\\/]+/ : '/').filter((part) => part !== '')
  if (parts.length === 0 || (isWindows && parts.length === 1)) return null
  const separator = isWindows ? String.raw`[\\/]+` : '/'
  const path = parts.map(spellings).join(separator)
  // A UNC path begins with two backslashes. Other paths begin with a drive letter, which may be preceded by
  // `\\?\`.
  const start = isWindows ? (/^[\\/]{2}/.test(home) ? separator : String.raw`(?:\\{2,}\?\\+)?`) : separator
  return new RegExp(start + path, platform === 'win32' || platform === 'darwin' ? 'giu' : 'gu')
}

/** A pattern that matches the text unescaped, as escaped by JSON, and as escaped in a URL. */
function spellings(part: string): string {
  const all = new Set([part, JSON.stringify(part).slice(1, -1), encodeURI(part)])
  return `(?:${[...all].map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})`
}
