// Applies the rules of one watched folder: its patterns, the rules files in and above it, nested folders, and
// the places from which nothing is sent. Decides which entries the scanner skips and whether a file may be
// sent.
import { dirname } from 'node:path'
import { absolute, child, hasAncestor } from '../disk/rel-path.ts'
import type { Clock, Disk, Entry } from '../ports.ts'
import { admit, NESTED_RULE, PLACE_RULES, type Verdict } from '../rules/admission.ts'
import type { Guard } from '../rules/guard.ts'
import { hasSameRules, type IgnoreRules, rulesText } from '../rules/ignore-rules.ts'
import type { PlaceKind } from '../rules/own-places.ts'
import type { Admission, RulesText } from '../rules/path-facts.ts'
import type { FolderState } from './folder-state.ts'
import type { Rules } from './scan-run.ts'

interface RulesFile {
  readonly entry: Entry
  /** Epoch milliseconds, no later than the time at which `text` was read. */
  readonly readAt: number
  /** Null if the file exists but can't be read. */
  readonly text: string | null
}

export interface FolderRulesOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly disk: Disk
  readonly admission: Admission
  readonly guard: Guard
  readonly state: FolderState
}

export class FolderRules implements Rules {
  readonly #clock: Pick<Clock, 'now'>
  readonly #disk: Disk
  readonly #admission: Admission
  readonly #guard: Guard
  readonly #state: FolderState
  /** Rules files in the folder, by relative directory. */
  readonly #inside = new Map<string, RulesFile>()
  /** Relative paths of the data folders of Slipway that scans have found in this folder. */
  readonly #ownData = new Set<string>()
  #above: readonly RulesText[] = []
  #ignoresCase = false
  /** Compiled on demand; null after a rules file has changed. */
  #compiled: IgnoreRules | null = null

  constructor(options: FolderRulesOptions) {
    this.#clock = options.clock
    this.#disk = options.disk
    this.#admission = options.admission
    this.#guard = options.guard
    this.#state = options.state
  }

  file(rel: string, size: number): ReturnType<Rules['file']> {
    return this.#ignore().file(rel, size)
  }

  dir(rel: string, view: Entry | null): ReturnType<Rules['dir']> {
    if (view !== null) this.#state.left.noteDirectory(rel, view)
    const { own } = this.#admission
    const path = absolute(this.#state.path, rel, '')
    const place = own.kindOf(path) ?? (view === null ? null : own.kindAt(view))
    if (place !== null) return { rule: PLACE_RULES[place], listed: place === 'forbidden' }
    const root = view === null ? null : this.#admission.rootAt(path, view)
    return root !== null && root.id !== this.#state.id ? { rule: NESTED_RULE } : this.#ignore().dir(rel)
  }

  ignoresCase(): boolean {
    return this.#ignoresCase
  }

  /**
   * Whether this folder leaves the entries of a directory (relative path) alone, because a nested folder
   * governs it, because it is one of the places from which nothing is sent (own-places.ts), or because a rule
   * ignores it.
   */
  isElsewhere(dir: string): boolean {
    const path = absolute(this.#state.path, dir, '')
    return (
      this.#placeOf(dir, path) !== null || this.#ignore().throughDir(dir) !== null || this.#isNested(path)
    )
  }

  /**
   * Whether a file may be sent, judging by its path and size and the rules files as last read. `released`:
   * the transfer's comma-separated list of approvals.
   */
  judge(dir: string, name: string, size: number, released: string | null): Verdict {
    const path = absolute(this.#state.path, dir, name)
    return admit({
      place: this.#placeOf(dir, path),
      watched: true,
      caught: this.#isNested(path)
        ? NESTED_RULE
        : (this.#ignore().through(child(dir, name), size)?.rule ?? null),
      secret: this.#guard.byName(path, this.typedPath(dir, name))?.rule ?? null,
      released: released?.split(',').includes('secret') === true,
    })
  }

  /**
   * The file's path below the folder's path as the user typed it; null if the user typed the folder's real
   * path.
   */
  typedPath(dir: string, name: string): string | null {
    const { named } = this.#state.row
    return named === null ? null : absolute(named, dir, name)
  }

  /**
   * Reads a directory's rules file if it is new or has changed. `entry`: the directory's entry with the name
   * of a rules file; null if there is none. Resolves to true if the rules have changed.
   */
  async readFile(dir: string, entry: Entry | null): Promise<boolean> {
    const before = this.#inside.get(dir)
    const readAt = this.#clock.now()
    // A file that was unreadable is always read again.
    if (
      before !== undefined &&
      before.text !== null &&
      entry !== null &&
      hasSameRules(before.entry, before.readAt, entry)
    )
      return false
    const text =
      entry === null ? undefined : await rulesText(this.#disk, absolute(this.#state.path, dir, ''), entry)
    if (entry === null || text === undefined) {
      if (this.#inside.delete(dir)) this.#compiled = null
      return before !== undefined
    }
    this.#inside.set(dir, { entry, readAt, text })
    if (before?.text !== text) this.#compiled = null
    return before === undefined ? text === null || text.trim() !== '' : before.text !== text
  }

  /**
   * Checks whether nested folders are still at their paths. Also reads the rules files in the directories
   * above this folder, and finds out whether its disk ignores letter case. Resolves to true if the rules
   * files or the letter case have changed.
   */
  async readAbove(): Promise<boolean> {
    await this.#admission.checkRoots()
    const ignoresCase = await this.#admission.ignoresCase(this.#state.path)
    const { texts } = await this.#admission.chain(dirname(this.#state.path))
    const above = texts.filter(({ dir }) => dir !== this.#state.path)
    if (ignoresCase === this.#ignoresCase && JSON.stringify(above) === JSON.stringify(this.#above))
      return false
    this.#above = above
    this.#ignoresCase = ignoresCase
    this.#compiled = null
    return true
  }

  forgetFile(dir: string): void {
    if (this.#inside.delete(dir)) this.#compiled = null
  }

  /**
   * Absolute paths of the directories whose rules file exists but can't be read. Nothing below them is sent.
   */
  locked(): readonly string[] {
    // In a directory that is left alone for another reason, an unreadable file makes no difference.
    const heeded = [...this.#inside].filter(([dir, { text }]) => text === null && !this.isElsewhere(dir))
    const inside = heeded.map(([dir, { text }]) => ({ dir: absolute(this.#state.path, dir, ''), text }))
    return [...this.#above, ...inside].filter(({ text }) => text === null).map(({ dir }) => dir)
  }

  noteOwnData(dir: string, isOwn: boolean): void {
    if (isOwn) this.#ownData.add(dir)
    else this.#ownData.delete(dir)
  }

  /**
   * The kind of excluded place that contains `path`, an absolute path of the directory `dir` or of a file in
   * it; null if none does.
   */
  #placeOf(dir: string, path: string): PlaceKind | null {
    const isOwn =
      this.#ownData.size > 0 &&
      (this.#ownData.has('') || this.#ownData.has(dir) || hasAncestor(dir, this.#ownData))
    return this.#admission.own.kindOf(path) ?? (isOwn ? 'own' : null)
  }

  #isNested(path: string): boolean {
    const root = this.#admission.governing(path)
    return root !== null && root.id !== this.#state.id
  }

  #ignore(): IgnoreRules {
    const { path, ignore, limits } = this.#state.row
    this.#compiled ??= this.#admission.rules({
      base: path,
      ignoresCase: this.#ignoresCase,
      defaultsAt: path,
      patterns: ignore,
      limits,
      chain: [
        ...this.#above,
        ...[...this.#inside].map(([dir, { text }]) => ({ dir: absolute(path, dir, ''), text })),
      ],
    })
    return this.#compiled
  }
}
