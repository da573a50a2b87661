// Finds files on the service by their name, folder or link, while the text is being typed.
import type { RemoteRow } from '../../src-shared/model.ts'
import { call } from '../state/client.ts'
import { useFound } from './use-found.ts'

/** Returns the newest files that match the text, at most `limit`; see `useFound`. */
export function useFoundFiles(typed: string, limit: number): readonly RemoteRow[] | null {
  return useFound(typed, async (search) => {
    const query = { search, sort: 'date', descending: true, offset: 0, limit, fresh: 'cache' } as const
    const got = await call('catalog', query)
    return got.ok ? got.value.rows : []
  })
}
