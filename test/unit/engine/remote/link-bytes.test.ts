// What is read behind a public link: never without an end, however long the service sends.
import { expect, it, vi } from 'vitest'
import {
  COMPARE_MOST_BYTES,
  Links,
  type LinksOptions,
} from '../../../../src-main/engine/remote/link-bytes.ts'

it('a link whose response has no end is given up, and can never be compared', async () => {
  const chunk = new Uint8Array(64 * 1024 * 1024)
  let sent = 0
  const hasher = { update: () => undefined, digest: vi.fn(), drop: vi.fn() }
  const db = { tx: (work: () => unknown) => work(), soon: vi.fn() }
  const download = async (_link: string, onChunk: (chunk: Uint8Array) => void) => {
    try {
      for (; sent < 100; sent++) onChunk(chunk)
    } catch {
      return { ok: false, failure: { kind: 'aborted', phase: 'answered', message: 'ended by the reader' } }
    }
    return { ok: true }
  }
  const links = new Links({
    identity: { api: () => ({ download }) },
    hashing: { stream: () => hasher },
    journal: { db, remote: { noteLook: () => undefined, undoLook: () => undefined } },
  } as unknown as LinksOptions)
  const file = { fileId: 1, publicLink: 'https://files.example.com/d/1' }
  expect(await links.hash(file, () => true, new AbortController().signal)).toBe('never')
  expect(sent * chunk.length).toBeLessThanOrEqual(COMPARE_MOST_BYTES)
  expect([hasher.drop.mock.calls.length, db.soon.mock.calls.length]).toEqual([1, 0])
})
