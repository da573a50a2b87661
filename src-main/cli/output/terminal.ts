// Implements `Terminal` with the real streams. It prints lines to both output streams, keeps the progress
// line from mixing with them, and asks questions with or without echo. If standard output fails, for example
// because its reader has gone (EPIPE), that is reported once and nothing more is written to it.
import type { ReadStream } from 'node:tty'
import { printable } from '../../../src-shared/format.ts'
import { orAborted } from '../../../src-shared/or-aborted.ts'
import type { Time } from '../../platform/time.ts'
import type { Colour, Terminal } from '../context.ts'
import { WARNING_PREFIX } from './journal-stream.ts'
import { type ProgressView, renderProgress } from './progress-line.ts'
import { isReaderGone } from './stdout.ts'
import { textWidth } from './table.ts'

/** Minimum time between two redraws. More than ten a second would make no visible difference. */
const REDRAW_MS = 100
/**
 * Maximum number of characters to read for the first line of standard input. A longer line can't be a key.
 */
const INPUT_MOST = 64 * 1024

type Out = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
type In = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>

export interface TerminalOptions {
  readonly stdin: In
  readonly stdout: Out
  readonly stderr: Out
  readonly color: boolean
  readonly quiet: boolean
  /** Whether the bar may use block elements instead of ASCII. */
  readonly unicode: boolean
  readonly time: Time
  /** Aborted when the command should end. This also ends a prompt that is waiting for an answer. */
  readonly signal: AbortSignal
  /** Called when standard output no longer has a reader. */
  readonly onPipeClosed: () => void
  /** Called when standard output can't be written to, so that lines are lost. */
  readonly onWriteFailed: (error: Error) => void
  /** Whether the terminal can redraw a line, which the progress line requires. */
  readonly live: boolean
  /** Whether standard error goes to systemd's journal. */
  readonly journal: boolean
}

const CODES: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33 }
const CLEAR_LINE = '\r\u001b[K'

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdin, stdout, stderr, time } = options
  const isTty = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true
  let shown = false
  let latest: ProgressView | null = null
  let drawnAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null
  let broken = false

  const onError = (error: Error): void => {
    if (broken) return
    broken = true
    if (isReaderGone(error, isTty(stdout))) options.onPipeClosed()
    else options.onWriteFailed(error)
  }
  stdout.on('error', onError)
  stderr.on('error', () => undefined)

  const clear = (): void => {
    if (!shown) return
    stderr.write(CLEAR_LINE)
    shown = false
  }
  const draw = (): void => {
    cancel = null
    if (latest === null) return
    drawnAt = time.now()
    stderr.write(`${CLEAR_LINE}${renderProgress(latest, stderr.columns || 80, options.unicode)}`)
    shown = true
  }
  const schedule = (): void => {
    if (latest === null || cancel !== null) return
    // Printing a line removes the progress line. Redraw it when the next redraw is due instead of at once,
    // because there may be hundreds of lines.
    cancel = time.after(Math.max(0, Math.min(REDRAW_MS, drawnAt + REDRAW_MS - time.now())), draw)
  }

  return {
    out: (line) => {
      if (broken) return
      if (isTty(stdout)) clear()
      stdout.write(`${line}\n`)
      if (isTty(stdout)) schedule()
    },
    err: (line, isProblem = false) => {
      clear()
      stderr.write(`${isProblem && options.journal ? WARNING_PREFIX : ''}${line}\n`)
      schedule()
    },
    progress: (view) => {
      if (!isTty(stderr) || options.quiet || !options.live) return
      latest = view
      if (view !== null) {
        schedule()
        return
      }
      cancel?.()
      cancel = null
      clear()
    },
    paint: (stream, colour, text) =>
      options.color && isTty(stream === 'out' ? stdout : stderr)
        ? `\u001b[${CODES[colour]}m${text}\u001b[39m`
        : text,
    inIsTerminal: isTty(stdin),
    outIsTerminal: isTty(stdout),
    errIsTerminal: isTty(stderr),
    get columns() {
      return stdout.columns || 80
    },
    ask: (prompt, hidden, isShown = () => true) =>
      askPerson(options, prompt, (typed) =>
        hidden ? '' : isShown(typed) ? printable(typed) : '*'.repeat([...typed].length),
      ),
    readInput: () => orAborted(readFirstLine(stdin), options.signal, () => null),
  }
}

/**
 * Reads key presses in raw mode, where the terminal echoes nothing, and shows only what `shownAs` returns.
 * Resolves to null if the user gives up, the input ends or the command should end.
 */
function askPerson(
  { stdin, stderr, signal }: Pick<TerminalOptions, 'stdin' | 'stderr' | 'signal'>,
  prompt: string,
  shownAs: (typed: string) => string,
): Promise<string | null> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(null)
      return
    }
    let typed = ''
    let onScreen = ''
    let isOpen = true
    const show = (next: string): void => {
      let same = 0
      while (same < onScreen.length && onScreen[same] === next[same]) same++
      stderr.write('\b \b'.repeat(textWidth(onScreen.slice(same))) + next.slice(same))
      onScreen = next
    }
    const finish = (answer: string | null): void => {
      if (!isOpen) return
      isOpen = false
      stdin.removeListener('data', onData)
      stdin.removeListener('end', onEnd)
      signal.removeEventListener('abort', onEnd)
      stdin.setRawMode?.(false)
      stdin.pause()
      stderr.write('\n')
      resolve(answer)
    }
    const onEnd = (): void => finish(null)
    const onData = (chunk: string | Buffer): void => {
      const step = typeKeys(typed, chunk.toString())
      typed = step.typed
      show(shownAs(typed))
      if (step.ended !== null) finish(step.ended === 'done' ? typed : null)
    }
    signal.addEventListener('abort', onEnd)
    // This listener is never removed, because a terminal whose window was closed reports an error when raw
    // mode begins, on reading, and when raw mode ends.
    stdin.on('error', onEnd)
    // Raw mode begins before the prompt is shown, so that nothing typed in answer to it is echoed.
    stdin.setRawMode?.(true)
    if (!isOpen) return
    stderr.write(prompt)
    stdin.setEncoding('utf8')
    stdin.on('data', onData)
    stdin.once('end', onEnd)
    stdin.resume()
  })
}

export interface Typed {
  readonly typed: string
  readonly ended: 'done' | 'given-up' | null
}

/**
 * Applies key presses to a line: Enter ends it; Ctrl+C, and Ctrl+D on an empty line, give up; Backspace and
 * Ctrl+U delete. Pure.
 */
export function typeKeys(before: string, keys: string): Typed {
  let typed = before
  // Arrow keys and bracketed-paste markers aren't part of the input.
  // oxlint-disable-next-line no-control-regex -- that is what a terminal sends
  for (const char of keys.replaceAll(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?/g, '')) {
    if (char === '\r' || char === '\n') return { typed, ended: 'done' }
    if (char === '\u0003') return { typed, ended: 'given-up' }
    if (char === '\u0004') {
      if (typed === '') return { typed, ended: 'given-up' }
      continue
    }
    if (char === '\u007f' || char === '\b') typed = [...typed].slice(0, -1).join('')
    else if (char === '\u0015') typed = ''
    else if (char >= ' ') typed += char
  }
  return { typed, ended: null }
}

async function readFirstLine(stdin: In): Promise<string | null> {
  let text = ''
  stdin.setEncoding('utf8')
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.includes('\n') || text.length > INPUT_MOST) break
  }
  const [line = ''] = text.split('\n', 1)
  return line.trim() === '' ? null : line.trim()
}
