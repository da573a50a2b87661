// The rows about updates show the progress of an update, its release notes and the next step, and have a
// switch for automatic checks. If Slipway can't update itself, a text explains why.
import type { ReactNode } from 'react'
import type { UpdateAction, UpdateStep, UpdateView } from '../../../src-shared/update.ts'
import { Button } from '../../components/button.tsx'
import { Meter } from '../../components/meter.tsx'
import { Switch } from '../../components/switch.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import type { Words } from '../../lib/words.ts'
import { call } from '../../state/client.ts'
import { valueOrNotice } from '../../state/notices.ts'
import { useApp } from '../../state/store.ts'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useSaveSetting } from './use-save-setting.ts'

export function UpdateRows({ settings }: SectionProps): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView.update
  const save = useSaveSetting()
  const update = useApp((state) => state.update)
  const now = useNow(30_000)
  if (update === null) return null
  const { step } = update
  const isOwn = !['no-source', 'manager', 'portable'].includes(step.at)
  const act = async (action: UpdateAction): Promise<void> => {
    await valueOrNotice({ t, f }, call('update', { action }), 'update')
  }
  return (
    <>
      <SettingRow id="updates" wide note={<UpdateNotes step={step} />}>
        {() => (
          <div className="settings-update">
            {/* The text isn't a live region while downloading, so that screen readers don't announce every percent. */}
            <p
              className={step.at === 'failed' ? 'settings-update-fault' : undefined}
              role={step.at === 'downloading' ? undefined : 'status'}
            >
              {updateWords(update, { t, f }, now)}
            </p>
            {step.at === 'downloading' ? (
              <Meter
                label={words.progress}
                value={step.received / step.bytes}
                words={`${f.bytes(step.received)} / ${f.bytes(step.bytes)}`}
                role="progressbar"
              />
            ) : null}
            {nextActions(step).map((action) => (
              <Button
                key={action}
                variant={action === 'install' ? 'primary' : 'plain'}
                onPress={() => void act(action)}
              >
                {words[action]}
              </Button>
            ))}
          </div>
        )}
      </SettingRow>
      {isOwn ? (
        <SettingRow id="checkUpdates">
          {(ids) => (
            <Switch
              ids={ids}
              value={settings.checkUpdates}
              onChange={(checkUpdates) => save('checkUpdates', { checkUpdates })}
            />
          )}
        </SettingRow>
      ) : null}
    </>
  )
}

function UpdateNotes({ step }: { readonly step: UpdateStep }): ReactNode {
  const { t } = useLanguage()
  if (!('notes' in step) || step.notes === '') return null
  const title = t.settingsView.update.whatsNew
  return (
    <>
      <p className="settings-row-hint">{title}</p>
      <pre className="settings-update-notes selectable" aria-label={title} tabIndex={0}>
        {step.notes}
      </pre>
    </>
  )
}

function nextActions(step: UpdateStep): readonly UpdateAction[] {
  switch (step.at) {
    case 'idle':
    case 'failed':
      return ['check']
    case 'available':
      return ['download']
    case 'downloading':
      return ['cancel']
    case 'ready':
      return [step.waits ? 'cancel' : 'install']
    default:
      return []
  }
}

/** Returns the sentences that describe the current state. */
function updateWords({ step, checkedAt, updatedFrom }: UpdateView, { t, f }: Words, now: number): string {
  const words = t.settingsView.update
  switch (step.at) {
    case 'no-source':
      return words.noSource
    case 'manager':
      return step.manager === 'organization'
        ? t.settingsView.managed
        : words.manager(words.managers[step.manager])
    case 'portable':
      return words.portable
    case 'idle': {
      const from = updatedFrom === null ? [] : [words.updatedFrom(updatedFrom)]
      if (step.staged !== null) return [...from, words.staged(step.staged)].join(' ')
      return [...from, checkedAt === null ? words.never : words.upToDate(f.agoInside(checkedAt, now))].join(
        ' ',
      )
    }
    case 'checking':
      return words.checking
    case 'available':
      return words.available(step.version, f.bytes(step.bytes))
    case 'downloading':
      return words.downloading(step.version, f.bytes(step.received), f.bytes(step.bytes))
    case 'ready':
      return step.waits ? words.waits(step.version) : words.ready(step.version)
    case 'installing':
      return words.installing(step.version)
    case 'failed':
      return words.faults[step.fault]
    default:
      return step satisfies never
  }
}
