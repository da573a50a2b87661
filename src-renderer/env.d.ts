// The API that the preload script exposes to the page. The page has no other access to Electron or Node.
import type { Bridge } from '../src-shared/window-contract.ts'

declare global {
  interface Window {
    readonly slipway: Bridge
  }
}
