// When the page is told: at once what answers a person, at most four times a second what an engine at work keeps saying. What is said again
// as a whole takes the place of what was said before. It decides and keeps; sending and the clock are given.

import type { WindowEvent } from '../../../src-shared/app.ts'
import { assertNever } from '../../../src-shared/assert.ts'

/** Just under four a second, which is what a person can read: what must be told at once comes on top. */
const EVERY_MS = 265

export interface Telling {
  take(event: WindowEvent): void
  /** The page is gone, and what it was to be told with it. */
  drop(): void
}

/** Only the newest of its kind counts; null: each counts. */
function whole(event: WindowEvent): string | null {
  if (event.kind === 'connection' || event.kind === 'settings' || event.kind === 'deletes') return event.kind
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

/** What an engine says of its own accord, over and over. */
function canWait(event: WindowEvent): boolean {
  return event.kind === 'engine' && event.event.kind !== 'notice'
}

export function createTelling(options: {
  readonly send: (events: WindowEvent[]) => void
  readonly now: () => number
  readonly after: (ms: number, run: () => void) => () => void
}): Telling {
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
