// One engine a data folder. The lock is an exclusive transaction on a small SQLite file: the operating system drops it with the process,
// however that ends, so a kill leaves nothing stale and no process number is trusted.
import { DatabaseSync } from 'node:sqlite'

export type OwnerResult = { readonly ok: true; readonly release: () => void } | { readonly ok: false }

export function acquireOwner(file: string): OwnerResult {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    db?.close()
    const code = typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    // 5 BUSY, 6 LOCKED: somebody else is the owner. Anything else is the disk's trouble and must be heard.
    if (code === 5 || code === 6) return { ok: false }
    throw error
  }
  const held = db
  return {
    ok: true,
    release: () => {
      if (held.isOpen) held.close()
    },
  }
}
