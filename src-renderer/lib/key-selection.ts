// A selection among rows known by a key, all of them in memory: a row that moves stays selected. Pure steps.
// Lists of which only a part is in memory use range-selection.ts instead.
import type { Gesture } from './list-navigation.ts'

/** `active`: the row of the keyboard; null: none. */
export interface Choice {
  readonly active: string | null
  /** Where a range begins. */
  readonly anchor: string | null
  readonly chosen: ReadonlySet<string>
}

export const NO_CHOICE: Choice = { active: null, anchor: null, chosen: new Set() }

/** `keys`: the rows that can be selected, in the order shown. `key` may also be a row that can't be, such as a heading. */
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
      return { active: key, anchor: choice.anchor, chosen: new Set(keys.slice(Math.min(from, to), Math.max(from, to) + 1)) }
    }
    default:
      return gesture satisfies never
  }
}

/** All rows selected; the row of the keyboard stays. */
export function chooseAll(choice: Choice, keys: readonly string[]): Choice {
  return { ...choice, anchor: keys[0] ?? null, chosen: new Set(keys) }
}

/** Nothing selected, with the keyboard where it was. */
export function clear(choice: Choice): Choice {
  return { ...choice, chosen: new Set() }
}
