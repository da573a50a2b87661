// A text that is being typed: shown as typed, saved after a pause, when the field loses the focus, or when it is removed. Otherwise the field shows
// what is saved. What may be saved is for the caller to decide.
import { useEffect, useRef, useState } from 'react'

/** Long enough not to save half a word, short enough to feel immediate. */
const PAUSE_MS = 600

export interface Draft {
  readonly text: string
  readonly edit: (text: string) => void
  /** The field lost the focus. `keep`: what was typed can't be saved and stays to be corrected. */
  readonly leave: (keep: boolean) => void
}

/** `save` gets the text after a pause, on blur and on unmount; it may ignore one that can't be saved. */
export function useDraft(saved: string, save: (text: string) => void): Draft {
  const [draft, setDraft] = useState<string | null>(null)
  const pending = useRef<{ readonly text: string; readonly timer: ReturnType<typeof setTimeout> } | null>(null)
  const saver = useRef(save)
  useEffect(() => {
    saver.current = save
  })
  const flush = (): void => {
    const due = pending.current
    if (due === null) return
    clearTimeout(due.timer)
    pending.current = null
    saver.current(due.text)
  }
  const flusher = useRef(flush)
  useEffect(() => {
    flusher.current = flush
  })
  useEffect(() => () => flusher.current(), [])
  return {
    text: draft ?? saved,
    edit: (text) => {
      setDraft(text)
      if (pending.current !== null) clearTimeout(pending.current.timer)
      pending.current = { text, timer: setTimeout(() => flusher.current(), PAUSE_MS) }
    },
    leave: (keep) => {
      flush()
      if (!keep) setDraft(null)
    },
  }
}
