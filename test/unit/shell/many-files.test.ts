// The question before many files are uploaded at once: its words, what each answer means, and what happens if it
// can't be shown.
import { expect, it } from 'vitest'
import type { Choice } from '../../../src-main/shell/app/questions.ts'
import { askForMany } from '../../../src-main/shell/intake/many-files.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell } from '../../../src-shared/i18n/en/shell.ts'
import { createFormats } from '../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../src-shared/i18n/texts.ts'
import type { PlanForecast } from '../../../src-shared/model.ts'
import { fakeLink } from './fake-link.ts'
import { NOW, snapshot } from './world.ts'

const TOMORROW = NOW + 86_400_000
const PLAN: PlanForecast = {
  files: 150,
  bytes: 2_500_000,
  already: 7,
  now: 100,
  later: 43,
  tooBig: 0,
  held: 0,
  ignored: 3,
  doneAt: TOMORROW,
  steps: [
    { at: NOW, count: 100 },
    { at: TOMORROW, count: 43 },
  ],
  limitedBy: '100 uploads a day',
}

async function ask(
  given: {
    readonly chooses?: number | null
    readonly plan?: PlanForecast | null
    readonly isPaused?: boolean
    readonly language?: 'en' | 'de'
    readonly paths?: number
    readonly files?: number
  } = {},
) {
  const { plan = PLAN, language = 'en' } = given
  const fake = fakeLink({ ...(plan === null ? {} : { plan: () => plan }), planPart: () => ({}) })
  const shown: Choice[] = []
  let waits: boolean | undefined
  const window = textsOf(language)
  const answer = await askForMany({
    link: fake.link,
    desk: {
      choose: async (choice, isPatient) => {
        shown.push(choice)
        waits = isPatient
        return given.chooses ?? null
      },
    },
    snapshot: () => snapshot({ paused: given.isPaused === true }),
    language: () => ({
      texts: language === 'de' ? german : shell,
      window,
      formats: createFormats(language === 'de' ? 'de' : 'en-GB', window.time),
    }),
    now: () => NOW,
  })(
    Array.from({ length: given.paths ?? 1 }, (_, i) => `/f${i}`),
    { files: given.files ?? 150, bytes: 2_500_000 },
  )
  return { answer, shown: shown[0], calls: fake.calls, waits }
}

it('says in words what the plan allows today and later, and offers the orders and waiting', async () => {
  const { shown } = await ask()
  expect(shown?.title).toBe('Upload 143 files?')
  const [when, already, ignored] = (shown?.detail ?? '').replaceAll(/\s*\n\s*/g, '\n').split('\n')
  expect(when).toMatch(/^2\.5\sMB · 100 now, 43 starting tomorrow at \d\d:\d\d$/)
  expect([already, ignored]).toEqual([
    '7 are already uploaded. Their links are ready.',
    '3 are ignored by rules',
  ])
  expect([...(shown?.answers ?? []), shown?.cancel]).toEqual([
    'Newest first',
    'Smallest first',
    'By name',
    'I’ll wait',
    'Don’t upload',
  ])
  expect(shown?.detail).toContain('“I’ll wait” adds them paused. Start them with Resume in Transfers.')
  // A key that the user was pressing must not publish anything.
  expect(shown?.byEnter).toBe(null)
})

it('says it in German, too', async () => {
  const { shown } = await ask({ language: 'de' })
  expect(shown?.detail).toContain('Starte sie mit „Fortsetzen“ unter „Übertragungen“.')
  expect([...(shown?.answers ?? []), shown?.cancel]).toEqual([
    'Neueste zuerst',
    'Kleinste zuerst',
    'Nach Name',
    'Ich warte',
    'Nicht hochladen',
  ])
})

it('says what holds all uploads back instead of when they start', async () => {
  const { shown } = await ask({ isPaused: true })
  expect(shown?.detail).toContain('2.5')
  expect(shown?.detail).not.toContain('100 now')
})

it('says how many files there are where no forecast can be made', async () => {
  const { shown } = await ask({ plan: null })
  expect(shown?.title).toBe('Upload 150 files?')
  expect(shown?.detail).toMatch(/^2\.5/)
})

it.each([
  [null, null],
  [0, { order: 'newest' }],
  [1, { order: 'smallest' }],
  [2, { order: 'name' }],
  [3, { paused: true }],
])('takes answer %s for %o', async (chooses, answer) => {
  expect((await ask({ chooses })).answer).toEqual(answer)
})

it('waits for another question, because the files would be lost to it', async () => {
  expect((await ask()).waits).toBe(true)
})

it('asks for one quick forecast, however many paths there are', async () => {
  const { calls } = await ask({ paths: 2001 })
  expect(calls.map((one) => one.name)).toEqual(['planPart', 'planPart', 'plan'])
  expect(calls.at(-1)?.input).toMatchObject({ paths: ['/f2000'], parts: { count: 2000 }, quick: true })
})

it('asks of a single large file whether to upload it, not in which order', async () => {
  const { answer, shown } = await ask({ files: 1, chooses: 0 })
  expect(shown?.answers).toEqual(['Upload', 'I’ll wait'])
  expect(answer).toEqual({ order: 'name' })
  expect((await ask({ files: 1, chooses: 1 })).answer).toEqual({ paused: true })
  expect((await ask({ files: 1 })).answer).toBe(null)
})
