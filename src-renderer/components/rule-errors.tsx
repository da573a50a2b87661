// Errors and notes about the rules in a field, line by line.
// If there is an error, the text `fault` is shown below the hints.
import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage } from '../hooks/use-language.tsx'
import type { ReadRules, RuleHint } from '../lib/ignore-rules.ts'
import './rule-hints.css'

/**
 * Maximum number of hints shown at once, to save space. The others appear once the user has fixed some of
 * these.
 */
const HINTS_SHOWN = 6

export function RuleHints(props: {
  readonly id: string
  readonly read: ReadRules
  readonly texts: Readonly<Record<RuleHint['what'], string>>
  readonly fault?: string
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  return (
    <div id={props.id} role="status" className="rule-hints">
      {props.read.hints.slice(0, HINTS_SHOWN).map((hint) => (
        <p
          key={`${hint.line} ${hint.what}`}
          className={hint.fault ? 'rule-hint rule-hint-fault' : 'rule-hint'}
        >
          {hint.fault ? (
            <CircleAlert className="icon" aria-hidden="true" />
          ) : (
            <Info className="icon" aria-hidden="true" />
          )}
          <span>
            <span className="strong">{words.ruleLine(f.count(hint.line))}: </span>
            {props.texts[hint.what]}
          </span>
        </p>
      ))}
      {props.read.usable || props.fault === undefined ? null : <p className="rule-hint">{props.fault}</p>}
    </div>
  )
}
