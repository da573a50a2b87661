// The sections that are made of choices alone: uploads, links, notifications, appearance, network, start-up, about. Every change counts at
// once; what can't be used says why and the old value stays.
import { type ReactNode, useId, useState } from 'react'
import { linkText } from '../../../src-shared/link-template.ts'
import type { AppSettings, SettingsPatch } from '../../../src-shared/settings.ts'
import { call } from '../../app/client.ts'
import { failureWords, useLanguage } from '../../app/language.tsx'
import { appStore, notify, useApp } from '../../app/store.ts'
import { useNow } from '../../app/time.ts'
import { Button } from '../../components/button.tsx'
import { apply } from './apply.ts'
import { Fault, NumberControl, SelectControl, SwitchControl, TextControl } from './controls.tsx'
import { Sheet } from './dialog.tsx'
import { useOnChangeOptions } from './folders-section.tsx'
import { proxyMode, readProxy } from './proxy.ts'
import { Row } from './row.tsx'
import { RulesField } from './rules-field.tsx'
import { Segmented } from './segmented.tsx'
import type { RowId } from './settings-index.ts'
import { ShortcutRow } from './shortcut-field.tsx'
import { useDraft } from './use-draft.ts'

const MEGABYTE = 1_000_000
/** A cap to begin with: about a tenth of a usual line, so that something is felt and nothing stands still. */
const FIRST_CAP = 2 * MEGABYTE
const SNOOZES = [30, 60, 480] as const
const MINUTE = 60_000

interface SectionProps {
  readonly settings: AppSettings
}

function useApply(): (id: RowId, patch: SettingsPatch) => void {
  const words = useLanguage().t.settingsView
  return (id, patch) => void apply(patch, { title: words.refusedTitle(words.rows[id].label), hint: words.refusedHint })
}

/** A closed union and its words as options. */
function optionsOf<const T extends string>(
  values: readonly T[],
  words: Readonly<Record<NoInfer<T>, string>>,
): readonly { readonly value: T; readonly label: string }[] {
  return values.map((value) => ({ value, label: words[value] }))
}

export function UploadsSection({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const save = useApply()
  const options = useOnChangeOptions()
  return (
    <>
      <Row id="onChange">
        {(ids) => (
          <SelectControl ids={ids} value={settings.onChange} options={options} onChange={(onChange) => save('onChange', { onChange })} />
        )}
      </Row>
      <Row id="ignore" wide note={<p className="settings-row-hint">{words.rulesDefaults}</p>}>
        {(ids) => (
          <RulesField
            label={words.rulesLabel}
            describedBy={ids.describedBy}
            rules={settings.ignore}
            onChange={(rules) => save('ignore', { ignore: [...rules] })}
          />
        )}
      </Row>
      <Row id="undo">
        {(ids) => (
          <NumberControl
            ids={ids}
            value={settings.undoSeconds}
            min={0}
            max={60}
            step={1}
            unit={words.seconds}
            onChange={(undoSeconds) => save('undo', { undoSeconds })}
          />
        )}
      </Row>
    </>
  )
}

export function LinksSection({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const save = useApply()
  return (
    <>
      <Row id="linkStyle">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.linkStyle}
            options={optionsOf(['url', 'markdown', 'html', 'bbcode', 'template'], t.linkStyles)}
            onChange={(linkStyle) => save('linkStyle', { linkStyle })}
          />
        )}
      </Row>
      <TemplateRow settings={settings} />
      <Row id="copyAfterDrop">
        {(ids) => (
          <SwitchControl ids={ids} value={settings.copyAfterDrop} onChange={(copyAfterDrop) => save('copyAfterDrop', { copyAfterDrop })} />
        )}
      </Row>
    </>
  )
}

function TemplateRow({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const save = useApply()
  const faultId = useId()
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
    <Row
      id="linkTemplate"
      wide
      note={
        <>
          <Fault id={faultId} text={fault} />
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
        <TextControl
          ids={ids}
          value={draft.text}
          fault={empty ? fault : null}
          faultId={faultId}
          onChange={draft.edit}
          onBlur={() => draft.leave(empty)}
        />
      )}
    </Row>
  )
}

export function NotificationsSection({ settings }: SectionProps): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const save = useApply()
  const now = useNow(30_000)
  const until = settings.snoozedUntil
  const snooze = async (minutes: number): Promise<void> => {
    const got = await call('snooze', { minutes })
    if (got.ok) appStore.setState({ settings: got.value })
    else notify({ level: 'problem', ...failureWords({ t, f }, got.failure) })
  }
  return (
    <>
      <Row id="notify">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.notify}
            options={optionsOf(['all', 'problems', 'none'], words.notifyLevels)}
            onChange={(level) => save('notify', { notify: level })}
          />
        )}
      </Row>
      <Row id="snooze">
        {(ids) =>
          until !== null && until > now ? (
            <>
              <span className="settings-value" role="status">
                {words.snoozedUntil(until - now < 86_400_000 / 2 ? f.time(until) : f.clock(until, now))}
              </span>
              <Button size="small" onPress={() => void snooze(0)}>
                {words.snoozeEnd}
              </Button>
            </>
          ) : (
            <span className="settings-buttons" role="group" aria-labelledby={ids.labelledBy}>
              {SNOOZES.map((minutes) => (
                <Button key={minutes} size="small" onPress={() => void snooze(minutes)}>
                  {words.snoozeFor(f.duration(minutes * MINUTE))}
                </Button>
              ))}
            </span>
          )
        }
      </Row>
    </>
  )
}

export function AppearanceSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useApply()
  return (
    <>
      <Row id="theme">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.theme}
            options={optionsOf(['system', 'light', 'dark'], words.themes)}
            onChange={(theme) => save('theme', { theme })}
          />
        )}
      </Row>
      <Row id="density">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.density}
            options={optionsOf(['comfortable', 'compact'], words.densities)}
            onChange={(density) => save('density', { density })}
          />
        )}
      </Row>
      <Row id="language">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.language}
            options={optionsOf(['system', 'en', 'de'], words.languages)}
            onChange={(language) => save('language', { language })}
          />
        )}
      </Row>
    </>
  )
}

export function NetworkSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useApply()
  const cap = settings.bytesPerSecond
  return (
    <>
      <Row id="concurrency">
        {(ids) => (
          <NumberControl
            ids={ids}
            value={settings.concurrency}
            min={1}
            max={16}
            step={1}
            onChange={(concurrency) => save('concurrency', { concurrency })}
          />
        )}
      </Row>
      <Row id="speed">
        {(ids) => (
          <>
            {cap === null ? null : (
              <NumberControl
                ids={ids}
                label={words.speedLabel}
                value={cap / MEGABYTE}
                min={0.01}
                max={10_000}
                step={0.5}
                digits={2}
                unit={words.speedUnit}
                onChange={(megabytes) => save('speed', { bytesPerSecond: Math.round(megabytes * MEGABYTE) })}
              />
            )}
            <SwitchControl ids={ids} value={cap !== null} onChange={(on) => save('speed', { bytesPerSecond: on ? FIRST_CAP : null })} />
          </>
        )}
      </Row>
      <ProxyRow settings={settings} />
    </>
  )
}

function ProxyRow({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useApply()
  const faultId = useId()
  const saved = settings.proxy
  // "Address" is a place to type before it is a setting: until something can be used, the old way stays.
  const [typing, setTyping] = useState(false)
  const mode = typing ? 'address' : proxyMode(saved)
  const draft = useDraft(proxyMode(saved) === 'address' ? saved : '', (text) => {
    const read = readProxy(text)
    if (read.ok && read.value !== saved) save('proxy', { proxy: read.value })
  })
  const read = readProxy(draft.text)
  const fault = mode === 'address' && !read.ok ? words.proxyFaults[read.why] : null
  const inUse = saved === 'system' ? words.proxySystem : saved === 'none' ? words.proxyNone : saved
  return (
    <Row id="proxy" note={<Fault id={faultId} text={fault} {...(fault === null ? {} : { more: words.oldStays(inUse) })} />}>
      {(ids) => (
        <span className="settings-stack">
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={mode}
            options={optionsOf(['system', 'none', 'address'], words.proxies)}
            onChange={(chosen) => {
              setTyping(chosen === 'address')
              if (chosen !== 'address') save('proxy', { proxy: chosen })
            }}
          />
          {mode === 'address' ? (
            <TextControl
              ids={ids}
              label={words.proxyLabel}
              value={draft.text}
              placeholder="http://proxy:3128"
              ltr
              fault={fault}
              faultId={faultId}
              onChange={draft.edit}
              onBlur={() => draft.leave(!read.ok)}
            />
          ) : null}
        </span>
      )}
    </Row>
  )
}

export function StartupSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useApply()
  const platform = useApp((state) => state.boot?.platform ?? 'other')
  const warn = settings.closeToTray && (platform === 'linux' || platform === 'other')
  return (
    <>
      <Row id="openAtLogin">
        {(ids) => <SwitchControl ids={ids} value={settings.openAtLogin} onChange={(openAtLogin) => save('openAtLogin', { openAtLogin })} />}
      </Row>
      <Row id="closeToTray" note={warn ? <p className="settings-row-hint waiting">{words.trayWarning}</p> : null}>
        {(ids) => <SwitchControl ids={ids} value={settings.closeToTray} onChange={(closeToTray) => save('closeToTray', { closeToTray })} />}
      </Row>
      <ShortcutRow />
    </>
  )
}

export function AboutSection(): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const boot = useApp((state) => state.boot)
  const [licences, setLicences] = useState<string | null>(null)
  const ask = async (what: 'openData' | 'openLog'): Promise<void> => {
    const got = await call(what, {})
    if (!got.ok) notify({ level: 'problem', ...failureWords({ t, f }, got.failure) })
  }
  const readLicences = async (): Promise<void> => {
    const got = await call('licences', {})
    if (got.ok) setLicences(got.value.text)
    else notify({ level: 'problem', ...failureWords({ t, f }, got.failure) })
  }
  return (
    <>
      <Row id="version">
        {() => (
          <span className="settings-value selectable">{boot === null ? t.unknown : words.versionOf(boot.version, boot.electron)}</span>
        )}
      </Row>
      <Row
        id="data"
        note={
          <p className="settings-row-hint settings-path selectable" dir="ltr">
            {boot?.dataDir ?? ''}
          </p>
        }
      >
        {() => <Button onPress={() => void ask('openData')}>{words.openData}</Button>}
      </Row>
      <Row id="log">{() => <Button onPress={() => void ask('openLog')}>{words.openLog}</Button>}</Row>
      <Row id="licences">{() => <Button onPress={() => void readLicences()}>{words.licences}</Button>}</Row>
      <Sheet title={words.licencesTitle} open={licences !== null} onClose={() => setLicences(null)} size="wide">
        <pre className="settings-licences mono selectable" tabIndex={0} dir="ltr">
          {licences}
        </pre>
      </Sheet>
    </>
  )
}
