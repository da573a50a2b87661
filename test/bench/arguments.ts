// Parses the arguments of `npm run bench`, and defines how much work each row does in each mode. Pure:
// returns the parsed arguments or an error message.
import { parseArgs } from 'node:util'

const ROWS = [
  'S1',
  'S2',
  'S3',
  'S4',
  'S5',
  'S6',
  'S7',
  'S8',
  'S9',
  'S10',
  'S11',
  'S12',
  'S13',
  'BIG',
  'LINE',
] as const
export type RowName = (typeof ROWS)[number]
export type Mode = 'quick' | 'usual' | 'full'

export const HELP = `npm run bench -- [--rows S1,S2] [--runs N] [--quick | --full] [--against FILE] [--merge FILE]... | --docs

  S1   one big file (1 GiB; 4 GiB with --full) beside curl -F, with sha256sum too, rclone, bare Node
  S2   10,000 files of 10 KB beside bare Node with SQLite, curl --parallel, xargs, rclone
  S3   200 files at 50 a minute, four kinds of service at once (over 4 minutes; only when named or with --full)
  S4   from closing a file to the server having it: one by one, moved in, in a burst; beside inotifywait and curl
  S5   first scan of 100,000 files in 1,000 folders (with --full also of 1,000,000) beside find and rclone lsf
  S6   restart with 100,000 known files
  S7   idle with 100,000 files watched (60 s; five minutes with --full)
  S8   10,000 uploads with the window open
  S9   100,000 remote files in the window
  S10  start to usable window, bundle sizes
  S11  window hidden until its page is let go, and shown again
  S12  a file saved while a list of 20,000 remote files is read for the first time
  S13  from saving a file, and from the key for a copied picture, to the link on the clipboard, at rest and beside 10,000 uploads
  BIG  one sparse file of 40 GiB: peak memory (only when named or with --full)
  LINE one file of 16 MiB over a line with 50 ms and 1 % loss beside curl -F (only when named or with --full)

  --runs N      runs of each row (5; 3 with --quick); long rows take at most 3
  --quick       small sizes of S1 and S2 (or of the rows named), under a minute: proves the bench, not the goals; fails where a ratio is far
                above the one in test/bench/reference.json
  --reference   with --quick: keeps the ratios of this run as that reference
  --history FILE  adds this run to FILE, a line of JSON (test/bench/results/history.jsonl)
  --against FILE  says figure by figure what has changed since the newest run of the same sizes in FILE, a history
  --merge FILE  takes the rows of another JSON file into the table; may be given again
  --docs        measures nothing: writes the table of the latest run into docs/figures.md

Ends with 0, with 1 where a row failed, with 2 where the words or a file are wrong, with 3 where something became slower or is far out.
`

export interface BenchArguments {
  readonly help: boolean
  readonly docs: boolean
  readonly mode: Mode
  readonly rows: readonly RowName[]
  readonly runs: number
  readonly longRuns: number
  readonly merge: readonly string[]
  /** Path of the history file; null for the default one. */
  readonly history: string | null
  readonly against: string | null
  readonly reference: boolean
}

export type Read =
  | { readonly ok: true; readonly value: BenchArguments }
  | { readonly ok: false; readonly message: string }

const fault = (message: string): Read => ({ ok: false, message })
/** Whether the row is measured if no rows are named. */
function isUsual(row: RowName, mode: Mode): boolean {
  if (mode === 'quick') return row === 'S1' || row === 'S2'
  return mode === 'full' || (row !== 'S3' && row !== 'BIG' && row !== 'LINE')
}
const isRow = (text: string): text is RowName => ROWS.some((row) => row === text)

function words(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      rows: { type: 'string' },
      runs: { type: 'string' },
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      merge: { type: 'string', multiple: true, default: [] },
      history: { type: 'string' },
      against: { type: 'string' },
      reference: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values
}

export function readArguments(argv: readonly string[]): Read {
  let given: ReturnType<typeof words>
  try {
    given = words(argv)
  } catch (error) {
    return fault(error instanceof Error ? error.message : String(error))
  }
  if (given.quick && given.full) return fault("--quick and --full can't be given together.")
  const measuring = [given.rows, given.runs, given.history, given.against].some((one) => one !== undefined)
  if (given.docs && (measuring || given.quick || given.full))
    return fault('--docs measures nothing; only --merge goes with it.')
  if (given.reference && (!given.quick || given.against !== undefined))
    return fault('--reference goes with --quick, and not with --against.')
  const mode: Mode = given.quick ? 'quick' : given.full ? 'full' : 'usual'
  const named = given.rows?.split(',').map((name) => name.trim().toUpperCase())
  const unknown = named?.find((name) => !isRow(name))
  if (unknown !== undefined) return fault(`There is no row ${unknown || '""'}; there are ${ROWS.join(', ')}.`)
  const rows =
    named === undefined ? ROWS.filter((row) => isUsual(row, mode)) : [...new Set(named)].filter(isRow)
  const runs = given.runs === undefined ? (mode === 'quick' ? 3 : 5) : Number(given.runs)
  if (!Number.isSafeInteger(runs) || runs < 1 || runs > 100)
    return fault(`--runs is a whole number from 1 to 100, not ${given.runs ?? ''}.`)
  return {
    ok: true,
    value: {
      help: given.help,
      docs: given.docs,
      mode,
      rows,
      runs,
      longRuns: Math.min(runs, 3),
      merge: given.merge,
      history: given.history ?? null,
      against: given.against ?? null,
      reference: given.reference,
    },
  }
}

export interface Sizes {
  readonly bigMiB: number
  readonly sparseGiB: number
  readonly lineMiB: number
  readonly smallFiles: number
  readonly xargsSample: number
  readonly latencyFiles: number
  readonly scanFolders: number
  readonly scanPerFolder: number
  /** Files per folder of a second scan; 0 if there is none. */
  readonly scanAlsoPerFolder: number
  readonly knownFiles: number
  readonly idleSeconds: number
  readonly windowFiles: number
  readonly windowUploads: number
}

const USUAL: Sizes = {
  bigMiB: 1024,
  sparseGiB: 40,
  lineMiB: 16,
  smallFiles: 10_000,
  xargsSample: 1000,
  latencyFiles: 200,
  scanFolders: 1000,
  scanPerFolder: 100,
  scanAlsoPerFolder: 0,
  knownFiles: 100_000,
  idleSeconds: 60,
  windowFiles: 100_000,
  windowUploads: 10_000,
}

export const SIZES: Readonly<Record<Mode, Sizes>> = {
  quick: {
    bigMiB: 128,
    sparseGiB: 2,
    lineMiB: 1,
    smallFiles: 500,
    xargsSample: 10,
    latencyFiles: 20,
    scanFolders: 50,
    scanPerFolder: 100,
    scanAlsoPerFolder: 0,
    knownFiles: 2000,
    idleSeconds: 5,
    windowFiles: 2000,
    windowUploads: 200,
  },
  usual: USUAL,
  full: { ...USUAL, bigMiB: 4096, scanAlsoPerFolder: 1000, idleSeconds: 300 },
}
