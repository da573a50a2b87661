// `node test/bench/beside-empty.ts --electron DIR --app PROGRAM [--starts N]`: start and memory of a packaged
// Slipway beside an app of ten lines on the same Electron, in turn, on the display and session that it is run in.
// Linux only, because only there is shared memory counted once (PSS).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createService } from '../service/service.ts'

/** As long as nothing has changed for the user, what was needed for the start has been freed. */
const REST_MS = 15_000
const START_MS = 60_000

const EMPTY = `
const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true, contextIsolation: true } })
  window.once('ready-to-show', () => {
    window.show()
    require('node:fs').writeFileSync(process.env.READY, JSON.stringify({ event: 'page.ready', ms: process.uptime() * 1000 }) + '\\n')
  })
  window.loadURL('data:text/html,<title>Empty</title><main>Empty</main>')
})`

interface Start {
  readonly readyMs: number
  readonly cpuMs: number
  /** MiB by what the process is for. */
  readonly memory: ReadonlyMap<string, number>
}

const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0
const sum = (of: Iterable<number>): number => [...of].reduce((a, b) => a + b, 0)

function reads(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The process with all that it has started. */
function tree(root: number): number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    const parent = /^PPid:\t(\d+)$/m.exec(reads(`/proc/${name}/status`))?.[1]
    return parent === undefined ? [] : [[Number(name), Number(parent)] as const]
  })
  const below = (pid: number): number[] => [
    pid,
    ...parents.filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
  ]
  return below(root)
}

function purpose(pid: number): string {
  const command = reads(`/proc/${pid}/cmdline`)
  const type = /--type=([a-z-]+)/.exec(command)?.[1]
  if (type !== undefined) return /--utility-sub-type=([\w.]+)/.exec(command)?.[1] ?? type
  return command.includes('thread-host') || command.includes('worker-host') ? 'thread in Node 24' : 'main'
}

async function measured(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  log: string,
): Promise<Start> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const until = performance.now() + START_MS
  let ready: string | undefined
  while (ready === undefined) {
    if (performance.now() > until) throw new Error(`${program} shows no window.`)
    ready = /"page\.ready".*"ms":([\d.]+)/.exec(reads(log))?.[1]
    await sleep(50)
  }
  await sleep(REST_MS)
  const pids = tree(child.pid ?? 0)
  const ticks = pids.map((pid) => reads(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [])
  const memory = new Map<string, number>()
  for (const pid of pids) {
    const kib = Number(/^Pss: +(\d+)/m.exec(reads(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
    memory.set(purpose(pid), (memory.get(purpose(pid)) ?? 0) + kib / 1024)
  }
  child.kill('SIGTERM')
  await ended
  return {
    readyMs: Number(ready),
    cpuMs: sum(ticks.map((one) => (Number(one[11] ?? 0) + Number(one[12] ?? 0)) * 10)),
    memory,
  }
}

function shown(name: string, starts: readonly Start[]): string[] {
  const totals = starts.map(({ memory }) => sum(memory.values()))
  const kinds = [...new Set(starts.flatMap(({ memory }) => [...memory.keys()]))]
  const parts = kinds.map(
    (kind) => `${kind} ${median(starts.map(({ memory }) => memory.get(kind) ?? 0)).toFixed(0)}`,
  )
  return [
    `${name}: usable after ${median(starts.map(({ readyMs }) => readyMs)).toFixed(0)} ms, ` +
      `${median(starts.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms of CPU time, ${median(totals).toFixed(0)} MiB`,
    `  ${parts.join(', ')}`,
  ]
}

const { values } = parseArgs({
  options: {
    electron: { type: 'string' },
    app: { type: 'string' },
    starts: { type: 'string', default: '5' },
  },
})
const { electron, app } = values
if (electron === undefined || app === undefined)
  throw new Error('--electron DIR and --app PROGRAM are missing.')
const home = mkdtempSync(join(tmpdir(), 'slipway-beside-'))
const service = await createService({ plan: 'pro', storage: 'disk' })
try {
  const copy = join(home, 'electron')
  cpSync(electron, copy, { recursive: true, verbatimSymlinks: true })
  rmSync(join(copy, 'resources'), { recursive: true, force: true })
  mkdirSync(join(copy, 'resources/app'), { recursive: true })
  writeFileSync(join(copy, 'resources/app/package.json'), '{"name":"empty","main":"main.cjs"}')
  writeFileSync(join(copy, 'resources/app/main.cjs'), EMPTY)
  const empty: Start[] = []
  const own: Start[] = []
  for (let at = 0; at < Number(values.starts); at++) {
    const config = (name: string): string => join(home, `${name}-${at}`)
    const ready = join(home, `ready-${at}`)
    empty.push(
      await measured(join(copy, 'electron'), [], { READY: ready, XDG_CONFIG_HOME: config('empty') }, ready),
    )
    const data = config('data')
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(
      join(data, 'settings.json'),
      JSON.stringify({ baseUrl: service.url, app: { welcomed: true } }),
      {
        mode: 0o600,
      },
    )
    const env = { SLIPWAY_DATA_DIR: data, SLIPWAY_API_KEY: service.key, XDG_CONFIG_HOME: config('config') }
    own.push(await measured(app, [], env, join(data, 'window.log')))
  }
  for (const line of [...shown('an empty window', empty), ...shown('Slipway', own)]) console.log(line)
  const ratio = (of: (start: Start) => number): string =>
    (median(own.map(of)) / median(empty.map(of))).toFixed(2)
  console.log(
    `Slipway to empty: ready ${ratio(({ readyMs }) => readyMs)}, CPU ${ratio(({ cpuMs }) => cpuMs)}, ` +
      `memory ${ratio(({ memory }) => sum(memory.values()))}`,
  )
} finally {
  await service.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
}
