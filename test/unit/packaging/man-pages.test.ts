// The manual pages compared with the command line: every command, option, variable and exit code, in valid
// roff. They aren't rendered, because not every machine has a program for that.
import { describe, expect, it } from 'vitest'
import { manPages, roff } from '../../../assets/packaging/man-pages.ts'
import { COMMANDS } from '../../../src-main/cli/argument-mistakes.ts'
import { commandLine } from '../../../src-main/cli/arguments.ts'
import { EXIT } from '../../../src-main/cli/exit-codes.ts'

const pages = new Map(manPages().map(({ file, text }) => [file, text]))
const page = (name: string): string => pages.get(`${name}.1`) ?? ''

describe('roff', () => {
  it.each([
    ['--max-wait', '\\-\\-max\\-wait'],
    ['a\\b', 'a\\eb'],
    ['.slipwayignore files\n.gitignore', '\\&.slipwayignore files\n\\&.gitignore'],
    ["--ignore '*.tmp' ~/Public", '\\-\\-ignore \\(aq*.tmp\\(aq \\(ti/Public'],
  ])('escapes %j', (text, expected) => {
    expect(roff(text)).toBe(expected)
  })
})

describe('the manual pages', () => {
  it('are one for the program and one for each command', () => {
    expect([...pages.keys()].toSorted()).toEqual(
      ['slipway.1', ...COMMANDS.map((name) => `slipway-${name}.1`)].toSorted(),
    )
  })

  it.each([...pages.keys()])(
    '%s: every request is known, every example ends, nothing is left out',
    (file) => {
      const text = pages.get(file) ?? ''
      const requests = [...text.matchAll(/^\.(\w*)/gm)].map(([, name]) => name)
      expect(requests.filter((name) => !['TH', 'SH', 'TP', 'PP', 'EX', 'EE'].includes(name ?? ''))).toEqual(
        [],
      )
      expect(requests.filter((name) => name === 'EX')).toHaveLength(
        requests.filter((name) => name === 'EE').length,
      )
      expect(text).not.toMatch(/undefined|\[object|\n\n/)
      for (const heading of ['NAME', 'SYNOPSIS', 'OPTIONS'])
        if (file === 'slipway.1') expect(text).toContain(`\n.SH ${heading}\n`)
    },
  )

  it('describe every option with the words of the help', () => {
    for (const command of commandLine().program.commands)
      for (const option of command.options) {
        const text = page(`slipway-${command.name()}`)
        expect(text).toContain(`\\fB${roff(option.long ?? '')}`)
        expect(text).toContain(roff(option.description))
      }
  })

  it('list every command, environment variable and exit code', () => {
    for (const name of COMMANDS) expect(page('slipway')).toContain(`\\fBslipway\\-${name}\\fP(1)`)
    for (const name of [
      'SLIPWAY_BASE_URL',
      'SLIPWAY_API_KEY',
      'SLIPWAY_DATA_DIR',
      'SLIPWAY_DEBUG',
      'NO_COLOR',
    ])
      expect(page('slipway')).toContain(`.TP\n\\fB${name}\\fP\n`)
    const codes = [...page('slipway').matchAll(/\.TP\n\\fB(\d+)\\fP\n/g)].map(([, code]) => Number(code))
    expect(codes).toEqual(Object.values(EXIT).toSorted((a, b) => a - b))
  })

  it('keep examples as they are typed', () => {
    expect(page('slipway-watch')).toContain(`\n.EX\n${roff('slipway watch ~/Public')}\n`)
    expect(page('slipway-watch')).toContain(
      `${roff("slipway watch . --existing skip --ignore '*.tmp' --ignore 'drafts/'")}\n.EE\n`,
    )
  })
})
