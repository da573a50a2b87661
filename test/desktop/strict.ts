// Makes sure that what the stand-in lacks is never undefined: asking for it throws, with the name Electron gives it.
// It knows no API itself; it only guards objects and classes that others write.

/** Asked for by engines, test tools and promises of every object; not APIs of Electron. */
const ASKED_OF_ANYTHING = new Set([
  'then',
  'toJSON',
  'constructor',
  'inspect',
  'nodeType',
  '$$typeof',
  'asymmetricMatch',
  'domain',
  'default',
])

export function notImplemented(name: string): Error {
  return new Error(`stand-in: electron.${name} is not implemented`)
}

function guard(name: string): ProxyHandler<object> {
  return {
    get(target, key, receiver): unknown {
      if (typeof key === 'symbol' || key in target || ASKED_OF_ANYTHING.has(key)) return Reflect.get(target, key, receiver)
      throw notImplemented(`${name}.${key}`)
    },
  }
}

/** The guard sits at the end of the prototype chain, so it is reached by missing members alone, and members can still be replaced. */
export function strict<T extends object>(name: string, members: T): T {
  const next: unknown = Object.getPrototypeOf(members)
  return Object.setPrototypeOf(members, new Proxy(Object.create(next as object | null) as object, guard(name))) as T
}

/** Guards instances and statics of a class. `instanceof` and `super()` go on working. */
export function strictClass(name: string, type: { readonly prototype: object }): void {
  const above = Object.getPrototypeOf(type.prototype) as object
  Object.setPrototypeOf(type.prototype, new Proxy(Object.create(above) as object, guard(name)))
  Object.setPrototypeOf(type, new Proxy(Object.getPrototypeOf(type) as object, guard(name)))
}

/** A part of Electron that is not there at all: every member, call and construction throws. */
export function absent(name: string): never {
  const refuse = (): never => {
    throw notImplemented(name)
  }
  return new Proxy(class Absent extends Object {}, {
    get(_target, key): unknown {
      if (typeof key === 'symbol' || ASKED_OF_ANYTHING.has(key) || key === 'prototype') return undefined
      throw notImplemented(`${name}.${key}`)
    },
    set: refuse,
    apply: refuse,
    construct: refuse,
  }) as never
}
