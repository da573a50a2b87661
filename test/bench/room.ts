// Provides what every row needs: a temporary folder, sizes, numbers of runs, and two expensive fixtures that
// several rows share (a folder whose files have all been uploaded, and one run of the window). The fixtures
// are created on first use.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchArguments, SIZES, type Sizes } from './arguments.ts'
import { type Known, openKnown } from './known.ts'
import { CLI, KEY, measure, NODE, type ServiceProcess } from './measure.ts'
import { visitWindow, type WindowFigures } from './visit.ts'

export interface Room {
  /** Every row uses its own names inside this folder. */
  readonly home: string
  readonly sizes: Sizes
  readonly runs: number
  readonly longRuns: number
  /** The environment for a Slipway that was never used before. */
  newcomer(service: ServiceProcess): Readonly<Record<string, string>>
  /** Runs `slipway upload PATH` with a new data folder. */
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
    upload: (path, service) =>
      measure('slipway upload', [NODE, CLI, 'upload', path, '--quiet'], newcomer(service)),
    window: () => {
      visit ??= visitWindow({
        files: sizes.windowFiles,
        uploads: sizes.windowUploads,
        runs: args.runs,
        json: join(home, 'window.json'),
      })
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
