// Works out what may and what must become of each file from who created what, when, and under which rules. It
// shares no code with the engine, so that a wrong rule there can't hide here. Where a race allows two correct
// outcomes, both are accepted.
import type { Content, Fate, FileAtEnd } from './evidence.ts'
import { isBelow, segmentsOf } from './paths.ts'

export interface FolderRules {
  readonly existing: 'upload' | 'skip'
  readonly onChange: 'new-link' | 'replace' | 'ignore'
  readonly ignore: readonly string[]
}

interface FolderState {
  rules: FolderRules
  /** Whether a process is watching it now. */
  isOpen: boolean
  /**
   * Whether it is still watched according to the journal, even while no process is running: only `unwatch`
   * ends that.
   */
  isWatched: boolean
}

interface Spot {
  path: string
  sha256: string
  readonly history: string[]
  readonly paths: Set<string>
  readonly removed: Set<string>
  /** Whether it existed before its folder was watched with existing files skipped. */
  isOld: boolean
  /** Whether it arrived while no process was watching. */
  isUnseen: boolean
  /** Whether Slipway has reported it, so that its journal knows it. */
  isTold: boolean
  isReleased: boolean
  /**
   * Whether any outcome is accepted, for example because it is unknown whether a process saw the file before
   * it ended.
   */
  isBlurred: boolean
  since: number
}

interface MutableContent {
  readonly size: number
  readonly isSecret: boolean
  isAllowed: boolean
  copies: number
  mayDie: boolean
  isDoomed: boolean
}

/** Names that are always held. This is the harness's own list, not the engine's. */
const SECRET_NAMES =
  /(^|\/)(\.env|id_rsa|id_ed25519|\.netrc|wallet\.dat|\.docker\/config\.json|\.aws\/credentials|[^/]+\.kdbx)$/
/** Ignored in every folder. */
const ALWAYS = ['*.tmp', '*.part', '.git/', '.slipwayignore']

/** Output that may still arrive after a change, on a machine with a free core. */
const LATE_MS = 3000

export interface Expected {
  engine(isRunning: boolean): void
  pause(at: number): void
  resume(at: number): void
  /**
   * A process starts to watch the folder. If another one watches it already, its current rules stay in effect
   * unless `change` is set.
   */
  open(folder: string, rules: FolderRules, change?: boolean): void
  close(folder: string): void
  unwatch(folder: string): void
  put(path: string, sha256: string, size: number, isSecret?: boolean): void
  /**
   * Creates a file with the same bytes. A hard link counts as existing before the watch if the original does.
   */
  copy(from: string, to: string, how: 'copy' | 'link'): void
  move(from: string, to: string): void
  remove(path: string): void
  /**
   * Changes only the modification time. For a skipped file, no process has read its content, so no process
   * can notice that it is the same.
   */
  touch(path: string): void
  rulesFile(dir: string, patterns: readonly string[]): void
  /** Slipway has reported this path. */
  told(path: string): void
  /** The user named this file for an upload. */
  named(path: string, again: boolean): void
  released(path: string): void
  /** `rm` was called with a path. */
  removed(path: string, which: 'all' | 'latest' | 'older'): void
  /** The journal was lost, and with it the knowledge of deleted contents and released secrets. */
  journalLost(): void
  /** From now on, any outcome for this file is accepted. */
  blur(path: string): void
  has(path: string): boolean
  shaOf(path: string): string | null
  below(dir: string): readonly string[]
  /** Files that must be on the service once nothing is left to do. */
  due(): readonly { readonly path: string; readonly sha256: string }[]
  rulesOf(folder: string): FolderRules | null
  isPaused(): boolean
  pauses(): readonly { readonly from: number; readonly to: number }[]
  contents(): ReadonlyMap<string, Content>
  files(): readonly FileAtEnd[]
  pathsOf(sha256: string): readonly string[]
  /** When files were created at this path or moved there, in epoch milliseconds. */
  placedAt(path: string): readonly number[]
  folders(): readonly string[]
}

export function matches(pattern: string, segments: readonly string[]): boolean {
  if (pattern.endsWith('/')) return segments.slice(0, -1).includes(pattern.slice(0, -1))
  if (pattern.startsWith('*')) return (segments.at(-1) ?? '').endsWith(pattern.slice(1))
  return segments.includes(pattern)
}

/** `now` returns epoch milliseconds, and `crowding` how many times longer output takes at the moment. */
export function createExpected(now: () => number = Date.now, crowding: () => number = () => 1): Expected {
  const folders = new Map<string, FolderState>()
  const rulesFiles = new Map<string, readonly string[]>()
  const spots = new Map<string, Spot>()
  /** Deleted files by their last path. */
  const graves = new Map<string, Spot>()
  const contents = new Map<string, MutableContent>()
  const paths = new Map<string, Set<string>>()
  /** The content that was last at each path, whatever is there now. */
  const lastAt = new Map<string, string>()
  const placements = new Map<string, readonly number[]>()
  const pauses: { from: number; to: number }[] = []
  let isRunning = false
  let pausedAt: number | null = null

  const folderOf = (path: string, isOpen: boolean): string | null => {
    let found: string | null = null
    for (const [folder, state] of folders)
      if (
        isBelow(folder, path) &&
        (isOpen ? state.isOpen : state.isWatched) &&
        folder.length > (found?.length ?? 0)
      )
        found = folder
    return found
  }
  const governing = (path: string): string | null => folderOf(path, true) ?? folderOf(path, false)

  const isIgnored = (path: string, folder: string | null): boolean => {
    const root = folder ?? ''
    const segments = segmentsOf(path.slice(root.length + 1))
    const rules = [...ALWAYS, ...(folder === null ? [] : (folders.get(folder)?.rules.ignore ?? []))]
    if (rules.some((pattern) => matches(pattern, segments))) return true
    for (const [dir, patterns] of rulesFiles) {
      if (!isBelow(dir, path) || (folder !== null && dir !== folder && !isBelow(folder, dir))) continue
      if (patterns.some((pattern) => matches(pattern, segmentsOf(path.slice(dir.length + 1))))) return true
    }
    return false
  }

  const isHeld = (spot: Spot): boolean =>
    !spot.isReleased &&
    (SECRET_NAMES.test(segmentsOf(spot.path).join('/')) || contents.get(spot.sha256)?.isSecret === true)

  /** What the current rules say about the file, ignoring races. */
  const verdict = (spot: Spot, folder: string): Exclude<Fate, 'any'> => {
    if (isIgnored(spot.path, folder)) return 'ignored'
    if (spot.removed.has(spot.sha256)) return 'deleted'
    if (spot.isOld) return 'ignored'
    return isHeld(spot) ? 'held' : 'up'
  }

  const fateOf = (spot: Spot, folder: string): Fate => {
    const verdictNow = verdict(spot, folder)
    if (spot.isBlurred) return 'any'
    // Its upload was allowed earlier, so the file may be on the service already, and may be reported as
    // uploaded, too.
    if (verdictNow === 'held' && contents.get(spot.sha256)?.isAllowed === true) return 'any'
    if (verdictNow === 'ignored' && contents.get(spot.sha256)?.isAllowed === true) return 'any'
    if (folders.get(folder)?.rules.onChange === 'ignore' && new Set(spot.history).size > 1) return 'any'
    return verdictNow
  }

  const reconsider = (): void => {
    if (!isRunning || pausedAt !== null) return
    for (const spot of spots.values()) {
      const folder = folderOf(spot.path, true)
      const content = contents.get(spot.sha256)
      if (folder !== null && content !== undefined && verdict(spot, folder) === 'up') content.isAllowed = true
    }
  }

  const pathsOf = (sha256: string): Set<string> => {
    const known = paths.get(sha256) ?? new Set()
    paths.set(sha256, known)
    return known
  }

  const remember = (path: string, sha256: string): void => {
    lastAt.set(path, sha256)
    pathsOf(sha256).add(path)
    placements.set(path, [...(placements.get(path) ?? []), now()])
  }

  /**
   * Whether the path had other content. If its folder replaces links of changed files, links to the old
   * content may end from now on.
   */
  const superseded = (path: string, next: string): boolean => {
    const last = lastAt.get(path)
    if (last === undefined || last === next) return false
    const folder = governing(path)
    const old = contents.get(last)
    if (old !== undefined && folder !== null && folders.get(folder)?.rules.onChange === 'replace') {
      old.mayDie = true
      // A file that moved away from here with that content may lose its link, too. Links printed before
      // `since` aren't checked.
      for (const spot of spots.values())
        if (spot.sha256 === last && spot.path !== path && spot.paths.has(path))
          spot.since = now() + LATE_MS * crowding()
    }
    return true
  }

  const contentFor = (sha256: string, size: number, isSecret: boolean, isAnother: boolean): void => {
    const known = contents.get(sha256)
    if (known === undefined)
      contents.set(sha256, { size, isSecret, isAllowed: false, copies: 1, mayDie: false, isDoomed: false })
    else {
      if (isAnother) known.copies++
      known.isDoomed = false
    }
  }

  const fresh = (path: string, sha256: string): Spot => ({
    path,
    sha256,
    history: [sha256],
    paths: new Set([path]),
    removed: new Set(),
    isOld: false,
    isUnseen: folderOf(path, true) === null,
    isTold: false,
    isReleased: false,
    isBlurred: false,
    since: now(),
  })

  const expected: Expected = {
    engine: (running) => {
      isRunning = running
      reconsider()
    },
    pause: (at) => {
      pausedAt ??= at
    },
    resume: (at) => {
      if (pausedAt !== null) pauses.push({ from: pausedAt, to: at })
      pausedAt = null
      reconsider()
    },
    open: (folder, rules, change = false) => {
      const state = folders.get(folder)
      if (state?.isOpen === true) {
        if (change) state.rules = rules
        reconsider()
        return
      }
      folders.set(folder, { rules, isOpen: true, isWatched: true })
      for (const spot of spots.values()) {
        if (governing(spot.path) !== folder) continue
        if (rules.existing === 'skip' && !spot.isTold) {
          if (spot.isUnseen) spot.isOld = true
          else if (!spot.isOld) spot.isBlurred = true
        }
        spot.isUnseen = false
      }
      reconsider()
    },
    close: (folder) => {
      const state = folders.get(folder)
      if (state !== undefined) state.isOpen = false
    },
    unwatch: (folder) => {
      const state = folders.get(folder)
      if (state === undefined) return
      state.isOpen = false
      state.isWatched = false
    },
    put: (path, sha256, size, isSecret = false) => {
      const was = spots.get(path) ?? graves.get(path)
      graves.delete(path)
      contentFor(sha256, size, isSecret, was?.history.includes(sha256) !== true)
      superseded(path, sha256)
      remember(path, sha256)
      if (was === undefined) spots.set(path, fresh(path, sha256))
      else {
        if (was.sha256 !== sha256) {
          was.since = now()
          was.isOld = false
          was.isReleased = false
          was.isUnseen = folderOf(path, true) === null
          was.isTold = false
        }
        was.sha256 = sha256
        was.history.push(sha256)
        spots.set(path, was)
      }
      reconsider()
    },
    copy: (from, to, how) => {
      const source = spots.get(from)
      if (source === undefined) return
      const content = contents.get(source.sha256)
      const was = spots.get(to)
      superseded(to, source.sha256)
      contentFor(
        source.sha256,
        content?.size ?? 0,
        content?.isSecret === true,
        was?.history.includes(source.sha256) !== true,
      )
      remember(to, source.sha256)
      const spot = fresh(to, source.sha256)
      if (how === 'link') spot.isOld = source.isOld
      spots.set(to, spot)
      reconsider()
    },
    move: (from, to) => {
      const spot = spots.get(from)
      if (spot === undefined) return
      spots.delete(from)
      const over = spots.get(to) ?? graves.get(to)
      graves.delete(to)
      // A program that identifies files by path sees a file moved onto another one's path as a change of that
      // other file.
      const last = lastAt.get(to)
      if (superseded(to, spot.sha256)) {
        spot.since = now()
        if (last !== undefined) spot.history.unshift(last)
      }
      if (over !== undefined) {
        spot.history.unshift(...over.history)
        for (const path of over.paths) spot.paths.add(path)
        for (const sha256 of over.removed) if (sha256 !== spot.sha256) spot.removed.add(sha256)
      }
      // If changes are ignored, the link of the first content moves with the file and is reported under its
      // new name.
      const folder = governing(to)
      if (folder !== null && folders.get(folder)?.rules.onChange === 'ignore')
        for (const sha256 of spot.history) pathsOf(sha256).add(to)
      spot.path = to
      spot.paths.add(to)
      if (folderOf(to, true) === null && folderOf(from, true) !== null)
        spot.isUnseen = spot.isUnseen || !spot.isTold
      remember(to, spot.sha256)
      spots.set(to, spot)
      reconsider()
    },
    remove: (path) => {
      const spot = spots.get(path)
      if (spot !== undefined) graves.set(path, spot)
      spots.delete(path)
    },
    touch: (path) => {
      const spot = spots.get(path)
      const content = spot === undefined ? undefined : contents.get(spot.sha256)
      const folder = governing(path)
      if (
        spot === undefined ||
        content === undefined ||
        folder === null ||
        folders.get(folder)?.rules.existing !== 'skip'
      )
        return
      // Slipway knows the content of a file that it has reported, and recognizes it.
      if (spot.isTold && !spot.isOld) return
      // If no process is watching when the time changes, the next start takes the file for an old one, whose
      // content isn't read either.
      spot.isBlurred = true
      if (spot.isOld) content.isAllowed = true
    },
    rulesFile: (dir, patterns) => {
      rulesFiles.set(dir, patterns)
      reconsider()
    },
    told: (path) => {
      const spot = spots.get(path)
      if (spot !== undefined) spot.isTold = true
    },
    named: (path, again) => {
      const spot = spots.get(path)
      const content = spot === undefined ? undefined : contents.get(spot.sha256)
      if (spot === undefined || content === undefined) return
      if (again) content.copies++
      if (isHeld(spot) || isIgnored(path, folderOf(path, false))) return
      content.isAllowed = true
      content.isDoomed = false
      if (spot.removed.delete(spot.sha256)) spot.since = now()
      spot.isOld = false
    },
    released: (path) => {
      const spot = spots.get(path)
      if (spot === undefined) return
      spot.isReleased = true
      const content = contents.get(spot.sha256)
      if (content !== undefined) content.isAllowed = true
      reconsider()
    },
    removed: (path, which) => {
      const spot = spots.get(path)
      if (spot === undefined) return
      const versions = [...new Set(spot.history)]
      const doomed = versions.filter(
        (sha256) => which === 'all' || (sha256 === spot.sha256) === (which === 'latest'),
      )
      for (const sha256 of doomed) {
        spot.removed.add(sha256)
        const content = contents.get(sha256)
        if (content === undefined) continue
        content.mayDie = true
        content.isDoomed = [...spots.values(), ...graves.values()].every(
          (other) => other === spot || !other.history.includes(sha256),
        )
      }
    },
    journalLost: () => {
      for (const content of contents.values()) content.isDoomed = false
      for (const spot of [...spots.values(), ...graves.values()])
        if (spot.removed.size > 0 || spot.isReleased) spot.isBlurred = true
    },
    blur: (path) => {
      const spot = spots.get(path)
      if (spot !== undefined) spot.isBlurred = true
    },
    has: (path) => spots.has(path),
    shaOf: (path) => spots.get(path)?.sha256 ?? null,
    below: (dir) => [...spots.keys()].filter((path) => isBelow(dir, path)),
    due: () =>
      [...spots.values()].flatMap((spot) => {
        const folder = folderOf(spot.path, true)
        return folder !== null && fateOf(spot, folder) === 'up'
          ? [{ path: spot.path, sha256: spot.sha256 }]
          : []
      }),
    rulesOf: (folder) => folders.get(folder)?.rules ?? null,
    isPaused: () => pausedAt !== null,
    pauses: () => (pausedAt === null ? pauses : [...pauses, { from: pausedAt, to: now() }]),
    contents: () =>
      new Map(
        [...contents].map(([sha256, { isSecret: _isSecret, ...content }]) => [
          sha256,
          { sha256, ...content },
        ]),
      ),
    files: () =>
      [...spots.values()].map((spot) => {
        const folder = folderOf(spot.path, false)
        return {
          path: spot.path,
          sha256: spot.sha256,
          paths: [...spot.paths],
          history: [...spot.history],
          since: spot.since,
          isRemoved: spot.removed.has(spot.sha256),
          folder,
          fate: folder === null ? 'any' : fateOf(spot, folder),
        }
      }),
    pathsOf: (sha256) => [...(paths.get(sha256) ?? [])],
    placedAt: (path) => placements.get(path) ?? [],
    folders: () => [...folders].filter(([, state]) => state.isWatched).map(([folder]) => folder),
  }
  return expected
}
