// The text for a failure: its code is interpreted by the call that was made.
// Tests the notice that the user sees.
import { afterEach, expect, it } from 'vitest'
import { notifyFailure } from '../../../../src-renderer/state/notices.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import type { Failure, FailureCode } from '../../../../src-shared/engine-contract.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import type { Snapshot } from '../../../../src-shared/model.ts'
import type { CallName } from '../../../../src-shared/window-contract.ts'
import { gate, snapshot } from '../../shell/world.ts'

const initial = appStore.getState()
afterEach(() => appStore.setState(initial))

const words = { t: textsOf('en'), f: createFormats('en-GB', textsOf('en').time) }

function told(
  code: FailureCode,
  asked: CallName | undefined,
  now: Snapshot = snapshot(),
  refusal?: Failure['refusal'],
): string {
  appStore.setState({ snapshot: now, notices: [] })
  notifyFailure(words, { code, title: 'as the engine puts it', hint: null, refusal }, asked)
  const [notice] = appStore.getState().notices
  return `${notice?.code}: ${notice?.title}`
}

it.each<[FailureCode, CallName | undefined, string]>([
  ['not-found', undefined, 'This item no longer exists.'],
  ['not-found', 'showInFolder', 'The original is no longer there.'],
  ['not-found', 'openLink', 'This file has no link to open.'],
  ['not-found', 'openFolder', 'The folder is no longer there.'],
  ['not-found', 'rescan', 'This folder is no longer watched.'],
  ['disk', undefined, 'Couldn’t write to disk.'],
  ['disk', 'openFolder', 'Couldn’t open the folder.'],
  ['disk', 'licences', 'Couldn’t read the licences.'],
  ['usage', 'uploadPicked', 'These files can’t be uploaded any more.'],
])('%s of %s', (code, asked, title) => {
  expect(told(code, asked)).toBe(`${code}: ${title}`)
})

it.each<[NonNullable<Failure['refusal']>, FailureCode, string]>([
  ['forbidden', 'usage', 'Your organization doesn’t allow uploads from this folder.'],
  ['own-data', 'usage', 'This folder belongs to Slipway itself and is never uploaded.'],
  ['not-a-folder', 'usage', 'This folder no longer exists.'],
  ['unreadable', 'disk', 'Couldn’t open the folder.'],
])(
  'a folder that is refused as %s says so, unlike one that was picked too long ago',
  (refusal, code, title) => {
    for (const asked of ['watchPicked', 'changeFolder'] as const)
      expect(told(code, asked, snapshot(), refusal)).toBe(`${code}: ${title}`)
    expect(told('not-found', 'watchPicked')).toBe('not-found: This folder is no longer available.')
    expect(told('usage', 'watchPicked')).toBe('usage: Slipway can’t use this input.')
  },
)

it.each([
  ['online', snapshot()],
  ['offline', snapshot({ account: 'offline' })],
  ['waiting for the service', snapshot({ gate: gate('offline') })],
])(
  'what the engine reports as a wait or a missing connection stays that in a window that is %s',
  (_state, now) => {
    expect(told('waits', undefined, now)).toBe('waits: Request limit reached.')
    expect(told('no-connection', undefined, now)).toBe('no-connection: Can’t reach the service.')
  },
)
