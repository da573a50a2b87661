// What the window's session lets a page load: the app's own files, and nothing of a network, whatever the
// content policy says. Electron is mocked, so this shows what Chromium is told.
import { expect, it, vi } from 'vitest'
import { lockSession } from '../../src-main/shell/window/window.ts'

type Filter = (
  details: { readonly url: string },
  answer: (response: { readonly cancel?: boolean }) => void,
) => void
const told = vi.hoisted(() => ({ filters: [] as unknown[], proxies: [] as unknown[] }))
vi.mock('electron', () => ({
  BrowserWindow: {},
  nativeTheme: {},
  protocol: {},
  screen: {},
  shell: {},
  session: {
    defaultSession: {
      on: () => undefined,
      setPermissionCheckHandler: () => undefined,
      setPermissionRequestHandler: () => undefined,
      setSpellCheckerEnabled: () => undefined,
      setProxy: (proxy: unknown) => void told.proxies.push(proxy),
      webRequest: { onBeforeRequest: (filter: unknown) => void told.filters.push(filter) },
    },
  },
}))

it.each([
  ['app://slipway/index.html', false],
  ['app://slipway/preview/7', false],
  ['blob:app://slipway/0f', false],
  ['https://evil.example/?secret', true],
  ['http://127.0.0.1:8080/', true],
  ['ws://evil.example/', true],
  ['wss://evil.example/', true],
  ['ftp://evil.example/', true],
  ['file:///etc/passwd', true],
  ['data:text/html,x', true],
  ['filesystem:app://slipway/x', true],
  ['chrome-extension://x/', true],
  ['application://x', true],
])('%s is blocked: %s', (url, isBlocked) => {
  told.filters.length = 0
  lockSession()
  const [filter] = told.filters as Filter[]
  let answer: boolean | undefined
  filter?.({ url }, ({ cancel }) => {
    answer = cancel
  })
  expect(answer).toBe(isBlocked)
})

it('what goes past these requests, such as WebRTC over TCP, gets a proxy that does not exist, for this computer as well', () => {
  told.proxies.length = 0
  lockSession()
  expect(told.proxies).toEqual([
    { mode: 'fixed_servers', proxyRules: 'http://127.0.0.1:9', proxyBypassRules: '<-loopback>' },
  ])
})
