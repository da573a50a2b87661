// The stand-in's visible window, as in the demo: it has no toolbars, and the page is as large as the window.
// Chromium itself runs with --headless here, so that the test needs no screen.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../desktop/chromium.ts'
import { has, lacks } from '../tools/needs.ts'
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
    content: Math.max(
      ...[...document.querySelectorAll('body *')].map((one) => one.getBoundingClientRect().right),
    ),
  }))
}

if (isStandIn) {
  test('a visible window has no toolbars, and its page follows its size', async ({ slipway }) => {
    test.skip(!has('browser'), lacks(['browser']))
    const dir = mkdtempSync(join(tmpdir(), 'slipway-shown-'))
    try {
      const unseen = join(dir, 'chromium')
      writeFileSync(unseen, `#!/bin/sh\nexec '${findChromium(true)}' --headless "$@"\n`)
      chmodSync(unseen, 0o755)
      const s = await slipway({ env: { SLIPWAY_HEADED: '1', SLIPWAY_CHROMIUM: unseen } })
      await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
      const fits = ({ outer, inner, content }: Sizes): boolean =>
        outer[0] - inner[0] < FRAME_MOST &&
        outer[1] - inner[1] < FRAME_MOST &&
        inner[0] <= outer[0] &&
        content <= inner[0]
      /** Once the window has its width, its page fits. Until then, returns the sizes. */
      const fitted = async (hasWidth: (now: Sizes) => boolean): Promise<Sizes | 'fits'> => {
        const now = await sizes(s)
        return hasWidth(now) && fits(now) ? 'fits' : now
      }
      await expect.poll(() => fitted(({ outer }) => outer[0] > 1000)).toBe('fits')

      const cdp = await s.page.context().newCDPSession(s.page)
      const { windowId } = await cdp.send('Browser.getWindowForTarget')
      await cdp.send('Browser.setWindowBounds', { windowId, bounds: { width: 860, height: 620 } })
      await expect.poll(() => fitted(({ inner }) => inner[0] <= 860)).toBe('fits')
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
}
