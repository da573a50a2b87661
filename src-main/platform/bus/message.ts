// The wire format of D-Bus messages: writes method calls, and reads replies and signals. Pure.

/** Message types. */
const METHOD_CALL = 1
export const METHOD_RETURN = 2
export const SIGNAL = 4

/** Codes of the header fields. */
const PATH = 1
const INTERFACE = 2
const MEMBER = 3
const REPLY_SERIAL = 5
const DESTINATION = 6
const SENDER = 7
const SIGNATURE = 8

/** The types of a header: byte order, message type, flags, version, body length, serial number, fields. */
const HEADER = 'yyyyuua(yv)'
/** Bytes of a message up to and including the length of the array of header fields. */
const FIXED_HEADER_BYTES = 16
const LITTLE_ENDIAN = 0x6c
const VERSION = 1

/** The alignment of each type by its first character, in bytes. It is also the size of a number. */
const ALIGNMENT = new Map([
  ...'ygv'.split('').map((type) => [type, 1] as const),
  ...'nq'.split('').map((type) => [type, 2] as const),
  ...'biuhsoa'.split('').map((type) => [type, 4] as const),
  ...'xtd({'.split('').map((type) => [type, 8] as const),
])

/** A value that was read. Numbers of 8 bytes are read as NaN, because no message here needs them. */
export type Value = string | number | boolean | readonly Value[]

/** A value to write. A variant names the type of its value; structures and dictionary entries are arrays. */
export type Argument =
  | string
  | number
  | boolean
  | { readonly type: string; readonly value: Argument }
  | readonly Argument[]

export interface MethodCall {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  /** The types of the arguments; a string each by default. */
  readonly signature?: string
  readonly args: readonly Argument[]
}

export interface Message {
  readonly type: number
  /** The serial number of the call that this message answers; null if it isn't a reply. */
  readonly replyTo: number | null
  /** The unique name of the sender, which the bus sets; '' if unknown. */
  readonly sender: string
  /** The object that the message is from or for; '' in a reply. */
  readonly path: string
  readonly member: string
  /** Reads the values, only on demand: most signals aren't of interest. Throws if they are invalid. */
  body(): readonly Value[]
}

/** Splits a signature into its complete types: `susa{sv}` into `s`, `u`, `s` and `a{sv}`. */
function typesOf(signature: string): readonly string[] {
  const types: string[] = []
  for (let at = 0; at < signature.length; ) {
    const end = endOfType(signature, at)
    types.push(signature.slice(at, end))
    at = end
  }
  return types
}

function endOfType(signature: string, at: number): number {
  const first = signature.charAt(at)
  if (first === 'a') return endOfType(signature, at + 1)
  if (first !== '(' && first !== '{') return at + 1
  let end = at + 1
  while (end < signature.length && !')}'.includes(signature.charAt(end))) end = endOfType(signature, end)
  return end + 1
}

function alignmentOf(type: string): number {
  const alignment = ALIGNMENT.get(type.charAt(0))
  if (alignment === undefined) throw new Error(`${JSON.stringify(type)} is not a D-Bus type.`)
  return alignment
}

class Writer {
  readonly #parts: Buffer[] = []
  #at: number

  /** `at` is the position in the message, on which the alignment depends. */
  constructor(at = 0) {
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  align(to: number): void {
    this.#add(Buffer.alloc(-this.#at & (to - 1)))
  }

  write(type: string, value: Argument): void {
    this.align(alignmentOf(type))
    if (Array.isArray(value)) this.#list(type, value as readonly Argument[])
    else if (typeof value === 'object') {
      const variant = value as { readonly type: string; readonly value: Argument }
      this.write('g', variant.type)
      this.write(variant.type, variant.value)
    } else if (typeof value === 'string') {
      // A string that contained a NUL would be invalid, and the bus would end the connection.
      const bytes = Buffer.from(value.replaceAll('\0', ''))
      this.write(type === 'g' ? 'y' : 'u', bytes.length)
      this.#add(bytes)
      this.#add(Buffer.alloc(1))
    } else {
      const bytes = Buffer.alloc(type === 'y' ? 1 : 4)
      if (type === 'y') bytes.writeUInt8(Number(value))
      else if (type === 'i') bytes.writeInt32LE(Number(value))
      else bytes.writeUInt32LE(Number(value))
      this.#add(bytes)
    }
  }

  writeAll(signature: string, values: readonly Argument[]): void {
    for (const [at, type] of typesOf(signature).entries()) this.write(type, values[at] ?? '')
  }

  done(): Buffer {
    return Buffer.concat(this.#parts)
  }

  #list(type: string, values: readonly Argument[]): void {
    if (!type.startsWith('a')) return this.writeAll(type.slice(1, -1), values)
    const element = type.slice(1)
    const start = this.#at + 4
    // The padding before the first element isn't part of the length.
    const items = new Writer(start + (-start & (alignmentOf(element) - 1)))
    const from = items.at
    for (const one of values) items.write(element, one)
    this.write('u', items.at - from)
    this.align(alignmentOf(element))
    this.#add(items.done())
  }

  #add(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#at += bytes.length
  }
}

export function encodeCall(call: MethodCall, serial: number): Buffer {
  const signature = call.signature ?? 's'.repeat(call.args.length)
  const body = new Writer()
  body.writeAll(signature, call.args)
  const field = (code: number, type: string, value: string): Argument => [code, { type, value }]
  const head = new Writer()
  head.writeAll(HEADER, [
    LITTLE_ENDIAN,
    METHOD_CALL,
    0,
    VERSION,
    body.at,
    serial,
    [
      field(PATH, 'o', call.path),
      field(INTERFACE, 's', call.interface),
      field(MEMBER, 's', call.member),
      field(DESTINATION, 's', call.destination),
      ...(signature === '' ? [] : [field(SIGNATURE, 'g', signature)]),
    ],
  ])
  head.align(8)
  return Buffer.concat([head.done(), body.done()])
}

class Reader {
  readonly #bytes: Buffer
  readonly #isLittle: boolean
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#isLittle = bytes[0] === LITTLE_ENDIAN
    this.#at = at
  }

  align(to: number): void {
    this.#at += -this.#at & (to - 1)
  }

  readAll(signature: string): readonly Value[] {
    return typesOf(signature).map((type) => this.#read(type))
  }

  /** The position in the message. */
  get at(): number {
    return this.#at
  }

  #read(type: string): Value {
    const size = alignmentOf(type)
    this.align(size)
    switch (type.charAt(0)) {
      case 's':
      case 'o':
        return this.#text(this.#number(4))
      case 'g':
        return this.#text(this.#number(1))
      case 'v':
        return this.#read(this.#text(this.#number(1)))
      case 'a':
        return this.#list(type.slice(1))
      case '(':
      case '{':
        return this.readAll(type.slice(1, -1))
      case 'b':
        return this.#number(4) !== 0
      default:
        return this.#number(size)
    }
  }

  #list(element: string): readonly Value[] {
    const length = this.#number(4)
    this.align(alignmentOf(element))
    const end = this.#at + length
    const items: Value[] = []
    while (this.#at < end) {
      const before = this.#at
      items.push(this.#read(element))
      if (this.#at === before) throw new Error('An array has elements without content.')
    }
    return items
  }

  #number(size: number): number {
    this.#at += size
    const at = this.#at - size
    if (size > 4) return Number.NaN
    return this.#isLittle ? this.#bytes.readUIntLE(at, size) : this.#bytes.readUIntBE(at, size)
  }

  #text(length: number): string {
    this.#at += length + 1
    if (this.#at > this.#bytes.length) throw new Error('A string is longer than its message.')
    return this.#bytes.toString('utf8', this.#at - length - 1, this.#at - 1)
  }
}

/** The length of the message at the start of `bytes`; null if too few bytes have arrived to determine it. */
export function messageLength(bytes: Buffer): number | null {
  if (bytes.length < FIXED_HEADER_BYTES) return null
  const [body = 0, , fields = 0] = new Reader(bytes, 4).readAll('uuu').map(Number)
  return FIXED_HEADER_BYTES + fields + (-fields & 7) + body
}

/** Decodes `bytes`, which must be one complete message. May throw if it is invalid. */
export function decodeMessage(bytes: Buffer): Message {
  const reader = new Reader(bytes)
  const [, type, , , , , list] = reader.readAll(HEADER)
  const fields = new Map(list as readonly (readonly [number, Value])[])
  const text = (code: number): string => String(fields.get(code) ?? '')
  const replyTo = fields.get(REPLY_SERIAL)
  reader.align(8)
  const { at } = reader
  return {
    type: Number(type),
    replyTo: typeof replyTo === 'number' ? replyTo : null,
    sender: text(SENDER),
    path: text(PATH),
    member: text(MEMBER),
    body: () => new Reader(bytes, at).readAll(text(SIGNATURE)),
  }
}
