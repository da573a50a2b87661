// Structured clone over text, for both ends of the connection between main and preload. Everything that
// Electron can clone arrives unchanged; for everything else it throws Electron's error. The function is sent
// to the browser as source code, so it must not refer to anything outside.
export interface Codec {
  readonly encode: (value: unknown) => string
  readonly decode: (text: string) => unknown
}

export function createCodec(isProxy: (value: unknown) => boolean = () => false): Codec {
  const plainError = [
    'Error',
    'EvalError',
    'RangeError',
    'ReferenceError',
    'SyntaxError',
    'TypeError',
    'URIError',
  ]

  const toBase64 = (bytes: Uint8Array): string => {
    if (typeof Buffer === 'function')
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    let text = ''
    // A call accepts a limited number of arguments; 32 K is safe everywhere.
    for (let at = 0; at < bytes.length; at += 32_768)
      text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
    return btoa(text)
  }
  const fromBase64 = (text: string): Uint8Array =>
    typeof Buffer === 'function'
      ? new Uint8Array(Buffer.from(text, 'base64'))
      : Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
  const refuse = (): never => {
    throw new Error('An object could not be cloned.')
  }

  const encode = (root: unknown): string => {
    const seen = new Map<object, number>()
    const walk = (value: unknown): unknown => {
      if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
      if (value === undefined) return ['undefined']
      if (typeof value === 'number')
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : ['number', Object.is(value, -0) ? '-0' : `${value}`]
      if (typeof value === 'bigint') return ['bigint', `${value}`]
      if (typeof value !== 'object' || isProxy(value)) return refuse()
      const known = seen.get(value)
      if (known !== undefined) return ['same', known]
      seen.set(value, seen.size)
      if (Array.isArray(value)) return ['array', Array.from(value, walk)]
      if (value instanceof Date) return ['date', walk(value.getTime())]
      if (value instanceof RegExp) return ['regexp', value.source, value.flags]
      if (value instanceof Map) return ['map', Array.from(value, ([key, one]) => [walk(key), walk(one)])]
      if (value instanceof Set) return ['set', Array.from(value, walk)]
      if (value instanceof Error) {
        return [
          'error',
          plainError.includes(value.name) ? value.name : 'Error',
          value.message,
          value.stack ?? '',
          'cause' in value ? [walk(value.cause)] : [],
        ]
      }
      if (value instanceof ArrayBuffer) return ['buffer', toBase64(new Uint8Array(value))]
      if (ArrayBuffer.isView(value)) {
        const bytes = new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength)
        return ['view', Object.prototype.toString.call(value).slice(8, -1), toBase64(bytes)]
      }
      // Boxed primitives can be cloned. Everything else whose tag isn't that of a plain record can't:
      // promises, weak collections, DOM objects.
      const tag = Object.prototype.toString.call(value)
      if (tag === '[object Boolean]' || tag === '[object Number]' || tag === '[object String]')
        return ['boxed', (value as { valueOf: () => unknown }).valueOf()]
      if (tag !== '[object Object]') return refuse()
      return ['object', Object.entries(value).map(([key, one]) => [key, walk(one)])]
    }
    return JSON.stringify(walk(root))
  }

  const decode = (text: string): unknown => {
    const seen: unknown[] = []
    const keep = <T>(value: T): T => {
      seen.push(value)
      return value
    }
    const walk = (value: unknown): unknown => {
      if (!Array.isArray(value)) return value
      const [kind, one, two, three, four] = value as unknown as readonly [
        string,
        never,
        never,
        never,
        readonly unknown[],
      ]
      switch (kind) {
        case 'undefined':
          return undefined
        case 'number':
          return Number(one)
        case 'bigint':
          return BigInt(one)
        case 'same':
          return seen[one]
        case 'array': {
          const list: unknown[] = keep([])
          for (const item of one as readonly unknown[]) list.push(walk(item))
          return list
        }
        case 'date':
          return keep(new Date(walk(one) as number))
        case 'regexp':
          return keep(new RegExp(one, two))
        case 'map': {
          const map = keep(new Map<unknown, unknown>())
          for (const [key, item] of one as readonly (readonly [unknown, unknown])[])
            map.set(walk(key), walk(item))
          return map
        }
        case 'set': {
          const set = keep(new Set())
          for (const item of one as readonly unknown[]) set.add(walk(item))
          return set
        }
        case 'error': {
          const type = (globalThis as unknown as Record<string, ErrorConstructor>)[one] ?? Error
          const error = keep(new type(two))
          error.stack = three
          if (four.length > 0) error.cause = walk(four[0])
          return error
        }
        case 'buffer':
          return keep(fromBase64(one).buffer)
        case 'view': {
          const type =
            (globalThis as unknown as Record<string, new (buffer: ArrayBufferLike) => unknown>)[one] ??
            Uint8Array
          return keep(new type(fromBase64(two).buffer))
        }
        case 'boxed':
          return keep(Object(one) as unknown)
        default: {
          const record: Record<string, unknown> = keep({})
          for (const [key, item] of one as readonly (readonly [string, unknown])[]) record[key] = walk(item)
          return record
        }
      }
    }
    return walk(JSON.parse(text))
  }
  return { encode, decode }
}
