// Keeps the text of a field while it is edited. It is saved when the user presses Enter or leaves the field, the
// view or the window, or quits Slipway, never half typed; Escape discards it. The caller decides what may be saved.
import { useEffect, useRef, useState } from 'react'
import { onSaveTyped } from '../../state/page-release.ts'
import { markSaved } from './section-store.ts'

export interface Draft {
  readonly text: string
  readonly edit: (text: string) => void
  /**
   * Saves the draft. Call on blur and on Enter. If `keep` is true, the draft stays in the field; otherwise the
   * field shows the saved text.
   */
  readonly leave: (keep: boolean) => void
  /** Discards the draft. Call on Escape. */
  readonly cancel: () => void
}

/** `save` is called with the changed text. It may ignore a text that can't be saved. */
export function useDraft(saved: string, save: (text: string) => void): Draft {
  const [draft, setDraft] = useState<string | null>(null)
  /** What has been typed since the last call of `save`; null if nothing. */
  const pending = useRef<string | null>(null)
  const flush = (): void => {
    const due = pending.current
    pending.current = null
    if (due !== null) save(due)
  }
  const flusher = useRef(flush)
  useEffect(() => {
    flusher.current = flush
  })
  // If a shortcut opens another view, the field is removed without losing the focus first.
  useEffect(() => () => flusher.current(), [])
  useEffect(() => onSaveTyped(() => flusher.current()), [])
  return {
    text: draft ?? saved,
    edit: (text) => {
      // What was saved last is no longer what the field shows.
      markSaved(null)
      setDraft(text)
      pending.current = text
    },
    leave: (keep) => {
      flush()
      if (!keep) setDraft(null)
    },
    cancel: () => {
      pending.current = null
      setDraft(null)
    },
  }
}
