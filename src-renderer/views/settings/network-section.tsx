// Network: simultaneous uploads, a speed limit for all of them together, and the proxy.
// A proxy address that can't be used is not saved; the old one stays in effect.
import { type ReactNode, useId, useState } from 'react'
import { FieldError } from '../../components/field-error.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Switch } from '../../components/switch.tsx'
import { TextInput } from '../../components/text-input.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { proxyMode, readProxy } from './proxy-address.ts'
import { optionsOf, type SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useDraft } from './use-draft.ts'
import { useSaveSetting } from './use-save-setting.ts'

const MEGABYTE = 1_000_000
/** The first limit when one is turned on: about a tenth of a common connection, noticeable without stalling uploads. */
const FIRST_LIMIT_BYTES = 2 * MEGABYTE

export function NetworkSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useSaveSetting()
  const limit = settings.bytesPerSecond
  return (
    <>
      <SettingRow id="concurrency">
        {(ids) => (
          <NumberInput
            ids={ids}
            value={settings.concurrency}
            min={1}
            max={16}
            step={1}
            onChange={(concurrency) => save('concurrency', { concurrency })}
          />
        )}
      </SettingRow>
      <SettingRow id="speed">
        {(ids) => (
          <>
            {limit === null ? null : (
              <NumberInput
                ids={ids}
                label={words.speedLabel}
                value={limit / MEGABYTE}
                min={0.01}
                max={10_000}
                step={0.5}
                digits={2}
                unit={words.speedUnit}
                onChange={(megabytes) => save('speed', { bytesPerSecond: Math.round(megabytes * MEGABYTE) })}
              />
            )}
            <Switch ids={ids} value={limit !== null} onChange={(on) => save('speed', { bytesPerSecond: on ? FIRST_LIMIT_BYTES : null })} />
          </>
        )}
      </SettingRow>
      <ProxyRow settings={settings} />
    </>
  )
}

function ProxyRow({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useSaveSetting()
  const errorId = useId()
  const saved = settings.proxy
  // Choosing "Address" only opens the field; until a usable address is in it, the old setting stays in effect.
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
    <SettingRow id="proxy" note={<FieldError id={errorId} text={fault} {...(fault === null ? {} : { more: words.oldStays(inUse) })} />}>
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
            <TextInput
              ids={ids}
              label={words.proxyLabel}
              value={draft.text}
              placeholder="http://proxy:3128"
              ltr
              error={fault}
              errorId={errorId}
              onChange={draft.edit}
              onBlur={() => draft.leave(!read.ok)}
            />
          ) : null}
        </span>
      )}
    </SettingRow>
  )
}
