// Gathers the facts of an admission: the rules files above a path as they are on disk now, the watched folder that governs it, Slipway's own
// places. It asks the disk and caches the answers for a moment; the verdict is made in admission.ts.
import { dirname } from 'node:path'
import { createIgnoreRules, type IgnoreRules, NO_RULES, RULES_FILE } from '../discovery/ignore-rules.ts'
import { absolute, below } from '../discovery/rel-path.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Disk, DiskFailure, Entry } from '../ports.ts'
import { admit, type Verdict } from './admission.ts'
import type { Guard } from './guard.ts'
import type { OwnPlaces } from './own-places.ts'

/** Rules files are checked again for every request, but not more often than this: there may be a thousand uploads a second. */
const FRESH_MS = 20
/** Directories and compiled rules that are cached. */
const DIRECTORIES_MAX = 5000
const RULES_MAX = 200

/** A folder that is watched, by this engine or by the app while it is closed. */
export interface WatchedRoot {
  readonly id: number
  readonly path: string
  readonly ignore: readonly string[]
  /** Identity of its directory, null where it is not known yet. */
  readonly ino: number | null
  readonly dev: number | null
}

/** A rules file by the absolute path of its directory; null: it is there and can't be read. */
export interface RulesText {
  readonly dir: string
  readonly text: string | null
}

/** Where a question about rules is asked from. */
export interface RuleScope {
  /** The governing folder, else the directory that was named, else the file's own. Absolute; the rules take paths relative to it. */
  readonly base: string
  /** The default rules apply below this directory, absolute; null where a person named the file itself. */
  readonly defaultsAt: string | null
  /** Patterns of the governing folder. */
  readonly patterns: readonly string[]
  /** Every rules file on the way from the top of the disk down to the directory in question. */
  readonly chain: readonly RulesText[]
}

export interface Admission {
  readonly own: OwnPlaces
  /** The deepest watched folder that holds this path. */
  governing(path: string): WatchedRoot | null
  /** The folder whose root is this directory, by path, or by identity as long as its own path leads there. */
  rootAt(path: string, dir: Pick<Entry, 'ino' | 'dev'>): WatchedRoot | null
  /** Checks which of the folders are still where they were. One that was renamed away governs nothing under its new name. */
  checkRoots(): Promise<void>
  /** The rules files at and above a directory, topmost first, and whether one of these directories is a place of Slipway. */
  chain(dir: string): Promise<{ readonly texts: readonly RulesText[]; readonly own: boolean }>
  rules(scope: RuleScope): IgnoreRules
  /** The verdict on a transfer by all facts but its file's bytes, as they are on disk now. */
  judge(row: TransferRow): Promise<Verdict>
}

/** What is known about a directory. */
interface DirectoryFacts {
  /** When it was checked, by the monotonic clock. */
  readonly at: number
  /** It is one of Slipway's own places. */
  readonly own: boolean
  /** Identity and version of its rules file, '' for none. */
  readonly stamp: string
  /** Text of its rules file; null: it can't be read; undefined: there is none. */
  readonly text: string | null | undefined
}

export interface AdmissionOptions {
  readonly disk: Disk
  readonly guard: Pick<Guard, 'byName'>
  /** Milliseconds by the monotonic clock. */
  readonly mono: () => number
  readonly own: OwnPlaces
  readonly watched: () => readonly WatchedRoot[]
  readonly isOpen: (folderId: number) => boolean
}

export function createAdmission(options: AdmissionOptions): Admission {
  return new FactsOnDisk(options)
}

class FactsOnDisk implements Admission {
  readonly own: OwnPlaces
  readonly #options: AdmissionOptions
  /** Folders whose path is gone, or leads to another directory, since the last check. */
  readonly #displaced = new Set<number>()
  readonly #directories = new Map<string, DirectoryFacts>()
  /** Compiled rules by their scope. */
  readonly #compiled = new Map<string, IgnoreRules>()

  constructor(options: AdmissionOptions) {
    this.own = options.own
    this.#options = options
  }

  governing(path: string): WatchedRoot | null {
    let deepest: WatchedRoot | null = null
    for (const root of this.#options.watched())
      if (below(root.path, path) !== null && (deepest === null || root.path.length > deepest.path.length)) deepest = root
    return deepest
  }

  rootAt(path: string, dir: Pick<Entry, 'ino' | 'dev'>): WatchedRoot | null {
    const isSame = (root: WatchedRoot): boolean =>
      dir.ino !== 0 && dir.ino === root.ino && dir.dev === root.dev && !this.#displaced.has(root.id)
    return this.#options.watched().find((root) => path === root.path || isSame(root)) ?? null
  }

  async checkRoots(): Promise<void> {
    const roots = this.#options.watched()
    // A single folder is nested in nothing.
    const stats = roots.length < 2 ? [] : await this.#options.disk.stat(roots.map((root) => root.path))
    this.#displaced.clear()
    for (const [i, root] of roots.entries()) {
      const stat = stats[i]
      // No answer is not "gone".
      if (root.ino === null || stat === undefined || (stat !== null && 'code' in stat)) continue
      if (stat === null || stat.ino !== root.ino || stat.dev !== root.dev) this.#displaced.add(root.id)
    }
  }

  async chain(dir: string): Promise<{ readonly texts: readonly RulesText[]; readonly own: boolean }> {
    const dirs: string[] = []
    for (let at = dir; ; at = dirname(at)) {
      dirs.unshift(at)
      if (dirname(at) === at) break
    }
    const now = this.#options.mono()
    const stale = dirs.filter((one) => {
      const facts = this.#directories.get(one)
      return facts === undefined || now - facts.at >= FRESH_MS
    })
    if (stale.length > 0) await this.#check(stale)
    const texts: RulesText[] = []
    let isOwn = this.own.holds(dir)
    for (const one of dirs) {
      const facts = this.#directories.get(one)
      if (facts === undefined) continue
      isOwn ||= facts.own
      if (facts.text !== undefined) texts.push({ dir: one, text: facts.text })
    }
    return { texts, own: isOwn }
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

  async judge(row: TransferRow): Promise<Verdict> {
    const dir = dirname(row.path)
    const { texts, own: isOwn } = await this.chain(dir)
    const folder = this.governing(row.path)
    const scope: RuleScope = {
      base: folder?.path ?? dir,
      defaultsAt: row.source === 'watch' ? (folder?.path ?? dir) : null,
      patterns: folder?.ignore ?? [],
      chain: texts,
    }
    const isPasted = row.source === 'upload' && this.own.isPasted(row.path)
    const rel = below(scope.base, row.path)
    return admit({
      own: isOwn && !isPasted,
      watched: row.folderId === null || this.#options.isOpen(row.folderId),
      caught: isPasted || rel === null ? null : (this.rules(scope).through(rel, row.size)?.rule ?? null),
      secret: this.#options.guard.byName(row.path, row.named)?.rule ?? null,
      released: row.released?.split(',').includes('secret') === true,
    })
  }

  async #check(dirs: readonly string[]): Promise<void> {
    const at = this.#options.mono()
    const stats = await this.#options.disk.stat([...dirs, ...dirs.map((dir) => absolute(dir, '', RULES_FILE))])
    if (this.#directories.size > DIRECTORIES_MAX) this.#directories.clear()
    for (const [i, dir] of dirs.entries()) {
      const self = stats[i]
      const file = stats[dirs.length + i]
      const stamp =
        file === null || file === undefined ? '' : 'code' in file ? file.code : `${file.ino} ${file.size} ${file.mtime} ${file.ctime}`
      const before = this.#directories.get(dir)
      // A link has its own stamp, not that of the file it leads to.
      const isLink = file !== null && file !== undefined && !('code' in file) && file.kind === 'link'
      const isKnown = before !== undefined && before.stamp === stamp && before.text !== null && !isLink
      const text = isKnown ? before.text : await this.#textOf(dir, file)
      const own = self !== null && self !== undefined && !('code' in self) && this.own.isPlace(self)
      this.#directories.set(dir, { at, own, stamp, text })
    }
  }

  /** Text of the rules file that `stat` found in this directory; null: it can't be read; undefined: there is none. */
  async #textOf(dir: string, stat: Entry | DiskFailure | null | undefined): Promise<string | null | undefined> {
    if (stat === null || stat === undefined) return undefined
    if ('code' in stat) return null
    if (stat.kind === 'dir' || stat.kind === 'other') return undefined
    const text = await this.#options.disk.text(absolute(dir, '', RULES_FILE))
    // A link that leads nowhere is no rules file.
    return text === null && stat.kind === 'link' ? undefined : text
  }
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
    defaults: scope.defaultsAt !== null,
    defaultsAt: scope.defaultsAt === null ? '' : (below(scope.base, scope.defaultsAt) ?? ''),
    patterns: scope.patterns,
    above,
    files,
  })
}
