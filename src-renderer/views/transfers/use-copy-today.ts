// Copies the links of today's rows in the list, at most the newest 1,000, from a button in the day's heading. The heading briefly shows how
// many links were copied.
import { useState } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import { type Item, linksOfToday } from './groups.ts'
import { copyLinks } from './run-actions.ts'

const COPIED_MS = 2000
const LINKS_MAX = 1000

export interface CopyToday {
  readonly label: string
  /** What was copied, for a short time after copying. */
  readonly copied: string | null
  readonly run: () => void
}

/** Returns what the heading's button needs; null if none of the rows read so far was uploaded today. */
export function useCopyToday(items: readonly Item[]): CopyToday | null {
  const words = useLanguage()
  const { t, f } = words
  const [copied, setCopied] = useState<string | null>(null)
  const ids = linksOfToday(items)
  const head = items.find((item) => item.kind === 'head' && item.group === 'today')
  if (head?.kind !== 'head' || ids.length === 0) return null
  const run = async (): Promise<void> => {
    const count = await copyLinks(words, ids.slice(0, LINKS_MAX))
    if (count === 0) return
    setCopied(t.copiedLinks(count, f.count(count)))
    setTimeout(() => setCopied(null), COPIED_MS)
  }
  const total = head.count ?? 0
  const isPart = head.more || total > LINKS_MAX
  return {
    label: isPart ? t.transfersView.copyNewest(f.count(Math.min(total, LINKS_MAX))) : t.transfersView.copyAllLinks,
    copied,
    run: () => void run(),
  }
}
