// Announces changes to screen readers: "3 done, 1 needs attention". Changes within five seconds are announced together, so that the screen
// reader isn't talking constantly. Renders nothing visible.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import { followChanges } from './follow-changes.ts'
import { changeSentence } from './sentences.ts'

export function ChangeAnnouncer(): ReactNode {
  const words = useLanguage()
  const latest = useRef(words)
  latest.current = words
  const [text, setText] = useState('')
  useEffect(() => followChanges((changes) => setText(changeSentence(latest.current, changes))), [])
  return (
    <p className="hidden-text" role="status" aria-live="polite">
      {text}
    </p>
  )
}
