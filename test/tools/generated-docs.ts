// The generated parts of docs/commands.md: commands and options from the grammar of the command line, exit
// codes from their table, and JSON lines from the function that prints them. Pure.

import { COMMANDS } from '../../src-main/cli/argument-mistakes.ts'
import { commandLine } from '../../src-main/cli/arguments.ts'
import { EXIT_MEANINGS } from '../../src-main/cli/exit-codes.ts'
import { type Line, lineJson, summaryJson } from '../../src-main/cli/output/lines.ts'
import type { Transfer } from '../../src-shared/model.ts'
import { replaceSection } from './marked-section.ts'

type CommandLine = ReturnType<typeof commandLine>
type Command = CommandLine['program']

const PAGE = 'docs/commands.md'

/** Text of the help as Markdown prose. */
const prose = (text: string): string => text.replaceAll(/[\\*<>|[\]]/g, (char) => `\\${char}`)
/** Words as code in a cell of a table. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ]
}

function options(command: Command): string[] {
  return table(
    ['option', 'meaning'],
    command.options.map((one) => [code(one.flags), prose(one.description)]),
  )
}

/** A line to type as it is, and not one of a list such as `bash   slipway completion bash`. */
const isTyped = (line: string): boolean =>
  line.startsWith('slipway ') || (line.includes(' | slipway ') && !line.includes('  '))

/** The notes of a command: prose as paragraphs, and indented lines as commands to type, or as plain text. */
function notes(text: string): string[] {
  const blocks: { readonly isExample: boolean; readonly lines: string[] }[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const isExample = line.startsWith('  ')
    if (blocks.at(-1)?.isExample !== isExample) blocks.push({ isExample, lines: [] })
    blocks.at(-1)?.lines.push(isExample ? line.slice(2) : prose(line))
  }
  return blocks.flatMap(({ isExample, lines }) =>
    isExample ? [lines.every(isTyped) ? '```sh' : '```text', ...lines, '```', ''] : [...lines, ''],
  )
}

function commandPart(line: CommandLine, command: Command): string[] {
  const words = command.registeredArguments.map((one) => {
    const word = `${one.name()}${one.variadic ? '...' : ''}`
    return one.required ? `<${word}>` : `[${word}]`
  })
  const described = command.registeredArguments
    .filter((one) => one.description !== '')
    .map((one) => `${one.name()}: ${one.description}`)
  return [
    `### ${command.name()}`,
    '',
    '```text',
    ['slipway', command.name(), ...(command.options.length === 0 ? [] : ['[options]']), ...words].join(' '),
    ...described,
    '```',
    '',
    `${prose(command.description().replace(/^./, (first) => first.toUpperCase()))}.`,
    '',
    ...notes(line.notes(command.name())),
    ...options(command),
  ]
}

function commandReference(): string {
  const line = commandLine()
  const commands = line.program.commands.toSorted(
    (a, b) => COMMANDS.indexOf(a.name()) - COMMANDS.indexOf(b.name()),
  )
  return [
    ...table(
      ['command', 'what it does'],
      commands.map((one) => [`[${one.name()}](#${one.name()})`, prose(one.description())]),
    ),
    'Every command accepts these options, and `--help`:',
    '',
    ...options(line.program),
    ...commands.flatMap((one) => commandPart(line, one)),
  ].join('\n')
}

function exitCodes(): string {
  return table(
    ['exit code', 'meaning'],
    Object.entries(EXIT_MEANINGS).map(([exit, meaning]) => [exit, prose(meaning)]),
  ).join('\n')
}

/** One line of each kind, printed by the code that prints them for scripts. */
function jsonLines(): string {
  const uploaded: Transfer = {
    id: 1,
    path: '/srv/share/a.txt',
    name: 'a.txt',
    folderId: null,
    source: 'upload',
    size: 12,
    state: 'done',
    reason: null,
    message: null,
    until: null,
    sent: 12,
    attempts: 1,
    sha256: '5891b5b5…',
    fileId: 1001,
    publicLink: 'https://files.example.com/d/k3Jx',
    filename: 'a.txt',
    adopted: false,
    createdAt: 0,
    doneAt: 0,
  }
  const lines: readonly Line[] = [
    { event: 'queued', id: 1, path: '/srv/share/a.txt', size: 12 },
    { event: 'uploaded', transfer: uploaded, adopted: false, sent: true },
    {
      event: 'waiting',
      id: 2,
      path: '/srv/share/b.txt',
      reason: 'rate-minute',
      until: Date.UTC(2026, 10, 20, 20, 11, 4),
      message: null,
    },
    { event: 'held', id: 3, path: '/srv/share/.env', reason: 'secret', message: 'environment file (.env)' },
    {
      event: 'failed',
      id: 4,
      path: '/srv/share/c.txt',
      reason: 'unreadable',
      message: "The file can't be read.",
    },
    { event: 'ignored', path: '/srv/share/d.log', reason: 'rule', message: '*.log' },
  ]
  const sums = { seen: 5, uploaded: 1, waiting: 1, held: 1, failed: 1, ignored: 1 }
  return ['```json', ...lines.map(lineJson), summaryJson(sums), '```', ''].join('\n')
}

/**
 * The pages with generated parts, each with its text as it should be. @throws if a page lacks its markers.
 */
export function generatedPages(read: (file: string) => string): (readonly [file: string, text: string])[] {
  let text = read(PAGE)
  for (const [name, content] of [
    ['commands', commandReference()],
    ['exit codes', exitCodes()],
    ['json', jsonLines()],
  ] as const) {
    const replaced = replaceSection(text, name, content)
    if (replaced === null)
      throw new Error(`${PAGE} has no place for the part "${name}": each of its two markers must occur once.`)
    text = replaced
  }
  return [[PAGE, text]]
}
