// Copies the links of today's rows in the list, at most the newest 1,000, from a button in the day's heading.
// The heading briefly shows how many links were copied.
import { useRef, useState } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import { notify } from '../../state/notices.ts'
import { type Item, linksOfToday } from './groups.ts'
import { copyLinks } from './run-actions.ts'

const COPIED_MS = 2000
const LINKS_MAX = 1000

export interface CopyToday {
  readonly label: string
  /** A text that says how many links were copied. Null except for a short time after copying. */
  readonly copied: string | null
  readonly run: () => void
}

/**
 * Returns what the heading's button needs; null if none of the rows read so far was uploaded today and still
 * has its file on the service.
 */
export function useCopyToday(items: readonly Item[]): CopyToday | null {
  const words = useLanguage()
  const { t, f } = words
  const [copied, setCopied] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ids = linksOfToday(items)
  const head = items.find((item) => item.kind === 'head' && item.group === 'today')
  if (head?.kind !== 'head' || ids.length === 0) return null
  const run = async (): Promise<void> => {
    const done = await copyLinks(words, ids.slice(0, LINKS_MAX), null)
    if (done === null) return
    const { count, missing } = done
    if (missing > 0) notify({ level: 'info', title: t.missingLinks(missing, f.count(missing)), hint: null })
    if (count === 0) return
    setCopied(t.copiedLinks(count, f.count(count)))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(null), COPIED_MS)
  }
  const newest = Math.min(ids.length, LINKS_MAX)
  const isPart =
    head.more || ids.length > LINKS_MAX || items.some((item) => item.kind === 'gap' && item.group === 'today')
  return {
    label: isPart ? t.transfersView.copyNewest(newest, f.count(newest)) : t.transfersView.copyAllLinks,
    copied,
    run: () => void run(),
  }
}
