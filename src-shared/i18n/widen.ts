// Derives the type of all catalogues from the English original, so that a missing or extra text in another
// language is a compile error.

type Sentence = (...values: never[]) => string

export type Widen<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends Sentence
      ? (...values: Parameters<T[K]>) => string
      : Widen<T[K]>
}
