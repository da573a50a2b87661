// The logins of proxies in the main thread: where they are kept, which proxy gets which, and what the window
// is shown. unit/api/proxy-and-tls tests how they are sent.
import { describe, expect, it } from 'vitest'
import type { KeychainAnswer, KeychainCall } from '../../../src-main/platform/account/keychain.ts'
import { ProxyLogins } from '../../../src-main/shell/engine/proxy-logins.ts'
import type { ProxyLoginView } from '../../../src-shared/computer.ts'

const PROXY = 'http://proxy.example:3128'
const ADA = { name: 'ada', password: 'p@ss "wörd"' }

/**
 * Logins with a fake keychain, as after a start. `keychain.state` is how it answers; with `mute`, its calls
 * time out.
 */
function open(entries = new Map<string, string>()) {
  const keychain = { state: 'open' as 'open' | 'locked' | 'mute', calls: 0 }
  const views: ProxyLoginView[] = []
  let entered = 0
  const answer = (request: KeychainCall): KeychainAnswer | null => {
    keychain.calls++
    if (keychain.state === 'mute') return null
    if (keychain.state === 'locked') return { ok: false, error: 'IsLocked' }
    if (request.op === 'get')
      return { ok: true, secret: entries.get(request.account) ?? null, existed: false }
    const existed = entries.delete(request.account)
    if (request.op === 'set') entries.set(request.account, request.secret)
    return { ok: true, secret: null, existed }
  }
  const logins = new ProxyLogins({
    callKeychain: async (request) => answer(request),
    changed: (view) => views.push(view),
    entered: () => entered++,
  })
  return { logins, entries, keychain, views, entered: () => entered }
}

describe('a login', () => {
  it('is kept in the keychain, and found there by the next start', async () => {
    const first = open()
    expect(await first.logins.find(PROXY)).toBeNull()
    expect(await first.logins.enter(PROXY, ADA)).toEqual({
      proxy: PROXY,
      name: 'ada',
      kept: 'keychain',
      refused: false,
    })
    expect(first.entered()).toBe(1)
    expect(await first.logins.find(PROXY)).toEqual(ADA)
    const second = open(first.entries)
    expect(await second.logins.find(PROXY)).toEqual(ADA)
    expect(second.logins.view()).toEqual({ proxy: PROXY, name: 'ada', kept: 'keychain', refused: false })
  })

  it('is given to no other proxy', async () => {
    const { logins } = open()
    await logins.enter(PROXY, ADA)
    for (const other of [
      'http://proxy.example:3129',
      'https://proxy.example:3128',
      'http://other-proxy.example:3128',
    ])
      expect(await logins.find(other)).toBeNull()
  })

  it.each(['locked', 'mute'] as const)('stays in memory if the keychain is %s', async (state) => {
    const { logins, keychain, entries } = open()
    keychain.state = state
    expect(await logins.enter(PROXY, ADA)).toMatchObject({ name: 'ada', kept: 'session' })
    expect(await logins.find(PROXY)).toEqual(ADA)
    expect(entries.size).toBe(0)
  })

  it('is found once the keychain was unlocked', async () => {
    const { logins, keychain, entries } = open()
    entries.set(`proxy ${PROXY}`, JSON.stringify(ADA))
    keychain.state = 'locked'
    expect(await logins.find(PROXY)).toBeNull()
    keychain.state = 'open'
    expect(await logins.find(PROXY)).toEqual(ADA)
  })

  it('is read from the keychain only once', async () => {
    const { logins, keychain } = open()
    await Promise.all([logins.find(PROXY), logins.find(PROXY), logins.find(PROXY)])
    await logins.find(PROXY)
    expect(keychain.calls).toBe(1)
  })

  it.each(['', 'sk-a-key', '[]', 'null', '{"name":1,"password":"x"}', '{"name":"ada"}'])(
    'that is damaged is none: %s',
    async (secret) => {
      const { logins } = open(new Map([[`proxy ${PROXY}`, secret]]))
      expect(await logins.find(PROXY)).toBeNull()
      expect(logins.view()).toMatchObject({ name: null, kept: null })
    },
  )

  it('is removed from the keychain and from memory', async () => {
    const { logins, entries, entered } = open()
    await logins.enter(PROXY, ADA)
    expect(await logins.enter(PROXY, { name: '', password: '' })).toEqual({
      proxy: PROXY,
      name: null,
      kept: null,
      refused: false,
    })
    expect(entries.size).toBe(0)
    expect(await logins.find(PROXY)).toBeNull()
    expect(entered()).toBe(2)
  })
})

describe('a removal that fails', () => {
  it.each(['locked', 'mute'] as const)('leaves the login as it is if the keychain is %s', async (state) => {
    const { logins, keychain, entered } = open()
    await logins.enter(PROXY, ADA)
    keychain.state = state
    expect(await logins.enter(PROXY, { name: '', password: '' })).toBeNull()
    expect(logins.view()).toMatchObject({ name: 'ada', kept: 'keychain' })
    expect(await logins.find(PROXY)).toEqual(ADA)
    expect(entered()).toBe(1)
  })

  it('still removes a login that is only in memory', async () => {
    const { logins, keychain } = open()
    keychain.state = 'locked'
    await logins.enter(PROXY, ADA)
    expect(await logins.enter(PROXY, { name: '', password: '' })).toMatchObject({ name: null, kept: null })
  })
})

describe('a refusal', () => {
  it('is shown until the user enters another login, and belongs to its proxy', async () => {
    const { logins, views } = open()
    await logins.find(PROXY)
    logins.refused(PROXY, null)
    logins.refused(PROXY, null)
    await logins.find(PROXY)
    expect(views).toEqual([
      { proxy: PROXY, name: null, kept: null, refused: false },
      { proxy: PROXY, name: null, kept: null, refused: true },
    ])
    await logins.enter(PROXY, ADA)
    expect(logins.view().refused).toBe(false)
    logins.refused(PROXY, ADA)
    await logins.find(PROXY)
    expect(logins.view()).toEqual({ proxy: PROXY, name: 'ada', kept: 'keychain', refused: true })
    await logins.find('http://other.example:3128')
    expect(logins.view()).toEqual({
      proxy: 'http://other.example:3128',
      name: null,
      kept: null,
      refused: false,
    })
  })

  it('of a request that was sent before the user entered another login is ignored', async () => {
    const { logins } = open()
    await logins.enter(PROXY, ADA)
    const next = { name: 'ada', password: 'next' }
    logins.refused(PROXY, ADA)
    await logins.enter(PROXY, next)
    for (const old of [ADA, null]) logins.refused(PROXY, old)
    await logins.find(PROXY)
    expect(logins.view()).toEqual({ proxy: PROXY, name: 'ada', kept: 'keychain', refused: false })
    logins.refused(PROXY, next)
    await logins.find(PROXY)
    expect(logins.view().refused).toBe(true)
  })

  it('of a login that is part of the address is shown', async () => {
    const { logins } = open()
    logins.refused(PROXY, ADA)
    await expect.poll(() => logins.view()).toMatchObject({ proxy: PROXY, refused: true })
  })

  it('shows the page no password', async () => {
    const { logins, views } = open()
    await logins.enter(PROXY, ADA)
    logins.refused(PROXY, ADA)
    await logins.find(PROXY)
    expect(JSON.stringify([views, logins.view()])).not.toContain('wörd')
  })
})
