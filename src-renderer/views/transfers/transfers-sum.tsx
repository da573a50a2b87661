// The sum of all watched folders for the status bar: seen = uploaded + waiting + held + failed + ignored. Asked for at most every two seconds
// and only while it is shown; without watched folders it says nothing.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { AuditSums } from '../../../src-shared/model.ts'
import { readFolderSums } from '../../app/folder-sums.ts'
import { useLanguage } from '../../app/language.tsx'
import { appStore, useApp } from '../../app/store.ts'
import { addUp, partsOf } from './sums.ts'

const EVERY_MS = 2000
export function TransfersSum(): ReactNode {
  const { t, f } = useLanguage()
  const own = t.transfersView.sum
  const ids = useApp((state) => state.snapshot?.folders.map((one) => one.id).join(' ') ?? '')
  const [sums, setSums] = useState<AuditSums | null>(null)
  const readAt = useRef(0)
  useEffect(() => {
    let closed = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async (): Promise<void> => {
      readAt.current = Date.now()
      const got = await readFolderSums(ids.split(' ').map(Number))
      if (!closed && got !== null) setSums(addUp([...got.values()]))
    }
    const soon = (): void => {
      timer ??= setTimeout(
        () => {
          timer = undefined
          void read()
        },
        Math.max(0, readAt.current + EVERY_MS - Date.now()),
      )
    }
    if (ids !== '') soon()
    const stop = appStore.subscribe((state, before) => {
      if (ids === '') return
      if (state.transfersVersion !== before.transfersVersion || state.snapshot?.counts !== before.snapshot?.counts) soon()
    })
    return () => {
      closed = true
      clearTimeout(timer)
      stop()
    }
  }, [ids])
  if (sums === null || ids === '') return null
  const parts = partsOf(sums).map((one) => own[one.part](f.count(one.count)))
  const words = `${own.seen(f.count(sums.seen))} = ${parts.join(' + ')}`
  return (
    <span className="figures cut" title={words}>
      {words}
    </span>
  )
}
