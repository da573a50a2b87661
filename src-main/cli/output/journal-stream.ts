// Whether standard error goes to systemd's journal. It then reads a priority at the start of each line (sd-daemon(3)), so that
// `journalctl -p warning` finds what needs attention.
import { fstatSync } from 'node:fs'

/** syslog's "warning". */
export const WARNING_PREFIX = '<4>'

/** `stat`: of standard error. The variable names the journal's stream, but children inherit it even if theirs goes elsewhere. */
export function isJournalStream(
  env: Readonly<Record<string, string | undefined>>,
  stat: () => { readonly dev: number; readonly ino: number } = () => fstatSync(2),
): boolean {
  const named = env['JOURNAL_STREAM'] ?? ''
  if (named === '') return false
  try {
    const { dev, ino } = stat()
    return named === `${dev}:${ino}`
  } catch {
    return false
  }
}
