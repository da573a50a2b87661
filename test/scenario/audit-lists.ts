// The audit of a watched folder, as the scenarios compare it.
import { expect } from 'vitest'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import type { World } from '../world/world.ts'

/** The list that each file is in after a scan, by its name in the folder; for an ignored one also why. */
export async function lists(w: World, path: string): Promise<Readonly<Record<string, string>>> {
  const { sums, folder, look } = await valueOf(w.handlers.audit({ path, rescan: true }))
  expect(sums.seen).toBe(sums.uploaded + sums.waiting + sums.held + sums.failed + sums.ignored)
  const shown = look === undefined ? {} : { look }
  const page = await valueOf(
    w.handlers.auditPage({ folderId: folder.id, list: null, after: null, limit: 500, ...shown }),
  )
  return Object.fromEntries(
    page.entries.map((entry) => [
      slashes(entry.path.slice(folder.path.length + 1)),
      entry.list === 'ignored' ? `ignored: ${entry.reason}` : entry.list,
    ]),
  )
}
