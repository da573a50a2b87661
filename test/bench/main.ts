// `npm run bench`: rows of the goals, Slipway and its peer in turn within one run, medians and ratios in one table and one JSON file.
// Absolute times belong to the machine that is named above them; the ratios are what counts. Peers that are not installed are named as such.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ROOT } from '../tools/tree.ts'
import { CLI, isInstalled, KEY, type Measured, measure, median, NODE, startService } from './measure.ts'

const HELP = `npm run bench -- [--rows S1,S2,S5] [--runs 3] [--full]

  S1  one big file (1 GiB; 4 GiB with --full) beside curl -F
  S2  10,000 files of 10 KB beside curl --parallel
  S3  200 files at 50 a minute, both windows, with and without Retry-After (12 minutes; only when named or with --full)
  S5  first scan of 100,000 files in 1,000 folders beside find (1,000,000 with --full)
  BIG one sparse file of 10 GiB: peak memory (only when named or with --full)
`

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    runs: { type: 'string', default: '3' },
    full: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const rows = values.rows?.split(',') ?? (values.full ? ['S1', 'S2', 'S3', 'S5', 'BIG'] : ['S1', 'S2', 'S5'])
const runs = Math.max(1, Number(values.runs))

interface Row {
  readonly row: string
  readonly what: string
  readonly slipway: string
  readonly peer: string
  readonly ratio: string
  readonly goal: string
}

const table: Row[] = []
const raw: Record<string, unknown> = {}
const home = mkdtempSync(join(tmpdir(), 'slipway-bench-'))
const UNLIMITED = [
  '--plan',
  'custom',
  '--per-minute',
  '100000000',
  '--per-day',
  '1000000000',
  '--daily-uploads',
  'unlimited',
  '--max-file-size',
  'unlimited',
]
const s = (value: number): string => `${value.toFixed(2)} s`
const mib = (value: number): string => `${Math.round(value)} MiB`
const times = (list: readonly Measured[]): number => median(list.map((m) => m.wallS))

function check(measured: Measured, what: string): Measured {
  if (measured.code !== 0) throw new Error(`${what} ended with ${measured.code}: ${measured.out.slice(-500)}`)
  return measured
}

let dataDirs = 0
function environment(origin: string): Readonly<Record<string, string>> {
  return { SLIPWAY_BASE_URL: origin, SLIPWAY_API_KEY: KEY, SLIPWAY_DATA_DIR: join(home, `data-${++dataDirs}`) }
}

async function bigFile(): Promise<void> {
  const gib = values.full ? 4 : 1
  const path = join(home, 'big.bin')
  const block = Buffer.alloc(64 * 1024 * 1024, 'slipway bench ')
  writeFileSync(path, '')
  for (let i = 0; i < gib * 16; i++) writeFileSync(path, block, { flag: 'a' })
  const service = await startService(UNLIMITED)
  const ours: Measured[] = []
  const curl: Measured[] = []
  for (let i = 0; i < runs; i++) {
    ours.push(check(await measure([NODE, CLI, 'upload', path, '--quiet'], environment(service.origin)), 'upload'))
    if (isInstalled('curl'))
      curl.push(
        check(
          await measure([
            'curl',
            '-sf',
            '-o',
            '/dev/null',
            '-H',
            `Authorization: Bearer ${KEY}`,
            '-F',
            `file=@${path}`,
            `${service.origin}/api/v1/files/upload`,
          ]),
          'curl',
        ),
      )
  }
  await service.stop()
  rmSync(path)
  raw['S1'] = { gib, ours, curl }
  table.push({
    row: 'S1',
    what: `one file of ${gib} GiB, sha-256 included`,
    slipway: `${s(times(ours))}, ${s(median(ours.map((m) => m.cpuS)))} CPU, ${mib(median(ours.map((m) => m.peakMiB)))}`,
    peer:
      curl.length === 0
        ? 'curl is not installed'
        : `curl -F ${s(times(curl))}, ${s(median(curl.map((m) => m.cpuS)))} CPU, ${mib(median(curl.map((m) => m.peakMiB)))}`,
    ratio: curl.length === 0 ? '' : `${(times(ours) / times(curl)).toFixed(2)} x`,
    goal: 'at most 1.4 x curl, 150 MiB',
  })
}

async function smallFiles(): Promise<void> {
  const count = 10_000
  const folder = join(home, 'small')
  mkdirSync(folder)
  const names = Array.from({ length: count }, (_, i) => join(folder, `file-${i}.bin`))
  for (const [i, name] of names.entries()) writeFileSync(name, Buffer.alloc(10_240, `${i} `))
  const service = await startService(UNLIMITED)
  const config = join(home, 'curl.txt')
  writeFileSync(
    config,
    names
      .map(
        (name) =>
          `url="${service.origin}/api/v1/files/upload"\nform="file=@${name}"\nheader="Authorization: Bearer ${KEY}"\noutput="/dev/null"\n`,
      )
      .join('next\n'),
  )
  const ours: Measured[] = []
  const curl: Measured[] = []
  for (let i = 0; i < runs; i++) {
    ours.push(check(await measure([NODE, CLI, 'upload', folder, '--quiet'], environment(service.origin)), 'upload'))
    if (isInstalled('curl'))
      curl.push(check(await measure(['curl', '-s', '--parallel', '--parallel-max', '8', '-K', config]), 'curl --parallel'))
  }
  await service.stop()
  rmSync(folder, { recursive: true })
  raw['S2'] = { count, ours, curl }
  table.push({
    row: 'S2',
    what: '10,000 files of 10 KB, journal and sha-256 included',
    slipway: `${s(times(ours))}, ${mib(median(ours.map((m) => m.peakMiB)))}`,
    peer: curl.length === 0 ? 'curl is not installed' : `curl --parallel (8) ${s(times(curl))}`,
    ratio: curl.length === 0 ? '' : `${(times(ours) / times(curl)).toFixed(2)} x`,
    goal: 'at most 2 x curl --parallel',
  })
}

async function limited(): Promise<void> {
  const folder = join(home, 'limited')
  mkdirSync(folder)
  for (let i = 0; i < 200; i++) writeFileSync(join(folder, `file-${i}.txt`), `content ${i}`)
  const results = await Promise.all(
    ['sliding', 'aligned'].flatMap((windows) =>
      ['seconds', 'none'].map(async (retry) => {
        const service = await startService(['--plan', 'pro', '--windows', windows, '--retry-after', retry])
        const env = environment(service.origin)
        // The plan is known from an earlier day, as it is for anyone but at the very first start.
        check(await measure([NODE, CLI, 'stats', '--quiet'], env), 'stats')
        await new Promise((resolve) => setTimeout(resolve, 63_000))
        const ours = check(await measure([NODE, CLI, 'upload', folder, '--quiet', '--max-wait', '15m'], env), 'upload')
        const answer = await fetch(`${service.origin}/__control/requests`, { headers: { 'x-control': service.token } })
        const list = z.array(z.looseObject({ status: z.number().nullable() })).parse(await answer.json())
        await service.stop()
        return { windows, retry, wallS: ours.wallS, refused: list.filter((r) => r.status === 429).length }
      }),
    ),
  )
  raw['S3'] = results
  table.push({
    row: 'S3',
    what: '200 files at 50 a minute',
    slipway: results.map((r) => `${r.windows}, Retry-After ${r.retry}: ${s(r.wallS)}, ${r.refused} x 429`).join('; '),
    peer: 'least possible 180 s',
    ratio: `${(Math.max(...results.map((r) => r.wallS)) / 180).toFixed(2)} x`,
    goal: 'at most 186 s, 0 x 429',
  })
}

const Scan = z.object({ journalledMs: z.number(), p99Ms: z.number(), maxMs: z.number(), peakMiB: z.number() })

async function firstScan(): Promise<void> {
  const perFolder = values.full ? 1000 : 100
  const folder = join(home, 'tree')
  for (let d = 0; d < 1000; d++) {
    mkdirSync(join(folder, `d${d}`), { recursive: true })
    for (let i = 0; i < perFolder; i++) writeFileSync(join(folder, `d${d}`, `file-${i}.txt`), `content ${d} ${i}`)
  }
  const ours: z.infer<typeof Scan>[] = []
  const find: Measured[] = []
  await new Promise((resolve) => setTimeout(resolve, 2500))
  for (let i = 0; i < runs; i++) {
    const scanned = check(await measure([NODE, join(ROOT, 'test/bench/scan.ts'), folder, String(1000 * perFolder)]), 'scan')
    ours.push(Scan.parse(JSON.parse(scanned.out)))
    find.push(check(await measure(['find', folder, '-printf', '']), 'find'))
  }
  rmSync(folder, { recursive: true })
  raw['S5'] = { files: 1000 * perFolder, ours, find }
  const at = (pick: (scan: z.infer<typeof Scan>) => number): number => median(ours.map(pick))
  table.push({
    row: 'S5',
    what: `first scan of ${(1000 * perFolder).toLocaleString('en')} files, journalled`,
    slipway: `${s(at((o) => o.journalledMs) / 1000)}, ${mib(at((o) => o.peakMiB))}, event loop p99 ${at((o) => o.p99Ms).toFixed(0)} ms`,
    peer: `find ${s(times(find))}, which remembers nothing`,
    ratio: `${(at((o) => o.journalledMs) / 1000 / times(find)).toFixed(1)} x`,
    goal: '3 s, 250 MiB, p99 20 ms',
  })
}

async function sparse(): Promise<void> {
  const path = join(home, 'sparse.bin')
  writeFileSync(path, '')
  truncateSync(path, 10 * 1024 ** 3)
  const service = await startService(UNLIMITED)
  const ours = check(await measure([NODE, CLI, 'upload', path, '--quiet'], environment(service.origin)), 'upload')
  await service.stop()
  rmSync(path)
  raw['BIG'] = ours
  table.push({
    row: 'BIG',
    what: 'one sparse file of 10 GiB',
    slipway: `${s(ours.wallS)}, ${mib(ours.peakMiB)}`,
    peer: '',
    ratio: '',
    goal: 'under 200 MiB',
  })
}

const work: Readonly<Record<string, () => Promise<void>>> = { S1: bigFile, S2: smallFiles, S3: limited, S5: firstScan, BIG: sparse }
try {
  for (const row of rows) {
    const run = work[row]
    if (run === undefined) throw new Error(`there is no row ${row}; there are: ${Object.keys(work).join(', ')}`)
    process.stderr.write(`${row} …\n`)
    await run()
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform} ${release()}, Node ${process.version}, medians of ${runs}`
process.stdout.write(`${machine}\n\n| # | work | Slipway | peer | ratio | goal |\n|---|---|---|---|---|---|\n`)
for (const r of table) process.stdout.write(`| ${r.row} | ${r.what} | ${r.slipway} | ${r.peer} | ${r.ratio} | ${r.goal} |\n`)
mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
writeFileSync(join(import.meta.dirname, 'results/latest.json'), `${JSON.stringify({ machine, rows: table, raw }, null, 2)}\n`)
