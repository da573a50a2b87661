// Words of the view `welcome`. German; bound to the English original by its type.
import type { welcome as original } from '../en/welcome.ts'
import type { Widen } from '../widen.ts'

export const welcome: Widen<typeof original> = {
  title: 'Welcome',
}
