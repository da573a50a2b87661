// The outside world as types: time, randomness, disk, watching, keychain, log. The engine reaches all of them through this file alone,
// so a whole day of limits runs in a test in milliseconds. Nothing here decides anything; `platform/` makes the ports real, `test/world/` fakes them.

/** Time. `now` can jump (a person sets the clock, the machine sleeps); `mono` never goes back and has no epoch. Both in milliseconds. */
export interface Clock {
  now(): number
  mono(): number
  /** Calls back once after `ms` (0 and more); the returned function cancels. Timers never keep a process alive on their own. */
  after(ms: number, call: () => void): () => void
}

/** Uniform in [0, 1). */
export type Random = () => number

/** `unreadable`: listed by its directory, but the system can't say what it is (no right to search the directory, path too long). */
export type EntryKind = 'file' | 'dir' | 'link' | 'other' | 'unreadable'

/** What `lstat` knows of one entry. Times in milliseconds with fractions, as finely as the disk tells. */
export interface Entry {
  readonly name: string
  readonly kind: EntryKind
  readonly size: number
  readonly mtime: number
  readonly ctime: number
  readonly ino: number
  readonly dev: number
}

/** `interrupted`: no answer came (the disk's thread ended); it says nothing about the disk. */
export type DiskFailureCode = 'gone' | 'denied' | 'not-a-directory' | 'loop' | 'busy' | 'name-too-long' | 'io' | 'interrupted'

/** A failure of the disk, as a value. `message` is for the log and details, never the only text a person sees. */
export interface DiskFailure {
  readonly code: DiskFailureCode
  readonly message: string
}

/** The entries of one directory, in columns: a hundred thousand objects would cost more to carry between threads than to read from disk. */
export interface Listing {
  readonly dir: string
  readonly failure: DiskFailure | null
  readonly names: readonly string[]
  /** One letter an entry: f(ile) d(irectory) l(ink) o(ther) u(nreadable: its numbers are 0). */
  readonly kinds: string
  /** Six numbers an entry: size, mtime, ctime, ino, dev, 0. */
  readonly stats: Float64Array
}

/** One open file, read in order. `stat` is of the open file, whatever became of its name meanwhile. */
export interface OpenFile {
  /** As it was when it was opened. */
  readonly first: Entry
  stat(): Promise<Entry>
  /** Fills `into` from the file at `position`; gives the number of bytes read, 0 at the end. Rejects with a DiskError. */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/** Thrown by `OpenFile` and `open`; the only exception the disk port may raise. */
export class DiskError extends Error {
  readonly failure: DiskFailure
  constructor(failure: DiskFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/**
 * The disk. Paths are absolute, in the platform's own form; names that are not valid UTF-8 are carried reversibly (see platform/path-codec).
 * Nothing follows a symbolic link unless it says so.
 */
export interface Disk {
  /** Lists directories (no recursion), one listing each, in the order given. Heavy work stays off the calling thread. */
  list(dirs: readonly string[]): Promise<readonly Listing[]>
  /** lstat of single paths; null where nothing is there, a failure where it can't be told. */
  stat(paths: readonly string[]): Promise<readonly (Entry | DiskFailure | null)[]>
  /** Follows links: what the path finally names, and its real path. */
  resolve(path: string): Promise<{ readonly real: string; readonly entry: Entry } | DiskFailure>
  open(path: string): Promise<OpenFile>
  /** Text of a small file (rules, at most 1 MiB), null if it is not there. */
  text(path: string): Promise<string | null>
  /**
   * Paths of `paths` that some process of this user holds open for writing, where the platform can tell cheaply; empty otherwise, null where
   * no answer came. Lets settle wait for a writer that pauses, without a long quiet time for all.
   */
  openForWriting(paths: readonly string[]): Promise<ReadonlySet<string> | null>
  /** The same for files that a process has mapped, whose writes raise no event. Costs up to a tenth of a second. */
  mappedForWriting(paths: readonly string[]): Promise<ReadonlySet<string> | null>
}

/** What a watcher can say. A hint is never proof; `lost` and `health` ask for a rescan. */
export type Hint =
  | { readonly kind: 'path'; readonly path: string }
  /** A directory appeared or changed as a whole: everything below may be new. */
  | { readonly kind: 'tree'; readonly path: string }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'ready' }
  /** The watcher can't do its work any more (limit reached, root gone). The engine falls back to rescans and says so. */
  | { readonly kind: 'failed'; readonly reason: 'limit' | 'gone' | 'denied' | 'other'; readonly message: string }

export interface Watcher {
  close(): Promise<void>
}

export interface Watch {
  /**
   * Watches below `root`, never out of it through links. Directories that the default rules, these patterns (gitignore syntax) or a rules
   * file leave out need no watching.
   */
  start(options: {
    readonly root: string
    readonly patterns: readonly string[]
    /** Slipway's own places, never watched: what is written there while something is uploaded would be heard of for ever. */
    readonly own: readonly string[]
    readonly onHint: (hint: Hint) => void
  }): Watcher
}

/** sha-256 beside a stream: `update` never blocks the calling thread for long; `digest` is lower-case hex. */
export interface Hasher {
  /** The bytes are copied or consumed at once. A promise only where the hasher is behind: the next chunk waits for it (back-pressure). */
  update(chunk: Uint8Array): void | Promise<void>
  digest(): Promise<string>
  /** Frees what an unfinished hasher holds. */
  drop(): void
}

export interface Hashing {
  /** Hashes synchronously; for small inputs only. */
  now(data: Uint8Array): string
  stream(): Hasher
}

/** Searches a file for secrets in a place where that holds up nothing: it may be large, or packed. */
export interface Inspection {
  /**
   * The rule that the file's content matches, null where none does. `expected`: the file as it was opened; `changed`: it is another version or
   * another file by now. Rejects with a DiskError where it can't be read, with another error where the search broke down.
   */
  inspect(path: string, expected: Entry): Promise<{ readonly rule: string } | 'changed' | null>
}

export type KeychainFailureCode = 'missing' | 'locked' | 'timeout' | 'other'
export interface KeychainFailure {
  readonly code: KeychainFailureCode
  /** What happened and what a person can do. Holds no secret. */
  readonly message: string
}
/** One secret, kept by the operating system. Never falls back to a weaker place. */
export interface Keychain {
  get(
    account: string,
  ): Promise<{ readonly ok: true; readonly secret: string | null } | { readonly ok: false; readonly failure: KeychainFailure }>
  set(account: string, secret: string): Promise<{ readonly ok: true } | { readonly ok: false; readonly failure: KeychainFailure }>
  remove(
    account: string,
  ): Promise<{ readonly ok: true; readonly existed: boolean } | { readonly ok: false; readonly failure: KeychainFailure }>
}

export type LogValue = string | number | boolean | null

/** Parts of the engine that can log why they decided as they did. The names are those of `SLIPWAY_DEBUG`. */
export type DebugTopic = 'scanner' | 'settle' | 'aggregator'

/** Writes one line of a topic. Fields name files, sizes and reasons, never contents. */
export type DebugLog = (event: string, fields: Readonly<Record<string, LogValue>>) => void

/** Structured log: an event name and fields. Secrets never; paths are shortened by the sink. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, LogValue>>): void
  warn(event: string, fields?: Readonly<Record<string, LogValue>>): void
  error(event: string, fields?: Readonly<Record<string, LogValue>>): void
  /** Null unless this topic was asked for: write `debug?.(…)`, so that no field is computed. A log without a debug level leaves it out. */
  debug?(topic: DebugTopic): DebugLog | null
}

export interface Ports {
  readonly clock: Clock
  readonly random: Random
  readonly disk: Disk
  readonly watch: Watch
  readonly hashing: Hashing
  readonly inspection: Inspection
  readonly log: Log
}
