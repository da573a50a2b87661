// Builds the lines of text below the setting that adds "Upload and copy link" to the menus of file managers
// (links-section.tsx).
import type { FileManagerView } from '../../../src-shared/computer.ts'
import type { Words } from '../../lib/words.ts'

interface Line {
  readonly text: string
  readonly isFault: boolean
}

/**
 * Says which file managers have the entry and which could have it. After the user has turned the switch on or
 * off (`asked`), says instead which file managers now have the new state and which couldn't be changed.
 */
export function linesOf(
  { managers, failed }: FileManagerView,
  asked: boolean | null,
  t: Words['t'],
): readonly Line[] {
  const words = t.settingsView.fileManager
  const line = (
    text: (names: string) => string,
    names: readonly FileManagerView['managers'][number]['name'][],
    isFault = false,
  ): Line[] =>
    names.length === 0 ? [] : [{ text: text(names.map((name) => words.names[name]).join(', ')), isFault }]
  const on = managers.filter((one) => one.isOn).map((one) => one.name)
  const off = managers.filter((one) => !one.isOn).map((one) => one.name)
  if (asked === null) return [...line(words.isIn, on), ...line(words.canBeIn, off)]
  const done = (asked ? on : off).filter((name) => !failed.includes(name))
  return [...line(asked ? words.added : words.removed, done), ...line(words.failed, failed, true)]
}
