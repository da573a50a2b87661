// The user's actions in a gesture run: changes files, and starts and ends commands. Each action is recorded
// in the expectation before anything that Slipway says or sends because of it is read here.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from '../scenario/cli-process.ts'
import { draw } from '../service/faults.ts'
import type { Moment, Service } from '../service/service.ts'
import { eventOf, type Line, type Telling } from './evidence.ts'
import type { Expected, FolderRules } from './expected.ts'
import { whenFree } from './in-use.ts'
import type { Place, Running } from './process.ts'

/**
 * Limit for one command. If an answer was lost, an upload may wait two minutes for proof that nothing was
 * stored (evidence.ts).
 */
const ANSWER_MS = 180_000
/** From a signal to the end, on a machine with a free core. After that the harness kills the process. */
const END_MS = 20_000
const SETTLE_MS = 10_000
/**
 * A watch lives as long as its gesture, which may include an upload that waits as long as ANSWER_MS allows.
 */
const WATCH_MS = 240_000
/** For the scan of a small folder, on a machine with a free core. */
const SCAN_MS = 30_000
/** Windows has no signals: whichever Node is asked to send there ends the process at once. */
const HAS_SIGNALS = process.platform !== 'win32'

/**
 * How many times longer everything takes while more processes are runnable than there are cores, at least 1.
 * Always 1 on Windows, which reports no load.
 */
export function crowding(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}

function signalHere(signal: NonNullable<Telling['sent']>): NonNullable<Telling['sent']> {
  return HAS_SIGNALS ? signal : 'SIGKILL'
}

export interface Dice {
  next(): number
  /** A whole number from 0 to less than `below`. */
  int(below: number): number
  pick<T>(list: readonly [T, ...T[]]): T
}

export function diceOf(seed: number, word: string): Dice {
  let n = 0
  const next = (): number => draw(seed, word, n++)
  return {
    next,
    int: (below) => Math.floor(next() * below),
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  }
}

/** A running `watch`. */
export interface Watching {
  readonly folder: string
  readonly lines: readonly Line[]
  isRunning(): boolean
  /**
   * Resolves to true once an event of one of these kinds has named the path, and to false after a timeout.
   */
  told(path: string, kinds: readonly string[], ms?: number): Promise<boolean>
  end(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): Promise<Telling>
}

export interface CommandOptions {
  readonly codes?: readonly number[]
  readonly cwd?: string
  readonly input?: string
  /** The command changes nothing, so what was printed before and after it can be compared. */
  readonly asks?: boolean
  /** If the command doesn't end on its own within this time, a signal ends it. */
  readonly interruptAfterMs?: number
}

export interface Hands {
  readonly dice: Dice
  readonly expected: Expected
  readonly service: Service
  readonly place: Place
  /** The folder that is watched from the start. */
  readonly folder: string
  /** A folder next to it that isn't watched. */
  readonly aside: string
  readonly rules: FolderRules
  readonly tellings: Telling[]
  readonly env: Record<string, string>
  /** The name of the active gesture; `setup` before the first one, `rest` or FINAL after the last one. */
  by: string
  /** Called with what the service reports about each exchange. */
  onMoment: (moment: Moment, endpoint: string) => void
  /** The watch of the main folder; null if none is running. */
  watching: Watching | null
  content(tag: string, size?: number): Buffer
  /** Returns an unused file name. */
  name(stem: string, ext?: string): string
  put(path: string, data: Buffer, isSecret?: boolean): void
  /** Writes a temporary file and renames it over the path. */
  replace(path: string, data: Buffer): void
  move(from: string, to: string): void
  moveDir(from: string, to: string): void
  copy(from: string, to: string): void
  link(from: string, to: string): void
  touch(path: string): void
  chmod(path: string): void
  /** Writes new bytes of the same size, keeping the old timestamp. */
  disguise(path: string): void
  remove(path: string): void
  /** Sets the file's timestamps to `ms` before now. */
  age(path: string, ms: number): void
  rulesFile(dir: string, patterns: readonly string[]): void
  files(dir: string): readonly string[]
  command(args: readonly string[], options?: CommandOptions): Promise<Telling>
  /** Starts to watch without waiting for anything. */
  watch(folder: string, rules: FolderRules, more?: readonly string[]): Watching
  /** Ensures that the main folder is watched and its files are uploaded. */
  ready(): Promise<void>
  /** Resolves once a watch has scanned the whole folder. Throws after a timeout. */
  scanned(folder: string): Promise<void>
  endAll(signal: 'SIGINT' | 'SIGTERM'): Promise<void>
  pause(): Promise<boolean>
  resume(): Promise<boolean>
  /**
   * Resolves to true once everything that the rules allow is on the service, and to false after a timeout.
   */
  settled(ms?: number): Promise<boolean>
  /** Waits `ms`, or longer while more processes are runnable than there are cores. */
  pass(ms: number): Promise<void>
  until(done: () => boolean, ms: number): Promise<boolean>
  changed(): void
}

export interface HandsOptions {
  readonly seed: number
  readonly expected: Expected
  readonly service: Service
  readonly place: Place
  readonly rules: FolderRules
  readonly env: Record<string, string>
}

export function watchArgs(folder: string, rules: FolderRules): string[] {
  return [
    'watch',
    folder,
    '--json',
    '--existing',
    rules.existing,
    '--on-change',
    rules.onChange,
    ...rules.ignore.flatMap((pattern) => ['--ignore', pattern]),
  ]
}

/** All regular files at and below a path. */
export function filesBelow(dir: string): readonly string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Where there is no `cp -p`. */
function copyKeepingTimes(from: string, to: string): void {
  const { atime, mtime } = statSync(from)
  copyFileSync(from, to)
  utimesSync(to, atime, mtime)
}

export function createHands({ seed, expected, service, place, rules, env }: HandsOptions): Hands {
  const dice = diceOf(seed, 'gestures')
  const tellings: Telling[] = []
  const watches = new Set<Watching>()
  let changes = 0
  let count = 0
  let names = 0

  const until = async (done: () => boolean, ms: number): Promise<boolean> => {
    for (const end = Date.now() + ms * crowding(); Date.now() < end; await delay(15)) if (done()) return true
    return done()
  }

  /** The watches that have finished their first scan. */
  const scannedWatches = new WeakSet<Watching>()

  /** Runs a process and records its output. */
  const begin = (
    args: readonly string[],
    options: CommandOptions & { readonly mostMs?: number },
  ): {
    readonly running: Running
    readonly lines: Line[]
    readonly no: number
    readonly telling: (sent: () => Telling['sent']) => Promise<Telling>
  } => {
    const no = ++count
    const lines: Line[] = []
    const began = Date.now()
    const changesBefore = changes
    const running = place.start(args, service.url, {
      mostMs: options.mostMs ?? ANSWER_MS,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.input === undefined ? {} : { input: options.input }),
      onLine: (text) => {
        lines.push({ at: Date.now(), text })
        const event = eventOf(text)
        if (event !== null && event.event !== 'summary') expected.told(event.path)
      },
    })
    const { by } = hands
    return {
      running,
      lines,
      no,
      telling: async (sent) => {
        const { code, signal, err, hung } = await running.ended
        const told: Telling = {
          no,
          args,
          by,
          began,
          ended: Date.now(),
          code,
          signal,
          hung,
          lines,
          err,
          sent: sent(),
          codes: options.codes ?? null,
          changesBefore,
          changesAfter: changes,
          present: args[0] === 'watch' ? filesBelow(args[1] ?? '') : [],
        }
        tellings.push(told)
        return told
      },
    }
  }

  const stamp = (path: string): { readonly atime: Date; readonly mtime: Date } => {
    const { atime, mtime } = statSync(path)
    return { atime, mtime }
  }

  const hands: Hands = {
    dice,
    expected,
    service,
    place,
    folder: place.folder,
    aside: join(place.home, 'aside'),
    rules,
    tellings,
    env,
    by: 'setup',
    onMoment: () => undefined,
    watching: null,
    content: (tag, size) => {
      const head = Buffer.from(`${seed}/${tag}/${++names}/${dice.int(1e9)}\n`)
      return Buffer.concat([head, Buffer.alloc(size ?? dice.int(8000), 97 + dice.int(26))])
    },
    name: (stem, ext = '.txt') => `${stem} ${++names}${ext}`,
    put: (path, data, isSecret = false) => {
      changes++
      mkdirSync(dirname(path), { recursive: true })
      expected.put(path, sha256(data), data.length, isSecret)
      writeFileSync(path, data)
    },
    replace: (path, data) => {
      changes++
      const aside = join(dirname(path), `.save-${++names}.tmp`)
      writeFileSync(aside, data)
      whenFree(
        () => renameSync(aside, path),
        () => rmSync(aside),
      )
      expected.put(path, sha256(data), data.length)
    },
    move: (from, to) => {
      changes++
      mkdirSync(dirname(to), { recursive: true })
      whenFree(() => renameSync(from, to))
      expected.move(from, to)
    },
    moveDir: (from, to) => {
      changes++
      mkdirSync(dirname(to), { recursive: true })
      whenFree(() => renameSync(from, to))
      for (const path of expected.below(from)) expected.move(path, join(to, path.slice(from.length + 1)))
    },
    copy: (from, to) => {
      changes++
      mkdirSync(dirname(to), { recursive: true })
      expected.copy(from, to, 'copy')
      // Keep the timestamps, as `cp -p` and most file managers do.
      if (process.platform === 'win32') copyKeepingTimes(from, to)
      else execFileSync('cp', ['-p', from, to])
    },
    link: (from, to) => {
      changes++
      mkdirSync(dirname(to), { recursive: true })
      expected.copy(from, to, 'link')
      linkSync(from, to)
    },
    touch: (path) => {
      changes++
      expected.touch(path)
      utimesSync(path, new Date(), new Date())
    },
    chmod: (path) => {
      changes++
      chmodSync(path, 0o600 + dice.int(8))
    },
    disguise: (path) => {
      changes++
      const { atime, mtime } = stamp(path)
      const data = readFileSync(path)
      const at = Math.max(0, data.length - 8)
      data.write(String(10_000_000 + dice.int(89_999_999)).slice(0, data.length - at), at)
      expected.put(path, sha256(data), data.length)
      // Change both without a pause. Otherwise a reader in between could see the new time.
      writeFileSync(path, data)
      utimesSync(path, atime, mtime)
    },
    remove: (path) => {
      changes++
      whenFree(() => rmSync(path))
      expected.remove(path)
    },
    age: (path, ms) => {
      const at = new Date(Date.now() - ms)
      utimesSync(path, at, at)
    },
    rulesFile: (dir, patterns) => {
      changes++
      const path = join(dir, '.slipwayignore')
      const text = Buffer.from(`# ${seed} ${++names}\n${patterns.join('\n')}\n`)
      mkdirSync(dir, { recursive: true })
      expected.rulesFile(dir, patterns)
      expected.put(path, sha256(text), text.length)
      writeFileSync(path, text)
    },
    files: (dir) => expected.below(dir),
    command: async (args, options = {}) => {
      if (options.asks !== true) changes++
      let sent: Telling['sent'] = null
      const { interruptAfterMs } = options
      // Certain codes are required, and after a signal the code is another one. After a kill there is none,
      // so the command counts as hung.
      const isLimit = !HAS_SIGNALS && interruptAfterMs !== undefined && options.codes !== undefined
      const one = begin(args, isLimit ? { ...options, mostMs: interruptAfterMs } : options)
      const timer =
        interruptAfterMs === undefined || isLimit
          ? null
          : setTimeout(() => {
              sent = signalHere('SIGINT')
              one.running.child.kill(sent)
            }, interruptAfterMs)
      const told = await one.telling(() => sent)
      if (timer !== null) clearTimeout(timer)
      return told
    },
    watch: (folder, wanted, more = []) => {
      changes++
      const args = [...watchArgs(folder, wanted), ...more]
      expected.open(folder, wanted, more.includes('--change-rules'))
      expected.engine(true)
      const one = begin(args, { mostMs: WATCH_MS })
      let sent: Telling['sent'] = null
      const telling = one.telling(() => sent)
      const watching: Watching = {
        folder,
        lines: one.lines,
        isRunning: () => one.running.child.exitCode === null && one.running.child.signalCode === null,
        told: (path, kinds, ms = 10_000) => {
          const has = (): boolean =>
            one.lines.some(({ text }) => {
              const event = eventOf(text)
              return (
                event !== null &&
                event.event !== 'summary' &&
                event.path === path &&
                kinds.includes(event.event)
              )
            })
          return until(has, ms)
        },
        end: async (signal) => {
          if (watching.isRunning()) {
            sent = signalHere(signal)
            one.running.child.kill(sent)
          }
          const late = setTimeout(() => one.running.child.kill('SIGKILL'), END_MS * crowding())
          const ended = await telling
          clearTimeout(late)
          return ended
        },
      }
      watches.add(watching)
      void telling.then((ended) => {
        watches.delete(watching)
        if (hands.watching === watching) hands.watching = null
        if (![...watches].some((other) => other.folder === folder)) expected.close(folder)
        expected.engine(watches.size > 0)
        // It didn't end in time after the signal, so the harness killed it.
        if (ended.signal === 'SIGKILL' && sent !== null && sent !== 'SIGKILL')
          tellings.splice(tellings.indexOf(ended), 1, { ...ended, hung: true })
      })
      if (folder === hands.folder && hands.watching === null) hands.watching = watching
      return watching
    },
    ready: async () => {
      const isNew = hands.watching === null
      const watching = hands.watching ?? hands.watch(hands.folder, hands.rules)
      // A gesture may have started the watch just now. With `skip`, a file that comes before its first scan
      // would count as old.
      const needsScan = (isNew && expected.due().length === 0) || hands.rules.existing === 'skip'
      if (needsScan && !scannedWatches.has(watching)) {
        await hands.scanned(hands.folder)
        scannedWatches.add(watching)
      }
      await hands.settled()
    },
    scanned: async (folder) => {
      for (const end = Date.now() + SCAN_MS * crowding(); Date.now() < end; await delay(40)) {
        const one = begin(['status', '--json'], { asks: true })
        const told = await one.telling(() => null)
        const text = told.lines[0]?.text ?? ''
        const at = text.indexOf(`"path":${JSON.stringify(folder)}`)
        if (
          at >= 0 &&
          /^[^}]*"last_scan_at":"/.test(text.slice(at)) &&
          /^[^}]*"state":"watching"/.test(text.slice(at))
        )
          return
      }
      throw new Error(`no watch has looked at ${folder} in time`)
    },
    endAll: async (signal) => {
      await Promise.all([...watches].map((one) => one.end(signal)))
      await delay(0)
    },
    pause: async () => {
      const told = await hands.command(['pause', '--json'])
      if (told.code === 0) expected.pause(told.ended)
      return told.code === 0
    },
    resume: async () => {
      expected.resume(Date.now())
      const told = await hands.command(['resume', '--json'])
      return told.code === 0
    },
    settled: async (ms = SETTLE_MS) => {
      const isUp = (): boolean => {
        const live = new Set(service.ledger.live().map((file) => file.sha256))
        return expected.due().every(({ sha256: wanted }) => live.has(wanted))
      }
      const done = await until(isUp, ms)
      // Wait for the answer and its consequences.
      await delay(80)
      return done
    },
    pass: (ms) => delay(ms * crowding()),
    until,
    changed: () => {
      changes++
    },
  }
  return hands
}
