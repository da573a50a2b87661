// Which settings fit what a person typed: every word must stand somewhere in the name of the section, the label or the explanation.
// Letters count without their case and accents. Pure.

export interface Searchable<Id extends string> {
  readonly id: Id
  readonly text: string
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}

/** Null: nothing was typed, so nothing is filtered. */
export function findSettings<Id extends string>(query: string, all: readonly Searchable<Id>[]): ReadonlySet<Id> | null {
  const words = plain(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return null
  return new Set(
    all
      .filter(({ text }) => {
        const hay = plain(text)
        return words.every((word) => hay.includes(word))
      })
      .map(({ id }) => id),
  )
}
