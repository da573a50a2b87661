// Deletes the files that Slipway wrote for pastes, 14 days after their uploads have ended. A pasted file may
// be the only copy of its content, so it is deleted only if the journal lists uploads of it and all of them
// have ended. A file that the journal doesn't know is kept, because its rows may be in a journal that was
// lost or set aside. Piped content is deleted elsewhere (platform/data/spool.ts).
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transfer } from '../../../src-shared/model.ts'
import { OVER } from '../../platform/data/spool.ts'
import { forPeople } from '../../platform/disk/path-codec.ts'
import { realPath } from '../../platform/disk/real-path.ts'
import type { EngineLink } from '../engine/protocol.ts'

/**
 * How long a file is kept after its uploads have ended, so that its thumbnail can be made and the original
 * can be opened.
 */
const KEEP_MS = 14 * 86_400_000
/** Number of rows per call (engine-contract.ts, `transfers`: at most 500). */
const PAGE = 500

/** `dir` is the folder for the account's pasted content. `now` is in epoch milliseconds. */
export async function tidyPasted({
  dir,
  link,
  now,
}: {
  readonly dir: string
  readonly link: Pick<EngineLink, 'call'>
  readonly now: number
}) {
  // The journal stores real paths.
  const found = await realPath(dir).catch(() => null)
  if (found === null) return
  const real = String(found)
  for (const entry of await readdir(real, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const path = join(real, entry.name)
    const there = await stat(path).catch(() => null)
    if (there === null || now - there.mtimeMs <= KEEP_MS) continue
    const rows = await rowsOf(link, path, entry.name)
    if (rows === null) return
    // The modification time alone isn't enough: the clock may have been wrong when it was set, and an upload
    // may have ended much later.
    const isOld = (row: Transfer): boolean =>
      OVER.has(row.state) && now - (row.doneAt ?? row.createdAt) > KEEP_MS
    if (rows.length > 0 && rows.every(isOld)) await rm(path, { force: true }).catch(() => undefined)
  }
}

/** All transfers of the file; null if the engine doesn't answer. */
async function rowsOf(
  link: Pick<EngineLink, 'call'>,
  path: string,
  name: string,
): Promise<readonly Transfer[] | null> {
  const found: Transfer[] = []
  for (let afterId = 0; ; ) {
    const page = await link.call('transfers', {
      folderId: null,
      states: [],
      afterId,
      limit: PAGE,
      search: name,
    })
    if (!page.ok) return null
    found.push(...page.value.filter((row) => forPeople(row.path) === path))
    const last = page.value.at(-1)
    if (last === undefined || page.value.length < PAGE) return found
    afterId = last.id
  }
}
