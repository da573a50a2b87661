// The window in the tray and back (row S11): what its page costs while it is let go, and how soon its rows are there again. For window.ts, whose app
// it drives; the stand-in's main process is Node, so only what goes and comes back is Slipway's.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { clickTray, closeWindow } from '../e2e/desk.ts'
import type { Slipway } from '../e2e/slipway.ts'
import { median } from './statistics.ts'

/** Instead of the minute that people wait. */
export const LET_GO_ENV = { SLIPWAY_LET_GO_MS: '1000' } as const
/** After a page has come or gone. */
const CALM_MS = 3000

export interface HiddenFigures {
  /** From asking for the window to its first painted rows. */
  readonly backMs: number
  /** The same from the moment that the new page begins. */
  readonly backPageMs: number
  readonly shownMiB: number
  readonly hiddenMiB: number
}

/** The memory of a process and all below it, with what they share counted once. */
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
  for (const pid of parents.keys()) if (isBelow(pid)) kib += Number(/^Pss:\s+(\d+)/m.exec(readProc(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return kib / 1024
}

/** A process may end while it is looked at. */
function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Closes the window to the tray until its page is let go, and opens it again, `runs` times. */
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
    while ((await s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)) > 0) await setTimeout(100)
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
  return { backMs: median(all.back), backPageMs: median(all.page), shownMiB: median(all.shown), hiddenMiB: median(all.hidden) }
}
