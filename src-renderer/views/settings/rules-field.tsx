// The field of a setting that consists of rules, one per line: what is ignored, always held, or never held.
// Rules with an error aren't saved. components/rules-editor.tsx shows the errors.
import { type ReactNode, useState } from 'react'
import type { LabelIds } from '../../components/labelling.ts'
import { RulesEditor } from '../../components/rules-editor.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { readRules } from '../../lib/ignore-rules.ts'
import { useDraft } from './use-draft.ts'
import { useSaveSetting } from './use-save-setting.ts'

export function RulesField(props: {
  readonly id: 'ignore' | 'guardHold' | 'guardAllow'
  readonly ids: LabelIds
  readonly rules: readonly string[]
}): ReactNode {
  const { id, ids } = props
  const words = useLanguage().t.settingsView
  const save = useSaveSetting()
  const from = id === 'ignore' ? 'folder' : 'disk'
  const saved = props.rules.join('\n')
  // Comments and spaces aren't saved, but they stay in the field as long as its rules equal the saved rules.
  const [typed, setTyped] = useState(saved)
  const isSame = readRules(typed, from).rules.join('\n') === saved
  const draft = useDraft(isSame ? typed : saved, (text) => {
    const read = readRules(text, from)
    if (!read.usable) return
    setTyped(text)
    if (read.rules.join('\n') !== saved) save(id, { [id]: [...read.rules] }, true)
  })
  return (
    <RulesEditor
      label={words.rows[id].label}
      describedBy={ids.describedBy}
      from={from}
      text={draft.text}
      fault={words.rulesKept}
      onChange={draft.edit}
      onEscape={draft.cancel}
      onBlur={() => draft.leave(!readRules(draft.text, from).usable)}
    />
  )
}
