// The context that every command gets: the engine, a terminal, the time and an abort signal. Also prints
// failures. A command is a function of this context and its arguments that returns an exit code. Nothing here
// accesses a process or stream.
import type { Failure, Result } from '../../src-shared/engine-contract.ts'
import { printable } from '../../src-shared/format.ts'
import { orAborted } from '../../src-shared/or-aborted.ts'
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
  /** Writes a line to standard error. `isProblem` marks it as a warning for systemd's journal. */
  err(line: string, isProblem?: boolean): void
  /**
   * Shows the progress line on standard error; null removes it. Does nothing with --quiet, or if standard
   * error isn't a terminal that can redraw a line.
   */
  progress(view: ProgressView | null): void
  /** Colours the text if the stream supports colours. */
  paint(stream: 'out' | 'err', colour: Colour, text: string): string
  readonly inIsTerminal: boolean
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Width of standard output in columns; 80 if it isn't a terminal. */
  readonly columns: number
  /**
   * Reads one line typed by the user. If `hidden` is true, nothing is echoed. Otherwise the input is echoed,
   * as asterisks while `isShown` returns false. Resolves to null at the end of input, if the user interrupts,
   * or if the command should end.
   */
  ask(prompt: string, hidden: boolean, isShown?: (typed: string) => boolean): Promise<string | null>
  /**
   * Reads the first line of standard input, without surrounding spaces. Use only if it isn't a terminal.
   * Resolves to null if the line is blank or the command should end.
   */
  readInput(): Promise<string | null>
}

/**
 * `denied`: the path can't be read; it may or may not exist. `deleted`: an open file without a name, reached
 * through a link of the system. `created`: the system creates the content when it is read, as in /proc.
 */
export type PathKind =
  | 'directory'
  | 'file'
  | 'pipe'
  | 'socket'
  | 'device'
  | 'deleted'
  | 'created'
  | 'missing'
  | 'denied'

export interface Output {
  readonly json: boolean
  readonly quiet: boolean
  readonly term: Terminal
}

export interface Ctx extends Output {
  readonly client: EngineSession
  readonly time: Time
  readonly cwd: string
  /** The name of the account that the command uses; null if none is known yet. */
  readonly account: string | null
  /**
   * The configured address, even if there is no key for it. Null if no address is configured or if it is
   * invalid.
   */
  readonly baseUrl: string | null
  readonly keySource: () => KeySource
  readonly home: string
  readonly kindOf: (path: string) => Promise<PathKind>
  /** Resolves to the path with all symbolic links resolved, or to the path itself if that fails. */
  readonly realOf: (path: string) => Promise<string>
  /** Stores all of standard input in a file and resolves to its path. */
  readonly keepInput: (name: string) => Promise<Result<string>>
  /** Deletes a file created by `keepInput`. */
  readonly dropInput: (path: string) => Promise<void>
  /**
   * Aborted when the command should end: by a signal, because the reader of its output has closed the pipe,
   * or because its output can't be written.
   */
  readonly signal: AbortSignal
}

/** Makes a path or name safe to print on one line of a terminal. */
export function show(text: string): string {
  return printable(forPeople(text))
}

/**
 * A transfer's file as the user named it. Standard input is shown by name, because its path in the data
 * folder means nothing to the user.
 */
export function showFile(file: { readonly path: string; readonly name: string }): string {
  return isSpooled(file.path) ? `${show(file.name)} (standard input)` : show(file.path)
}

/** Removes null and undefined fields, for JSON that omits unknown values. */
export function compact<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>
}

/** Prints an error to standard error: what happened, then what the user can do. */
export function complain(output: Output, title: string, hint: string | null): void {
  output.term.err(`${output.term.paint('err', 'red', 'slipway:')} ${show(title)}`, true)
  if (hint !== null) output.term.err(`  ${show(hint)}`, true)
}

/** Abort reason: the reader of the output (such as `head`) has gone, so the interruption isn't reported. */
export const NOBODY_READS = 'nobody reads'
/** Abort reason: standard output can't be written to. The error has already been reported. */
export const OUTPUT_LOST = 'output lost'

/**
 * Prints that the command was interrupted before its work was done. Prints nothing if it ended because
 * standard output is gone.
 */
export function complainInterrupted(ctx: Ctx): void {
  if (ctx.signal.reason !== NOBODY_READS && ctx.signal.reason !== OUTPUT_LOST)
    complain(ctx, 'Interrupted. Nothing is lost; the next run continues.', null)
}

/**
 * Prints information that isn't an error to standard error, so that standard output contains only results.
 * `--quiet` hides it.
 */
export function note(output: Output, text: string): void {
  if (!output.quiet) output.term.err(show(text))
}

/**
 * Characters that JSON doesn't escape but a terminal may act on: DEL, C1 controls, bidirectional marks, line
 * separators and the byte order mark.
 */
const STEERING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** The value as JSON that is safe to print on a terminal. Parsing it returns the same value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    STEERING,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Prints the JSON document of a command whose output is a single document. */
export function document(output: Output, value: unknown): void {
  output.term.out(jsonText(value))
}

/** Reports the failure of a command that prints one document. Returns the exit code. */
export function fail(output: Output, failure: Failure): ExitCode {
  complain(output, failure.title, failure.hint)
  if (output.json)
    document(output, { error: compact({ code: failure.code, title: failure.title, hint: failure.hint }) })
  return exitCodeOf(failure.code)
}

/** Resolves once the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

export const INTERRUPTED: Failure = { code: 'closing', title: 'Interrupted.', hint: null }

/**
 * Waits for a call, or fails as soon as the command should end. In that case, the engine may still carry out
 * the call.
 */
export function ask<T>(ctx: Ctx, call: Promise<Result<T>>): Promise<Result<T>> {
  return orAborted(call, ctx.signal, () => ({ ok: false as const, failure: INTERRUPTED }))
}
