// A transfer for tests, with plain values for all fields that the test doesn't set.
// Has no state.
import type { Counts, Transfer } from '../../../../src-shared/model.ts'
import { NO_COUNTS, transferView } from '../../views.ts'

export function transfer(fields: Partial<Transfer> & { readonly id: number }): Transfer {
  return transferView({ path: `/home/ada/Share/${fields.id}.txt`, folderId: 1, source: 'watch', ...fields })
}

export const counts = (fields: Partial<Counts>): Counts => ({ ...NO_COUNTS, ...fields })
