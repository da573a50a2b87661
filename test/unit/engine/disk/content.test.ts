// The body of a large file: what becomes of the request, and of the process, if the file can't be read to its
// end.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { streamBody } from '../../../../src-main/engine/disk/content.ts'
import { DiskError, type Entry, type OpenFile } from '../../../../src-main/engine/ports.ts'

const SIZE = 4 * 1024 * 1024
const ENTRY: Entry = { name: 'a', kind: 'file', size: SIZE, mtime: 1, ctime: 1, ino: 1, dev: 1 }
const hashing = {
  now: () => '',
  stream: () => ({ update: () => undefined, digest: async () => '', drop: () => undefined }),
}

function fileThatFailsAfterFirstRead(): OpenFile {
  return {
    first: ENTRY,
    above: [],
    stat: async () => ENTRY,
    read: async (into, position) => {
      if (position > 0) throw new DiskError({ code: 'io', message: 'unplugged' })
      return into.length
    },
    close: async () => undefined,
  }
}

it('reports a failed read to the request, and to nothing else, while a chunk is still being sent', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  try {
    const chunks = streamBody(fileThatFailsAfterFirstRead(), ENTRY, hashing).body()[Symbol.asyncIterator]()
    expect((await chunks.next()).done).toBe(false)
    // The connection takes its time with this chunk, and the next one has already been read.
    for (let i = 0; i < 5; i++) await turn()
    await expect(chunks.next()).rejects.toThrow('unplugged')
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
    for (const other of others) process.on('unhandledRejection', other)
  }
})
