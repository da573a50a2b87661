// The manual pages, slipway(1) and one for each command, made from the same commands, options and texts as
// `slipway help`. Pure: system-files.ts writes them. No date, so that the same sources give the same bytes.
import { commandLine } from '../../src-main/cli/arguments.ts'
import { EXIT_MEANINGS } from '../../src-main/cli/exit-codes.ts'
import { ENVIRONMENT, EXAMPLES } from '../../src-main/cli/grammar/help-text.ts'
import { VERSION } from '../../src-main/platform/version.ts'

export interface ManPage {
  /** `slipway-upload.1` */
  readonly file: string
  readonly text: string
}

type CommandLine = ReturnType<typeof commandLine>
type Command = CommandLine['program']

/**
 * Characters that roff takes for requests or escapes, or prints as typographic ones that no shell
 * understands.
 */
const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Text as roff, to be printed as it is. */
export function roff(text: string): string {
  return text.replaceAll(/[\\'`^~-]/g, (char) => SPECIAL[char] ?? char).replaceAll(/^\./gm, '\\&.')
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fP`
}

/** `--max-wait <duration>`: the option as typed, its value as a placeholder. */
function flags(text: string): string {
  return text
    .split(/([<[][^>\]]+[>\]])/)
    .map((part, at) =>
      at % 2 === 0 ? bold(part).replaceAll('\\fB\\fP', '') : `\\fI${roff(part.slice(1, -1))}\\fP`,
    )
    .join('')
}

function entry(term: string, text: string): string {
  return `.TP\n${term}\n${roff(text)}`
}

function heading(name: string): string {
  return `.TH "${roff(name.toUpperCase())}" "1" "" "Slipway ${roff(VERSION)}" "Slipway manual"`
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${name}`, ...lines]
}

/** Prose as paragraphs; lines that are indented by two spaces as they are. */
function prose(text: string): string[] {
  const out: string[] = []
  let isExample = false
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const example = line.startsWith('  ')
    if (example !== isExample) out.push(example ? '.PP\n.EX' : '.EE\n.PP')
    isExample = example
    out.push(roff(example ? line.slice(2) : line))
  }
  return isExample ? [...out, '.EE'] : out
}

function options(command: Command): string[] {
  return command.options.map((one) => entry(flags(one.flags), one.description))
}

/** "SLIPWAY_DEBUG   what to log": the lines of a list in the help, as name and text. */
function listed(text: string): (readonly [string, string])[] {
  return [...text.matchAll(/^ {2}(\S+) +(\S.*)$/gm)].map(([, name = '', rest = '']) => [name, rest] as const)
}

function pageOf(line: CommandLine, command: Command): ManPage {
  const name = `slipway-${command.name()}`
  const parts = command.registeredArguments.map((one) => {
    const word = `\\fI${roff(one.name())}\\fP${one.variadic ? ' ...' : ''}`
    return one.required ? word : `[${word}]`
  })
  const described = command.registeredArguments
    .filter((one) => one.description !== '')
    .map((one) => entry(`\\fI${roff(one.name())}\\fP`, one.description))
  const own = options(command)
  const text = [
    heading(name),
    ...section('NAME', [`${roff(name)} \\- ${roff(command.description())}`]),
    ...section('SYNOPSIS', [
      [bold(`slipway ${command.name()}`), ...(own.length === 0 ? [] : ['[\\fIoptions\\fP]']), ...parts].join(
        ' ',
      ),
    ]),
    ...section('DESCRIPTION', prose(line.notes(command.name()))),
    ...section('OPTIONS', [...described, ...own]),
    ...section('GLOBAL OPTIONS', options(line.program)),
    ...section('SEE ALSO', ['\\fBslipway\\fP(1), which lists the environment variables and exit codes']),
  ]
  return { file: `${name}.1`, text: `${text.join('\n')}\n` }
}

export function manPages(): ManPage[] {
  const line = commandLine()
  const { program } = line
  const commands = program.commands.map((one) =>
    entry(`\\fB${roff(`slipway-${one.name()}`)}\\fP(1)`, one.description()),
  )
  const overview = [
    heading('slipway'),
    ...section('NAME', [`slipway \\- ${roff('upload files and folders, and get a link for each')}`]),
    ...section('SYNOPSIS', ['\\fBslipway\\fP \\fIcommand\\fP [\\fIoptions\\fP]']),
    ...section('DESCRIPTION', [roff(program.description())]),
    ...section('COMMANDS', commands),
    ...section('OPTIONS', options(program)),
    ...section(
      'ENVIRONMENT',
      listed(ENVIRONMENT).map(([name, text]) => entry(bold(name), text)),
    ),
    ...section(
      'EXIT STATUS',
      Object.entries(EXIT_MEANINGS).map(([code, meaning]) => entry(bold(code), meaning)),
    ),
    ...section('EXAMPLES', [
      '.EX',
      ...EXAMPLES.trim()
        .split('\n')
        .slice(1)
        .map((one) => roff(one.trim())),
      '.EE',
    ]),
  ]
  return [
    { file: 'slipway.1', text: `${overview.join('\n')}\n` },
    ...program.commands.map((one) => pageOf(line, one)),
  ]
}
