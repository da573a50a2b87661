// Runs in the inspection thread. Searches large files and archives for secrets, which would block the
// engine's thread for too long. Opens each file itself, because reading an archive needs random access, and
// verifies that the engine has the same file open.
import { closeSync, readSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { DiskError, type DiskFailure, type Entry, type SecretLine } from '../../engine/ports.ts'
import {
  type ByteSource,
  type SecretRule,
  searchWhile,
  secretInSource,
  secretLine,
} from '../../engine/rules/secrets.ts'
import { cpuLimit } from './cpu-limit.ts'
import { diskFailure } from './disk-errors.ts'
import { lastName, toEntry } from './disk-worker.ts'
import { Heartbeat, type HeartbeatMessage } from './heartbeat.ts'
import { statOpen } from './inode.ts'
import { FilesInside } from './open-inside.ts'

/**
 * Maximum number of bytes per read. Reads are small, so that one takes long only if the drive doesn't answer.
 */
const READ_MOST = 1 << 20

export interface InspectRequest {
  readonly id: number
  readonly path: string
  readonly expected: Entry
  /** The account's own API key, or null; kept in memory only. */
  readonly key: string | null
  /** CPU time after which the search is given up; null: none, because disk-threads.ts ends it. */
  readonly limitMs: number | null
  /** Whether to answer with the line in which the secret is. */
  readonly isForLine: boolean
}

export type InspectAnswer =
  | { readonly id: number; readonly kind: 'rule'; readonly rule: SecretRule | null }
  | { readonly id: number; readonly kind: 'line'; readonly line: SecretLine | null }
  | { readonly id: number; readonly kind: 'changed' }
  | { readonly id: number; readonly kind: 'slow' }
  | { readonly id: number; readonly kind: 'disk'; readonly failure: DiskFailure }
  | { readonly id: number; readonly kind: 'defect'; readonly message: string }

export function serveInspect(port: MessagePort): void {
  port.on('message', (request: InspectRequest | HeartbeatMessage) => {
    if ('kind' in request) heartbeat = new Heartbeat(request.shared)
    else port.postMessage(inspectFile(request) satisfies InspectAnswer)
  })
}

let heartbeat = new Heartbeat()

/**
 * Marks the thread as busy only during a system call, so that a thread that searches data in memory doesn't
 * count as stuck.
 */
function calling<T>(id: number, call: () => T): T {
  heartbeat.serving(id)
  try {
    return call()
  } finally {
    heartbeat.serving(0)
  }
}

function sourceOf(id: number, fd: number, size: number): ByteSource {
  return {
    size,
    read: (position, length, into) => {
      const wanted = Math.max(0, Math.min(length, size - position))
      const buffer = into?.subarray(0, wanted) ?? Buffer.allocUnsafeSlow(wanted)
      let filled = 0
      while (filled < buffer.length) {
        const n = calling(id, () =>
          readSync(fd, buffer, filled, Math.min(READ_MOST, buffer.length - filled), position + filled),
        )
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

function inspectFile({ id, path, expected, key, limitMs, isForLine }: InspectRequest): InspectAnswer {
  const name = lastName(path)
  const inside = new FilesInside()
  let fd: number | null = null
  try {
    const opened = calling(id, () => inside.open(path).fd)
    fd = opened
    const stat = (): Entry =>
      toEntry(
        name,
        calling(id, () => statOpen(opened)),
      )
    if (!isSame(stat(), expected)) return { id, kind: 'changed' }
    const source = sourceOf(id, fd, expected.size)
    if (isForLine)
      return { id, kind: 'line', line: heartbeat.searching(id, () => secretLine(source, name, key)) }
    const search = (): SecretRule | null => secretInSource(source, name, key)
    const rule = heartbeat.searching(id, () =>
      limitMs === null ? search() : searchWhile(cpuLimit(limitMs), search),
    )
    if (rule === 'slow') return { id, kind: 'slow' }
    return isSame(stat(), expected) ? { id, kind: 'rule', rule } : { id, kind: 'changed' }
  } catch (error) {
    if (error instanceof DiskError) return { id, kind: 'disk', failure: error.failure }
    if (error instanceof Error && 'code' in error && 'syscall' in error)
      return { id, kind: 'disk', failure: diskFailure(error) }
    return {
      id,
      kind: 'defect',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  } finally {
    if (fd !== null) closeSync(fd)
    inside.close()
  }
}
