// Notices in the window: those that stay follow its language, also when the same problem occurs again, and of
// the notices about copied links only the newest is shown.
import { afterEach, expect, it, vi } from 'vitest'
import type { Words } from '../../../../src-renderer/lib/words.ts'
import {
  announce,
  holdNotices,
  notify,
  notifyFailure,
  notifyIn,
} from '../../../../src-renderer/state/notices.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { BATCH_TOPIC, notifyBatch } from '../../../../src-renderer/state/uploads.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'

const initial = appStore.getState()
afterEach(() => appStore.setState(initial))

const en: Words = { t: textsOf('en'), f: createFormats('en-GB', textsOf('en').time) }
const de: Words = { t: textsOf('de'), f: createFormats('de-DE', textsOf('de').time) }

/** The titles as the window shows them in this language. */
const titles = (words: Words): string[] =>
  appStore.getState().notices.map((one) => (one.say?.(words) ?? one).title)

it.each<[string, (words: Words) => void, string, string]>([
  [
    'a failure',
    (words) => notifyFailure(words, { code: 'disk', title: 'as the engine puts it', hint: null }),
    'Couldn’t write to disk.',
    'Schreiben auf den Datenträger nicht möglich.',
  ],
  [
    'files that could not be read',
    (words) => notifyBatch(words, { queued: 2, already: 0, held: 0, failed: 1, ignored: 0, links: 0 }),
    en.t.batchQueued(2, '2'),
    de.t.batchQueued(2, '2'),
  ],
])(
  '%s is told in the language of the window, once, whichever it was told in first',
  (_name, tell, english, german) => {
    tell(en)
    expect([titles(en), titles(de)]).toEqual([[english], [german]])
    tell(de)
    expect([titles(en), titles(de)]).toEqual([[english], [german]])
  },
)

it('keeps what a failure meant when it occurred', () => {
  const failure = { code: 'usage', title: 'the engine could not be started', hint: null } as const
  appStore.setState({ stopped: failure })
  notifyFailure(en, failure, 'rescan')
  appStore.setState({ stopped: null })
  expect(titles(en)).toEqual(['The sync engine couldn’t be started.'])
})

it('leaves the notice of another problem', () => {
  notifyIn(en, { level: 'warning' }, ({ t }) => ({ title: t.keepTooLate(1, '1'), hint: null }))
  notifyFailure(de, { code: 'disk', title: '', hint: null })
  expect(titles(en)).toEqual([en.t.keepTooLate(1, '1'), en.t.failures.disk.title])
})

it('tells of no links that are not on the clipboard any more', () => {
  const copied = (count: number): void =>
    notify({ level: 'good', title: en.t.copiedLinks(count, String(count)), hint: null })
  notify({ topic: BATCH_TOPIC, level: 'good', title: en.t.copiedLinks(5, '5'), hint: null })
  copied(2)
  expect(titles(en)).toEqual([en.t.copiedLinks(2, '2')])
  copied(3)
  notify({ level: 'problem', title: 'something else', hint: null })
  notify({ topic: BATCH_TOPIC, level: 'good', title: en.t.copiedLinks(4, '4'), hint: null })
  expect(titles(en)).toEqual(['something else', en.t.copiedLinks(4, '4')])
})

it('keeps a notice that the user points at, and then for its whole time again', () => {
  vi.useFakeTimers()
  try {
    notify({ level: 'info', title: 'for a while', hint: null })
    vi.advanceTimersByTime(5000)
    holdNotices(true)
    vi.advanceTimersByTime(60_000)
    expect(titles(en)).toEqual(['for a while'])
    holdNotices(false)
    vi.advanceTimersByTime(5900)
    expect(titles(en)).toEqual(['for a while'])
    vi.advanceTimersByTime(200)
    expect(titles(en)).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

it('announces the same text again for two seconds, counted from the last time', () => {
  vi.useFakeTimers()
  try {
    announce('Link copied')
    const first = appStore.getState().announcement
    vi.advanceTimersByTime(1500)
    announce('Link copied')
    const second = appStore.getState().announcement
    expect(second).toMatchObject({ text: 'Link copied' })
    expect(second?.id).not.toBe(first?.id)
    vi.advanceTimersByTime(1900)
    expect(appStore.getState().announcement).toBe(second)
    vi.advanceTimersByTime(200)
    expect(appStore.getState().announcement).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})
