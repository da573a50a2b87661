// Pseudo-random numbers from a seed, and helpers for tests based on them.
// Not for anything that must be unpredictable.
export interface Random {
  /** A whole number from 0 to less than `n`. */
  below(n: number): number
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T
  text(alphabet: string, length: number): string
  bytes(length: number): Uint8Array
  uuid(): string
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (n: number): number => Math.floor((next() / 4_294_967_296) * n)
  const text = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[below(alphabet.length)] ?? '').join('')
  return {
    below,
    pick: (list) => {
      const one = list[below(list.length)]
      if (one === undefined) throw new Error('There is nothing to pick from.')
      return one
    },
    text,
    bytes: (length) => {
      const bytes = new Uint8Array(length)
      for (let i = 0; i < length; i++) bytes[i] = next()
      return bytes
    },
    uuid: () => [8, 4, 4, 4, 12].map((length) => text('0123456789abcdef', length)).join('-'),
  }
}
