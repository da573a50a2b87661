// A service that can be reached only through a proxy: entering the proxy's address before the first
// connection, and signing in to it. The password is kept in the keychain, and asked for again once the proxy
// rejects it.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { banner, command, fileRow } from './hands.ts'
import { keyringSession } from './keyring.ts'
import { dropFiles, KEY, makeFiles, NO_KEYCHAIN, type Slipway } from './slipway.ts'

/** Only the proxy can resolve this name. */
const HOST = 'files.invalid'

interface TestProxy {
  readonly port: number
  /** `name:password`; null if the proxy requires no login. */
  login: string | null
  close(): void
}

async function openProxy(s: Slipway, login: string | null): Promise<TestProxy> {
  const { port } = new URL(s.service.url)
  const server = createServer((asked, answer) => {
    const { 'proxy-authorization': given, ...headers } = asked.headers
    if (proxy.login !== null && given !== `Basic ${Buffer.from(proxy.login).toString('base64')}`) {
      answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="office"' }).end()
      return
    }
    const { host, pathname, search } = new URL(asked.url ?? '')
    if (host !== `${HOST}:${port}`) {
      answer.writeHead(502).end()
      return
    }
    const forwarded = request(
      { port, path: `${pathname}${search}`, method: asked.method, headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      },
    )
    asked.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy = {
    port: (server.address() as AddressInfo).port,
    login,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

const connect = (s: Slipway) => s.page.getByRole('button', { name: 'Connect', exact: true }).click()
const dialog = (s: Slipway) => s.page.getByRole('dialog', { name: 'Proxy' })
const closeDialog = (s: Slipway) => dialog(s).getByRole('button', { name: 'Close' }).last().click()

/** Enters address and key, fails to connect directly, and enters the proxy's address. */
async function reachProxy(s: Slipway, { port }: TestProxy): Promise<void> {
  await s.page.getByLabel('Service address').fill(`http://${HOST}:${new URL(s.service.url).port}`)
  await s.page.getByLabel('API key', { exact: true }).fill(KEY)
  await s.page.keyboard.press('Enter')
  await s.page.getByRole('checkbox').check({ force: true })
  await connect(s)
  await s.page.getByRole('button', { name: 'Proxy settings…' }).click()
  await dialog(s).getByText('Address', { exact: true }).click()
  await dialog(s).getByLabel('Proxy address').fill(`127.0.0.1:${port}`)
}

async function signIn(s: Slipway, name: string, password: string): Promise<void> {
  await dialog(s).getByLabel('User name').fill(name)
  await dialog(s).getByLabel('Password').fill(password)
  await dialog(s).getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog(s).getByText('In the system keychain')).toBeVisible()
}

test('the address of a proxy can be entered before the first connection', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN, service: { key: KEY } })
  const proxy = await openProxy(s, null)
  try {
    await reachProxy(s, proxy)
    await closeDialog(s)
    await connect(s)
    await expect(s.page.getByRole('button', { name: 'Use until Slipway quits' })).toBeVisible()
  } finally {
    proxy.close()
  }
})

test('a proxy that requires a password gets it from the keychain, and asks for another one when it changes', async ({
  slipway,
}) => {
  test.skip(process.platform !== 'linux', 'the keychains of other systems are the user’s own')
  const session = await keyringSession()
  const s = await slipway({ as: 'fresh', env: session.env, service: { key: KEY } })
  const proxy = await openProxy(s, 'ada:p@ss wörd')
  try {
    await reachProxy(s, proxy)
    await closeDialog(s)
    await connect(s)
    const failure = s.page
      .getByRole('alert')
      .filter({ hasText: 'The proxy requires a user name and password.' })
    await expect(failure).toBeVisible()
    await s.page.getByRole('button', { name: 'Proxy settings…' }).click()
    await signIn(s, 'ada', 'wrong')
    await closeDialog(s)
    await connect(s)
    await expect(failure).toBeVisible()
    await s.page.getByRole('button', { name: 'Proxy settings…' }).click()
    await expect(dialog(s).getByText('This proxy rejected the user name or password:')).toBeVisible()
    await expect(dialog(s).getByLabel('User name')).toHaveValue('ada')
    await signIn(s, 'ada', 'p@ss wörd')
    await closeDialog(s)
    await connect(s)
    await s.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await s.page.getByRole('button', { name: 'Skip for now' }).click()

    const again = await s.restart()
    const desk = makeFiles(again.home, 'desk', { 'first.txt': '1', 'second.txt': '2' })
    await dropFiles(again.page, [join(desk, 'first.txt')])
    await expect(fileRow(again.page, 'first.txt')).toBeVisible()

    proxy.login = 'ada:next'
    await dropFiles(again.page, [join(desk, 'second.txt')])
    const told = banner(
      again.page,
      `The proxy http://127.0.0.1:${proxy.port} requires a user name and password.`,
    )
    await told.getByRole('button', { name: 'Sign in…' }).click()
    await signIn(again, 'ada', 'next')
    await closeDialog(again)
    await expect(fileRow(again.page, 'second.txt')).toBeVisible()
    await expect(told).toBeHidden()

    await command(again.page, 'Settings')
    await again.page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('button', { name: 'Network' })
      .click()
    await expect(again.page.getByText('ada · In the system keychain')).toBeVisible()
    await again.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(again.page.getByLabel('User name')).toHaveValue('')
  } finally {
    proxy.close()
    await session.end()
  }
})
