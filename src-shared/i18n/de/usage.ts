// Words of the view `usage`. German; bound to the English original by its type.
import type { usage as original } from '../en/usage.ts'
import type { Widen } from '../widen.ts'

export const usage: Widen<typeof original> = {
  title: 'Usage',
}
