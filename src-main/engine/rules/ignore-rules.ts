// Decides which entries are ignored: by default those that programs create for themselves, and whatever the
// user excludes by gitignore patterns, size or type. Each result names the rule that matched. Pure, except
// `rulesText`, which reads a directory's .slipwayignore: if it can't be read, nothing below may be sent.

import { formatBytes } from '../../../src-shared/format.ts'
import type { FileLimits } from '../../../src-shared/model.ts'
import { stoodStill } from '../disk/content.ts'
import { absolute } from '../disk/rel-path.ts'
import type { Disk, DiskFailure, Entry } from '../ports.ts'
import { Patterns, tooComplexAt } from './patterns.ts'
import { DOCUMENT_NAMES, DOWNLOAD_NAMES, RSYNC_NAMES } from './unfinished.ts'

/** Name of the files that contain rules in gitignore syntax for their directory and everything below. */
export const RULES_FILE = '.slipwayignore'

/**
 * Rules that match only in this letter case: `cvs/`, for example, is more likely to be the user's own folder.
 */
const EXACT: ReadonlySet<string> = new Set(['CVS/', ...RSYNC_NAMES])

/**
 * The rule reported for everything in a directory whose `.slipwayignore` can't be read; a reason may follow.
 */
const UNREADABLE_RULES = ".slipwayignore can't be read"
/** The next step about it. */
export const RULES_HINT = 'Make it a text file that you may read, or remove it.'
export const NO_RULES: IgnoreOptions = {
  ignoresCase: false,
  defaults: true,
  defaultsAt: '',
  patterns: [],
  above: [],
  files: [],
  limits: null,
}

/** Maximum number of directories whose result `throughDir` caches. */
const CACHED_MAX = 2000

/**
 * Matches paths of plain names with an extension that no default rule covers. Most files have such paths and
 * skip pattern matching, unless the user has rules.
 */
const PLAIN =
  /^(?:[\p{L}\p{N}][\p{L}\p{N} ()_-]*\/)*[\p{L}\p{N}][\p{L}\p{N} ()_-]*\.(?:jpe?g|png|gif|webp|heic|svg|pdf|docx?|xlsx?|pptx?|txt|md|csv|zip|gz|7z|mp4|mov|mkv|mp3|flac|wav|json|html?|bin|dat)$/iu

/** FAT, the coarsest common file system, records modification times with a resolution of two seconds. */
const COARSEST_MS = 2000

/**
 * Whether a rules file may have this name. `ignoresCase`: whether the disk finds names in any letter case.
 */
export function isRulesFile(name: string, ignoresCase: boolean): boolean {
  return name === RULES_FILE || (ignoresCase && name.toLowerCase() === RULES_FILE)
}

export interface DefaultRule {
  readonly pattern: string
  readonly why: string
}

/**
 * The default rules. `why` is appended to the pattern when a rule is reported. The user can override a rule
 * with `!pattern`. All rules except those in `EXACT` ignore letter case, because Windows also writes
 * `DESKTOP.INI`.
 */
export const DEFAULT_RULES: readonly DefaultRule[] = [
  ...DOWNLOAD_NAMES.map((pattern) => ({ pattern, why: 'a partial download' })),
  ...[
    '*.tmp',
    '*.temp',
    '.tmp.*',
    '~*.tmp',
    '.goutputstream-*',
    '.~tmp~/',
    '.fuse_hidden*',
    '.nfs*',
    '.syncthing.*.tmp',
    '~syncthing~*.tmp',
    '.rsync-partial/',
    '.*.[A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9].rsync',
  ].map((pattern) => ({ pattern, why: 'a temporary file' })),
  ...DOCUMENT_NAMES.map((pattern) => ({ pattern, why: "an open document's lock or copy" })),
  ...['*~', '.*.sw[a-p]', '*.sw[op]', '.#*', '\\#*#', '4913', '*.kate-swp', '.*.un~'].map((pattern) => ({
    pattern,
    why: "an editor's scratch file",
  })),
  ...[
    '.DS_Store',
    '._*',
    '.AppleDouble/',
    '.Spotlight-V100/',
    '.fseventsd/',
    '.TemporaryItems/',
    '.DocumentRevisions-V100/',
    '.Trashes/',
    '.Trash-*/',
    '.Trash/',
    'Thumbs.db',
    'ehthumbs.db',
    'desktop.ini',
    '$RECYCLE.BIN/',
    'System Volume Information/',
    '.directory',
    '@eaDir/',
    'lost+found/',
  ].map((pattern) => ({ pattern, why: "the system's own" })),
  ...['.git/', '.svn/', '.hg/', '.bzr/', 'CVS/', '_darcs/'].map((pattern) => ({
    pattern,
    why: 'version control',
  })),
  ...[
    '.stfolder/',
    '.stignore',
    '.sync/',
    '.dropbox',
    '.dropbox.cache/',
    '.owncloudsync.log*',
    '.slipwayignore',
  ].map((pattern) => ({
    pattern,
    why: "a sync tool's own",
  })),
]

export interface Caught {
  readonly rule: string
  readonly source: 'default' | 'pattern' | 'slipwayignore' | 'size' | 'type'
}

export interface IgnoreOptions {
  /**
   * Whether the user's rules ignore letter case, because the disk does. The default rules, except `EXACT`,
   * ignore it on every disk.
   */
  readonly ignoresCase: boolean
  readonly defaults: boolean
  /** The default rules apply only below this directory; '' for the root. */
  readonly defaultsAt: string
  /**
   * gitignore syntax. Later patterns take precedence over earlier ones, and all of them over the defaults.
   */
  readonly patterns: readonly string[]
  /**
   * The contents of `.slipwayignore` files above the root, with the root's path relative to each. `patterns`
   * takes precedence over them. `text` is null if the file can't be read. In that case, everything below its
   * directory is ignored, because it is unknown what the file excludes.
   */
  readonly above: readonly { readonly rel: string; readonly text: string | null }[]
  /**
   * Like `above`, for `.slipwayignore` files in and below the root, by relative directory ('' for the root).
   * They take precedence over `patterns`, and the nearest file takes precedence over the others.
   */
  readonly files: readonly { readonly dir: string; readonly text: string | null }[]
  /** Null if no file is ignored because of its size or type. */
  readonly limits: FileLimits | null
}

export interface IgnoreRules {
  /**
   * The rule that ignores the file at `rel`. May miss rules for the directories above it, so check these
   * first. `size` is in bytes.
   */
  file(rel: string, size: number): Caught | null
  dir(rel: string): Caught | null
  /** The rule that ignores the file at `rel` or a directory above it. `size` is in bytes. */
  through(rel: string, size: number): Caught | null
  /** The rule that ignores the directory at `rel` or one above it; '' is never ignored. */
  throughDir(rel: string): Caught | null
}

interface Layer {
  /** The directory that the rules apply to, with a trailing slash; '' for the root. */
  readonly base: string
  /** Prepended to a path before it is matched, for rules from a directory above the root. */
  readonly prefix: string
  readonly source: Caught['source']
  /** Or why they can't be applied, so that everything they might exclude is ignored. */
  readonly rules: Patterns | string
}

/** The sources of rules, each taking precedence over those before it. */
function layersOf(options: IgnoreOptions): Layer[] {
  const layers: Layer[] = []
  const make = (patterns: string | readonly string[], where: string): Patterns | string => {
    const line = tooComplexAt(patterns)
    return line === null ? new Patterns(patterns, options.ignoresCase) : `${where} ${line} is too complex`
  }
  const inside = (dir: string): string => (dir === '' ? '' : `${dir}/`)
  const read = (text: string | null): Patterns | string =>
    text === null ? `${UNREADABLE_RULES}. ${RULES_HINT}` : make(text, `${UNREADABLE_RULES}: line`)
  if (options.defaults) {
    const patterns = DEFAULT_RULES.map((one) => one.pattern)
    for (const rules of [
      new Patterns(
        patterns.filter((one) => !EXACT.has(one)),
        true,
      ),
      new Patterns(
        patterns.filter((one) => EXACT.has(one)),
        false,
      ),
    ])
      layers.push({ base: inside(options.defaultsAt), prefix: '', source: 'default', rules })
  }
  for (const { rel, text } of options.above.toSorted((a, b) => b.rel.length - a.rel.length))
    layers.push({ base: '', prefix: inside(rel), source: 'slipwayignore', rules: read(text) })
  if (options.patterns.length > 0)
    layers.push({
      base: '',
      prefix: '',
      source: 'pattern',
      rules: make(options.patterns, "the folder's rule"),
    })
  for (const file of options.files.toSorted((a, b) => a.dir.length - b.dir.length))
    layers.push({ base: inside(file.dir), prefix: '', source: 'slipwayignore', rules: read(file.text) })
  return layers
}

export function createIgnoreRules(options: IgnoreOptions): IgnoreRules {
  const layers = layersOf(options)
  const why = new Map(DEFAULT_RULES.map((r) => [r.pattern, r.why]))
  const fast = layers.every((layer) => layer.source === 'default')

  /**
   * Whether a directory that a layer ignores isn't ignored after all, because a layer that takes precedence
   * re-includes it. `dir`: as the layer sees it. The root and the directories above it were checked by
   * `rootCaught`.
   */
  const isReincluded = ({ base, prefix }: Layer, dir: string): boolean =>
    prefix.startsWith(dir) || throughDir(base + dir.slice(prefix.length, -1)) === null

  /** The result of one layer. `before`: the result of the layers over which it takes precedence. */
  const apply = (layer: Layer, below: string, before: Caught | null): Caught | null => {
    if (below === '' || below === '/') return before
    if (typeof layer.rules === 'string') return { rule: layer.rules, source: layer.source }
    const result = layer.rules.test(below, (dir) => isReincluded(layer, dir))
    if (!result.ignored) return result.unignored ? null : before
    const pattern = result.pattern ?? ''
    const reason = layer.source === 'default' ? why.get(pattern) : undefined
    return { rule: reason === undefined ? pattern : `${pattern} (${reason})`, source: layer.source }
  }

  /**
   * The rule, from a rules file above the root, that ignores the root itself or one of its parents. As in
   * git, no rule further down can re-include anything in that case.
   */
  const rootCaught = (): Caught | null => {
    const files = layers.filter((layer) => layer.prefix !== '')
    const parts = (files[0]?.prefix ?? '').split('/').slice(0, -1)
    for (let depth = 1; depth <= parts.length; depth++) {
      let caught: Caught | null = null
      for (const layer of files) {
        const own = parts.length - (layer.prefix.split('/').length - 1)
        if (depth > own) caught = apply(layer, `${parts.slice(own, depth).join('/')}/`, caught)
      }
      if (caught !== null) return caught
    }
    return null
  }
  const all = rootCaught()

  const test = (path: string): Caught | null => {
    let caught: Caught | null = all
    if (caught !== null) return caught
    for (const layer of layers)
      if (path.startsWith(layer.base))
        caught = apply(layer, layer.prefix + path.slice(layer.base.length), caught)
    return caught
  }

  /** Which of these types the file has. A type may have several parts, such as `tar.gz`. */
  const typeIn = (rel: string, types: readonly string[]): string | undefined => {
    // A name that only begins with a dot has no type.
    const name = rel.slice(rel.lastIndexOf('/') + 2).toLowerCase()
    return types.find((type) => name.endsWith(`.${type}`))
  }

  const directories = new Map<string, Caught | null>()
  const throughDir = (rel: string): Caught | null => {
    if (rel === '' || layers.length === 0) return null
    const had = directories.get(rel)
    if (had !== undefined) return had
    const at = rel.lastIndexOf('/')
    const found = throughDir(at < 0 ? '' : rel.slice(0, at)) ?? test(`${rel}/`)
    if (directories.size > CACHED_MAX) directories.clear()
    directories.set(rel, found)
    return found
  }

  const file = (rel: string, size: number): Caught | null => {
    const caught = fast && isPlain(rel) ? null : test(rel)
    if (caught !== null) return caught
    if (options.limits === null) return null
    const { maxBytes, onlyTypes, notTypes } = options.limits
    if (maxBytes !== null && size > maxBytes)
      return { rule: `larger than ${formatBytes(maxBytes)}`, source: 'size' }
    if (onlyTypes.length > 0 && typeIn(rel, onlyTypes) === undefined)
      return { rule: `not of a chosen type`, source: 'type' }
    const excluded = typeIn(rel, notTypes)
    return excluded === undefined ? null : { rule: `*.${excluded}`, source: 'type' }
  }

  return {
    file,
    dir: (rel) => test(`${rel}/`),
    through: (rel, size) => {
      const at = rel.lastIndexOf('/')
      return throughDir(at < 0 ? '' : rel.slice(0, at)) ?? file(rel, size)
    },
    throughDir,
  }
}

function isPlain(rel: string): boolean {
  return PLAIN.test(rel) && !rel.startsWith('CVS/') && !rel.includes('/CVS/')
}

// Reads a directory's rules file (.slipwayignore), which may be a symbolic link, for example to a file in a
// dotfiles repository. An unreadable file is reported differently from a missing one, because nothing may be
// sent from a directory whose rules are unknown.

/**
 * Whether a rules file still has the text that was read when its entry was `before`, so that it needn't be
 * read again. `readAt`: epoch milliseconds, no later than the time at which the text was read. A link is
 * always read again, because its own times don't change when its target does. A file that had just been
 * written is read again as well, because a second change may not have changed its times.
 */
export function hasSameRules(before: Entry, readAt: number, now: Entry): boolean {
  if (now.kind !== 'file' || stoodStill(before, now) !== 'yes') return false
  return Math.max(now.mtime, now.ctime) < readAt - COARSEST_MS
}

/**
 * Resolves to the text of this directory's rules file, to null if there is an entry of that name that can't be
 * read or decoded as one, whatever it is, and to undefined only if there is none. `found`: the directory's
 * entry of that name; null or undefined if there is none.
 */
export async function rulesText(
  disk: Pick<Disk, 'text'>,
  dir: string,
  found: Entry | DiskFailure | null | undefined,
): Promise<string | null | undefined> {
  if (found === null || found === undefined) return undefined
  // A folder, pipe or device isn't opened. Nor does a link whose target is missing mean that there are no
  // rules: the drive with the target may not be mounted.
  if ('code' in found || found.kind === 'dir' || found.kind === 'other') return null
  const text = await disk.text(absolute(dir, '', RULES_FILE))
  // Zero bytes show that the text is in an encoding that isn't known.
  return text?.includes('\0') === true ? null : text
}
