// The window for people who don't use a mouse, who need another size of text, another direction, more contrast or less motion, and for those who
// hear it: every view without findings of axe, everything reachable and told. It does not judge how it looks; the pictures are for that.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { fileRow, open } from './hands.ts'
import { seedAccount } from './seed.ts'

/** What axe finds, one line for each element. It is evaluated over the debugger: the page's policy lets no script in. */
async function findings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`))
}

for (const theme of ['light', 'dark'] as const)
  test(`axe finds nothing in the views, ${theme}`, async ({ slipway }) => {
    const s = await slipway({ settings: { theme }, before: ({ service }) => seedAccount(service, 60) })
    await expect(fileRow(s.page, '-00000.')).toBeVisible()
    expect(await findings(s.page)).toEqual([])
    await fileRow(s.page, '-00000.').click()
    expect(await findings(s.page)).toEqual([])
    for (const view of ['Transfers', 'Usage', 'Settings'] as const) {
      await open(s.page, view)
      expect.soft(await findings(s.page), view).toEqual([])
    }
  })
