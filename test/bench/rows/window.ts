// S8 to S11 and S13: the built window, measured in one visit (../window.ts), and the size of what it loads.
// Chromium renders without a GPU here, so frame rates are the worst case.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from '../../tools/tree.ts'
import { atLeast, atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { mib, millis, plain, seconds } from '../table.ts'

const KB = 1000
const MS = 1000
const kb = (value: number): string => `${Math.round(value)} KB`

export async function windowUploads(room: Room): Promise<RowResult> {
  const w = await room.window()
  return {
    row: 'S8',
    work: `${plain(room.sizes.windowUploads)} uploads with the window open`,
    slipway: [
      `${seconds(w.uploadSeconds)}, main thread p99 ${millis(w.loopP99Ms)}, worst ${millis(w.loopWorstMs)}`,
      `${plain(w.eventsPerSecond)} events a second, ${plain(w.progressPerSecond)} of them progress`,
    ],
    peers: [],
    goals: [
      atMost('main process event loop p99 20 ms', w.loopP99Ms, 20, millis),
      atMost('at most 4 events a second', w.eventsPerSecond, 4, plain),
      atLeast('all stored', w.stored, room.sizes.windowUploads, plain),
    ],
    notes: ['one run'],
    failure: null,
    raw: w,
  }
}

export async function remoteFiles(room: Room): Promise<RowResult> {
  const w = await room.window()
  return {
    row: 'S9',
    work: `${plain(room.sizes.windowFiles)} remote files in the window`,
    slipway: [
      `first rows ${millis(w.firstRowsMs)} after the page began, ${millis(w.openingMs)} after going there`,
      `search ${millis(w.searchMs)}, worst ${millis(w.searchWorstMs)}; ${plain(w.framesPerSecond)} frames a second, longest ${millis(w.longestFrameMs)}`,
    ],
    peers: [],
    goals: [
      atMost('first rows 0.5 s', w.firstRowsMs / MS, 0.5, seconds),
      atMost('row update 4 ms', w.rowUpdateMs, 4, millis),
      atMost('search 50 ms a keystroke', w.searchMs, 50, millis),
      atLeast('scrolling 58 frames a second', w.framesPerSecond, 58, plain),
    ],
    notes: ['drawn without a graphics card'],
    failure: null,
    raw: w,
  }
}

export async function waitForLinks(room: Room): Promise<RowResult> {
  const w = await room.window()
  const both = (p50: number, p99: number): string => `${millis(p50)}, p99 ${millis(p99)}`
  const goals = (what: string, p50: number, p99: number) => [
    atMost(`${what}: p50 150 ms`, p50, 150, millis),
    atMost(`${what}: p99 300 ms`, p99, 300, millis),
  ]
  return {
    row: 'S13',
    work: 'from saving a file, or pressing the key for a copied picture, to the link on the clipboard',
    slipway: [
      `saved: ${both(w.savedMs, w.savedP99Ms)}; key: ${both(w.keyMs, w.keyP99Ms)}`,
      `beside ${plain(room.sizes.windowUploads)} other uploads and a list of 20,000 files: saved ${both(w.busySavedMs, w.busySavedP99Ms)}; key ${both(w.busyKeyMs, w.busyKeyP99Ms)}`,
    ],
    peers: [],
    goals: [
      ...goals('saved, busy', w.busySavedMs, w.busySavedP99Ms),
      ...goals('key, busy', w.busyKeyMs, w.busyKeyP99Ms),
    ],
    notes: ['the service’s own time included, which is a few milliseconds'],
    failure: null,
    raw: w,
  }
}

export async function hiddenWindow(room: Room): Promise<RowResult> {
  const w = await room.window()
  return {
    row: 'S11',
    work: 'window hidden until its page is let go, and shown again',
    slipway: [
      `rows after ${millis(w.backMs)}, of which ${millis(w.backMs - w.backPageMs)} until the page begins`,
      `all processes ${mib(w.shownMiB)} with the page, ${mib(w.hiddenMiB)} without it`,
    ],
    peers: [],
    goals: [atMost('back within 300 ms, Chromium’s start apart', w.backPageMs, 300, millis)],
    notes: ['proportional memory, Chromium’s included'],
    failure: null,
    raw: { backMs: w.backMs, backPageMs: w.backPageMs, shownMiB: w.shownMiB, hiddenMiB: w.hiddenMiB },
  }
}

interface Bundle {
  readonly file: string
  readonly bytes: number
  readonly gzip: number
}

function bundles(): readonly Bundle[] {
  const folder = join(ROOT, 'dist/renderer')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      return { file: entry.name, bytes: bytes.length, gzip: gzipSync(bytes).length }
    })
}

export async function startAndSize(room: Room): Promise<RowResult> {
  const w = await room.window()
  const files = bundles()
  const sum = (of: readonly Bundle[]): number => of.reduce((total, one) => total + one.gzip, 0) / KB
  const code = sum(files.filter((one) => ['.js', '.css', '.html'].includes(extname(one.file))))
  const fonts = sum(files.filter((one) => extname(one.file) === '.woff2'))
  const first = sum(
    files.filter((one) =>
      /^(?:index|english|reasons|rolldown-runtime)[-.].*(?:js|css|html)$|^index\.html$/.test(one.file),
    ),
  )
  return {
    row: 'S10',
    work: 'start to usable window, built app on the stand-in for Electron',
    slipway: [
      `${seconds(w.startMs / MS)}, of which ${seconds(w.pageMs / MS)} until the page begins; first rows after ${seconds(w.startRowsMs / MS)}`,
      `renderer ${kb(code)} gzip, of which ${kb(first)} for the first view; fonts ${kb(fonts)} beside it`,
    ],
    peers: [],
    goals: [
      atMost('usable window 0.9 s', w.startMs / MS, 0.9, seconds),
      atMost('0.35 s after the page begins', (w.startMs - w.pageMs) / MS, 0.35, seconds),
      atMost('renderer bundle 300 KB gzip', code, 300, kb),
    ],
    notes: ['the start of Chromium included; by the page itself, which marks when it answers'],
    failure: null,
    raw: {
      startMs: w.startMs,
      startRowsMs: w.startRowsMs,
      pageMs: w.pageMs,
      samples: w.samples,
      bundles: files,
    },
  }
}
