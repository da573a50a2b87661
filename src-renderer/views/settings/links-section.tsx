// The Links section sets the style of copied links, a custom template, which links are copied automatically, and whether the menus of file
// managers have a Slipway entry.
import type { ReactNode } from 'react'
import { Segmented } from '../../components/segmented.tsx'
import { Switch } from '../../components/switch.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { FileManagerRow } from './file-manager-row.tsx'
import { optionsOf, type SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { TemplateRow } from './template-row.tsx'
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
