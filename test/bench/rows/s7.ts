// S7: watches an idle folder, as the command line and as the app in the tray, beside Syncthing. Measures CPU
// time and memory of the whole process, all threads included, as reported by the system. No client is
// connected during the measurement, so queries aren't measured.
import { join } from 'node:path'
import type { Known, Look } from '../known.ts'
import { type ProcessFigures, pause, processFigures, type Running } from '../measure.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { startSyncthing } from '../syncthing.ts'
import { mib, percent, plain } from '../table.ts'
import { startInTray } from '../tray.ts'

/** Time for clean-up work after the scan: garbage is collected about 15 seconds later. */
const CALM_MS = 30_000
const EVERY_MS = 1000

interface AtRest {
  /** CPU time in percent of one core. */
  readonly share: number
  /** The most memory seen, in MiB. */
  readonly memory: number
  readonly samples: readonly ProcessFigures[]
}

async function atRest({ pid, ended }: Running, seconds: number): Promise<AtRest> {
  await pause(Math.min(CALM_MS, seconds * 1000))
  const began = performance.now()
  const before = processFigures(pid)
  const samples = [before]
  while (performance.now() - began < seconds * 1000) {
    await pause(EVERY_MS)
    if (ended()) throw new Error('the process ended')
    samples.push(processFigures(pid))
  }
  const after = samples.at(-1) ?? before
  const share = ((after.cpuS - before.cpuS) / ((performance.now() - began) / 1000)) * 100
  return { share, memory: Math.max(...samples.map((sample) => sample.rssMiB)), samples }
}

const tellRest = ({ share, memory }: AtRest): string => `${percent(share)} of one core, ${mib(memory)}`

/**
 * Starts a Slipway, waits until it has scanned the folder, measures it at rest, and ends it. `prepare` runs
 * once it answers.
 */
async function ours(
  known: Known,
  start: () => Running,
  seconds: number,
  prepare?: (look: Look) => Promise<unknown>,
): Promise<AtRest> {
  const since = Date.now()
  const process = start()
  try {
    const look = await known.look(process)
    await prepare?.(look)
    await look.scanned(since)
    await look.close()
    return await atRest(process, seconds)
  } finally {
    await process.stop()
  }
}

async function syncthing(room: Room, known: Known, seconds: number): Promise<AtRest | null> {
  const process = await startSyncthing({
    home: join(room.home, 'syncthing'),
    folder: known.folder,
    files: known.files,
  })
  if (process === null) return null
  try {
    return await atRest(process, seconds)
  } finally {
    await process.stop()
  }
}

export async function idle(room: Room): Promise<RowResult> {
  const known = await room.known()
  const seconds = room.sizes.idleSeconds
  const commandLine = await ours(known, known.start, seconds)
  // Unlike the command line, the app isn't given its folder when it starts.
  const watch = (look: Look) =>
    look.ask('watch', { path: known.folder, existing: 'upload', onChange: 'replace', ignore: [], keep: true })
  const tray = await ours(known, () => startInTray(known.env), seconds, watch)
  const peer = await syncthing(room, known, seconds)
  return {
    row: 'S7',
    work: `idle for ${plain(seconds)} s, ${plain(known.files)} files watched`,
    slipway: [tellRest(commandLine), `the app in the tray, without Chromium: ${tellRest(tray)}`],
    peers: [peer === null ? 'Syncthing: not installed' : `Syncthing: ${tellRest(peer)}`],
    goals: [
      atMost('CPU 0.05 %', commandLine.share, 0.05, percent),
      atMost('CPU in the tray 0.05 %', tray.share, 0.05, percent),
      atMost('memory 120 MiB', commandLine.memory, 120, mib),
    ],
    notes: ['one run'],
    failure: null,
    raw: { samples: commandLine.samples, tray: tray.samples, syncthing: peer?.samples ?? null },
  }
}
