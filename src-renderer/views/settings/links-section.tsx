// The Links section sets the style of copied links, a custom template, which links are copied automatically,
// and whether the menus of file managers have a Slipway entry.
import { type ReactNode, useEffect, useState } from 'react'
import type { FileManagerView } from '../../../src-shared/computer.ts'
import { Switch } from '../../components/switch.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { Words } from '../../lib/words.ts'
import { call } from '../../state/client.ts'
import { valueOrNotice } from '../../state/notices.ts'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { TemplateRow } from './template-row.tsx'
import { ChoiceRow, SwitchRow } from './value-rows.tsx'

export function LinksSection({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  return (
    <>
      <ChoiceRow
        id="linkStyle"
        settings={settings}
        values={['url', 'markdown', 'html', 'bbcode', 'template']}
        words={t.linkStyles}
      />
      <TemplateRow settings={settings} />
      <SwitchRow id="copyAfterDrop" settings={settings} />
      <ChoiceRow
        id="copyWatched"
        settings={settings}
        values={['never', 'chosen', 'always']}
        words={words.copyWatcheds}
      />
      <FileManagerRow />
    </>
  )
}

/**
 * The row for the entry "Upload and copy link" in the menus of file managers, with a switch that adds or
 * removes the entry. The row is hidden if no file manager supports the entry. The state can change outside
 * Slipway, so it is read whenever the row appears.
 */
function FileManagerRow(): ReactNode {
  const { t, f } = useLanguage()
  const [view, setView] = useState<FileManagerView | null>(null)
  /** The user's last choice whose call succeeded; null if there is none yet. */
  const [asked, setAsked] = useState<boolean | null>(null)
  useEffect(() => {
    let isCurrent = true
    void call('fileManager', { on: null }).then((got) => {
      if (isCurrent && got.ok) setView(got.value)
    })
    return () => {
      isCurrent = false
    }
  }, [])
  if (view === null || view.managers.length === 0) return null
  const turn = async (on: boolean): Promise<void> => {
    const next = await valueOrNotice({ t, f }, call('fileManager', { on }), 'fileManager')
    if (next === null) return
    setView(next)
    setAsked(on)
  }
  return (
    <SettingRow
      id="fileManager"
      note={
        <div role="status">
          {linesOf(view, asked, t).map(({ text, isFault }) => (
            <p key={text} className={isFault ? 'settings-row-hint problem' : 'settings-row-hint'}>
              {text}
            </p>
          ))}
        </div>
      }
    >
      {(ids) => (
        <Switch ids={ids} value={view.managers.every((one) => one.isOn)} onChange={(on) => void turn(on)} />
      )}
    </SettingRow>
  )
}

interface Line {
  readonly text: string
  readonly isFault: boolean
}

/**
 * Says which file managers have the entry and which could have it. After the user has turned the switch on or
 * off (`asked`), says instead which file managers now have the new state and which couldn't be changed.
 */
export function linesOf(
  { managers, failed }: FileManagerView,
  asked: boolean | null,
  t: Words['t'],
): readonly Line[] {
  const words = t.settingsView.fileManager
  const line = (
    text: (names: string) => string,
    names: readonly FileManagerView['managers'][number]['name'][],
    isFault = false,
  ): Line[] =>
    names.length === 0 ? [] : [{ text: text(names.map((name) => words.names[name]).join(', ')), isFault }]
  const on = managers.filter((one) => one.isOn).map((one) => one.name)
  const off = managers.filter((one) => !one.isOn).map((one) => one.name)
  if (asked === null) return [...line(words.isIn, on), ...line(words.canBeIn, off)]
  const done = (asked ? on : off).filter((name) => !failed.includes(name))
  return [...line(asked ? words.added : words.removed, done), ...line(words.failed, failed, true)]
}
