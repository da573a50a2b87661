// Both ends of an update: the app's own updater reads, downloads and installs a feed written by a release.
// Also a build's own update settings.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FEED_FILE, notesOf, writeFeed } from '../../../assets/packaging/feed.ts'
import { writeUpdateSource } from '../../../assets/packaging/update-source.ts'
import { whoUpdates } from '../../../src-main/shell/updates/source.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { bytes, keyPair, machine } from '../updates/world.ts'

const ENDINGS = [
  'linux-x86_64.AppImage',
  'linux-arm64.AppImage',
  'mac-x64.zip',
  'mac-arm64.zip',
  'win-x64.exe',
  'win-arm64.exe',
]

function folder(): string {
  const dir = tempFolder()
  return dir
}

function packages(without = ''): string {
  const out = folder()
  for (const ending of ENDINGS)
    if (ending !== without) writeFileSync(join(out, `slipway-1.3.0-${ending}`), `package ${ending}`)
  return out
}

const key = keyPair()
const RELEASE = {
  version: '1.3.0',
  notes: 'Faster.',
  staging: 100,
  feedUrl: 'https://slipway.example/releases/updates.json',
  releaseUrl: 'https://slipway.example/releases/1.3.0',
  key: key.secret.export({ format: 'pem', type: 'pkcs8' }).toString(),
  pinned: key.pinned,
}

describe('the feed of a release', () => {
  it('is taken by the updater, from the check to the new AppImage', async () => {
    const world = await machine()
    const out = packages()
    const { url } = world.server
    await writeFeed({ ...RELEASE, out, feedUrl: `${url}/updates.json`, releaseUrl: `${url}/1.3.0/` })
    for (const name of [FEED_FILE, `${FEED_FILE}.sig`])
      world.server.answers.set(`/${name}`, bytes(readFileSync(join(out, name))))
    const name = 'slipway-1.3.0-linux-x86_64.AppImage'
    world.server.answers.set(`/1.3.0/${name}`, bytes(readFileSync(join(out, name))))
    const app = world.install({ pinned: key.pinned })
    await app.updater.act('check')
    expect(app.view().step).toMatchObject({ at: 'available', version: '1.3.0', notes: 'Faster.' })
    await app.updater.act('download')
    await app.reach('ready')
    await app.updater.act('install')
    await expect.poll(() => app.started).toEqual([world.appImage])
    expect(world.files()['Slipway.AppImage']).toBe('package linux-x86_64.AppImage')
  })

  it.each(ENDINGS)('isn’t made without %s', async (ending) => {
    await expect(writeFeed({ ...RELEASE, out: packages(ending) })).rejects.toThrow(
      `slipway-1.3.0-${ending} is missing`,
    )
  })

  it.each([
    [
      'packages on another server',
      { releaseUrl: 'https://elsewhere.example/releases/1.3.0' },
      'must be below',
    ],
    [
      'packages beside the feed’s folder',
      { feedUrl: 'https://slipway.example/releases/feed/updates.json' },
      'must be below',
    ],
    ['a key that no build pins', { pinned: keyPair().pinned }, 'does not fit the pinned key'],
    ['a version that isn’t for everybody', { version: '1.3.0-beta.1' }, 'is missing'],
    ['a share over all', { staging: 101 }, 'another form'],
    ['a share that isn’t a number', { staging: Number.NaN }, 'another form'],
    ['no key', { key: '' }, ''],
  ])('isn’t made with %s', async (_name, wrong, message) => {
    const out = packages()
    await expect(writeFeed({ ...RELEASE, out, ...wrong })).rejects.toThrow(message)
    expect(() => readFileSync(join(out, FEED_FILE))).toThrow('ENOENT')
  })

  it('says what the changelog says of the version', () => {
    const changelog =
      '# Changelog\n\n## [Unreleased]\n\nLater.\n\n## [1.3.0] - 2026-11-22\n\n### Added\n\n- Updates.\n\n## [1.2.0]\n\nOld.\n'
    expect(notesOf(changelog, '1.3.0')).toBe('Added\n\n- Updates.')
    expect(notesOf(changelog, '9.9.9')).toBe('Later.')
    const long = notesOf(`## [2.0.0]\n\n${'- A line.\n'.repeat(2000)}`, '2.0.0')
    expect(long).toMatch(/^(?:- A line\.\n)+…$/)
    expect(long.length).toBeLessThanOrEqual(10_000)
  })
})

describe('the source of a build', () => {
  const written = (env: Readonly<Record<string, string>>): unknown => {
    const dist = folder()
    writeUpdateSource(dist, env)
    return JSON.parse(readFileSync(join(dist, 'updates.json'), 'utf8'))
  }
  const ENV = { SLIPWAY_FEED_URL: RELEASE.feedUrl, SLIPWAY_FEED_PUBLIC_KEY: key.pinned }
  const facts = {
    isPackaged: true,
    program: '/mount/slipway-desktop',
    packageType: null,
    hasCask: false,
  } as const

  it('is none where nothing is set, and the app says so', () => {
    expect(written({})).toBeNull()
    const env = { APPIMAGE: '/home/ada/Slipway.AppImage', APPDIR: '/mount' }
    expect(whoUpdates({ ...facts, platform: 'linux', env, build: written({}) })).toEqual({
      kind: 'other',
      step: { at: 'no-source' },
    })
  })

  it('is what the app reads', () => {
    const build = written({ ...ENV, SLIPWAY_FEED_PUBLISHER: 'CN=The Slipway authors' })
    expect(whoUpdates({ ...facts, platform: 'win32', env: {}, build })).toEqual({
      kind: 'self',
      source: {
        feed: new URL(RELEASE.feedUrl),
        key: key.pinned,
        way: { kind: 'nsis', publisher: 'CN=The Slipway authors' },
        system: 'win',
      },
    })
  })

  it('can name several publishers', () => {
    const build = written({
      ...ENV,
      SLIPWAY_FEED_PUBLISHER: 'CN=The Slipway authors\nCN=The Slipway authors, O=Renewed\n',
    })
    expect(whoUpdates({ ...facts, platform: 'win32', env: {}, build })).toMatchObject({
      source: { way: { publisher: ['CN=The Slipway authors', 'CN=The Slipway authors, O=Renewed'] } },
    })
  })

  it.each([
    ['an address without a key', { SLIPWAY_FEED_URL: RELEASE.feedUrl }],
    ['a key without an address', { SLIPWAY_FEED_PUBLIC_KEY: key.pinned }],
    ['plain http', { ...ENV, SLIPWAY_FEED_URL: 'http://slipway.example/updates.json' }],
    ['no key at all', { ...ENV, SLIPWAY_FEED_PUBLIC_KEY: 'none' }],
  ])('isn’t made with %s', (_name, env) => {
    expect(() => written(env)).toThrow()
  })
})
