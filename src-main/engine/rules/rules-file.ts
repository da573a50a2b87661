// Reads a directory's rules file (.slipwayignore), which may be a symbolic link, for example to a file in a dotfiles repository. An
// unreadable file is reported differently from a missing one, because nothing may be sent from a directory whose rules are unknown.
import { stoodStill } from '../disk/content.ts'
import { absolute } from '../disk/rel-path.ts'
import type { Disk, DiskFailure, Entry, EntryKind } from '../ports.ts'
import { RULES_FILE } from './ignore-rules.ts'

/** FAT, the coarsest common file system, records modification times with a resolution of two seconds. */
const COARSEST_MS = 2000

/**
 * Whether a rules file still has the text that was read when its entry was `before`, so that it needn't be read again. `readAt`: epoch
 * milliseconds, no later than the time at which the text was read. A link is always read again, because its own times don't change when its
 * target does. A file that had just been written is read again as well, because a second change may not have changed its times.
 */
export function hasSameRules(before: Entry, readAt: number, now: Entry): boolean {
  if (now.kind !== 'file' || stoodStill(before, now) !== 'yes') return false
  return Math.max(now.mtime, now.ctime) < readAt - COARSEST_MS
}

/** Whether an entry of this kind can be a rules file. A directory named `.slipwayignore` isn't one. */
function canHoldRules(kind: EntryKind): boolean {
  return kind !== 'dir' && kind !== 'other'
}

/**
 * Resolves to the text of this directory's rules file, to null if the file exists but can't be read or decoded, and to undefined if there is
 * none. `found`: the directory's entry of that name; null or undefined if there is none. A link whose target is missing counts as no rules
 * file.
 */
export async function rulesText(
  disk: Pick<Disk, 'text' | 'resolve'>,
  dir: string,
  found: Entry | DiskFailure | null | undefined,
): Promise<string | null | undefined> {
  if (found === null || found === undefined) return undefined
  if ('code' in found) return null
  if (!canHoldRules(found.kind)) return undefined
  const path = absolute(dir, '', RULES_FILE)
  const given = await disk.text(path)
  // Zero bytes show that the text is in an encoding that isn't known.
  const text = given?.includes('\0') === true ? null : given
  if (text !== null || found.kind !== 'link') return text
  const target = await disk.resolve(path)
  if ('code' in target) return target.code === 'gone' || target.code === 'not-a-directory' ? undefined : null
  return canHoldRules(target.entry.kind) ? null : undefined
}
