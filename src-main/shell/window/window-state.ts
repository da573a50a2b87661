// Decides where the window opens and what to remember about it. Saved bounds aren't trusted, because displays
// come and go and files get edited. The resulting window is always visible on a connected display, and its
// title bar can be reached there.
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

function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

function clamp(value: number, low: number, high: number): number {
  // `low` wins: if the window is larger than the display, its upper left corner must be visible.
  return Math.max(low, Math.min(value, high))
}

function fit(
  size: { readonly width: number; readonly height: number },
  area: Rect,
): { readonly width: number; readonly height: number } {
  return {
    width: Math.max(MIN_SIZE.width, Math.min(size.width, area.width)),
    height: Math.max(MIN_SIZE.height, Math.min(size.height, area.height)),
  }
}

/**
 * `areas` lists the work areas of the displays, the primary one first. `saved` is the unvalidated content of
 * the bounds file.
 */
export function restoreWindow({
  saved,
  areas,
}: {
  readonly saved: unknown
  readonly areas: readonly Rect[]
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
    const size = fit(parsed.success ? parsed.data : DEFAULT_SIZE, main)
    return {
      x: Math.max(main.x, main.x + Math.floor((main.width - size.width) / 2)),
      y: Math.max(main.y, main.y + Math.floor((main.height - size.height) / 2)),
      ...size,
      maximized: parsed.success && parsed.data.maximized,
    }
  }
  const size = fit(parsed.data, home)
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

/**
 * Returns what to remember; null for a minimized or full-screen window, whose bounds say nothing about its
 * normal position.
 */
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
