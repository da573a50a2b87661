// Handles the signals that ask the program to end. The wrapper process (bootstrap.ts), which runs on an
// outdated Node, forwards them to its child, except on Windows, where the console sends them to every
// attached process itself. This file must run on Node 20.

/**
 * A single Ctrl+C may arrive twice, from the terminal and from the parent process. So a signal counts as the
 * second one only if more than this time has passed since the first.
 */
const SAME_SIGNAL_MS = 500

/** `process`, or a replacement in tests. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown
  removeListener(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown
}

export function endingSignals(platform: NodeJS.Platform): readonly NodeJS.Signals[] {
  // On Windows, SIGBREAK is Ctrl+Break, and SIGHUP means that the console window is being closed.
  return platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
}

export interface EndOnSignals {
  readonly source: SignalSource
  readonly platform: NodeJS.Platform
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Asks the command to end. May be called again for the same key press. */
  readonly onFirst: () => void
  readonly onSecond: () => void
}

export function endOnSignals({ source, platform, now, onFirst, onSecond }: EndOnSignals): void {
  let firstAt: number | null = null
  const listener = (): void => {
    const at = now()
    firstAt ??= at
    if (at - firstAt > SAME_SIGNAL_MS) onSecond()
    else onFirst()
  }
  for (const signal of endingSignals(platform)) source.on(signal, listener)
}

/**
 * Ends this process at once. `process.exit()` alone would wait for threads and disk requests, possibly on a
 * drive that doesn't respond.
 */
export function endAtOnce(code: number): never {
  if (process.platform !== 'win32') {
    if (process.stdin.isTTY) {
      // A terminal whose window was closed reports an error.
      process.stdin.on('error', () => undefined)
      process.stdin.setRawMode(false)
    }
    process.removeAllListeners('SIGINT')
    // Without listeners, the signal ends the process, which shells also report as 130.
    process.kill(process.pid, 'SIGINT')
  }
  process.exit(code)
}

/**
 * Keeps signals from ending the wrapper before its child, and forwards them to the child. Doesn't forward
 * them on Windows, where the console has already signalled the child, and `kill` would terminate it before it
 * can finish. The returned function removes the handlers.
 */
export function passSignals(
  source: SignalSource,
  child: { kill(signal: NodeJS.Signals): unknown },
  platform: NodeJS.Platform,
): () => void {
  const pass = (signal: NodeJS.Signals): void => {
    if (platform !== 'win32') child.kill(signal)
  }
  const signals = endingSignals(platform)
  for (const signal of signals) source.on(signal, pass)
  return () => {
    for (const signal of signals) source.removeListener(signal, pass)
  }
}
