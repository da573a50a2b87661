// The type of a catalogue, derived from its English original.
// A text that another language lacks, or has beyond it, is a compile error.

type Sentence = (...values: never[]) => string

export type Widen<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Sentence ? (...values: Parameters<T[K]>) => string : Widen<T[K]>
}
