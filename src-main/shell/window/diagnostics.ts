// Builds the report that users can attach to a request for help: versions, settings, health and the end of the
// log. It contains no key, no link and no file's content. The engine's log is already redacted; everything
// that looks like a key or a link is masked here again.
import { homedir, release } from 'node:os'
import type { Snapshot } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import { homePattern } from '../../platform/log.ts'

const LOG_LINES = 200
/** The length from which a word of letters and digits may be a key, or the secret part of a link. */
const TOKEN_LENGTH = 16

export interface DiagnosticsInput {
  readonly at: number
  readonly version: string
  readonly platform: NodeJS.Platform
  readonly versions: Readonly<Record<string, string | undefined>>
  readonly settings: AppSettings
  /** Null while the engine isn't running. */
  readonly snapshot: Snapshot | null
  readonly log: string
  readonly home?: string
}

export function diagnosticsText(input: DiagnosticsInput): string {
  const { versions, snapshot } = input
  const { electron, chrome, node } = versions
  const { place: _place, copyAsk: _copyAsk, copyFolders: _copyFolders, ...given } = input.settings
  // What users type into these can be anything.
  const settings = { ...given, linkTemplate: isSet(given.linkTemplate), pasteName: isSet(given.pasteName) }
  const report = {
    at: new Date(input.at).toISOString(),
    versions: { slipway: input.version, electron, chrome, node },
    system: `${input.platform} ${release()} ${process.arch}`,
    settings,
    health: snapshot === null ? null : healthOf(snapshot),
  }
  const lines = input.log.trimEnd().split('\n').slice(-LOG_LINES)
  const home = homePattern(input.home ?? homedir(), input.platform)
  return masked(`${JSON.stringify(report, null, 2)}\n\n${lines.join('\n')}\n`, home)
}

function healthOf({ account, ...rest }: Snapshot) {
  const { gate, paused, counts, folders, minute, day, dailyUploads, health, trouble, listing } = rest
  return {
    account: { state: account.state, plan: account.plan, message: account.message },
    gate,
    paused,
    counts,
    minute,
    day,
    dailyUploads,
    folders: folders.map(({ state, watching, message }) => ({ state, watching, message })),
    health,
    trouble,
    listing,
  }
}

function isSet(text: string | null | undefined): string {
  return text == null || text === '' ? 'default' : 'set'
}

/** The host of an address may stay, but neither a login before it nor anything after it. */
function hostOf(address: string): string {
  const url = URL.parse(address)
  return url === null ? '[…]' : `${url.protocol}//${url.host}/[…]`
}

function masked(text: string, home: RegExp | null): string {
  const out = text
    .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'\\<>]+/gi, hostOf)
    // Links without their scheme.
    .replaceAll(/(?<![\w./:-])(?:\/\/)?((?:[\w-]+\.)+[a-z]{2,}(?::\d+)?)\/[^\s"'\\<>]+/gi, '$1/[…]')
    .replaceAll(/\b(pass(?:word|wd|phrase)?|pwd|secret|token)("?\s*[=:]\s*"?)[^\s"'\\,;}]+/gi, '$1$2[…]')
    .replaceAll(/\bbearer\s+[^\s"\\]+/gi, 'Bearer [key]')
  const short = home === null ? out : out.replaceAll(home, '~')
  return short.replaceAll(new RegExp(String.raw`\b[\w-]{${TOKEN_LENGTH},}\b`, 'g'), (word) =>
    /\d/.test(word) && /[a-z]/i.test(word) && !/^\d{4}-\d\d-\d\d/.test(word) ? '[…]' : word,
  )
}
