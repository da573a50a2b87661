// The disk's worker thread on a computer where one drive doesn't answer: every call for a path below `dead`
// first reads a silent file (silent-file.ts), and so blocks in a system call. If `readMsPerMiB` is given,
// reading takes that long on every drive.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { workerData } from 'node:worker_threads'

const { dead, silent, readMsPerMiB } = workerData as {
  readonly dead: string
  readonly silent: string
  readonly readMsPerMiB: number
}

const { openSync, readSync, closeSync } = fs
const getStuck = (): void => {
  const fd = openSync(silent, 'r')
  readSync(fd, new Uint8Array(1))
  closeSync(fd)
}
for (const name of ['lstatSync', 'readdirSync', 'openSync'] as const) {
  const call = fs[name] as (path: unknown, ...rest: unknown[]) => unknown
  const stuck = (path: unknown, ...rest: unknown[]): unknown => {
    // An open directory is named by its descriptor.
    const full = String(path).replace(/^\/proc\/self\/fd\/\d+(?=\/)/, (fd) => fs.readlinkSync(fd))
    if (full.startsWith(dead)) getStuck()
    return call(path, ...rest)
  }
  Object.assign(fs, { [name]: stuck })
}
const native = fs.realpathSync.native as (path: unknown, ...rest: unknown[]) => unknown
fs.realpathSync.native = ((path: unknown, ...rest: unknown[]): unknown => {
  if (String(path).startsWith(dead)) getStuck()
  return native(path, ...rest)
}) as typeof fs.realpathSync.native
const read = fs.readSync as (...args: unknown[]) => number
fs.readSync = (...args: unknown[]): number => {
  const bytes = read(...args)
  const ms = (bytes / (1 << 20)) * readMsPerMiB
  if (ms >= 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  return bytes
}
syncBuiltinESMExports()
await import('../../src-main/platform/worker/worker-main.ts')
