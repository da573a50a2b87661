// The pages for readers: every link leads somewhere, every command would be accepted, every path exists, and
// what is generated from the code is up to date. Each kind of check is shown to fail on a bad example.
import { describe, expect, it } from 'vitest'
import pkg from '../../../package.json' with { type: 'json' }
import { readPolicy } from '../../../src-main/platform/data/policy.ts'
import { generatedPages } from '../../tools/generated-docs.ts'
import { replaceSection } from '../../tools/marked-section.ts'
import {
  anchorsOf,
  commandFaults,
  linkFaults,
  mentionFaults,
  partsOf,
  pathFaults,
  type Repository,
  tableFaults,
} from '../../tools/pages.ts'
import { shellCommands } from '../../tools/shell-words.ts'
import { readTree, treeFiles } from '../../tools/tree.ts'

const README_MAX_BYTES = 14_000

const repository: Repository = { files: new Set(treeFiles()), scripts: pkg.scripts, read: readTree }
const all = treeFiles().filter((file) => file.endsWith('.md'))
const docs = all.filter((file) => file.startsWith('docs/'))

describe('the pages of the repository', () => {
  it('are all found', () => {
    expect(all).toEqual(
      expect.arrayContaining([
        'README.md',
        '.github/SECURITY.md',
        'assets/server/README.md',
        'src-main/README.md',
      ]),
    )
    expect(docs.length).toBeGreaterThan(5)
  })

  it.each(all)('%s: links lead somewhere, commands are accepted, paths exist', (file) => {
    const text = readTree(file)
    expect(linkFaults(file, text, repository)).toEqual([])
    expect(pathFaults(file, text, repository)).toEqual([])
    expect(commandFaults(file, text, repository)).toEqual([])
  })

  it.each(['README.md', ...docs])('%s mentions only commands and options that exist', (file) => {
    expect(mentionFaults(file, readTree(file))).toEqual([])
  })

  it('SECURITY.md names tests for every boundary, and only tests that exist', () => {
    const text = readTree('.github/SECURITY.md')
    const NAMED = /(?<=`)(?:(?:attack|e2e|fuzz|packages|unit)\/[\w./-]+|scenario)(?=`)/g
    const rows = text.match(/^\|.*\|$/gm)?.slice(2) ?? []
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter((row) => (row.split('|').at(-2)?.match(NAMED) ?? []).length === 0)).toEqual([])
    const exists = (name: string): boolean =>
      [...repository.files].some(
        (file) =>
          [`test/${name}.test.ts`, `test/${name}.ts`].includes(file) || file.startsWith(`test/${name}/`),
      )
    expect((text.match(NAMED) ?? []).filter((name) => !exists(name))).toEqual([])
  })

  it('README.md is short, and links each page of docs/ once', () => {
    const readme = readTree('README.md')
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(README_MAX_BYTES)
    expect(tableFaults(readme, docs)).toEqual([])
  })

  it('README.md has no figure that docs/figures.md lacks', () => {
    const [, table = ''] = /## Compared with other tools\n(.*?)\n## /s.exec(readTree('README.md')) ?? []
    const figures = table.match(/\d[\d.]* (?:s|ms|MiB|%)(?= |,|;|\n)/g) ?? []
    expect(figures.length).toBeGreaterThan(10)
    expect(figures.filter((one) => !readTree('docs/figures.md').includes(one))).toEqual([])
  })

  it.each(generatedPages(readTree))('%s is up to date (otherwise, run npm run docs)', (file, text) => {
    expect(readTree(file)).toBe(text)
  })

  it('the example of a policy is accepted, and has every property', () => {
    const [block] = partsOf(readTree('docs/policy.md')).blocks.filter(({ language }) => language === 'json')
    const policy = readPolicy({
      platform: 'linux',
      env: {},
      home: '/home/ada',
      uid: 1000,
      lstat: () => ({ isFile: () => true, mode: 0o100_644, uid: 0 }),
      read: () => block?.text ?? '',
    })
    expect(policy).toMatchObject({ address: 'https://files.example.com/api/v1', updates: false, fault: null })
    expect(policy.forbidden).toEqual(expect.arrayContaining(['/srv/private', '/home/ada/Private']))
  })
})

const small: Repository = {
  files: new Set(['README.md', 'docs/a.md', 'test/demo/main.ts']),
  scripts: { demo: 'node test/demo/main.ts', slipway: 'node src-main/cli/main.ts', lint: 'oxlint' },
  read: (file) =>
    file === 'docs/a.md' ? '# A page\n\n## Two words\n\n## Two words\n' : 'headless: { type: "boolean" }',
}
const sh = (line: string): string => `\`\`\`sh\n${line}\n\`\`\`\n`

describe('linkFaults', () => {
  it.each([
    ['a missing file', '[x](docs/b.md)'],
    ['a missing picture', '![x](assets/x.png)'],
    ['a missing heading', '[x](docs/a.md#three-words)'],
    ['a missing heading of the page itself', '# Here\n\n[x](#there)'],
    ['a file that is only missing from the folder of the page', '[`x`](a.md)'],
  ])('refuses %s', (_name, text) => {
    expect(linkFaults('README.md', text, small)).toHaveLength(1)
  })

  it.each([
    '[x](docs/a.md)',
    '[x](docs)',
    '[x](docs/a.md#two-words-1)',
    '# Here & now\n\n[x](#here--now)',
    '[x](https://files.example.com/y)',
    '`[x](docs/b.md)`',
    sh('echo "[x](docs/b.md)"'),
  ])('takes %j', (text) => {
    expect(linkFaults('README.md', text, small)).toEqual([])
  })

  it('says in which line', () => {
    expect(linkFaults('docs/a.md', 'one\n\n[x](b.md)', small)).toEqual(['docs/a.md:3: there is no docs/b.md'])
  })
})

describe('anchorsOf', () => {
  it('forms anchors as GitHub does, and ignores comments in code', () => {
    expect([...anchorsOf(`# What *was* \`tried\`?\n\n${sh('# no heading')}\n## Über [uns](x.md)\n`)]).toEqual(
      ['what-was-tried', 'über-uns'],
    )
  })
})

describe('pathFaults', () => {
  it.each(['`test/demo/other.ts`', '`docs/b.md`', '`test/e2e/`'])('refuses %s', (text) => {
    expect(pathFaults('README.md', text, small)).toHaveLength(1)
  })

  it.each(['`test/demo/main.ts`', '`test/demo/`', '`dist/cli.js`', '`and/or`', sh('cat test/demo/other.ts')])(
    'takes %j',
    (text) => {
      expect(pathFaults('README.md', text, small)).toEqual([])
    },
  )
})

describe('commandFaults', () => {
  it.each([
    ['an unknown command', sh('slipway uplaod a.txt')],
    ['an unknown option', sh('slipway upload --agian a.txt')],
    ['a value that is not a choice', sh('slipway watch --existing keep ~/Public')],
    ['a missing argument', sh('slipway upload')],
    ['too many arguments', sh('slipway audit a b')],
    ['a mistake after a pipe', sh('date | slipway upload - --nmae x')],
    ['a mistake inside of another command', sh('echo "$(slipway lnk a.txt)"')],
    ['a mistake after another program', sh('podman exec slipway slipway stauts')],
    ['a mistake behind a prompt', '```console\n$ slipway lss\n```\n'],
    ['a mistake in a code span', 'Use `slipway upload --agian`.'],
    ['an unknown script', sh('npm run dmeo')],
    ['an unknown script in a code span', 'Use `npm run dmeo`.'],
    ['an unknown option of a script', sh('npm run demo -- --headles')],
    ['a mistake in a command that a script runs', sh('npm run -s slipway -- uplaod a.txt')],
    ['an unknown program', sh('npn ci')],
    ['an unknown script of the repository', sh('.ci/rnu')],
  ])('refuses %s', (_name, text) => {
    expect(commandFaults('README.md', text, small)).toHaveLength(1)
  })

  it.each([
    sh('SLIPWAY_API_KEY="$(cat key.txt)" slipway upload a.txt 2> log.txt   # links'),
    sh('npm ci && npm run demo -- --headless'),
    sh('slipway upload \\\n  a.txt'),
    sh('sudo env A=b slipway status'),
    '```console\n$ slipway link a.txt\nhttps://files.example.com/x\n```\n',
    '```text\nslipway uplaod\n```\n',
    '`slipway watch` and `slipway release ID…`, `slipway <command>`, `rm -rf dist`',
  ])('takes %j', (text) => {
    expect(commandFaults('README.md', text, small)).toEqual([])
  })
})

describe('the generated parts', () => {
  const [begin, end] = ['<!-- part: begin -->', '<!-- part: end -->']

  it('replace what was between the markers, and nothing else', () => {
    const text = replaceSection(`before\n${begin}\nold\n${end}\nafter\n`, 'part', 'new\n')
    expect(text).toBe(`before\n${begin}\nnew\n${end}\nafter\n`)
    expect(replaceSection(text ?? '', 'part', 'new\n')).toBe(text)
  })

  it.each([['no marker'], [begin], [end], [`${end} ${begin}`], [`${begin} ${end} ${begin} ${end}`]])(
    'refuse %s',
    (text) => {
      expect(replaceSection(text, 'part', 'x')).toBeNull()
    },
  )

  it('notice a page that was edited, or lost its markers', () => {
    const page = readTree('docs/commands.md')
    expect(generatedPages(() => page.replace('| 2 | invalid usage |', '| 2 | wrong |'))).toEqual([
      ['docs/commands.md', page],
    ])
    expect(() => generatedPages(() => page.replace('<!-- json: end -->', ''))).toThrow(
      /has no place for the part "json"/,
    )
  })
})

describe('mentionFaults', () => {
  it.each(['`upload --agian`', '`--agian`', '`--onc=x`', '`audit a b`', '`watch --existing keep`'])(
    'refuses %s',
    (text) => {
      expect(mentionFaults('README.md', text)).toHaveLength(1)
    },
  )

  it.each([
    '`watch --once`',
    '`--existing skip`',
    '`pause [--now]`',
    '`link`',
    '`retry ID…`',
    '`-- --headless`',
    '`curl --retry`',
  ])('takes %s', (text) => {
    expect(mentionFaults('README.md', text)).toEqual([])
  })
})

describe('tableFaults', () => {
  it('refuses a page that is linked twice, and one that is not linked at all', () => {
    expect(tableFaults('[a](docs/a.md) [again](docs/a.md#b)', ['docs/a.md'])).toEqual([])
    expect(tableFaults('[a](docs/a.md) [a](docs/a.md)', ['docs/a.md', 'docs/b.md'])).toEqual([
      'README.md links docs/a.md 2 times; once is asked for',
      'README.md links docs/b.md 0 times; once is asked for',
    ])
  })
})

describe('shellCommands', () => {
  it.each([
    ['a b | c && d; e', [['a', 'b'], ['c'], ['d'], ['e']]],
    [`a 'b c' "d # e" # f`, [['a', 'b c', 'd # e']]],
    [
      'X=1 a "$(b "c d")" < e > f 2> g',
      [
        ['b', 'c d'],
        ['a', '$(…)'],
      ],
    ],
    ['a \\\n  b\nc', [['a', 'b'], ['c']]],
  ])('splits %j', (line, expected) => {
    expect(shellCommands(line)).toEqual(expected)
  })
})
