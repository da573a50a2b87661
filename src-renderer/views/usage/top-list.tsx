// The most downloaded files of recent days. A click on a file copies its link.
// The row itself confirms the copy.
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { printable } from '../../../src-shared/format.ts'
import type { History } from '../../../src-shared/model.ts'
import { MiddleName } from '../../components/middle-name.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { copyLinks } from '../../state/copy-links.ts'
import { useApp } from '../../state/store.ts'
import { PlotCard, PlotGap } from './plot-card.tsx'

/** Without a download, there is no such card, and the plot beside it gets its space. */
export function TopList({ history }: { readonly history: History | null }): ReactNode {
  const { t } = useLanguage()
  const words = t.usageView
  if (history?.top.length === 0) return null
  return (
    <PlotCard className="usage-top" title={words.top} note={words.topSpan}>
      {history === null ? (
        <PlotGap text={null} />
      ) : (
        <ol className="usage-top-list">
          {history.top.map((row) => (
            <TopRow key={row.fileId} row={row} />
          ))}
        </ol>
      )}
    </PlotCard>
  )
}

function TopRow({ row }: { readonly row: History['top'][number] }): ReactNode {
  const language = useLanguage()
  const { t, f } = language
  const words = t.usageView
  const copied = useApp((state) => state.copied?.fileIds.has(row.fileId) ?? false)
  const name = row.filename ?? words.unnamed(String(row.fileId))
  return (
    <li>
      <Button
        className="usage-top-row"
        data-file={row.fileId}
        onPress={() => void copyLinks(language, { fileIds: [row.fileId] })}
      >
        <span className="hidden-text">
          {`${printable(name)}, ${words.topGained(row.gained, f.count(row.gained))}. ${t.copyLink}`}
        </span>
        <span className="usage-top-shown" aria-hidden="true">
          <MiddleName name={name} className="usage-top-name" />
          <Sparkline points={row.pulse} />
          {copied ? (
            <span className="usage-top-copied good">
              <Check className="icon" />
              {t.copied}
            </span>
          ) : (
            <span className="usage-top-count second figures">{f.count(row.gained)}</span>
          )}
        </span>
      </Button>
    </li>
  )
}
