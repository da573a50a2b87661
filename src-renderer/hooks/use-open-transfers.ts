// Finds transfers that have no link yet: a search for a file must also find it while it waits, is held or has
// failed.
import type { Transfer, TransferState } from '../../src-shared/model.ts'
import { call } from '../state/client.ts'
import { useApp } from '../state/store.ts'
import { useFound } from './use-found.ts'

const OPEN: readonly TransferState[] = ['queued', 'uploading', 'waiting', 'unknown', 'held', 'failed']

/** Returns the transfers without a link whose path contains the text, at most `limit`; see `useFound`. */
export function useOpenTransfers(typed: string, limit: number): readonly Transfer[] | null {
  // Read again when a transfer has changed its state.
  const counts = useApp((state) => Object.values(state.snapshot?.counts ?? {}).join(' '))
  return useFound(
    typed,
    async (search) => {
      const got = await call('transfers', { folderId: null, states: [...OPEN], afterId: 0, limit, search })
      return got.ok ? got.value : []
    },
    counts,
  )
}
