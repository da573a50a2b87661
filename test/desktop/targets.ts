// Chromium's pages and their windows: creates a page for a BrowserWindow, and sets the size of visible
// windows. Headless pages have no real window; their size is emulated (web-contents.ts).
import { setTimeout } from 'node:timers/promises'
import { FIRST_PAGE, isShown } from './chromium.ts'
import { browser } from './desk.ts'

const LOOK_MS = 25
const PATIENCE_MS = 10_000

interface Target {
  readonly targetId: string
  readonly type: string
  readonly url: string
}

let isFirstTaken = false

/**
 * Resolves to the ID of an empty page. If windows are visible, the first page is the one in the window
 * without toolbars.
 */
export async function newPage(): Promise<string> {
  if (isShown() && !isFirstTaken) {
    isFirstTaken = true
    const first = await firstPage()
    if (first !== null) return first
  }
  const { targetId } = await browser().send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    newWindow: true,
  })
  return targetId
}

/** The page that Chromium opens shortly after its start; null if there is none after PATIENCE_MS. */
async function firstPage(): Promise<string | null> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const { targetInfos } = await browser().send<{ targetInfos: readonly Target[] }>('Target.getTargets')
    const page = targetInfos.find((one) => one.type === 'page' && one.url.startsWith(FIRST_PAGE))
    if (page !== undefined) return page.targetId
    await setTimeout(LOOK_MS)
  }
  return null
}

/** A window that isn't shown is minimized, because Chromium hides none otherwise. */
export async function showWindow(targetId: string, isVisible: boolean): Promise<void> {
  const { windowId } = await browser().send<{ windowId: number }>('Browser.getWindowForTarget', { targetId })
  const bounds = { windowState: isVisible ? 'normal' : 'minimized' }
  await browser().send('Browser.setWindowBounds', { windowId, bounds })
}

/** Sets the size of a window including its frame. The window manager may choose another size. */
export async function fitWindow(
  targetId: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<void> {
  const { windowId } = await browser().send<{ windowId: number }>('Browser.getWindowForTarget', { targetId })
  await browser().send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } })
  await browser().send('Browser.setWindowBounds', { windowId, bounds: { width, height } })
}
