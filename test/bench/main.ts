// `npm run bench`: measures the rows of the goals, alternating between Slipway and its peers within one run. Prints one table and writes a
// JSON file with every single run. Absolute times depend on the machine; only the ratios matter. If a row fails, the others continue.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { runStep } from '../tools/steps.ts'
import { ROOT } from '../tools/tree.ts'
import { type BenchArguments, HELP, type RowName, readArguments } from './arguments.ts'
import { failedRow, Mergeable, mergeRows, Report, type RowResult } from './results.ts'
import { createRoom, type Room } from './room.ts'
import { bigFile, sparseFile } from './rows/s1.ts'
import { smallFiles } from './rows/s2.ts'
import { limited } from './rows/s3.ts'
import { latency } from './rows/s4.ts'
import { firstScan } from './rows/s5.ts'
import { restarts } from './rows/s6.ts'
import { idle } from './rows/s7.ts'
import { remoteFiles, startAndSize, windowUploads } from './rows/window.ts'
import { intoReadme, renderTable } from './table.ts'

const LATEST = join(import.meta.dirname, 'results/latest.json')
const README = join(ROOT, 'README.md')

const WORK: Readonly<Record<RowName, (room: Room) => Promise<RowResult>>> = {
  S1: bigFile,
  S2: smallFiles,
  S3: limited,
  S4: latency,
  S5: firstScan,
  S6: restarts,
  S7: idle,
  S8: windowUploads,
  S9: remoteFiles,
  S10: startAndSize,
  BIG: sparseFile,
}

function machine(args: BenchArguments): string {
  const [first] = cpus()
  return `${cpus().length} x ${first?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform} ${release()}, Node ${process.version}; medians of ${args.runs}, of ${args.longRuns} for long rows`
}

async function measureRows(args: BenchArguments): Promise<readonly RowResult[]> {
  const room = createRoom(args)
  const results: RowResult[] = []
  // Child processes receive the signal, too. Remove what was written.
  const interrupted = (): void => void room.close().finally(() => process.exit(130))
  process.once('SIGINT', interrupted)
  try {
    for (const row of args.rows) {
      process.stderr.write(`${row} …`)
      const began = performance.now()
      const result = await WORK[row](room).catch((error: unknown) => failedRow(row, error))
      results.push(result)
      process.stderr.write(
        ` ${Math.round((performance.now() - began) / 1000)} s${result.failure === null ? '' : `, failed: ${result.failure}`}\n`,
      )
    }
  } finally {
    process.off('SIGINT', interrupted)
    await room.close()
  }
  return results
}

function merged(report: Report, files: readonly string[]): Report {
  const rows = files.reduce<readonly RowResult[]>(
    (all, file) => mergeRows(all, Mergeable.parse(JSON.parse(readFileSync(file, 'utf8'))).rows),
    report.rows,
  )
  return { ...report, rows: [...rows] }
}

function writeReadme(report: Report): boolean {
  const text = intoReadme(readFileSync(README, 'utf8'), renderTable(report))
  if (text !== null) writeFileSync(README, text)
  return text !== null
}

async function run(args: BenchArguments): Promise<number> {
  if (args.readme) {
    const report = merged(Report.parse(JSON.parse(readFileSync(LATEST, 'utf8'))), args.merge)
    if (writeReadme(report)) return 0
    process.stderr.write('README.md has no place for the table: its two marks are missing.\n')
    return 1
  }
  if (!runStep({ name: 'build', command: 'vite', args: ['build', '--app', '--logLevel', 'warn'] }).ok) return 1
  const rows = await measureRows(args)
  const at = new Date().toISOString()
  const report = merged({ machine: machine(args), at, mode: args.mode, rows: [...mergeRows([], rows)] }, args.merge)
  mkdirSync(join(LATEST, '..'), { recursive: true })
  writeFileSync(LATEST, `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`${renderTable(report)}\n`)
  return report.rows.some((row) => row.failure !== null) ? 1 : 0
}

const read = readArguments(process.argv.slice(2))
if (!read.ok) {
  process.stderr.write(`bench: ${read.message}\n\n${HELP}`)
  process.exitCode = 2
} else if (read.value.help) process.stdout.write(HELP)
else process.exitCode = await run(read.value)
