// A pause of all accounts, as the settings keep it: which accounts start paused, and which keep what their own journal says. No engine
// runs, and nothing is written.
import { describe, expect, it } from 'vitest'
import { isPauseDue, SharedPause } from '../../../src-main/shell/accounts/shared-pause.ts'
import { type AppSettings, DEFAULT_APP_SETTINGS, type SettingsPatch } from '../../../src-shared/settings.ts'

function open(refused: Error | null = null) {
  let settings: AppSettings = DEFAULT_APP_SETTINGS
  const failed: unknown[] = []
  const change = (patch: SettingsPatch): AppSettings => {
    if (refused !== null) throw refused
    settings = { ...settings, ...(patch as Partial<AppSettings>) }
    return settings
  }
  const pause = new SharedPause({ read: () => settings, change }, (error) => failed.push(error))
  return { pause, failed, isDue: (id: string | null) => isPauseDue(pause.reached(), id) }
}

describe('a pause of all accounts', () => {
  it('is due in an account that starts later, once', () => {
    const { pause, isDue } = open()
    pause.paused(['shown'])
    expect([isDue('shown'), isDue('idle')]).toEqual([false, true])
    pause.started('idle')
    // The command line may have resumed it since.
    expect(isDue('idle')).toBe(false)
    expect(pause.reached()).toEqual(['shown', 'idle'])
  })

  it('is due in none after it has ended', () => {
    const { pause, isDue } = open()
    pause.paused(['shown'])
    pause.resumed()
    pause.started('idle')
    expect([isDue('idle'), pause.reached()]).toEqual([false, null])
  })

  it('reaches more accounts when it is repeated', () => {
    const { pause } = open()
    pause.paused(['shown'])
    pause.paused(['shown', 'other'])
    expect(pause.reached()).toEqual(['shown', 'other'])
  })

  it('is not due where no account is known yet', () => {
    const { pause, isDue } = open()
    expect([isDue('any'), isDue(null)]).toEqual([false, false])
    pause.paused([])
    expect([isDue('any'), isDue(null)]).toEqual([true, false])
  })

  it('that can’t be kept is reported', () => {
    const full = new Error('disk full')
    const { pause, failed } = open(full)
    pause.paused(['shown'])
    expect(failed).toEqual([full])
  })
})
