// A seeded storm of hostile messages to the main process, through the function that a page has. The same
// storm runs inside a page of the built app (e2e/guard.spec.ts) and against the handlers alone
// (handlers.test.ts).
import { dirname } from 'node:path'
import { FailureCode } from '../../src-shared/engine-contract.ts'
import type { Bridge } from '../../src-shared/window-contract.ts'
import { ALLOWED, FORBIDDEN, fitting, type Message, ODD_NAMES, oddTexts } from './ipc.ts'

export interface Storm {
  readonly seed: number
  readonly count: number
  readonly lanes: number
  readonly fitting: readonly Message[]
  /** Each of these is sent exactly once, unchanged, because it causes a request or a long wait. */
  readonly dear: readonly Message[]
  readonly forbidden: readonly Message[]
  readonly names: readonly string[]
  /**
   * Procedures that take paths. Only the preload may call them, with paths of files that were really dropped.
   */
  readonly paths: readonly string[]
  readonly texts: readonly string[]
  readonly codes: readonly string[]
  /** Addresses for checking a key. None of them is outside this machine. */
  readonly addresses: readonly string[]
}

export interface Calm {
  readonly sent: number
  /**
   * Number of answers by `ok` or the failure's code; `not copied` counts inputs that the bridge can't clone.
   */
  readonly answers: Readonly<Record<string, number>>
  /**
   * Answers that aren't results, and errors other than those of the bridge for values that can't be cloned.
   */
  readonly odd: readonly string[]
  readonly defects: readonly string[]
  /** Answers to forbidden or unknown names that weren't refusals. */
  readonly leaks: readonly string[]
  readonly deleting: readonly number[]
}

/**
 * Sends the storm through `slipway.call` of the global object. It also runs inside a page, so it uses nothing
 * but its argument and what a page has.
 */
export async function storm(given: Storm): Promise<Calm> {
  const { slipway } = globalThis as unknown as { readonly slipway: Bridge }
  let state = given.seed >>> 0
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number): number => Math.floor(random() * n)
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  const nested = (depth: number): unknown => {
    let value: unknown = 'deep'
    for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { paths: value, value }
    return value
  }
  const circle = (): unknown => {
    const value: Record<string, unknown> = { paths: [], ids: [1] }
    value['self'] = value
    return value
  }
  const hostile = (): unknown => {
    if (below(34) < 10) return one(given.texts)
    // Made only once it is chosen: some are large.
    const values: readonly (() => unknown)[] = [
      () => Number.NaN,
      () => Number.POSITIVE_INFINITY,
      () => -1,
      () => 1.5,
      () => 2 ** 53,
      () => 1e308,
      () => -0,
      () => null,
      () => undefined,
      () => true,
      () => [],
      () => ({}),
      () => nested(40),
      circle,
      () => Array.from({ length: 2000 }, (_, i) => i),
      () => 'x'.repeat(below(60) === 0 ? 3_000_000 : 20_000),
      () => new Date(8.64e15 + 1),
      () => /a+$/,
      () => new Map([['path', '/etc/passwd']]),
      () => new Set([1]),
      () => new Uint8Array(16),
      () => 10n ** 30n,
      () => new Error('paths'),
      () => Promise.resolve({ paths: ['/etc/passwd'] }),
    ]
    return values[below(values.length)]?.()
  }
  const trick = (): unknown =>
    JSON.parse(
      '{"__proto__":{"ok":true,"paths":["/etc/passwd"]},"constructor":{"prototype":{"x":1}},"toString":"x","then":1}',
    )
  const mutated = (input: unknown): unknown => {
    let root = copy(input)
    for (let times = 1 + below(3); times > 0; times--) {
      // A typed array accepts numbers only.
      if (typeof root !== 'object' || root === null || ArrayBuffer.isView(root) || below(12) === 0) {
        root = below(4) === 0 ? trick() : hostile()
        continue
      }
      let at = root as Record<string, unknown>
      let key = one(Object.keys(at).length > 0 ? Object.keys(at) : ['x'])
      while (
        typeof at[key] === 'object' &&
        at[key] !== null &&
        !ArrayBuffer.isView(at[key]) &&
        Object.keys(at[key] as object).length > 0 &&
        below(4) > 0
      ) {
        at = at[key] as Record<string, unknown>
        key = one(Object.keys(at))
      }
      const how = below(10)
      if (how === 0) delete at[key]
      else if (how === 1) at[one(['path', 'paths', 'selector', 'constructor', 'token', 'ok'])] = hostile()
      else if (how === 2)
        Object.defineProperty(at, '__proto__', {
          value: hostile(),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      else at[key] = hostile()
    }
    return root
  }
  /** Checking a key must not contact other machines, nor resolve their names. */
  const tamed = (name: unknown, input: unknown): unknown => {
    if (typeof input !== 'object' || input === null) return input
    const at = input as Record<string, unknown>
    if (name === 'connect' && typeof at['address'] === 'string' && at['address'].length < 5000)
      at['address'] = one(given.addresses)
    if (name === 'change' && typeof at['proxy'] === 'string' && at['proxy'].length < 2001)
      at['proxy'] = 'system'
    return input
  }

  const known = new Set(given.fitting.map(([name]) => name))
  const answers: Record<string, number> = {}
  const odd: string[] = []
  const defects: string[] = []
  const leaks: string[] = []
  const deleting: number[] = []
  const note = (list: string[], text: string): void => {
    if (list.length < 50) list.push(text.slice(0, 400))
  }
  const brief = (value: unknown): string => {
    try {
      return JSON.stringify(value)?.slice(0, 200) ?? String(value)
    } catch {
      return Object.prototype.toString.call(value)
    }
  }
  let sent = 0
  const dear = [...given.dear]

  const next = (): readonly [unknown, unknown] => {
    const pick = below(100)
    if (pick < 40) {
      const [name, input] = one(given.fitting)
      return [name, mutated(input)]
    }
    if (pick < 55) return [one(given.fitting)[0], below(5) === 0 ? trick() : hostile()]
    if (pick < 70) {
      const [name, input] = one(given.forbidden)
      return [name, below(2) === 0 ? input : mutated(input)]
    }
    if (pick < 80) return [one(given.names), below(2) === 0 ? one(given.fitting)[1] : hostile()]
    if (pick < 84) return [one<unknown>([hostile(), ['snapshot'], { toString: () => 'upload' }, trick()]), {}]
    if (pick < 88) return [one(given.paths), { paths: [one(given.texts), one(given.texts)] }]
    return one(given.fitting)
  }

  const lane = async (): Promise<void> => {
    while (sent < given.count) {
      sent++
      const due =
        dear.length > 0 && sent * (given.dear.length / given.count) * 1.1 > given.dear.length - dear.length
      const [name, wild] = due ? (dear.pop() as Message) : next()
      const input = tamed(name, wild)
      let answer: unknown
      try {
        answer = await slipway.call(name as string, input, null)
      } catch (error) {
        const text = String(error)
        // The bridge clones values before it sends anything.
        if (/clon|copied|convert|Symbol|\.constructor property/i.test(text))
          answers['not copied'] = (answers['not copied'] ?? 0) + 1
        else note(odd, `${brief(name)} threw ${text}`)
        continue
      }
      const result = answer as {
        readonly ok?: unknown
        readonly value?: unknown
        readonly failure?: { readonly code?: unknown; readonly title?: unknown; readonly hint?: unknown }
      }
      const { failure } = result ?? {}
      const good = result?.ok === true && 'value' in result && !('failure' in result)
      const bad =
        result?.ok === false &&
        given.codes.includes(failure?.code as string) &&
        typeof failure?.title === 'string' &&
        failure.title !== '' &&
        failure.title.length < 10_000 &&
        (failure.hint === null || typeof failure.hint === 'string')
      if (!good && !bad) note(odd, `${brief(name)} ${brief(input)}: ${brief(answer)}`)
      const kind = good ? 'ok' : String(failure?.code)
      answers[kind] = (answers[kind] ?? 0) + 1
      if (kind === 'defect' && !/clon/i.test(String(failure?.title)))
        note(defects, `${brief(name)} ${brief(input)}: ${brief(answer)}`)
      if (good && (typeof name !== 'string' || !known.has(name)))
        note(leaks, `${brief(name)} ${brief(input)}: ${brief(answer)}`)
      // Null if all of these files are being deleted already.
      if (good && name === 'deleteFiles')
        deleting.push(...((result.value as { readonly fileIds: readonly number[] } | null)?.fileIds ?? []))
    }
  }
  await Promise.all(Array.from({ length: given.lanes }, lane))
  return { sent, answers, odd, defects, leaks, deleting }
}

/** Addresses for checking a key. None of them is outside this machine. */
const ADDRESSES = [
  '127.0.0.1:9',
  'http://127.0.0.1:9',
  'https://127.0.0.1:9/x',
  'http://[::1]:9',
  'http://user:pass@127.0.0.1:9',
  'file:///etc/passwd',
  'http://127.0.0.1:99999',
  ' ',
]
const PATHS = ['drop', 'dropPart', 'keepDrop']
/** Each causes a request or a long wait. */
const SLOW = [
  'connect',
  'stats',
  'signOut',
  'accounts',
  'useAccount',
  'renameAccount',
  'removeAccount',
  'change',
  'uploadClipboard',
  'rescan',
  'licences',
  'retry',
  'deleteFiles',
  'copyLinks',
]

/**
 * Draws a storm of `count` messages. `secret` is a file that no message may get at, `own` a file of the data
 * folder, `ids` are those of remote files.
 */
export function drawStorm(given: {
  readonly seed: number
  readonly count: number
  readonly secret: string
  readonly own: string
  readonly ids: readonly number[]
}): Storm {
  const { seed, count, secret, own, ids } = given
  const folder = dirname(secret)
  const cheap: Message[] = []
  const dear: Message[] = []
  for (const name of ALLOWED) {
    if (PATHS.includes(name)) continue
    for (const message of fitting(name, 60, seed)) {
      // It would delete what the user uploaded last, as a page may with `deleteFiles`, but names no IDs by which
      // that could be told from a loss.
      if (name === 'undo' && JSON.stringify(message[1]) === '{"token":null}') continue
      const asks = /"fresh":(?:true|"need")/.test(JSON.stringify(message[1]))
      if (!asks && !SLOW.includes(name)) cheap.push(message)
      else if (dear.filter(([one]) => one === name).length < 12) dear.push(message)
    }
    // The storm includes this call in any case, if only with an invalid input.
    if (!cheap.some(([one]) => one === name)) cheap.push([name, { odd: true }])
  }
  const forbidden = [
    ...FORBIDDEN.flatMap((name) => fitting(name, 20, seed)),
    ...['upload', 'plan'].map((name): Message => [name, { paths: [secret], again: true, token: 'x' }]),
    ['watch', { path: folder, existing: 'upload', onChange: 'replace', ignore: [], keep: true }],
    ['remove', { selectors: ids.map(String) }],
    ['links', { selectors: [secret] }],
    ['audit', { path: folder, rescan: true }],
  ] satisfies Message[]
  return {
    seed,
    count,
    lanes: 48,
    fitting: cheap,
    dear,
    forbidden,
    names: [...ODD_NAMES],
    paths: PATHS,
    texts: [...oddTexts([secret, folder, own])],
    codes: [...FailureCode.options],
    addresses: ADDRESSES,
  }
}
