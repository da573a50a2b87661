// `npm run bench`: measures the rows of the goals, alternating between Slipway and its peers within one run.
// Prints one table and writes a JSON file with every single run. Absolute times depend on the machine; only
// the ratios matter. If a row fails, the others continue.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { replaceSection } from '../tools/marked-section.ts'
import { runStep } from '../tools/steps.ts'
import { ROOT } from '../tools/tree.ts'
import { type BenchArguments, HELP, type RowName, readArguments } from './arguments.ts'
import { compareRuns, compareWithReference, Reference, referenceOf } from './compare.ts'
import { type HistoryLine, historyText, newestSeries, readHistory } from './history.ts'
import { failedRow, Mergeable, mergeRows, Report, type RowResult } from './results.ts'
import { createRoom, type Room } from './room.ts'
import { slowLine } from './rows/line.ts'
import { bigFile, sparseFile } from './rows/s1.ts'
import { smallFiles } from './rows/s2.ts'
import { limited } from './rows/s3.ts'
import { latency } from './rows/s4.ts'
import { firstScan } from './rows/s5.ts'
import { restarts } from './rows/s6.ts'
import { idle } from './rows/s7.ts'
import { savedWhileListing } from './rows/s12.ts'
import { hiddenWindow, remoteFiles, startAndSize, waitForLinks, windowUploads } from './rows/window.ts'
import { type Series, seriesOf } from './series.ts'
import { renderTable } from './table.ts'
import { measureYardstick } from './yardstick.ts'

const LATEST = join(import.meta.dirname, 'results/latest.json')
const HISTORY = join(import.meta.dirname, 'results/history.jsonl')
const REFERENCE = join(import.meta.dirname, 'reference.json')
/**
 * Generous, because a busy machine slows down a program with several threads more than a floor with one or
 * two.
 */
const FAR_OUT = 2
const FIGURES = 'docs/figures.md'

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
  S11: hiddenWindow,
  S12: savedWhileListing,
  S13: waitForLinks,
  BIG: sparseFile,
  LINE: slowLine,
}

function machine(args: BenchArguments): string {
  const [first] = cpus()
  return `${cpus().length} x ${first?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform} ${release().split('.').slice(0, 2).join('.')}, Node ${process.version}; medians of ${args.runs} runs${args.longRuns === args.runs ? '' : `, of ${args.longRuns} for long rows`}`
}

async function measureRows(args: BenchArguments): Promise<readonly RowResult[]> {
  const room = createRoom(args)
  const results: RowResult[] = []
  // Child processes receive the signal, too, so only the files have to be removed.
  const interrupted = (): void => void room.close().finally(() => process.exit(130))
  process.once('SIGINT', interrupted)
  try {
    for (const row of args.rows) {
      process.stderr.write(`${row} …`)
      const began = performance.now()
      const before = await measureYardstick()
      const result = await WORK[row](room).catch((error: unknown) => failedRow(row, error))
      results.push({ ...result, yardstick: [...before, ...(await measureYardstick())] })
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

function writePage(report: Report): boolean {
  const page = join(ROOT, FIGURES)
  const text = replaceSection(readFileSync(page, 'utf8'), 'bench', renderTable(report))
  if (text !== null) writeFileSync(page, text)
  return text !== null
}

function commit(): string | null {
  const git = (...words: readonly string[]): string | null => {
    const ran = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' })
    return ran.status === 0 ? ran.stdout.trim() : null
  }
  const head = git('rev-parse', 'HEAD')
  return head === null ? null : `${head}${git('status', '--porcelain') === '' ? '' : '+'}`
}

/**
 * Returns whether a figure got worse than in `older`, the history to compare with. If that is empty, a quick
 * run is compared with the stored reference instead, or becomes the new reference (--reference).
 */
function judge(args: BenchArguments, series: readonly Series[], older: readonly HistoryLine[]): boolean {
  const changes = compareRuns(newestSeries(older, args.mode), series)
  for (const { text } of older.length === 0 ? [] : changes) process.stdout.write(`${text}\n`)
  if (older.length > 0) return changes.some(({ verdict }) => verdict === 'worse')
  if (args.mode !== 'quick') return false
  if (args.reference) {
    writeFileSync(REFERENCE, `${JSON.stringify(referenceOf(series, FAR_OUT), null, 2)}\n`)
    return false
  }
  const found = compareWithReference(Reference.parse(JSON.parse(readFileSync(REFERENCE, 'utf8'))), series)
  for (const { text } of found) process.stdout.write(`${text}\n`)
  return found.some(({ isFarOut }) => isFarOut)
}

async function run(args: BenchArguments): Promise<number> {
  if (args.docs) {
    const report = merged(Report.parse(JSON.parse(readFileSync(LATEST, 'utf8'))), args.merge)
    if (writePage(report)) return 0
    process.stderr.write(`${FIGURES} has no place for the table: its two marks are missing.\n`)
    return 1
  }
  if (args.against !== null && !existsSync(args.against)) {
    process.stderr.write(
      `bench: There is no file ${args.against}. Each run adds to ${HISTORY}, unless --history names another.\n`,
    )
    return 2
  }
  const older = args.against === null ? null : readHistory(readFileSync(args.against, 'utf8'), args.against)
  if (older?.ok === false) {
    process.stderr.write(`bench: ${older.message}\n`)
    return 2
  }
  if (!runStep({ name: 'build', command: 'vite', args: ['build', '--app', '--logLevel', 'warn'] }).ok)
    return 1
  const rows = await measureRows(args)
  const at = new Date().toISOString()
  const report = merged(
    { machine: machine(args), at, mode: args.mode, rows: [...mergeRows([], rows)] },
    args.merge,
  )
  mkdirSync(join(LATEST, '..'), { recursive: true })
  writeFileSync(LATEST, `${JSON.stringify(report, null, 2)}\n`)
  const series = seriesOf(rows)
  appendFileSync(
    args.history ?? HISTORY,
    historyText({ at, commit: commit(), machine: machine(args), mode: args.mode, series: [...series] }),
  )
  process.stdout.write(`${renderTable(report)}\n`)
  const isWorse = judge(args, series, older?.lines ?? [])
  return report.rows.some((row) => row.failure !== null) ? 1 : isWorse ? 3 : 0
}

const read = readArguments(process.argv.slice(2))
if (!read.ok) {
  process.stderr.write(`bench: ${read.message}\n\n${HELP}`)
  process.exitCode = 2
} else if (read.value.help) process.stdout.write(HELP)
else process.exitCode = await run(read.value)
