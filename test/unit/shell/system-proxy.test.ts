// Which proxy the engine gets with each setting, and how often Chromium is asked.
// unit/api/proxy-and-tls tests the API client with proxies.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ProxyLogin } from '../../../src-main/api/types.ts'
import { CachedLogins, createSystemProxy, proxyFor } from '../../../src-main/shell/engine/system-proxy.ts'

const ENV = { HTTPS_PROXY: 'http://env.example:3128', NO_PROXY: 'near.example' }
const ask = (): Promise<string> => Promise.resolve('DIRECT')
const logins = { find: () => Promise.resolve(null), refused: () => undefined }

describe('proxyFor', () => {
  it.each([
    [
      'system',
      ENV,
      { http: null, https: 'http://env.example:3128', noProxy: 'near.example', system: ask, logins },
    ],
    ['system', {}, { http: null, https: null, noProxy: null, system: ask, logins }],
    ['none', ENV, { http: null, https: null, noProxy: null }],
    [
      'socks5://own.example',
      ENV,
      { http: 'socks5://own.example', https: 'socks5://own.example', noProxy: 'near.example', logins },
    ],
  ])('%s with %o', (chosen, env, expected) => {
    expect(proxyFor(chosen, env, { system: ask, logins })).toEqual(expected)
  })
})

describe('the system', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is asked once for each address within 15 seconds, and again after a clock rollback', async () => {
    let now = 100_000
    const asked = vi.fn((url: string) => Promise.resolve(`PROXY ${url}`))
    const system = createSystemProxy(asked, () => now)
    expect(await Promise.all([system('a'), system('a'), system('b')])).toEqual([
      'PROXY a',
      'PROXY a',
      'PROXY b',
    ])
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
    const failed = expect(system('a')).rejects.toThrow("can't be determined")
    await vi.advanceTimersByTimeAsync(10_000)
    await failed
    void system('a').catch(() => undefined)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it("that can't say which proxy it uses is asked again the next time", async () => {
    const asked = vi.fn(() => Promise.resolve(null))
    const system = createSystemProxy(asked, () => 0)
    for (let i = 0; i < 2; i++)
      await expect(system('a')).rejects.toThrow("the system's proxy can't be determined")
    expect(asked).toHaveBeenCalledTimes(2)
  })
})

describe('logins of proxies', () => {
  const ADA: ProxyLogin = { name: 'ada', password: 'secret' }
  const open = (answers: readonly (Promise<ProxyLogin | null> | null)[]) => {
    const asked: string[] = []
    const refused: unknown[] = []
    const cached = new CachedLogins({
      find: (proxy) => {
        asked.push(proxy)
        return answers[asked.length - 1] ?? Promise.resolve(null)
      },
      refused: (...args) => refused.push(args),
    })
    return { cached, asked, refused }
  }

  it('are asked for once for each proxy, also if there is none', async () => {
    const { cached, asked } = open([Promise.resolve(ADA), Promise.resolve(null)])
    expect(
      await Promise.all([cached.find('http://a:1'), cached.find('http://a:1'), cached.find('http://b:1')]),
    ).toEqual([ADA, ADA, null])
    expect(await cached.find('http://b:1')).toBeNull()
    expect(asked).toEqual(['http://a:1', 'http://b:1'])
  })

  it('are asked for again after a refusal, and after the user entered one', async () => {
    const { cached, asked, refused } = open([
      Promise.resolve(null),
      Promise.resolve(null),
      Promise.resolve(ADA),
    ])
    await cached.find('http://a:1')
    cached.refused('http://a:1', ADA)
    expect(refused).toEqual([['http://a:1', ADA]])
    expect(await cached.find('http://a:1')).toBeNull()
    cached.forget()
    expect(await cached.find('http://a:1')).toEqual(ADA)
    expect(asked).toHaveLength(3)
  })

  it('are none for now if the main thread does not answer', async () => {
    vi.useFakeTimers()
    try {
      const { cached } = open([new Promise(() => undefined), Promise.resolve(ADA)])
      const none = cached.find('http://a:1')
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await none).toBeNull()
      expect(await cached.find('http://a:1')).toEqual(ADA)
    } finally {
      vi.useRealTimers()
    }
  })
})
