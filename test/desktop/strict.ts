// Makes access to a member that the stand-in lacks throw an error with the member's name in Electron, instead
// of yielding undefined. Knows no API itself; it only guards objects and classes defined elsewhere.

/**
 * Members that engines, test tools and promises access on every object. They aren't part of Electron's API.
 */
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
      if (typeof key === 'symbol' || key in target || ASKED_OF_ANYTHING.has(key))
        return Reflect.get(target, key, receiver)
      throw notImplemented(`${name}.${key}`)
    },
  }
}

/**
 * The guard is at the end of the prototype chain, so only missing members reach it, and existing members can
 * still be replaced.
 */
export function strict<T extends object>(name: string, members: T): T {
  const next: unknown = Object.getPrototypeOf(members)
  return Object.setPrototypeOf(
    members,
    new Proxy(Object.create(next as object | null) as object, guard(name)),
  ) as T
}

/** Guards the instances and static members of a class. `instanceof` and `super()` keep working. */
export function strictClass(name: string, type: { readonly prototype: object }): void {
  const above = Object.getPrototypeOf(type.prototype) as object
  Object.setPrototypeOf(type.prototype, new Proxy(Object.create(above) as object, guard(name)))
  Object.setPrototypeOf(type, new Proxy(Object.getPrototypeOf(type) as object, guard(name)))
}

/**
 * Makes an object behave like a destroyed one in Electron: using it throws, except for inherited methods,
 * such as those for listeners, and the members in `alive`. `members`: further members that throw.
 */
export function endObject(
  object: object,
  alive: readonly string[],
  members: readonly string[],
  fault = new TypeError('Object has been destroyed'),
): void {
  const own = Object.entries(object).flatMap(([name, value]) =>
    typeof value === 'function' && !name.startsWith('_') ? [name] : [],
  )
  const shared = Object.getOwnPropertyNames(Object.getPrototypeOf(object))
  for (const name of [...own, ...shared, ...members]) {
    if (name === 'constructor' || alive.includes(name)) continue
    Object.defineProperty(object, name, {
      configurable: true,
      get: () => {
        throw fault
      },
    })
  }
}

/** A part of Electron that isn't implemented: every member, call and construction throws. */
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
