// Runs one visit to the built window (window.ts in a separate process), for the four rows that use its
// figures. It doesn't measure or change anything itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { measure, NODE } from './measure.ts'

export const WindowFigures = z.object({
  uploadSeconds: z.number(),
  loopP99Ms: z.number(),
  loopWorstMs: z.number(),
  progressPerSecond: z.number(),
  eventsPerSecond: z.number(),
  stored: z.number(),
  listSeconds: z.number(),
  firstRowsMs: z.number(),
  openingMs: z.number(),
  rowUpdateMs: z.number(),
  searchMs: z.number(),
  searchWorstMs: z.number(),
  framesPerSecond: z.number(),
  longestFrameMs: z.number(),
  /** From the start of the process to the start of its page, which includes the main process and Chromium. */
  pageMs: z.number(),
  startMs: z.number(),
  /** From the start of the process until the list shows its first rows. */
  startRowsMs: z.number(),
  backMs: z.number(),
  backPageMs: z.number(),
  shownMiB: z.number(),
  hiddenMiB: z.number(),
  /** From saving a file, or pressing the key for a picture on the clipboard, until its link is on the clipboard. */
  savedMs: z.number(),
  savedP99Ms: z.number(),
  keyMs: z.number(),
  keyP99Ms: z.number(),
  /** The same while many other files are uploaded and a long list is read. */
  busySavedMs: z.number(),
  busySavedP99Ms: z.number(),
  busyKeyMs: z.number(),
  busyKeyP99Ms: z.number(),
  /** The single measurements behind the medians above, by the name of the figure. */
  samples: z.record(z.string(), z.array(z.number())),
})
export type WindowFigures = z.infer<typeof WindowFigures>

export async function visitWindow(options: {
  readonly files: number
  readonly uploads: number
  readonly runs: number
  readonly json: string
}): Promise<WindowFigures> {
  const { files, uploads, runs, json } = options
  const script = join(import.meta.dirname, 'window.ts')
  await measure('the visit to the window', [
    NODE,
    script,
    String(files),
    String(uploads),
    '--runs',
    String(runs),
    '--json',
    json,
  ])
  return WindowFigures.parse(JSON.parse(readFileSync(json, 'utf8')))
}
