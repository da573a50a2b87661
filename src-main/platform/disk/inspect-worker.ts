// The inspection thread: searches large files and archives for secrets, which would block the engine's thread for too long. It opens the
// file itself, because reading an archive needs random access, and verifies that it is the file that the engine has open.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { type ByteSource, type SecretRule, secretInSource } from '../../engine/admission/secrets.ts'
import type { DiskFailure, Entry } from '../../engine/ports.ts'
import { diskFailure } from './disk-errors.ts'
import { lastName, toEntry } from './disk-worker.ts'
import { toNative } from './path-codec.ts'

export interface InspectRequest {
  readonly id: number
  readonly path: string
  readonly expected: Entry
}

export type InspectAnswer =
  | { readonly id: number; readonly kind: 'rule'; readonly rule: SecretRule | null }
  | { readonly id: number; readonly kind: 'changed' }
  | { readonly id: number; readonly kind: 'disk'; readonly failure: DiskFailure }
  | { readonly id: number; readonly kind: 'defect'; readonly message: string }

export function serveInspect(port: MessagePort): void {
  port.on('message', (request: InspectRequest) => port.postMessage(inspectFile(request) satisfies InspectAnswer))
}

function sourceOf(fd: number, size: number): ByteSource {
  return {
    size,
    read: (position, length, into) => {
      const wanted = Math.max(0, Math.min(length, size - position))
      const buffer = into?.subarray(0, wanted) ?? Buffer.allocUnsafeSlow(wanted)
      let filled = 0
      while (filled < buffer.length) {
        const n = readSync(fd, buffer, filled, buffer.length - filled, position + filled)
        if (n === 0) break
        filled += n
      }
      return buffer.subarray(0, filled)
    },
  }
}

function isSame(a: Entry, b: Entry): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtime === b.mtime
}

function inspectFile({ id, path, expected }: InspectRequest): InspectAnswer {
  const name = lastName(path)
  let fd: number | null = null
  try {
    fd = openSync(toNative(path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    if (!isSame(toEntry(name, fstatSync(fd)), expected)) return { id, kind: 'changed' }
    const rule = secretInSource(sourceOf(fd, expected.size), name)
    return isSame(toEntry(name, fstatSync(fd)), expected) ? { id, kind: 'rule', rule } : { id, kind: 'changed' }
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'syscall' in error) return { id, kind: 'disk', failure: diskFailure(error) }
    return { id, kind: 'defect', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    if (fd !== null) closeSync(fd)
  }
}
