// The window with 100,000 remote files, and the main process during 10,000 uploads: rows S8 to S11 and S13 of the
// goals, with the built app in Electron or its stand-in. `node test/bench/window.ts [FILES] [UPLOADS] [--runs
// N] [--json FILE]`. Chromium renders without a GPU here, so frame rates are the worst case.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { chooseElectron } from '../desktop/choose.ts'
import { seedAccount } from '../e2e/seed.ts'
import { KEY, type Slipway, startSlipway } from '../e2e/slipway.ts'
import { hideAndShow, LET_GO_ENV } from './hidden.ts'
import { median, percentile } from './statistics.ts'
import type { WindowFigures } from './visit.ts'
import { fillFolder, measureWaiting, readList, watchChosen } from './waiting.ts'

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, runs: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const files = Number(positionals[0] ?? 100_000)
const uploads = Number(positionals[1] ?? 10_000)
const restarts = Number(values.runs)
type Figure = Exclude<keyof WindowFigures, 'samples'>
const found: Partial<Record<Figure, number>> = {}
const samples: Partial<Record<Figure, readonly number[]>> = {}
/** `all`: the single measurements, if `value` is derived from several. */
const say = (key: Figure, name: string, value: number, unit: string, all?: readonly number[]): void => {
  found[key] = value
  if (all !== undefined) samples[key] = all
  console.log(`${name}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit}`)
}

/**
 * Reloads the page and resolves to the time on the page's clock at which the first row with a name was
 * painted.
 */
async function firstRow(page: Page): Promise<number> {
  await page.reload()
  const at = await page.waitForFunction(
    () => (globalThis as unknown as { readonly benchFirstRow?: number }).benchFirstRow,
  )
  return (await at.jsonValue()) ?? Number.NaN
}

/**
 * Records when the first row is painted. Does so inside the page, because a query from outside would notice
 * the row late.
 */
async function noteFirstRow(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = (): void => {
      if (document.querySelector('.files-row .middle-name') === null) requestAnimationFrame(look)
      else requestAnimationFrame(() => Object.assign(globalThis, { benchFirstRow: performance.now() }))
    }
    requestAnimationFrame(look)
  })
}

async function opening(s: Slipway): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 7; i++) {
    await s.page.keyboard.press('ControlOrMeta+3')
    await s.page.locator('.usage').first().waitFor()
    times.push(
      await s.page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const t0 = performance.now()
            window.dispatchEvent(new KeyboardEvent('keydown', { key: '1', ctrlKey: true, metaKey: true }))
            const look = (): void => {
              if (document.querySelector('.files-row .middle-name') === null) requestAnimationFrame(look)
              else requestAnimationFrame(() => resolve(performance.now() - t0))
            }
            look()
          }),
      ),
    )
  }
  say('openingMs', 'S9 opening the view, first rows', median(times), 'ms', times)
}

async function searching(s: Slipway): Promise<void> {
  const times: number[] = []
  for (const text of ['release', 'plan-04', 'nothing', 'quay-0001', 'mast', 'invoice-07']) {
    for (let i = 1; i <= text.length; i++)
      times.push(
        await s.page.evaluate(
          (typed) =>
            new Promise<number>((resolve) => {
              const input = document.querySelector<HTMLInputElement>('.search-field input')
              const sight = document.querySelector('.files-columns')
              if (input === null || sight === null) throw new Error('There is no search field.')
              const t0 = performance.now()
              let last = t0
              const watch = new MutationObserver(() => {
                last = performance.now()
              })
              watch.observe(sight, { subtree: true, childList: true, characterData: true, attributes: true })
              const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
              set?.call(input, typed)
              input.dispatchEvent(new Event('input', { bubbles: true }))
              // If nothing changes for this long, the result is on the page.
              const look = (): void => {
                if (performance.now() - Math.max(last, t0) < 250) setTimeout(look, 20)
                else {
                  watch.disconnect()
                  resolve(last - t0)
                }
              }
              setTimeout(look, 20)
            }),
          text.slice(0, i),
        ),
      )
  }
  await s.page.locator('.search-field input').fill('')
  say('searchMs', 'S9 search a keystroke, median', median(times), 'ms', times)
  say('searchWorstMs', 'S9 search a keystroke, worst', Math.max(...times), 'ms')
}

/** Measures an update of a row: a key press moves the selection. Includes everything from React to layout. */
async function updating(s: Slipway): Promise<void> {
  await s.page.locator('.files-row').first().click()
  const times = await s.page.evaluate(async () => {
    const all: number[] = []
    for (let i = 0; i < 60; i++) {
      const list = document.querySelector('.files-scroller')
      const focused = document.activeElement
      if (list === null || focused === null) throw new Error('There is no list.')
      let last = 0
      const watch = new MutationObserver(() => {
        list.getBoundingClientRect()
        last = performance.now()
      })
      watch.observe(list, { subtree: true, childList: true, characterData: true, attributes: true })
      const t0 = performance.now()
      focused.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: i % 20 < 10 ? 'ArrowDown' : 'ArrowUp',
          bubbles: true,
          cancelable: true,
        }),
      )
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))
      watch.disconnect()
      if (last === 0) throw new Error('No row changed.')
      all.push(last - t0)
    }
    return all
  })
  say('rowUpdateMs', 'S9 row update, median', median(times), 'ms', times)
}

async function scrolling(s: Slipway): Promise<void> {
  const runs: number[] = []
  const long: number[] = []
  for (let run = 0; run < 3; run++) {
    const got = await s.page.evaluate(
      () =>
        new Promise<{ readonly fps: number; readonly worst: number }>((resolve) => {
          const list = document.querySelector('.files-scroller')
          if (list === null) throw new Error('There is no list.')
          list.scrollTop = 0
          let frames = 0
          let before = performance.now()
          let worst = 0
          const t0 = before
          const step = (now: number): void => {
            frames++
            worst = Math.max(worst, now - before)
            before = now
            // Like a fast scroll wheel: about two rows per frame.
            list.scrollTop += 90
            if (now - t0 < 4000) requestAnimationFrame(step)
            else resolve({ fps: (frames / (now - t0)) * 1000, worst })
          }
          requestAnimationFrame(step)
        }),
    )
    runs.push(got.fps)
    long.push(got.worst)
  }
  say('framesPerSecond', 'S9 scrolling, frames a second', median(runs), '', runs)
  say('longestFrameMs', 'S9 scrolling, longest frame', Math.max(...long), 'ms')
}

async function uploading(): Promise<void> {
  const s = await startSlipway({
    service: {
      plan: 'enterprise',
      key: KEY,
      storage: 'discard',
      hash: false,
      limits: { perMinute: 1e8, perDay: 1e9, dailyUploads: 1e9 },
    },
    env: { SLIPWAY_NO_DEBUGGER: '1' },
  })
  try {
    const folder = join(s.home, 'Share')
    fillFolder(folder, uploads)
    // Counts the events that the window receives, and measures the main thread's delay.
    await s.page.evaluate(() => {
      const count = { progress: 0, all: 0, from: performance.now() }
      Object.assign(globalThis, { benchEvents: count })
      ;(
        globalThis as unknown as { readonly slipway: { onEvent(listener: (event: unknown) => void): void } }
      ).slipway.onEvent((numbered) => {
        count.all++
        const { events } = numbered as {
          readonly events: readonly { readonly event?: { readonly kind?: string } }[]
        }
        if (events.some(({ event }) => event?.kind === 'progress')) count.progress++
      })
    })
    await s.app.evaluate(async () => {
      const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks')
      const delay = monitorEventLoopDelay({ resolution: 2 })
      delay.enable()
      Object.assign(globalThis, { benchDelay: delay })
    })
    const t0 = performance.now()
    await watchChosen(s, folder, false)
    while (s.service.ledger.live().length < uploads && performance.now() - t0 < 300_000)
      await new Promise((resolve) => setTimeout(resolve, 200))
    const seconds = (performance.now() - t0) / 1000
    const delay = await s.app.evaluate(() => {
      const { benchDelay } = globalThis as unknown as {
        readonly benchDelay: { percentile(p: number): number; readonly max: number }
      }
      return {
        p50: benchDelay.percentile(50) / 1e6,
        p99: benchDelay.percentile(99) / 1e6,
        max: benchDelay.max / 1e6,
      }
    })
    const events = await s.page.evaluate(
      () =>
        (
          globalThis as unknown as {
            readonly benchEvents: { readonly progress: number; readonly all: number }
          }
        ).benchEvents,
    )
    say('uploadSeconds', `S8 ${uploads} uploads with the window open`, seconds, 's')
    say('loopP99Ms', 'S8 main thread, event loop p99', delay.p99, 'ms')
    say('loopWorstMs', 'S8 main thread, event loop worst', delay.max, 'ms')
    say('progressPerSecond', 'S8 progress events a second', events.progress / seconds, '')
    say('eventsPerSecond', 'S8 messages a second', events.all / seconds, '')
    say('stored', 'S8 stored', s.service.ledger.live().length, 'files')
  } finally {
    await s.close()
  }
}

chooseElectron()
let s = await startSlipway({
  service: {
    plan: 'enterprise',
    key: KEY,
    storage: 'discard',
    dialect: { listCap: 1000 },
    limits: { perMinute: 1e6, perDay: 1e7 },
  },
  env: { SLIPWAY_NO_DEBUGGER: '1', ...LET_GO_ENV },
})
try {
  seedAccount(s.service, files)
  const t0 = performance.now()
  await readList(s)
  say('listSeconds', `S9 reading a list of ${files} from the service`, (performance.now() - t0) / 1000, 's')
  const starts: number[] = []
  const launches: number[] = []
  const pages: number[] = []
  const rowsSeen: number[] = []
  for (let i = 0; i < restarts; i++) {
    await s.app.close()
    const launched = performance.timeOrigin + performance.now()
    s = await s.restart()
    await s.page.locator('.files-row .middle-name').first().waitFor()
    const { page, usable, rows } = await s.page.evaluate(() => {
      const at = (mark: string): number =>
        performance.timeOrigin + (performance.getEntriesByName(mark)[0]?.startTime ?? Number.NaN)
      return { page: performance.timeOrigin, usable: at('usable'), rows: at('rows') }
    })
    pages.push(page - launched)
    launches.push(usable - launched)
    rowsSeen.push(rows - launched)
    await noteFirstRow(s.page)
    starts.push(await firstRow(s.page))
  }
  say('pageMs', 'S10 start to the page', median(pages), 'ms', pages)
  say('startMs', 'S10 start to usable window', median(launches), 'ms', launches)
  say('startRowsMs', 'S10 start to first rows', median(rowsSeen), 'ms', rowsSeen)
  say('firstRowsMs', 'S9 start of the page to first rows, from the cache', median(starts), 'ms', starts)
  await opening(s)
  await updating(s)
  await scrolling(s)
  await searching(s)
  const hidden = await hideAndShow(s, restarts)
  say('backMs', 'S11 hidden and shown again, to the first rows', hidden.backMs, 'ms')
  say('backPageMs', 'S11 the same from the start of the page', hidden.backPageMs, 'ms')
  say('shownMiB', 'S11 memory with the page', hidden.shownMiB, 'MiB')
  say('hiddenMiB', 'S11 memory without it', hidden.hiddenMiB, 'MiB')
} finally {
  await s.close()
}
if (uploads > 0) {
  await uploading()
  const { rest, busy } = await measureWaiting(uploads)
  say('savedMs', 'S13 from saving a file to its link', median(rest.saved), 'ms', rest.saved)
  say('savedP99Ms', 'S13 the same, p99', percentile(rest.saved, 99), 'ms')
  say('keyMs', 'S13 from the key to the link', median(rest.key), 'ms', rest.key)
  say('keyP99Ms', 'S13 the same, p99', percentile(rest.key, 99), 'ms')
  say('busySavedMs', 'S13 from saving a file, while busy', median(busy.saved), 'ms', busy.saved)
  say('busySavedP99Ms', 'S13 the same, p99', percentile(busy.saved, 99), 'ms')
  say('busyKeyMs', 'S13 from the key, while busy', median(busy.key), 'ms', busy.key)
  say('busyKeyP99Ms', 'S13 the same, p99', percentile(busy.key, 99), 'ms')
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ ...found, samples }, null, 2))
