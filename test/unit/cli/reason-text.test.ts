// Reasons in the command line: a sentence for each, with the time of the next step if it is known.
// The texts are the window's, so only the format is checked here.
import { describe, expect, it } from 'vitest'
import { stateText } from '../../../src-main/cli/commands/info.ts'
import { afterName, failedMessage, reasonText } from '../../../src-main/cli/output/reason-text.ts'
import { reasonWords } from '../../../src-shared/i18n/en/reasons.ts'
import { rowReasons } from '../../../src-shared/i18n/reasons.ts'
import { FailedReason, HeldReason, type Reason, WaitReason } from '../../../src-shared/model.ts'
import { transfer } from './world.ts'

/** 14:03:20 local time. */
const NOW = new Date(2026, 10, 20, 14, 3, 20).getTime()

describe('reasonText', () => {
  it.each<Reason>([...WaitReason.options, ...HeldReason.options, ...FailedReason.options])(
    '%s has a sentence in plain characters',
    (reason) => {
      for (const until of [null, NOW + 3_600_000]) {
        expect(reasonText(reason, until, NOW)).toMatch(/^[A-Z]/)
        expect(reasonText(reason, until, NOW)).not.toMatch(/!|please|undefined|null|NaN|’|[.?]$/i)
      }
    },
  )

  it.each(WaitReason.options)('%s reads as in the window', (reason) => {
    expect(reasonText(reason, null, NOW)).toBe(rowReasons(reasonWords)[reason]('').replaceAll('’', "'"))
  })

  it('says until when, if that is known', () => {
    expect(reasonText('rate-minute', NOW + 40_000, NOW)).toBe(
      'Waiting for the rate limit, resumes at 14:04:00',
    )
    expect(reasonText('rate-minute', null, NOW)).toBe('Waiting for the rate limit')
    expect(reasonText('daily-uploads', new Date(2026, 10, 21).getTime(), NOW)).toBe(
      'Daily upload limit reached, next try tomorrow at 00:00',
    )
    expect(reasonText('paused', NOW + 40_000, NOW)).toBe('Paused')
  })

  it('tells a drive that does not answer from another folder that is away', () => {
    const at = NOW + 40_000
    expect(reasonText('drive-silent', at, NOW)).toBe("The drive isn't responding, next check at 14:04:00")
    expect(reasonText('folder-away', at, NOW)).toBe('The folder is not available, next check at 14:04:00')
  })

  it('says why a file needs a person', () => {
    expect(reasonText('secret', null, NOW)).toBe('Held: looks like a secret')
    expect(reasonText('unreadable', null, NOW)).toBe('Failed: the file could not be read')
    expect(failedMessage('unreadable')).toBe('The file could not be read.')
    expect(afterName('too-big')).toBe('exceeds the file size limit')
  })
})

it('a message that only repeats the reason is left out', () => {
  const paused = transfer(1, { state: 'waiting', reason: 'paused', message: 'Paused.' })
  expect(stateText(paused, NOW)).toBe('Paused')
  expect(stateText({ ...paused, message: 'Paused in the window.' }, NOW)).toBe(
    'Paused (Paused in the window.)',
  )
})
