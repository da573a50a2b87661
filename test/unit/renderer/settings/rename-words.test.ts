// What the form for renaming an account says in each case: only a name that can't be used is called so.
// Other failures keep their own words.
import { expect, it } from 'vitest'
import { renameWords } from '../../../../src-renderer/views/settings/rename-dialog.tsx'
import type { FailureCode } from '../../../../src-shared/engine-contract.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'

it.each<[FailureCode, boolean, string, string]>([
  ['usage', true, 'This name is taken, or has characters', 'Dieser Name ist vergeben oder'],
  ['disk', false, 'Couldn’t write to disk.', 'Schreiben auf den Datenträger nicht möglich.'],
  ['closing', false, 'Slipway is restarting its sync engine.', 'Slipway startet die Synchronisierung neu.'],
  [
    'not-found',
    false,
    'This account is no longer on this computer.',
    'Dieses Konto ist nicht mehr auf diesem Computer.',
  ],
])('%s', (code, isName, english, german) => {
  for (const [language, locale, expected] of [
    ['en', 'en-GB', english],
    ['de', 'de-DE', german],
  ] as const) {
    const t = textsOf(language)
    const said = renameWords(
      { t, f: createFormats(locale, t.time) },
      { code, title: 'as the engine puts it', hint: null },
    )
    expect(said.isName).toBe(isName)
    expect(said.text).toContain(expected)
    expect(said.hint === '').toBe(isName)
  }
})
