// The functions that the preload script adds to the page.
// Nothing else of Electron or Node is available.
import type { Bridge } from '../src-shared/app.ts'

declare global {
  interface Window {
    readonly slipway: Bridge
  }
}
