// A text field for ignore rules, one per line, with errors and notes while typing. Only the syntax of the
// rules is checked. The caller decides what happens to rules with errors.
import { type ReactNode, useId } from 'react'
import { useLanguage } from '../hooks/use-language.tsx'
import { type RulesFrom, readRules } from '../lib/ignore-rules.ts'
import { RuleHints } from './rule-errors.tsx'
import { TextArea } from './text-area.tsx'

export function RulesEditor(props: {
  readonly label: string
  /** Element IDs, separated by spaces. */
  readonly describedBy?: string
  /** What the rules match: paths below a folder (the default), or on the whole disk. */
  readonly from?: RulesFrom
  readonly text: string
  /** The text shown below the hints if a rule has an error. */
  readonly fault?: string
  readonly onChange: (text: string) => void
  readonly onBlur?: () => void
  readonly onEscape?: () => void
}): ReactNode {
  const words = useLanguage().t.settingsView
  const id = useId()
  const read = readRules(props.text, props.from)
  return (
    <div>
      <TextArea
        label={props.label}
        describedBy={[props.describedBy ?? '', id].join(' ').trim()}
        value={props.text}
        isInvalid={!read.usable}
        onChange={props.onChange}
        {...(props.onBlur === undefined ? {} : { onBlur: props.onBlur })}
        {...(props.onEscape === undefined ? {} : { onEscape: props.onEscape })}
      />
      <RuleHints
        id={id}
        read={read}
        texts={props.from === 'disk' ? { ...words.ruleHints, ...words.guardHints } : words.ruleHints}
        {...(props.fault === undefined ? {} : { fault: props.fault })}
      />
    </div>
  )
}
