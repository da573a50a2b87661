// Keeps the results of the newest LOOKS_MAX audits of folders that aren't being watched, so that their lists can be read page by page.
import type { AuditEntry, AuditList } from '../../../src-shared/model.ts'

const LOOKS_MAX = 4

export interface AuditPage {
  readonly entries: AuditEntry[]
  /** Offset of the next page, or null if this is the last one. */
  readonly next: string | null
}

export class AuditLooks {
  readonly #looks = new Map<number, readonly AuditEntry[]>()
  #nextLook = 1

  /** Stores the entries and returns the number to pass to `page`. */
  add(entries: readonly AuditEntry[]): number {
    const look = this.#nextLook++
    this.#looks.set(look, entries)
    this.#looks.delete(look - LOOKS_MAX)
    return look
  }

  /**
   * Returns up to `limit` entries of one list (null: of all lists), beginning at the offset `after` (null: at the start). Returns null if
   * the entries are no longer kept.
   */
  page(look: number, q: { readonly list: AuditList | null; readonly after: string | null; readonly limit: number }): AuditPage | null {
    const all = this.#looks.get(look)
    if (all === undefined) return null
    const entries: AuditEntry[] = []
    for (let at = q.after === null ? 0 : Number(q.after); at < all.length; at++) {
      const entry = all[at]
      if (entry === undefined || (q.list !== null && entry.list !== q.list)) continue
      if (entries.length === q.limit) return { entries, next: String(at) }
      entries.push(entry)
    }
    return { entries, next: null }
  }
}
