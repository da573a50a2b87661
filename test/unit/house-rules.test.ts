// The house rules enforced by the tools of `npm run check`, each with a bad example, and the Node version
// that everything runs on. test/tools explains the purpose of each rule.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { keyFaults, openingFault, readmeFaults, wordFaults } from '../tools/house.ts'
import { allowed } from '../tools/licences.ts'
import { countComments, oldWordLines, screenFaults } from '../tools/old-words.ts'
import { announcement, DESKTOP_TESTS, fromPlaywright, lastLine, outsideTests, tally } from '../tools/tally.ts'
import { ROOT, readTree, treeFiles } from '../tools/tree.ts'

describe('the Node of the tests', () => {
  it('is the pinned one, not what the machine happens to have', () => {
    expect(process.version).toBe(`v${pkg.optionalDependencies.node}`)
    expect(process.version).toMatch(/^v24\./)
    expect(readTree('.nvmrc').trim()).toBe(pkg.optionalDependencies.node)
  })

  it('is missed after an installation on a system for which npm has none, if the machine has an older one', () => {
    const [, code = ''] = /^node -e "(.*)"$/.exec(pkg.scripts.postinstall) ?? []
    const on = (version: string): { readonly status: number | null; readonly stderr: string } =>
      spawnSync(
        process.execPath,
        ['-e', `Object.defineProperty(process.versions, 'node', { value: '${version}' }); ${code}`],
        {
          encoding: 'utf8',
        },
      )
    expect(on('20.20.2')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^npm found no Node 24 .* npm ci again\.\n$/),
    })
    expect(on('24.0.0')).toMatchObject({ status: 0, stderr: '' })
  })
})

// Git worktrees may share the packages of one checkout, through a link. npm, in a copy of the tree, would
// empty the folder behind it.
it('the tree has no packages in it, not even as a link', () => {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '--no-index', 'node_modules'], {
    cwd: ROOT,
  })
  expect(status).toBe(0)
  expect(treeFiles().filter((file) => file.startsWith('node_modules'))).toEqual([])
})

describe('openingFault', () => {
  it.each([
    ['none', `import x from 'y'`],
    ['six lines', `${'// Line.\n'.repeat(6)}import x from 'y'`],
    ['a comment that comes later', `import x from 'y'\n// One.\n// Two.`],
  ])('refuses %s', (_name, source) => {
    expect(openingFault(source)).toMatch(/comment lines/)
  })

  it.each([
    ['one line', `// One line.\nimport x from 'y'`],
    ['five lines', `${'// Line.\n'.repeat(5)}import x from 'y'`],
    ['a first line for the shell', `#!/usr/bin/env node\n// One.\n// Two.\nimport x from 'y'`],
  ])('takes %s', (_name, source) => {
    expect(openingFault(source)).toBeNull()
  })
})

describe('wordFaults', () => {
  it.each([
    `const at = '${ROOT}/src-main'`,
    `see ${['', 'work', 'notes'].join('/')}`,
    ['https:', '', 'files.somewhere.net', 'api/v1'].join('/'),
    ['https:', '', 'ada@packages.somewhere.org', 'x'].join('/'),
    `// ${['TO', 'DO'].join('')}: later`,
  ])('refuses %s', (line) => {
    expect(wordFaults(`fine\n${line}\n`)).toHaveLength(1)
  })

  it.each([
    'http://127.0.0.1:8080/api/v1',
    'http://[::1]:80/',
    'https://files.example.com/download/x',
    'https://slow.test/',
    '/home/ada/work/notes',
    './work/x',
  ])('takes %s', (line) => {
    expect(wordFaults(line)).toEqual([])
  })
})

describe('keyFaults', () => {
  it.each([
    "await page.keyboard.press('Control+K')",
    "const VIEWS = [['files', 'Control+1']]",
    "await row.click({ modifiers: ['Shift', 'Control'] })",
    "await page.keyboard.press('Delete')",
    "await keys('Home', 'Delete')",
  ])('refuses %s', (line) => {
    expect(keyFaults(`fine\n${line}\n`)).toEqual([expect.stringMatching(/^2: on macOS/)])
  })

  it.each([
    "await page.keyboard.press('ControlOrMeta+K')",
    "await row.click({ modifiers: ['ControlOrMeta'] })",
    "await keys('Home', DELETE_KEY)",
    "await page.getByRole('button', { name: 'Delete' }).click()",
    "globalShortcut.register('CommandOrControl+Shift+U', () => undefined)",
  ])('takes %s', (line) => {
    expect(keyFaults(line)).toEqual([])
  })
})

describe('screenFaults', () => {
  it.each([
    ['en', "closing: 'Slipway starts its engine anew.',"],
    ['en', "'rate-minute': 'Waits for the request budget',"],
    ['en', 'saidNeeds: (n: number, shown: string) => `${shown} need you`,'],
    ['en', "topEmpty: 'Downloaded files will stand here.',"],
    ['de', 'sumFailed: (shown) => `${shown} gescheitert`,'],
    ['de', "folderScanning: 'Wird durchgesehen',"],
  ] as const)('refuses in %s: %s', (language, line) => {
    expect(screenFaults(language, `fine\n  ${line}`)).toEqual([expect.stringMatching(/^2: says "/)])
  })

  it.each([
    ['en', "closing: 'Slipway is restarting its sync engine.',"],
    ['en', '// Nobody is told anew.'],
    ['de', 'sumFailed: (shown) => `${shown} fehlgeschlagen`,'],
  ] as const)('accepts in %s: %s', (language, line) => {
    expect(screenFaults(language, line)).toEqual([])
  })
})

describe('oldWordLines', () => {
  it.each([
    ['// Whoever asks is told.', ['nobody', 'told']],
    ['/** Rows in doubt stand last. */', ['in doubt', 'stands']],
    [' * Started anew.', ['anew']],
    ['const a = 1 // Put by for the like.', ['put by', 'the like']],
  ])('finds the old words in %j', (line, words) => {
    expect([...oldWordLines(`x\n${line}`).keys()].toSorted()).toEqual(words)
  })

  it.each([
    "const nobody = 'told anew'",
    '// A stand-in tells them apart.',
    "call('http://nobody.test/told')",
  ])('finds none in %j', (line) => {
    expect(oldWordLines(line).size).toBe(0)
  })

  it('counts by room, and allows none where no number is given', () => {
    const counted = countComments(
      'src-shared',
      new Map([
        ['a.ts', '// anew'],
        ['b.ts', '\n// Anew and anew.'],
      ]),
    )
    expect(counted.find((one) => one.word === 'anew')).toMatchObject({
      places: ['a.ts:1', 'b.ts:2'],
      allowed: 0,
    })
    expect(counted.filter((one) => one.places.length > 0)).toHaveLength(1)
  })
})

describe('allowed', () => {
  it.each([
    ['MIT', 'program', true],
    ['(MIT OR GPL-3.0-only)', 'program', true],
    ['MIT AND GPL-3.0-only', 'tool', false],
    ['GPL-3.0-only', 'tool', false],
    ['MPL-2.0', 'program', false],
    ['MPL-2.0', 'tool', true],
    ['SEE LICENSE IN LICENSE', 'tool', false],
    ['', 'program', false],
  ] as const)('%s for a %s: %s', (expression, use, expected) => {
    expect(allowed(expression, use)).toBe(expected)
  })
})

const ON_LINUX = { platform: 'linux', isStrict: false } as const

describe('tally', () => {
  const suite = (statuses: readonly string[], status = 'passed') => ({
    testResults: [
      {
        name: 'a.test.ts',
        status,
        message: 'broken',
        assertionResults: statuses.map((one) => ({ status: one })),
      },
    ],
  })

  it.each([
    ['all passed', suite(['passed', 'passed']), [], 2, 0],
    ['one failed, and so its step', suite(['passed', 'failed'], 'failed'), ['tests'], 1, 1],
    ['one skipped', suite(['passed', 'pending']), [], 1, 1],
    ['one to do', suite(['passed', 'todo']), [], 1, 1],
    ['a file that does not load', suite([], 'failed'), ['tests'], 0, 2],
    ['nothing ran', { testResults: [] }, [], 0, 1],
    ['no report at all', null, ['tests'], 0, 1],
    ['a failed check', suite(['passed']), ['check'], 1, 1],
    ['an error outside of every test', suite(['passed']), ['tests'], 1, 1],
  ])('%s', (_name, report, steps, passed, failed) => {
    expect(tally(report, steps, ON_LINUX)).toMatchObject({ passed, failed, skipped: 0 })
  })

  it('an error in no test is named instead of counted without a name', () => {
    const testResults = [...suite(['passed']).testResults, outsideTests('Unhandled Rejection: left behind')]
    expect(tally({ testResults }, ['tests'], ON_LINUX)).toMatchObject({
      passed: 1,
      failed: 1,
      notes: [expect.stringContaining('left behind')],
    })
  })

  const skipped = (...names: readonly string[]) => ({
    testResults: [
      {
        name: 'a.test.ts',
        status: 'passed',
        message: '',
        assertionResults: [
          { status: 'passed' },
          ...names.map((fullName) => ({ status: 'pending', fullName })),
        ],
      },
    ],
  })

  it('a test that names what the system lacks is skipped, and what brings it is said', () => {
    const two = skipped(
      'keeps a key (lacks keyring)',
      'keychain (lacks keyring) reads a key',
      'fish completes (lacks fish)',
    )
    const sum = tally(two, [], ON_LINUX)
    expect(sum).toMatchObject({ passed: 1, failed: 0, skipped: 3, notes: [] })
    expect(sum.skips).toEqual([
      expect.stringMatching(/^2 skipped for lack of keyring: .*gnome-keyring/),
      expect.stringMatching(/^1 skipped for lack of fish: .*fish/),
    ])
    expect(lastLine(sum)).toBe('1 passed, 0 failed, 3 skipped')
    expect(lastLine({ passed: 1, failed: 0, skipped: 0 })).toBe('1 passed, 0 failed')
  })

  it('where everything is installed, it counts as failed all the same', () => {
    const sum = tally(skipped('keeps a key (lacks keyring)', 'fish completes (lacks fish)'), [], {
      platform: 'linux',
      isStrict: true,
    })
    expect(sum).toMatchObject({ passed: 1, failed: 2, skipped: 0 })
    expect(sum.skips).toHaveLength(2)
  })

  it('one that names nothing fails on Linux, and elsewhere is about another system', () => {
    expect(tally(skipped('needs inodes'), [], ON_LINUX)).toMatchObject({ failed: 1, skipped: 0 })
    const onMac = { platform: 'darwin', isStrict: false } as const
    expect(tally(skipped('needs inodes'), [], onMac)).toMatchObject({
      failed: 0,
      skipped: 1,
      skips: [expect.stringMatching(/^1 skipped: /)],
    })
    expect(tally(suite(['passed', 'todo']), [], onMac)).toMatchObject({ failed: 1, skipped: 0 })
  })

  it('the first lines of a run say what is not tested, and one command that changes it', () => {
    expect(announcement([])).toEqual([])
    const lines = announcement(['keyring', 'zsh']).join('\n')
    expect(lines).toMatch(/\n {2}keyring: the keychain.*\n {2}zsh: .*\n.*dbus.* gnome-keyring.* zsh\n$/)
  })

  it('names each failed test and how it failed, since the end of a log is what is kept', () => {
    const results = [
      { status: 'failed', fullName: 'a watch ends', failureMessages: ['expected 5 to be 0\nat a line'] },
      { status: 'passed', fullName: 'a watch begins' },
    ]
    const { failures } = tally(
      { testResults: [{ name: 'a.test.ts', status: 'failed', message: '', assertionResults: results }] },
      [],
    )
    expect(failures).toEqual(['a.test.ts: a watch ends\nexpected 5 to be 0\nat a line'])
  })

  it('names each test that passed only on the second attempt, and counts a failure if there are more than three', () => {
    const flaky = { status: 'passed', fullName: 'a watch ends', failureMessages: ['expected 5 to be 0'] }
    const run = (count: number) =>
      tally(
        {
          testResults: [
            {
              name: 'a.test.ts',
              status: 'passed',
              message: '',
              assertionResults: Array.from({ length: count }, () => flaky),
            },
          ],
        },
        [],
      )
    expect(run(1)).toMatchObject({
      passed: 1,
      failed: 0,
      flaky: ['a.test.ts: a watch ends\nexpected 5 to be 0'],
    })
    expect(run(3)).toMatchObject({ passed: 3, failed: 0 })
    expect(run(4)).toMatchObject({ passed: 4, failed: 1 })
  })
})

describe('the report of the desktop specs', () => {
  const failed = {
    errors: [{ message: 'no such button' }],
    attachments: [{ name: 'error-context', path: 'context.md' }],
  }
  const spec = (...statuses: readonly string[]) => ({
    title: 'a spec',
    tests: statuses.map((status) => ({
      status,
      results: status === 'unexpected' || status === 'flaky' ? [failed] : [],
    })),
  })
  const report = (
    specs: readonly ReturnType<typeof spec>[],
    errors: readonly { readonly message?: string }[] = [],
    context = '',
  ) =>
    fromPlaywright(
      {
        suites: [{ file: 'a.spec.ts', specs: [], suites: [{ file: 'a.spec.ts', specs: [...specs] }] }],
        errors: [...errors],
      },
      (path) => (path === 'context.md' ? context : null),
    )

  it('counts specs in suites of suites', () => {
    expect(tally(report([spec('expected'), spec('expected', 'unexpected')]), [])).toMatchObject({
      passed: 2,
      failed: 1,
    })
  })
  it('names a spec that passed only on the second attempt, and counts a skipped one as a failure', () => {
    expect(tally(report([spec('flaky')]), [])).toMatchObject({
      passed: 1,
      failed: 0,
      flaky: ['a.spec.ts: a spec\nno such button'],
    })
    expect(tally(report([spec('expected'), spec('skipped')]), [], ON_LINUX)).toMatchObject({
      passed: 1,
      failed: 1,
    })
  })
  it('skips a spec for the reason that it gives, or that all of them have', () => {
    const one = {
      title: 'a spec',
      tests: [
        { status: 'skipped', annotations: [{ type: 'skip', description: 'lacks keyring' }], results: [] },
      ],
    }
    const read = { suites: [{ file: 'a.spec.ts', specs: [one, spec('skipped')] }], errors: [] }
    const sum = tally(
      fromPlaywright(read, () => null, 'lacks chromium'),
      [],
      ON_LINUX,
    )
    expect(sum.skips).toEqual([
      expect.stringMatching(/^1 .*keyring:/),
      expect.stringMatching(/^1 .*chromium:/),
    ])
  })
  it.each([
    ['with its own heading', '# Page snapshot\n\n'],
    ['among the details of an expectation', '# Error details\n\n```\nno such button\n```\n\n'],
  ])('says what failed, and what the window showed, %s', (_name, heading) => {
    const context = `# Test info\n\n${heading}\`\`\`yaml\n- main:\n  - button "Copy link"\n\`\`\`\n\n# Test source\n`
    expect(tally(report([spec('unexpected')], [], context), []).failures).toEqual([
      'a.spec.ts: a spec\nno such button\n- main:\n  - button "Copy link"',
    ])
    expect(tally(report([spec('unexpected')]), []).failures).toEqual(['a.spec.ts: a spec\nno such button'])
  })
  it('counts what went wrong outside of specs', () => {
    expect(tally(report([spec('expected')], [{ message: 'no browser' }]), [])).toMatchObject({
      passed: 1,
      failed: 1,
    })
    expect(tally(report([spec('expected')]), [DESKTOP_TESTS])).toMatchObject({ passed: 1, failed: 1 })
  })
})

describe('readmeFaults', () => {
  const faults = (text: string, readme = 'src-main/api/README.md') =>
    readmeFaults(readme, text, ['src-main/api/client.ts'])

  it.each([
    ['a file that does not exist', '`client.ts` and `clients.ts`'],
    ['no file at all', 'The client.'],
    ['more than a screen', `\`client.ts\`${'\n'.repeat(40)}end`],
  ])('refuses %s', (_name, text) => {
    expect(faults(text)).toHaveLength(1)
  })

  it('accepts names with a folder, and an overview of any length', () => {
    expect(faults('`api/client.ts` and `../client.ts`')).toEqual([])
    expect(faults(`\`client.ts\`${'\n'.repeat(80)}end`, 'src-main/README.md')).toEqual([])
  })
})
