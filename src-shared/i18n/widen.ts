// The type of a catalogue read off its English original:
// every string and sentence must be there in the other languages, none may be extra.

type Sentence = (...values: never[]) => string

export type Widen<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Sentence ? (...values: Parameters<T[K]>) => string : Widen<T[K]>
}
