// The ignore rules of a watched folder. They are saved with a button, because with a half-typed rule, files that it should exclude would be
// uploaded. The shell asks in a system dialog before fewer files are excluded.
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { RulesEditor } from '../../components/rules-editor.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { readRules } from '../../lib/ignore-rules.ts'

export function FolderRules(props: {
  /** The folder's name. */
  readonly name: string
  readonly rules: readonly string[]
  /** Resolves to the rules in effect afterwards; null if saving failed. */
  readonly onSave: (rules: readonly string[]) => Promise<readonly string[] | null>
}): ReactNode {
  const words = useLanguage().t.settingsView
  const saved = props.rules.join('\n')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? saved
  const read = readRules(text)
  const isChanged = read.rules.join('\n') !== saved
  const save = async (): Promise<void> => {
    const now = await props.onSave(read.rules)
    // If the user declined or saving failed, keep the input.
    if (now?.join('\n') === read.rules.join('\n')) setTyped(null)
  }
  return (
    <>
      <RulesEditor label={`${words.rulesLabel}, ${props.name}`} text={text} fault={words.rulesKept} onChange={setTyped} />
      <div className="settings-rules-save">
        <Button
          size="small"
          isDisabled={!isChanged || !read.usable}
          aria-label={`${words.rulesSave}, ${props.name}`}
          onPress={() => void save()}
        >
          {words.rulesSave}
        </Button>
      </div>
    </>
  )
}
