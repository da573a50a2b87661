// Decides, from the versions that an Electron reports, what the app is built for and which shims it needs
// because that Electron is older than the one the app is written for. Pure.
import { join } from 'node:path'

export interface Versions {
  readonly electron: string
  readonly node: string
  readonly chrome: string
}

/**
 * The versions in an Electron's `process.versions`. As plain Node it doesn't name Chrome's, which follows from
 * that of V8: 11.4 is the V8 of Chrome 114. @throws if these are the versions of something else.
 */
export function versionsFrom(told: Readonly<Record<string, string | undefined>>): Versions {
  const { electron, node, v8 = '' } = told
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(v8) ?? []
  if (electron === undefined || node === undefined || major === undefined)
    throw new Error('This is no Electron.')
  return { electron, node, chrome: `${major}${minor}` }
}

/** Options of the build (vite.config.ts), passed as JSON in `SLIPWAY_BUILD_FOR`. */
export interface BuildFor {
  /** The output folder, from the root. */
  readonly dist: string
  /** Major versions whose syntax and style sheets the output may use. */
  readonly node: number
  readonly chrome: number
  /** The modules of the main process. Electron loads ES modules there since 28. */
  readonly format: 'es' | 'cjs'
  /** By part of the app (an environment of the build): modules that it loads before all others. */
  readonly first: Readonly<Record<string, readonly string[]>>
  /** Built-in modules and the files that take their place in the main process. */
  readonly modules: Readonly<Record<string, string>>
}

/** What the app is written for: the Electron that package.json pins. */
export const PINNED: BuildFor = {
  dist: 'dist',
  node: 24,
  chrome: 156,
  format: 'es',
  first: {},
  modules: {},
}

type Major = Readonly<Record<keyof Versions, number>>

export interface Shim {
  /** The file in test/desktop/older. */
  readonly file: string
  /** What is replaced. */
  readonly replaces: string
  /** What a run with it doesn't prove. */
  readonly unproved: string
  readonly isNeeded: (major: Major) => boolean
  readonly first?: readonly string[]
  readonly module?: string
}

/** What Electron's own processes load. The trial's service runs in a thread only. */
const NODE_PARTS = ['main', 'engine', 'updates'] as const

const SHIMS: readonly Shim[] = [
  {
    file: 'language.ts',
    replaces: 'functions of JavaScript and the web that came with Node 22 and Chrome 122',
    unproved: 'Chromium’s own Iterator and Promise functions',
    isNeeded: ({ node, chrome }) => node < 22 || chrome < 122,
    first: [...NODE_PARTS, 'client'],
  },
  {
    file: 'node.ts',
    replaces: 'functions of Node that came after its version',
    unproved: 'files read recursively by Node itself',
    isNeeded: ({ node }) => node < 22,
    first: NODE_PARTS,
  },
  {
    file: 'threads.ts',
    replaces: 'worker threads of the main process: each runs in a process of Node 24',
    unproved: 'the engine and its threads inside Electron’s own process',
    isNeeded: ({ node }) => node < 24,
    first: NODE_PARTS,
  },
  {
    file: 'sqlite.ts',
    replaces: 'node:sqlite, which is absent until a process of Node 24 loads it',
    unproved: 'node:sqlite inside Electron',
    isNeeded: ({ node }) => node < 24,
    module: 'node:sqlite',
  },
  {
    file: 'electron.ts',
    replaces: 'clipboard.read() and the items that it returns (Electron 44)',
    unproved: 'reading the clipboard without blocking',
    isNeeded: ({ electron }) => electron < 44,
    first: ['main'],
  },
  {
    file: 'preload.ts',
    replaces: 'webUtils.getPathForFile (Electron 29)',
    unproved: 'webUtils',
    isNeeded: ({ electron }) => electron < 29,
    first: ['preload'],
  },
]

export interface Plan {
  readonly build: BuildFor
  readonly shims: readonly Shim[]
  /** What a run doesn't prove because the build itself differs. */
  readonly differences: readonly string[]
}

export function majorsOf(versions: Versions): Major {
  const major = (name: keyof Versions): number => Number.parseInt(versions[name], 10)
  return { electron: major('electron'), node: major('node'), chrome: major('chrome') }
}

/** `dist`: where the build goes if it isn't the ordinary one. `older`: the folder of the shims. */
export function planFor(versions: Versions, dist: string, older: string): Plan {
  const major = majorsOf(versions)
  const shims = SHIMS.filter((one) => one.isNeeded(major))
  const format = major.electron < 28 ? 'cjs' : 'es'
  // A newer Electron runs what is built for the pinned one: the build that is shipped.
  const node = Math.min(major.node, PINNED.node)
  const chrome = Math.min(major.chrome, PINNED.chrome)
  const differences = [
    ...(format === 'cjs' ? ['the main process as ES modules: built as CommonJS'] : []),
    ...(node < PINNED.node || chrome < PINNED.chrome
      ? [`syntax and style sheets as they are shipped: lowered to Node ${node} and Chrome ${chrome}`]
      : []),
  ]
  if (differences.length + shims.length === 0) return { build: PINNED, shims, differences }
  const parts = [...new Set(shims.flatMap((one) => one.first ?? []))]
  const first = Object.fromEntries(
    parts.map((part) => [
      part,
      shims.filter((one) => one.first?.includes(part)).map(({ file }) => join(older, file)),
    ]),
  )
  const modules = Object.fromEntries(
    shims.flatMap(({ module, file }) => (module === undefined ? [] : [[module, join(older, file)]])),
  )
  return { build: { dist, node, chrome, format, first, modules }, shims, differences }
}
