// What the preload script puts into the page.
// Nothing else of Electron or Node is there.
import type { Bridge } from '../src-shared/app.ts'

declare global {
  interface Window {
    readonly slipway: Bridge
  }
}
