// Functions of Node that the app and its packages use and an older Node lacks. Each is added only where it is
// missing. Modules of the app that import such a function by name read it when they call it, so they get these.
import { createRequire, syncBuiltinESMExports } from 'node:module'

const need = createRequire(import.meta.url)
const fs = need('node:fs') as typeof import('node:fs')
const zlib = need('node:zlib') as Record<string, unknown>
const threads = need('node:worker_threads') as Record<string, unknown>
const { File } = need('node:buffer') as { readonly File: unknown }
const path = need('node:path') as typeof import('node:path')

process.getBuiltinModule ??= ((name: string) => {
  try {
    return need(name) as unknown
  } catch {
    return undefined
  }
}) as typeof process.getBuiltinModule

if (!('File' in globalThis)) Reflect.set(globalThis, 'File', File)

for (const name of ['createZstdCompress', 'createZstdDecompress', 'zstdCompress', 'zstdDecompress'])
  zlib[name] ??= () => {
    throw new Error('This Node has no zstd.')
  }

// A mark for objects that no other thread may get; undici sets it.
threads['markAsUncloneable'] ??= () => undefined

type Entry = import('node:fs').Dirent & { parentPath: string }
type Options = { readonly recursive?: boolean; readonly withFileTypes?: boolean } | undefined

const { readdirSync } = fs
const { readdir } = fs.promises
const inFolder = (folder: unknown, entries: readonly unknown[], options: Options): readonly unknown[] => {
  if (options?.withFileTypes === true) for (const one of entries as Entry[]) one.parentPath ??= String(folder)
  return entries
}

function* walk(folder: string): Generator<Entry> {
  for (const one of readdirSync(folder, { withFileTypes: true }) as Entry[]) {
    one.parentPath ??= folder
    yield one
    if (one.isDirectory()) yield* walk(path.join(folder, one.name))
  }
}

// 18.15 ignores `recursive`, and its entries have no `parentPath`.
Object.assign(fs, {
  readdirSync: (folder: string, options: Options) => {
    if (options?.recursive !== true) return inFolder(folder, readdirSync(folder, options as never), options)
    const entries = [...walk(folder)]
    return options.withFileTypes === true
      ? entries
      : entries.map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
  },
})
Object.assign(fs.promises, {
  readdir: async (folder: string, options: Options) =>
    inFolder(folder, await readdir(folder, options as never), options),
})
syncBuiltinESMExports()
