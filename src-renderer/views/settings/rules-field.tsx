// A field for ignore rules, one per line, with errors and notes while typing. If a rule has an error, the saved rules stay in effect.
// Checks the syntax only; doesn't match any files.
import { type ReactNode, useId, useState } from 'react'
import { TextArea } from '../../components/text-area.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { readRules } from '../../lib/ignore-rules.ts'
import { RuleHints } from './rule-hints.tsx'
import { useDraft } from './use-draft.ts'

export function RulesField(props: {
  readonly label: string
  readonly describedBy?: string
  readonly rules: readonly string[]
  readonly onChange: (rules: readonly string[]) => void
}): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const id = useId()
  const saved = props.rules.join('\n')
  // Comments and spaces aren't saved, but they stay in the field as long as its rules are the saved ones.
  const [typed, setTyped] = useState(saved)
  const same = readRules(typed).rules.join('\n') === saved
  const draft = useDraft(same ? typed : saved, (text) => {
    const read = readRules(text)
    if (!read.usable || read.rules.join('\n') === saved) return
    setTyped(text)
    props.onChange(read.rules)
  })
  const read = readRules(draft.text)
  return (
    <div className="settings-rules">
      <TextArea
        label={props.label}
        describedBy={[props.describedBy ?? '', `${id}-hints`].join(' ').trim()}
        value={draft.text}
        placeholder={words.rulesPlaceholder}
        isInvalid={!read.usable}
        onChange={draft.edit}
        onBlur={() => draft.leave(!read.usable)}
      />
      <RuleHints id={`${id}-hints`} read={read} texts={words.ruleHints} />
    </div>
  )
}
