// What every command is given: a way to the engine, a terminal, the time, and whether somebody wants it to stop. And how a failure is told.
// Commands are functions of this and their arguments to an exit code; nothing here touches a process or a stream.
import type { Failure, Result } from '../../src-shared/contract.ts'
import { printable } from '../../src-shared/format.ts'
import type { EngineSession } from '../platform/engine-session.ts'
import { forPeople } from '../platform/path-codec.ts'
import { isSpooled } from '../platform/spool.ts'
import type { Time } from '../platform/time.ts'
import { type ExitCode, exitCodeOf } from './exit-codes.ts'
import type { ProgressView } from './progress-line.ts'

export type Colour = 'red' | 'green' | 'yellow'

export interface Terminal {
  /** One line to standard output. */
  out(line: string): void
  /** One line to standard error. */
  err(line: string): void
  /** The live line on standard error; null takes it away. Does nothing where that is no terminal. */
  progress(view: ProgressView | null): void
  /** Colours a piece of a line where the stream shows colours. */
  paint(stream: 'out' | 'err', colour: Colour, text: string): string
  readonly inIsTerminal: boolean
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Columns of standard output; 80 where that is no terminal. */
  readonly columns: number
  /** One line typed by a person, `hidden` without echo; with `isShown`, dots stand for it until that holds. Null: end of input or interrupted. */
  ask(prompt: string, hidden: boolean, isShown?: (typed: string) => boolean): Promise<string | null>
  /** The first line of standard input where that is no terminal. Null: it is empty. */
  readInput(): Promise<string | null>
}

/** `denied`: it is there, or may be, and can't be read. */
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
  /** The address that is configured, whether there is a key for it or not. Null: none, or not a valid one. */
  readonly baseUrl: string | null
  /** The home folder of this user. */
  readonly home: string
  readonly kindOf: (path: string) => Promise<PathKind>
  /** Keeps standard input until it is uploaded: all of it is in the file that this resolves with. */
  readonly keepInput: (name: string) => Promise<Result<string>>
  /** Removes that file. */
  readonly dropInput: (path: string) => Promise<void>
  /** Somebody wants it to end: a signal, or nobody reads the output any more. */
  readonly signal: AbortSignal
}

/** A path or name on one line of a terminal. */
export function show(text: string): string {
  return printable(forPeople(text))
}

/** The file of a transfer as a person named it: standard input by its name, since its place in the data folder says nothing. */
export function showFile(file: { readonly path: string; readonly name: string }): string {
  return isSpooled(file.path) ? `${show(file.name)} (standard input)` : show(file.path)
}

/** Drops what is not known: no reader of the JSON should meet a null where a value is promised. */
export function compact<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Partial<T>
}

/** An error on standard error: what happened, then what a person can do. */
export function complain(output: Output, title: string, hint: string | null): void {
  output.term.err(`${output.term.paint('err', 'red', 'slipway:')} ${show(title)}`)
  if (hint !== null) output.term.err(`  ${show(hint)}`)
}

/** Why a signal was given: `head` has seen enough, say, and there is nobody to tell it to. */
export const NOBODY_READS = 'nobody reads'
/** Standard output can't be written; the error has been reported. */
export const OUTPUT_LOST = 'output lost'

/** Told once when a person ends a command that has work left. */
export function complainInterrupted(ctx: Ctx): void {
  if (ctx.signal.reason !== NOBODY_READS && ctx.signal.reason !== OUTPUT_LOST)
    complain(ctx, 'Interrupted. Nothing is lost; the next run goes on.', null)
}

/** Something that is good to know, but no error: `--quiet` hides it. */
export function note(output: Output, text: string): void {
  if (!output.quiet) output.term.err(show(text))
}

/** What JSON leaves as it is although a terminal may obey it: control characters beyond the first 32, and marks that turn the direction of
 * writing. */
const STEERING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** JSON for a pipe and for a terminal alike; a reader of it gets the very same texts. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The one JSON document of a command. */
export function document(output: Output, value: unknown): void {
  output.term.out(jsonText(value))
}

/** Ends a command that answers with one document. */
export function fail(output: Output, failure: Failure): ExitCode {
  complain(output, failure.title, failure.hint)
  if (output.json) document(output, { error: compact({ code: failure.code, title: failure.title, hint: failure.hint }) })
  return exitCodeOf(failure.code)
}

/** Resolves once the signal is given. */
export function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

const INTERRUPTED: Failure = { code: 'closing', title: 'Interrupted.', hint: null }

/** A call that a person can interrupt. The engine may still carry it out. */
export async function ask<T>(ctx: Ctx, call: Promise<Result<T>>): Promise<Result<T>> {
  const first = await Promise.race([call, whenAborted(ctx.signal)])
  return first ?? { ok: false, failure: INTERRUPTED }
}
