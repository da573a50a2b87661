// What the preload script puts into the page.
import type { Bridge } from '../src-shared/app.ts'

declare global {
  interface Window {
    readonly slipway: Bridge
  }
}
