// A file name that is shortened in the middle, so that its beginning and its end stay visible. The browser
// does the layout: the end is an element that never shrinks. Control characters and direction marks are shown
// as escapes, so that they can't reorder the name.
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import './middle-name.css'

export function MiddleName({
  name,
  className = '',
}: {
  readonly name: string
  readonly className?: string
}): ReactNode {
  const shown = printable(name)
  const { head, tail, dir } = splitName(shown)
  return (
    <span className={`middle-name ${className}`} title={shown} dir={dir}>
      <bdi className="middle-name-head" aria-hidden={tail !== ''}>
        {head}
      </bdi>
      {tail === '' ? null : (
        <>
          <bdi className="middle-name-tail" aria-hidden="true" dir={dir === 'rtl' ? dir : 'auto'}>
            {tail}
          </bdi>
          {/* Screen readers would read a space between the two parts. */}
          <span className="hidden-text">{shown}</span>
        </>
      )}
    </span>
  )
}

// Splits a file name into the beginning, which may be shortened, and the end, which never is. Both are laid
// out separately, so the split must not separate characters that are drawn together. Pure.

/**
 * Matches names whose first letter is Hebrew, Arabic or of a related script. The first letter determines the
 * direction of the name.
 */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u
const ASCII = /^[\x20-\x7e]*$/
const LETTER = /\p{L}/u

/** Maximum number of characters kept at the end: an extension and a few letters before it. */
const TAIL = 9
/** Names of up to this many characters aren't split. */
const UNSPLIT_MAX = TAIL + 8

const segmenter = new Intl.Segmenter()

interface SplitName {
  readonly head: string
  /** Empty if the name is short, or if there is no place to split it. */
  readonly tail: string
  readonly dir: 'ltr' | 'rtl'
}

/** `name` is the name as displayed, without control characters. */
export function splitName(name: string): SplitName {
  const dir = RIGHT_TO_LEFT.test(name) ? 'rtl' : 'ltr'
  // Split the name into characters as drawn: a letter with its marks, or an emoji of several code points,
  // counts as one.
  const chars = ASCII.test(name) ? [...name] : Array.from(segmenter.segment(name), ({ segment }) => segment)
  let cut = chars.length > UNSPLIT_MAX ? chars.length - TAIL : chars.length
  const isInside = (): boolean => {
    const before = chars[cut - 1]
    const after = chars[cut]
    if (before === undefined || after === undefined) return false
    // A space at the start of a tail with another direction would be drawn on the wrong side. A split inside a
    // word or number of a right-to-left name would swap its parts, or separate joined letters, as in Arabic.
    return (
      after === ' ' ||
      (dir === 'rtl' && before !== ' ' && (!RIGHT_TO_LEFT.test(before) || LETTER.test(after)))
    )
  }
  while (isInside()) cut++
  return { head: chars.slice(0, cut).join(''), tail: chars.slice(cut).join(''), dir }
}
