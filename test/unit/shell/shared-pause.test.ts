// A pause of all accounts, as the settings keep it: which accounts start paused, and which keep what their
// own journal says. No engine runs, and nothing is written.
import { describe, expect, it } from 'vitest'
import {
  isPauseDue,
  type PausableSession,
  SharedPause,
} from '../../../src-main/shell/accounts/shared-pause.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import { type AppSettings, DEFAULT_APP_SETTINGS, type SettingsPatch } from '../../../src-shared/settings.ts'
import { fakeLink, GONE } from './fake-link.ts'

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

/** An account with an engine that keeps its own pause. Without `isUp`, its engine is between two threads. */
function account(id: string | null, at: { isUp: boolean; paused?: boolean } = { isUp: true }) {
  const state = { isUp: at.isUp, paused: at.paused ?? false }
  const now = (): Snapshot => ({ paused: state.paused }) as Snapshot
  let known: Snapshot | null = now()
  const answers = {
    pause: () => {
      if (!state.isUp) return GONE
      state.paused = true
      return now()
    },
    snapshot: () => (state.isUp ? now() : GONE),
  }
  const { link } = fakeLink(answers)
  const session: PausableSession = {
    id: () => id,
    link: { call: link.call, isUp: () => state.isUp },
    store: { snapshot: () => known, setSnapshot: (snapshot) => (known = snapshot) },
  }
  /** Simulates `slipway resume`: the engine resumes, and the app's snapshot is up to date. */
  const resume = (): void => {
    state.paused = false
    known = now()
  }
  return { session, state, resume }
}

describe('a pause of all accounts', () => {
  it('is due in an account that starts later, once', async () => {
    const { pause, isDue } = open()
    await pause.pauseAll([account('shown').session], false)
    expect([isDue('shown'), isDue('idle')]).toEqual([false, true])
    await pause.started(account('idle', { isUp: true, paused: true }).session)
    // The command line may have resumed it since.
    expect(isDue('idle')).toBe(false)
    expect(pause.reached()).toEqual(['shown', 'idle'])
  })

  it('stays due in an account whose engine was between two threads', async () => {
    const { pause, isDue } = open()
    const [shown, fallen] = [account('shown'), account('fallen', { isUp: false })]
    const got = await pause.pauseAll([shown.session, fallen.session], false)
    expect(got.map((one) => one.ok)).toEqual([true, false])
    expect([isDue('shown'), isDue('fallen')]).toEqual([false, true])
  })

  it('stays due there even if an earlier pause had reached it', async () => {
    const { pause, isDue } = open()
    const [shown, falls] = [account('shown'), account('falls')]
    await pause.pauseAll([shown.session, falls.session], false)
    falls.resume()
    falls.state.isUp = false
    await pause.pauseAll([shown.session, falls.session], false)
    expect([isDue('shown'), isDue('falls')]).toEqual([false, true])
  })

  it('stays due in an account whose thread was started before it and so didn’t pause', async () => {
    const { pause, isDue } = open()
    await pause.pauseAll([account('shown').session], false)
    await pause.started(account('early').session)
    expect(isDue('early')).toBe(true)
  })

  it('is due in none after it has ended', async () => {
    const { pause, isDue } = open()
    await pause.pauseAll([account('shown').session], false)
    pause.resumed()
    await pause.started(account('idle', { isUp: true, paused: true }).session)
    expect([isDue('idle'), pause.reached()]).toEqual([false, null])
  })

  it('ends once all running accounts have been resumed elsewhere', async () => {
    const { pause, isDue } = open()
    const [one, two] = [account('one'), account('two')]
    const all = [account(null).session, one.session, two.session]
    await pause.pauseAll(all, false)
    pause.endIfOver(all)
    one.resume()
    pause.endIfOver(all)
    expect(isDue('added weeks later')).toBe(true)
    two.resume()
    pause.endIfOver(all)
    expect([isDue('added weeks later'), pause.reached()]).toEqual([false, null])
  })

  it('doesn’t end while it hasn’t reached every running account', async () => {
    const { pause, isDue } = open()
    const [one, fallen] = [account('one'), account('fallen', { isUp: false })]
    const all = [one.session, fallen.session]
    await pause.pauseAll(all, false)
    one.resume()
    pause.endIfOver(all)
    fallen.state.isUp = true
    pause.endIfOver(all)
    pause.endIfOver([account(null).session])
    expect(isDue('fallen')).toBe(true)
  })

  it('is not due where no account is known yet', async () => {
    const { pause, isDue } = open()
    expect([isDue('any'), isDue(null)]).toEqual([false, false])
    await pause.pauseAll([], false)
    expect([isDue('any'), isDue(null)]).toEqual([true, false])
  })

  it('that can’t be kept is reported', async () => {
    const full = new Error('disk full')
    const { pause, failed } = open(full)
    await pause.pauseAll([], false)
    expect(failed).toEqual([full])
  })
})
