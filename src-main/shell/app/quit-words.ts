// Whether a quit asks first, and what it says. It asks only while bytes are on their way, since only those are sent a second time;
// what waits goes out the next time in any case, and a question at every quit is soon answered without being read.
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Snapshot } from '../../../src-shared/model.ts'

interface QuitWords {
  readonly title: string
  readonly detail: string
  readonly quit: string
  readonly stay: string
}

interface Quit {
  readonly snapshot: Snapshot | null
  /** `system`: the machine shuts down or an update is put in place, and nobody is there to answer. */
  readonly by: 'person' | 'system'
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
}

/** Null: quit without asking. */
export function quitWords({ snapshot, by, texts, formats }: Quit): QuitWords | null {
  if (by === 'system' || snapshot === null || snapshot.counts.uploading === 0) return null
  const { uploading, queued, waiting, settling, unknown } = snapshot.counts
  const behind = queued + waiting + settling + unknown
  const words = texts.quit
  return {
    title: words.title(uploading, formats.count(uploading)),
    detail: behind === 0 ? words.detail : words.detailBehind(behind, formats.count(behind)),
    quit: words.quit,
    stay: words.stay,
  }
}
