// A bus that tells nobody anything, except for what a test replaces.
import type { Bus } from '../../../src-main/engine/tell/bus.ts'

export function quietBus(replaced: Partial<Bus> = {}): Bus {
  return {
    on: () => () => undefined,
    emit: () => undefined,
    wake: () => undefined,
    attach: () => undefined,
    changed: () => undefined,
    remoteChanged: () => undefined,
    touched: () => undefined,
    ended: () => undefined,
    seq: () => 0,
    close: async () => undefined,
    ...replaced,
  }
}
