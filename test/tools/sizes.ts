// Size limits for source files and functions of src-*, and the current exceptions, each with its reason.
// An unnecessary exception is a fault, too, so the list can only shrink.
import { Visitor } from 'vite'
import { parseSource } from './parse.ts'

/** Lines of a file, including comments and blank lines. */
export const MAX_FILE_LINES = 500
/** Lines from the first to the last of a function, including nested functions. */
export const MAX_FUNCTION_LINES = 120

/** `src-main/a.ts` for a file, `src-main/a.ts#name` for a function in it. The value is the reason. */
type SizeExceptions = Readonly<Record<string, string>>

/** One entry per line, sorted, so that removing one rarely conflicts with another branch. */
export const SIZE_EXCEPTIONS: SizeExceptions = {}

interface Size {
  /** A key as in SizeExceptions. */
  readonly key: string
  readonly lines: number
  readonly limit: number
}

/** Everything in this file that exceeds a limit. @throws if the source can't be parsed. */
export function oversized(file: string, source: string): Size[] {
  const { program } = parseSource(file, source)
  const found: Size[] = []
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  const fileLines = source.trimEnd().split('\n').length
  if (fileLines > MAX_FILE_LINES) found.push({ key: file, lines: fileLines, limit: MAX_FILE_LINES })
  const names = new Map<number, string>()
  const measure = (node: { readonly start: number; readonly end: number }, ownName: string | undefined): void => {
    const first = lineAt(node.start)
    const lines = lineAt(node.end) - first + 1
    if (lines <= MAX_FUNCTION_LINES) return
    const name = ownName ?? names.get(node.start) ?? 'anonymous'
    found.push({ key: `${file}#${name}`, lines, limit: MAX_FUNCTION_LINES })
  }
  const keyName = (key: { readonly type: string; readonly name?: unknown }): string =>
    typeof key.name === 'string' ? key.name : 'computed'
  // Parents are visited before their children, so the name of the variable or member that holds a function is known.
  new Visitor({
    VariableDeclarator: (node) => {
      if (node.init !== null && node.id.type === 'Identifier') names.set(node.init.start, node.id.name)
    },
    Property: (node) => void names.set(node.value.start, keyName(node.key)),
    PropertyDefinition: (node) => {
      if (node.value !== null) names.set(node.value.start, keyName(node.key))
    },
    MethodDefinition: (node) => void names.set(node.value.start, keyName(node.key)),
    FunctionDeclaration: (node) => measure(node, node.id?.name),
    FunctionExpression: (node) => measure(node, node.id?.name),
    ArrowFunctionExpression: (node) => measure(node, undefined),
  }).visit(program)
  return found
}

/** One sentence for each size over its limit that isn't an exception, and for each unused exception. */
export function sizeFaults(sizes: readonly Size[], exceptions: SizeExceptions): string[] {
  const over = new Set(sizes.map((one) => one.key))
  return [
    ...sizes.filter((one) => !(one.key in exceptions)).map((one) => `${one.key} has ${one.lines} lines; at most ${one.limit} are allowed`),
    ...Object.keys(exceptions)
      .filter((key) => !over.has(key))
      .map((key) => `${key} is within its limit: remove its exception from test/tools/sizes.ts`),
  ]
}
