// Follows one new file through the program: which files of src-main run code, in the order in which they are
// entered, from the disk's event until the link is shown. Runs the simulated world, whose engine and client
// are the real ones. Prints a line of JSON.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Visitor } from 'vite'
import { parseSource } from './parse.ts'
import { ROOT } from './tree.ts'

const entered = new Set<string>()
let isRecording = false

/** Name of the function that the sources call at the beginning of each of their functions. */
const MARK = 'slipwayWay'
Object.assign(globalThis, {
  [MARK]: (file: string) => {
    if (isRecording) entered.add(file)
  },
})

function marked(file: string): string {
  const source = readFileSync(`${ROOT}/${file}`, 'utf8')
  const marks: { readonly at: number; readonly text: string }[] = []
  const call = `${MARK}(${JSON.stringify(file)})`
  const mark = (body: { readonly type: string; readonly start: number; readonly end: number } | null) => {
    if (body === null) return
    if (body.type === 'BlockStatement' || body.type === 'FunctionBody')
      marks.push({ at: body.start + 1, text: `${call};` })
    else marks.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' })
  }
  new Visitor({
    FunctionDeclaration: (node) => mark(node.body),
    FunctionExpression: (node) => mark(node.body),
    ArrowFunctionExpression: (node) => mark(node.body),
  }).visit(parseSource(file, source).program)
  let text = ''
  let from = 0
  for (const { at, text: added } of marks.toSorted((a, b) => a.at - b.at)) {
    text += source.slice(from, at) + added
    from = at
  }
  return stripTypeScriptTypes(text + source.slice(from))
}

registerHooks({
  load: (url, context, next) => {
    const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)).replaceAll('\\', '/') : ''
    if (!/^src-main\/.*\.ts$/.test(file)) return next(url, context)
    return { format: 'module', source: marked(file), shortCircuit: true }
  },
})

const { createWorld, FOLDER } = await import('../world/world.ts')
const world = await createWorld({}, { isSteady: true })
await world.watch()
await world.upload('earlier.txt', 'a file before, so that nothing is done for the first time')
isRecording = true
world.disk.write(`${FOLDER}/new.txt`, 'the file whose way is followed')
const isLinked = (event: (typeof world.events)[number]): boolean =>
  event.kind === 'transfers' &&
  event.items.some(({ path, publicLink }) => path.endsWith('/new.txt') && publicLink !== null)
// From the events, because a question would enter files that aren't on the way.
await world.until(() => world.events.some(isLinked))
isRecording = false
await world.end()
console.log(JSON.stringify([...entered]))
