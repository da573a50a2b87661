// Keeps the text of a field while it is edited. The text is saved after a pause in some fields, when the
// field loses the focus, or when the field is removed. The caller decides what may be saved.
import { useEffect, useRef, useState } from 'react'

/** How long typing must pause before the text is saved. */
const PAUSE_MS = 600

export interface Draft {
  readonly text: string
  readonly edit: (text: string) => void
  /**
   * Saves the draft at once. Call on blur. If `keep` is true, the draft stays in the field; otherwise the
   * field shows the saved text.
   */
  readonly leave: (keep: boolean) => void
}

/**
 * `save` is called with the changed text on blur and on unmount, and after a pause unless `isAsked` is true,
 * because the shell would then ask about an unfinished text. It may ignore a text that can't be saved.
 */
export function useDraft(saved: string, save: (text: string) => void, { isAsked = false } = {}): Draft {
  const [draft, setDraft] = useState<string | null>(null)
  const pending = useRef<{
    readonly text: string
    readonly timer: ReturnType<typeof setTimeout> | undefined
  } | null>(null)
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
      pending.current = { text, timer: isAsked ? undefined : setTimeout(() => flusher.current(), PAUSE_MS) }
    },
    leave: (keep) => {
      flush()
      if (!keep) setDraft(null)
    },
  }
}
