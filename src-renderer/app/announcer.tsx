// Announces to screen readers what is visible only as a small change to a row, for example that its link was copied.
import type { ReactNode } from 'react'
import { useApp } from '../state/store.ts'

export function Announcer(): ReactNode {
  const announcement = useApp((state) => state.announcement)
  return (
    <p className="hidden-text" role="status">
      {/* A new element each time, so that the same text is announced again. */}
      {announcement === null ? null : <span key={announcement.id}>{announcement.text}</span>}
    </p>
  )
}
