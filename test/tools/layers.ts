// The layers inside the engine, and import cycles among the files of src-main. Both use the same import
// graph. An unavoidable import in the wrong direction is listed with its reason. An entry that matches no
// import is a fault, so the list can only shrink.
import { posix } from 'node:path'
import { reachesOf } from './imports.ts'

const ENGINE = 'src-main/engine/'

/**
 * From the bottom to the top. A file may import from its own folder and from every entry above it in this
 * list. disk/ handles paths and bytes; the journal stores rows and decides nothing; budget says whether a
 * request may be sent; rules say whether a file may; find sees which files exist; remote knows what the
 * service stores; presence finds out whether a file is there; send carries out one upload, and queue chooses
 * which; tell answers callers; engine.ts composes everything.
 */
const LAYERS: readonly string[] = [
  'ports.ts',
  'sleep.ts',
  'tell/bus.ts',
  'disk/',
  'journal/',
  'budget/',
  'tell/views.ts',
  'rules/',
  'find/',
  'presence/evidence.ts',
  'remote/',
  'send/file-opens.ts',
  'presence/',
  'send/',
  'queue/',
  'tell/snapshot.ts',
  'tell/',
  'engine.ts',
]

/** `from → to`, both as paths below src-main/engine/, with the reason as the value. */
type UpwardImports = Readonly<Record<string, string>>

/** One entry per line, sorted, so that removing one rarely conflicts with another branch. */
export const UPWARD_IMPORTS: UpwardImports = {}

/** An import of one file by another, as paths from the root. */
interface Edge {
  readonly from: string
  readonly to: string
  readonly line: number
}

/** The imports of `file` that lead to one of `files`. */
export function edgesOf(file: string, source: string, files: ReadonlySet<string>): Edge[] {
  return reachesOf(file, source).flatMap(({ specifier, line }) => {
    if (specifier === null || !specifier.startsWith('.')) return []
    const to = posix.join(posix.dirname(file), specifier)
    return files.has(to) ? [{ from: file, to, line }] : []
  })
}

/** The position of a file in LAYERS; -1 for a file of the engine without a layer, null for other files. */
function layerOf(file: string): number | null {
  if (!file.startsWith(ENGINE)) return null
  const path = file.slice(ENGINE.length)
  return LAYERS.findIndex((layer) => (layer.endsWith('/') ? path.startsWith(layer) : path === layer))
}

const keyOf = (edge: Edge): string => `${edge.from.slice(ENGINE.length)} → ${edge.to.slice(ENGINE.length)}`

function isUpward(edge: Edge): boolean {
  const from = layerOf(edge.from)
  const to = layerOf(edge.to)
  return from !== null && to !== null && from < to
}

/**
 * One sentence for each upward import that isn't an exception, each file without a layer, and each unused
 * exception.
 */
export function layerFaults(
  edges: readonly Edge[],
  files: readonly string[],
  exceptions: UpwardImports,
): string[] {
  const upward = edges.filter(isUpward)
  const needed = new Set(upward.map(keyOf))
  return [
    ...files
      .filter((file) => layerOf(file) === -1)
      .map((file) => `${file} has no layer in test/tools/layers.ts`),
    ...upward
      .filter((edge) => !(keyOf(edge) in exceptions))
      .map((edge) => `${edge.from}:${edge.line} may not import ${edge.to}: it is a layer above`),
    ...Object.keys(exceptions)
      .filter((key) => !needed.has(key))
      .map((key) => `${key} is no import: remove its exception from test/tools/layers.ts`),
  ]
}

/**
 * All import cycles, each as a sorted list of files. Imports listed in `exceptions` are ignored, because they
 * are known violations.
 */
export function circles(edges: readonly Edge[], exceptions: UpwardImports): string[][] {
  const targets = new Map<string, string[]>()
  for (const edge of edges) {
    if (keyOf(edge) in exceptions) continue
    const list = targets.get(edge.from)
    if (list === undefined) targets.set(edge.from, [edge.to])
    else list.push(edge.to)
  }
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>()
    const open = [...(targets.get(start) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(targets.get(next) ?? []))
    }
    return seen
  }
  const reached = new Map([...targets.keys()].map((file) => [file, reachable(file)]))
  const found: string[][] = []
  const known = new Set<string>()
  for (const [file, seen] of reached) {
    if (known.has(file) || !seen.has(file)) continue
    const circle = [...seen].filter((other) => reached.get(other)?.has(file) === true).toSorted()
    for (const other of circle) known.add(other)
    found.push(circle)
  }
  return found
}
