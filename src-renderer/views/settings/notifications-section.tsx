// The Notifications section: which notifications are shown, and a snooze, which ends automatically. A snooze
// doesn't suppress notifications about problems that stop all uploads until the user acts, or about the
// result of an action that the user has just taken.
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { call } from '../../state/client.ts'
import { valueOrNotice } from '../../state/notices.ts'
import { useApp } from '../../state/store.ts'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { ChoiceRow } from './value-rows.tsx'

const SNOOZES_MINUTES = [30, 60, 480] as const
const MINUTE_MS = 60_000

export function NotificationsSection({ settings }: SectionProps): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const now = useNow(30_000)
  const until = settings.snoozedUntil
  const areShown = useApp((state) => state.boot?.support.notifications ?? true)
  const snooze = async (minutes: number): Promise<void> => {
    // Ignore the settings in the result, which may lack later changes by the user. An event updates the
    // window's settings.
    await valueOrNotice({ t, f }, call('snooze', { minutes }))
  }
  return (
    <>
      <ChoiceRow
        id="notify"
        settings={settings}
        values={['all', 'problems', 'none']}
        words={words.notifyLevels}
        note={areShown ? null : <p className="settings-row-hint waiting">{words.notificationsAway}</p>}
      />
      <SettingRow id="snooze">
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
              {SNOOZES_MINUTES.map((minutes) => (
                <Button key={minutes} size="small" onPress={() => void snooze(minutes)}>
                  {words.snoozeFor(f.duration(minutes * MINUTE_MS))}
                </Button>
              ))}
            </span>
          )
        }
      </SettingRow>
    </>
  )
}
