// Throttles events to the page: frequent updates are sent at most four times a second, all other events at
// once. An event that contains a complete state replaces an earlier one that is still waiting. The caller
// provides the clock and sends the events.

import type { WindowEvent } from '../../../src-shared/app.ts'
import { assertNever } from '../../../src-shared/assert.ts'

/** About three updates a second, so that with the urgent events sent in between there are at most four. */
const EVERY_MS = 300

export interface EventThrottle {
  take(event: WindowEvent): void
  /** Drops pending events. Call when the page is gone or another account is shown. */
  drop(): void
}

/** The key under which a newer event replaces a pending one; null if it doesn't replace any. */
function whole(event: WindowEvent): string | null {
  if (
    event.kind === 'connection' ||
    event.kind === 'accounts' ||
    event.kind === 'settings' ||
    event.kind === 'deletes'
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

export function createEventThrottle(options: {
  readonly send: (events: WindowEvent[]) => void
  readonly now: () => number
  readonly after: (ms: number, run: () => void) => () => void
}): EventThrottle {
  let waiting: WindowEvent[] = []
  let sentAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null

  const flush = (): void => {
    cancel?.()
    cancel = null
    sentAt = options.now()
    const events = waiting
    waiting = []
    options.send(events)
  }

  return {
    take: (event) => {
      const same = whole(event)
      if (same !== null) waiting = waiting.filter((one) => whole(one) !== same)
      waiting.push(event)
      const left = canWait(event) ? sentAt + EVERY_MS - options.now() : 0
      if (left <= 0) flush()
      else cancel ??= options.after(left, flush)
    },
    drop: () => {
      cancel?.()
      cancel = null
      waiting = []
    },
  }
}
