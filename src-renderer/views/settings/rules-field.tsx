// A field for ignore rules that saves them when the user pauses typing or leaves the field. If a rule has an error, the
// saved rules stay in effect. components/rules-editor.tsx shows the errors.
import { type ReactNode, useState } from 'react'
import { RulesEditor } from '../../components/rules-editor.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { readRules } from '../../lib/ignore-rules.ts'
import { useDraft } from './use-draft.ts'

export function RulesField(props: {
  readonly label: string
  readonly describedBy?: string
  readonly rules: readonly string[]
  readonly onChange: (rules: readonly string[]) => void
}): ReactNode {
  const words = useLanguage().t.settingsView
  const saved = props.rules.join('\n')
  // Comments and spaces aren't saved, but they stay in the field as long as its rules equal the saved rules.
  const [typed, setTyped] = useState(saved)
  const same = readRules(typed).rules.join('\n') === saved
  const draft = useDraft(same ? typed : saved, (text) => {
    const read = readRules(text)
    if (!read.usable || read.rules.join('\n') === saved) return
    setTyped(text)
    props.onChange(read.rules)
  })
  return (
    <RulesEditor
      label={props.label}
      describedBy={props.describedBy ?? ''}
      text={draft.text}
      fault={words.rulesKept}
      onChange={draft.edit}
      onBlur={() => draft.leave(!readRules(draft.text).usable)}
    />
  )
}
