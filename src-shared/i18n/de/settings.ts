// Words of the view `settings`. German; bound to the English original by its type.
import type { settings as original } from '../en/settings.ts'
import type { Widen } from '../widen.ts'

export const settings: Widen<typeof original> = {
  title: 'Settings',
}
