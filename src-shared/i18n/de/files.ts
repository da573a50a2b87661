// Words of the view `files`. German; bound to the English original by its type.
import type { files as original } from '../en/files.ts'
import type { Widen } from '../widen.ts'

export const files: Widen<typeof original> = {
  title: 'Files',
}
