// Gathers the facts that admission.ts needs for a verdict: the ignore files above a path as they are on disk
// now, the watched folder that governs the path, and the places from which nothing is sent. Caches the facts
// about a directory for 10 ms, or until `expire` is called. `LetterCase` finds out whether a disk ignores
// letter case. Composes the room.
import { basename, dirname } from 'node:path'
import type { FileLimits } from '../../../src-shared/model.ts'
import { absolute, below } from '../disk/rel-path.ts'
import type { Files } from '../journal/files.ts'
import type { Journal } from '../journal/journal.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Clock, DirectoryId, Disk, DiskFailure, Entry, OpenFile, Ports } from '../ports.ts'
import { inTime } from '../sleep.ts'
import { admit, type Verdict } from './admission.ts'
import { DATA_FILES, DATA_MARKS, isDataFolder } from './data-folder.ts'
import { createGuard, type Guard, type GuardRules } from './guard.ts'
import {
  createIgnoreRules,
  hasSameRules,
  type IgnoreRules,
  NO_RULES,
  RULES_FILE,
  rulesText,
} from './ignore-rules.ts'
import type { OwnPlaces, PlaceKind } from './own-places.ts'

/**
 * Before an upload, ignore files are rechecked only if the last check is older than this, because there may
 * be 1,000 uploads a second. Less than the time for which hints are collected (aggregator.ts), so that a file
 * found by a hint is judged by the rules as they were when it appeared, or later.
 */
const FRESH_MS = 10
/** A watched folder whose drive hasn't answered within this time counts as still at its path. */
const ROOT_MS = 2000
const NEVER = new AbortController().signal
/** Maximum number of directories whose facts are cached. */
const DIRECTORIES_MAX = 5000
/** Maximum number of compiled rules that are cached. */
const RULES_MAX = 200

/**
 * How long a result is cached. A disk hardly ever changes its behaviour, but another disk may be mounted at
 * the same path.
 */
const CASE_FRESH_MS = 10 * 60_000

/** A folder that this engine watches, or that the app watches whenever it runs. */
export interface WatchedRoot {
  readonly id: number
  readonly path: string
  readonly ignore: readonly string[]
  readonly limits: FileLimits | null
  /** `ino` and `dev` identify the root directory. Both are null until they are known. */
  readonly ino: number | null
  readonly dev: number | null
}

/**
 * An ignore file. `dir`: absolute path of its directory. `text`: its content, null if the file exists but
 * can't be read.
 */
export interface RulesText {
  readonly dir: string
  readonly text: string | null
}

/** The rules that apply to a file, or to the files below a directory. */
export interface RuleScope {
  /**
   * Absolute path of the directory to which the rules' paths are relative: the directory that the user named
   * if it has its own patterns, otherwise the governing folder, otherwise the named directory or the
   * directory of the file.
   */
  readonly base: string
  /**
   * The default rules apply below this directory (absolute). Null if they don't apply: for a file that the
   * user named directly, and for a transfer whose source is `upload`.
   */
  readonly defaultsAt: string | null
  /** Whether the disk at `base` ignores letter case, so that the user's rules do so, too. */
  readonly ignoresCase: boolean
  /** The ignore patterns of the governing folder, or those given for a named directory. */
  readonly patterns: readonly string[]
  /** Of the governing folder, or those given for a named directory. */
  readonly limits: FileLimits | null
  /** The ignore files that may apply: those above `base`, in it and below it. */
  readonly chain: readonly RulesText[]
}

interface DirectoryChain {
  readonly texts: readonly RulesText[]
  readonly place: PlaceKind | null
}

export interface Admission {
  readonly own: OwnPlaces
  /** The deepest watched folder that contains this path. */
  governing(path: string): WatchedRoot | null
  /**
   * The watched folder whose root is this directory, identified by path or, if the folder is still at its
   * path, by device and inode.
   */
  rootAt(path: string, dir: Pick<Entry, 'ino' | 'dev'>): WatchedRoot | null
  /**
   * Forces each directory to be checked again when it is next needed. Call when the user names files, because
   * rules may have changed.
   */
  expire(): void
  /** Checks which watched folders are still at their paths, for `rootAt`. */
  checkRoots(): Promise<void>
  /**
   * Resolves to the ignore files in a directory and above it, topmost first. `place`: the kind of excluded
   * place that the directory is in or is itself (own-places.ts, data-folder.ts); null if there is none.
   * `above`: the directories through which a file in `dir` was opened (ports.ts); resolves to null if others
   * are at their paths now.
   */
  chain(dir: string): Promise<DirectoryChain>
  chain(dir: string, above: readonly DirectoryId[] | undefined): Promise<DirectoryChain | null>
  /**
   * Resolves to the topmost data folder of Slipway (data-folder.ts) among this directory and those above it;
   * null if there is none.
   */
  dataFolder(dir: string): Promise<string | null>
  rules(scope: RuleScope): IgnoreRules
  /** Whether names in this directory are found in any letter case. */
  ignoresCase(dir: string): Promise<boolean>
  /**
   * The verdict on a transfer, based on the current state of the disk. Considers everything except the file's
   * content. `file`: the file as it was opened; `changed` means that it was opened through directories that
   * aren't at their paths any more.
   */
  judge(row: TransferRow): Promise<Verdict>
  judge(row: TransferRow, file: OpenedFile): Promise<Verdict | { readonly kind: 'changed' }>
}

export type OpenedFile = Pick<OpenFile, 'first' | 'above'>

/** Cached facts about a directory. */
interface DirectoryFacts {
  /** Null if it is missing or can't be examined. */
  readonly id: DirectoryId | null
  /** When it was checked, in monotonic milliseconds. */
  readonly at: number
  /** The number of calls of `expire` before the check began. */
  readonly era: number
  /** The kind of place that the directory itself is (own-places.ts, data-folder.ts); null if it isn't one. */
  readonly place: PlaceKind | null
  /** Epoch milliseconds, no later than the time at which `text` was read. */
  readonly readAt: number
  /**
   * The entry of its ignore file at the time of the check; null if there is none, or if it can't be examined.
   */
  readonly file: Entry | null
  /** Text of its ignore file, null if it can't be read, or undefined if there is none. */
  readonly text: string | null | undefined
}

export interface AdmissionOptions {
  readonly disk: Disk
  readonly guard: Pick<Guard, 'byName'>
  readonly clock: Pick<Clock, 'now' | 'mono' | 'after'>
  readonly own: OwnPlaces
  readonly roots: Pick<WatchedRoots, 'all' | 'isOpen'>
}

/** Decides what may go out: by name and content (guard), and by place and rules (admission). */
export interface RulesRoom {
  readonly guard: Guard
  readonly admission: Admission
  readonly roots: WatchedRoots
}

export function createRulesRoom(
  ports: Ports,
  journal: Journal,
  own: OwnPlaces,
  guardRules: () => GuardRules,
  key: () => string | null,
): RulesRoom {
  const guard = createGuard({ rules: guardRules, key, inspection: ports.inspection })
  const roots = new WatchedRoots(journal.files)
  return { guard, roots, admission: createAdmission({ ...ports, guard, own, roots }) }
}

/** The folders that are watched now, and those that the app watches whenever it runs. */
export class WatchedRoots {
  readonly #files: Pick<Files, 'folders'>
  readonly #open = new Set<number>()
  #roots: readonly WatchedRoot[] | null = null

  constructor(files: Pick<Files, 'folders'>) {
    this.#files = files
  }

  all(): readonly WatchedRoot[] {
    this.#roots ??= this.#files
      .folders()
      .filter((folder) => folder.keep || this.#open.has(folder.id))
      .map(({ id, path, ignore, limits, rootIno: ino, rootDev: dev }) => ({
        id,
        path,
        ignore,
        limits,
        ino,
        dev,
      }))
    return this.#roots
  }

  isOpen(folderId: number): boolean {
    return this.#open.has(folderId)
  }

  /** Call when a folder's session was opened or closed. */
  setOpen(folderId: number, isOpen: boolean): void {
    if (isOpen) this.#open.add(folderId)
    else this.#open.delete(folderId)
    this.#roots = null
  }

  /** Call when a folder's row has changed. */
  changed(): void {
    this.#roots = null
  }
}

export function createAdmission(options: AdmissionOptions): Admission {
  return new FactsOnDisk(options)
}

class FactsOnDisk implements Admission {
  readonly own: OwnPlaces
  readonly #options: AdmissionOptions
  /** IDs of folders that were missing, or replaced by another directory, at the last check. */
  readonly #displaced = new Set<number>()
  /** Pending `stat` requests for the roots of watched folders, by path. */
  readonly #asking = new Map<string, ReturnType<Disk['stat']>>()
  readonly #letterCase: LetterCase
  readonly #directories = new Map<string, DirectoryFacts>()
  /** Pending checks by the directory for which they were needed. `at`: as in `DirectoryFacts`. */
  readonly #checking = new Map<string, { readonly at: number; readonly done: Promise<unknown> }>()
  #era = 0
  /** Compiled rules by their scope, as JSON. */
  readonly #compiled = new Map<string, IgnoreRules>()

  constructor(options: AdmissionOptions) {
    this.own = options.own
    this.#letterCase = new LetterCase(options.disk, options.clock)
    this.#options = options
  }

  governing(path: string): WatchedRoot | null {
    let deepest: WatchedRoot | null = null
    for (const root of this.#options.roots.all())
      if (below(root.path, path) !== null && (deepest === null || root.path.length > deepest.path.length))
        deepest = root
    return deepest
  }

  rootAt(path: string, dir: Pick<Entry, 'ino' | 'dev'>): WatchedRoot | null {
    const isHere = (root: WatchedRoot): boolean =>
      dir.ino !== 0 && dir.ino === root.ino && dir.dev === root.dev && !this.#displaced.has(root.id)
    return this.#options.roots.all().find((root) => path === root.path || isHere(root)) ?? null
  }

  expire(): void {
    this.#era++
  }

  async checkRoots(): Promise<void> {
    const roots = this.#options.roots.all()
    // Only nested folders need this check, and a single folder can't be nested in another.
    const stats = roots.length < 2 ? [] : await Promise.all(roots.map((root) => this.#statRoot(root)))
    this.#displaced.clear()
    for (const [i, root] of roots.entries()) {
      const stat = stats[i]
      // An error doesn't mean that the folder is gone.
      if (root.ino === null || stat === undefined || (stat !== null && 'code' in stat)) continue
      if (stat === null || stat.ino !== root.ino || stat.dev !== root.dev) this.#displaced.add(root.id)
    }
  }

  /**
   * Stats each root in a separate request with a time limit, because roots may be on different drives, and a
   * drive may not respond. Resolves to undefined if no answer came in time.
   */
  async #statRoot({ path }: WatchedRoot): Promise<Entry | DiskFailure | null | undefined> {
    const { disk, clock } = this.#options
    let asking = this.#asking.get(path)
    if (asking === undefined) {
      asking = disk.stat([path]).finally(() => this.#asking.delete(path))
      this.#asking.set(path, asking)
    }
    const stats = await inTime(clock, asking, ROOT_MS, NEVER)
    return stats === 'late' ? undefined : stats[0]
  }

  async chain(dir: string): Promise<DirectoryChain>
  async chain(dir: string, above: readonly DirectoryId[] | undefined): Promise<DirectoryChain | null>
  async chain(dir: string, above: readonly DirectoryId[] = []): Promise<DirectoryChain | null> {
    const dirs = upTo(dir)
    await this.own.follow()
    const now = this.#options.clock.mono()
    // Uploads that start together share one check.
    const pending = this.#checking.get(dir)
    if (pending !== undefined && now - pending.at < FRESH_MS) await pending.done
    // What is below unreadable rules is ignored, whichever directory it is.
    const isOther = (facts: DirectoryFacts, i: number): boolean => {
      const id = above[i]
      return id !== undefined && facts.text !== null && (facts.id?.ino !== id.ino || facts.id.dev !== id.dev)
    }
    // Copied before stale directories are checked, because a check may clear the cache when it is full.
    const known = new Map<string, DirectoryFacts>()
    for (const [i, one] of dirs.entries()) {
      const facts = this.#directories.get(one)
      if (facts !== undefined && facts.era === this.#era && now - facts.at < FRESH_MS && !isOther(facts, i))
        known.set(one, facts)
    }
    const stale = dirs.filter((one) => !known.has(one))
    if (stale.length > 0) {
      const done = this.#check(stale)
      this.#checking.set(dir, { at: now, done })
      for (const [one, facts] of await done) known.set(one, facts)
      if (this.#checking.get(dir)?.done === done) this.#checking.delete(dir)
    }
    const texts: RulesText[] = []
    let place = this.own.kindOf(dir)
    for (const [i, one] of dirs.entries()) {
      const facts = known.get(one)
      if (facts === undefined) continue
      if (isOther(facts, i)) return null
      place ??= facts.place
      if (facts.text !== undefined) texts.push({ dir: one, text: facts.text })
    }
    return { texts, place }
  }

  async dataFolder(dir: string): Promise<string | null> {
    const { disk } = this.#options
    const names = [...DATA_FILES, ...DATA_MARKS]
    const dirs = upTo(dir)
    const stats = await disk.stat(dirs.flatMap((one) => names.map((name) => pathIn(one, name))))
    for (const [i, one] of dirs.entries())
      if (await isDataFolder(disk, one, (name) => stats[i * names.length + names.indexOf(name)])) return one
    return null
  }

  rules(scope: RuleScope): IgnoreRules {
    const key = JSON.stringify(scope)
    const cached = this.#compiled.get(key)
    if (cached !== undefined) return cached
    const compiled = compile(scope)
    if (this.#compiled.size > RULES_MAX) this.#compiled.clear()
    this.#compiled.set(key, compiled)
    return compiled
  }

  ignoresCase(dir: string): Promise<boolean> {
    return this.#letterCase.isIgnored(dir)
  }

  async judge(row: TransferRow): Promise<Verdict>
  async judge(row: TransferRow, file: OpenedFile): Promise<Verdict | { readonly kind: 'changed' }>
  async judge(row: TransferRow, file?: OpenedFile): Promise<Verdict | { readonly kind: 'changed' }> {
    const dir = dirname(row.path)
    const chain = await this.chain(dir, file?.above)
    if (chain === null) return { kind: 'changed' }
    const { texts, place } = chain
    const folder = this.governing(row.path)
    const base = folder?.path ?? dir
    const scope: RuleScope = {
      base,
      ignoresCase: await this.ignoresCase(base),
      defaultsAt: row.source === 'watch' ? (folder?.path ?? dir) : null,
      patterns: folder?.ignore ?? [],
      limits: folder?.limits ?? null,
      chain: texts,
    }
    const isPasted = row.source === 'upload' && this.own.isPasted(row.path)
    const rel = below(scope.base, row.path)
    const isOwnFile =
      place === null && file?.first.hasOtherNames === true && (await this.own.owns(file.first))
    return admit({
      place: isPasted ? null : isOwnFile ? 'own' : place,
      watched: row.folderId === null || this.#options.roots.isOpen(row.folderId),
      caught: isPasted || rel === null ? null : (this.rules(scope).through(rel, row.size)?.rule ?? null),
      secret: this.#options.guard.byName(row.path, row.named)?.rule ?? null,
      released: row.released?.split(',').includes('secret') === true,
    })
  }

  async #check(dirs: readonly string[]): Promise<ReadonlyMap<string, DirectoryFacts>> {
    const checked = new Map<string, DirectoryFacts>()
    const at = this.#options.clock.mono()
    const readAt = this.#options.clock.now()
    const era = this.#era
    const { disk } = this.#options
    const stats = new Map<string, Stat>()
    const statIn = async (places: readonly string[], names: readonly string[]): Promise<void> => {
      const paths = places.flatMap((dir) => names.map((name) => pathIn(dir, name)))
      for (const [i, stat] of (await disk.stat(paths)).entries()) stats.set(paths[i] ?? '', stat)
    }
    const inDir = (dir: string, name: string): Stat => stats.get(pathIn(dir, name))
    await statIn(dirs, ['', RULES_FILE, ...DATA_FILES])
    // Hardly any directory contains one of `DATA_FILES`, so `DATA_MARKS` are rarely looked up.
    const candidates = dirs.filter((dir) => DATA_FILES.some((name) => isFile(inDir(dir, name))))
    if (candidates.length > 0) await statIn(candidates, [...DATA_MARKS])
    if (this.#directories.size > DIRECTORIES_MAX) this.#directories.clear()
    for (const dir of dirs) {
      const self = inDir(dir, '')
      const found = inDir(dir, RULES_FILE)
      const file = found === null || found === undefined || 'code' in found ? null : found
      const before = this.#directories.get(dir)
      const isKnown =
        before?.file != null &&
        file !== null &&
        before.text !== null &&
        hasSameRules(before.file, before.readAt, file)
      const text = isKnown ? before.text : await rulesText(disk, dir, found)
      const id = self !== null && self !== undefined && !('code' in self) ? self : null
      const known = id === null ? null : this.own.kindAt(id)
      const place = known ?? ((await isDataFolder(disk, dir, (name) => inDir(dir, name))) ? 'own' : null)
      const facts: DirectoryFacts = {
        id,
        at,
        era,
        place,
        file,
        readAt: isKnown ? before.readAt : readAt,
        text,
      }
      this.#directories.set(dir, facts)
      checked.set(dir, facts)
    }
    return checked
  }
}

type Stat = Entry | DiskFailure | null | undefined

/** The directory and all above it, topmost first. */
function upTo(dir: string): readonly string[] {
  const dirs = [dir]
  for (let at = dir; dirname(at) !== at; at = dirname(at)) dirs.unshift(dirname(at))
  return dirs
}

/** The path of a directory's entry; that of the directory itself if `name` is ''. */
function pathIn(dir: string, name: string): string {
  return name === '' ? dir : absolute(dir, '', name)
}

function isFile(stat: Stat): boolean {
  return stat !== null && stat !== undefined && !('code' in stat) && stat.kind === 'file'
}

function compile(scope: RuleScope): IgnoreRules {
  const above: { rel: string; text: string | null }[] = []
  const files: { dir: string; text: string | null }[] = []
  for (const { dir, text } of scope.chain) {
    const inside = below(scope.base, dir)
    const outside = below(dir, scope.base)
    if (inside !== null) files.push({ dir: inside, text })
    else if (outside !== null) above.push({ rel: outside, text })
  }
  return createIgnoreRules({
    ...NO_RULES,
    ignoresCase: scope.ignoresCase,
    defaults: scope.defaultsAt !== null,
    defaultsAt: scope.defaultsAt === null ? '' : (below(scope.base, scope.defaultsAt) ?? ''),
    patterns: scope.patterns,
    limits: scope.limits,
    above,
    files,
  })
}

// Finds out whether a directory's disk ignores letter case in names, as is usual on Windows and macOS. If so,
// ignore rules do the same, as in git. Only looks up names and writes nothing.

type Found = Entry | DiskFailure | null | undefined

class LetterCase {
  readonly #disk: Pick<Disk, 'list' | 'stat'>
  readonly #clock: Pick<Clock, 'mono'>
  /** `at`: monotonic milliseconds. */
  readonly #known = new Map<string, { readonly at: number; readonly isIgnored: boolean }>()

  constructor(disk: Pick<Disk, 'list' | 'stat'>, clock: Pick<Clock, 'mono'>) {
    this.#disk = disk
    this.#clock = clock
  }

  /**
   * Whether names in this directory (absolute path) are found in any letter case. If the disk fails, returns
   * the last result or false.
   */
  async isIgnored(dir: string): Promise<boolean> {
    const known = this.#known.get(dir)
    const now = this.#clock.mono()
    if (known !== undefined && now - known.at < CASE_FRESH_MS) return known.isIgnored
    const isIgnored = await this.#probe(dir)
    if (isIgnored === null) return known?.isIgnored ?? false
    if (this.#known.size > DIRECTORIES_MAX) this.#known.clear()
    this.#known.set(dir, { at: now, isIgnored })
    return isIgnored
  }

  /**
   * Looks up an existing name with the case of its letters swapped: that of the rules file, of the directory
   * itself or, at a mount point, of any entry. Null if the disk fails, or if a mount point has no entry whose
   * name contains a letter.
   */
  async #probe(dir: string): Promise<boolean | null> {
    const parent = dirname(dir)
    const name = basename(dir)
    const [self, above, renamed, rules, otherRules] = await this.#disk.stat([
      dir,
      parent,
      absolute(parent, '', otherCase(name)),
      absolute(dir, '', RULES_FILE),
      absolute(dir, '', otherCase(RULES_FILE)),
    ])
    if (isEntry(rules)) return isSame(rules, otherRules)
    if (!isEntry(self) || !isEntry(above)) return null
    // The name of a mount point belongs to another disk, and a drive's root has no name.
    if (parent === dir || self.dev !== above.dev) return this.#probeInside(dir)
    return otherCase(name) === name ? this.isIgnored(parent) : isSame(self, renamed)
  }

  async #probeInside(dir: string): Promise<boolean | null> {
    const [list] = await this.#disk.list([dir])
    if (list === undefined || list.failure !== null) return null
    const name = list.names.split('/').find((one) => otherCase(one) !== one)
    if (name === undefined) return null
    const [one, other] = await this.#disk.stat([absolute(dir, '', name), absolute(dir, '', otherCase(name))])
    return isEntry(one) ? isSame(one, other) : null
  }
}

/** Swaps the case of the letters A to Z. Every disk that ignores case treats the result as the same name. */
function otherCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

function isEntry(found: Found): found is Entry {
  return found !== null && found !== undefined && !('code' in found)
}

/**
 * Whether both are the same file. Files without inode numbers count as the same: only FAT lacks such numbers,
 * and it ignores case.
 */
function isSame(one: Entry, other: Found): boolean {
  return isEntry(other) && other.ino === one.ino && other.dev === one.dev
}
