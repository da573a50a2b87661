// What every command gets: the engine, a terminal, the time and an abort signal; and how failures are printed. A command is a function of
// this context and its arguments that returns an exit code. Nothing here touches a process or a stream.
import type { Failure, Result } from '../../src-shared/contract.ts'
import { printable } from '../../src-shared/format.ts'
import { isSpooled } from '../platform/data/spool.ts'
import { forPeople } from '../platform/disk/path-codec.ts'
import type { EngineSession } from '../platform/host/engine-session.ts'
import type { Time } from '../platform/time.ts'
import { type ExitCode, exitCodeOf } from './exit-codes.ts'
import type { KeySource } from './key-source.ts'
import type { ProgressView } from './output/progress-line.ts'

export type Colour = 'red' | 'green' | 'yellow'

export interface Terminal {
  /** Writes a line to standard output. */
  out(line: string): void
  /** Writes a line to standard error. `isProblem`: it needs attention, which systemd's journal is told. */
  err(line: string, isProblem?: boolean): void
  /** Shows the progress line on standard error; null removes it. Does nothing if standard error isn't a terminal. */
  progress(view: ProgressView | null): void
  /** Colours a piece of text, if the stream shows colours. */
  paint(stream: 'out' | 'err', colour: Colour, text: string): string
  readonly inIsTerminal: boolean
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Columns of standard output; 80 if it isn't a terminal. */
  readonly columns: number
  /**
   * Reads one line typed by the user; `hidden`: without echo. Until `isShown` holds, the input is echoed as asterisks. Resolves to null at
   * the end of input, or if the user interrupts.
   */
  ask(prompt: string, hidden: boolean, isShown?: (typed: string) => boolean): Promise<string | null>
  /** Reads the first line of standard input; for use if it isn't a terminal. Resolves to null if it is empty. */
  readInput(): Promise<string | null>
}

/** `denied`: it exists, or may exist, but can't be read. */
export type PathKind = 'directory' | 'file' | 'other' | 'missing' | 'denied'

export interface Output {
  readonly json: boolean
  readonly quiet: boolean
  readonly term: Terminal
}

export interface Ctx extends Output {
  readonly client: EngineSession
  readonly time: Time
  readonly cwd: string
  /** The name of the account that the command works with. Null: none is known yet. */
  readonly account: string | null
  /** The address that is configured, whether there is a key for it or not. Null: none, or not a valid one. */
  readonly baseUrl: string | null
  /** Where the key that is used now comes from. */
  readonly keySource: () => KeySource
  /** This user's home folder. */
  readonly home: string
  readonly kindOf: (path: string) => Promise<PathKind>
  /** Stores all of standard input in a file until it has been uploaded, and resolves with the file's path. */
  readonly keepInput: (name: string) => Promise<Result<string>>
  /** Removes that file. */
  readonly dropInput: (path: string) => Promise<void>
  /** Aborted when the command should end: by a signal, or because nobody reads its output any more. */
  readonly signal: AbortSignal
}

/** Makes a path or name safe to print on one line of a terminal. */
export function show(text: string): string {
  return printable(forPeople(text))
}

/** A transfer's file as the user named it. Standard input is shown by name, since its path in the data folder means nothing to the user. */
export function showFile(file: { readonly path: string; readonly name: string }): string {
  return isSpooled(file.path) ? `${show(file.name)} (standard input)` : show(file.path)
}

/** Drops null and undefined fields, so that a reader of the JSON never finds null in place of a value. */
export function compact<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Partial<T>
}

/** Prints an error to standard error: what happened, then what the user can do. */
export function complain(output: Output, title: string, hint: string | null): void {
  output.term.err(`${output.term.paint('err', 'red', 'slipway:')} ${show(title)}`, true)
  if (hint !== null) output.term.err(`  ${show(hint)}`, true)
}

/** Abort reason: the reader of the output (such as `head`) has gone, so nothing needs to be reported. */
export const NOBODY_READS = 'nobody reads'
/** Abort reason: standard output can't be written to; the error has been reported. */
export const OUTPUT_LOST = 'output lost'

/** Printed when the user interrupts a command that has work left. */
export function complainInterrupted(ctx: Ctx): void {
  if (ctx.signal.reason !== NOBODY_READS && ctx.signal.reason !== OUTPUT_LOST)
    complain(ctx, 'Interrupted. Nothing is lost; the next run goes on.', null)
}

/** Prints information that isn't an error; `--quiet` hides it. */
export function note(output: Output, text: string): void {
  if (!output.quiet) output.term.err(show(text))
}

/** Characters that JSON doesn't escape although a terminal may act on them: DEL, the C1 controls and bidirectional marks. */
const STEERING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** JSON that is safe to print on a terminal; parsing it yields the original text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Prints the single JSON document of a command. */
export function document(output: Output, value: unknown): void {
  output.term.out(jsonText(value))
}

/** Reports a failure of a command that prints one document, and returns the exit code. */
export function fail(output: Output, failure: Failure): ExitCode {
  complain(output, failure.title, failure.hint)
  if (output.json) document(output, { error: compact({ code: failure.code, title: failure.title, hint: failure.hint }) })
  return exitCodeOf(failure.code)
}

/** Resolves once the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

const INTERRUPTED: Failure = { code: 'closing', title: 'Interrupted.', hint: null }

/** Waits for a call unless the user interrupts. The engine may still carry it out. */
export async function ask<T>(ctx: Ctx, call: Promise<Result<T>>): Promise<Result<T>> {
  const first = await Promise.race([call, whenAborted(ctx.signal)])
  return first ?? { ok: false, failure: INTERRUPTED }
}
