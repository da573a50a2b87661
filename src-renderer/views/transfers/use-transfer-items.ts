// Builds the flat list of the transfers view from the running uploads and four lists: waiting, paused,
// needing attention, and ended. It also reports which pages of these lists are visible, so that they are read.
import { useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { Transfer } from '../../../src-shared/model.ts'
import { useApp } from '../../state/store.ts'
import { transfersStore } from '../../state/transfers-store.ts'
import {
  buildList,
  ENDED_STATES,
  type GroupInput,
  type Item,
  isFoundBy,
  NEEDS_STATES,
  PAUSED_STATES,
  rowKeys,
  WAITING_STATES,
} from './groups.ts'
import { emptyFor } from './paged-list.ts'
import { usePagedList } from './use-paged-list.ts'

export interface TransferItems {
  readonly items: readonly Item[]
  /** Whether each of the lists has been read at least once. */
  readonly isLoaded: boolean
  /**
   * The search for which there are no transfers; '' if there are none at all. Null if there are some, or if
   * that isn't known yet.
   */
  readonly emptyFor: string | null
  readonly isWaitingOpen: boolean
  readonly setWaitingOpen: (isOpen: boolean) => void
  readonly toggleFold: (key: string) => void
  /**
   * Expands all groups and folds, so that selecting all rows includes folded ones and the user sees what is
   * selected. Returns the keys of all rows in the expanded list.
   */
  readonly openAll: () => readonly string[]
  /** Expands the group of a `rest` item or, for transfers that need attention, reads the next page. */
  readonly openRest: (item: Extract<Item, { kind: 'rest' }>) => void
  /** Reports the visible items and some after them, so that their pages are read. */
  readonly look: (seen: readonly Item[]) => void
}

/**
 * Returns the running uploads. Progress changes them many times a second; the list stays the same until one
 * begins or ends.
 */
function useRunning(): readonly Transfer[] {
  const kept = useRef<readonly Transfer[]>([])
  return useApp(({ live }) => {
    if (live.size !== kept.current.length || kept.current.some((one) => !live.has(one.id)))
      kept.current = [...live.values()]
    return kept.current
  })
}

/**
 * Returns the items that match `search` (as sent to the engine; '' matches all), and keeps them up to date.
 * `now` is in epoch ms.
 */
export function useTransferItems(search: string, now: number): TransferItems {
  const running = useRunning()
  const counts = useApp((state) => state.snapshot?.counts ?? null)
  const gate = useApp((state) => state.snapshot?.gate ?? null)
  const waiting = usePagedList(WAITING_STATES, search, false, false)
  const paused = usePagedList(PAUSED_STATES, search, false, true)
  const needs = usePagedList(NEEDS_STATES, search, false)
  const ended = usePagedList(ENDED_STATES, search, true)
  const { isWaitingOpen, foldsOpen } = useStore(transfersStore)
  const setWaitingOpen = (isOpen: boolean): void => transfersStore.setState({ isWaitingOpen: isOpen })

  const uploading = useMemo(() => running.filter((one) => isFoundBy(search, one)), [running, search])
  const input = useMemo<GroupInput>(
    () => ({
      live: uploading,
      waiting: waiting.paged,
      paused: paused.paged,
      needs: needs.paged,
      ended: ended.paged,
      counts: search === '' ? counts : null,
      gate,
      waitingOpen: isWaitingOpen,
      foldsOpen,
      now,
    }),
    [
      uploading,
      waiting.paged,
      paused.paged,
      needs.paged,
      ended.paged,
      counts,
      gate,
      search,
      isWaitingOpen,
      foldsOpen,
      now,
    ],
  )
  const items = useMemo(() => buildList(input), [input])
  const empty = useRef<string | null>(null)
  // A list that is read again may no longer have a transfer whose change is reported to the window only later.
  const underWay =
    counts === null || search !== '' ? 0 : counts.queued + counts.uploading + counts.waiting + counts.paused
  empty.current = emptyFor(empty.current, items.length + underWay, [waiting, paused, needs, ended])

  const toggleFold = (key: string): void =>
    transfersStore.setState((had) => {
      const open = new Set(had.foldsOpen)
      if (!open.delete(key)) open.add(key)
      return { foldsOpen: open }
    })
  const look = (seen: readonly Item[]): void => {
    const none = (): Set<number> => new Set()
    const pages = { waiting: none(), paused: none(), needs: none(), ended: none() }
    const atEnd = { waiting: false, paused: false, ended: false }
    for (const item of seen) {
      const list = item.group === 'today' || item.group === 'history' ? 'ended' : item.group
      if (list === 'uploading') continue
      if (item.kind === 'tail' && list !== 'needs') atEnd[list] = true
      if ((item.kind === 'row' || item.kind === 'gap' || item.kind === 'fold') && item.page !== null)
        pages[list].add(item.page)
    }
    waiting.look([...pages.waiting], atEnd.waiting)
    paused.look([...pages.paused], atEnd.paused)
    needs.look([...pages.needs], false)
    ended.look([...pages.ended], atEnd.ended)
  }
  return {
    items,
    isLoaded: [waiting, paused, needs, ended].every((list) => list.paged.pages.length > 0),
    emptyFor: empty.current,
    isWaitingOpen,
    setWaitingOpen,
    toggleFold,
    openAll: () => {
      const allFolds = new Set(items.flatMap((item) => (item.kind === 'fold' ? [item.key] : [])))
      transfersStore.setState({ isWaitingOpen: true, foldsOpen: allFolds })
      return rowKeys(buildList({ ...input, waitingOpen: true, foldsOpen: allFolds }))
    },
    openRest: (item) => {
      if (item.all) setWaitingOpen(true)
      else needs.readMore()
    },
    look,
  }
}
