// Derives a catalogue's type from its English original, so that a text
// that another language lacks, or has in addition, is a compile error.

type Sentence = (...values: never[]) => string

export type Widen<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Sentence ? (...values: Parameters<T[K]>) => string : Widen<T[K]>
}
