// A certificate authority that is installed only in the system is trusted in addition to Node's. Each case
// runs in its own process, because a thread's trusted authorities stay in effect for its whole life.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../tools/tree.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../api/certificate.ts'

/**
 * Makes one request to a TLS server on this machine, as the app and the command line do, and prints why it
 * failed.
 */
const PROGRAM = `
  import { getCACertificates } from 'node:tls'
  const { apiFactory } = await import(${JSON.stringify(join(ROOT, 'src-main/platform/host/engine-host.ts'))})
  const before = getCACertificates('default').length
  const api = apiFactory({ http: null, https: null, noProxy: null })(process.env.ADDRESS, () => 'k')
  const got = await api.stats()
  await api.close()
  console.log(JSON.stringify([got.ok ? 'ok' : got.failure.kind, before > 50, getCACertificates('default').length - before]))`

async function ask(env: Readonly<Record<string, string>>): Promise<unknown> {
  const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () =>
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
    )
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: {
      ADDRESS: `https://localhost:${port}/api/v1`,
      PATH: process.env['PATH'],
      SSL_CERT_DIR: '/nowhere',
      ...env,
    },
  })
  return JSON.parse(stdout)
}

// On other systems the certificates are in a store that a test shouldn't change.
describe.runIf(process.platform === 'linux')('an authority', () => {
  it('of the system is trusted, beside those of Node', async () => {
    const dir = tempFolder()
    writeFileSync(join(dir, 'authority.pem'), TEST_CERTIFICATE)
    expect(await ask({ SSL_CERT_FILE: join(dir, 'authority.pem') })).toEqual(['status', true, 1])
  })

  it('that the system does not know is not', async () => {
    expect(await ask({ SSL_CERT_FILE: '/nowhere' })).toEqual(['connect', true, 0])
  })

  it('whose file is no certificate changes nothing', async () => {
    expect(await ask({ SSL_CERT_FILE: join(ROOT, 'package.json') })).toEqual(['connect', true, 0])
  })
})
