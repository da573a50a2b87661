// The sums (numbers of files by state) of each watched folder, read in one place, so that sidebar, status bar
// and settings show the same numbers. They are read immediately at first and when the set of folders changes,
// otherwise at most every two seconds, however fast transfers change. Old sums stay until new ones arrive.
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { AuditSums, Folder } from '../../src-shared/model.ts'
import { call } from '../state/client.ts'
import { useApp } from '../state/store.ts'

const EVERY_MS = 2000
const NO_FOLDERS: readonly Folder[] = []

const FolderSums = createContext<ReadonlyMap<number, AuditSums>>(new Map())

/**
 * Returns the sums of all watched folders by folder ID; a folder has no entry until its sums have been read.
 */
export function useFolderSums(): ReadonlyMap<number, AuditSums> {
  return useContext(FolderSums)
}

/** Reads the sums and provides them to all components inside. */
export function FolderSumsProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return <FolderSums value={useReadSums()}>{children}</FolderSums>
}

function useReadSums(): ReadonlyMap<number, AuditSums> {
  const [sums, setSums] = useState<ReadonlyMap<number, AuditSums>>(new Map())
  const folders = useApp((state) => state.snapshot?.folders ?? NO_FOLDERS)
  const counts = useApp((state) => state.snapshot?.counts)
  const version = useApp((state) => state.transfersVersion)
  const engineUp = useApp((state) => state.engineUp)
  /** In monotonic ms: a pause measured by the clock would grow with a clock rollback. */
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  const readIds = useRef('')
  const latest = useRef(folders)
  latest.current = folders
  const ids = folders.map((folder) => folder.id).join()
  /** Changes with the set of folders, with the state of any folder, and after each scan. */
  const key = folders.map((folder) => `${folder.id} ${folder.state} ${folder.lastScanAt}`).join()
  useEffect(() => {
    if (!engineUp || ids === '') return undefined
    // Measure the pause from the last call: every change to a transfer runs this effect again, so a pause
    // measured from now might never end during uploads. A new set of folders is read at once.
    const pause = readIds.current === ids ? Math.max(0, readAt.current + EVERY_MS - performance.now()) : 0
    const timer = setTimeout(async () => {
      readAt.current = performance.now()
      readIds.current = ids
      const got = await readFolderSums(latest.current.map((folder) => folder.id))
      if (got !== null) setSums(got)
    }, pause)
    return () => clearTimeout(timer)
  }, [ids, key, version, counts, engineUp])
  return sums
}

/** Maximum number of folders per call (engine-contract.ts, `folderSums`). */
const FOLDERS_PER_CALL = 100

/** Returns the sums by folder ID, or null if one of the calls fails. */
async function readFolderSums(folderIds: readonly number[]): Promise<ReadonlyMap<number, AuditSums> | null> {
  const sums = new Map<number, AuditSums>()
  for (let at = 0; at < folderIds.length; at += FOLDERS_PER_CALL) {
    const got = await call('folderSums', { folderIds: folderIds.slice(at, at + FOLDERS_PER_CALL) })
    if (!got.ok) return null
    for (const one of got.value) sums.set(one.folderId, one.sums)
  }
  return sums
}
