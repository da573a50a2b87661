// All gestures by name, and which of them a run makes: two to four that its seed draws from groups with fixed
// shares, or one of the hands into which all of them are dealt. Carries none of them out.
import { draw } from '../service/faults.ts'
import type { Gesture } from './gesture.ts'
import { FILE_GESTURES } from './gestures-files.ts'
import { QUEUE_GESTURES } from './gestures-queue.ts'
import { RULE_GESTURES } from './gestures-rules.ts'
import { SIGNAL_GESTURES } from './gestures-signals.ts'

export const GESTURES: readonly Gesture[] = [
  ...SIGNAL_GESTURES,
  ...FILE_GESTURES,
  ...RULE_GESTURES,
  ...QUEUE_GESTURES,
]

/** Files and signals are drawn most often, because they are most frequent in practice. */
const SHARES: readonly (readonly [Gesture['group'], number])[] = [
  ['signal', 0.22],
  ['file', 0.26],
  ['waiting', 0.1],
  ['rules', 0.13],
  ['queue', 0.18],
  ['folders', 0.07],
  ['words', 0.04],
]

/**
 * The gesture whose name equals the words joined by commas. If there is none, all gestures whose name
 * contains one of the words.
 */
export function gesturesNamed(words: readonly string[]): readonly Gesture[] {
  const whole = GESTURES.filter((one) => words.join(',') === one.name)
  return whole.length > 0 ? whole : GESTURES.filter((one) => words.some((word) => one.name.includes(word)))
}

/**
 * Draws two to four gestures in order. With `only`, draws them from the gestures that match; all of these if
 * there are fewer.
 */
export function drawGestures(seed: number, only: readonly string[] = []): readonly Gesture[] {
  const among = only.length === 0 ? GESTURES : gesturesNamed(only)
  const count = Math.min(among.length, 2 + Math.floor(draw(seed, 'gestures') * 3))
  const drawn: Gesture[] = []
  for (let n = 0; drawn.length < count; n++) {
    const list =
      only.length === 0 ? among.filter((one) => one.group === groupOf(draw(seed, 'group', n))) : among
    const one = list[Math.floor(draw(seed, 'gesture', n) * list.length)]
    if (one !== undefined && !drawn.includes(one)) drawn.push(one)
  }
  return drawn
}

/**
 * How many runs it takes to make each gesture once: few, because a run costs most for its start and its end.
 */
export const HANDS = 13

/**
 * The first gesture goes to the hand after these, so that `rm --older` and `rm --latest` are in runs whose
 * rules keep versions.
 */
const SHIFT = 2

/**
 * The gestures of a hand from 1 to HANDS, in an order that its number draws. Neighbours of the list are in
 * different hands.
 */
export function dealtGestures(hand: number): readonly Gesture[] {
  return GESTURES.filter((_, n) => (n + SHIFT) % HANDS === hand - 1)
    .map((one, n) => ({ one, at: draw(hand, 'order', n) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

function groupOf(at: number): Gesture['group'] {
  let sum = 0
  for (const [group, share] of SHARES) {
    sum += share
    if (at < sum) return group
  }
  return 'file'
}
