// The texts of the view in both languages: every row has one, the banner describes the effect of the daily
// limit, the sum adds up. Times are created in the local time zone, so that the results are the same
// everywhere.
import { describe, expect, it } from 'vitest'
import { addUp, partsOf, SUM_PARTS } from '../../../../src-renderer/app/status-bar.tsx'
import { originOf } from '../../../../src-renderer/lib/path-names.ts'
import type { Words } from '../../../../src-renderer/lib/words.ts'
import { changesOf } from '../../../../src-renderer/views/transfers/follow-changes.ts'
import {
  changeSentence,
  dayName,
  foldSentence,
  hasFollowUp,
  headDetail,
  planSentence,
  progressSentence,
  rowDetail,
  rowSentence,
  viewDetail,
} from '../../../../src-renderer/views/transfers/sentences.ts'
import { planOf } from '../../../../src-renderer/views/transfers/upload-plan.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { Reason, TransferState } from '../../../../src-shared/model.ts'
import { overviewOf } from '../../../../src-shared/overview.ts'
import { counts, transfer } from './sample.ts'

const NOW = new Date(2026, 10, 20, 14, 3, 0).getTime()
const MIDNIGHT = new Date(2026, 10, 21).getTime()
const DAY = 86_400_000
const SHARE = { id: 7, onChange: 'new-link' } as const
const KEPT = { id: 8, onChange: 'ignore' } as const
const STATE = { now: NOW, next: false, followUp: false }
const en: Words = { t: textsOf('en'), f: createFormats('en', textsOf('en').time) }
const de: Words = { t: textsOf('de'), f: createFormats('de', textsOf('de').time) }

it('a detail of the German window names the link of a file that only a person can delete', () => {
  const link = 'https://files.example.com/download/a'
  const message = `It is published as ${link}, and Slipway can't delete it: its ID isn't known. Delete it on the service.`
  expect(rowDetail(de, { message, leftLink: link })).toBe(`Veröffentlicht als ${link}. Beim Dienst löschen.`)
  expect(rowDetail(en, { message, leftLink: link })).toBe(message)
  // The message is about something else.
  expect(rowDetail(de, { message: 'The service says: Later.', leftLink: link })).toBe(
    'Antwort des Dienstes: „Later.“',
  )
  expect(rowDetail(de, { message: 'A rule excludes it.' })).toBe('')
})

describe('the sentence of a row', () => {
  it.each([
    ['queued', { state: 'queued' }, 'Queued', 'second'],
    [
      'held up',
      { state: 'waiting', reason: 'rate-minute', until: NOW + 20_000 },
      'Waiting for the rate limit, resumes at 14:03:20',
      'waiting',
    ],
    [
      'its time is over',
      { state: 'waiting', reason: 'rate-minute', until: NOW - 1 },
      'Waiting for the rate limit',
      'waiting',
    ],
    ['paused', { state: 'waiting', reason: 'paused' }, 'Paused', 'second'],
    [
      'a secret',
      { state: 'held', reason: 'secret', message: 'key store' },
      'Held: looks like a secret · key store',
      'problem',
    ],
    [
      'too big',
      { state: 'held', reason: 'too-big', message: 'evidence' },
      'Held: exceeds the file size limit',
      'problem',
    ],
    ['all sent', { state: 'uploading', sent: 1000 }, 'Sent, waiting for the link', 'second'],
    ['done', { state: 'done', publicLink: 'x', doneAt: NOW - 1000 }, 'Uploaded 14:02:59', 'second'],
    [
      'found again',
      { state: 'done', publicLink: 'x', doneAt: NOW, adopted: true },
      'Already uploaded, link found 14:03:00',
      'second',
    ],
    ['deleted', { state: 'done', ended: 'deleted', doneAt: NOW }, 'Deleted from the service', 'second'],
    ['replaced', { state: 'done', ended: 'replaced', doneAt: NOW }, 'Replaced by a newer version', 'second'],
    [
      'touched after it was deleted',
      { state: 'cancelled', ended: 'deleted' },
      'Deleted from the service',
      'second',
    ],
    ['left here', { state: 'cancelled' }, 'Not uploaded', 'second'],
    ['left public', { state: 'cancelled', leftPublic: true }, 'Published before it was cancelled', 'problem'],
    [
      'perhaps public',
      { state: 'cancelled', reason: 'ambiguous' },
      'May have been published before it was cancelled',
      'problem',
    ],
  ] as const)('%s', (_name, fields, text, tone) => {
    expect(rowSentence(en, transfer({ id: 1, ...fields }), STATE)).toEqual({ text, tone })
  })

  it.each([
    ['a watched folder', SHARE.id, 'deleted', 'Deleted from the service. Uploaded again if it changes.'],
    ['a watched folder', SHARE.id, 'gone', 'No longer on the service. Uploaded again if it changes.'],
    ['a folder that keeps the first version', KEPT.id, 'deleted', 'Deleted from the service'],
    ['a folder that is not watched any more', 99, 'gone', 'No longer on the service'],
    ['no folder', null, 'gone', 'No longer on the service'],
  ] as const)('promises another upload only where there is one: %s', (_where, folderId, ended, text) => {
    const row = transfer({ id: 1, state: 'done', ended, folderId })
    expect(rowSentence(en, row, { ...STATE, followUp: hasFollowUp(row, [SHARE, KEPT]) }).text).toBe(text)
  })

  it('is never empty, in any state, for any reason, in any language', () => {
    for (const words of [en, de])
      for (const state of TransferState.options)
        for (const reason of [null, ...Reason.def.options.flatMap((one) => one.options)])
          expect(
            rowSentence(words, transfer({ id: 1, state, reason, until: NOW + 1000 }), STATE).text,
          ).toMatch(/^[^\s].{3,}/)
  })

  it('says what goes next', () => {
    expect(rowSentence(en, transfer({ id: 1 }), { ...STATE, next: true }).text).toBe('Up next')
  })

  it('names a rule in the language of the window, and one it does not know as it is', () => {
    const secret = (message: string): string =>
      rowSentence(de, transfer({ id: 1, state: 'held', reason: 'secret', message }), STATE).text
    expect(secret('key store')).toContain('Schlüsselspeicher')
    expect(secret('a new rule')).toContain('a new rule')
  })

  it('is the same for all of a fold', () => {
    expect(foldSentence(en, 'too-big')).toBe('Held: exceeds the file size limit')
    expect(foldSentence(en, 'other')).toBe('Needs attention')
  })
})

describe('progress', () => {
  it.each([
    [800e6, 512e6, 48e6, `64% · 48 MB/s · ${en.f.duration(6000)} left`],
    [800e6, 512e6, 0, '64%'],
    [800e6, 0, 0, 'Starting'],
    [800e6, 800e6, 1, 'Sent, waiting for the link'],
    [0, 0, 0, 'Starting'],
  ])('%d, %d sent, %d a second', (size, sent, speed, text) => {
    expect(progressSentence(en, size, sent, speed)).toBe(text)
  })
})

describe('headings', () => {
  it('say what all wait for, and what is still being written', () => {
    expect(headDetail(en, { reason: 'rate-minute', until: NOW + 20_000, settling: 1 }, NOW)).toBe(
      'for the rate limit, resumes at 14:03:20 · 1 still being written',
    )
    expect(headDetail(en, { reason: null, until: null, settling: 0 }, NOW)).toBe('')
  })

  it('name days as people do', () => {
    const today = new Date(2026, 10, 20).getTime()
    expect(dayName(en, today, today)).toBe('Today')
    expect(dayName(en, today - DAY, today)).toBe('Yesterday')
    expect(dayName(en, today - 2 * DAY, today)).toBe('Nov 18')
  })

  it('count what is open, with a time only while something moves', () => {
    const progress = { speed: 1, etaMs: 80_000, sentBytes: 0, totalBytes: 0, active: [] }
    const detail = (
      of: Parameters<typeof counts>[0],
      more: Partial<Parameters<typeof overviewOf>[0]> = {},
    ): string =>
      viewDetail(
        en,
        overviewOf({
          counts: counts(of),
          progress,
          gate: null,
          paused: false,
          dailyUploads: { limit: null, used: 0, nextAt: null },
          ...more,
        }),
      )
    const left = `about ${en.f.duration(80_000)} left`
    expect(detail({ uploading: 2, queued: 19, held: 4 })).toBe(`21 open · ${left}`)
    expect(detail({ waiting: 19 })).toBe('19 open')
    expect(detail({ held: 1 })).toBe('No open transfers')
    expect([detail({ paused: 120 }), detail({ paused: 3, waiting: 1 })]).toEqual([
      '120 paused',
      '1 open · 3 paused',
    ])
    // If a limit, a pause or another day determines the end, the seconds left of running uploads don't.
    const gate = { reason: 'rate-minute', until: NOW + 60_000, message: null } as const
    expect(detail({ uploading: 2, queued: 115 }, { gate })).toBe('117 open')
    expect(detail({ uploading: 2 }, { gate })).toBe(`2 open · ${left}`)
    expect(detail({ uploading: 2, queued: 115 }, { paused: true })).toBe('117 open')
    expect(
      detail({ uploading: 2, queued: 115 }, { dailyUploads: { limit: 100, used: 26, nextAt: null } }),
    ).toBe('117 open')
  })
})

describe('the plan of the day', () => {
  const plan = (open: number, used: number, limit: number | null, nextAt: number | null) =>
    planOf({ counts: counts({ queued: open }), dailyUploads: { limit, used, nextAt } }, NOW)

  it.each([
    ['no limit known', 50, 0, null, null],
    ['room for all', 12, 88, 100, null],
    ['nothing open', 0, 100, 100, null],
    ['a limit of none', 5, 0, 0, null],
  ])('is silent: %s', (_name, open, used, limit, nextAt) => {
    expect(plan(open, used, limit, nextAt)).toBeNull()
  })

  it('splits what is open into now and later', () => {
    const some = plan(243, 81, 100, MIDNIGHT)
    expect(some).toMatchObject({ left: 19, now: 19, later: 224, days: 3 })
    if (some === null) return
    expect(planSentence(en, some, NOW)).toEqual({
      title: '19 of 100 daily uploads left.',
      hint: '19 files today, 224 from midnight, done within 3 days.',
    })
    expect(planSentence(de, some, NOW).hint).toBe(
      '19 Dateien heute, 224 ab Mitternacht, fertig innerhalb von 3 Tagen.',
    )
  })

  it('says when the next goes where the day is full', () => {
    const full = plan(1, 120, 100, NOW + 600_000)
    expect(full).toMatchObject({ left: 0, now: 0, later: 1 })
    if (full === null) return
    expect(planSentence(en, full, NOW).hint).toBe('1 file waiting, next try at 14:13:00, done within a day.')
  })

  it('names no time that it does not know', () => {
    const some = plan(10, 95, 100, null)
    if (some === null) throw new Error('a plan was expected')
    expect(planSentence(en, some, NOW).hint).toBe('5 files today, 5 later, done within a day.')
  })
})

describe('the sum', () => {
  it('adds up over all folders', () => {
    const total = addUp([
      { seen: 10, uploaded: 5, waiting: 2, held: 1, failed: 1, ignored: 1 },
      { seen: 3, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 3 },
    ])
    expect(total).toEqual({ seen: 13, uploaded: 5, waiting: 2, held: 1, failed: 1, ignored: 4 })
    expect(partsOf(total).reduce((sum, one) => sum + one.count, 0)).toBe(total.seen)
  })

  it('leaves out what is none, but never what is up', () => {
    expect(partsOf(addUp([])).map((one) => one.part)).toEqual(['uploaded'])
    expect(
      partsOf({ seen: 5, uploaded: 1, waiting: 1, held: 1, failed: 1, ignored: 1 }).map((one) => one.part),
    ).toEqual([...SUM_PARTS])
  })
})

describe('what is told to who listens', () => {
  it.each([
    ['nothing', counts({ done: 1 }), counts({ done: 1 }), null],
    ['only a row that left', counts({ waiting: 3 }), counts({ waiting: 1 }), null],
    [
      'three done, one in need',
      counts({ uploading: 4 }),
      counts({ done: 3, held: 1 }),
      '3 done, 1 needs attention',
    ],
    ['new ones', counts({}), counts({ queued: 2, failed: 2 }), '2 need attention, 2 new'],
  ] as const)('%s', (_name, before, after, text) => {
    const changes = changesOf(before, after)
    expect(changes === null ? null : changeSentence(en, changes)).toBe(text)
  })
})

describe('where a file came from', () => {
  const folders = [
    { id: 1, path: '/home/ada/Share' },
    { id: 2, path: 'C:\\Users\\ada\\Pictures\\Screenshots' },
  ]
  it.each([
    ['dropped', null, '/tmp/a.zip', null],
    ['in the folder', 1, '/home/ada/Share/a.zip', ['Share']],
    ['below it', 1, '/home/ada/Share/site/img/a.png', ['Share', 'site', 'img']],
    ['on Windows', 2, 'C:\\Users\\ada\\Pictures\\Screenshots\\nov\\a.png', ['Screenshots', 'nov']],
    ['in a folder that is not watched any more', 9, '/home/ada/Old/a.png', ['Old']],
    ['in a folder that moved', 1, '/mnt/disk/Share/a.png', ['Share']],
  ] as const)('%s', (_name, folderId, path, expected) => {
    expect(originOf({ folderId, path }, folders)).toEqual(expected)
  })
})
