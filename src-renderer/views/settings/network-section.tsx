// The Network section sets the number of simultaneous uploads, a speed limit for all uploads together, and
// the proxy. proxy-row.tsx contains the rows for the proxy.
import type { ReactNode } from 'react'
import { NumberInput } from '../../components/number-input.tsx'
import { Switch } from '../../components/switch.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { ProxyRow } from './proxy-row.tsx'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useSaveSetting } from './use-save-setting.ts'

const MEGABYTE = 1_000_000
/** The initial speed limit when the user turns it on, in bytes per second. */
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
            <Switch
              ids={ids}
              value={limit !== null}
              onChange={(on) => save('speed', { bytesPerSecond: on ? FIRST_LIMIT_BYTES : null })}
            />
          </>
        )}
      </SettingRow>
      <ProxyRow settings={settings} />
    </>
  )
}
