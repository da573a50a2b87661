// A service that points inside: links in its list, in its receipts and behind redirects lead to addresses
// that only this computer reaches. Nothing is requested there. Links to other places of the internet, and to
// those that own uploads have shown, go on working.
import dns from 'node:dns'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { LinkReach, networkOf } from '../../src-main/api/link-reach.ts'
import { chooseProxy, proxyOf } from '../../src-main/api/proxy.ts'
import type { ApiClientOptions } from '../../src-main/api/types.ts'
import { apiFactory } from '../../src-main/platform/host/engine-host.ts'
import { createPlace } from '../scenario/cli-process.ts'
import { listening } from '../scenario/front.ts'
import { client, failureOf, httpServer, jsonServer, SMALL, valueOf } from '../unit/api/servers.ts'

afterEach(() => vi.restoreAllMocks())

it.each([
  ['127.0.0.1', 'here'],
  ['127.255.1.2', 'here'],
  ['::1', 'here'],
  ['::ffff:127.0.0.1', 'here'],
  ['64:ff9b::7f00:1', 'here'],
  ['2002:7f00:1::', 'here'],
  ['10.0.0.1', 'local'],
  ['172.16.0.1', 'local'],
  ['172.31.255.255', 'local'],
  ['172.32.0.1', 'outside'],
  ['192.168.1.1', 'local'],
  ['100.64.0.1', 'local'],
  ['fd12::1', 'local'],
  ['::ffff:c0a8:101', 'local'],
  ['::ffff:0:10.1.2.3', 'local'],
  ['64:ff9b::a00:1', 'local'],
  ['64:ff9b:1::7f00:1', 'local'],
  ['2002:c0a8:101::1', 'local'],
  ['169.254.169.254', 'link'],
  ['::ffff:169.254.169.254', 'link'],
  ['fe80::1', 'link'],
  ['0.0.0.0', 'never'],
  ['::', 'never'],
  ['255.255.255.255', 'never'],
  ['224.0.0.1', 'never'],
  ['ff02::1', 'never'],
  ['8.8.8.8', 'outside'],
  ['64:ff9b::808:808', 'outside'],
  ['2606:4700::1', 'outside'],
])('%s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

/** An address that no network is inside of. */
const OUTSIDE = '203.0.113.7'
const INSIDE = [
  '127.0.0.1',
  'localhost:8080',
  'a.localhost',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[::ffff:169.254.169.254]',
  '169.254.169.254',
  '10.1.2.3',
  'router',
  'nas.local',
  'vault.internal',
  '0.0.0.0',
]

describe('from a service on the internet', () => {
  const reach = new LinkReach('https://files.example.com/api/v1', {
    learned: { read: () => ['https://10.1.2.3'], add: () => undefined },
  })
  it.each(INSIDE)('no link leads to %s, and no redirect', (host) => {
    const link = new URL(`https://${host}/x`)
    expect(reach.fault(link, null)).not.toBeNull()
    expect(reach.fault(link, new URL('https://cdn.example.net/x'))).not.toBeNull()
  })

  it.each([
    ['https://files.example.com/download/a', true],
    ['https://cdn.example.net/a', true],
    [`https://${OUTSIDE}/a`, true],
    ['http://cdn.example.net/a', false],
    ['https://user:pass@cdn.example.net/a', false],
  ])('%s is followed: %s', (link, isFollowed) => {
    expect(reach.fault(new URL(link), null) === null).toBe(isFollowed)
  })

  it('a redirect never leads from https to http, and one from http to https does no harm', () => {
    const plain = new LinkReach('http://files.example.com/api/v1')
    expect(plain.fault(new URL('http://cdn.example.net/'), null)).toBeNull()
    expect(plain.fault(new URL('https://cdn.example.net/'), new URL('http://cdn.example.net/'))).toBeNull()
    expect(plain.fault(new URL('http://cdn.example.net/'), new URL('https://cdn.example.net/'))).toContain(
      'plain http',
    )
  })

  it('a name that leads inside is refused when it is resolved, and nothing is sent', async () => {
    const asked: string[] = []
    const port = await httpServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('secret')
    })
    vi.spyOn(dns, 'lookup').mockImplementation(((
      host: string,
      _options: unknown,
      done: (...given: unknown[]) => void,
    ) => done(null, [{ address: host === OUTSIDE ? host : '127.0.0.1', family: 4 }])) as never)
    const api = client(`https://${OUTSIDE}/api/v1`)
    const plain = client(`http://${OUTSIDE}/api/v1`)
    for (const one of [api, plain])
      failureOf(await one.download(`http://rebound.example:${port}/x`, () => undefined), 'redirect')
    expect(asked).toEqual([])
  })
})

describe('from a service on the local network', () => {
  const [SERVICE, NAS] = ['nas.local', '192.168.1.2']

  it.each<[string, readonly string[]]>([
    ['the name of this computer', ['127.0.1.1']],
    ['a name with a second address', [NAS, '127.0.0.1']],
    ['a name that leads to the metadata of a cloud', ['169.254.169.254']],
  ])('%s leads no link to another network', async (_what, addresses) => {
    vi.spyOn(dns, 'lookup').mockImplementation(((
      host: string,
      _options: unknown,
      done: (...given: unknown[]) => void,
    ) =>
      done(
        null,
        (host === SERVICE ? [NAS] : addresses).map((address) => ({ address, family: 4 })),
      )) as never)
    const links = ['laptop', 'laptop.lan', 'cdn.example.net'].map((name) => `http://${name}:631`)
    const reach = new LinkReach(`http://${SERVICE}/api/v1`, {
      learned: { read: () => links, add: () => undefined },
    })
    for (const link of links) {
      expect(reach.fault(new URL(link), null)).toBeNull()
      const lookup = reach.lookupOf(new URL(link))
      expect(lookup, 'a name is judged by where it leads').toBeDefined()
      const found = await new Promise((resolve) =>
        lookup?.(new URL(link).hostname, { all: true }, (error, all) => resolve(error === null ? all : [])),
      )
      expect(found).toEqual(addresses.filter((one) => one === NAS).map((address) => ({ address, family: 4 })))
    }
  })
})

describe('from a service on this computer', () => {
  const learning = (): ApiClientOptions['links'] => {
    const known: string[] = []
    return { learned: { read: () => known, add: (origin) => void known.push(origin) } }
  }

  it('a link leads elsewhere on it only once an own upload has got one there', async () => {
    const elsewhere = await jsonServer('the file')
    const link = `http://127.0.0.1:${elsewhere}/d/1`
    const service = await jsonServer({
      success: true,
      file_id: 1,
      public_link: link,
      size: 3,
      filename: 'a.txt',
    })
    const api = client(service, { links: learning() ?? {} })
    failureOf(await api.download(link, () => undefined), 'redirect')
    valueOf(await api.file('1'))
    failureOf(await api.download(link, () => undefined), 'redirect')
    valueOf(await api.upload(SMALL))
    expect(valueOf(await api.download(link, () => undefined))).toBe(8)
  })

  it('neither does a redirect from its own links', async () => {
    const asked: string[] = []
    const inside = await httpServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('secret')
    })
    const service = await httpServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inside}/x` }).end(),
    )
    const api = client(service, { links: learning() ?? {} })
    failureOf(await api.download(`http://127.0.0.1:${service}/d/1`, () => undefined), 'redirect')
    expect(asked).toEqual([])
  })
})

it('a proxy of the environment is never gone around, whatever it is', () => {
  const proxies = proxyOf({ ALL_PROXY: 'ftp://proxy.example:21' })
  for (const url of ['http://files.example.com', 'https://files.example.com'])
    expect(chooseProxy(new URL(url), proxies)).toMatchObject({ kind: 'unusable' })
})

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
])(
  'an answer in %s that expands to more than a response may have is not read',
  async (encoding, compress) => {
    const answer = JSON.stringify({ success: true, plan: 'pro', stats: {}, limits: {} })
    const small = compress(Buffer.from(answer))
    const bomb = compress(Buffer.from(answer + ' '.repeat(4 * 1024 * 1024)))
    expect(bomb.length).toBeLessThan(16 * 1024)
    let body = small
    let status = 200
    const port = await httpServer((_request, response) =>
      response.writeHead(status, { 'content-encoding': encoding }).end(body),
    )
    const api = client(port)
    expect(valueOf(await api.stats()).plan).toBe('pro')
    body = bomb
    expect(failureOf(await api.stats(), 'garbage').message).toContain("can't be decompressed")
    status = 500
    expect(failureOf(await api.stats(), 'status').message).toBe('The service answered 500.')
  },
)

it('where a policy fixes the address, links lead nowhere else, unless it names where', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-attack-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(dir, { recursive: true })
  })
  const service = await jsonServer('the file')
  const elsewhere = await jsonServer('the file')
  const policy = (more: object): void =>
    writeFileSync(
      join(dir, 'policy.json'),
      JSON.stringify({ address: `http://127.0.0.1:${service}`, ...more }),
      { mode: 0o644 },
    )
  policy({})
  vi.stubEnv('SLIPWAY_POLICY', join(dir, 'policy.json'))
  const { currentPolicy } = await import('../../src-main/platform/data/policy.ts')
  await expect.poll(() => currentPolicy().address).toBe(`http://127.0.0.1:${service}/api/v1`)
  const api = apiFactory({ http: null, https: null, noProxy: null })(
    `http://127.0.0.1:${service}/api/v1`,
    () => 'sk-a-key',
  )
  onTestFinished(() => api.close())
  expect(valueOf(await api.download(`http://127.0.0.1:${service}/d`, () => undefined))).toBe(8)
  expect(
    failureOf(await api.download(`http://127.0.0.1:${elsewhere}/d`, () => undefined), 'redirect').message,
  ).toContain('organization')
  policy({ links: [`http://127.0.0.1:${elsewhere}`] })
  await expect.poll(() => currentPolicy().links).toEqual([`http://127.0.0.1:${elsewhere}`])
  expect(valueOf(await api.download(`http://127.0.0.1:${elsewhere}/d`, () => undefined))).toBe(8)
})

it('the built program asks no other server of this computer, directly or by redirect, for a list of files that look like own ones', async () => {
  const asked: string[] = []
  const content = 'the same size'
  const inside = await listening(
    createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end(content)
    }),
  )
  const place = createPlace()
  const origin = new URL(inside.url).origin
  const json = (value: unknown): string => JSON.stringify({ success: true, ...(value as object) })
  let uploads = 0
  const redirected: string[] = []
  const service = await listening(
    createServer((request, response) => {
      const own = `http://${request.headers.host}`
      const names = ['a.txt', 'b.txt']
      const files = names.map((filename, i) => ({
        file_id: i + 1,
        filename,
        size: content.length,
        upload_date: '2026-01-01 00:00:00',
        download_count: 0,
        public_link: i === 0 ? `${origin}/admin/${filename}` : `${own}/download/${filename}`,
      }))
      if (request.url?.startsWith('/download/') === true) {
        redirected.push(request.url)
        response.writeHead(302, { location: `${origin}/moved${request.url}` }).end()
        return
      }
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json')
        if (request.method === 'POST') {
          uploads++
          response.end(
            json({
              file_id: 100 + uploads,
              public_link: `${own}/download/${uploads}`,
              size: content.length,
              filename: 'x',
            }),
          )
        } else if (request.url?.endsWith('/stats') === true)
          response.end(
            json({
              stats: { total_files: 2, total_size: 26 },
              limits: { max_file_size: 1e9, daily_uploads: 1000 },
              plan: 'pro',
            }),
          )
        else if (/\/files\/\d+/.test(request.url ?? ''))
          response.end(
            json({ file: files[Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 1) - 1] ?? files[0] }),
          )
        else response.end(json({ files, pagination: { page: 1, limit: 100, total: 2, pages: 1 } }))
      })
    }),
  )
  try {
    for (const name of ['a.txt', 'b.txt']) place.write(name, content)
    await place.run(['watch', '--once', place.folder, '--max-wait', '10s'], { url: service.url })
    expect(redirected.length, 'the files were compared with those of the list').toBeGreaterThan(0)
    expect(asked).toEqual([])
  } finally {
    await service.close()
    await inside.close()
    place.remove()
  }
})
