// Errors and notes about the rules in a field, line by line.
// While one of them is an error the rules can't be saved, which the last line says.
import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { ReadRules, RuleHint } from '../../lib/ignore-rules.ts'

/** More would push the page away; the rest appears as the first ones are corrected. */
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
