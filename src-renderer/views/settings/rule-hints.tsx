// Errors and notes about the rules in a field, line by line.
// If there is an error, the last line says that the rules can't be saved.
import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { ReadRules, RuleHint } from '../../lib/ignore-rules.ts'

/** Maximum number of hints shown at once. More would take too much space; the rest appears as the first ones are fixed. */
const HINTS_SHOWN = 6

export function RuleHints(props: {
  readonly id: string
  readonly read: ReadRules
  readonly texts: Readonly<Record<RuleHint['what'], string>>
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  return (
    <div id={props.id} role="status" className="settings-hints">
      {props.read.hints.slice(0, HINTS_SHOWN).map((hint) => (
        <p key={`${hint.line} ${hint.what}`} className={hint.fault ? 'settings-hint settings-hint-fault' : 'settings-hint'}>
          {hint.fault ? <CircleAlert className="icon" aria-hidden="true" /> : <Info className="icon" aria-hidden="true" />}
          <span>
            <span className="strong">{words.ruleLine(f.count(hint.line))}: </span>
            {props.texts[hint.what]}
          </span>
        </p>
      ))}
      {props.read.usable ? null : <p className="settings-hint">{words.rulesKept}</p>}
    </div>
  )
}
