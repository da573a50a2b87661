// Which entries of a watched folder are none of Slipway's business: temporary and partial files by default, and what a person rules out in
// gitignore syntax, by size or by type. Each answer names the rule that caught the entry. Pure.
import ignore, { type Ignore } from 'ignore'

export interface DefaultRule {
  readonly pattern: string
  readonly why: string
}

/** Shown in the settings; a person's own `!pattern` lets one through. */
export const DEFAULT_RULES: readonly DefaultRule[] = [
  ...['*.part', '*.partial', '*.crdownload', '*.download', '*.opdownload', '*.!ut', '*.!qB', '*.aria2', '*.filepart', '.*.part'].map(
    (pattern) => ({ pattern, why: 'a partial download' }),
  ),
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
  ...['~$*', '.~lock.*#', '*.lck', '*.laccdb', '*.ldb-lock'].map((pattern) => ({ pattern, why: 'a lock of an office program' })),
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
  ...['.git/', '.svn/', '.hg/', '.bzr/', 'CVS/', '_darcs/'].map((pattern) => ({ pattern, why: 'version control' })),
  ...['.stfolder/', '.stignore', '.sync/', '.dropbox', '.dropbox.cache/', '.owncloudsync.log*', '.slipwayignore'].map((pattern) => ({
    pattern,
    why: "a sync tool's own",
  })),
]

export interface Caught {
  readonly rule: string
  readonly source: 'default' | 'pattern' | 'slipwayignore' | 'size' | 'type'
}

export interface IgnoreOptions {
  readonly defaults: boolean
  /** gitignore syntax; the later wins, and all of them win over the defaults. */
  readonly patterns: readonly string[]
  /** Contents of `.slipwayignore` files by the directory that holds them, '' for the root; the nearer wins. */
  readonly files: readonly { readonly dir: string; readonly text: string }[]
  /** Bytes; null: no bound. */
  readonly maxSize: number | null
  /** Without the dot, lower case. */
  readonly onlyTypes: readonly string[]
  readonly notTypes: readonly string[]
}

export const NO_RULES: IgnoreOptions = { defaults: true, patterns: [], files: [], maxSize: null, onlyTypes: [], notTypes: [] }

export interface IgnoreRules {
  file(rel: string, size: number): Caught | null
  dir(rel: string): Caught | null
}

interface Layer {
  readonly base: string
  readonly source: Caught['source']
  readonly rules: Ignore
}

export function createIgnoreRules(options: IgnoreOptions): IgnoreRules {
  const layers: Layer[] = []
  const make = (): Ignore => ignore({ allowRelativePaths: true, ignorecase: false })
  if (options.defaults) layers.push({ base: '', source: 'default', rules: make().add(DEFAULT_RULES.map((r) => r.pattern)) })
  if (options.patterns.length > 0) layers.push({ base: '', source: 'pattern', rules: make().add([...options.patterns]) })
  for (const file of options.files.toSorted((a, b) => a.dir.length - b.dir.length))
    layers.push({ base: file.dir === '' ? '' : `${file.dir}/`, source: 'slipwayignore', rules: make().add(file.text) })
  const why = new Map(DEFAULT_RULES.map((r) => [r.pattern, r.why]))
  const fast = layers.length === (options.defaults ? 1 : 0)

  const test = (path: string): Caught | null => {
    let caught: Caught | null = null
    for (const layer of layers) {
      if (!path.startsWith(layer.base)) continue
      const below = path.slice(layer.base.length)
      if (below === '' || below === '/') continue
      const result = layer.rules.test(below)
      if (result.ignored) {
        const pattern = result.rule?.pattern ?? ''
        caught = {
          rule: why.get(pattern) === undefined || layer.source !== 'default' ? pattern : `${pattern} (${why.get(pattern)})`,
          source: layer.source,
        }
      } else if (result.unignored) caught = null
    }
    return caught
  }

  const type = (rel: string): string => {
    const name = rel.slice(rel.lastIndexOf('/') + 1)
    const dot = name.lastIndexOf('.')
    return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
  }

  return {
    file: (rel, size) => {
      const caught = fast && isPlain(rel) ? null : test(rel)
      if (caught !== null) return caught
      if (options.maxSize !== null && size > options.maxSize) return { rule: `larger than ${options.maxSize} bytes`, source: 'size' }
      const ext = type(rel)
      if (options.onlyTypes.length > 0 && !options.onlyTypes.includes(ext)) return { rule: `not of a chosen type`, source: 'type' }
      if (options.notTypes.includes(ext)) return { rule: `*.${ext}`, source: 'type' }
      return null
    },
    dir: (rel) => test(`${rel}/`),
  }
}

/** Extensions that no default rule can catch, and a name of letters, digits, spaces: most files of most folders, told without a pattern. */
const PLAIN =
  /^(?:[\p{L}\p{N}][\p{L}\p{N} ()_-]*\/)*[\p{L}\p{N}][\p{L}\p{N} ()_-]*\.(?:jpe?g|png|gif|webp|heic|svg|pdf|docx?|xlsx?|pptx?|txt|md|csv|zip|gz|7z|mp4|mov|mkv|mp3|flac|wav|json|html?|bin|dat)$/iu

function isPlain(rel: string): boolean {
  return PLAIN.test(rel) && !rel.startsWith('CVS/') && !rel.includes('/CVS/')
}
