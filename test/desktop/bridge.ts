// One half of the bridge between the page's world and the preload's world. These share the DOM but no
// JavaScript objects, so calls are sent as synchronous DOM events under a secret name. Chromium clones the
// payload; functions and promises are sent as numbered tokens, as in Electron. The function is sent to the
// browser as source code, so it must not refer to anything outside.
export interface Bridge {
  /** Exposes a value to the other world under a name. Throws what the other world throws. */
  readonly expose: (key: string, value: unknown) => void
  /** Set by the page's half: handles an exposed value. */
  onExpose: (key: string, value: unknown) => void
}

export function createBridge(secret: string, outgoing: string, incoming: string): Bridge {
  type Call = (...args: unknown[]) => unknown
  type Token = readonly ['function' | 'back' | 'promise' | 'error' | 'symbol', number | string, string?]
  interface Packet {
    readonly kind: 'expose' | 'call' | 'answer' | 'settle'
    readonly id: number
    readonly ok: boolean
    readonly value: unknown
  }
  // Save these functions now. A page may replace them later, and its replacements must not see the calls.
  const listen = globalThis.addEventListener.bind(globalThis)
  const fire = globalThis.dispatchEvent.bind(globalThis)
  const Carrier = CustomEvent
  const clone = structuredClone

  const given = new Map<number, Call>()
  const idsOfGiven = new WeakMap<Call, number>()
  const idsOfTaken = new WeakMap<Call, number>()
  const symbols = new Map<string, symbol>()
  const idsOfSymbols = new Map<symbol, string>()
  const waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void }
  >()
  let lastId = 0
  let answer: Packet | undefined

  const post = (packet: Packet): void => {
    fire(new Carrier(outgoing, { detail: packet }))
  }
  const tagOf = (value: object): string => Object.prototype.toString.call(value)
  const token = (...parts: Token): Record<string, Token> => ({ [secret]: parts })

  /** Both worlds have a symbol of their own for each ID. */
  const keepSymbol = (id: string, symbol: symbol): void => {
    symbols.set(id, symbol)
    idsOfSymbols.set(symbol, id)
  }

  const pack = (value: unknown, seen = new Map<object, unknown>(), depth = 0): unknown => {
    if (depth > 1000)
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      )
    if (typeof value === 'function') {
      const call = value as Call
      const taken = idsOfTaken.get(call)
      if (taken !== undefined) return token('back', taken)
      const id = idsOfGiven.get(call) ?? ++lastId
      idsOfGiven.set(call, id)
      given.set(id, call)
      return token('function', id)
    }
    if (typeof value === 'symbol') {
      const id = idsOfSymbols.get(value) ?? `${outgoing} ${++lastId}`
      keepSymbol(id, value)
      return token('symbol', id, value.description)
    }
    if (typeof value !== 'object' || value === null) return value
    const known = seen.get(value)
    if (known !== undefined) return known
    if (value instanceof Promise) {
      const id = ++lastId
      value.then(
        (result: unknown) => settle(id, true, result),
        (error: unknown) => settle(id, false, error),
      )
      return token('promise', id)
    }
    if (value instanceof Error) return token('error', value.message, value.stack)
    if (Array.isArray(value)) {
      const list: unknown[] = []
      seen.set(value, list)
      for (const one of value) list.push(pack(one, seen, depth + 1))
      return list
    }
    if (tagOf(value) === '[object Object]') {
      const record: Record<string, unknown> = {}
      seen.set(value, record)
      for (const [key, one] of Object.entries(value)) record[key] = pack(one, seen, depth + 1)
      return record
    }
    // Chromium would silently drop a payload that can't be cloned; Electron throws.
    try {
      clone(value)
    } catch {
      throw new TypeError('An object could not be cloned.')
    }
    return value
  }

  const settle = (id: number, ok: boolean, value: unknown): void => {
    try {
      post({ kind: 'settle', id, ok, value: pack(value) })
    } catch (error) {
      post({ kind: 'settle', id, ok: false, value: pack(error) })
    }
  }

  const take = (id: number): Call => {
    const call: Call = (...args) => {
      const outer = answer
      answer = undefined
      post({ kind: 'call', id, ok: true, value: pack(args) })
      const got = answer as Packet | undefined
      answer = outer
      if (got === undefined) throw new Error('stand-in: the other world did not answer')
      if (!got.ok) throw unpack(got.value)
      return unpack(got.value)
    }
    idsOfTaken.set(call, id)
    return call
  }

  const unpack = (value: unknown, seen = new Map<object, unknown>()): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = seen.get(value)
    if (known !== undefined) return known
    if (Array.isArray(value)) {
      const list: unknown[] = []
      seen.set(value, list)
      for (const one of value) list.push(unpack(one, seen))
      return list
    }
    if (tagOf(value) !== '[object Object]') return value
    const parts = (value as Record<string, Token | undefined>)[secret]
    if (parts === undefined) {
      const record: Record<string, unknown> = {}
      seen.set(value, record)
      for (const [key, one] of Object.entries(value)) record[key] = unpack(one, seen)
      return record
    }
    const [kind, id, stack] = parts
    switch (kind) {
      case 'function':
        return take(id as number)
      case 'back':
        return given.get(id as number)
      case 'symbol':
        if (!symbols.has(id as string)) keepSymbol(id as string, Symbol(stack))
        return symbols.get(id as string)
      case 'promise':
        return new Promise((resolve, reject) => {
          waiting.set(id as number, { resolve, reject })
        })
      default: {
        const error = new Error(id as string)
        if (stack !== undefined) error.stack = stack
        return error
      }
    }
  }

  const reply = (ok: boolean, value: unknown): void => post({ kind: 'answer', id: 0, ok, value })
  const bridge: Bridge = {
    expose: (key, value) => {
      const outer = answer
      answer = undefined
      post({ kind: 'expose', id: 0, ok: true, value: pack([key, value]) })
      const got = answer as Packet | undefined
      answer = outer
      if (got?.ok === false) throw unpack(got.value)
    },
    onExpose: () => undefined,
  }

  listen(incoming, (event) => {
    event.stopImmediatePropagation()
    const packet = (event as CustomEvent<Packet>).detail
    if (packet.kind === 'answer') {
      answer = packet
      return
    }
    if (packet.kind === 'settle') {
      const asked = waiting.get(packet.id)
      waiting.delete(packet.id)
      if (packet.ok) asked?.resolve(unpack(packet.value))
      else asked?.reject(unpack(packet.value))
      return
    }
    try {
      const args = unpack(packet.value) as unknown[]
      if (packet.kind === 'expose') {
        bridge.onExpose(args[0] as string, args[1])
        reply(true, undefined)
      } else {
        reply(true, pack(given.get(packet.id)?.(...args)))
      }
    } catch (error) {
      const unknown =
        'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.'
      reply(false, pack(error instanceof Error ? error : new Error(unknown)))
    }
  })
  return bridge
}
