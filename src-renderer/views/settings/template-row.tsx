// The row for the custom format of copied links, in the settings and in a dialog: a text field, its error and
// a preview. An empty format isn't saved; the previous one stays in effect.
import { type ReactNode, useId } from 'react'
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import { hasLink, linkText, templateFault } from '../../../src-shared/link-template.ts'
import { FieldError } from '../../components/field-error.tsx'
import { TextInput } from '../../components/text-input.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useDraft } from './use-draft.ts'
import { useSaveSetting } from './use-save-setting.ts'
import './settings.css'

const FAULTS = {
  empty: (words: Texts['settingsView']) => words.templateEmpty,
  'no-url': (words: Texts['settingsView']) => words.templateNoUrl,
} as const

/**
 * `isAlone`: shown in a dialog, with a preview of only this format. In the settings, the preview also shows
 * the chosen link style.
 */
export function TemplateRow({
  settings,
  isAlone = false,
}: SectionProps & { readonly isAlone?: boolean }): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const save = useSaveSetting()
  const errorId = useId()
  const now = useNow(30_000)
  const draft = useDraft(settings.linkTemplate, (text) => {
    if (hasLink(text) && text !== settings.linkTemplate) save('linkTemplate', { linkTemplate: text }, true)
  })
  const unusable = !hasLink(draft.text)
  const wrong = templateFault(draft.text)
  const fault =
    wrong === null
      ? null
      : wrong.what === 'unknown'
        ? words.templateUnknown(wrong.word)
        : FAULTS[wrong.what](words)
  const example = {
    name: words.previewName,
    url: 'https://files.example.com/download/k3v9x2',
    bytes: 4_800_000,
    at: now,
  }
  const style = isAlone ? 'template' : settings.linkStyle
  const preview = linkText({
    style,
    template: unusable ? settings.linkTemplate : draft.text,
    files: [example],
  })
  return (
    <SettingRow
      id="linkTemplate"
      wide
      note={
        <>
          <FieldError id={errorId} text={fault} />
          <div className="settings-preview">
            <span className="settings-row-hint">{words.templatePreview}</span>
            <output className="mono selectable" dir="ltr">
              {style === 'template'
                ? preview
                : linkText({
                    style: 'template',
                    template: unusable ? settings.linkTemplate : draft.text,
                    files: [example],
                  })}
            </output>
            {style === 'template' ? null : (
              <>
                <span className="settings-row-hint">{t.linkStyles[style]}</span>
                <output className="mono selectable" dir="ltr">
                  {preview}
                </output>
              </>
            )}
          </div>
        </>
      }
    >
      {(ids) => (
        <TextInput
          ids={ids}
          value={draft.text}
          error={unusable ? fault : null}
          errorId={errorId}
          onChange={draft.edit}
          onBlur={() => draft.leave(unusable)}
          onEscape={draft.cancel}
          onEnter={() => draft.leave(true)}
        />
      )}
    </SettingRow>
  )
}
