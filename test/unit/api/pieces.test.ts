// A large write in pieces, as Windows needs it: the same bytes in the same order, one piece at a time, and
// none after an error. The socket is a fake; the Windows tests use a real one.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inPieces, oneByOne, PIECE_BYTES } from '../../../src-main/api/connect.ts'

type Done = (error?: Error | null) => void

/** A socket whose writes complete when the test says so. */
function slowSocket() {
  const written: Buffer[] = []
  const pending: Done[] = []
  const end = (error: Error | null = null): boolean => {
    const done = pending.shift()
    done?.(error)
    return done !== undefined
  }
  return {
    written,
    write: (chunk: Buffer, _encoding: BufferEncoding, done: Done): void => {
      written.push(chunk)
      pending.push(done)
    },
    end,
    /** Completes all pending writes. Returns their number. */
    drain: (): number => {
      let count = 0
      while (end()) count++
      return count
    },
  }
}

describe('a large write', () => {
  it('at 1 KB/s ends a piece well before the 60 s after which a connection counts as stalled', () => {
    expect(PIECE_BYTES / 1000).toBeLessThan(40)
  })

  it.each([0, 1, 99, 100, 101, 1000, 1001])(
    'of %i bytes goes out whole, in pieces of at most 100',
    (size) => {
      const { written, write, drain } = slowSocket()
      const data = randomBytes(size)
      let ended = 0
      inPieces(write, 100)(data, 'utf8', () => ended++)
      expect(ended).toBe(0)
      expect(drain()).toBe(written.length)
      expect(Buffer.concat(written).equals(data)).toBe(true)
      expect(Math.max(...written.map((one) => one.length))).toBeLessThanOrEqual(100)
      expect(written.length).toBe(Math.max(1, Math.ceil(size / 100)))
      expect(ended).toBe(1)
    },
  )

  it('has one piece under way at a time, so that each that ends is seen', () => {
    const { written, write, end } = slowSocket()
    inPieces(write, 100)(randomBytes(300), 'utf8', () => undefined)
    expect(written).toHaveLength(1)
    end()
    expect(written).toHaveLength(2)
  })

  it('ends at the first error', () => {
    const { written, write, end } = slowSocket()
    const errors: unknown[] = []
    inPieces(write, 100)(randomBytes(300), 'utf8', (error) => errors.push(error))
    const broken = new Error('reset')
    end(broken)
    expect(end()).toBe(false)
    expect(written).toHaveLength(1)
    expect(errors).toEqual([broken])
  })
})

it('several writes go out one after the other, and none after an error', () => {
  const { written, write, end, drain } = slowSocket()
  const chunks = ['head', 'body', 'tail'].map((text) => ({
    chunk: Buffer.from(text),
    encoding: 'utf8' as const,
  }))
  const ends: unknown[] = []
  oneByOne(write)(chunks, (error) => ends.push(error ?? null))
  expect(drain()).toBe(3)
  expect(written.map(String)).toEqual(['head', 'body', 'tail'])
  expect(ends).toEqual([null])
  const broken = new Error('reset')
  oneByOne(write)(chunks, (error) => ends.push(error ?? null))
  end()
  end(broken)
  expect(end()).toBe(false)
  expect(written).toHaveLength(5)
  expect(ends).toEqual([null, broken])
})
