// Calls off a transfer that has not ended: what waits ends at once, what is on its way is broken off, and what arrives all the same is
// deleted by the propagator.
import type { Core } from '../core.ts'

/** False: it has ended already, or is not known. */
export function cancelTransfer(core: Pick<Core, 'db' | 'transfers' | 'bus' | 'isActive' | 'abort'>, id: number): boolean {
  const { db, transfers, bus } = core
  const row = transfers.get(id)
  if (row === null || ['done', 'gone', 'cancelled'].includes(row.state)) return false
  db.tx(() => {
    transfers.setCancel(id)
    if (row.state !== 'uploading' && row.state !== 'unknown' && !core.isActive(id)) transfers.setState(id, 'cancelled')
  })
  core.abort(id)
  bus.changed(id)
  return true
}
