// Number fields of the settings: typing, buttons and arrow keys, and values that can't be used.
import { expect, test } from './fixture.ts'
import { openSection } from './hands.ts'
import { ask, type Slipway } from './slipway.ts'

async function saved(s: Slipway, key: 'concurrency' | 'bytesPerSecond'): Promise<number | null> {
  const boot = await ask(s.page, 'boot', {})
  if (!boot.ok) throw new Error(boot.failure.title)
  return boot.value.settings[key]
}

test('number fields', async ({ slipway }) => {
  const s = await slipway({ settings: { concurrency: 4, bytesPerSecond: 1_500_000 } })
  await test.step('a number can be typed, or stepped with keys and buttons, and an invalid one stays in the field', async () => {
    const { page } = s
    await openSection(page, 'Network')
    const field = page.getByRole('spinbutton', { name: 'Simultaneous uploads' })
    await expect(field).toHaveValue('4')

    await field.fill('7')
    expect(await saved(s, 'concurrency')).toBe(4)
    await field.press('Enter')
    await expect.poll(() => saved(s, 'concurrency')).toBe(7)
    await field.press('ArrowUp')
    await field.press('ArrowUp')
    await field.press('ArrowDown')
    await expect.poll(() => saved(s, 'concurrency')).toBe(8)
    await page.getByRole('button', { name: 'Less' }).first().click()
    await expect.poll(() => saved(s, 'concurrency')).toBe(7)
    await expect(field).toHaveValue('7')

    for (const wrong of ['99', '0', '-1', 'many']) {
      await field.fill(wrong)
      await field.blur()
      await expect(page.getByText('Enter a number from 1 to 16. 7 still applies.')).toBeVisible()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveValue(wrong)
    }
    expect(await saved(s, 'concurrency')).toBe(7)
    await field.fill('')
    await field.blur()
    await expect(field).toHaveValue('7')
    await expect(field).toHaveAttribute('aria-invalid', 'false')
    await field.fill('16')
    await field.blur()
    await expect.poll(() => saved(s, 'concurrency')).toBe(16)
    await expect(page.getByRole('button', { name: 'More' }).first()).toBeDisabled()

    await test.step('a typed number is saved when a shortcut opens another view', async () => {
      await field.fill('7')
      await page.keyboard.press('ControlOrMeta+2')
      await expect(page.getByRole('heading', { name: 'Transfers', exact: true })).toBeVisible()
      await expect.poll(() => saved(s, 'concurrency')).toBe(7)
    })
  })
  await test.step('decimals follow the language, and either separator is understood', async () => {
    await ask(s.page, 'change', { language: 'de' })
    const { page } = s
    await page.getByRole('button', { name: 'Einstellungen' }).first().click()
    await page.getByRole('button', { name: 'Netzwerk' }).click()
    const field = page.locator('.number-input').last()
    await expect(field).toHaveValue('1,5')
    await field.fill('0.75')
    await field.blur()
    await expect.poll(() => saved(s, 'bytesPerSecond')).toBe(750_000)
    await expect(field).toHaveValue('0,75')
    await field.press('ArrowUp')
    await expect.poll(() => saved(s, 'bytesPerSecond')).toBe(1_000_000)
    await field.fill('1.000,5')
    await field.press('Enter')
    await expect.poll(() => saved(s, 'bytesPerSecond')).toBe(1_000_500_000)
  })
})
