// The wire format of D-Bus messages, as far as Slipway needs it: method calls with strings as arguments, and
// replies whose first value is a boolean, a string, or a variant of these. Pure.

/** Message types. */
export const METHOD_RETURN = 2
export const SIGNAL = 4

/** Codes of the header fields. */
const PATH = 1
const INTERFACE = 2
const MEMBER = 3
const REPLY_SERIAL = 5
const DESTINATION = 6
const SIGNATURE = 8

/** Bytes of a message up to and including the length of the array of header fields. */
const FIXED_HEADER_BYTES = 16

export interface MethodCall {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly args: readonly string[]
}

export interface Message {
  readonly type: number
  /** The serial number of the call that this message answers; null if it isn't a reply. */
  readonly replyTo: number | null
  /** The first value of the body; null if there is none or if it has another type. */
  readonly value: string | boolean | null
}

class Writer {
  #bytes: number[] = []

  align(to: number): void {
    while (this.#bytes.length % to !== 0) this.#bytes.push(0)
  }

  byte(value: number): void {
    this.#bytes.push(value)
  }

  uint32(value: number): void {
    this.align(4)
    this.#bytes.push(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24)
  }

  text(value: string): void {
    const bytes = Buffer.from(value)
    this.uint32(bytes.length)
    this.#bytes.push(...bytes, 0)
  }

  signature(value: string): void {
    this.#bytes.push(value.length, ...Buffer.from(value), 0)
  }

  done(): Buffer {
    return Buffer.from(this.#bytes)
  }
}

export function encodeCall(call: MethodCall, serial: number): Buffer {
  const body = new Writer()
  for (const arg of call.args) body.text(arg)
  const bodyBytes = body.done()
  const fields = new Writer()
  const field = (code: number, type: 's' | 'o' | 'g', value: string): void => {
    fields.align(8)
    fields.byte(code)
    fields.signature(type)
    if (type === 'g') fields.signature(value)
    else fields.text(value)
  }
  field(PATH, 'o', call.path)
  field(INTERFACE, 's', call.interface)
  field(MEMBER, 's', call.member)
  field(DESTINATION, 's', call.destination)
  if (call.args.length > 0) field(SIGNATURE, 'g', 's'.repeat(call.args.length))
  const fieldBytes = fields.done()
  const head = new Writer()
  for (const byte of [0x6c, 1, 0, 1]) head.byte(byte)
  head.uint32(bodyBytes.length)
  head.uint32(serial)
  head.uint32(fieldBytes.length)
  // The fields begin at offset 16, a multiple of 8. Values aligned within the fields are therefore aligned in
  // the message.
  const front = Buffer.concat([head.done(), fieldBytes])
  return Buffer.concat([front, Buffer.alloc(-front.length & 7), bodyBytes])
}

class Reader {
  readonly #bytes: Buffer
  readonly #isLittle: boolean
  #at: number

  constructor(bytes: Buffer, isLittle: boolean, at: number) {
    this.#bytes = bytes
    this.#isLittle = isLittle
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  align(to: number): void {
    this.#at += -this.#at & (to - 1)
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  uint32(): number {
    this.align(4)
    this.#at += 4
    return this.#isLittle ? this.#bytes.readUInt32LE(this.#at - 4) : this.#bytes.readUInt32BE(this.#at - 4)
  }

  text(length: number): string {
    this.#at += length + 1
    return this.#bytes.toString('utf8', this.#at - length - 1, this.#at - 1)
  }

  /** Reads the next value, which has this D-Bus type. Returns null if the type isn't supported. */
  value(type: string): string | number | boolean | null {
    switch (type) {
      case 'b':
        return this.uint32() !== 0
      case 'u':
        return this.uint32()
      case 's':
      case 'o':
        return this.text(this.uint32())
      case 'g':
        return this.text(this.byte())
      case 'v':
        return this.value(this.text(this.byte()))
      default:
        return null
    }
  }
}

/** The length of the message at the start of `bytes`; null if too few bytes have arrived to determine it. */
export function messageLength(bytes: Buffer): number | null {
  if (bytes.length < FIXED_HEADER_BYTES) return null
  const reader = new Reader(bytes, bytes[0] === 0x6c, 4)
  const body = reader.uint32()
  reader.uint32()
  const fields = reader.uint32()
  return FIXED_HEADER_BYTES + fields + (-fields & 7) + body
}

/** Decodes `bytes`, which must be one complete message. May throw if it is invalid. */
export function decodeMessage(bytes: Buffer): Message {
  const isLittle = bytes[0] === 0x6c
  const reader = new Reader(bytes, isLittle, 12)
  const end = FIXED_HEADER_BYTES + reader.uint32()
  let replyTo: number | null = null
  let signature = ''
  while (reader.at < end) {
    reader.align(8)
    const code = reader.byte()
    const value = reader.value('v')
    if (code === REPLY_SERIAL && typeof value === 'number') replyTo = value
    if (code === SIGNATURE && typeof value === 'string') signature = value
  }
  reader.align(8)
  const value = signature === '' ? null : reader.value(signature.charAt(0))
  return { type: bytes.readUInt8(1), replyTo, value: typeof value === 'number' ? null : value }
}
