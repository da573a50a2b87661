// The table of faults: whatever a feed, server, connection or disk does, the installed version stays
// unchanged, nothing is left behind, the window gets a reason, and the next attempt can succeed.
import { sign } from 'node:crypto'
import { mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { REAL_DISK, type UpdateDisk } from '../../../src-main/shell/updates/update-disk.ts'
import type { UpdateFault } from '../../../src-shared/update.ts'
import {
  type Answer,
  bytes,
  feedOf,
  feedServer,
  keyPair,
  type Machine,
  machine,
  PACKAGE,
  publish,
  ready,
} from './world.ts'

const FEED = '/updates.json'
const SIGNATURE = '/updates.json.sig'
const APP = '/1.3.0/slipway.AppImage'
const HTML = '<!doctype html><title>Sign in to the hotel network</title>'

/** Sends `count` bytes of the package from the requested position, then closes the connection. */
const cutAfter =
  (count: number): Answer =>
  (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': PACKAGE.length - from })
    response.write(PACKAGE.subarray(from, from + count), () => response.destroy())
    if (count === 0) response.flushHeaders()
  }

const redirect =
  (to: string): Answer =>
  (_request, response) => {
    response.writeHead(302, { location: to }).end()
  }

interface Row {
  readonly name: string
  readonly fault: UpdateFault
  /** Causes the fault after a valid feed was published. */
  readonly given: (world: Machine) => unknown
  readonly disk?: (world: Machine) => UpdateDisk
}

/** Faults found when Slipway checks. */
const CHECKS: readonly Row[] = [
  {
    name: 'no server',
    fault: 'offline',
    given: ({ server }) => server.answers.set(FEED, (request) => request.destroy()),
  },
  { name: 'no feed there', fault: 'no-feed', given: ({ server }) => server.answers.delete(FEED) },
  {
    name: 'an error of the server',
    fault: 'no-feed',
    given: ({ server }) => server.answers.set(FEED, (_q, r) => void r.writeHead(503).end('busy')),
  },
  { name: 'no signature there', fault: 'no-feed', given: ({ server }) => server.answers.delete(SIGNATURE) },
  {
    name: 'a page instead of the feed',
    fault: 'bad-signature',
    given: ({ server }) => server.answers.set(FEED, bytes(HTML)),
  },
  {
    name: 'a page instead of everything',
    fault: 'bad-signature',
    given: ({ server }) => {
      for (const path of [FEED, SIGNATURE]) server.answers.set(path, bytes(HTML))
    },
  },
  { name: 'a signed page', fault: 'not-a-feed', given: ({ server, key }) => publish(server, key, HTML) },
  {
    name: 'a signed feed of another form',
    fault: 'not-a-feed',
    given: ({ server, key }) => publish(server, key, { ...feedOf(), format: 2 }),
  },
  {
    name: 'a huge feed',
    fault: 'not-a-feed',
    given: ({ server }) => server.answers.set(FEED, bytes(Buffer.alloc(5_000_000, ' '))),
  },
  {
    name: 'a feed that ends early',
    fault: 'bad-signature',
    given: ({ server }) => server.answers.set(FEED, bytes(JSON.stringify(feedOf()).slice(0, -20))),
  },
  {
    name: 'one changed byte',
    fault: 'bad-signature',
    given: ({ server }) =>
      server.answers.set(FEED, bytes(JSON.stringify(feedOf()).replace('1.3.0', '1.3.1'))),
  },
  {
    name: 'an empty signature',
    fault: 'bad-signature',
    given: ({ server }) => server.answers.set(SIGNATURE, bytes('')),
  },
  {
    name: 'a signature of another key',
    fault: 'bad-signature',
    given: ({ server }) => publish(server, keyPair()),
  },
  {
    name: 'a signature of another feed',
    fault: 'bad-signature',
    given: ({ server, key }) => {
      const other = Buffer.from(JSON.stringify(feedOf({ version: '1.2.9' })))
      server.answers.set(SIGNATURE, bytes(sign(null, other, key.secret).toString('base64')))
    },
  },
  {
    name: 'a redirect to another server',
    fault: 'redirect',
    given: async ({ server, key }) => {
      const other = await feedServer()
      publish(other, key)
      server.answers.set(FEED, redirect(`${other.url}${FEED}`))
    },
  },
  {
    name: 'nothing for this processor',
    fault: 'no-package',
    given: ({ server, key }) => publish(server, key, feedOf({ packages: [] })),
  },
  {
    name: 'a path out of the feed’s folder',
    fault: 'not-a-feed',
    given: ({ server, key }) => {
      const [first] = feedOf().packages
      publish(server, key, { ...feedOf(), packages: [{ ...first, path: '../../elsewhere.AppImage' }] })
    },
  },
  {
    name: 'the address of another server as a path',
    fault: 'not-a-feed',
    given: ({ server, key }) => {
      const [first] = feedOf().packages
      publish(server, key, { ...feedOf(), packages: [{ ...first, path: '//evil.example/slipway.AppImage' }] })
    },
  },
]

/** A disk on which each write to a file fails after ten bytes, with the kernel's own error (/dev/full). */
const fullDisk = (): UpdateDisk => ({
  ...REAL_DISK,
  create: async (file) => {
    const real = await REAL_DISK.create(file)
    return {
      ...real,
      write: async (chunk) => {
        await real.write(chunk.subarray(0, 10))
        writeSync(openSync('/dev/full', 'w'), chunk)
      },
    }
  },
})

/** Faults found while the package is downloaded. */
const DOWNLOADS: readonly Row[] = [
  { name: 'the package is gone', fault: 'no-feed', given: ({ server }) => server.answers.delete(APP) },
  {
    name: 'a page instead of the package',
    fault: 'damaged',
    given: ({ server }) => server.answers.set(APP, bytes(HTML)),
  },
  {
    name: 'one changed byte',
    fault: 'damaged',
    given: ({ server }) =>
      server.answers.set(APP, bytes(Buffer.concat([PACKAGE.subarray(1), PACKAGE.subarray(0, 1)]))),
  },
  {
    name: 'too short',
    fault: 'damaged',
    given: ({ server }) => server.answers.set(APP, bytes(PACKAGE.subarray(1))),
  },
  {
    name: 'too long',
    fault: 'damaged',
    given: ({ server }) => server.answers.set(APP, bytes(Buffer.concat([PACKAGE, PACKAGE]))),
  },
  { name: 'empty', fault: 'damaged', given: ({ server }) => server.answers.set(APP, bytes('')) },
  {
    name: 'cut again and again, although some bytes came',
    fault: 'cut',
    given: ({ server }) => {
      let times = 0
      server.answers.set(APP, (request, response) => cutAfter(times++ === 0 ? 50_000 : 0)(request, response))
    },
  },
  {
    name: 'cut before the first byte, every time',
    fault: 'cut',
    given: ({ server }) => server.answers.set(APP, cutAfter(0)),
  },
  {
    name: 'a redirect to another server',
    fault: 'redirect',
    given: async ({ server }) => {
      const other = await feedServer()
      other.answers.set(APP, bytes(PACKAGE))
      server.answers.set(APP, redirect(`${other.url}${APP}`))
    },
  },
  {
    name: 'too little space from the start',
    fault: 'disk-full',
    given: () => undefined,
    disk: () => ({ ...REAL_DISK, free: async () => PACKAGE.length }),
  },
  {
    name: 'a download folder without permission to write',
    fault: 'disk',
    given: () => undefined,
    disk: () => ({
      ...REAL_DISK,
      create: () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' })),
    }),
  },
  { name: 'a disk that fills up meanwhile', fault: 'disk-full', given: () => undefined, disk: fullDisk },
]

async function isOffered(world: Machine): Promise<void> {
  publish(world.server, world.key)
  const good = world.install()
  await good.updater.act('check')
  expect(good.view().step.at).toBe('available')
}

describe('a check survives', () => {
  it.each(CHECKS)('$name', async ({ fault, given }) => {
    const world = await machine()
    publish(world.server, world.key)
    await given(world)
    const app = world.install()
    await app.updater.act('check')
    expect(app.view().step).toEqual({ at: 'failed', fault })
    expect(app.view().checkedAt).toBeNull()
    expect(world.untouched()).toBe(true)
    expect(world.server.asked).not.toContain(APP)
    await isOffered(world)
  })
})

describe('a download survives', () => {
  it.each(DOWNLOADS.filter(({ disk }) => disk !== fullDisk || process.platform === 'linux'))(
    '$name',
    async ({ fault, given, disk }) => {
      const world = await machine()
      publish(world.server, world.key)
      await given(world)
      const app = world.install(disk === undefined ? {} : { disk: disk(world) })
      await app.updater.act('check')
      await app.updater.act('download')
      expect(await app.reach('failed', 'ready')).toEqual({ at: 'failed', fault })
      await expect.poll(() => world.untouched()).toBe(true)
      expect(app.started).toEqual([])
      await isOffered(world)
    },
  )

  it('lost connections, by going on where it was', async () => {
    const world = await machine()
    publish(world.server, world.key)
    world.server.answers.set(APP, cutAfter(50_000))
    const app = world.install()
    await app.updater.act('check')
    await app.updater.act('download')
    expect(await app.reach('failed', 'ready')).toMatchObject({ at: 'ready', version: '1.3.0' })
    expect(world.server.asked.filter((path) => path === APP)).toHaveLength(6)
    expect(readdirSync(world.downloads)).toHaveLength(1)
  })

  it('a lost connection to a server without ranges, by starting over', async () => {
    const world = await machine()
    publish(world.server, world.key)
    let times = 0
    world.server.answers.set(APP, (request, response) => {
      if (times++ === 0) cutAfter(50_000)(request, response)
      else bytes(PACKAGE, { ranges: false })(request, response)
    })
    const app = world.install()
    await app.updater.act('check')
    await app.updater.act('download')
    expect(await app.reach('failed', 'ready')).toMatchObject({ at: 'ready' })
  })

  it('a connection on which nothing comes any more', async () => {
    const world = await machine()
    publish(world.server, world.key)
    world.server.answers.set(APP, (_request, response) =>
      response.writeHead(200, { 'content-length': PACKAGE.length }).flushHeaders(),
    )
    const app = world.install({ idleMs: 100 })
    await app.updater.act('check')
    await app.updater.act('download')
    expect(await app.reach('failed', 'ready')).toEqual({ at: 'failed', fault: 'cut' })
    await expect.poll(() => world.untouched()).toBe(true)
  })

  it.each(['cancel', 'quit'] as const)('a %s meanwhile', async (how) => {
    const world = await machine()
    publish(world.server, world.key)
    world.server.answers.set(APP, (_request, response) => {
      response.writeHead(200, { 'content-length': PACKAGE.length })
      response.write(PACKAGE.subarray(0, 100_000))
    })
    const app = world.install()
    await app.updater.act('check')
    await app.updater.act('download')
    await expect.poll(() => app.view().step).toMatchObject({ at: 'downloading', received: 100_000 })
    if (how === 'quit') app.updater.close()
    else await app.updater.act('cancel')
    await expect.poll(() => world.untouched()).toBe(true)
    expect(app.view().step.at).toBe('available')
    await isOffered(world)
  })

  it('being killed: the next start removes what it left', async () => {
    const world = await machine()
    mkdirSync(world.downloads, { recursive: true })
    writeFileSync(`${world.downloads}/slipway-1.3.0.AppImage`, 'half')
    writeFileSync(`${world.appImage}.update`, 'half')
    await world.install().updater.start()
    expect(world.untouched()).toBe(true)
  })
})

describe('an installation survives', () => {
  it('a package that was changed on the disk after its check', async () => {
    const world = await machine()
    const app = await ready(world)
    writeFileSync(`${world.downloads}/slipway-1.3.0.AppImage`, 'something else')
    await app.updater.act('install')
    expect(await app.reach('failed')).toEqual({ at: 'failed', fault: 'damaged' })
    await expect.poll(() => world.untouched()).toBe(true)
    expect(app.started).toEqual([])
  })

  it.each([
    ['EACCES', 'read-only'],
    ['EROFS', 'read-only'],
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['EIO', 'disk'],
  ] as const)('a disk that answers %s', async (code, fault) => {
    const world = await machine()
    const disk: UpdateDisk = {
      ...REAL_DISK,
      sha512: () => Promise.reject(Object.assign(new Error(code), { code })),
    }
    const app = await ready(world, { disk })
    await app.updater.act('install')
    expect(await app.reach('failed')).toEqual({ at: 'failed', fault })
    await expect.poll(() => world.untouched()).toBe(true)
    expect(app.started).toEqual([])
  })

  it('uploads under way: it waits for their end, and says so', async () => {
    const world = await machine()
    let uploading = 2
    const app = await ready(world, { uploading: () => uploading })
    await app.updater.act('install')
    expect(app.view().step).toMatchObject({ at: 'ready', waits: true })
    app.updater.uploadsChanged()
    expect(app.view().step).toMatchObject({ at: 'ready', waits: true })
    expect(Object.keys(world.files())).toEqual(['Slipway.AppImage'])
    await app.updater.act('cancel')
    uploading = 0
    app.updater.uploadsChanged()
    expect(app.view().step).toMatchObject({ at: 'ready', waits: false })
    uploading = 1
    await app.updater.act('install')
    uploading = 0
    app.updater.uploadsChanged()
    await expect.poll(() => app.started).toEqual([world.appImage])
  })

  it('an upload that begins while it is being prepared', async () => {
    const world = await machine()
    let uploading = 0
    const disk: UpdateDisk = {
      ...REAL_DISK,
      sha512: (file) => {
        uploading = 1
        return REAL_DISK.sha512(file)
      },
    }
    const app = await ready(world, { disk, uploading: () => uploading })
    await app.updater.act('install')
    await expect.poll(() => app.view().step).toMatchObject({ at: 'ready', waits: true })
    expect(app.started).toEqual([])
    expect(world.files()).toEqual({ 'Slipway.AppImage': 'the version that is installed' })
  })
})
