// Decides where the window opens and what to remember about it. Saved bounds aren't trusted, because displays
// come and go and files get edited. The resulting window is always visible on a connected display, and its
// title bar can be reached there. What a window manager changes by itself isn't remembered.
import { z } from 'zod'

interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const coordinate = z.number().int().min(-100_000).max(100_000)
const length = z.number().int().min(1).max(100_000)
const SavedWindow = z.object({
  x: coordinate,
  y: coordinate,
  width: length,
  height: length,
  maximized: z.boolean().catch(false),
})
export type SavedWindow = z.infer<typeof SavedWindow>

export const MIN_SIZE = { width: 480, height: 400 } as const
const DEFAULT_SIZE = { width: 1180, height: 760 } as const

type Size = Pick<Rect, 'width' | 'height'>

export interface WindowSizes {
  readonly min: Size
  readonly initial: Size
  /** Whether a window without a saved place opens in the lower right corner instead of the middle. */
  readonly isInCorner: boolean
}

const MAIN: WindowSizes = { min: MIN_SIZE, initial: DEFAULT_SIZE, isInCorner: false }
/** Distance of a window in the corner from the edges. */
const CORNER_GAP = 24

function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

function clamp(value: number, low: number, high: number): number {
  // `low` wins: if the window is larger than the display, its upper left corner must be visible.
  return Math.max(low, Math.min(value, high))
}

function fit(size: Size, min: Size, area: Rect): Size {
  return {
    width: Math.max(min.width, Math.min(size.width, area.width)),
    height: Math.max(min.height, Math.min(size.height, area.height)),
  }
}

/**
 * `areas` lists the work areas of the displays, the primary one first. `saved` is the unvalidated content of
 * the bounds file.
 */
export function restoreWindow({
  saved,
  areas,
  sizes: { min, initial, isInCorner } = MAIN,
}: {
  readonly saved: unknown
  readonly areas: readonly Rect[]
  readonly sizes?: WindowSizes
}): SavedWindow {
  const main = areas[0] ?? { x: 0, y: 0, ...DEFAULT_SIZE }
  const parsed = SavedWindow.safeParse(saved)
  const home = parsed.success
    ? areas.reduce<Rect | null>((best, area) => {
        const here = overlap(parsed.data, area)
        return here > 0 && (best === null || here > overlap(parsed.data, best)) ? area : best
      }, null)
    : null
  if (!parsed.success || home === null) {
    const size = fit(parsed.success ? parsed.data : initial, min, main)
    const before = (room: number): number => (isInCorner ? room - CORNER_GAP : Math.floor(room / 2))
    return {
      x: Math.max(main.x, main.x + before(main.width - size.width)),
      y: Math.max(main.y, main.y + before(main.height - size.height)),
      ...size,
      maximized: parsed.success && parsed.data.maximized,
    }
  }
  const size = fit(parsed.data, min, home)
  return {
    x: clamp(parsed.data.x, home.x, home.x + home.width - size.width),
    y: clamp(parsed.data.y, home.y, home.y + home.height - size.height),
    ...size,
    maximized: parsed.data.maximized,
  }
}

interface WindowNow {
  /** The result of `getNormalBounds`: the bounds while the window isn't maximized. */
  readonly normal: Rect
  readonly maximized: boolean
  readonly minimized: boolean
  readonly fullScreen: boolean
}

/** Returns null for a minimized or full-screen window, whose bounds say nothing about its normal position. */
export function windowToSave({ normal, maximized, minimized, fullScreen }: WindowNow): SavedWindow | null {
  if (minimized || fullScreen) return null
  const parsed = SavedWindow.safeParse({
    x: Math.round(normal.x),
    y: Math.round(normal.y),
    width: Math.round(normal.width),
    height: Math.round(normal.height),
    maximized,
  })
  return parsed.success ? parsed.data : null
}

/** How far a window manager moves or resizes a window for its frame or by rounding, in pixels. */
const FRAME_MOST = 100

/** Where the user wants the window, and the bounds that the system reports for it there. */
export interface WindowPlace {
  readonly wanted: SavedWindow
  readonly given: Rect
}

/**
 * The place after the window has changed. X11's window managers place a window next to where it was wanted,
 * depending on when they add its frame; if that were remembered, the window would creep a little with each
 * start. `isSettling` means that the window was just shown, or left a state in which it fills the screen, so
 * that small changes are the window manager's. Later changes are the user's, and shift what is wanted.
 */
export function movedTo(place: WindowPlace, now: WindowNow, isSettling: boolean): WindowPlace {
  const { wanted, given } = place
  const current = windowToSave(now)
  if (current === null) return place
  // X11 sometimes reports a maximized window's own bounds as its normal ones.
  if (current.maximized) return { wanted: { ...wanted, maximized: true }, given }
  const by = {
    x: current.x - given.x,
    y: current.y - given.y,
    width: current.width - given.width,
    height: current.height - given.height,
  }
  if (isSettling && Object.values(by).every((change) => Math.abs(change) <= FRAME_MOST))
    return { wanted: { ...wanted, maximized: false }, given: current }
  return {
    wanted: {
      x: wanted.x + by.x,
      y: wanted.y + by.y,
      width: wanted.width + by.width,
      height: wanted.height + by.height,
      maximized: false,
    },
    given: current,
  }
}
