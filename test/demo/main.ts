// `npm run demo`: shows the main use case with real input. If a window can be shown, it opens the app, signed
// in (window.ts). Otherwise it starts the reference service on loopback (Pro plan), creates a folder of real
// files, lets a Slipway process watch it, adds files meanwhile, then downloads every link and compares the
// bytes. Exits with 0 only if every file is accounted for. Needs no keychain and no account.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createService, type Service } from '../service/service.ts'
import { firstSamples, heldBack, laterSamples, type Sample, write } from './sample-folder.ts'
import { demoWindow, windowProgram } from './window.ts'

const PATIENCE_MS = 5 * 60_000

interface Line {
  readonly event: string
  readonly path?: string
  readonly public_link?: string
  readonly reason?: string
  readonly rule?: string
  readonly message?: string
  readonly size?: number
}

const { values } = parseArgs({
  options: { headless: { type: 'boolean' }, keep: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: false,
})
if (values.help === true) {
  process.stdout.write(
    'npm run demo -- [--headless] [--keep]\n\nRuns Slipway against a local service on a sample folder: in its window where there is a display, else without,\nthen every byte is checked. --headless never opens a window; --keep leaves the folder and the data where they are and says where.\n',
  )
  process.exit(0)
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
if (values.headless !== true) {
  const program = await windowProgram(say)
  if (program !== null) process.exit(await demoWindow(program, say))
}

const began = performance.now()
const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-demo-')))
const folder = join(home, 'Share')
const key = `demo-${randomBytes(12).toString('hex')}`
function shown(path: string): string {
  return JSON.stringify(path.startsWith(folder) ? path.slice(folder.length + 1) : path).slice(1, -1)
}

function startSlipway(service: Service): ChildProcess {
  return spawn(
    process.execPath,
    [join(import.meta.dirname, '../../src-main/cli/main.ts'), 'watch', folder, '--json', '--no-color'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        SLIPWAY_BASE_URL: service.url,
        SLIPWAY_API_KEY: key,
        SLIPWAY_DATA_DIR: join(home, 'data'),
      },
    },
  )
}

async function fetchHash(link: string): Promise<{ readonly sha256: string; readonly size: number }> {
  const answer = await fetch(link)
  if (!answer.ok || answer.body === null) throw new Error(`${link} answered ${answer.status}`)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of answer.body) {
    hash.update(chunk)
    size += chunk.length
  }
  return { sha256: hash.digest('hex'), size }
}

async function run(): Promise<number> {
  const first = firstSamples()
  const later = laterSamples()
  const back = heldBack()
  const expected = new Map<string, Sample>(
    [...first, ...later].map((sample) => [join(folder, ...sample.name.split('/')), sample]),
  )
  write(folder, [...first, ...back])
  const service = await createService({ plan: 'pro', key, dataDir: join(home, 'service') })
  say(`Service   ${service.url} (plan Pro: 50 requests a minute)`)
  say(`Folder    ${folder}`)
  say(`Files     ${first.length} now, ${later.length} while it runs, ${back.length} that must stay here\n`)

  const links = new Map<string, string>()
  const problems: string[] = []
  let held = 0
  let added = false
  const slipway = startSlipway(service)
  const ended = new Promise<number>((resolve) => slipway.once('exit', (code) => resolve(code ?? 1)))
  const done = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new Error(
            `Not done after ${PATIENCE_MS / 60_000} minutes: ${links.size} of ${expected.size} files are up.`,
          ),
        ),
      PATIENCE_MS,
    )
    void ended.then((code) => reject(new Error(`Slipway ended early with exit code ${code}.`)))
    if (slipway.stdout === null) return
    createInterface({ input: slipway.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line
      const path = line.path ?? ''
      if (line.event === 'uploaded' && line.public_link !== undefined) {
        links.set(path, line.public_link)
        say(`  ${line.public_link}  ${shown(path)}`)
      } else if (line.event === 'held') {
        held++
        say(`  held: ${shown(path)} (${line.message ?? line.rule ?? line.reason ?? ''})`)
      } else if (line.event === 'failed')
        problems.push(`${shown(path)} failed: ${line.reason ?? ''} ${line.message ?? ''}`)
      else if (line.event === 'waiting') say(`  waits: ${shown(path)} (${line.reason ?? ''})`)
      if (!added && links.size >= 5) {
        added = true
        say('  … three more files are saved into the folder …')
        write(folder, later)
      }
      if (links.size >= expected.size && held >= 1) {
        clearTimeout(timer)
        resolve()
      }
    })
  })
  await done
  slipway.kill('SIGINT')
  await ended

  say('\nEvery link is fetched and compared with the file it stands for:')
  let bytes = 0
  for (const [path, sample] of expected) {
    const link = links.get(path)
    if (link === undefined) {
      problems.push(`${shown(path)} has no link`)
      continue
    }
    const got = await fetchHash(link)
    bytes += got.size
    if (got.sha256 !== createHash('sha256').update(sample.data).digest('hex'))
      problems.push(`${shown(path)}: the link gives other bytes`)
  }
  const stored = service.ledger.live()
  if (stored.length !== expected.size)
    problems.push(`the service holds ${stored.length} files, ${expected.size} were to be sent`)
  const refused = service.requests.list().filter((request) => request.status === 429).length
  if (refused > 0) problems.push(`${refused} requests were over the plan`)
  await service.close()
  for (const problem of problems) say(`  problem: ${problem}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if (problems.length > 0) return 1
  say(
    `  ${expected.size} files, ${(bytes / 1e6).toFixed(1)} MB: all bytes equal, each stored once, none over the plan; ${held} held, 1 ignored. ${seconds} s.`,
  )
  return 0
}

let code = 1
try {
  code = await run()
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
} finally {
  if (values.keep === true) say(`Kept: ${home}`)
  else rmSync(home, { recursive: true, force: true })
}
process.exit(code)
