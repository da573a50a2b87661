// Throttles events to the page: frequent updates are sent at most four times a second, all other events at
// once. An event that contains a complete state replaces an earlier one that is still waiting.

import { assertNever } from '../../../src-shared/assert.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import { Throttle, type Time } from '../../platform/time.ts'

/** About three updates a second, so that with the urgent events sent in between there are at most four. */
const EVERY_MS = 300

/** The key under which a newer event replaces a pending one; null if it doesn't replace any. */
function whole(event: WindowEvent): string | null {
  if (
    event.kind === 'connection' ||
    event.kind === 'accounts' ||
    event.kind === 'settings' ||
    event.kind === 'deletes' ||
    event.kind === 'undo'
  )
    return event.kind
  if (event.kind !== 'engine') return null
  const { kind } = event.event
  switch (kind) {
    case 'state':
    case 'progress':
    case 'gate':
      return kind
    case 'folder':
      return `folder ${event.event.folder.id}`
    case 'transfers':
    case 'catalog':
    case 'notice':
      return null
    default:
      return assertNever(kind, 'engine event')
  }
}

/** Whether the event can wait, because a busy engine causes such events frequently. */
function canWait(event: WindowEvent): boolean {
  return event.kind === 'accounts' || (event.kind === 'engine' && event.event.kind !== 'notice')
}

export class EventThrottle {
  readonly #throttle: Throttle
  #waiting: WindowEvent[] = []

  constructor(send: (events: WindowEvent[]) => void, time?: Time) {
    this.#throttle = new Throttle(
      EVERY_MS,
      () => {
        const events = this.#waiting
        this.#waiting = []
        send(events)
      },
      time,
    )
  }

  take(event: WindowEvent): void {
    const same = whole(event)
    if (same !== null) this.#waiting = this.#waiting.filter((one) => whole(one) !== same)
    this.#waiting.push(event)
    if (canWait(event)) this.#throttle.request()
    else this.#throttle.runNow()
  }

  /** Drops pending events. Call when the page is gone or another account is shown. */
  drop(): void {
    this.#throttle.cancel()
    this.#waiting = []
  }
}
