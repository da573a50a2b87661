// The Links section: the style of copied links, a custom template with a preview, and automatic copying after a drop.
// An empty template isn't saved; the previous one stays in effect.
import { type ReactNode, useId } from 'react'
import { linkText } from '../../../src-shared/link-template.ts'
import { FieldError } from '../../components/field-error.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Switch } from '../../components/switch.tsx'
import { TextInput } from '../../components/text-input.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { FileManagerRow } from './file-manager-row.tsx'
import { optionsOf, type SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useDraft } from './use-draft.ts'
import { useSaveSetting } from './use-save-setting.ts'

export function LinksSection({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const save = useSaveSetting()
  return (
    <>
      <SettingRow id="linkStyle">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.linkStyle}
            options={optionsOf(['url', 'markdown', 'html', 'bbcode', 'template'], t.linkStyles)}
            onChange={(linkStyle) => save('linkStyle', { linkStyle })}
          />
        )}
      </SettingRow>
      <TemplateRow settings={settings} />
      <SettingRow id="copyAfterDrop">
        {(ids) => (
          <Switch ids={ids} value={settings.copyAfterDrop} onChange={(copyAfterDrop) => save('copyAfterDrop', { copyAfterDrop })} />
        )}
      </SettingRow>
      <SettingRow id="copyWatched">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.copyWatched}
            options={optionsOf(['never', 'chosen', 'always'], words.copyWatcheds)}
            onChange={(copyWatched) => save('copyWatched', { copyWatched })}
          />
        )}
      </SettingRow>
      <FileManagerRow />
    </>
  )
}

function TemplateRow({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const save = useSaveSetting()
  const errorId = useId()
  const now = useNow(30_000)
  const draft = useDraft(settings.linkTemplate, (text) => {
    if (text.trim() !== '' && text !== settings.linkTemplate) save('linkTemplate', { linkTemplate: text })
  })
  const empty = draft.text.trim() === ''
  const fault = empty ? words.templateEmpty : draft.text.includes('$url') ? null : words.templateNoUrl
  const example = { name: words.previewName, url: 'https://files.example.com/download/k3v9x2', bytes: 4_800_000, at: now }
  const style = settings.linkStyle
  const preview = linkText({ style, template: empty ? settings.linkTemplate : draft.text, files: [example] })
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
                : linkText({ style: 'template', template: empty ? settings.linkTemplate : draft.text, files: [example] })}
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
          error={empty ? fault : null}
          errorId={errorId}
          onChange={draft.edit}
          onBlur={() => draft.leave(empty)}
        />
      )}
    </SettingRow>
  )
}
