// The stand-in's visible window, as in the demo: it has no toolbars, and the page is as large as the window.
// Chromium itself runs with --headless here, so that the test needs no screen.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../desktop/chromium.ts'
import { isStandIn } from './desk.ts'
import { expect, test } from './fixture.ts'
import type { Slipway } from './slipway.ts'

/** Frame and title bar. Toolbars would add 60 pixels and more. */
const FRAME_MOST = 40

interface Sizes {
  readonly outer: readonly [number, number]
  readonly inner: readonly [number, number]
  /** The right edge of the content. */
  readonly content: number
}

function sizes(s: Slipway): Promise<Sizes> {
  return s.page.evaluate(() => ({
    outer: [outerWidth, outerHeight],
    inner: [innerWidth, innerHeight],
    content: Math.max(...[...document.querySelectorAll('body *')].map((one) => one.getBoundingClientRect().right)),
  }))
}

if (isStandIn) {
  test('a window that people see has no tool bars, and its page follows its size', async ({ slipway }) => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-shown-'))
    try {
      const unseen = join(dir, 'chromium')
      writeFileSync(unseen, `#!/bin/sh\nexec '${findChromium()}' --headless "$@"\n`)
      chmodSync(unseen, 0o755)
      const s = await slipway({ env: { SLIPWAY_HEADED: '1', SLIPWAY_CHROMIUM: unseen } })
      await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
      const fits = ({ outer, inner, content }: Sizes): boolean =>
        outer[0] - inner[0] < FRAME_MOST && outer[1] - inner[1] < FRAME_MOST && inner[0] <= outer[0] && content <= inner[0]
      await expect.poll(async () => (await sizes(s)).outer[0]).toBeGreaterThan(1000)
      const before = await sizes(s)
      expect(fits(before), JSON.stringify(before)).toBe(true)

      const cdp = await s.page.context().newCDPSession(s.page)
      const { windowId } = await cdp.send('Browser.getWindowForTarget')
      await cdp.send('Browser.setWindowBounds', { windowId, bounds: { width: 860, height: 620 } })
      await expect.poll(async () => (await sizes(s)).inner[0]).toBeLessThanOrEqual(860)
      const after = await sizes(s)
      expect(fits(after), JSON.stringify(after)).toBe(true)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
}
