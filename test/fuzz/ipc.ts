// Messages between page and shell: valid inputs generated from the contract's own schemas, and texts, names
// and values that a hostile page would try. The same seed yields the same messages. Sends nothing itself.
import {
  type Arbitrary,
  array,
  boolean,
  constantFrom,
  double,
  integer,
  oneof,
  option,
  record,
  sample,
  string,
  tuple,
  uint8Array,
} from 'fast-check'
import type { z } from 'zod/mini'
import { procedures } from '../../src-shared/engine-contract.ts'
import { appProcedures, type CallName, WINDOW_ENGINE_PROCEDURES } from '../../src-shared/window-contract.ts'

/** The part of a schema's definition that is used here. */
interface Def {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema>>
  readonly element?: Schema
  readonly innerType?: Schema
  readonly options?: readonly Schema[]
  readonly items?: readonly Schema[]
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, string>>
}
interface Schema {
  readonly def: Def
  /** The combined limits of a number's checks. */
  readonly _zod: {
    readonly bag: { readonly minimum?: number; readonly maximum?: number; readonly format?: string }
  }
  readonly safeParse: (value: unknown) => { readonly success: boolean }
}

function missing(def: Def): never {
  throw new Error(`No messages can be made for a schema of type ${def.type}.`)
}

/** Values that the schema accepts. Its parts are fitting already, so few wholes are drawn in vain. */
function arbitraryOf(schema: Schema): Arbitrary<unknown> {
  return drawn(schema).filter((value) => schema.safeParse(value).success)
}

function drawn(schema: Schema): Arbitrary<unknown> {
  const { def } = schema
  const inner = (): Arbitrary<unknown> =>
    def.innerType === undefined ? missing(def) : arbitraryOf(def.innerType)
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape ?? {})
      const required = shape.filter(([, field]) => field.def.type !== 'optional').map(([name]) => name)
      return record(Object.fromEntries(shape.map(([name, field]) => [name, arbitraryOf(field)])), {
        requiredKeys: required,
      })
    }
    case 'string':
      return oneof(string({ maxLength: 30 }), constantFrom('a', '1', 'x.txt'))
    case 'number': {
      const { minimum, maximum, format } = schema._zod.bag
      const min = Math.max(minimum ?? -1e9, -1e9)
      const max = Math.min(maximum ?? 1e9, 1e9)
      const whole = oneof(
        integer({ min: Math.ceil(min), max: Math.floor(max) }),
        integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, Math.ceil(min) + 30)) }),
      )
      return format === 'safeint' ? whole : oneof(whole, double({ min, max, noNaN: true }))
    }
    case 'boolean':
      return boolean()
    case 'literal':
      return constantFrom(...(def.values ?? []))
    // The only class of which a message contains instances.
    case 'custom':
      return uint8Array({ maxLength: 40 })
    case 'enum':
      return constantFrom(...Object.values(def.entries ?? {}))
    case 'array':
      return array(def.element === undefined ? missing(def) : arbitraryOf(def.element), {
        minLength: 1,
        maxLength: 6,
      })
    case 'tuple':
      return tuple(...(def.items ?? []).map(arbitraryOf))
    case 'union':
      return oneof(...(def.options ?? []).map(arbitraryOf))
    case 'nullable':
      return option(inner(), { nil: null })
    // A field that replaces an invalid value with a default. Valid values are those of the inner schema.
    case 'catch':
    case 'optional':
      return inner()
    default:
      return missing(def)
  }
}

export const ALLOWED: readonly CallName[] = [
  ...(Object.keys(appProcedures) as CallName[]),
  ...WINDOW_ENGINE_PROCEDURES,
]

/** Procedures of the engine that a page must not call. */
export const FORBIDDEN: readonly string[] = Object.keys(procedures).filter(
  (name) => !(ALLOWED as readonly string[]).includes(name),
)

export type Message = readonly [name: string, input: unknown]

/** Generates `count` valid messages for a procedure. */
export function fitting(name: string, count: number, seed: number): readonly Message[] {
  const all: Readonly<Record<string, { readonly input: z.ZodMiniType }>> = { ...procedures, ...appProcedures }
  const schema = all[name]?.input as unknown as Schema | undefined
  if (schema === undefined) throw new Error(`There is no procedure ${name}.`)
  // A copy has no artefacts of fast-check (records without a prototype).
  return sample(arbitraryOf(schema), { numRuns: count, seed }).map(
    (input): Message => [name, structuredClone(input)],
  )
}

/** Names that aren't on any list, and some that every object has. */
export const ODD_NAMES: readonly string[] = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  'length',
  '0',
  'Snapshot',
  'snapshot ',
  'snapshot\0',
  'slipway:call',
  'slipway:event',
  'ELECTRON_BROWSER_REQUIRE',
  'op:connect',
  'keep',
  'connection',
  'keychain',
  'proxy',
  '../snapshot',
  'eval',
  'require',
]

/** Texts with a special meaning for a path, an address, a shell, a template or a parser. */
export function oddTexts(paths: readonly string[]): readonly string[] {
  return [
    '',
    '\0',
    'a\0b',
    '..',
    '../../../../etc/passwd',
    '..\\..\\windows\\win.ini',
    '/',
    '~',
    '%2e%2e%2f',
    '$(touch x)',
    '`touch x`',
    '; touch x',
    '${url}',
    '$url$url',
    '%s%n%x',
    '<script>alert(1)</script>',
    '{"__proto__":{"polluted":true}}',
    '\u202e\u0000\uFFFE',
    '\uD800',
    'NaN',
    '1e999',
    '-0',
    '__proto__',
    'constructor',
    '-rf',
    '--help',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'CON',
    'C:\\',
    '\\\\127.0.0.1\\share',
    ...paths,
    ...paths.map((path) => `file://${path}`),
    ...paths.map((path) => `../../..${path}`),
    ...paths.map((path) => encodeURIComponent(path)),
  ]
}
