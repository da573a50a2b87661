// Ignore rules to type in: one a line, with a word on each odd line while it is typed. What can't be used keeps the old rules; nothing is
// looked up on the disk.
import { CircleAlert, Info } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { TextArea, TextField } from 'react-aria-components'
import { useLanguage } from '../../app/language.tsx'
import { readRules } from './rule-hints.ts'
import { useDraft } from './use-draft.ts'

/** More would push the page away; the rest shows up as the first ones are mended. */
const HINTS_SHOWN = 6

export function RulesField(props: {
  readonly label: string
  readonly describedBy?: string
  readonly rules: readonly string[]
  readonly onChange: (rules: readonly string[]) => void
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const id = useId()
  const saved = props.rules.join('\n')
  // Comments and spaces go when rules are saved; the page keeps them as long as they mean the same.
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
          className="settings-input settings-area mono"
          rows={Math.min(10, Math.max(3, draft.text.split('\n').length))}
          spellCheck={false}
          placeholder={words.rulesPlaceholder}
        />
      </TextField>
      <div id={`${id}-hints`} role="status" className="settings-hints">
        {read.hints.slice(0, HINTS_SHOWN).map((hint) => (
          <p key={`${hint.line} ${hint.what}`} className={hint.fault ? 'settings-hint settings-hint-fault' : 'settings-hint'}>
            {hint.fault ? <CircleAlert className="icon" aria-hidden="true" /> : <Info className="icon" aria-hidden="true" />}
            <span>
              <span className="strong">{words.ruleLine(f.count(hint.line))}: </span>
              {words.ruleHints[hint.what]}
            </span>
          </p>
        ))}
        {read.usable ? null : <p className="settings-hint">{words.rulesKept}</p>}
      </div>
    </div>
  )
}
