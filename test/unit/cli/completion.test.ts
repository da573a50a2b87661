// Completion in real shells: what bash, zsh and fish suggest for a partially typed line once they have loaded
// their scripts. Each shell gets all lines in one test, because starting one takes longer than completing a
// line.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src-main/cli/argument-mistakes.ts'
import { parseArguments } from '../../../src-main/cli/arguments.ts'
import type { Shell } from '../../../src-main/cli/completion.ts'
import { itNeeding } from '../../tools/needing.ts'

const GLOBALS = ['--account', '--help', '--json', '--no-color', '--quiet', '--version']

/** What every shell suggests. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'slipway ': COMMANDS,
  'slipway st': ['stats', 'status'],
  'slipway --json un': ['unwatch'],
  'slipway --no': ['--no-color'],
  'slipway --account work unw': ['unwatch'],
  'slipway --account=work unw': ['unwatch'],
  'slipway --account wa': [],
  'slipway --account=wa': [],
  'slipway --account work ls --sort s': ['size'],
  'slipway ls --account s': [],
  'slipway ls --account=work --sort s': ['size'],
  'slipway ls s': [],
  'slipway ls --json --sort s': ['size'],
  'slipway watch --ex': ['--existing'],
  'slipway watch x --existing ': ['skip', 'upload'],
  'slipway watch x --existing=': ['skip', 'upload'],
  'slipway watch x --existing=s': ['skip'],
  'slipway watch --max-wait ': [],
  'slipway watch --ignore a --ig': ['--ignore'],
  'slipway link a --format ': ['bbcode', 'html', 'markdown', 'url'],
  'slipway completion f': ['fish'],
  'slipway help wa': ['watch'],
  'slipway pause --': [...GLOBALS, '--now'],
  'slipway accounts --u': ['--use'],
  'slipway cancel ': [],
  'slipway cancel 5 --j': ['--json'],
  'slipway unknown s': [],
}

/** fish completes an argument that begins with a dash only behind an equals sign. */
const DASHED: typeof WORDS = { 'slipway ls --sort -d': ['-date', '-downloads'] }

/** Bash completes files itself, after what the function has found. */
const FILES: typeof WORDS = {
  'slipway upload n': ['notes.txt', 'numbers.txt'],
  'slipway upload --max-wait 5 notes.txt nu': ['numbers.txt'],
  'slipway upload -- n': ['notes.txt', 'numbers.txt'],
  'slipway watch ': ['first', 'second'],
  'slipway watch s': ['second'],
  'slipway unwatch s': ['second'],
}

let home = ''
let folder = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'slipway-completion-'))
  folder = join(home, 'folder')
  for (const name of ['first', 'second']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['notes.txt', 'numbers.txt']) writeFileSync(join(folder, name), '')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function script(shell: Shell): string {
  const parsed = parseArguments(['completion', shell])
  return parsed.kind === 'answer' ? `${parsed.text}\n` : ''
}

/** Runs a program of the shell, and returns for each line what it has printed behind `line LINE`. */
function suggested(
  shell: Shell,
  args: readonly string[],
  lines: readonly string[],
): Record<string, readonly string[]> {
  const env = { PATH: process.env['PATH'], HOME: home, TERM: 'xterm', LC_ALL: 'C.UTF-8' }
  let printed: string
  try {
    printed = execFileSync(shell, args, { cwd: folder, env, encoding: 'utf8' })
  } catch (error) {
    throw new Error(`Completion can't be tried without ${shell}: apt-get install ${shell}`, { cause: error })
  }
  const found = printed.split(/^line /m).slice(1)
  expect(found.map((block) => block.split('\n')[0])).toEqual(lines)
  return Object.fromEntries(
    found.map((block) => {
      const [line = '', ...words] = block.split('\n')
      // fish repeats the option before the value, and marks folders.
      return [
        line,
        [...new Set(words.map((word) => word.replace(/^--[\w-]+=(?=.)|\/$/g, '')))]
          .filter((word) => word !== '')
          .toSorted(),
      ]
    }),
  )
}

const sorted = (expected: typeof WORDS): typeof WORDS =>
  Object.fromEntries(Object.entries(expected).map(([line, words]) => [line, words.toSorted()]))

it('bash completes', () => {
  const expected = {
    ...WORDS,
    ...DASHED,
    'slipway ': [...COMMANDS, ...GLOBALS, '-V', '-h'],
    'slipway upload n': [],
  }
  // Like readline, treats the equals sign as a separate word.
  const calls = Object.keys(expected).map((line) => {
    const typed = line.replace(/=/, ' = ').replace(/= $/, '=').split(' ')
    const list = typed.map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${list}); COMP_CWORD=${typed.length - 1}; _slipway 2>/dev/null; printf '%s\\n' 'line ${line}' "\${COMPREPLY[@]}"`
  })
  const found = suggested(
    'bash',
    ['--norc', '-c', [script('bash'), ...calls].join('\n')],
    Object.keys(expected),
  )
  expect(found).toEqual(sorted(expected))
})

describe.runIf(process.platform === 'linux')('on Linux', () => {
  itNeeding('fish', 'fish completes', () => {
    const expected = { ...WORDS, ...FILES, 'slipway ls --sort=-d': ['-date', '-downloads'] }
    const file = join(home, 'slipway.fish')
    writeFileSync(file, script('fish'))
    const program =
      'source $argv[1]; for line in $argv[2..]; echo "line $line"; complete -C $line | string split -f 1 \\t; end'
    const found = suggested(
      'fish',
      ['--no-config', '-c', program, file, ...Object.keys(expected)],
      Object.keys(expected),
    )
    expect(found).toEqual(sorted(expected))
  })

  // Packages install the script as a function that zsh loads when it first needs it. Sourced, it is the same
  // function.
  const inZsh: readonly (readonly [string, typeof WORDS])[] = [
    ['loaded', { ...WORDS, ...DASHED, ...FILES, 'slipway ls --sort=-d': ['-date', '-downloads'] }],
    ['sourced', { 'slipway st': ['stats', 'status'] }],
  ]
  for (const [how, expected] of inZsh)
    itNeeding('zsh', `zsh completes, with its script ${how}`, () => {
      const functions = join(home, how)
      mkdirSync(functions)
      writeFileSync(join(functions, '_slipway'), script('zsh'))
      // Completion works only in an interactive shell at a terminal. All that it would offer is written to a
      // file.
      const inside = `
      PROMPT=
      ${how === 'loaded' ? `fpath=(${functions} $fpath)` : ''}
      autoload -Uz compinit
      compinit -u -d ${functions}/.dump
      ${how === 'sourced' ? `source ${functions}/_slipway` : ''}
      bindkey '^I' complete-word
      compadd() {
        # With these options it stores words in arrays and offers none.
        if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
          local -a found
          builtin compadd -A found "$@"
          print -rl -- $found >> ${functions}/offered
        fi
        builtin compadd "$@"
      }
      leave() { exit }
      comppostfuncs=(leave)
      print ready`
      writeFileSync(join(functions, 'inside'), inside)
      const program = `
      zmodload zsh/zpty
      for line; do
        : > ${functions}/offered
        zpty shell zsh -f -i
        zpty -w shell 'source ${functions}/inside'
        while zpty -r shell said; do [[ $said == ready* ]] && break; done
        zpty -w -n shell "$line"$'\\t'
        while zpty -r shell said; do :; done
        zpty -d shell
        print -r -- "line $line"
        cat ${functions}/offered
      done`
      const found = suggested(
        'zsh',
        ['-f', '-c', program, 'zsh', ...Object.keys(expected)],
        Object.keys(expected),
      )
      expect(found).toEqual(sorted(expected))
    })
})
