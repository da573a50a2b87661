// Declares the command line to commander, with Slipway's help, and parses it into an invocation. Commander
// neither prints nor exits: its output is collected, and it throws; ../arguments.ts explains its errors.
import { Command } from 'commander'
import { VERSION } from '../../platform/version.ts'
import { COMMANDS } from '../argument-mistakes.ts'
import { CODES, ENVIRONMENT, EXAMPLES } from './help-text.ts'
import type { Globals, Invocation, Parsed } from './invocation.ts'
import { plainText } from './values.ts'

export class CommandLine {
  readonly program = new Command('slipway')
  /** The help text after the options, by command name. */
  readonly #notes = new Map<string, string>()
  #output = ''
  #invocation: Invocation | null = null
  #answer: Parsed | null = null

  constructor() {
    const collect = (part: string): void => {
      this.#output += part
    }
    this.program
      .exitOverride()
      .configureOutput({ writeOut: collect, writeErr: collect })
      .description('Save a file into a folder, and its public link is ready to paste.')
      .usage('<command> [options]')
      .version(VERSION, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print this help')
      .helpCommand(false)
      .option('--json', 'print JSON: one event per line for upload and watch, otherwise one document')
      .option('--account <name>', 'work with this account, not the current one', plainText)
      .option('--quiet', 'print only errors to standard error')
      .option('--no-color', 'no colours')
      .showSuggestionAfterError(true)
      .configureHelp({
        showGlobalOptions: true,
        // The descriptions already list choices and defaults.
        optionDescription: (option) => option.description,
        argumentDescription: (argument) => argument.description,
        visibleCommands: (command) =>
          command.commands.toSorted((a, b) => COMMANDS.indexOf(a.name()) - COMMANDS.indexOf(b.name())),
      })
      .addHelpText(
        'after',
        `${EXAMPLES}\n${ENVIRONMENT}\n${CODES}\n\nHelp on one command: slipway <command> --help`,
      )
  }

  /** Declares a command. `more` follows the options in its help. */
  command(usage: string, description: string, more: string): Command {
    const notes = more.replace(/^\n/, '')
    const command = this.program.command(usage).description(description).addHelpText('after', `\n${notes}`)
    this.#notes.set(command.name(), notes)
    return command
  }

  /**
   * The text after the options in a command's help; empty if there is none. Lines indented by two spaces are
   * examples.
   */
  notes(name: string): string {
    return this.#notes.get(name) ?? ''
  }

  /** Records what to run. Called by the action of the typed command. */
  found(invocation: Invocation): void {
    this.#invocation = invocation
  }

  /** Records the result of a command that needs only parsing, such as completion. */
  answer(answer: Parsed): void {
    this.#answer = answer
  }

  /** What commander has written: help, version or an error. */
  get output(): string {
    return this.#output.trimEnd()
  }

  result(): Parsed {
    if (this.#answer !== null) return this.#answer
    if (this.#invocation === null)
      return { kind: 'wrong', message: 'No command was given.', hint: 'List of commands: slipway --help' }
    return { kind: 'run', invocation: this.#invocation, globals: this.#globals() }
  }

  #globals(): Globals {
    const options = this.program.opts<{ json?: boolean; account?: string; quiet?: boolean; color: boolean }>()
    return {
      json: options.json === true,
      account: options.account ?? null,
      quiet: options.quiet === true,
      color: options.color,
    }
  }
}
