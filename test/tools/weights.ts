// How heavy the house is: what one reader has to open, and what the engine's parts hand to one another. Every
// weight is a number that `check-weights.ts` compares with its limit.
import { posix } from 'node:path'
import { Visitor } from 'vite'
import { reachesOf } from './imports.ts'
import { parseSource } from './parse.ts'

/** A crumb has fewer lines than this and a single importer: two files are opened for one thought. */
const CRUMB_LINES = 60
const WIDE_COLUMNS = 120

export const linesOf = (text: string): number => text.split('\n').length - 1

export const wideLines = (text: string): number =>
  text.split('\n').filter((line) => line.length > WIDE_COLUMNS).length

/**
 * How many members of the types `…Options` in a source are functions. @throws if the source can't be parsed.
 */
export function optionCallbacks(file: string, source: string): number {
  let count = 0
  const addMembers = (members: readonly object[]): void => {
    for (const member of members) {
      const { type, typeAnnotation } = member as {
        readonly type: string
        readonly typeAnnotation?: { readonly typeAnnotation?: { readonly type?: string } }
      }
      if (type === 'TSMethodSignature' || typeAnnotation?.typeAnnotation?.type === 'TSFunctionType') count++
    }
  }
  new Visitor({
    TSInterfaceDeclaration: (node) => {
      if (node.id.name.endsWith('Options')) addMembers(node.body.body)
    },
    TSTypeAliasDeclaration: (node) => {
      if (node.id.name.endsWith('Options') && node.typeAnnotation.type === 'TSTypeLiteral')
        addMembers(node.typeAnnotation.members)
    },
  }).visit(parseSource(file, source).program)
  return count
}

/** The crumbs among the sources, which are given by path. */
export function crumbsIn(sources: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, Set<string>>()
  for (const [file, source] of sources) {
    for (const { specifier } of reachesOf(file, source)) {
      if (specifier?.startsWith('.') !== true) continue
      const to = posix.join(posix.dirname(file), specifier)
      importers.set(to, (importers.get(to) ?? new Set()).add(file))
    }
  }
  return [...sources]
    .filter(([file, source]) => linesOf(source) < CRUMB_LINES && importers.get(file)?.size === 1)
    .map(([file]) => file)
}

/** The way of one file, as `way.ts` prints it: files in the order in which they are entered. */
export function wayWeights(way: readonly string[]): {
  readonly files: number
  readonly changes: number
  readonly returns: number
} {
  const folders = way.map((file) => posix.dirname(file)).filter((folder, at, all) => folder !== all[at - 1])
  return {
    files: way.length,
    changes: Math.max(0, folders.length - 1),
    returns: folders.length - new Set(folders).size,
  }
}
