// A name that is cut in its middle when there is no room, so that its end and its extension stay. The browser does the measuring: the end
// stands in a part of its own that never shrinks. Control characters and direction marks are shown, not obeyed.
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import './middle-name.css'

/** Right-to-left letters: Hebrew, Arabic and their neighbours. The first letter of a name says which way the whole of it reads. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** Kept whole at the end: an extension and a few letters before it. */
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
