// The props of settings sections and rows that need only the saved settings, and a helper that builds lists
// of options.
import type { AppSettings } from '../../../src-shared/settings.ts'

export interface SectionProps {
  readonly settings: AppSettings
}

/** Turns the values of a closed union and their texts into options for a control. */
export function optionsOf<const T extends string>(
  values: readonly T[],
  words: Readonly<Record<NoInfer<T>, string>>,
): readonly { readonly value: T; readonly label: string }[] {
  return values.map((value) => ({ value, label: words[value] }))
}
