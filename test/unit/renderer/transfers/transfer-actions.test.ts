// The actions offered for a transfer in each state and for each reason, what Enter does, and which need
// confirmation. The table contains every state. Enter alone never publishes or discards anything.
import { describe, expect, it } from 'vitest'
import {
  actionsOf,
  buttonsOf,
  canCancel,
  hasLink,
  mainAction,
  needsConfirm,
} from '../../../../src-renderer/views/transfers/transfer-actions.ts'
import { Reason, type Transfer, TransferState } from '../../../../src-shared/model.ts'
import { transfer } from './sample.ts'

const link = 'https://files.example.com/download/x'
const table: readonly (readonly [
  string,
  Partial<Transfer>,
  readonly string[],
  readonly string[],
  string | null,
])[] = [
  ['on its way', { state: 'uploading' }, ['pause', 'cancel', 'show'], ['pause', 'cancel'], 'show'],
  ['being written', { state: 'settling' }, ['cancel', 'show'], ['cancel'], 'show'],
  [
    'in the queue',
    { state: 'queued' },
    ['send-first', 'pause', 'cancel', 'show'],
    ['send-first', 'cancel'],
    'send-first',
  ],
  [
    'held up with all others',
    { state: 'waiting', reason: 'rate-minute' },
    ['send-first', 'pause', 'cancel', 'show'],
    ['send-first', 'cancel'],
    'send-first',
  ],
  [
    'waiting after an error',
    { state: 'waiting', reason: 'backoff' },
    ['retry', 'pause', 'cancel', 'show'],
    ['retry', 'cancel'],
    'retry',
  ],
  [
    'paused by itself',
    { state: 'waiting', reason: 'paused' },
    ['resume', 'cancel', 'show'],
    ['resume', 'cancel'],
    'resume',
  ],
  [
    'new in its folder',
    { state: 'waiting', reason: 'grace' },
    ['upload-now', 'cancel', 'pause', 'show'],
    ['upload-now', 'cancel'],
    'menu',
  ],
  [
    'changing during each upload',
    { state: 'waiting', reason: 'changing' },
    ['retry', 'pause', 'cancel', 'show'],
    ['retry', 'cancel'],
    'retry',
  ],
  [
    'waiting for its disk',
    { state: 'waiting', reason: 'folder-away' },
    ['cancel', 'show'],
    ['cancel'],
    'show',
  ],
  [
    'waiting for a silent drive',
    { state: 'waiting', reason: 'drive-silent' },
    ['cancel', 'show'],
    ['cancel'],
    'show',
  ],
  [
    'looked for at the service',
    { state: 'unknown', reason: 'checking' },
    ['cancel', 'retry', 'show'],
    ['cancel'],
    'show',
  ],
  ['a secret', { state: 'held', reason: 'secret' }, ['upload-anyway', 'leave', 'show'], [], 'menu'],
  ['too big', { state: 'held', reason: 'too-big' }, ['ignore', 'try-anyway', 'show'], ['ignore'], 'menu'],
  [
    'never confirmed',
    { state: 'held', reason: 'unconfirmed' },
    ['look', 'upload-again', 'ignore', 'show'],
    [],
    'menu',
  ],
  [
    'perhaps up already',
    { state: 'held', reason: 'ambiguous' },
    ['look', 'upload-again', 'ignore', 'show'],
    [],
    'menu',
  ],
  ['failed', { state: 'failed', reason: 'unreadable' }, ['retry', 'ignore', 'show'], ['retry'], 'retry'],
  ['done', { state: 'done', publicLink: link, fileId: 1 }, ['copy', 'open', 'show'], ['copy'], 'copy'],
  ['done, its number not known', { state: 'done', publicLink: link }, ['copy', 'show'], ['copy'], 'copy'],
  ['done, its link not known', { state: 'done', fileId: 1 }, ['show'], [], 'show'],
  ['left here', { state: 'cancelled' }, ['show'], [], 'show'],
  ['gone', { state: 'gone' }, [], [], null],
]

describe('what can be done', () => {
  it.each(table)('%s', (_name, fields, actions, shown, main) => {
    const one = transfer({ id: 1, ...fields })
    expect(actionsOf(one)).toEqual(actions)
    expect(buttonsOf(one).shown).toEqual(shown)
    expect(mainAction(one)).toBe(main)
  })

  it('is decided for every state', () => {
    expect(new Set(table.map(([, fields]) => fields.state))).toEqual(new Set(TransferState.options))
  })

  it('throws nothing away and publishes nothing secret by Enter alone', () => {
    for (const state of TransferState.options)
      for (const reason of [null, ...Reason.def.options.flatMap((one) => one.options)])
        expect([
          'cancel',
          'pause',
          'ignore',
          'leave',
          'upload-anyway',
          'try-anyway',
          'upload-again',
        ]).not.toContain(mainAction(transfer({ id: 1, state, reason, publicLink: link, fileId: 1 })))
  })
})

describe('what is asked about first', () => {
  it.each([
    ['a small upload', [{ state: 'uploading', size: 1e6, sent: 5e5 }], false],
    ['a large upload under way', [{ state: 'uploading', size: 8e8, sent: 5e8 }], true],
    ['a large one that has not begun', [{ state: 'queued', size: 8e8, sent: 0 }], false],
    ['one that may be on the service', [{ state: 'held', reason: 'unconfirmed' }], true],
    ['one of several that may be there', [{ state: 'queued' }, { state: 'held', reason: 'ambiguous' }], true],
    ['one held for another reason', [{ state: 'held', reason: 'secret' }], false],
    ['twenty-one small ones', Array.from({ length: 21 }, () => ({ state: 'queued' as const })), true],
  ] as const)('%s: %s', (_name, list, expected) => {
    expect(needsConfirm(list.map((one, at) => transfer({ id: at + 1, ...one })))).toBe(expected)
  })
})

it('has a link only with a link, and is cancelled only while open', () => {
  expect(hasLink(transfer({ id: 1, state: 'done' }))).toBe(false)
  expect(hasLink(transfer({ id: 1, state: 'done', publicLink: link }))).toBe(true)
  expect(TransferState.options.filter((state) => canCancel(transfer({ id: 1, state })))).toEqual([
    'settling',
    'queued',
    'uploading',
    'waiting',
    'held',
    'unknown',
    'failed',
  ])
})
