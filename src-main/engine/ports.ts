// Interfaces to everything outside the engine: time, randomness, disk, file watching, hashing, the search for
// secrets, and the log. The engine reaches the outside world only through these interfaces and the API client
// (api/types.ts), so a test can run a whole day of limits in milliseconds. platform/ implements the ports,
// and test/world/ fakes them. Only code outside the engine uses the keychain.
import type { WatchLimit } from '../../src-shared/watch-limits.ts'

/**
 * Times are in milliseconds. `now` is epoch time; it can jump when the clock is set or the machine wakes from
 * sleep. `mono` is monotonic.
 */
export interface Clock {
  now(): number
  mono(): number
  /**
   * Milliseconds since the system started, including the time that it slept. Independent of the wall clock,
   * and comparable between processes until the system restarts. Null if it can't be read.
   */
  uptime(): number | null
  /**
   * Calls `call` once after `ms` (at least 0); the returned function cancels. Timers don't keep the process
   * alive.
   */
  after(ms: number, call: () => void): () => void
}

/** Returns a uniformly distributed number in [0, 1). */
export type Random = () => number

/**
 * `unreadable`: the directory lists the entry, but `lstat` fails, for example because the directory isn't
 * searchable.
 */
export type EntryKind = 'file' | 'dir' | 'link' | 'other' | 'unreadable'

/** Identifies a file or directory, whatever its name. */
export interface DirectoryId {
  readonly ino: number
  readonly dev: number
}

/**
 * What `lstat` reports about an entry. Times are in epoch milliseconds, with fractions if the file system
 * records them.
 */
export interface Entry {
  readonly name: string
  readonly kind: EntryKind
  readonly size: number
  readonly mtime: number
  readonly ctime: number
  readonly ino: number
  readonly dev: number
  /**
   * Whether the file may be written to by a program that `openForWriting` can't find, because that program
   * runs as another user or on another computer. Reported by `Disk.stat` only.
   */
  readonly hasHiddenWriters?: true
  /**
   * When the file was created, in epoch milliseconds by the file system's clock. Absent if the file system
   * doesn't record it, or records something else. Reported by `Disk.stat` only.
   */
  readonly born?: number
  /** Whether the file has other names as well (hard links). */
  readonly hasOtherNames?: true
}

/**
 * `interrupted`: no answer came because the disk thread ended; this says nothing about the disk. `silent`:
 * the drive didn't answer in time; this says nothing about the path.
 */
export type DiskFailureCode =
  | 'gone'
  | 'denied'
  | 'not-a-directory'
  | 'loop'
  | 'busy'
  | 'name-too-long'
  | 'io'
  | 'interrupted'
  | 'silent'

/**
 * A disk error as a value. `message` is technical: put it in the log or show it as a detail, but never as the
 * only text for the user.
 */
export interface DiskFailure {
  readonly code: DiskFailureCode
  readonly message: string
}

/**
 * The entries of one directory, in columns: passing a hundred thousand objects between threads would take
 * longer than reading them from disk. Read it with `entriesOf` and `namesOf` (find/entries.ts).
 */
export interface Listing {
  readonly dir: string
  readonly failure: DiskFailure | null
  /** Names, each followed by '/', which no name contains. */
  readonly names: string
  /** One letter per entry: f(ile), d(irectory), l(ink), o(ther), u(nreadable: its numbers are 0). */
  readonly kinds: string
  /** Five numbers per entry: size, mtime, ctime, ino, dev. */
  readonly stats: Float64Array
}

/** A small file that was read when it was opened. */
export interface WholeFile {
  /** Shorter or longer than the metadata says if the file changed while it was being read. */
  readonly data: Uint8Array
  /** SHA-256 of `data` in lowercase hex. */
  readonly sha256: string
  /** The file's metadata after the last byte was read. */
  readonly after: Entry
  /**
   * The rule for secrets that `data` matches, or null. `slow`: the search was given up. Absent for archives,
   * which take too long to search here.
   */
  readonly secret?: { readonly rule: string } | 'slow' | null
}

/** One open file. `stat` describes this file, even if its name has been removed or reused. */
export interface OpenFile {
  /** The file's metadata at the time of opening. */
  readonly first: Entry
  /**
   * The directories through which the file was opened, starting with the root of the file system. Whatever
   * was decided about another directory of the same name doesn't hold for this file. Empty if unknown.
   */
  readonly above: readonly DirectoryId[]
  /**
   * Present if the whole file was read during `open`. The file is then already closed, and `stat` and `read`
   * return what was read.
   */
  readonly whole?: WholeFile
  stat(): Promise<Entry>
  /**
   * Fills `into` from `position`; resolves with the number of bytes read, 0 at the end. Rejects with a
   * DiskError.
   */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/** The only exception that the disk port raises; `open` and `OpenFile` reject with it. */
export class DiskError extends Error {
  readonly failure: DiskFailure
  constructor(failure: DiskFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/**
 * The disk. Paths are absolute, in the platform's own form. Names that aren't valid UTF-8 are encoded
 * reversibly (see platform/disk/path-codec.ts). A symbolic link at the path itself isn't followed unless a
 * method says so. Links in its parent directories are followed, except by `open`, which fails with the code
 * `loop` (see also engine/find/entries.ts).
 */
export interface Disk {
  /**
   * Lists directories, not recursively: one listing each, in the order given. Follows links. Runs off the
   * calling thread.
   */
  list(dirs: readonly string[]): Promise<readonly Listing[]>
  /**
   * The result of `lstat` for each path: null if nothing exists there, a DiskFailure if the entry can't be
   * examined.
   */
  stat(paths: readonly string[]): Promise<readonly (Entry | DiskFailure | null)[]>
  /** Follows links and returns the real path and its entry. */
  resolve(path: string): Promise<{ readonly real: string; readonly entry: Entry } | DiskFailure>
  open(path: string): Promise<OpenFile>
  /**
   * Opens, reads and searches a file of at most `upTo` bytes off the calling thread, together with others. Resolves
   * to null if that isn't possible, or if the drive doesn't answer, which the disk finds out by itself: however
   * long the file waits for others, that says nothing about its drive.
   */
  openWhole?(path: string, upTo: number): Promise<OpenFile | null>
  /**
   * Returns the mount point of the drive that `path` is on, without accessing the drive. Null if the path is
   * on the system's own drive or another one that always answers, or if the drive is unknown.
   */
  mountOf?(path: string): string | null
  /**
   * Mount points of the drives on which a call hasn't been answered for several seconds. If a mount point is
   * unknown, the result contains the path of that call or its directory instead.
   */
  unanswered?(): readonly string[]
  /**
   * Content of an ignore file, decoded by `textOf` (disk/text.ts); follows links. Resolves to null if it is
   * missing, larger than 1 MiB or unreadable.
   */
  text(path: string): Promise<string | null>
  /**
   * Whether `openForWriting` finds all programs that write to a file, except for files with
   * `hasHiddenWriters`. If not, files have to stay unchanged for longer before they are uploaded.
   */
  readonly knowsWriters: boolean
  /**
   * How long a file must stay unchanged, in milliseconds, if less than the default of settle.ts is enough on
   * this system.
   */
  readonly quietMs?: number
  /**
   * The subset of `paths` that another process of this user has open for writing; on Windows, those that any
   * program has open. Empty on systems that can't report this, null if no answer came. These files count as
   * unfinished even while their writer pauses, so other files don't need a long quiet period.
   */
  openForWriting(paths: readonly string[]): Promise<ReadonlySet<string> | null>
  /**
   * Whether `openForWriting` can make another program's access to the files fail, as on Windows. If so, call
   * it only for files that have been unchanged for a moment.
   */
  readonly disturbsWriters?: boolean
  /**
   * Like `openForWriting`, for files that are mapped into memory for writing; writes to such a mapping raise
   * no event. Empty on systems other than Linux. Takes up to a tenth of a second.
   */
  mappedForWriting(paths: readonly string[]): Promise<ReadonlySet<string> | null>
}

/**
 * What a watcher reports. A path only means that something there may have changed. `lost`: events were lost,
 * so a rescan is needed.
 */
export type Hint =
  | { readonly kind: 'path'; readonly path: string }
  /** A directory appeared or changed as a whole: everything below it may be new. */
  | { readonly kind: 'tree'; readonly path: string }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'ready' }
  /**
   * The watcher stopped working. `gone`: the folder itself is missing, so it has to be watched again once it
   * is back. For any other reason, the engine falls back to rescans and notifies the user. What is watched
   * already may still be reported.
   */
  | { readonly kind: 'failed'; readonly reason: WatchLimit | 'gone' | 'other'; readonly message: string }

export interface Watcher {
  close(): Promise<void>
}

export interface Watch {
  /**
   * Watches everything below `root`, without following symbolic links, until the watcher is closed.
   * Directories that are excluded by the default rules, by `patterns` (gitignore syntax) or by ignore files
   * may be left out.
   */
  start(options: {
    readonly root: string
    readonly patterns: readonly string[]
    /**
     * Directories that are never watched: Slipway's own, because each upload writes there and would cause
     * another hint, and those that a policy forbids.
     */
    readonly own: readonly string[]
    readonly onHint: (hint: Hint) => void
  }): Watcher
}

/**
 * Computes the SHA-256 of a stream. `update` never blocks the calling thread for long; `digest` resolves to
 * lowercase hex.
 */
export interface Hasher {
  /**
   * Adds a chunk; its buffer may be reused right away. Returns a promise only if the hasher lags behind:
   * await it before the next chunk (back-pressure).
   */
  update(chunk: Uint8Array): void | Promise<void>
  digest(): Promise<string>
  /** Releases an unfinished hasher. */
  drop(): void
}

export interface Hashing {
  /** Hashes synchronously; for small inputs only. */
  now(data: Uint8Array): string
  stream(): Hasher
}

/** Searches large files and archives for secrets, off the calling thread. */
export interface Inspection {
  /**
   * `expected`: the file as it was opened. `key`: the account's own API key, to be found as well. `later`: the file takes long, and is searched after others; with
   * `isSlow`, that is known already. Rejects with a DiskError if it can't be read, and with another error if the
   * search itself fails; so may `later`.
   */
  inspect(
    path: string,
    expected: Entry,
    key: string | null,
    isSlow?: boolean,
  ): Promise<Inspected | { readonly later: Promise<Inspected> }>
  /**
   * What the rules find in the file, with the secret masked, within the same limits. Resolves to null if they find
   * nothing, if the file isn't the one in `expected`, or if it can't be searched now.
   */
  secretLine(path: string, expected: Entry, key: string | null): Promise<SecretLine | null>
}

/**
 * The rule for secrets that the content of a file matches, or null. `changed`: the file has been modified or
 * replaced since it was opened. `unsearched`: the search took too much time or memory.
 */
export type Inspected = { readonly rule: string } | 'changed' | 'unsearched' | null

/** What a rule has found in a file, without the secret itself. */
export interface SecretLine {
  readonly rule: string
  /** The name of the archive's entry that contains it. Absent if it is in the file itself. */
  readonly inside?: string
  /** The line's number, from 1, and its masked text. Absent if the rule matches the file as a whole. */
  readonly line?: { readonly number: number; readonly text: string }
}

/** `denied`: there is a keychain, but the system or its user doesn't let Slipway use it. */
export type KeychainFailureCode = 'missing' | 'locked' | 'denied' | 'timeout' | 'other'
export interface KeychainFailure {
  readonly code: KeychainFailureCode
  /** What happened and what the user can do. Contains no secret. */
  readonly message: string
}
/** Stores one secret per account in the operating system's keychain. Never falls back to a weaker store. */
export interface Keychain {
  get(
    account: string,
  ): Promise<
    | { readonly ok: true; readonly secret: string | null }
    | { readonly ok: false; readonly failure: KeychainFailure }
  >
  set(
    account: string,
    secret: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly failure: KeychainFailure }>
  remove(
    account: string,
  ): Promise<
    | { readonly ok: true; readonly existed: boolean }
    | { readonly ok: false; readonly failure: KeychainFailure }
  >
}

/** What giving a file another place came to. `other-drive`: it has to be copied there. */
export type PlaceResult = 'made' | 'taken' | 'other-drive' | DiskFailure

/**
 * Moves the user's files, and is the only port that changes them. Each call is a single step, so that after a kill
 * the engine finds out how far it came. Paths are as for the disk.
 */
export interface Mover {
  /** Gives the file a second name. Never replaces what has that name. */
  link(from: string, to: string): Promise<PlaceResult>
  /**
   * Copies a regular file, with its time, to a new file, which is on the disk then. If it fails, nothing is at
   * `to`. Rejects if `signal` aborts.
   */
  copy(from: string, to: string, signal: AbortSignal): Promise<PlaceResult>
  /** Replaces what is at `to`, so that must be a name of Slipway's own, or one that was just found free. */
  rename(from: string, to: string): Promise<DiskFailure | null>
  remove(path: string): Promise<DiskFailure | null>
  /** Makes the directory's names survive a power cut, as far as the system can. */
  sync(dir: string): Promise<void>
  /** Null if this program has no bin on this system. */
  readonly bin: Bin | null
}

/**
 * The bin of the system: one with names, or one that the system alone fills. `reserve` finds a name in the bin for
 * this file, notes where the file is from, and resolves to the path to which it has to be moved. `forget` undoes
 * that, or is called once the file has left the bin.
 */
export type Bin =
  | {
      readonly reserve: (from: string) => Promise<{ readonly to: string } | DiskFailure>
      readonly forget: (to: string) => Promise<void>
    }
  | { readonly trash: (path: string) => Promise<DiskFailure | null> }

export type LogValue = string | number | boolean | null

/** Parts of the engine that can log the reasons for their decisions, by their names in `SLIPWAY_DEBUG`. */
export type DebugTopic = 'scanner' | 'settle' | 'aggregator' | 'scheduler'

/** Writes one line for a topic. Fields contain file names, sizes and reasons, never file contents. */
export type DebugLog = (event: string, fields: Readonly<Record<string, LogValue>>) => void

/**
 * Structured log: an event name and fields. Never pass a secret; the home folder in paths is shortened by the
 * implementation.
 */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, LogValue>>): void
  warn(event: string, fields?: Readonly<Record<string, LogValue>>): void
  error(event: string, fields?: Readonly<Record<string, LogValue>>): void
  /**
   * Returns the function that logs this topic, or null unless the topic is enabled. Call the result with
   * `?.(…)`, so that the fields are computed only if needed. A log without debug output may omit this method.
   */
  debug?(topic: DebugTopic): DebugLog | null
}

export interface Ports {
  readonly clock: Clock
  readonly random: Random
  readonly disk: Disk
  readonly watch: Watch
  readonly hashing: Hashing
  readonly inspection: Inspection
  readonly mover: Mover
  readonly log: Log
}

/**
 * What the administrators of this computer forbid. Never changed in place: after a change,
 * `EngineOptions.policy` returns a new object.
 */
export interface EnginePolicy {
  /** Absolute directories from which nothing is uploaded. */
  readonly forbidden: readonly string[]
  /**
   * Opaque value that changes when the policy allows a different service, or no longer allows any. Compare it
   * only for equality.
   */
  readonly address: string
  /** Why the policy can't be used. Until it can, nothing is sent. Absent if it can be used. */
  readonly fault?: string
}
