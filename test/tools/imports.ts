// Finds what a source file imports with a real parser, and which imports violate the layering of the folders.
// Covers every form of import (static, re-export, dynamic, type, require, URL of a worker) and refuses files
// that it can't parse. Doesn't resolve files; the type checker verifies that they exist.
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { Visitor } from 'vite'
import { parseSource } from './parse.ts'

interface Room {
  /** A folder as a repository path that ends in a slash. */
  readonly at: string
  /** The folders that it may import from besides itself. A file name allows only that file. */
  readonly rooms: readonly string[]
  readonly packages: readonly string[]
  readonly builtins: 'all' | readonly string[]
}

const SHARED = 'src-shared/'
const API = 'src-main/api/'
const ENGINE = 'src-main/engine/'
const PLATFORM = 'src-main/platform/'

/**
 * src-shared ← api ← engine ← platform ← shell | cli, and src-shared ← src-renderer. Everything not listed
 * here is forbidden.
 */
const ROOMS: readonly Room[] = [
  { at: SHARED, rooms: [], packages: ['zod'], builtins: [] },
  { at: API, rooms: [SHARED], packages: ['undici', 'zod'], builtins: 'all' },
  // The engine may use the API's types, and what recognizes the key, but not its client, which is passed in through
  // ports.
  {
    at: ENGINE,
    rooms: [SHARED, `${API}types.ts`, `${API}redact.ts`],
    packages: ['zod'],
    builtins: ['node:crypto', 'node:path', 'node:sqlite', 'node:timers/promises', 'node:zlib'],
  },
  {
    at: PLATFORM,
    rooms: [SHARED, API, ENGINE],
    packages: ['@napi-rs/keyring', 'chokidar', 'undici', 'zod'],
    builtins: 'all',
  },
  {
    at: 'src-main/cli/',
    rooms: [SHARED, API, ENGINE, PLATFORM],
    packages: ['commander', 'string-width', 'zod'],
    builtins: 'all',
  },
  // A trial runs the reference service, so that users try what the tests use.
  {
    at: 'src-main/shell/',
    rooms: [SHARED, API, ENGINE, PLATFORM, 'test/service/service.ts'],
    packages: ['electron', 'uqr', 'zod'],
    builtins: 'all',
  },
  {
    at: 'src-renderer/',
    rooms: [SHARED],
    packages: [
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
      '@tanstack/react-virtual',
      'lucide-react',
      'react',
      'react-aria-components',
      'react-dom',
      'uqr',
      'vite',
      'zustand',
    ],
    builtins: [],
  },
]

/** An import of a file. `specifier` is null if it is computed and therefore unknown. */
export interface Reach {
  readonly specifier: string | null
  readonly line: number
}

/** @throws if the source can't be parsed. */
export function reachesOf(file: string, source: string): Reach[] {
  const { program, module } = parseSource(file, source)
  const found: Reach[] = []
  const add = (specifier: string | null, at: number): void => {
    found.push({ specifier, line: source.slice(0, at).split('\n').length })
  }
  for (const one of module.staticImports) add(one.moduleRequest.value, one.start)
  for (const one of module.staticExports) {
    const request = one.entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest
    if (request !== undefined && request !== null) add(request.value, one.start)
  }
  const text = (node: { readonly type: string; readonly value?: unknown } | undefined): string | null =>
    node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
  new Visitor({
    ImportExpression: (node) => add(text(node.source), node.start),
    TSImportType: (node) => add(text(node.source), node.start),
    TSExternalModuleReference: (node) => add(text(node.expression), node.start),
    CallExpression: (node) => {
      const { callee } = node
      const name =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
          ? callee.property.name
          : null
      const plain = callee.type === 'Identifier' ? callee.name : null
      if (plain === 'require' || name === 'getBuiltinModule') add(text(node.arguments[0]), node.start)
    },
    NewExpression: (node) => {
      const first = text(node.arguments[0])
      if (node.callee.type === 'Identifier' && node.callee.name === 'URL' && first?.startsWith('.'))
        add(first, node.start)
    },
  }).visit(program)
  return found.toSorted((a, b) => a.line - b.line)
}

/** Forbidden imports of this file, one sentence each. `file` is a repository path with forward slashes. */
export function wrongWays(file: string, source: string): string[] {
  if (!file.startsWith('src-')) return []
  const room = ROOMS.find((one) => file.startsWith(one.at))
  if (room === undefined) return [`${file} stands in no known room`]
  const faults: string[] = []
  for (const { specifier, line } of reachesOf(file, source)) {
    const why = specifier === null ? 'what it imports is computed' : refuse(room, file, specifier)
    if (why !== null) faults.push(`${file}:${line} ${why}`)
  }
  return faults
}

function refuse(room: Room, file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(file), specifier)
    const open = [room.at, ...room.rooms].some((one) =>
      one.endsWith('/') ? target.startsWith(one) : target === one,
    )
    return open ? null : `${room.at} may not reach into ${target}`
  }
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith('node:')) return `write node:${specifier}`
    return room.builtins === 'all' || room.builtins.includes(specifier)
      ? null
      : `${room.at} may not use ${specifier}`
  }
  const parts = specifier.split('/')
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  return room.packages.includes(name) ? null : `${room.at} may not use the package ${name}`
}
