// Has screen readers read out what only a small change to a row shows on screen, such as that its link was copied.
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
