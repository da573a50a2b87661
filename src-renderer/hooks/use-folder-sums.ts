// The sums of watched folders, kept up to date while they are shown: read immediately, then at most every two seconds, however fast the
// transfers change. Old sums stay until new ones are there.
import { useEffect, useRef, useState } from 'react'
import type { AuditSums, Folder } from '../../src-shared/model.ts'
import { readFolderSums } from '../state/folder-sums.ts'
import { useApp } from '../state/store.ts'

const EVERY_MS = 2000
const NO_FOLDERS: readonly Folder[] = []

/** By folder ID, of all watched folders. A folder is missing until its first sums are there. */
export function useFolderSums(): ReadonlyMap<number, AuditSums> {
  const [sums, setSums] = useState<ReadonlyMap<number, AuditSums>>(new Map())
  const folders = useApp((state) => state.snapshot?.folders ?? NO_FOLDERS)
  const counts = useApp((state) => state.snapshot?.counts)
  const version = useApp((state) => state.transfersVersion)
  const engineUp = useApp((state) => state.engineUp)
  const readAt = useRef(0)
  const readIds = useRef('')
  const latest = useRef(folders)
  latest.current = folders
  const ids = folders.map((folder) => folder.id).join()
  /** Changes when a folder was scanned or went away, too. */
  const key = folders.map((folder) => `${folder.id} ${folder.state} ${folder.lastScanAt}`).join()
  useEffect(() => {
    if (!engineUp || ids === '') return undefined
    // Counted from the last call: during uploads changes come faster than that. New folders don't wait.
    const pause = readIds.current === ids ? Math.max(0, readAt.current + EVERY_MS - Date.now()) : 0
    const timer = setTimeout(async () => {
      readAt.current = Date.now()
      readIds.current = ids
      const got = await readFolderSums(latest.current.map((folder) => folder.id))
      if (got !== null) setSums(got)
    }, pause)
    return () => clearTimeout(timer)
  }, [ids, key, version, counts, engineUp])
  return sums
}
