// Detects whether standard error goes to systemd's journal. The journal reads a priority at the start of each
// line (sd-daemon(3)), so that `journalctl -p warning` finds what needs attention.
import { fstatSync } from 'node:fs'

/** The syslog priority "warning". */
export const WARNING_PREFIX = '<4>'

/**
 * Whether standard error goes to the journal. `stat` returns the status of standard error. JOURNAL_STREAM
 * alone doesn't prove it, because children inherit the variable even if their own standard error goes
 * elsewhere.
 */
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
