// Words of the view `transfers`. German; bound to the English original by its type.
import type { transfers as original } from '../en/transfers.ts'
import type { Widen } from '../widen.ts'

export const transfers: Widen<typeof original> = {
  title: 'Transfers',
}
