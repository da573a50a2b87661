// Simulates Electron's handling of `*.asar` in a plain Node thread; preloaded with `--import`. Modelled on
// lib/node/asar-fs-wrapper of Electron 45: a file that is an archive looks like a folder, one that only has
// the name doesn't exist, and a path passed or requested as bytes fails in `path.join`. `process.noAsar`
// turns it off. Covers only the calls that Slipway makes.
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join, normalize } from 'node:path'

type Call = (...args: unknown[]) => unknown
type Api = Record<string, Call>

const api = createRequire(import.meta.url)('node:fs') as unknown as Api
const promises = (api as unknown as { readonly promises: Api }).promises
const { openSync, readSync, closeSync, statSync } = fs

interface Inside {
  readonly archive: string
  /** Path inside the archive; '' for the archive itself. */
  readonly rest: string
  readonly valid: boolean
}

/** Returns null for a path that the hooks don't handle. */
function inside(path: unknown): Inside | null {
  if (process.noAsar) return null
  const text = Buffer.isBuffer(path) ? path.toString() : path
  if (typeof text !== 'string') return null
  const found = /^(.*?\.asar)(?:\/(.*))?$/i.exec(normalize(text))
  if (found === null) return null
  const archive = found[1] ?? ''
  try {
    if (statSync(archive).isDirectory()) return null
    // An archive starts with two pickled sizes, of which the first is always 4.
    const fd = openSync(archive, 'r')
    const head = Buffer.alloc(4)
    const n = readSync(fd, head, 0, 4, 0)
    closeSync(fd)
    return { archive, rest: found[2] ?? '', valid: n === 4 && head.readUInt32LE(0) === 4 }
  } catch {
    return null
  }
}

const folder = (): fs.Stats => {
  const stats = statSync('/')
  stats.size = 0
  return stats
}
const invalid = (at: Inside): Error => new Error(`Invalid package ${at.archive}`)

function answer(at: Inside, options: unknown): fs.Stats | null {
  if (!at.valid) {
    if (
      typeof options === 'object' &&
      options !== null &&
      'throwIfNoEntry' in options &&
      options.throwIfNoEntry === false
    )
      return null
    throw invalid(at)
  }
  return folder()
}

for (const name of ['lstatSync', 'statSync'] as const) {
  const old = api[name]
  api[name] = (path, options) => {
    const at = inside(path)
    return at === null ? old?.(path, options) : answer(at, options)
  }
}
for (const name of ['lstat', 'stat'] as const) {
  const old = promises[name]
  promises[name] = async (path, options) => {
    const at = inside(path)
    return at === null ? old?.(path, options) : answer(at, options)
  }
}
for (const name of ['realpath'] as const) {
  const old = promises[name]
  promises[name] = async (path, options) => {
    const at = inside(path)
    if (at === null) return old?.(path, options)
    if (!at.valid) throw invalid(at)
    // If bytes were requested this is a Buffer, which `join` rejects.
    return join((await old?.(at.archive, options)) as string, at.rest)
  }
}
const readdir = api['readdirSync']
api['readdirSync'] = (path, options) => {
  const at = inside(path)
  if (at === null) return readdir?.(path, options)
  if (!at.valid) throw invalid(at)
  return ['package.json']
}
const open = api['open']
api['open'] = (path, ...rest) => {
  const at = inside(path)
  if (at === null) return open?.(path, ...rest)
  const done = rest.at(-1)
  process.nextTick(() => {
    if (typeof done === 'function')
      done(at.valid ? Object.assign(new Error('ENOENT,  not found'), { code: 'ENOENT' }) : invalid(at))
  })
  return undefined
}

syncBuiltinESMExports()
