// What every row is given: a folder of its own, sizes, counts of runs, and the two costly things that several rows share (a folder that is
// wholly known, a visit to the window), each made once and only when asked for.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchArguments, SIZES, type Sizes } from './arguments.ts'
import { type Known, openKnown } from './known.ts'
import { CLI, KEY, measure, NODE, type ServiceProcess } from './measure.ts'
import { visitWindow, type WindowFigures } from './visit.ts'

export interface Room {
  /** Below it, every row has its own names. */
  readonly home: string
  readonly sizes: Sizes
  readonly runs: number
  readonly longRuns: number
  /** A Slipway that was never there before. */
  newcomer(service: ServiceProcess): Readonly<Record<string, string>>
  /** `slipway upload PATH` by a newcomer. */
  upload(path: string, service: ServiceProcess): ReturnType<typeof measure>
  window(): Promise<WindowFigures>
  known(): Promise<Known>
  close(): Promise<void>
}

export function createRoom(args: BenchArguments): Room {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-bench-')))
  const sizes = SIZES[args.mode]
  let data = 0
  let visit: Promise<WindowFigures> | null = null
  let known: Promise<Known> | null = null
  const newcomer = (service: ServiceProcess): Readonly<Record<string, string>> => ({
    SLIPWAY_BASE_URL: service.origin,
    SLIPWAY_API_KEY: KEY,
    SLIPWAY_DATA_DIR: join(home, `data-${++data}`),
  })
  return {
    home,
    sizes,
    runs: args.runs,
    longRuns: args.longRuns,
    newcomer,
    upload: (path, service) => measure('slipway upload', [NODE, CLI, 'upload', path, '--quiet'], newcomer(service)),
    window: () => {
      visit ??= visitWindow({ files: sizes.windowFiles, uploads: sizes.windowUploads, runs: args.runs, json: join(home, 'window.json') })
      return visit
    },
    known: () => {
      known ??= openKnown({ folder: join(home, 'known'), files: sizes.knownFiles, newcomer })
      return known
    },
    close: async () => {
      const opened: Known | null = await (known?.catch(() => null) ?? null)
      await opened?.service.stop()
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
