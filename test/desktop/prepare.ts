// Before specs run on the stand-in: fetches a Chromium if the system has none. As Playwright's global setup
// also starts it once, so that a missing library is told in one sentence and not by every spec.
import { chosenElectron } from './choose.ts'
import { startChromium, systemChromium } from './chromium.ts'
import { fetchChromium } from './fetched-chromium.ts'

export function ensureChromium(): void {
  // Electron's own binary brings its Chromium.
  if (chosenElectron() === 'electron' || systemChromium() !== null) return
  const fault = fetchChromium(console.log)
  if (fault !== null) console.log(`No Chromium was fetched: ${fault}.`)
}

export default async function prepare(): Promise<void> {
  ensureChromium()
  if (chosenElectron() === 'electron') return
  const chromium = await startChromium({ schemePort: 1, language: 'en-GB', environment: process.env })
  await chromium.stop()
}
