// A field for ignore rules, one per line, with a remark on each odd line while it is typed. While a rule can't be used, the old rules stay in effect.
// No file is looked at.
import { type ReactNode, useId, useState } from 'react'
import { TextArea, TextField } from 'react-aria-components'
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
  // Comments and spaces are not saved; the field keeps them while the rules mean the same.
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
      <TextField
        aria-label={props.label}
        aria-describedby={[props.describedBy ?? '', `${id}-hints`].join(' ').trim()}
        value={draft.text}
        onChange={draft.edit}
        onBlur={() => draft.leave(!read.usable)}
        isInvalid={!read.usable}
      >
        <TextArea
          className="input input-area mono"
          rows={Math.min(10, Math.max(3, draft.text.split('\n').length))}
          spellCheck={false}
          placeholder={words.rulesPlaceholder}
        />
      </TextField>
      <RuleHints id={`${id}-hints`} read={read} texts={words.ruleHints} />
    </div>
  )
}
