// What can be wrong with a Markdown page without looking wrong: links and anchors that lead nowhere, commands
// that the parser or package.json don't know, paths that don't exist. Pure: nothing is run, and the
// repository is passed in.
import { posix } from 'node:path'
import { COMMANDS } from '../../src-main/cli/argument-mistakes.ts'
import { parseArguments } from '../../src-main/cli/arguments.ts'
import { shellCommands } from './shell-words.ts'

export interface Repository {
  readonly files: ReadonlySet<string>
  readonly scripts: Readonly<Record<string, string>>
  readonly read: (file: string) => string
}

interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
}

interface Parts {
  /** The text without blocks of code. Lines keep their numbers. */
  readonly prose: string
  readonly blocks: readonly Block[]
  readonly spans: readonly { readonly text: string; readonly line: number }[]
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

export function partsOf(text: string): Parts {
  const blocks: Block[] = []
  const kept = text.split('\n')
  let open: { readonly fence: string; readonly language: string; readonly from: number } | null = null
  for (const [at, line] of text.split('\n').entries()) {
    const [, fence = '', language = ''] = /^\s*(```+)\s*(\w*)/.exec(line) ?? []
    if (open === null && fence !== '') open = { fence, language, from: at }
    else if (open !== null && fence.startsWith(open.fence)) {
      blocks.push({
        language: open.language,
        text: text
          .split('\n')
          .slice(open.from + 1, at)
          .join('\n'),
        line: open.from + 2,
      })
      kept[at] = ''
      open = null
    }
    if (open !== null) kept[at] = ''
  }
  const prose = kept.join('\n')
  const spans = [...prose.matchAll(/(?<!`)`(?!`)((?:[^`\n]|\n(?!\s*\n))+)`(?!`)/g)].map((match) => ({
    text: (match[1] ?? '').replaceAll(/\s*\n\s*/g, ' ').replaceAll('\\|', '|'),
    line: lineAt(prose, match.index),
  }))
  return { prose, blocks, spans }
}

/** The anchors of a page's headings, as GitHub forms them. */
export function anchorsOf(text: string): Set<string> {
  const found = new Set<string>()
  for (const [, title = ''] of partsOf(text).prose.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
    let name = slug
    for (let n = 1; found.has(name); n += 1) name = `${slug}-${n}`
    found.add(name)
  }
  return found
}

interface Link {
  readonly target: string
  readonly line: number
}

/** Links and pictures outside of code. */
function linksOf(text: string): Link[] {
  const masked = partsOf(text).prose.replaceAll(/`[^`\n]*`/g, (span) => 'x'.repeat(span.length))
  return [...masked.matchAll(/\]\(([^()\s]+)\)/g)].map((match) => ({
    target: match[1] ?? '',
    line: lineAt(masked, match.index),
  }))
}

const isFolder = (files: ReadonlySet<string>, path: string): boolean =>
  [...files].some((file) => file.startsWith(`${path}/`))

const exists = (files: ReadonlySet<string>, path: string): boolean =>
  files.has(path) || path === '.' || isFolder(files, path)

/** The repository path that a link on a page leads to. */
const resolved = (page: string, path: string): string =>
  posix.join(posix.dirname(page), path).replace(/\/$/, '')

/** Links within the repository that lead nowhere. Addresses of other hosts are checked by house.ts. */
export function linkFaults(page: string, text: string, { files, read }: Repository): string[] {
  return linksOf(text).flatMap(({ target, line }) => {
    if (/^[a-z]+:/i.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : resolved(page, path)
    if (path !== '' && !exists(files, file)) return [`${page}:${line}: there is no ${file}`]
    if (anchor === undefined) return []
    const anchors = anchorsOf(path === '' ? text : read(file))
    return anchors.has(anchor) ? [] : [`${page}:${line}: ${file} has no heading for #${anchor}`]
  })
}

/**
 * Paths in code spans that begin with a folder of the repository, but don't exist. Names with placeholders
 * are left out.
 */
export function pathFaults(page: string, text: string, { files }: Repository): string[] {
  const folders = new Set(
    [...files].filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''),
  )
  return partsOf(text).spans.flatMap((span) => {
    if (!/^[\w.@-]+(?:\/[\w.@-]+)+\/?$/.test(span.text) || !folders.has(span.text.split('/')[0] ?? ''))
      return []
    return exists(files, span.text.replace(/\/$/, ''))
      ? []
      : [`${page}:${span.line}: there is no ${span.text}`]
  })
}

/** Words that stand for a value in the pages, and a value to try. */
const SAMPLES: Readonly<Record<string, string>> = {
  ID: '1',
  'ID…': '1',
  DURATION: '15m',
  '<command>': 'status',
}

/** Programs that aren't ours. Any other name is a typing error, or has to be added here. */
const OTHERS = new Set(
  'apt curl date export install journalctl ln man openssl pg_dump podman runuser setfacl sudo systemctl systemd-escape useradd cat echo printf read gh npx base64'.split(
    ' ',
  ),
)

function slipwayFault(words: readonly string[], isWhole: boolean): string | null {
  const parsed = parseArguments(words.map((one) => SAMPLES[one] ?? one))
  if (parsed.kind !== 'wrong') return null
  // A command that is only mentioned may lack its arguments.
  return !isWhole && /^(?:No command was given|Missing required argument)/i.test(parsed.message)
    ? null
    : parsed.message
}

/**
 * Whether the source of a script mentions a long option. Scripts that aren't our programs are taken as they
 * are.
 */
function knowsOption(script: string, option: string, { files, read }: Repository): boolean {
  const [, program = ''] = /^node (?:--\w+ )*(\S+\.ts)/.exec(script) ?? []
  if (program === '') return true
  const sources = [program, posix.join(posix.dirname(program), 'arguments.ts')].filter((file) =>
    files.has(file),
  )
  return sources.some((file) =>
    new RegExp(`(?:^|['"\\s])${option.replace(/^--/, '')}['"]?:`).test(read(file)),
  )
}

function npmFault(words: readonly string[], isWhole: boolean, repository: Repository): string | null {
  const end = words.indexOf('--')
  const own = (end < 0 ? words : words.slice(0, end)).filter((one) => !one.startsWith('-'))
  const passed = end < 0 ? [] : words.slice(end + 1)
  const [verb = '', name = ''] = own
  if (verb === 'ci' || verb === 'install' || verb === 'version') return null
  const script = verb === 'run' ? name : verb
  const source = repository.scripts[script]
  if (source === undefined) return `package.json has no script "${script}"`
  if (script === 'slipway' || script === 'dev') return slipwayFault(passed, isWhole)
  const unknown = passed.find(
    (one) => one.startsWith('--') && !knowsOption(source, one.replace(/=.*/, ''), repository),
  )
  return unknown === undefined ? null : `${script} has no option ${unknown}`
}

/**
 * Removes what runs another command: `sudo`, `env` with variables, `runuser -u NAME --`, `podman exec NAME`.
 */
function unwrapped(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words
  if (first === 'sudo' || first === 'exec') return unwrapped(words.slice(1))
  if (first === 'env')
    return unwrapped(
      words.slice(1).filter((_one, at, all) => !all.slice(0, at + 1).every((word) => /^\w+=/.test(word))),
    )
  if (first === 'runuser') return unwrapped(words.slice(words.indexOf('--') + 1))
  if (first === 'podman' && second === 'exec') return words.slice(3)
  return words
}

/** What is wrong with one simple command. `isWhole`: it is to be typed as it is. */
function commandFault(typed: readonly string[], isWhole: boolean, repository: Repository): string | null {
  const words = unwrapped(typed)
  const [first = ''] = words
  if (first === 'slipway' || first === 'dist/cli.js') return slipwayFault(words.slice(1), isWhole)
  if (first === 'npm') return npmFault(words.slice(1), isWhole, repository)
  if (!isWhole) return null
  if (first.startsWith('.'))
    return repository.files.has(first.replace(/^\.\//, '')) ? null : `there is no ${first}`
  return OTHERS.has(first) ? null : `nothing is known about the command "${first}"`
}

/** Blocks that show commands, as one text for the shell each. In a console, commands follow a prompt. */
function typedIn(block: Block): string | null {
  if (block.language === 'sh') return block.text
  if (block.language !== 'console') return null
  return block.text
    .split('\n')
    .map((line) => (line.startsWith('$ ') ? line.slice(2) : ''))
    .join('\n')
}

/** Whether any of our commands has an option. */
const isOption = (option: string): boolean =>
  COMMANDS.some((name) => slipwayFault([name, option], false)?.startsWith('Unknown option') !== true)

const withoutBrackets = (span: string): string => span.replaceAll(/\[([^\]]*)\]/g, '$1')

/** Commands in blocks and code spans that would be refused. */
export function commandFaults(page: string, text: string, repository: Repository): string[] {
  const { blocks, spans } = partsOf(text)
  const shown = [
    ...blocks.map((block) => ({ text: typedIn(block) ?? '', line: block.line, isWhole: true })),
    ...spans.map((span) => ({ text: withoutBrackets(span.text), line: span.line, isWhole: false })),
  ]
  return shown.flatMap(({ text: typed, line, isWhole }) =>
    shellCommands(typed).flatMap((words) => {
      const fault = commandFault(words, isWhole, repository)
      return fault === null ? [] : [`${page}:${line}: ${words.join(' ')}: ${fault}`]
    }),
  )
}

/**
 * For pages about the command line: code spans such as `watch --once` and `--existing skip`, in which the
 * program isn't named.
 */
export function mentionFaults(page: string, text: string): string[] {
  return partsOf(text).spans.flatMap((span) => {
    const words = shellCommands(withoutBrackets(span.text))[0] ?? []
    const [first = ''] = words
    const isUnknown = /^--[a-z]/.test(first) && !isOption(first.replace(/=.*/, ''))
    const fault = isUnknown
      ? 'no command has this option'
      : COMMANDS.includes(first)
        ? slipwayFault(words, false)
        : null
    return fault === null ? [] : [`${page}:${span.line}: ${span.text}: ${fault}`]
  })
}

/** Pages that `readme` doesn't link exactly once. Links to one of their headings don't count. */
export function tableFaults(readme: string, pages: readonly string[]): string[] {
  const targets = linksOf(readme).map(({ target }) => target)
  return pages.flatMap((page) => {
    const count = targets.filter((target) => target === page).length
    return count === 1 ? [] : [`README.md links ${page} ${count} times; once is asked for`]
  })
}
