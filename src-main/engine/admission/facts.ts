// Gathers what the admission decides from: the rules files above a path as they are on the disk now, the watched folder that governs it,
// Slipway's own places. Thin: it asks the disk and remembers the answers for a moment; the verdict is made in admission.ts.
import { dirname } from 'node:path'
import { createIgnoreRules, type IgnoreRules, NO_RULES, RULES_FILE } from '../discovery/ignore-rules.ts'
import { absolute, below } from '../discovery/rel-path.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Disk, Entry } from '../ports.ts'
import { admit, type Verdict } from './admission.ts'
import type { Guard } from './guard.ts'
import type { OwnPlaces } from './own-places.ts'

/** Rules files are looked at again for every request, but not more often than this: uploads come a thousand a second. */
const FRESH_MS = 20
const DIRECTORIES_MOST = 5000
const RULES_MOST = 200

/** A folder that is watched, by this engine or by the app while it is closed. */
export interface WatchedRoot {
  readonly id: number
  readonly path: string
  readonly ignore: readonly string[]
  /** Identity of its directory, null where it was never looked at. */
  readonly ino: number | null
  readonly dev: number | null
}

/** A rules file by the absolute path of its directory; null: it is there and can't be read. */
export interface RulesText {
  readonly dir: string
  readonly text: string | null
}

/** Where rules are asked from. */
export interface RuleScope {
  /** The governing folder, else the directory that was named, else the file's own. Absolute; the rules take paths relative to it. */
  readonly base: string
  /** The default rules hold below this directory, absolute; null where a person named the file itself. */
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
  /** Asks the disk which of the folders are still where they were. One that was renamed away governs nothing under its new name. */
  checkRoots(): Promise<void>
  /** The rules files at and above a directory, topmost first, and whether one of these directories is a place of Slipway. */
  chain(dir: string): Promise<{ readonly texts: readonly RulesText[]; readonly own: boolean }>
  rules(scope: RuleScope): IgnoreRules
  /** The verdict on a row as its file lies there now, but for its bytes. */
  judge(row: TransferRow): Promise<Verdict>
}

interface Seen {
  readonly at: number
  readonly own: boolean
  readonly stamp: string
  readonly text: string | null | undefined
}

export function createAdmission(options: {
  readonly disk: Disk
  readonly guard: Pick<Guard, 'byName'>
  /** Milliseconds by the monotonic clock. */
  readonly mono: () => number
  readonly own: OwnPlaces
  readonly watched: () => readonly WatchedRoot[]
  readonly isOpen: (folderId: number) => boolean
}): Admission {
  const { disk, own } = options
  const directories = new Map<string, Seen>()
  const known = new Map<string, IgnoreRules>()
  /** Folders whose path is gone, or leads to another directory, since the last check. */
  const displaced = new Set<number>()

  const governing: Admission['governing'] = (path) => {
    let deepest: WatchedRoot | null = null
    for (const root of options.watched())
      if (below(root.path, path) !== null && (deepest === null || root.path.length > deepest.path.length)) deepest = root
    return deepest
  }

  /** Undefined: there is no rules file. */
  const textOf = async (dir: string, stat: Entry | { readonly code: string } | null | undefined): Promise<string | null | undefined> => {
    if (stat === null || stat === undefined) return undefined
    if ('code' in stat) return null
    if (stat.kind === 'dir' || stat.kind === 'other') return undefined
    const text = await disk.text(absolute(dir, '', RULES_FILE))
    // A link that leads nowhere is no rules file.
    return text === null && stat.kind === 'link' ? undefined : text
  }

  const look = async (dirs: readonly string[]): Promise<void> => {
    const at = options.mono()
    const stats = await disk.stat([...dirs, ...dirs.map((dir) => absolute(dir, '', RULES_FILE))])
    if (directories.size > DIRECTORIES_MOST) directories.clear()
    for (const [i, dir] of dirs.entries()) {
      const self = stats[i]
      const file = stats[dirs.length + i]
      const stamp =
        file === null || file === undefined ? '' : 'code' in file ? file.code : `${file.ino} ${file.size} ${file.mtime} ${file.ctime}`
      const before = directories.get(dir)
      const linked = file !== null && file !== undefined && !('code' in file) && file.kind === 'link'
      const isKnown = before !== undefined && before.stamp === stamp && before.text !== null && !linked
      const text = isKnown ? before.text : await textOf(dir, file)
      const place = self !== null && self !== undefined && !('code' in self) && own.isPlace(self)
      directories.set(dir, { at, own: place, stamp, text })
    }
  }

  const chain: Admission['chain'] = async (dir) => {
    const dirs: string[] = []
    for (let at = dir; ; at = dirname(at)) {
      dirs.unshift(at)
      if (dirname(at) === at) break
    }
    const now = options.mono()
    const stale = dirs.filter((one) => {
      const seen = directories.get(one)
      return seen === undefined || now - seen.at >= FRESH_MS
    })
    if (stale.length > 0) await look(stale)
    const texts: RulesText[] = []
    let isOwn = own.holds(dir)
    for (const one of dirs) {
      const seen = directories.get(one)
      if (seen === undefined) continue
      isOwn ||= seen.own
      if (seen.text !== undefined) texts.push({ dir: one, text: seen.text })
    }
    return { texts, own: isOwn }
  }

  const rules: Admission['rules'] = (scope) => {
    const key = JSON.stringify(scope)
    const had = known.get(key)
    if (had !== undefined) return had
    const above: { rel: string; text: string | null }[] = []
    const files: { dir: string; text: string | null }[] = []
    for (const { dir, text } of scope.chain) {
      const inside = below(scope.base, dir)
      if (inside !== null) files.push({ dir: inside, text })
      else {
        const rel = below(dir, scope.base)
        if (rel !== null) above.push({ rel, text })
      }
    }
    const made = createIgnoreRules({
      ...NO_RULES,
      defaults: scope.defaultsAt !== null,
      defaultsAt: scope.defaultsAt === null ? '' : (below(scope.base, scope.defaultsAt) ?? ''),
      patterns: scope.patterns,
      above,
      files,
    })
    if (known.size > RULES_MOST) known.clear()
    known.set(key, made)
    return made
  }

  return {
    own,
    governing,
    rootAt: (path, dir) => {
      const isSame = (root: WatchedRoot): boolean =>
        dir.ino !== 0 && dir.ino === root.ino && dir.dev === root.dev && !displaced.has(root.id)
      return options.watched().find((root) => path === root.path || isSame(root)) ?? null
    },
    checkRoots: async () => {
      const roots = options.watched()
      // Where there is but one, it is nested in nothing.
      const stats = roots.length < 2 ? [] : await disk.stat(roots.map((root) => root.path))
      displaced.clear()
      for (const [i, root] of roots.entries()) {
        const stat = stats[i]
        // No answer is not "gone".
        if (root.ino === null || stat === undefined || (stat !== null && 'code' in stat)) continue
        if (stat === null || stat.ino !== root.ino || stat.dev !== root.dev) displaced.add(root.id)
      }
    },
    chain,
    rules,
    judge: async (row) => {
      const dir = dirname(row.path)
      const { texts, own: isOwn } = await chain(dir)
      const folder = governing(row.path)
      const scope: RuleScope = {
        base: folder?.path ?? dir,
        defaultsAt: row.source === 'watch' ? (folder?.path ?? dir) : null,
        patterns: folder?.ignore ?? [],
        chain: texts,
      }
      const pasted = row.source === 'upload' && own.isPasted(row.path)
      const rel = below(scope.base, row.path)
      return admit({
        own: isOwn && !pasted,
        watched: row.folderId === null || options.isOpen(row.folderId),
        caught: pasted || rel === null ? null : (rules(scope).through(rel, row.size)?.rule ?? null),
        secret: options.guard.byName(row.path, row.named)?.rule ?? null,
        released: row.released?.split(',').includes('secret') === true,
      })
    },
  }
}
