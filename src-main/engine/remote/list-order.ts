// Infers the order of the service's list from one of its pages, because the API document doesn't state the order. Pure.
import type { RemoteFile } from '../../api/types.ts'
import { isOrdered } from '../journal/file-ids.ts'

export type ListOrder = 'ascending' | 'descending' | 'mixed'

/** Returns the order of a page by ID, or by date if the IDs show none. Fewer than three files don't show an order. */
export function orderOf(files: readonly RemoteFile[]): ListOrder {
  const ids = files.map((f) => f.fileId).filter((id) => id !== null)
  const byId = ids.every(isOrdered) ? monotone(ids) : 'mixed'
  if (byId !== 'mixed') return byId
  const dates = files.map((f) => f.uploadDate).filter((d) => d !== null)
  return dates.length === files.length ? monotone(dates) : 'mixed'
}

function monotone(values: readonly (number | string)[]): ListOrder {
  if (values.length < 3) return 'mixed'
  let up = true
  let down = true
  let moved = false
  for (let i = 1; i < values.length; i++) {
    const a = values[i - 1]
    const b = values[i]
    if (a === undefined || b === undefined) continue
    if (a < b) down = false
    if (a > b) up = false
    if (a !== b) moved = true
  }
  if (!moved) return 'mixed'
  return up ? 'ascending' : down ? 'descending' : 'mixed'
}
