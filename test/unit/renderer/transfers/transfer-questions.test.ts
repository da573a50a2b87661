// The questions before transfers are cancelled: which of the files may be public although they are held, in
// both languages.
import { expect, it } from 'vitest'
import type { Words } from '../../../../src-renderer/lib/words.ts'
import { cancelQuestion, leaveQuestion } from '../../../../src-renderer/views/transfers/transfer-actions.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { transfer } from './sample.ts'

const en: Words = { t: textsOf('en'), f: createFormats('en-GB', textsOf('en').time) }
const de: Words = { t: textsOf('de'), f: createFormats('de-DE', textsOf('de').time) }
const run = (): void => undefined

const lost = transfer({ id: 1, state: 'held', reason: 'unconfirmed' })
const doubtful = transfer({ id: 2, state: 'held', reason: 'ambiguous' })
const secret = transfer({ id: 3, state: 'held', reason: 'secret' })
const queued = transfer({ id: 4 })

it('a file that may have arrived is said to be public, perhaps, before it is given up', () => {
  expect(leaveQuestion(en, [lost], run)).toMatchObject({
    title: 'Don’t upload 1 file?',
    text: [
      '1 file may already be uploaded and its link public. If it’s on the service, you can delete it in Files.',
      'The original stays where it is.',
    ],
    confirm: 'Don’t upload',
  })
  expect(leaveQuestion(de, [lost], run).text[0]).toMatch(
    /^1 Datei ist vielleicht schon hochgeladen und ihr Link öffentlich\./,
  )
})

it('of several, only those are counted', () => {
  expect(leaveQuestion(en, [lost, doubtful, secret], run).text).toEqual([
    expect.stringMatching(/^2 files may already be uploaded and their links public\./),
    'The originals stay where they are.',
  ])
  expect(leaveQuestion(de, [lost, doubtful], run).text[0]).toMatch(
    /^2 Dateien sind vielleicht schon hochgeladen/,
  )
  expect(cancelQuestion(en, [queued, lost], run).text).toEqual([
    '2 files won’t be uploaded. The originals stay where they are.',
    expect.stringMatching(/^1 file may already be uploaded/),
  ])
})

it('nothing is said of others', () => {
  expect(leaveQuestion(en, [secret], run).text).toEqual(['The original stays where it is.'])
  expect(cancelQuestion(en, [queued, secret], run).text).toHaveLength(1)
})

it('a name with a direction mark is shown as it is written, not reordered', () => {
  const large = transfer({
    id: 5,
    state: 'uploading',
    name: 'invoice\u202efdp.exe',
    sent: 1,
    size: 100_000_000,
  })
  expect(cancelQuestion(en, [large], run).text[0]).toContain('of invoice\\u202efdp.exe is already sent')
})
