// The command line in words: every command, option and help text, parsed into one closed union. Pure: it prints nothing and ends nothing.
// A wrong line becomes a message and a next step; a key typed where it must not stand is never repeated.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { LINK_FORMATS, type LinkFormat } from '../../src-shared/format.ts'
import { Existing, OnChange } from '../../src-shared/model.ts'
import { VERSION } from '../platform/version.ts'
import { SORT_FIELDS, type SortField } from './commands/ls.ts'
import { parseDuration } from './duration.ts'

export interface Globals {
  readonly json: boolean
  readonly quiet: boolean
  readonly color: boolean
}

export type Invocation =
  | { readonly name: 'login'; readonly baseUrl: string | null; readonly allowHttp: boolean }
  | { readonly name: 'logout' | 'status' | 'stats' | 'doctor' | 'pause' | 'resume' }
  | { readonly name: 'upload'; readonly paths: readonly string[]; readonly again: boolean; readonly maxWaitMs: number }
  | {
      readonly name: 'watch'
      readonly folder: string
      readonly once: boolean
      readonly existing: Existing
      readonly onChange: OnChange
      readonly ignore: readonly string[]
      readonly maxWaitMs: number
    }
  | { readonly name: 'ls'; readonly search: string; readonly sort: SortField; readonly descending: boolean; readonly limit: number }
  | { readonly name: 'info'; readonly selector: string }
  | { readonly name: 'link'; readonly selectors: readonly string[]; readonly formats: readonly LinkFormat[] }
  | { readonly name: 'rm'; readonly selectors: readonly string[]; readonly yes: boolean }
  | { readonly name: 'plan'; readonly paths: readonly string[] }
  | { readonly name: 'audit'; readonly folder: string }
  | { readonly name: 'retry'; readonly ids: readonly number[] }

export type Parsed =
  | { readonly kind: 'run'; readonly invocation: Invocation; readonly globals: Globals }
  /** Help or version, for standard output. */
  | { readonly kind: 'answer'; readonly text: string }
  /** For standard error, with exit code 2. */
  | { readonly kind: 'wrong'; readonly message: string; readonly hint: string }

const KEY_OPTION = /^--?(?:api[-_]?key|key|token|bearer|password)(?:=|$)/i
const GLOBAL_FLAGS = new Set(['--json', '--quiet', '--no-color', '--help', '-h', '--version'])
const DEFAULT_WAIT = '15m'

const ENVIRONMENT = `
Environment:
  SLIPWAY_BASE_URL   address of the service, with or without /api/v1
  SLIPWAY_API_KEY    key for this process only; else the one in the keychain
  SLIPWAY_DATA_DIR   data folder (journal, settings, log)
  NO_COLOR           no colours, as --no-color`

const CODES = `
Exit codes:
  0 all done    1 a defect of ours    2 wrong usage    3 key missing or invalid, or the plan has no API
  4 some files failed or are held    5 something still waits for a limit    6 no connection    7 not found
  130 interrupted (state is safe; the next run goes on)`

const EXAMPLES = `
Examples:
  slipway login --base-url https://files.example.com    ask for the key, prove it, keep it in the keychain
  slipway upload report.pdf photos/                     print one link a line
  slipway watch ~/Public                                upload what is there and what comes
  slipway link report.pdf --format markdown             the link, ready to paste`

const KEY_IN_LINE: Parsed = {
  kind: 'wrong',
  message: 'The key is not taken from the command line, where every program on this machine could read it.',
  hint: 'Type it when asked: slipway login. Or for one process, set SLIPWAY_API_KEY.',
}

/** Flags that stand before the command are moved behind it, so they mean the same in both places. */
function moveFlags(argv: readonly string[]): string[] {
  const at = argv.findIndex((arg) => !GLOBAL_FLAGS.has(arg))
  if (at <= 0) return [...argv]
  const command = argv[at] ?? ''
  if (command.startsWith('-')) return [...argv]
  return [command, ...argv.slice(0, at), ...argv.slice(at + 1)]
}

export function parseArguments(argv: readonly string[]): Parsed {
  const end = argv.indexOf('--')
  if (argv.slice(0, end < 0 ? argv.length : end).some((arg) => KEY_OPTION.test(arg))) return KEY_IN_LINE

  let text = ''
  let found: Invocation | null = null
  const program = new Command('slipway')
  program
    .exitOverride()
    .configureOutput({ writeOut: (part) => (text += part), writeErr: (part) => (text += part) })
    .description('Save a file into a folder, and its public link is ready to paste.')
    .usage('<command> [options]')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--json', 'print JSON: one event a line for upload and watch, else one document')
    .option('--quiet', 'print nothing to standard error but errors')
    .option('--no-color', 'no colours')
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `${EXAMPLES}\n${ENVIRONMENT}\n${CODES}\n\nMore on one command: slipway <command> --help`)

  const command = (usage: string, description: string, examples: string): Command =>
    program
      .command(usage)
      .description(description)
      .addHelpText('after', `\n${examples.replace(/^\n/, '')}`)
  const maxWait = (): Option =>
    new Option(
      '--max-wait <duration>',
      `end with exit code 5 if all that is left waits longer (90s, 15m, 24h; default ${DEFAULT_WAIT})`,
    ).argParser(duration)
  const globalsOf = (): Globals => {
    const o = program.opts<{ json?: boolean; quiet?: boolean; color: boolean }>()
    return { json: o.json === true, quiet: o.quiet === true, color: o.color }
  }

  command(
    'login',
    'read the key, prove it, and store it in the keychain',
    `
The key is read from the terminal without echo, or from standard input:
  slipway login --base-url https://files.example.com
  slipway login < key.txt`,
  )
    .option('--base-url <url>', 'address of the service, with or without /api/v1')
    .option('--allow-http', 'take an http:// address beyond this machine, though others on the way can read the key then')
    .action((o: { baseUrl?: string; allowHttp?: boolean }) => {
      found = { name: 'login', baseUrl: o.baseUrl ?? null, allowHttp: o.allowHttp === true }
    })

  const plain: readonly (readonly ['logout' | 'status' | 'stats' | 'doctor' | 'pause' | 'resume', string, string])[] = [
    ['logout', 'remove the key from the keychain', 'Files and links on the service stay.'],
    [
      'status',
      'account, plan, budgets, queue, watched folders, health',
      'Rows that need a person are shown with the number that slipway retry takes.',
    ],
    ['stats', 'plan, limits and usage', 'Names and units are those of the service.'],
    [
      'doctor',
      'check keychain, data folder, network, key, plan and watcher limits',
      'Each line says ok, or what to do. It sends no upload.',
    ],
    ['pause', 'stop uploads until resume', 'The pause holds across restarts.'],
    ['resume', 'go on with uploads', 'Files go on where they stood.'],
  ]
  for (const [name, description, more] of plain)
    command(name, description, more).action(() => {
      found = { name }
    })

  command(
    'upload <path...>',
    'upload files, and folders with all below them; print one link a line',
    `
A file whose content is already up answers with its link and sends nothing.
  slipway upload report.pdf
  slipway upload photos/ --json
  slipway upload notes.txt --again`,
  )
    .option('--again', 'send even what is already up')
    .addOption(maxWait())
    .action((paths: string[], o: { again?: boolean; maxWait?: number }) => {
      found = { name: 'upload', paths, again: o.again === true, maxWaitMs: o.maxWait ?? duration(DEFAULT_WAIT) }
    })

  command(
    'watch <folder>',
    'upload what is in a folder and what comes',
    `
  slipway watch ~/Public
  slipway watch ~/Public --once --max-wait 24h
  slipway watch . --existing skip --ignore '*.tmp' --ignore 'drafts/'`,
  )
    .option('--once', 'end when nothing is left to do')
    .addOption(new Option('--existing <what>', 'what is there already: upload or skip').choices(Existing.options).default('upload'))
    .addOption(
      new Option('--on-change <what>', 'when a file changes: new-link, replace (and delete the old one) or ignore')
        .choices(OnChange.options)
        .default('new-link'),
    )
    .option(
      '--ignore <pattern>',
      'leave out what fits, as in .gitignore; can stand several times',
      (value: string, before: string[] | undefined) => [...(before ?? []), value],
    )
    .addOption(maxWait())
    .action((folder: string, o: { once?: boolean; existing: Existing; onChange: OnChange; ignore?: string[]; maxWait?: number }) => {
      found = {
        name: 'watch',
        folder,
        once: o.once === true,
        existing: o.existing,
        onChange: o.onChange,
        ignore: o.ignore ?? [],
        maxWaitMs: o.maxWait ?? duration(DEFAULT_WAIT),
      }
    })

  command(
    'ls',
    'the remote list',
    `
  slipway ls --search report --sort -size
  slipway ls --limit 500 --json`,
  )
    .option('--search <text>', 'only names that hold this text', '')
    .option('--sort <field>', `one of ${SORT_FIELDS.join(', ')}; with a - before it the other way round (default: newest first)`, sorting, {
      field: 'date',
      descending: true,
    })
    .option('--limit <n>', 'show at most so many', positive, 50)
    .action((o: { search: string; sort: { field: SortField; descending: boolean }; limit: number }) => {
      found = { name: 'ls', search: o.search, sort: o.sort.field, descending: o.sort.descending, limit: o.limit }
    })

  command(
    'info <file>',
    'all that is known of one file',
    'Name it by its file_id, its public link, or the path it was uploaded from.',
  ).action((selector: string) => {
    found = { name: 'info', selector }
  })

  command(
    'link <file...>',
    'links only',
    `
Name files by their file_id or the path they were uploaded from.
  slipway link report.pdf
  slipway link 1001 1002 --format markdown
  slipway link report.pdf --format url,html`,
  )
    .option('--format <list>', `one or several of ${LINK_FORMATS.join(',')}`, formats, ['url'])
    .action((selectors: string[], o: { format: LinkFormat[] }) => {
      found = { name: 'link', selectors, formats: o.format }
    })

  command(
    'rm <file...>',
    'delete files on the service',
    'Their links stop working. Files on this machine stay.\n  slipway rm 1001\n  slipway rm 1001 1002 --yes',
  )
    .option('--yes', 'do not ask')
    .action((selectors: string[], o: { yes?: boolean }) => {
      found = { name: 'rm', selectors, yes: o.yes === true }
    })

  command('plan <path...>', 'say what an upload would do under the plan; sends no upload', '  slipway plan ~/Videos').action(
    (paths: string[]) => {
      found = { name: 'plan', paths }
    },
  )

  command(
    'audit <folder>',
    'where every file of a folder stands',
    'seen = uploaded + waiting + held + failed + ignored, with the lists behind the numbers.',
  ).action((folder: string) => {
    found = { name: 'audit', folder }
  })

  command(
    'retry [id...]',
    'try again what failed or waits',
    'Without numbers: everything that failed. A held file goes out only when its number is named.\nThe numbers stand in: slipway status',
  ).action((ids: string[]) => {
    found = { name: 'retry', ids: ids.map(transferId) }
  })

  try {
    program.parse(moveFlags(argv), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return explain(error, text, argv)
  }
  if (found === null) return { kind: 'wrong', message: 'No command was given.', hint: 'What there is: slipway --help' }
  return { kind: 'run', invocation: found, globals: globalsOf() }
}

function explain(error: CommanderError, text: string, argv: readonly string[]): Parsed {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return { kind: 'answer', text: text.trimEnd() }
  if (error.code === 'commander.help') return { kind: 'wrong', message: 'No command was given.', hint: text.trimEnd() }
  const typed = argv.find((arg) => COMMANDS.has(arg))
  const hint = typed === undefined ? 'What there is: slipway --help' : `How to use it: slipway ${typed} --help`
  if (error.code === 'commander.excessArguments')
    // commander would repeat what was typed, and behind login that may be the key.
    return typed === 'login' ? KEY_IN_LINE : { kind: 'wrong', message: `There are more arguments than ${typed ?? 'slipway'} takes.`, hint }
  // commander answers "error: text" and, on a line of its own, what may have been meant.
  const message = error.message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return { kind: 'wrong', message: sentence, hint }
}

const COMMANDS = new Set('login logout status upload watch ls info link rm stats plan audit doctor pause resume retry'.split(' '))

function duration(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new InvalidArgumentError('A duration looks like 90s, 15m or 24h.')
  return ms
}

function positive(text: string): number {
  const n = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(n) || n < 1) throw new InvalidArgumentError('It is a whole number from 1 on.')
  return n
}

function transferId(text: string): number {
  const n = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(n) || n < 1)
    throw new CommanderError(2, 'slipway.id', `'${text}' is no number of a transfer. The numbers stand in: slipway status`)
  return n
}

function sorting(text: string): { field: SortField; descending: boolean } {
  const bare = text.replace(/^-/, '')
  const field = SORT_FIELDS.find((one) => one === bare)
  if (field === undefined) throw new InvalidArgumentError(`It is one of ${SORT_FIELDS.join(', ')}.`)
  return { field, descending: text.startsWith('-') }
}

function formats(text: string): LinkFormat[] {
  const list = text.split(',').map((one) => one.trim())
  return list.map((name) => {
    const format = LINK_FORMATS.find((one) => one === name)
    if (format === undefined) throw new InvalidArgumentError(`It is one or several of ${LINK_FORMATS.join(',')}.`)
    return format
  })
}
