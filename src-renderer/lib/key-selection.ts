// A selection of rows that are identified by a key and are all in memory. A row stays selected when it moves.
// Pure. Lists that have only part of their rows in memory use range-selection.ts instead.
import type { Gesture } from './list-navigation.ts'

/** `active` is the row with the keyboard focus; null if there is none. */
export interface Choice {
  readonly active: string | null
  /** The row where a range begins. */
  readonly anchor: string | null
  readonly chosen: ReadonlySet<string>
}

export const NO_CHOICE: Choice = { active: null, anchor: null, chosen: new Set() }

/**
 * Returns the selection after a click or key press on the row `key`, which may be one that can't be selected,
 * such as a heading. `keys` lists the selectable rows in the order shown.
 */
export function choose(choice: Choice, keys: readonly string[], key: string, gesture: Gesture): Choice {
  const choosable = keys.includes(key)
  switch (gesture) {
    case 'move':
      return { ...choice, active: key }
    case 'only':
      return { active: key, anchor: choosable ? key : choice.anchor, chosen: new Set(choosable ? [key] : []) }
    case 'toggle': {
      if (!choosable) return { ...choice, active: key }
      const chosen = new Set(choice.chosen)
      if (!chosen.delete(key)) chosen.add(key)
      return { active: key, anchor: key, chosen }
    }
    case 'extend': {
      if (!choosable) return { ...choice, active: key }
      const from = choice.anchor === null ? -1 : keys.indexOf(choice.anchor)
      const to = keys.indexOf(key)
      if (from < 0) return { active: key, anchor: key, chosen: new Set([key]) }
      return {
        active: key,
        anchor: choice.anchor,
        chosen: new Set(keys.slice(Math.min(from, to), Math.max(from, to) + 1)),
      }
    }
    default:
      return gesture satisfies never
  }
}

/** Selects all rows. The active row stays the same. */
export function chooseAll(choice: Choice, keys: readonly string[]): Choice {
  return { ...choice, anchor: keys[0] ?? null, chosen: new Set(keys) }
}

/** Deselects all rows. The active row stays the same. */
export function clear(choice: Choice): Choice {
  return { ...choice, chosen: new Set() }
}
