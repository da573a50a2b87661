// What the settings say about the file managers' menus.
// The switch itself is in file-manager-row.tsx.
import type { FileManagerView } from '../../../src-shared/app.ts'
import type { Words } from '../../lib/words.ts'

interface Line {
  readonly text: string
  readonly isFault: boolean
}

/** What was done just now, or else where the entry is and where it could be. `asked`: on, off, or nothing yet. */
export function linesOf({ managers, failed }: FileManagerView, asked: boolean | null, t: Words['t']): readonly Line[] {
  const words = t.settingsView.fileManager
  const line = (text: (names: string) => string, names: readonly FileManagerView['managers'][number]['name'][], isFault = false): Line[] =>
    names.length === 0 ? [] : [{ text: text(names.map((name) => words.names[name]).join(', ')), isFault }]
  const on = managers.filter((one) => one.isOn).map((one) => one.name)
  const off = managers.filter((one) => !one.isOn).map((one) => one.name)
  if (asked === null) return [...line(words.isIn, on), ...line(words.canBeIn, off)]
  const done = (asked ? on : off).filter((name) => !failed.includes(name))
  return [...line(asked ? words.added : words.removed, done), ...line(words.failed, failed, true)]
}
