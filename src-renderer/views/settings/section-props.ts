// What every section of plain choices gets: the settings as they are saved.
// And a small helper for lists of choices.
import type { AppSettings } from '../../../src-shared/settings.ts'

export interface SectionProps {
  readonly settings: AppSettings
}

/** The values of a closed union with their texts, as options of a control. */
export function optionsOf<const T extends string>(
  values: readonly T[],
  words: Readonly<Record<NoInfer<T>, string>>,
): readonly { readonly value: T; readonly label: string }[] {
  return values.map((value) => ({ value, label: words[value] }))
}
