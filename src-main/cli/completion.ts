// Generates completion scripts for bash, zsh, fish and PowerShell from the same declarations as --help. Pure.
// The scripts are self-contained: they don't run slipway or use the network.
import { assertNever } from '../../src-shared/assert.ts'
import { shellWord } from '../platform/data/shell-word.ts'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * The possible completions of a word: paths, folders, or the words in the list. `text`: free text. `none`: no
 * word is expected.
 */
type Kind = 'path' | 'folder' | 'text' | 'none' | readonly string[]

interface OptionWords {
  /** The names as typed, long form last: `-h`, `--help`. */
  readonly names: readonly string[]
  readonly description: string
  /** Null if the option takes no value. */
  readonly value: Kind | null
}

interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  readonly argument: Kind
}

export interface CommandTable {
  readonly commands: readonly CommandWords[]
  /** Options that every command has. */
  readonly globals: readonly OptionWords[]
}

/** The part of commander's Command that is used here. */
interface CommandLike {
  name(): string
  description(): string
  readonly commands: readonly CommandLike[]
  readonly options: readonly {
    readonly short?: string | undefined
    readonly long?: string | undefined
    readonly description: string
    readonly required: boolean
    readonly optional: boolean
    readonly argChoices?: string[] | undefined
  }[]
  readonly registeredArguments: readonly { name(): string; readonly argChoices?: string[] | undefined }[]
}

export function tableOf(program: CommandLike): CommandTable {
  const names = program.commands.map((one) => one.name())
  return {
    commands: program.commands.map((one) => ({
      name: one.name(),
      description: one.description(),
      options: optionsOf(one),
      argument: kindOf(one.registeredArguments[0], names),
    })),
    globals: [
      ...optionsOf(program),
      { names: ['-h', '--help'], description: 'print this help', value: null },
    ],
  }
}

function optionsOf(command: CommandLike): OptionWords[] {
  return command.options.map((one) => ({
    names: [one.short, one.long].filter((name) => name !== undefined),
    description: one.description,
    value: one.required || one.optional ? (one.argChoices ?? 'text') : null,
  }))
}

function kindOf(
  argument: CommandLike['registeredArguments'][number] | undefined,
  commands: readonly string[],
): Kind {
  if (argument === undefined) return 'none'
  if (argument.argChoices !== undefined) return argument.argChoices
  switch (argument.name()) {
    case 'folder':
      return 'folder'
    case 'path':
    case 'file':
      return 'path'
    case 'command':
      return commands
    default:
      return 'text'
  }
}

export function completionScript(shell: Shell, table: CommandTable): string {
  switch (shell) {
    case 'bash':
      return bash(table)
    case 'zsh':
      return zsh(table)
    case 'fish':
      return fish(table)
    case 'powershell':
      return powershell(table)
    default:
      return assertNever(shell)
  }
}

function wordsOf(options: readonly OptionWords[]): string[] {
  return options.flatMap((one) => [...one.names])
}

function bash({ commands, globals }: CommandTable): string {
  const words = (list: readonly string[]): string =>
    `COMPREPLY=($(compgen -W ${shellWord(list.join(' '))} -- "$cur"))`
  const answer = (kind: Kind): string => {
    if (kind === 'path') return ':'
    if (kind === 'folder') return '_slipway_only -o dirnames'
    return typeof kind === 'string' ? '_slipway_only' : `_slipway_only; ${words(kind)}`
  }
  const cases = commands.map((one) => {
    const valued = one.options.filter((option) => option.value !== null)
    const lines = valued.map(
      (option) => `        ${option.names.join('|')}) ${answer(option.value ?? 'text')}; return ;;`,
    )
    return [
      `    ${one.name})`,
      ...(lines.length === 0 ? [] : ['      case $prev in', ...lines, '      esac']),
      `      if [[ $cur == -* ]]; then _slipway_only; ${words(wordsOf([...one.options, ...globals]))}; return; fi`,
      `      ${answer(one.argument)} ;;`,
    ].join('\n')
  })
  const valued = wordsOf(globals.filter((one) => one.value !== null)).join('|')
  return `# bash completion for slipway
_slipway_only() {
  # Older shells lack compopt; there file names are offered too.
  if type compopt >/dev/null 2>&1; then compopt +o default "$@"; fi
}

_slipway() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' i
  COMPREPLY=()
  # Bash treats the equals sign of an option as a separate word.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      # The word after it is its value, not the command.
      ${valued}) i=$((i + 1)); if [[ \${COMP_WORDS[i]} == = ]]; then i=$((i + 1)); fi ;;
      -*) ;;
      *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $prev in ${valued}) _slipway_only; return ;; esac
  case $command in
    '')
      _slipway_only
      ${words([...commands.map((one) => one.name), ...wordsOf(globals)])} ;;
${cases.join('\n')}
    *) _slipway_only ;;
  esac
}

complete -o default -F _slipway slipway`
}

function zsh({ commands, globals }: CommandTable): string {
  const plain = (text: string): string => text.replaceAll(/[\\[\]:]/g, (char) => `\\${char}`)
  const action = (kind: Kind): string => {
    if (kind === 'path') return '_files'
    if (kind === 'folder') return '_files -/'
    return typeof kind === 'string' ? ' ' : `(${kind.join(' ')})`
  }
  const spec = ({ description, value }: OptionWords, name: string): string =>
    // The star lets an option be repeated. The equals sign lets its value follow in the same word, too.
    value === null
      ? `${name}[${plain(description)}]`
      : `*${name}=[${plain(description)}]:value:${action(value)}`
  const specs = (options: readonly OptionWords[]): string[] =>
    options.flatMap((one) => one.names.map((name) => shellWord(spec(one, name))))
  const cases = commands.map((one) => {
    const all = [
      ...specs([...one.options, ...globals]),
      ...(one.argument === 'none' ? [] : [shellWord(`*:${one.name}:${action(one.argument)}`)]),
    ]
    return `        ${one.name})\n          _arguments \\\n            ${all.join(' \\\n            ')} ;;`
  })
  return `#compdef slipway
_slipway() {
  local context state line
  typeset -A opt_args
  # Options after the command belong to it.
  _arguments -C -A '-*' \\
    ${specs(globals).join(' \\\n    ')} \\
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands
      commands=(
        ${commands.map((one) => shellWord(`${one.name}:${plain(one.description)}`)).join('\n        ')}
      )
      _describe -t commands command commands ;;
    rest)
      case $words[1] in
${cases.join('\n')}
      esac ;;
  esac
}

# Run as an autoloaded function, or sourced.
if [ "$funcstack[1]" = _slipway ]; then
  _slipway "$@"
else
  compdef _slipway slipway
fi`
}

function fish({ commands, globals }: CommandTable): string {
  const text = (value: string): string => `'${value.replaceAll(/[\\']/g, (char) => `\\${char}`)}'`
  const flags = (one: OptionWords): string =>
    one.names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  const value = (kind: Kind | null): string => {
    if (kind === null) return ''
    if (kind === 'path') return ' -r -F'
    if (kind === 'folder') return " -x -a '(__fish_complete_directories)'"
    return typeof kind === 'string' ? ' -x' : ` -x -a ${text(kind.join(' '))}`
  }
  const argument = (one: CommandWords, when: string): string[] => {
    if (one.argument === 'text' || one.argument === 'none') return []
    if (one.argument === 'path') return [`complete -c slipway -n ${when} -F`]
    if (one.argument === 'folder')
      return [`complete -c slipway -n ${when} -a '(__fish_complete_directories)'`]
    return [`complete -c slipway -n ${when} -a ${text(one.argument.join(' '))}`]
  }
  const lines = commands.flatMap((one) => {
    const when = text(`__slipway_is ${one.name}`)
    return [
      `complete -c slipway -n 'not __slipway_command' -a ${one.name} -d ${text(one.description)}`,
      ...one.options.map(
        (option) =>
          `complete -c slipway -n ${when} ${flags(option)}${value(option.value)} -d ${text(option.description)}`,
      ),
      ...argument(one, when),
    ]
  })
  const valued = globals.filter((one) => one.value !== null)
  return `# fish completion for slipway
# Prints the command of the line, if there is one yet. fish's own functions take the value of an option for it.
function __slipway_command
  set -l value_follows 0
  for word in (commandline -poc)[2..-1]
    if test $value_follows = 1
      set value_follows 0
      continue
    end
    switch $word
      case ${wordsOf(valued).map(text).join(' ')}
        set value_follows 1
      case '-*'
      case '*'
        echo -- $word
        return 0
    end
  end
  return 1
end

function __slipway_is
  test (__slipway_command; or echo) = $argv[1]
end

complete -c slipway -f
${globals.map((one) => `complete -c slipway ${flags(one)}${value(one.value)} -d ${text(one.description)}`).join('\n')}
${lines.join('\n')}`
}

function powershell({ commands, globals }: CommandTable): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
  const list = (words: readonly string[]): string => `@(${words.map(text).join(', ')})`
  const entries = (options: readonly OptionWords[]): string =>
    options.flatMap((one) => one.names.map((name) => `${text(name)} = ${text(one.description)}`)).join('; ')
  const values = (one: CommandWords): string =>
    one.options
      .filter((option) => option.value !== null)
      .flatMap((option) =>
        option.names.map(
          (name) => `${text(name)} = ${typeof option.value === 'string' ? '@()' : list(option.value ?? [])}`,
        ),
      )
      .join('; ')
  const words = (kind: Kind): string => {
    if (kind === 'path' || kind === 'folder') return '$null'
    return typeof kind === 'string' ? '@()' : list(kind)
  }
  return `# PowerShell completion for slipway
Register-ArgumentCompleter -Native -CommandName slipway -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
    ${commands.map((one) => `${text(one.name)} = ${text(one.description)}`).join('\n    ')}
  }
  $globals = [ordered]@{ ${entries(globals)} }
  $options = @{
    ${commands.map((one) => `${text(one.name)} = [ordered]@{ ${entries(one.options)} }`).join('\n    ')}
  }
  # An option's own values; an empty list: any text.
  $values = @{
    ${commands.map((one) => `${text(one.name)} = @{ ${values(one)} }`).join('\n    ')}
  }
  # Null: PowerShell completes file names itself.
  $arguments = @{
    ${commands.map((one) => `${text(one.name)} = ${words(one.argument)}`).join('\n    ')}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  # The word after one of these options is its value, not the command.
  $valued = @(${wordsOf(globals.filter((one) => one.value !== null))
    .map(text)
    .join(', ')})
  if ($typed.Count -gt 0 -and $valued -contains $typed[-1]) { return }
  $command = $null
  for ($i = 0; $i -lt $typed.Count; $i++) {
    if ($valued -contains $typed[$i]) { $i++; continue }
    if (-not $typed[$i].StartsWith('-')) { $command = $typed[$i]; break }
  }
  $result = {
    param($table)
    $table.GetEnumerator() | Where-Object { $_.Key.StartsWith($wordToComplete) } | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
    }
  }
  if (-not $command -or -not $commands.Contains($command)) {
    & $result $commands
    & $result $globals
    return
  }
  $last = $typed | Select-Object -Last 1
  if ($values[$command].ContainsKey($last)) {
    $values[$command][$last] | Where-Object { $_.StartsWith($wordToComplete) }
    return
  }
  if ($wordToComplete.StartsWith('-')) {
    & $result $options[$command]
    & $result $globals
    return
  }
  $arguments[$command] | Where-Object { $_ -and $_.StartsWith($wordToComplete) }
}`
}
