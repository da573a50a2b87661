// The table of states and events, cell by cell. Also checks that only the journal's state writer stores a
// state. A cell without an entry is a transition that must not happen.
import { describe, expect, it } from 'vitest'
import {
  type Before,
  nextState,
  type TransferEvent,
} from '../../../../src-main/engine/journal/transitions.ts'
import { readTree, treeFiles } from '../../../tools/tree.ts'

type State = Before['state']

const STATES: readonly State[] = [
  'queued',
  'uploading',
  'waiting',
  'held',
  'unknown',
  'failed',
  'cancelled',
  'gone',
  'done',
]
const UNTIL = 1000

const EVENTS: Readonly<Record<TransferEvent['kind'], TransferEvent>> = {
  requeued: { kind: 'requeued' },
  woken: { kind: 'woken' },
  retried: { kind: 'retried' },
  paused: { kind: 'paused' },
  resumed: { kind: 'resumed' },
  released: { kind: 'released' },
  sent: { kind: 'sent' },
  confirmed: { kind: 'confirmed' },
  'answer-lost': { kind: 'answer-lost', message: 'cut', until: UNTIL },
  interrupted: { kind: 'interrupted' },
  deferred: { kind: 'deferred', reason: 'backoff', message: 'busy', until: UNTIL },
  held: { kind: 'held', reason: 'secret', message: '*.pem' },
  failed: { kind: 'failed', reason: 'unreadable', message: 'no' },
  vanished: { kind: 'vanished' },
  cancelled: { kind: 'cancelled' },
  orphaned: { kind: 'orphaned' },
}

/**
 * By state: q queued, u uploading, w waiting, h held, ? unknown, f failed, c cancelled, g gone, d done. -
 * means no change.
 */
const EXPECTED: Readonly<Record<TransferEvent['kind'], string>> = {
  //            q u w h ? f c g d
  requeued: '    q q q q q q q q -',
  woken: '       - - q - - - - - -',
  retried: '     - - q - - q - - -',
  paused: '      w - w - - - - - -',
  resumed: '     - - q - - - - - -',
  released: '    - - - q - - - - -',
  sent: '        u - - - - - - - -',
  confirmed: '   d d d d d d d d d',
  'answer-lost': '? ? ? ? ? ? ? ? -',
  interrupted: ' - ? - - - - - - -',
  deferred: '    w w w w w w w w -',
  held: '        h h h h h h h h -',
  failed: '      f f f f f f f f -',
  vanished: '    g g g g g g g g -',
  cancelled: '   c c c c c c c c c',
  orphaned: '    - - - - - - - - q',
}

const SHORT: Readonly<Record<State, string>> = {
  queued: 'q',
  uploading: 'u',
  waiting: 'w',
  held: 'h',
  unknown: '?',
  failed: 'f',
  cancelled: 'c',
  gone: 'g',
  done: 'd',
}

const row = (
  event: TransferEvent,
  isCalledOff: boolean,
  isPaused = false,
  leftLink: string | null = null,
): string =>
  STATES.map((state) => nextState({ state, isCalledOff, isPaused, leftLink, isUnproved: false }, event))
    .map((after) => (after === null ? '-' : SHORT[after.state]))
    .join(' ')

describe('nextState', () => {
  it.each(Object.values(EVENTS))('$kind, from every state', (event) => {
    expect(row(event, false)).toBe(EXPECTED[event.kind].trim())
  })

  it.each(Object.values(EVENTS))('$kind, of a transfer that was called off', (event) => {
    expect(row(event, true)).toBe(EXPECTED[event.kind].trim().replaceAll(/[qwhf]/g, 'c'))
  })

  it.each(Object.values(EVENTS))(
    '$kind, of a transfer that was paused by itself: it waits instead of going out',
    (event) => {
      expect(row(event, false, true)).toBe(EXPECTED[event.kind].trim().replaceAll('q', 'w'))
      expect(row(event, true, true)).toBe(row(event, true))
    },
  )

  it.each(Object.values(EVENTS))(
    '$kind, of a transfer with a published file that cannot be deleted: an ended one names it',
    (event) => {
      const link = 'https://files.example.com/download/x'
      expect(row(event, false, false, link)).toBe(EXPECTED[event.kind].trim().replaceAll('g', 'c'))
      for (const state of STATES) {
        const ended = nextState(
          { state, isCalledOff: true, isPaused: false, leftLink: link, isUnproved: false },
          event,
        )
        if (ended?.state === 'cancelled') expect(ended.message).toContain(link)
        else expect(ended?.state).not.toBe('gone')
      }
    },
  )

  it.each<readonly [TransferEvent, string | null, string | null, number | null]>([
    [EVENTS.requeued, null, null, null],
    [EVENTS['answer-lost'], 'checking', 'cut', UNTIL],
    [EVENTS.deferred, 'backoff', 'busy', UNTIL],
    [EVENTS.held, 'secret', '*.pem', null],
    [EVENTS.failed, 'unreadable', 'no', null],
    [EVENTS.vanished, 'missing', 'The file was deleted before it was uploaded.', null],
    [{ kind: 'cancelled', message: 'left out' }, null, 'left out', null],
    [EVENTS.cancelled, null, null, null],
    [EVENTS.confirmed, null, null, null],
    [EVENTS.paused, 'paused', null, null],
  ])('$0.kind keeps its reason and time', (event, reason, message, until) => {
    expect(
      nextState(
        { state: 'queued', isCalledOff: false, isPaused: false, leftLink: null, isUnproved: false },
        event,
      ),
    ).toMatchObject({
      reason,
      message,
      until,
    })
  })

  it.each([true, false])(
    'cancelled while it is held, and whether it arrived is not known: %s',
    (isUnproved) => {
      const before = {
        state: 'held',
        isCalledOff: false,
        isPaused: false,
        leftLink: null,
        isUnproved,
      } as const
      expect(nextState(before, EVENTS.cancelled)).toMatchObject({
        state: 'cancelled',
        reason: isUnproved ? 'ambiguous' : null,
      })
      expect(nextState(before, EVENTS.released)).toMatchObject({ state: 'queued', reason: null })
      expect(nextState(before, EVENTS.vanished)).toMatchObject(
        isUnproved ? { state: 'cancelled', reason: 'ambiguous' } : { state: 'gone' },
      )
    },
  )

  it('keeps the reason of an interrupted upload and asks at once', () => {
    expect(
      nextState(
        { state: 'uploading', isCalledOff: false, isPaused: false, leftLink: null, isUnproved: false },
        EVENTS.interrupted,
      ),
    ).toMatchObject({
      reason: 'checking',
      until: null,
    })
  })
})

/** The SQL statements in a source that store a transfer's state. */
function stateWrites(source: string): readonly string[] {
  const heads = [...source.matchAll(/UPDATE\s+transfers\s+SET\s[^`";]*/g)].map(
    ([statement]) => statement.split(/\bWHERE\b/)[0] ?? '',
  )
  return heads.filter((head) => /\bstate\s*=/.test(head))
}

describe('the column state', () => {
  it.each([
    `db.run("UPDATE transfers SET state = 'queued' WHERE id = ?")`,
    'db.run(`UPDATE transfers SET reason = NULL, state = ? WHERE id = ?`)',
    'db.run(`UPDATE transfers\n  SET\n  state=iif(cancel = 1, 1, 2)`)',
  ])('is seen to be written by %s', (source) => {
    expect(stateWrites(source)).toHaveLength(1)
  })

  it.each([
    `db.run("UPDATE transfers SET ended = NULL WHERE state = 'done'")`,
    `db.all("SELECT id FROM transfers WHERE state = 'done'")`,
  ])('is not written by %s', (source) => {
    expect(stateWrites(source)).toEqual([])
  })

  it('is written by the state writer alone, and by migrations', () => {
    const writers = treeFiles().filter(
      (file) => /^src-main\/.*\.ts$/.test(file) && stateWrites(readTree(file)).length > 0,
    )
    expect(writers).toEqual(['src-main/engine/journal/schema.ts', 'src-main/engine/journal/state-writer.ts'])
  })
})
