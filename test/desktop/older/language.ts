// Functions of JavaScript and the web that the app uses and an older Node or Chromium lacks. Each is added only
// where it is missing, and covers what the app and its packages use.

function add(holder: object, functions: Readonly<Record<PropertyKey, unknown>>): void {
  for (const name of Reflect.ownKeys(functions))
    if (!(name in holder))
      Object.defineProperty(holder, name, {
        value: functions[name as string],
        writable: true,
        configurable: true,
      })
}

add(Symbol, { dispose: Symbol('Symbol.dispose'), asyncDispose: Symbol('Symbol.asyncDispose') })

add(Promise, {
  withResolvers() {
    let resolve: unknown
    let reject: unknown
    const promise = new Promise((yes, no) => {
      resolve = yes
      reject = no
    })
    return { promise, resolve, reject }
  },
})

add(Map, {
  groupBy(items: Iterable<unknown>, key: (item: unknown, at: number) => unknown) {
    const groups = new Map<unknown, unknown[]>()
    let at = 0
    for (const one of items) {
      const name = key(one, at++)
      const group = groups.get(name)
      if (group === undefined) groups.set(name, [one])
      else group.push(one)
    }
    return groups
  },
})
add(Object, {
  groupBy: (items: Iterable<unknown>, key: (item: unknown, at: number) => string) =>
    Object.assign(Object.create(null) as object, Object.fromEntries(Map.groupBy(items, key))),
})

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object
type Items = Iterable<unknown>
type Each = (item: unknown, at: number) => unknown
/** The results are generators, which have these functions as well. */
add(iteratorPrototype, {
  *map(this: Items, change: Each) {
    let at = 0
    for (const one of this) yield change(one, at++)
  },
  *filter(this: Items, keep: Each) {
    let at = 0
    for (const one of this) if (keep(one, at++)) yield one
  },
  *flatMap(this: Items, change: (item: unknown, at: number) => Items) {
    let at = 0
    for (const one of this) yield* change(one, at++)
  },
  *take(this: Items, count: number) {
    let left = count
    if (left <= 0) return
    for (const one of this) {
      yield one
      if (--left <= 0) return
    }
  },
  *drop(this: Items, count: number) {
    let left = count
    for (const one of this) if (left-- <= 0) yield one
  },
  toArray(this: Items) {
    return [...this]
  },
  forEach(this: Items, run: Each) {
    let at = 0
    for (const one of this) run(one, at++)
  },
  some(this: Items, test: Each) {
    let at = 0
    for (const one of this) if (test(one, at++)) return true
    return false
  },
  every(this: Items, test: Each) {
    let at = 0
    for (const one of this) if (!test(one, at++)) return false
    return true
  },
  find(this: Items, test: Each) {
    let at = 0
    for (const one of this) if (test(one, at++)) return one
    return undefined
  },
  reduce(this: Items, ...args: [(all: unknown, one: unknown) => unknown, unknown?]) {
    const [join, ...start] = args
    return start.length === 0 ? [...this].reduce(join) : [...this].reduce(join, start[0])
  },
})
function Iterator(): void {
  // Only a base class and a holder of `from`.
}
Iterator.prototype = iteratorPrototype
add(globalThis, { Iterator })
add(globalThis.Iterator, { from: (items: Items) => [...items].values() })

add(URL, {
  canParse(address: string, base?: string) {
    try {
      return new URL(address, base) instanceof URL
    } catch {
      return false
    }
  },
})
add(AbortSignal, {
  any(signals: Iterable<AbortSignal>) {
    const joint = new AbortController()
    const abort = (by: AbortSignal): void => joint.abort(by.reason)
    for (const one of signals) {
      if (one.aborted) abort(one)
      else one.addEventListener('abort', () => abort(one), { once: true, signal: joint.signal })
    }
    return joint.signal
  },
})
