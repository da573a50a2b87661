// Which rows are chosen and which one the keys act on, as lists of a desktop do it: a click takes one, with Ctrl or Cmd adds or takes away,
// with Shift takes all between. Keys stand for rows, so a row may move and stay chosen. Pure.

export interface Choice {
  readonly active: string | null
  /** Where a range begins. */
  readonly anchor: string | null
  readonly chosen: ReadonlySet<string>
}

export const NO_CHOICE: Choice = { active: null, anchor: null, chosen: new Set() }

export type Mode = 'one' | 'toggle' | 'range' | 'move'

/** `keys`: what can be chosen, in the order shown; `active` may also be a key that can't be chosen. */
export function choose(choice: Choice, keys: readonly string[], key: string, mode: Mode): Choice {
  const choosable = keys.includes(key)
  switch (mode) {
    case 'move':
      return { ...choice, active: key }
    case 'one':
      return { active: key, anchor: choosable ? key : choice.anchor, chosen: new Set(choosable ? [key] : []) }
    case 'toggle': {
      if (!choosable) return { ...choice, active: key }
      const chosen = new Set(choice.chosen)
      if (!chosen.delete(key)) chosen.add(key)
      return { active: key, anchor: key, chosen }
    }
    case 'range': {
      if (!choosable) return { ...choice, active: key }
      const from = choice.anchor === null ? -1 : keys.indexOf(choice.anchor)
      const to = keys.indexOf(key)
      if (from < 0) return { active: key, anchor: key, chosen: new Set([key]) }
      return { active: key, anchor: choice.anchor, chosen: new Set(keys.slice(Math.min(from, to), Math.max(from, to) + 1)) }
    }
    default:
      return mode satisfies never
  }
}

export function chooseAll(choice: Choice, keys: readonly string[]): Choice {
  return { ...choice, anchor: keys[0] ?? null, chosen: new Set(keys) }
}

/** The index that a key press leads to; null: this key moves nothing. */
export function moveTo(key: string, at: number, count: number, page: number): number | null {
  if (count === 0) return null
  const within = (index: number): number => Math.min(count - 1, Math.max(0, index))
  switch (key) {
    case 'ArrowDown':
      return at < 0 ? 0 : within(at + 1)
    case 'ArrowUp':
      return at < 0 ? count - 1 : within(at - 1)
    case 'PageDown':
      return within(Math.max(0, at) + page)
    case 'PageUp':
      return within(at - page)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** The nearest index from `to` on at which the keys may stand, first onward in the direction of the key, then back. Null: there is none. */
export function nearestStop(key: string, to: number, count: number, stops: (index: number) => boolean): number | null {
  const back = key === 'ArrowUp' || key === 'PageUp' || key === 'End'
  for (const step of back ? [-1, 1] : [1, -1]) for (let at = to; at >= 0 && at < count; at += step) if (stops(at)) return at
  return null
}
