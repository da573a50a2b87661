// Parses the command line into one of a closed set of results, according to the grammar in cli/grammar. Pure:
// prints nothing and doesn't exit. Every error comes with a hint, and none repeats an API key that was passed
// as an option such as --api-key or as an argument of `login`.
import { Argument, CommanderError } from 'commander'
import { COMMANDS, wrongWord } from './argument-mistakes.ts'
import { completionScript, SHELLS, type Shell, tableOf } from './completion.ts'
import { addAccountCommands, addLogin } from './grammar/account-commands.ts'
import { CommandLine } from './grammar/commander.ts'
import { addAudit, addInfoAndLink, addLs, addRm } from './grammar/file-commands.ts'
import { COMPLETION_HELP } from './grammar/help-text.ts'
import type { Parsed } from './grammar/invocation.ts'
import { addPlan, addQueueCommands, addUnwatch, addUpload, addWatch } from './grammar/upload-commands.ts'

const KEY_OPTION = /^--?(?:api[-_]?key|key|token|bearer|password)(?:=|$)/i
const GLOBAL_FLAGS = new Set(['--json', '--quiet', '--no-color', '--help', '-h', '--version', '-V'])

/** Commands that take paths, names of which may begin with a hyphen. */
const NAMING: ReadonlySet<string> = new Set([
  'upload',
  'watch',
  'unwatch',
  'plan',
  'audit',
  'info',
  'link',
  'rm',
])

const ACCOUNT = '--account'
/** The error code of `slipway help` with a word that isn't a command. */
const UNKNOWN_TOPIC = 'slipway.help'

const KEY_IN_LINE: Parsed = {
  kind: 'wrong',
  message:
    "The API key can't be given on the command line, where every program on this computer could read it.",
  hint: 'Enter it when asked: slipway login. For one process only, set SLIPWAY_API_KEY.',
}

/** Counts the words before the command: global flags, and `--account` with its value. */
function wordsBefore(argv: readonly string[]): number {
  let at = 0
  for (;;) {
    const word = argv[at] ?? ''
    if (GLOBAL_FLAGS.has(word) || word.startsWith(`${ACCOUNT}=`)) at += 1
    else if (word === ACCOUNT) at += 2
    else return at
  }
}

/**
 * Moves global flags, and `--account` with its value, from before the command to after it, so that they mean
 * the same in both positions.
 */
function moveFlags(argv: readonly string[]): string[] {
  const at = wordsBefore(argv)
  const command = argv[at]
  if (at === 0 || command === undefined || command.startsWith('-')) return [...argv]
  return [command, ...argv.slice(0, at), ...argv.slice(at + 1)]
}

export function parseArguments(argv: readonly string[]): Parsed {
  const wrong = wrongWord(argv)
  if (wrong !== null) return { kind: 'wrong', ...wrong }
  const end = argv.indexOf('--')
  if (argv.slice(0, end < 0 ? argv.length : end).some((arg) => KEY_OPTION.test(arg))) return KEY_IN_LINE
  const line = commandLine()
  try {
    line.program.parse(moveFlags(argv), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return explain(error, line.output, argv)
  }
  return line.result()
}

/**
 * The grammar of all commands and options with their help. Parsing, completion scripts and manual pages are
 * derived from it.
 */
export function commandLine(): CommandLine {
  const line = new CommandLine()
  addLogin(line)
  addAccountCommands(line)
  addUpload(line)
  addWatch(line)
  addLs(line)
  addInfoAndLink(line)
  addRm(line)
  addPlan(line)
  addAudit(line)
  addQueueCommands(line)
  addUnwatch(line)
  addCompletion(line)
  addHelp(line)
  return line
}

function addCompletion(line: CommandLine): void {
  line
    .command('completion', 'print a completion script', COMPLETION_HELP)
    .addArgument(new Argument('<shell>', `one of ${SHELLS.join(', ')}`).choices(SHELLS))
    .action((shell: Shell) =>
      line.answer({ kind: 'answer', text: completionScript(shell, tableOf(line.program)) }),
    )
}

function addHelp(line: CommandLine): void {
  line.program
    .command('help')
    .description('print this help, or the help of one command')
    .addArgument(new Argument('[command]', 'one of the commands'))
    .action((name?: string) => {
      if (name !== undefined && !COMMANDS.includes(name))
        throw new CommanderError(2, UNKNOWN_TOPIC, `Unknown command '${name}'.`)
      line.answer(parseArguments(name === undefined ? ['--help'] : [name, '--help']))
    })
}

function explain(error: CommanderError, text: string, argv: readonly string[]): Parsed {
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version')
    return { kind: 'answer', text }
  if (error.code === 'commander.help') return { kind: 'wrong', message: 'No command was given.', hint: text }
  const word = argv[wordsBefore(argv)] ?? ''
  const isUnknown = error.code === 'commander.unknownCommand'
  // `slipway help foo` also names no command.
  const typed = COMMANDS.includes(word) && error.code !== UNKNOWN_TOPIC ? word : undefined
  const hint =
    typed === undefined ? 'List of commands: slipway --help' : `How to use it: slipway ${typed} --help`
  if (error.code === 'commander.excessArguments')
    // Commander's message would repeat what was typed, and after `login` that may be the key.
    return typed === 'login'
      ? KEY_IN_LINE
      : { kind: 'wrong', message: `Too many arguments for ${typed ?? 'slipway'}.`, hint }
  // Commander's message is "error: …" with a suggestion, if there is one, on another line.
  const message = error.message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  if (isUnknown && /[\\/.]/.test(word))
    return {
      kind: 'wrong',
      message: `${word} is not a command.`,
      hint: 'To upload a file: slipway upload PATH',
    }
  const option = error.code === 'commander.unknownOption' ? /'(-[^']*)'/.exec(sentence)?.[1] : undefined
  if (typed !== undefined && option !== undefined && NAMING.has(typed))
    return {
      kind: 'wrong',
      message: sentence,
      hint: `${hint}. If this is a name: slipway ${typed} -- ${option}`,
    }
  return { kind: 'wrong', message: sentence, hint }
}
