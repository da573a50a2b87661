// Announces changes to screen readers: "3 done, 1 needs attention". Changes within five seconds are announced together, so that the screen
// reader isn't talking constantly. Renders nothing visible.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Counts } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { appStore } from '../../state/store.ts'
import { changesOf } from './count-changes.ts'
import { changeSentence } from './sentences.ts'

const EVERY_MS = 5000

export function ChangeAnnouncer(): ReactNode {
  const words = useLanguage()
  const latest = useRef(words)
  latest.current = words
  const [text, setText] = useState('')
  useEffect(() => {
    let before: Counts | null = appStore.getState().snapshot?.counts ?? null
    const timer = setInterval(() => {
      const after = appStore.getState().snapshot?.counts ?? null
      const changes = before === null || after === null ? null : changesOf(before, after)
      before = after
      if (changes !== null) setText(changeSentence(latest.current, changes))
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="hidden-text" role="status" aria-live="polite">
      {text}
    </p>
  )
}
