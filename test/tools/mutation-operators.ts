// Mutations of a TypeScript source: small changes of what the program does, found with a real parser, and a
// draw from them. Each changes one place and still parses. Types, imports, and what is only written to a log
// aren't changed.
import { seeded } from '../unit/engine/seeded.ts'
import { parseSource } from './parse.ts'

export interface Mutation {
  readonly file: string
  readonly line: number
  readonly operator: string
  /** Offsets in the source, of what `before` is replaced with `after`. */
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

/** What the operators read of a node of the syntax tree. Every node has the first three. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly operator?: unknown
  readonly value?: unknown
  readonly name?: unknown
  readonly computed?: unknown
  readonly [field: string]: unknown
}

const SWAPS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
}
const COMPARISONS = new Set(['<', '<=', '>', '>=', '===', '!==', '==', '!='])
const METHODS: Readonly<Record<string, string>> = { some: 'every', every: 'some' }
/** Calls whose only effect is a line for a developer. */
const LOG = /(?:^|[.#?])(?:log|logger|console)(?:\.\w+)?$/
/** Expressions with a type beside them: only the expression runs. */
const TYPED = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
])
const SKIPPED = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TemplateElement',
  'JSXText',
])
const TYPE_FIELDS = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'implements',
])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const isText = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string'))

/**
 * All mutations of a source, in the order of their places. A few don't parse (drawMutations omits them).
 * @throws if the source can't be parsed.
 */
export function mutationsOf(file: string, source: string): Mutation[] {
  const found: Mutation[] = []
  const textOf = (node: Node): string => source.slice(node.start, node.end)
  const add = (operator: string, start: number, end: number, after: string): void => {
    const line = source.slice(0, start).split('\n').length
    found.push({ file, line, operator, start, end, before: source.slice(start, end), after })
  }
  const replace = (operator: string, node: Node, after: string): void =>
    add(operator, node.start, node.end, after)

  const binary = (node: Node): void => {
    const { left, right, operator } = node
    if (!isNode(left) || !isNode(right) || typeof operator !== 'string') return
    if (operator === '??') return add('drop ??', left.end, node.end, '')
    const swapped = SWAPS[operator]
    // Of two texts no difference can be taken.
    if (swapped === undefined || (operator === '+' && (isText(left) || isText(right)))) return
    const at = source.indexOf(operator, left.end)
    const name = COMPARISONS.has(operator)
      ? 'comparison'
      : node.type === 'LogicalExpression'
        ? 'logic'
        : 'arithmetic'
    add(name, at, at + operator.length, swapped)
  }
  const literal = (node: Node, parent: Node | null): void => {
    const { value } = node
    if (typeof value === 'boolean') replace('boolean', node, String(!value))
    else if (typeof value === 'number') replace('number', node, `${value + 1}`)
    // A directive and an attribute such as a class name decide nothing.
    else if (
      typeof value === 'string' &&
      value !== '' &&
      parent?.type !== 'JSXAttribute' &&
      parent?.['directive'] === undefined
    )
      replace('empty text', node, `''`)
  }
  const condition = (node: Node): void => {
    const { test } = node
    if (!isNode(test) || test.type === 'Literal') return
    // A loop that never ends says little more than one that never runs.
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression')
      replace('condition true', test, 'true')
    replace('condition false', test, 'false')
  }
  const call = (node: Node): void => {
    const { callee } = node
    if (!isNode(callee) || callee.type !== 'MemberExpression' || callee.computed === true) return
    const { object, property } = callee
    if (!isNode(object) || !isNode(property) || typeof property.name !== 'string') return
    const swapped = METHODS[property.name]
    if (swapped !== undefined) add('some and every', property.start, property.end, swapped)
    if (property.name === 'filter') add('drop filter', object.end, node.end, '')
  }
  const statement = (node: Node): void => {
    const { expression } = node
    const inner =
      isNode(expression) && expression.type === 'AwaitExpression' ? expression['argument'] : expression
    const called =
      isNode(inner) && inner.type === 'UnaryExpression' && inner.operator === 'void'
        ? inner['argument']
        : inner
    // The value is not used, so only the call's effect is lost. `super()` can't be left out.
    if (
      isNode(called) &&
      called.type === 'CallExpression' &&
      isNode(called['callee']) &&
      called['callee'].type !== 'Super'
    )
      replace('remove call', node, 'void 0')
  }
  const exit = (node: Node): void => {
    if (!isNode(node['argument'])) replace('remove exit', node, 'void 0')
  }
  const enter = (node: Node, parent: Node | null): void => {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
        return binary(node)
      case 'Literal':
        return literal(node, parent)
      case 'UnaryExpression':
        if (node.operator === '!' && isNode(node['argument']))
          replace('drop !', node, textOf(node['argument']))
        return undefined
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement':
        return condition(node)
      case 'CallExpression':
        return call(node)
      case 'ExpressionStatement':
        return statement(node)
      case 'ReturnStatement':
      case 'ContinueStatement':
        return exit(node)
      default:
        return undefined
    }
  }
  const isLog = (node: Node): boolean =>
    node.type === 'CallExpression' &&
    isNode(node['callee']) &&
    LOG.test(textOf(node['callee']).replaceAll(/\s/g, ''))
  const walk = (node: Node, parent: Node | null): void => {
    if (node.type.startsWith('TS')) {
      const inner = node['expression']
      if (TYPED.has(node.type) && isNode(inner)) walk(inner, parent)
      return
    }
    if (SKIPPED.has(node.type) || isLog(node)) return
    if (node.type === 'ExpressionStatement' && isNode(node['expression']) && isLog(node['expression'])) return
    // The text of an exception is for a developer, too.
    if (node.type === 'NewExpression' && isNode(node['callee']) && textOf(node['callee']).endsWith('Error'))
      return
    enter(node, parent)
    for (const [field, value] of Object.entries(node)) {
      if (TYPE_FIELDS.has(field) || (field === 'key' && node.computed !== true) || field === 'source')
        continue
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node)
    }
  }
  for (const one of parseSource(file, source).program.body) walk({ ...one }, null)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

function parses(file: string, source: string): boolean {
  try {
    parseSource(file, source)
    return true
  } catch {
    return false
  }
}

/** @throws if the source isn't the one that the mutation was found in. */
export function mutate(source: string, { file, start, end, before, after }: Mutation): string {
  if (source.slice(start, end) !== before)
    throw new Error(`${file} has changed since its mutations were drawn`)
  return source.slice(0, start) + after + source.slice(end)
}

/**
 * Up to `count` mutations of different lines that parse. Every line with at least one has the same chance, so
 * that long files are drawn more often; then every mutation of the line has.
 */
export function drawMutations(
  seed: number,
  count: number,
  mutations: readonly Mutation[],
  read: (file: string) => string,
): Mutation[] {
  const lines = [...Map.groupBy(mutations, ({ file, line }) => `${file}:${line}`).values()]
  const random = seeded(seed)
  const drawn: Mutation[] = []
  while (drawn.length < count && lines.length > 0) {
    const [line = []] = lines.splice(random.below(lines.length), 1)
    const one = random.pick(line)
    if (parses(one.file, mutate(read(one.file), one))) drawn.push(one)
  }
  return drawn
}
