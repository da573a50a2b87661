// House rules that no linter knows: how a source file begins, and words that no file may contain.
// Each rule takes a text and returns its faults, so that a test can verify it with a bad example.
import { ROOT } from './tree.ts'

const MOST = 5
const MOST_README_LINES = 40

/** Every source file begins with a comment of 1 to 5 lines that says what it is responsible for. */
export function openingFault(source: string): string | null {
  const lines = source.split('\n')
  if (lines[0]?.startsWith('#!')) lines.shift()
  const end = lines.findIndex((line) => !line.startsWith('//'))
  const count = end === -1 ? lines.length : end
  if (count >= 1 && count <= MOST) return null
  return `opens with ${count} comment lines; 1 to ${MOST} are asked for`
}

/**
 * Hosts that are reserved for examples (RFC 2606, RFC 5737, RFC 6761), mean this machine or a private
 * network, or, with a single label, don't exist on the internet.
 */
const NOBODY =
  /^([\w-]+|127\.\d+\.\d+\.\d+|\[::1?\]|0\.0\.0\.0|192\.0\.2\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|169\.254\.\d+\.\d+)$|(^|\.)(example(\.(com|org|net))?|test|invalid|localhost)$/
/** Pages that readers are referred to. Hosts that serve packages aren't among them. */
const PAGES = new Set(['keepachangelog.com', 'semver.org', 'nodejs.org', 'www.w3.org'])
/** Absolute paths that exist only on the author's machine. Written so that this line doesn't match itself. */
const MACHINE = [/(?<![\w./~$}-])\/wor[k]\//, /(?<![\w./~$}-])\/tmp\/brie[f]/]

/**
 * Key presses in a spec that work only where commands are given with Ctrl and rows are deleted with Del, with
 * line numbers.
 */
export function keyFaults(spec: string): string[] {
  return spec.split('\n').flatMap((line, at) => {
    if (/['"`]Control\+|modifiers: \[[^\]]*'Control'/.test(line))
      return [`${at + 1}: on macOS it is Cmd; press ControlOrMeta`]
    return /\b(?:press|down|up|keys)\([^)]*'Delete'/.test(line)
      ? [`${at + 1}: on macOS it is Cmd+Backspace; press DELETE_KEY`]
      : []
  })
}

/** References to a specific machine or an unapproved host in a text, with line numbers. */
export function wordFaults(text: string): string[] {
  const faults: string[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.includes(`${ROOT}/`) || MACHINE.some((one) => one.test(line)))
      faults.push(`${at + 1}: names a path of one machine`)
    for (const [, host = ''] of line.matchAll(
      /\b(?:https?|wss?):\/\/(?:[^\s/@'"`]*@)?(\[[0-9a-fA-F:.]+\]|[\w.-]*\w)/g,
    )) {
      if (!NOBODY.test(host.toLowerCase()) && !PAGES.has(host)) faults.push(`${at + 1}: leads to ${host}`)
    }
    if (/\b(TOD[O]|FIXM[E]|XX[X])\b/.test(line)) faults.push(`${at + 1}: leaves work undone`)
  }
  return faults
}

/**
 * What is wrong with the README of a source folder: names of files that don't exist, or more text than fits
 * one screen.
 */
export function readmeFaults(readme: string, text: string, files: readonly string[]): string[] {
  const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map((match) => match[1] ?? '')
  const lines = text.trimEnd().split('\n').length
  const faults = named
    .filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name.replace(/^\.\.\//, '')}`)))
    .map((name) => `${readme} names ${name}, which does not exist`)
  if (named.length === 0) faults.push(`${readme} names no file`)
  if (readme !== 'src-main/README.md' && lines > MOST_README_LINES)
    faults.push(`${readme} has ${lines} lines; at most ${MOST_README_LINES} are allowed`)
  return faults
}
