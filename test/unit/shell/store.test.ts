// The shell's state, with a fake engine and a real settings file: it is kept up to date by events, and never
// overwrites what another process wrote into the file meanwhile.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createAppSettings } from '../../../src-main/shell/engine/app-settings.ts'
import { createShellStore } from '../../../src-main/shell/engine/store.ts'
import { DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { fakeLink, GONE, settled } from './fake-link.ts'
import { gate, NOW, snapshot, transfer } from './world.ts'

let home = ''
let file = ''
beforeEach(() => {
  home = tempFolder()
  file = join(home, 'settings.json')
})

const CONNECTION: Connection = {
  host: 'files.example.com',
  baseUrl: 'https://files.example.com/api/v1',
  key: 'session',
}
const write = (content: unknown): void =>
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
const onDisk = (): Record<string, unknown> & { readonly app: Record<string, unknown> } =>
  JSON.parse(readFileSync(file, 'utf8'))

function room(answers: Parameters<typeof fakeLink>[0] = {}, trial: { readonly file: string } | null = null) {
  const fake = fakeLink({
    snapshot: () => snapshot(),
    transfers: () => [transfer(9)],
    'op:connection': () => CONNECTION,
    ...answers,
  })
  const settings = createAppSettings(
    () => trial?.file ?? file,
    () => NOW,
  )
  const store = createShellStore({ link: fake.link, settings, isTrial: trial !== null })
  const changed = vi.fn()
  store.onChange(changed)
  return { ...fake, store, settings, changed }
}

describe('settings', () => {
  it('are the defaults where there is no file, and none is written for that', () => {
    const { store, settings } = room()
    expect(store.settings()).toEqual(DEFAULT_APP_SETTINGS)
    expect(settings.message).toBeNull()
    expect(readdirSync(home)).toEqual([])
  })

  it('are written whole, for this user alone, with what was chosen', () => {
    const { store, changed } = room()
    expect(store.change({ theme: 'dark' })).toMatchObject({ theme: 'dark', density: 'comfortable' })
    expect(onDisk()).toMatchObject({ baseUrl: null, app: { theme: 'dark' } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(changed).toHaveBeenCalledTimes(1)
    // No temporary file is left beside it.
    expect(readdirSync(home)).toEqual(['settings.json'])
  })

  it('keep what another process wrote since: the address, choices, fields of a newer version', () => {
    const { store } = room()
    store.change({ theme: 'dark' })
    write({
      baseUrl: 'https://files.example.com/api/v1',
      later: { x: 1 },
      app: { ...DEFAULT_APP_SETTINGS, theme: 'dark', density: 'compact', laterToo: [1] },
    })
    expect(store.change({ undoSeconds: 3 })).toMatchObject({
      theme: 'dark',
      density: 'compact',
      undoSeconds: 3,
    })
    expect(onDisk()).toMatchObject({
      baseUrl: 'https://files.example.com/api/v1',
      later: { x: 1 },
      app: { density: 'compact', undoSeconds: 3, laterToo: [1] },
    })
    write({ ...onDisk(), app: { ...onDisk().app, language: 'de' } })
    store.setBaseUrl('https://other.example.com/api/v1')
    expect(onDisk()).toMatchObject({
      baseUrl: 'https://other.example.com/api/v1',
      later: { x: 1 },
      app: { language: 'de', undoSeconds: 3, laterToo: [1] },
    })
  })

  it('a field that is not given takes nothing away', () => {
    const { store } = room()
    store.change({ theme: 'dark', shortcut: 'Ctrl+U' })
    store.change({ theme: undefined, density: 'compact' })
    expect(store.settings()).toMatchObject({ theme: 'dark', shortcut: 'Ctrl+U', density: 'compact' })
    store.change({ shortcut: null })
    expect(onDisk().app['shortcut']).toBeNull()
  })

  it('one bad field falls back alone', () => {
    write({ baseUrl: null, app: { ...DEFAULT_APP_SETTINGS, theme: 'pink', density: 'compact' } })
    expect(room().store.settings()).toMatchObject({ theme: 'system', density: 'compact' })
  })

  it('a file that can not be read is set aside and said, and nothing of it is lost', () => {
    write('{ "baseUrl": "https://files')
    const { store, settings } = room()
    expect(store.settings()).toEqual(DEFAULT_APP_SETTINGS)
    expect(settings.message).toContain('set aside')
    const [aside = ''] = readdirSync(home)
    expect(readFileSync(join(home, aside), 'utf8')).toBe('{ "baseUrl": "https://files')
  })

  it('the same address is not written again', () => {
    write({ baseUrl: 'https://files.example.com/api/v1', app: {} })
    const before = readFileSync(file, 'utf8')
    room().store.setBaseUrl('https://files.example.com/api/v1')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

describe('the engine', () => {
  it('is asked for everything when it comes up', async () => {
    const { store, state, changed } = room()
    expect([store.snapshot(), store.recent(), store.connection().key]).toEqual([null, [], null])
    state(true)
    await settled()
    expect(store.snapshot()).toMatchObject({ version: '0.0.0' })
    expect(store.recent().map((one) => one.id)).toEqual([9])
    expect(store.connection()).toEqual(CONNECTION)
    expect(changed).toHaveBeenCalled()
    await store.connected
  })

  it('that went keeps what was known, and that can not start says why', async () => {
    const { store, state, changed } = room()
    state(true)
    await settled()
    changed.mockClear()
    state(false, { code: 'disk', title: 'Full', hint: null })
    expect(store.snapshot()).not.toBeNull()
    expect(store.failure()?.title).toBe('Full')
    expect(changed).toHaveBeenCalledTimes(1)
    // Another attempt begins.
    state(false)
    expect(store.failure()?.title).toBe('Full')
    state(true)
    await settled()
    expect(store.failure()).toBeNull()
  })

  it('that can not start leaves it known whether there is an account', async () => {
    const { store, state, callsOf } = room()
    state(false, { code: 'disk', title: 'Full', hint: null })
    await store.connected
    expect(store.connection()).toEqual(CONNECTION)
    state(false, { code: 'disk', title: 'Full', hint: null })
    await settled()
    expect(callsOf('op:connection')).toHaveLength(1)
  })

  it('that is gone again before it answers leaves what was known', async () => {
    let gone = false
    const { store, state } = room({
      snapshot: () => (gone ? GONE : snapshot({ paused: true })),
      'op:connection': () => (gone ? GONE : CONNECTION),
      transfers: () => (gone ? GONE : [transfer(9)]),
    })
    state(true)
    await settled()
    gone = true
    state(true)
    await settled()
    expect(store.snapshot()?.paused).toBe(true)
    expect(store.connection()).toEqual(CONNECTION)
    expect(store.recent()).toHaveLength(1)
  })

  it('keeps it current by what it says', async () => {
    const { store, state, say, changed } = room()
    // Before the first complete snapshot, a partial update means nothing.
    say({ seq: 1, kind: 'gate', gate: gate('offline') })
    expect(store.snapshot()).toBeNull()
    state(true)
    await settled()
    changed.mockClear()
    say({ seq: 2, kind: 'gate', gate: gate('offline') })
    expect(store.snapshot()?.gate?.reason).toBe('offline')
    const progress = { speed: 7, etaMs: null, sentBytes: 1, totalBytes: 2, active: [] }
    say({ seq: 3, kind: 'progress', progress })
    expect(store.snapshot()?.progress).toEqual(progress)
    say({ seq: 4, kind: 'state', snapshot: snapshot({ paused: true }) })
    expect(store.snapshot()?.paused).toBe(true)
    expect(changed).toHaveBeenCalledTimes(3)
    say({ seq: 5, kind: 'notice', level: 'info', title: 'x', hint: null })
    say({ seq: 6, kind: 'catalog', changed: 1 })
    expect(changed).toHaveBeenCalledTimes(3)
  })

  it('that got a key which could not be read has its connection read again, once', async () => {
    let connection: Connection = { ...CONNECTION, key: null, unread: 'failed' }
    const { store, state, say, callsOf } = room({
      snapshot: () => snapshot({ account: 'none' }),
      'op:connection': () => connection,
    })
    expect(store.connection().unread).toBe('pending')
    state(true)
    await settled()
    expect(store.connection().unread).toBe('failed')
    say({ seq: 1, kind: 'state', snapshot: snapshot({ account: 'none' }) })
    await settled()
    expect(callsOf('op:connection')).toHaveLength(1)
    connection = CONNECTION
    say({ seq: 2, kind: 'state', snapshot: snapshot() })
    say({ seq: 3, kind: 'state', snapshot: snapshot() })
    await settled()
    expect(store.connection()).toEqual(CONNECTION)
    expect(callsOf('op:connection')).toHaveLength(2)
  })

  it('says when the keychain could be read after all', async () => {
    const { store, state, keyRead } = room({
      'op:connection': () => ({ ...CONNECTION, key: null, unread: 'failed' }),
    })
    const told: (string | null)[] = []
    store.onConnection(({ key }) => told.push(key))
    state(true)
    await settled()
    keyRead(CONNECTION)
    expect(store.connection()).toEqual(CONNECTION)
    expect(told).toEqual([null, 'session'])
  })

  it('is asked for the last links when an upload is done, and not before', async () => {
    const { state, say, callsOf } = room()
    state(true)
    await settled()
    expect(callsOf('transfers')).toEqual([
      {
        folderId: null,
        states: ['done'],
        linked: true,
        afterId: 0,
        beforeId: Number.MAX_SAFE_INTEGER,
        limit: 10,
      },
    ])
    say({ seq: 1, kind: 'transfers', items: [transfer(1, { state: 'uploading' })] })
    await settled()
    expect(callsOf('transfers')).toHaveLength(1)
    say({ seq: 2, kind: 'transfers', items: [transfer(1, { state: 'uploading' }), transfer(2)] })
    await settled()
    expect(callsOf('transfers')).toHaveLength(2)
  })
})

describe('a trial', () => {
  it('has settings of its own, and a key that is gone with it', () => {
    write({ baseUrl: 'https://files.example.com/api/v1', app: { theme: 'dark' } })
    const { store, settings } = room({}, { file: join(home, 'trial.json') })
    const before = readFileSync(file, 'utf8')
    store.change({ theme: 'light' })
    store.setBaseUrl('http://127.0.0.1:4010/api/v1')
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(settings.reread()).toMatchObject({ theme: 'light' })
    store.setConnection({ ...CONNECTION, account: '127.0.0.1:4010', key: 'environment' })
    expect(store.connection()).toEqual({ ...CONNECTION, account: null, key: 'session', trial: true })
  })
})

describe('the connection', () => {
  it('is told to those who ask for it, each time', async () => {
    const { store } = room()
    const heard = vi.fn()
    store.onConnection(heard)
    store.setConnection(CONNECTION)
    await store.connected
    expect(heard.mock.calls).toEqual([[CONNECTION]])
    expect(await store.refreshConnection()).toEqual(CONNECTION)
    expect(heard).toHaveBeenCalledTimes(2)
  })

  it('that can not be asked for is the one before', async () => {
    const { store } = room({ 'op:connection': () => GONE })
    store.setConnection(CONNECTION)
    expect(await store.refreshConnection()).toEqual(CONNECTION)
  })
})
