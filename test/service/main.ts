// The reference service as a process: `node test/service/main.ts --plan pro --port 4010`. Prints one line
// when it is ready and exits cleanly on SIGTERM and SIGINT. Only parses the command line; the behaviour is in
// service.ts.
import { parseArgs } from 'node:util'
import { parseDialect } from './dialect.ts'
import type { FaultPlan } from './faults.ts'
import type { Limits } from './limits.ts'
import { createService, type ServiceOptions } from './service.ts'

const HELP = `The reference service: a local server of the file-sharing API, for tests, benches and the demo.

  node test/service/main.ts [options]

  --plan NAME            pro, business, enterprise, free, or any name        (pro)
  --port N               port on 127.0.0.1                                   (any free one)
  --data DIR             keep records and bytes here across restarts         (nothing is kept)
  --key KEY              the account's API key                               (kept with the data, else random and printed)
  --storage MODE         disk, or discard: size and hash only                (disk)
  --no-hash              take no hash of what comes in
  --windows CUT          sliding or aligned                                  (sliding)
  --day-turns-at HOUR    hour UTC at which an aligned day turns, or rolling
  --per-minute N         requests a minute, or unlimited                     (the plan's)
  --per-day N            requests a day, or unlimited                        (the plan's)
  --max-file-size N      bytes, or unlimited                                 (the plan's)
  --daily-uploads N      uploads a day, or unlimited                         (the plan's)
  --count-rejected       a request answered with 429 takes a place too
  --window-ms N          length of a minute in milliseconds                  (60000)
  --retry-after FORM     seconds, date or none                               (seconds)
  --dialect NAME|JSON    how the open points of the API are read             (plain)
  --faults JSON          {"rules":[{"on":"upload","rate":0.05,"kinds":["cut-after-store"]}]}
  --seed N               for faults and random ids                           (1)
  --latency MS           every answer waits this long                        (0)
  --upload-rate N        bytes a second of one upload                        (as fast as it comes)
  --stored N             the account holds so many files from the start      (none)
  --control-token TOKEN  opens /__control to requests with this x-control header
  --help
`

const FLAGS = {
  plan: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  key: { type: 'string' },
  storage: { type: 'string' },
  'no-hash': { type: 'boolean' },
  windows: { type: 'string' },
  'day-turns-at': { type: 'string' },
  'per-minute': { type: 'string' },
  'per-day': { type: 'string' },
  'max-file-size': { type: 'string' },
  'daily-uploads': { type: 'string' },
  'count-rejected': { type: 'boolean' },
  'window-ms': { type: 'string' },
  'retry-after': { type: 'string' },
  dialect: { type: 'string' },
  faults: { type: 'string' },
  seed: { type: 'string' },
  latency: { type: 'string' },
  'upload-rate': { type: 'string' },
  stored: { type: 'string' },
  'control-token': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Flags = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>['values']

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text)
  if (text.trim() === '' || Number.isNaN(value)) throw new Error(`--${name} is not a number: ${text}`)
  return value
}

function oneOf<T extends string>(name: string, text: string | undefined, all: readonly T[]): T | undefined {
  if (text === undefined) return undefined
  const found = all.find((one) => one === text)
  if (found === undefined) throw new Error(`--${name} is one of ${all.join(', ')}`)
  return found
}

function limitsOf(flags: Flags): Partial<Limits> {
  const turns = flags['day-turns-at']
  const given = {
    windows: oneOf('windows', flags.windows, ['sliding', 'aligned']),
    perMinute: numberOf('per-minute', flags['per-minute']),
    perDay: numberOf('per-day', flags['per-day']),
    maxFileSize: numberOf('max-file-size', flags['max-file-size']),
    dailyUploads: numberOf('daily-uploads', flags['daily-uploads']),
    dayTurnsAt: turns === 'rolling' ? turns : numberOf('day-turns-at', turns),
    countRejected: flags['count-rejected'],
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function optionsOf(flags: Flags): ServiceOptions {
  const retryAfter = oneOf('retry-after', flags['retry-after'], ['seconds', 'date', 'none'])
  return {
    plan: flags.plan,
    port: numberOf('port', flags.port),
    dataDir: flags.data,
    key: flags.key,
    storage: oneOf('storage', flags.storage, ['disk', 'discard']),
    hash: flags['no-hash'] !== true,
    limits: limitsOf(flags),
    windowMs: numberOf('window-ms', flags['window-ms']),
    dialect: {
      ...(flags.dialect === undefined ? {} : parseDialect(flags.dialect)),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
    // Validated by the service itself.
    faults: flags.faults === undefined ? undefined : (JSON.parse(flags.faults) as FaultPlan),
    seed: numberOf('seed', flags.seed),
    latencyMs: numberOf('latency', flags.latency),
    uploadBytesPerSecond: numberOf('upload-rate', flags['upload-rate']),
    stored: numberOf('stored', flags.stored),
    controlToken: flags['control-token'],
  }
}

async function main(): Promise<void> {
  const flags = parseArgs({ options: FLAGS }).values
  if (flags.help === true) {
    process.stdout.write(HELP)
    return
  }
  const service = await createService(optionsOf(flags))
  const shown = flags.key === undefined ? ` key=${service.key}` : ''
  process.stdout.write(`service ready ${service.url} plan=${service.plan}${shown}\n`)
  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    void service.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`service: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
