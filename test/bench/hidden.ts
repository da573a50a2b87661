// Row S11: closes the window to the tray and opens it again. Measures memory with and without the window's
// page, and the time until its rows are back. Drives the app that window.ts has started. The stand-in's main
// process is plain Node, so only the difference between the two memory figures is meaningful.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { clickTray, closeWindow } from '../e2e/desk.ts'
import type { Slipway } from '../e2e/slipway.ts'
import { median } from './statistics.ts'

/** Unloads the page after a second instead of a minute. */
export const LET_GO_ENV = { SLIPWAY_LET_GO_MS: '1000' } as const
/** Time to settle after a page was opened or unloaded, before memory is measured. */
const CALM_MS = 3000

export interface HiddenFigures {
  /** From the click that opens the window to its first painted rows. */
  readonly backMs: number
  /** The same, from the start of the new page. */
  readonly backPageMs: number
  readonly shownMiB: number
  readonly hiddenMiB: number
}

/** Memory of a process and its descendants. Shared pages are counted once (PSS). */
function treeMiB(root: number): number {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const fields = readProc(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')
    parents.set(pid, Number(fields[1]))
  }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0))
  let kib = 0
  for (const pid of parents.keys())
    if (isBelow(pid)) kib += Number(/^Pss:\s+(\d+)/m.exec(readProc(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return kib / 1024
}

/** Returns an empty string if the process has ended in the meantime. */
function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Closes the window to the tray, waits until its page is unloaded, and opens it again, `runs` times. */
export async function hideAndShow(s: Slipway, runs: number): Promise<HiddenFigures> {
  const pid = s.app.process().pid ?? 0
  const all = { back: [] as number[], page: [] as number[], shown: [] as number[], hidden: [] as number[] }
  await s.app.context().addInitScript(() => {
    const look = (): void => {
      if (document.querySelector('.files-row .middle-name') === null) requestAnimationFrame(look)
      else requestAnimationFrame(() => Object.assign(globalThis, { benchFirstRow: performance.now() }))
    }
    requestAnimationFrame(look)
  })
  for (let i = 0; i < runs; i++) {
    await setTimeout(CALM_MS)
    all.shown.push(treeMiB(pid))
    await closeWindow(s.app)
    while ((await s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)) > 0)
      await setTimeout(100)
    await setTimeout(CALM_MS)
    all.hidden.push(treeMiB(pid))
    const opened: Promise<Page> = s.app.waitForEvent('window')
    const asked = performance.timeOrigin + performance.now()
    await clickTray(s.app, 'Open Slipway')
    const page = await opened
    const at = await page.waitForFunction(() => {
      const { benchFirstRow } = globalThis as unknown as { readonly benchFirstRow?: number }
      return benchFirstRow === undefined ? null : { began: performance.timeOrigin, rows: benchFirstRow }
    })
    const { began, rows } = (await at.jsonValue()) ?? { began: Number.NaN, rows: Number.NaN }
    all.back.push(began + rows - asked)
    all.page.push(rows)
  }
  return {
    backMs: median(all.back),
    backPageMs: median(all.page),
    shownMiB: median(all.shown),
    hiddenMiB: median(all.hidden),
  }
}
