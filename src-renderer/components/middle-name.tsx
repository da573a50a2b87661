// A file name that is shortened in the middle, so that its beginning and its end stay visible. The browser does the layout: the end is an
// element that never shrinks. Control characters and direction marks are shown as escapes, so that they can't reorder the name.
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import { splitName } from '../lib/split-name.ts'
import './middle-name.css'

export function MiddleName({ name, className = '' }: { readonly name: string; readonly className?: string }): ReactNode {
  const shown = printable(name)
  const { head, tail, dir } = splitName(shown)
  return (
    <span className={`middle-name ${className}`} title={shown} dir={dir}>
      <bdi className="middle-name-head">{head}</bdi>
      {tail === '' ? null : <bdi className="middle-name-tail">{tail}</bdi>}
    </span>
  )
}
