// `npm run mutations -- --count 60 --seed 1`: changes the program in places drawn at random, one at a time in
// a copy of the tree, and finds whether a test notices. Cheapest first: types, unit tests, scenarios, desktop
// specs; then what only the long runs notice. What a person has to judge are the survivors: whether a test is
// missing, or the change makes no difference.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { drawMutations, mutate, mutationsOf } from './mutation-operators.ts'
import { type Caught, type Drawn, firstFailed, LONG_STEP, tableOf } from './mutation-report.ts'
import { importersOf, isOnScreen, stagesFor } from './mutation-stages.ts'
import { fromPlaywright, PlaywrightReport } from './tally.ts'
import { ROOT, readTree, treeFiles } from './tree.ts'

const USAGE = `npm run mutations -- [options]
  --count N     how many mutations (60)
  --seed N      from which number they are drawn (1)
  --only REGEX  only of files whose path matches
  --jobs N      how many at once, each in a copy of its own (1)
  --until STAGE unit or scenario: tries no later stage, which can take half an hour for each survivor
  --state FILE  where results are kept (node_modules/.cache/slipway-mutations.json)
  --continue    goes on with what is kept there
  --list        only lists what is drawn`

/** What was just killed may still be writing there. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10 } as const

const MUTATED = /^src-(?:main|renderer|shared)\/.*\.tsx?$/
/** Texts on screen are data, and declarations don't run. */
const LEFT_OUT = /^src-shared\/i18n\/(?:en|de)\/|\.d\.ts$/
const MINUTE_MS = 60_000
/** An endless loop ends here and counts as caught. Far above what a stage takes on a busy machine. */
const LIMIT_MS = {
  types: 10 * MINUTE_MS,
  build: 10 * MINUTE_MS,
  unit: 20 * MINUTE_MS,
  all: 90 * MINUTE_MS,
} as const
/** Without unused names: to remove the only use of a name is no mistake that types find. */
const TSC = [
  '--noUnusedLocals',
  'false',
  '--noUnusedParameters',
  'false',
  '--incremental',
  '--tsBuildInfoFile',
]

const Mutation = z.object({
  file: z.string(),
  line: z.number(),
  operator: z.string(),
  start: z.number(),
  end: z.number(),
  before: z.string(),
  after: z.string(),
})
const Result = z.object({ step: z.string().nullable(), by: z.string(), seconds: z.number() })
const Whole = z.coerce.number().int().nonnegative()
const State = z.object({
  seed: z.number(),
  mutations: z.array(z.object({ mutation: Mutation, result: Result.nullable() })),
})
const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
})

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '1' },
    until: { type: 'string', default: 'long' },
    state: { type: 'string', default: join(ROOT, 'node_modules/.cache/slipway-mutations.json') },
    continue: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const until = z.enum(['unit', 'scenario', 'long']).parse(values.until)
const files = treeFiles()
const sources = files.filter((file) => /^(?:src-|test\/).*\.[cm]?tsx?$/.test(file))

function draw(): z.infer<typeof State> {
  if (values.continue) return State.parse(JSON.parse(readFileSync(values.state, 'utf8')))
  const [seed, count] = [Whole.parse(values.seed), Whole.parse(values.count)]
  const only = new RegExp(values.only)
  const mutated = files.filter((file) => MUTATED.test(file) && !LEFT_OUT.test(file) && only.test(file))
  const all = mutated.flatMap((file) => mutationsOf(file, readTree(file)))
  const drawn = drawMutations(seed, count, all, readTree)
  return { seed, mutations: drawn.map((mutation) => ({ mutation, result: null })) }
}

/** A copy of the tree as it is now, with the packages of this checkout, but caches of its own. */
function copyTree(below: string, at: number): string {
  const copy = join(below, `tree-${at}`)
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file))
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name))
  }
  // Tests and checks ask git for the files of the tree.
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
  ])
    execFileSync('git', args, { cwd: copy })
  return copy
}

interface Ran {
  readonly ok: boolean
  readonly inTime: boolean
  readonly output: string
}

const running = new Set<ChildProcess>()
function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The whole group has ended.
  }
}

/** Runs a tool in a process group of its own, so that nothing it has started outlives it. */
function run(
  tree: string,
  limitMs: number,
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const temporary = join(dirname(tree), 't')
    mkdirSync(temporary, { recursive: true })
    const path = `${join(tree, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
    // A retry would only cost time, so CI isn't passed on.
    const { CI: _ci, ...env } = process.env
    const child = spawn(command, args, {
      cwd: tree,
      env: { ...env, PATH: path, TMPDIR: temporary, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
    let output = ''
    let inTime = true
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-20_000)
      })
    const timer = setTimeout(() => {
      inTime = false
      endGroup(child)
    }, limitMs)
    const end = (ok: boolean): void => {
      clearTimeout(timer)
      endGroup(child)
      running.delete(child)
      resolve({ ok, inTime, output })
    }
    child.on('error', () => end(false))
    child.on('exit', (status) => end(status === 0))
  })
}

/** The first test file that failed; null if the report is missing or names none. */
function failedFile(tree: string, report: string, runner: 'vitest' | 'playwright'): string | null {
  try {
    const json: unknown = JSON.parse(readFileSync(report, 'utf8'))
    if (runner === 'vitest') {
      const name = firstFailed(VitestReport.parse(json))
      return name === null ? null : relative(tree, name)
    }
    const name = firstFailed(fromPlaywright(PlaywrightReport.parse(json), () => null))
    return name === null ? null : `test/e2e/${name}`
  } catch {
    return null
  }
}

/**
 * Files that fail without any mutation, on this machine: they prove nothing. And those that were seen to
 * pass.
 */
const broken = new Set<string>()
const sound = new Set<string>()
/** A long run of a file is another test than a short one. */
const keyOf = (step: string, file: string): string => (step === LONG_STEP ? `${file} (long)` : file)

class Trial {
  readonly #tree: string
  readonly #drawn: Drawn
  readonly #original: string
  readonly #from = performance.now()
  #built = false

  constructor(tree: string, drawn: Drawn) {
    this.#tree = tree
    this.#drawn = drawn
    this.#original = readFileSync(join(tree, drawn.mutation.file), 'utf8')
  }

  async run(): Promise<Caught> {
    this.#write(true)
    try {
      return await this.#stages()
    } finally {
      this.#write(false)
    }
  }

  async #stages(): Promise<Caught> {
    const { file } = this.#drawn.mutation
    const stages = stagesFor(file, files, importersOfFile)
    const types = file.startsWith('src-renderer/')
      ? ['src-renderer']
      : file.startsWith('src-shared/')
        ? ['src-renderer', '.']
        : ['.']
    for (const project of types) {
      const cache = `node_modules/.cache/mutations-${project === '.' ? 'all' : project}.tsbuildinfo`
      const { ok, inTime, output } = await run(this.#tree, LIMIT_MS.types, 'tsc', [
        '-p',
        project,
        ...TSC,
        cache,
      ])
      if (!ok)
        return this.#caught('types', inTime ? (/error (TS\d+)/.exec(output)?.[1] ?? 'tsc') : 'time limit')
    }
    const desktop = async (): Promise<Caught | null> => this.#tests('desktop', stages.desktop, LIMIT_MS.all)
    const rest = async (): Promise<Caught | null> => this.#tests('rest', stages.rest, LIMIT_MS.all)
    const unit =
      (await this.#tests('unit', stages.mirror, LIMIT_MS.unit)) ??
      (await this.#tests('unit', stages.unit, LIMIT_MS.unit))
    if (unit !== null || until === 'unit') return unit ?? this.#caught(null, '')
    const scenario = (await this.#build()) ?? (await this.#tests('scenario', stages.related, LIMIT_MS.all))
    if (scenario !== null || until === 'scenario') return scenario ?? this.#caught(null, '')
    return (
      (isOnScreen(file) ? ((await desktop()) ?? (await rest())) : ((await rest()) ?? (await desktop()))) ??
      (await this.#tests(LONG_STEP, stages.long, LIMIT_MS.all)) ??
      (await this.#tests(LONG_STEP, stages.longDesktop, LIMIT_MS.all)) ??
      this.#caught(null, '')
    )
  }

  /** Tests of the command line and of the window use the build if there is one. */
  async #build(): Promise<Caught | null> {
    const { ok, inTime } = await run(this.#tree, LIMIT_MS.build, 'vite', ['build', '--app'])
    this.#built = true
    return ok ? null : this.#caught('build', inTime ? 'vite' : 'time limit')
  }

  /** Runs a stage until it passes or a file fails that passes without the mutation. */
  async #tests(step: string, wanted: readonly string[], limitMs: number): Promise<Caught | null> {
    for (;;) {
      const left = wanted.filter((file) => !broken.has(keyOf(step, file)))
      if (left.length === 0) return null
      const { file, line } = this.#drawn.mutation
      const from = performance.now()
      const { ok, inTime, failed } = await this.#runTests(step, left, limitMs)
      // For whoever watches a run of hours; the results go to stdout.
      console.error(
        `${file}:${line} ${step}: ${left.length} files, ${Math.round((performance.now() - from) / 1000)} s`,
      )
      if (ok) return null
      if (!inTime) return this.#caught(step, 'time limit')
      if (await this.#isSound(step, failed === null ? left : [failed]))
        return this.#caught(step, failed ?? 'the run itself')
      if (failed === null)
        throw new Error(`The stage "${step}" does not run here, not even without a mutation.`)
      broken.add(keyOf(step, failed))
    }
  }

  async #runTests(
    step: string,
    left: readonly string[],
    limitMs: number,
  ): Promise<{ ok: boolean; inTime: boolean; failed: string | null }> {
    const report = join(this.#tree, 'node_modules/.cache/report.json')
    rmSync(report, { force: true })
    const isDesktop = left.every((file) => file.endsWith('.spec.ts'))
    const more = {
      ...(isDesktop ? { SLIPWAY_E2E_REPORT: report } : {}),
      ...(step === LONG_STEP ? { SLIPWAY_LONG: '1' } : {}),
    }
    const { ok, inTime } = isDesktop
      ? await run(this.#tree, limitMs, 'playwright', ['test', '-x', ...left], more)
      : await run(
          this.#tree,
          limitMs,
          'vitest',
          ['run', '--bail=1', '--reporter=json', `--outputFile.json=${report}`, ...left],
          more,
        )
    return { ok, inTime, failed: failedFile(this.#tree, report, isDesktop ? 'playwright' : 'vitest') }
  }

  /** Whether these files pass without the mutation. */
  async #isSound(step: string, failed: readonly string[]): Promise<boolean> {
    if (failed.every((file) => sound.has(keyOf(step, file)))) return true
    this.#write(false)
    if (this.#built) await run(this.#tree, LIMIT_MS.build, 'vite', ['build', '--app'])
    const { ok } = await this.#runTests(step, failed, LIMIT_MS.all)
    for (const file of ok ? failed : []) sound.add(keyOf(step, file))
    this.#write(true)
    if (!ok && this.#built) await run(this.#tree, LIMIT_MS.build, 'vite', ['build', '--app'])
    return ok
  }

  /** Writes the source with or without the mutation. A build of the other one would be taken for current. */
  #write(isMutated: boolean): void {
    const source = isMutated ? mutate(this.#original, this.#drawn.mutation) : this.#original
    writeFileSync(join(this.#tree, this.#drawn.mutation.file), source)
    rmSync(join(this.#tree, 'dist'), { recursive: true, force: true })
  }

  #caught(step: string | null, by: string): Caught {
    return { step, by, seconds: Math.round((performance.now() - this.#from) / 1000) }
  }
}

function save(state: z.infer<typeof State>): void {
  mkdirSync(dirname(values.state), { recursive: true })
  writeFileSync(values.state, JSON.stringify(state, null, 2))
}

if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const state = draw()
const drawn: readonly Drawn[] = state.mutations
if (values.list) {
  console.log(tableOf(drawn))
  process.exit(0)
}
const importersOfFile = importersOf(sources, readTree)
// A short path: the sockets of tests are in it.
const below = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-m-')))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of running) endGroup(child)
    console.error(`Ended by ${signal}. Go on with --continue.`)
    rmSync(below, REMOVAL)
    process.exit(1)
  })
save(state)
try {
  const open = drawn.filter((one) => one.result === null)
  const work = async (_: unknown, at: number): Promise<void> => {
    const tree = copyTree(below, at)
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      next.result = await new Trial(tree, next).run()
      save(state)
      console.log(tableOf([next], drawn.indexOf(next)).split('\n').at(2))
    }
  }
  await Promise.all(Array.from({ length: Whole.parse(values.jobs) }, work))
} finally {
  rmSync(below, REMOVAL)
}
console.log(`\n${tableOf(drawn)}`)
if (broken.size > 0)
  console.log(`\nLeft out, because they fail here without a mutation: ${[...broken].join(', ')}`)
