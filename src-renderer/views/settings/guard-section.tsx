// The section about held files: patterns of files that are always held, and of files that are never held as
// secrets. Changes are saved with a button, because a half-typed pattern would match other files. Any change
// after which fewer files might be held must be confirmed in a system dialog of the shell.
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { LabelIds } from '../../components/labelling.ts'
import { RuleHints } from '../../components/rule-hints.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { readRules } from '../../lib/ignore-rules.ts'
import { isApplied } from './apply-setting.ts'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'

type ListId = 'guardHold' | 'guardAllow'

export function GuardSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  return (
    <>
      <SettingRow id="guardHold" wide note={<p className="settings-row-hint">{words.guardDefaults}</p>}>
        {(ids) => <GuardRules id="guardHold" ids={ids} rules={settings.guardHold} />}
      </SettingRow>
      <SettingRow id="guardAllow" wide>
        {(ids) => <GuardRules id="guardAllow" ids={ids} rules={settings.guardAllow} />}
      </SettingRow>
    </>
  )
}

function GuardRules({
  id,
  ids,
  rules,
}: {
  readonly id: ListId
  readonly ids: LabelIds
  readonly rules: readonly string[]
}): ReactNode {
  const words = useLanguage().t.settingsView
  const hintsId = useId()
  const saved = rules.join('\n')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? saved
  const read = readRules(text, 'disk')
  const isChanged = read.rules.join('\n') !== saved
  const save = async (): Promise<void> => {
    // If the user declined or saving failed, keep the input.
    if (await isApplied({ [id]: [...read.rules] })) setTyped(null)
  }
  return (
    <div>
      <TextArea
        labelledBy={ids.labelledBy}
        describedBy={`${ids.describedBy} ${hintsId}`}
        value={text}
        isInvalid={!read.usable}
        onChange={setTyped}
      />
      <RuleHints
        id={hintsId}
        read={read}
        texts={{ ...words.ruleHints, ...words.guardHints }}
        fault={words.rulesKept}
      />
      <div className="settings-rules-save">
        <Button
          isDisabled={!isChanged || !read.usable}
          aria-describedby={ids.labelledBy}
          onPress={() => void save()}
        >
          {words.guardSave}
        </Button>
      </div>
    </div>
  )
}
