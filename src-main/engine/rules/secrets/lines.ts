// Where the line around an offset begins and ends, if that is within a number of characters. Written by hand, because an expression that looks
// backwards is tried again at each character.

/** Offset of the first character of the line, or `max` characters before `at` if the line begins earlier. */
export function lineStart(text: string, at: number, max: number): number {
  let from = at
  while (from > 0 && at - from < max && text.charCodeAt(from - 1) !== 10) from--
  return from
}

/** Offset of the line's end, without its line break, or `max` characters after `at` if the line ends later. */
export function lineEnd(text: string, at: number, max: number): number {
  let to = at
  while (to < text.length && to - at < max && text.charCodeAt(to) !== 10) to++
  return to
}
