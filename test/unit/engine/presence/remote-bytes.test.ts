// What is read behind a public link: never without an end, however long the service sends.
import { expect, it, vi } from 'vitest'
import { COMPARE_MOST_BYTES, hashLink } from '../../../../src-main/engine/presence/remote-bytes.ts'

it('a link whose response has no end is given up, and can never be compared', async () => {
  const chunk = new Uint8Array(64 * 1024 * 1024)
  let sent = 0
  const hasher = { update: () => undefined, digest: vi.fn(), drop: vi.fn() }
  const db = { tx: (work: () => unknown) => work(), soon: vi.fn() }
  const options = {
    ports: { hashing: { stream: () => hasher } },
    db,
    remote: { noteLook: () => undefined },
    likes: {},
    downloads: {
      read: async (_link: string, onChunk: (chunk: Uint8Array) => void) => {
        try {
          for (; sent < 100; sent++) onChunk(chunk)
        } catch {
          return { got: 'later', mayCount: true }
        }
        return { got: 'whole', mayCount: true }
      },
    },
  } as unknown as Parameters<typeof hashLink>[0]
  const file = { fileId: 1, publicLink: 'https://files.example.com/d/1' }
  expect(await hashLink(options, file, () => true, new AbortController().signal)).toBe('never')
  expect(sent * chunk.length).toBeLessThanOrEqual(COMPARE_MOST_BYTES)
  expect([hasher.drop.mock.calls.length, db.soon.mock.calls.length]).toEqual([1, 0])
})
