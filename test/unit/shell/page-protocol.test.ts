// The window's origin from a page's perspective: the built files by name, previews by ID, the strict policy
// on every response, and nothing else from the disk. The library's only style element is compared with the
// policy that permits it.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ORIGIN,
  PREVIEW_MOST,
  previewType,
  registerScheme,
  serveWindow,
} from '../../../src-main/shell/window/page-protocol.ts'

type Handler = (request: Request) => Promise<Response>
const electron = vi.hoisted(() => ({ handler: null as Handler | null, schemes: [] as unknown[] }))
vi.mock('electron', () => ({
  protocol: {
    registerSchemesAsPrivileged: (schemes: unknown[]) => electron.schemes.push(...schemes),
    handle: (_scheme: string, handler: Handler) => {
      electron.handler = handler
    },
  },
}))

let home = ''
let preview: (id: number) => string | null = () => null
const asked: number[] = []

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'slipway-protocol-'))
  mkdirSync(join(home, 'page/assets'), { recursive: true })
  writeFileSync(join(home, 'secret.txt'), 'canary')
  writeFileSync(join(home, 'page/index.html'), '<h1>page</h1>')
  writeFileSync(join(home, 'page/assets/a b.js'), 'run()')
  writeFileSync(join(home, 'page/assets/notes.txt'), 'of no kind that a page has')
  writeFileSync(join(home, 'picture.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  symlinkSync(join(home, 'secret.txt'), join(home, 'page/assets/link.js'))
  serveWindow({
    dir: join(home, 'page'),
    preview: async (id) => {
      asked.push(id)
      return preview(id)
    },
  })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))
beforeEach(() => {
  asked.length = 0
  preview = () => null
})

async function get(path: string, init: RequestInit = {}): Promise<Response> {
  if (electron.handler === null) throw new Error('There is no handler.')
  return electron.handler(new Request(path.includes('://') ? path : `${ORIGIN}${path}`, init))
}

describe('files', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', '<h1>page</h1>'],
    ['/index.html', 'text/html; charset=utf-8', '<h1>page</h1>'],
    ['/index.html?x=../secret.txt#y', 'text/html; charset=utf-8', '<h1>page</h1>'],
  ])('%s', async (path, type, body) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      type,
      body,
    ])
  })

  it('came along at the start, and later ones are none', async () => {
    writeFileSync(join(home, 'page/later.js'), 'run()')
    expect((await get('/later.js')).status).toBe(404)
  })

  it.each([
    '/secret.txt',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/..%252f..%252fsecret.txt',
    '//secret.txt',
    '/./../secret.txt',
    '/assets',
    '/assets/',
    '/assets/notes.txt',
    '/assets/link.js',
    '/index.html/',
    '/INDEX.HTML',
    '/index.html%00.js',
    '/etc/passwd',
    '/__proto__',
    '/constructor',
  ])('not %s', async (path) => {
    const answer = await get(path)
    expect([answer.status, await answer.text()]).toEqual([404, ''])
  })

  it.each(['app://other/index.html', 'app://slipway.evil/index.html', 'app://slipway:80/index.html'])(
    'not of another host: %s',
    async (url) => {
      expect((await get(url)).status).toBe(404)
    },
  )

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('are read alone: %s', async (method) => {
    expect((await get('/index.html', { method })).status).toBe(404)
  })
})

describe('previews', () => {
  it.each([
    '/preview/',
    '/preview/x',
    '/preview/1x',
    '/preview/-1',
    '/preview/1.5',
    '/preview/1e3',
    '/preview/0x10',
    '/preview/1234567890123456',
    '/preview/1/../2/x',
    '/preview/%31',
    '/preview/1%2f..%2f..',
    '/preview/١',
    '/preview/1 ',
    '/Preview/1',
    '/preview//1',
  ])('%s asks for none', async (path) => {
    preview = () => join(home, 'picture.svg')
    const answer = await get(path)
    // A browser removes the space, which leaves a number.
    if (path.endsWith(' ')) expect(asked).toEqual([1])
    else expect([answer.status, asked]).toEqual([404, []])
  })

  it('follow no link that was put in the place of a picture', async () => {
    symlinkSync(join(home, 'secret.txt'), join(home, 'swapped.png'))
    preview = () => join(home, 'swapped.png')
    const answer = await get('/preview/7')
    expect([answer.status, await answer.text()]).toEqual([404, ''])
  })

  it('are pictures by their number, which as drawings can do nothing', async () => {
    preview = (id) => (id === 7 ? join(home, 'picture.svg') : null)
    const answer = await get('/preview/7')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toContain('<svg')
    expect((await get('/preview/8')).status).toBe(404)
    expect(asked).toEqual([7, 8])
  })

  it('of what is no picture, not there or a folder are none', async () => {
    for (const path of [join(home, 'secret.txt'), join(home, 'none.png'), '']) {
      preview = () => path
      expect((await get('/preview/1')).status).toBe(404)
    }
  })

  it('of pictures larger than a courtesy are none', async () => {
    const path = join(home, 'large.png')
    writeFileSync(path, Buffer.alloc(PREVIEW_MOST + 1))
    preview = () => path
    expect((await get('/preview/1')).status).toBe(404)
  })

  // Only Linux lists a process's open files.
  it.runIf(process.platform === 'linux')(
    'that are only asked about with HEAD leave no file open',
    async () => {
      const path = join(home, 'asked.png')
      writeFileSync(path, Buffer.alloc(PREVIEW_MOST))
      preview = () => path
      const answer = await get('/preview/1', { method: 'HEAD' })
      expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([
        200,
        'image/png',
        null,
      ])
      const open = readdirSync('/proc/self/fd').map((fd) => `/proc/self/fd/${fd}`)
      expect(open.filter((link) => existsSync(link) && readlinkSync(link) === path)).toEqual([])
    },
  )

  it.each([
    ['/a/b.PNG', 'image/png'],
    ['/a/b.jpeg', 'image/jpeg'],
    ['/a/b.svg', 'image/svg+xml'],
    ['/a/b.html', null],
    ['/a/b', null],
    ['/a/.png', null],
    ['/a/b.png.txt', null],
  ])('%s is %s', (path, type) => {
    expect(previewType(path)).toBe(type)
  })
})

describe('thumbnails', () => {
  it('come from pictures by their number; that there is none is no error', async () => {
    preview = (id) => (id === 7 ? join(home, 'picture.svg') : id === 8 ? join(home, 'none.png') : null)
    const answer = await get('/thumbnail/7')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*sandbox$/)
    expect(await answer.text()).toContain('<svg')
    expect([(await get('/thumbnail/8')).status, (await get('/thumbnail/9')).status]).toEqual([204, 204])
    expect(asked).toEqual([7, 8, 9])
  })

  it.each([
    '/thumbnail/',
    '/thumbnail/x',
    '/thumbnail/-1',
    '/thumbnail/1/../2/x',
    '/thumbnail/1234567890123456',
  ])('%s asks for none', async (path) => {
    expect([(await get(path)).status, asked]).toEqual([404, []])
  })
})

describe('the policy', () => {
  const policy = async (path: string): Promise<Record<string, string>> => {
    const text = (await get(path)).headers.get('content-security-policy') ?? ''
    return Object.fromEntries(
      text.split('; ').map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]),
    )
  }

  it.each([
    '/',
    '/index.html',
    '/assets/a%20b.js',
    '/none',
    '/preview/1',
    '/thumbnail/7',
    '/thumbnail/8',
    '/../secret.txt',
  ])('is on every answer: %s', async (path) => {
    const answer = await get(path)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('lets nothing run, load or be framed that is not ours', async () => {
    const rules = await policy('/')
    expect(rules).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'img-src': "'self'",
      'font-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    })
    expect(Object.values(rules).join(' ')).not.toMatch(/unsafe|\*|https?:|data:|blob:/)
  })

  it('lets through the one style element of the component library, by its content of today', async () => {
    const components = createRequire(import.meta.url).resolve('react-aria-components')
    const press = createRequire(components)
      .resolve('react-aria')
      .replace(/^(.*[\\/]react-aria[\\/]).*$/, '$1dist/private/interactions/usePress.mjs')
    const source = readFileSync(press, 'utf8')
    const attribute = /PRESSABLE_ATTRIBUTE = '([^']+)'/.exec(source)?.[1] ?? ''
    const [, template = ''] = /style\.textContent = `([^`]*)`\.trim\(\)/.exec(source) ?? []
    const text = template.replaceAll(/\$\{[^}]*PRESSABLE_ATTRIBUTE\}/g, attribute).trim()
    expect(text).toContain(`[${attribute}]`)
    const hash = createHash('sha256').update(text).digest('base64')
    expect((await policy('/'))['style-src']).toBe(`'self' 'sha256-${hash}'`)
    expect(dirname(press)).toContain('react-aria')
  })
})

describe('the scheme', () => {
  it('is a secure origin with fetch and streams, and may do nothing more', () => {
    registerScheme()
    expect(electron.schemes).toEqual([
      {
        scheme: 'app',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
      },
    ])
  })
})
