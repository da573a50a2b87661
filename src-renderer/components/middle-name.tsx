// A file name that is shortened in the middle, so that its beginning and its extension stay visible. The browser does the layout: the end
// is an element that never shrinks. Control characters and direction marks are shown as escapes, so that they can't reorder the name.
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import './middle-name.css'

/** Matches names whose first letter is Hebrew, Arabic or of a related script. The first letter determines the direction of the name. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** Number of characters kept at the end: an extension and a few letters before it. */
const TAIL = 9

export function MiddleName({ name, className = '' }: { readonly name: string; readonly className?: string }): ReactNode {
  const chars = [...printable(name)]
  const cut = chars.length > TAIL + 8 ? chars.length - TAIL : chars.length
  return (
    <span className={`middle-name ${className}`} title={chars.join('')} dir={RIGHT_TO_LEFT.test(name) ? 'rtl' : 'ltr'}>
      <bdi className="middle-name-head">{chars.slice(0, cut).join('')}</bdi>
      {cut < chars.length ? <bdi className="middle-name-tail">{chars.slice(cut).join('')}</bdi> : null}
    </span>
  )
}
