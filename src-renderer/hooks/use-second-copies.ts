// Duplicate files that Slipway left on the service because another client writes to the same account. They
// are read when the component is mounted, when the watched folders change, and when the deletion of a
// duplicate begins or ends. After other changes to the list of files, they are read at most once a minute,
// because the list changes with every upload.
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { FileId } from '../../src-shared/model.ts'
import type { AppOutput } from '../../src-shared/window-contract.ts'
import { onAccountSwitch } from '../state/account-switch.ts'
import { call } from '../state/client.ts'
import { useApp } from '../state/store.ts'

const EVERY_MS = 60_000

export type SecondCopy = AppOutput<'secondCopies'>[number]

/**
 * File IDs of the duplicates whose banner the user has dismissed. The banner ignores them until the page is
 * reloaded or shows another account, whose files may have the same IDs.
 */
const keptStore = createStore<ReadonlySet<FileId>>(() => new Set())

onAccountSwitch(() => keptStore.setState(new Set(), true))

export function keepSecondCopies(copies: readonly SecondCopy[]): void {
  keptStore.setState(new Set([...keptStore.getState(), ...copies.map((one) => one.fileId)]), true)
}

export function useKeptCopies(): ReadonlySet<FileId> {
  return useStore(keptStore)
}

/** Returns the duplicates, without those that are being deleted. */
export function useSecondCopies(): readonly SecondCopy[] {
  const [copies, setCopies] = useState<readonly SecondCopy[]>([])
  const version = useApp((state) => state.catalogVersion)
  const folders = useApp((state) => state.snapshot?.folders.map((folder) => folder.id).join() ?? '')
  const engineUp = useApp((state) => state.engineUp)
  const deletes = useApp((state) => state.deletes)
  const queued = useApp((state) => state.snapshot?.deleting?.fileIds)
  /** In monotonic ms: a pause measured by the clock would grow with a clock rollback. */
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  const readFor = useRef('')
  /**
   * Duplicates whose deletion began after the last read. They stay hidden until the next read shows whether
   * they are gone.
   */
  const hidden = useRef(new Set<FileId>())
  const deleting = new Set([...deletes.flatMap((one) => one.fileIds), ...(queued ?? [])])
  const pending = copies.filter((one) => deleting.has(one.fileId)).map((one) => one.fileId)
  for (const fileId of pending) hidden.current.add(fileId)
  /** Changes with the folders and whenever the deletion of a duplicate begins or ends. */
  const key = `${folders} ${pending.join()}`
  useEffect(() => {
    if (!engineUp) return undefined
    const pause = readFor.current === key ? Math.max(0, readAt.current + EVERY_MS - performance.now()) : 0
    const timer = setTimeout(async () => {
      readAt.current = performance.now()
      readFor.current = key
      const got = await call('secondCopies', {})
      if (!got.ok) return
      hidden.current = new Set()
      setCopies(got.value)
    }, pause)
    return () => clearTimeout(timer)
  }, [version, folders, key, engineUp])
  return copies.filter((one) => !deleting.has(one.fileId) && !hidden.current.has(one.fileId))
}
