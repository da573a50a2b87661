// Announces to screen readers that a single link was copied. Its row shows it on screen, and several links have a notice of their own.
import type { ReactNode } from 'react'
import { useLanguage } from '../hooks/use-language.tsx'
import { useApp } from '../state/store.ts'

export function CopiedAnnouncer(): ReactNode {
  const { t, f } = useLanguage()
  const copied = useApp((state) => (state.copied?.asked === true && state.copied.count === 1 ? state.copied : null))
  return (
    <p className="hidden-text" role="status">
      {/* A new element for each file, so that copying another one within two seconds is announced, too. */}
      {copied === null ? null : <span key={[...copied.fileIds][0]}>{t.copiedLinks(1, f.count(1))}</span>}
    </p>
  )
}
