// The command line in words: every command, option and help text, parsed into one closed union. Pure: it prints nothing and ends nothing.
// A wrong line becomes a message and a next step; a key typed where it must not stand is never repeated.
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { WhichVersions } from '../../src-shared/contract.ts'
import { LINK_FORMATS, type LinkFormat } from '../../src-shared/format.ts'
import { Existing, OnChange } from '../../src-shared/model.ts'
import { VERSION } from '../platform/version.ts'
import { SORT_FIELDS, type SortField } from './commands/ls.ts'
import { completionScript, SHELLS, type Shell, tableOf } from './completion.ts'
import { parseDuration } from './duration.ts'
import { COMMANDS, hasControlCharacter, STDIN, wrongWord } from './words.ts'

export interface Globals {
  readonly json: boolean
  readonly quiet: boolean
  readonly color: boolean
}

export type Invocation =
  | { readonly name: 'login'; readonly baseUrl: string | null; readonly allowHttp: boolean }
  | { readonly name: 'logout' | 'status' | 'stats' | 'doctor' | 'resume' }
  | { readonly name: 'pause'; readonly now: boolean }
  | {
      readonly name: 'upload'
      /** `-` is standard input. */
      readonly paths: readonly string[]
      readonly stdinName?: string
      readonly again: boolean
      readonly maxWaitMs: number
    }
  | {
      readonly name: 'watch'
      readonly folder: string
      readonly once: boolean
      readonly existing: Existing
      readonly onChange: OnChange
      readonly ignore: readonly string[]
      readonly maxWaitMs: number
      readonly changeRules: boolean
    }
  | { readonly name: 'ls'; readonly search: string; readonly sort: SortField; readonly descending: boolean; readonly limit: number }
  | { readonly name: 'info'; readonly selector: string }
  | { readonly name: 'link'; readonly selectors: readonly string[]; readonly formats: readonly LinkFormat[] }
  | { readonly name: 'rm'; readonly selectors: readonly string[]; readonly yes: boolean; readonly which: WhichVersions }
  | { readonly name: 'plan'; readonly paths: readonly string[] }
  | { readonly name: 'audit'; readonly folder: string }
  | { readonly name: 'retry' | 'cancel'; readonly ids: readonly number[] }
  | { readonly name: 'release'; readonly ids: readonly number[]; readonly yes: boolean }
  | { readonly name: 'unwatch'; readonly folder: string }

export type Parsed =
  | { readonly kind: 'run'; readonly invocation: Invocation; readonly globals: Globals }
  /** Help, version or a completion script, for standard output. */
  | { readonly kind: 'answer'; readonly text: string }
  /** For standard error, with exit code 2. */
  | { readonly kind: 'wrong'; readonly message: string; readonly hint: string }

const KEY_OPTION = /^--?(?:api[-_]?key|key|token|bearer|password)(?:=|$)/i
const GLOBAL_FLAGS = new Set(['--json', '--quiet', '--no-color', '--help', '-h', '--version', '-V'])
const DEFAULT_WAIT = '15m'
const LIST_LIMIT = 50

const COMPLETION_HELP = `
  bash         slipway completion bash > ~/.local/share/bash-completion/completions/slipway
  zsh          slipway completion zsh > "\${fpath[1]}/_slipway"
  fish         slipway completion fish > ~/.config/fish/completions/slipway.fish
  powershell   slipway completion powershell | Out-String | Invoke-Expression`

const ENVIRONMENT = `
Environment:
  SLIPWAY_BASE_URL   address of the service, with or without /api/v1
  SLIPWAY_API_KEY    key for this process only; else the one in the keychain
  SLIPWAY_DATA_DIR   data folder (journal, settings, log)
  NO_COLOR           no colours, as --no-color`

const CODES = `
Exit codes:
  0 all done    1 internal error    2 wrong usage    3 key missing or invalid, or the plan has no API
  4 some files failed or are held    5 something still waits for a limit    6 no connection    7 not found
  130 interrupted (state is safe; the next run goes on)`

const EXAMPLES = `
Examples:
  slipway login --base-url https://files.example.com    ask for the key, prove it, keep it in the keychain
  slipway upload report.pdf photos/                     print one link a line
  slipway watch ~/Public                                upload what is there and what comes
  date | slipway upload - --name today.txt              upload standard input
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
  const wrong = wrongWord(argv)
  if (wrong !== null) return { kind: 'wrong', ...wrong }
  const end = argv.indexOf('--')
  if (argv.slice(0, end < 0 ? argv.length : end).some((arg) => KEY_OPTION.test(arg))) return KEY_IN_LINE

  let text = ''
  let found: Invocation | null = null
  let answer: Parsed | null = null
  const program = new Command('slipway')
  program
    .exitOverride()
    .configureOutput({ writeOut: (part) => (text += part), writeErr: (part) => (text += part) })
    .description('Save a file into a folder, and its public link is ready to paste.')
    .usage('<command> [options]')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--json', 'print JSON: one event a line for upload and watch, else one document')
    .option('--quiet', 'print nothing to standard error but errors')
    .option('--no-color', 'no colours')
    .showSuggestionAfterError(true)
    .configureHelp({
      showGlobalOptions: true,
      // Choices and defaults are said in the descriptions.
      optionDescription: (option) => option.description,
      argumentDescription: (argument) => argument.description,
      visibleCommands: (command) => command.commands.toSorted((a, b) => COMMANDS.indexOf(a.name()) - COMMANDS.indexOf(b.name())),
    })
    .addHelpText('after', `${EXAMPLES}\n${ENVIRONMENT}\n${CODES}\n\nMore on one command: slipway <command> --help`)

  const command = (usage: string, description: string, examples: string): Command =>
    program
      .command(usage)
      .description(description)
      .addHelpText('after', `\n${examples.replace(/^\n/, '')}`)
  const maxWait = (): Option =>
    new Option(
      '--max-wait <duration>',
      `end with exit code 5 if all that is left waits longer, e.g. 90s, 15m, 24h (default: ${DEFAULT_WAIT})`,
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
    .option('--base-url <url>', 'address of the service, with or without /api/v1', plainText)
    .option('--allow-http', 'take an http:// address beyond this machine, though others on the way can read the key then')
    .action((o: { baseUrl?: string; allowHttp?: boolean }) => {
      found = { name: 'login', baseUrl: o.baseUrl ?? null, allowHttp: o.allowHttp === true }
    })

  const plain: readonly (readonly ['logout' | 'status' | 'stats' | 'doctor' | 'resume', string, string])[] = [
    ['logout', 'remove the key from the keychain', 'Files and links on the service stay.'],
    [
      'status',
      'account, plan, budgets, queue, watched folders, health',
      'Files that need your approval are listed with the ID that slipway release, retry and cancel take.',
    ],
    ['stats', 'plan, limits and usage', 'Names and units are those of the service.'],
    [
      'doctor',
      'check keychain, data folder, network, key, plan and watcher limits',
      'Each line says ok, or what to do. It sends no upload.',
    ],
    ['resume', 'go on with uploads', 'What was broken off is sent again from its beginning.'],
  ]
  for (const [name, description, more] of plain)
    command(name, description, more).action(() => {
      found = { name }
    })

  command(
    'pause',
    'stop uploads until resume',
    'Uploads under way run to their end. The pause holds across restarts.\n  slipway pause\n  slipway pause --now',
  )
    .option('--now', 'break off what is under way, safely')
    .action((o: { now?: boolean }) => {
      found = { name: 'pause', now: o.now === true }
    })

  command(
    'upload <path...>',
    'upload files, and folders with all below them; print one link a line',
    `
A file whose content is already up answers with its link and sends nothing. The path - is standard input.
If one of the paths does not exist, nothing is uploaded.
Files named .slipwayignore, in a folder, below it and above it, leave out what matches them, as .gitignore does, and so do the patterns of a
watched folder. Temporary files (*.tmp and the like) are left out of a folder, and uploaded where they are named by themselves.
  slipway upload report.pdf
  slipway upload photos/ --json
  slipway upload notes.txt --again
  date | slipway upload - --name today.txt`,
  )
    .option('--name <name>', 'what standard input is called', fileName)
    .option('--again', 'send even what is already up')
    .addOption(maxWait())
    .action((paths: string[], o: { name?: string; again?: boolean; maxWait?: number }) => {
      const inputs = paths.filter((path) => path === STDIN).length
      if (inputs > 1) throw new CommanderError(2, 'slipway.stdin', 'Standard input (-) can be named only once.')
      if (o.name !== undefined && inputs === 0)
        throw new CommanderError(2, 'slipway.name', '--name is for standard input: slipway upload - --name NAME')
      found = {
        name: 'upload',
        paths,
        ...(o.name === undefined ? {} : { stdinName: o.name }),
        again: o.again === true,
        maxWaitMs: o.maxWait ?? duration(DEFAULT_WAIT),
      }
    })

  command(
    'watch <folder>',
    'upload what is in a folder and what comes',
    `
  slipway watch ~/Public
  slipway watch ~/Public --once --max-wait 24h
  slipway watch . --existing skip --ignore '*.tmp' --ignore 'drafts/'

Files named .slipwayignore leave out more, as .gitignore does: in the folder, below it and above it; the nearer one wins.
--existing skip leaves out what is there when the command starts, also once it is renamed or moved within the folder. A copy is a new file.
A folder that is watched already keeps its rules, unless --change-rules is given.
A folder that is watched inside another one is governed by its own rules alone. Slipway's own data is never uploaded.`,
  )
    .option('--once', 'end when nothing is left to do')
    .addOption(
      new Option('--existing <what>', 'what is there already: upload (the default) or skip').choices(Existing.options).default('upload'),
    )
    .addOption(
      new Option('--on-change <what>', 'when a file changes: new-link (the default), replace (and delete the old one) or ignore')
        .choices(OnChange.options)
        .default('new-link'),
    )
    .option(
      '--ignore <pattern>',
      'leave out what matches, as in .gitignore; can be repeated',
      (value: string, before: string[] | undefined) => [...(before ?? []), plainText(value)],
    )
    .option('--change-rules', 'where the folder is watched already, change its rules to these')
    .addOption(maxWait())
    .action(
      (
        folder: string,
        o: { once?: boolean; existing: Existing; onChange: OnChange; ignore?: string[]; maxWait?: number; changeRules?: boolean },
      ) => {
        found = {
          name: 'watch',
          folder,
          once: o.once === true,
          existing: o.existing,
          onChange: o.onChange,
          ignore: o.ignore ?? [],
          changeRules: o.changeRules === true,
          maxWaitMs: o.maxWait ?? duration(DEFAULT_WAIT),
        }
      },
    )

  command(
    'ls',
    'the remote list',
    `
  slipway ls --search report --sort -size
  slipway ls --limit 500 --json`,
  )
    .option('--search <text>', 'only names that contain this text', plainText)
    .option('--sort <field>', `one of ${SORT_FIELDS.join(', ')}; descending with a - before it (default: -date)`, sorting)
    .option('--limit <n>', `show at most this many (default: ${LIST_LIMIT})`, positive)
    .action((o: { search?: string; sort?: { field: SortField; descending: boolean }; limit?: number }) => {
      const sort = o.sort ?? { field: 'date', descending: true }
      found = { name: 'ls', search: o.search ?? '', sort: sort.field, descending: sort.descending, limit: o.limit ?? LIST_LIMIT }
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
    .option('--format <list>', `one or several of ${LINK_FORMATS.join(',')} (default: url)`, formats)
    .action((selectors: string[], o: { format?: LinkFormat[] }) => {
      found = { name: 'link', selectors, formats: o.format ?? ['url'] }
    })

  command(
    'rm <file...>',
    'delete files on the service',
    `
Their links stop working. Files on this machine stay. A path means all its versions, a file_id or a link that file alone.
A deleted file is not uploaded again by itself unless it changes; slipway upload sends it.
  slipway rm report.pdf
  slipway rm report.pdf --older
  slipway rm 1001 1002 --yes`,
  )
    .option('--yes', 'do not ask')
    .addOption(new Option('--latest', 'of a path, the newest version only').conflicts('older'))
    .option('--older', 'of a path, all versions but the newest')
    .action((selectors: string[], o: { yes?: boolean; latest?: boolean; older?: boolean }) => {
      const which = o.latest === true ? 'latest' : o.older === true ? 'older' : 'all'
      found = { name: 'rm', selectors, yes: o.yes === true, which }
    })

  command(
    'plan <path...>',
    'say what an upload would do under the plan; sends no upload',
    'The same rules hold as for the upload: .slipwayignore, watched folders, secrets.\n  slipway plan ~/Videos',
  ).action((paths: string[]) => {
    found = { name: 'plan', paths }
  })

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
    'Without IDs: everything that failed. A held file is not retried; it needs slipway release.\nIDs are listed by: slipway status',
  ).action((ids: string[]) => {
    found = { name: 'retry', ids: ids.map(transferId) }
  })

  command(
    'cancel <id...>',
    'take files out of the queue',
    'An upload under way is broken off. Files that are already up stay; slipway rm deletes them.\nIDs are listed by: slipway status',
  ).action((ids: string[]) => {
    found = { name: 'cancel', ids: ids.map(transferId) }
  })

  command(
    'release <id...>',
    'approve held files, so that they are uploaded after all',
    'Names each file and the rule that holds it, and asks. IDs are listed by: slipway status',
  )
    .option('--yes', 'do not ask')
    .action((ids: string[], o: { yes?: boolean }) => {
      found = { name: 'release', ids: ids.map(transferId), yes: o.yes === true }
    })

  command('unwatch <folder>', 'stop watching a folder; what waits in it is withdrawn', 'Links of files that are up stay.').action(
    (folder: string) => {
      found = { name: 'unwatch', folder }
    },
  )

  program
    .command('completion')
    .description('print a completion script')
    .addArgument(new Argument('<shell>', `one of ${SHELLS.join(', ')}`).choices(SHELLS))
    .addHelpText('after', COMPLETION_HELP)
    .action((shell: Shell) => {
      answer = { kind: 'answer', text: completionScript(shell, tableOf(program)) }
    })

  program
    .command('help')
    .description('print this help, or the help of one command')
    .addArgument(new Argument('[command]', 'one of the commands'))
    .action((name?: string) => {
      if (name !== undefined && !COMMANDS.includes(name)) throw new CommanderError(2, 'slipway.help', `Unknown command '${name}'.`)
      answer = parseArguments(name === undefined ? ['--help'] : [name, '--help'])
    })

  try {
    program.parse(moveFlags(argv), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return explain(error, text, argv)
  }
  if (answer !== null) return answer
  if (found === null) return { kind: 'wrong', message: 'No command was given.', hint: 'What there is: slipway --help' }
  return { kind: 'run', invocation: found, globals: globalsOf() }
}

function explain(error: CommanderError, text: string, argv: readonly string[]): Parsed {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return { kind: 'answer', text: text.trimEnd() }
  if (error.code === 'commander.help') return { kind: 'wrong', message: 'No command was given.', hint: text.trimEnd() }
  const typed = argv.find((arg) => COMMANDS.includes(arg))
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
  const unknown = error.code === 'commander.unknownCommand' ? argv.find((arg) => !arg.startsWith('-')) : undefined
  if (unknown !== undefined && /[\\/.]/.test(unknown))
    return { kind: 'wrong', message: `${unknown} is not a command.`, hint: 'To upload a file: slipway upload PATH' }
  return { kind: 'wrong', message: sentence, hint }
}

function duration(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new InvalidArgumentError('A duration looks like 90s, 15m or 24h.')
  return ms
}

function plainText(value: string): string {
  if (hasControlCharacter(value)) throw new InvalidArgumentError('It contains a control character.')
  return value
}

/** A single name, as every system takes it. */
function fileName(value: string): string {
  if (value === '.' || value === '..' || /[\\/]/.test(value) || hasControlCharacter(value) || Buffer.byteLength(value) > 255)
    throw new InvalidArgumentError('A name is at most 255 bytes long, without slashes and control characters.')
  return value
}

function positive(text: string): number {
  const n = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(n) || n < 1) throw new InvalidArgumentError('It is a whole number from 1 on.')
  return n
}

function transferId(text: string): number {
  const n = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(n) || n < 1)
    throw new CommanderError(2, 'slipway.id', `'${text}' is not a transfer ID. IDs are listed by: slipway status`)
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
