// The signature of a Windows program, tested with the smallest files that contain the relevant tables.
// That Windows still runs the program afterwards was tried with Node's executable, outside of these tests.
import { describe, expect, it } from 'vitest'
import { withoutSignature } from '../../../assets/packaging/signature.ts'

const HEADER = 0x80
const ENTRY = HEADER + 24 + 112 + 4 * 8

function program({ magic = 0x20b, offset = 0, size = 0, length = 0x400 } = {}): Buffer {
  const bytes = Buffer.alloc(length, 7)
  bytes.writeUInt32LE(HEADER, 0x3c)
  bytes.write('PE\0\0', HEADER, 'latin1')
  bytes.writeUInt16LE(magic, HEADER + 24)
  bytes.writeUInt32LE(offset, ENTRY)
  bytes.writeUInt32LE(size, ENTRY + 4)
  return bytes
}

describe('withoutSignature', () => {
  it('cuts it off and forgets where it was, and changes nothing else', () => {
    const signed = program({ offset: 0x300, size: 0x100 })
    const before = Buffer.from(signed)
    expect(withoutSignature(signed).equals(program({ length: 0x300 }))).toBe(true)
    expect(signed.equals(before)).toBe(true)
  })

  it('leaves a program alone that has none', () => {
    const bare = program()
    expect(withoutSignature(bare)).toBe(bare)
  })

  it('refuses what it does not know', () => {
    expect(() => withoutSignature(program({ magic: 0x10b }))).toThrow('64-bit')
    expect(() => withoutSignature(Buffer.alloc(0x400))).toThrow('64-bit')
    expect(() => withoutSignature(program({ offset: 0x200, size: 0x100 }))).toThrow('end of the program')
  })
})
