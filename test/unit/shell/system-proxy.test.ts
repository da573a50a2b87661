// Which proxy the engine gets with each setting, and how often Chromium is asked.
// unit/api/proxy-and-tls tests the API client with proxies.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSystemProxy, proxyFor } from '../../../src-main/shell/engine/system-proxy.ts'

const ENV = { HTTPS_PROXY: 'http://env.example:3128', NO_PROXY: 'near.example' }
const ask = (): Promise<string> => Promise.resolve('DIRECT')

describe('proxyFor', () => {
  it.each([
    ['system', ENV, { http: null, https: 'http://env.example:3128', noProxy: 'near.example', system: ask }],
    ['system', {}, { http: null, https: null, noProxy: null, system: ask }],
    ['none', ENV, { http: null, https: null, noProxy: null }],
    ['socks5://own.example', ENV, { http: 'socks5://own.example', https: 'socks5://own.example', noProxy: 'near.example' }],
  ])('%s with %o', (chosen, env, expected) => {
    expect(proxyFor(chosen, env, ask)).toEqual(expected)
  })
})

describe('the system', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is asked once for each address within 15 seconds, and again after a clock rollback', async () => {
    let now = 100_000
    const asked = vi.fn((url: string) => Promise.resolve(`PROXY ${url}`))
    const system = createSystemProxy(asked, () => now)
    expect(await Promise.all([system('a'), system('a'), system('b')])).toEqual(['PROXY a', 'PROXY a', 'PROXY b'])
    expect(asked).toHaveBeenCalledTimes(2)
    now += 14_999
    await system('a')
    expect(asked).toHaveBeenCalledTimes(2)
    now += 1
    await system('a')
    expect(asked).toHaveBeenCalledTimes(3)
    now -= 60_000
    await system('a')
    expect(asked).toHaveBeenCalledTimes(4)
  })

  it('that does not answer is given up after 10 seconds, and asked again the next time', async () => {
    const asked = vi.fn(() => new Promise<string>(() => undefined))
    const system = createSystemProxy(asked, () => 0)
    const failed = expect(system('a')).rejects.toThrow('no answer about the proxy')
    await vi.advanceTimersByTimeAsync(10_000)
    await failed
    void system('a').catch(() => undefined)
    expect(asked).toHaveBeenCalledTimes(2)
  })
})
