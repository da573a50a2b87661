// What another user of the machine, or a careless environment, could do to the command line as a process:
// open its debugger by a signal, turn off certificate checks, read its files, replace its folders, and flood
// its socket.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer as createTls } from 'node:https'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { takeEnvironment } from '../../src-main/platform/account/key-and-address.ts'
import { connectControl, createControlServer } from '../../src-main/platform/host/control-socket.ts'
import { createPlace } from '../scenario/cli-process.ts'
import { createService } from '../service/service.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../unit/api/certificate.ts'
import { endpointIn } from '../world/control-peer.ts'

const isPosix = process.platform !== 'win32'

function everyPath(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name)))
}

describe.runIf(isPosix)('another user', () => {
  it('can read and write nothing in the data folder, whatever the umask', async () => {
    const service = await createService({ plan: 'pro' })
    try {
      for (const umask of [0o000, 0o277]) {
        const place = createPlace()
        const before = process.umask(umask)
        // The process inherits the umask when it is started.
        const running = place.start(['watch', place.folder], {
          url: service.url,
          env: { SLIPWAY_API_KEY: service.key },
        })
        process.umask(before)
        try {
          place.write('a.txt', `content ${umask}`)
          await running.says('/download/')
          const paths = [place.data, ...everyPath(place.data)]
          expect(paths.some((path) => path.endsWith('journal.db-wal'))).toBe(true)
          const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0)
          expect(open.map((path) => `${path} ${(statSync(path).mode & 0o777).toString(8)}`)).toEqual([])
        } finally {
          running.child.kill('SIGINT')
          await running.ended
          place.remove()
        }
      }
    } finally {
      await service.close()
    }
  })

  it('is told about by doctor if they can replace the data folder', async () => {
    const service = await createService({ plan: 'pro' })
    const place = createPlace()
    try {
      const shared = join(place.home, 'shared')
      mkdirSync(shared)
      chmodSync(shared, 0o777)
      const env = { SLIPWAY_API_KEY: service.key, SLIPWAY_DATA_DIR: join(shared, 'data') }
      expect((await place.run(['doctor'], { url: service.url, env })).out).toContain(
        `they can replace what is in ${shared} (mode 0777`,
      )
      chmodSync(shared, 0o1777)
      expect((await place.run(['doctor'], { url: service.url, env })).out).not.toContain('can replace')
    } finally {
      place.remove()
      await service.close()
    }
  })

  it('gets no debugger: SIGUSR1 opens none, and the command goes on', async () => {
    const service = await createService({ plan: 'pro' })
    const place = createPlace()
    const running = place.start(['watch', place.folder], {
      url: service.url,
      env: { SLIPWAY_API_KEY: service.key },
    })
    try {
      place.write('first.txt', 'first')
      await running.says('/download/')
      for (let i = 0; i < 5; i++) running.child.kill('SIGUSR1')
      place.write('second.txt', 'second')
      await running.lines(2)
      expect(service.ledger.live().map((file) => file.filename)).toEqual(['first.txt', 'second.txt'])
    } finally {
      running.child.kill('SIGINT')
      const { err } = await running.ended
      expect(err).not.toMatch(/debugger/i)
      place.remove()
      await service.close()
    }
  })
})

it('no program that this one starts inherits the key', () => {
  const env: Record<string, string | undefined> = { SLIPWAY_API_KEY: ' sk-1 ', OTHER: 'x' }
  expect(takeEnvironment(env).apiKey).toBe('sk-1')
  expect(env).toEqual({ OTHER: 'x' })
})

it('an environment that turns off certificate checks is ignored, and the user is told', async () => {
  const asked: string[] = []
  const server = createTls({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (request, response) => {
    asked.push(request.headers.authorization ?? '')
    response.end('{"success":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  const place = createPlace()
  try {
    const { err, code } = await place.run(['stats'], {
      url: `https://localhost:${port}`,
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    })
    expect(asked).toEqual([])
    expect(code).not.toBe(0)
    expect(err).toContain('slipway: NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored')
    expect(err).toContain('certificate')
  } finally {
    server.closeAllConnections()
    server.close()
    place.remove()
  }
})

it('a flood of connections to the control socket uses up no descriptors, and the engine still answers', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-attack-'))
  const endpoint = endpointIn(dir)
  const handle = async (): Promise<string> => 'answered'
  const server = await createControlServer({
    endpoint,
    version: 1,
    handle,
    tooLong: null,
    onClients: () => undefined,
  })
  const flood: Socket[] = []
  onTestFinished(async () => {
    for (const socket of flood) socket.destroy()
    await server.close()
    rmSync(dir, { recursive: true, force: true })
  })
  let closed = 0
  for (let i = 0; i < 300; i++) {
    const socket = createConnection(endpoint.path)
    socket.on('error', () => undefined).on('close', () => closed++)
    flood.push(socket)
    // Some stay silent, some begin a line that never ends.
    if (i % 2 === 0) socket.write('x')
  }
  // Without a limit, all of them would stay until their time to prove themselves is over, and then end
  // together.
  await expect.poll(() => closed).toBe(268)
  const engine = await connectControl({ endpoint, version: 1, timeoutMs: 10_000 })
  expect(await engine?.call('anything', {})).toBe('answered')
  await engine?.close()
})
