// The handlers of the shell over a fake desktop, a fake engine and fake accounts, whose answers a test
// chooses, with records of what was asked of them.
import { join } from 'node:path'
import type { Choice, Question } from '../../../src-main/shell/app/questions.ts'
import type { UnaskedCopies } from '../../../src-main/shell/clipboard/unasked-copies.ts'
import type { EngineLink } from '../../../src-main/shell/engine/protocol.ts'
import type { ShellStore } from '../../../src-main/shell/engine/store.ts'
import { KeptFiles } from '../../../src-main/shell/intake/kept-files.ts'
import type { Screenshots } from '../../../src-main/shell/intake/screenshots.ts'
import type { Desk } from '../../../src-main/shell/window/desk.ts'
import type { AccountActions } from '../../../src-main/shell/window/handler-parts.ts'
import { createHandlers } from '../../../src-main/shell/window/handlers.ts'
import type { ManagedSettings } from '../../../src-shared/computer.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import { type AppSettings, DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import type { AccountInfo, Connection, WindowEvent } from '../../../src-shared/window-contract.ts'
import { fakeLink, GONE } from './fake-link.ts'
import { FORMATS, folder, NOW, snapshot } from './world.ts'

export const FORECAST = {
  files: 1,
  bytes: 10,
  already: 0,
  now: 1,
  later: 0,
  tooBig: 0,
  held: 0,
  ignored: 0,
  doneAt: null,
  steps: [],
  limitedBy: null,
}
const NO_UPDATE = { step: { at: 'no-source' }, checkedAt: null, updatedFrom: null } as const
const NO_PROXY_LOGIN = { proxy: null, name: null, kept: null, refused: false } as const

export interface Room {
  readonly answers?: Parameters<typeof fakeLink>[0]
  /** Replaces the calls to the fake engine, for example by those to a real one. */
  readonly call?: EngineLink['call']
  readonly otherAnswers?: Parameters<typeof fakeLink>[0]
  /** The call to the engine during which the user pauses all accounts. */
  readonly pausesAll?: string
  readonly folder?: string | null
  readonly files?: readonly string[]
  readonly clipboardFiles?: readonly string[]
  /** The results of successive pastes, instead of `clipboardFiles`. */
  readonly pastes?: readonly (readonly string[])[]
  readonly pastedDir?: string
  /** The picture that the user takes; by default, they cancel. */
  readonly region?: Awaited<ReturnType<Desk['region']>>
  /** Whether the user agrees to upload a dropped text; true by default. */
  readonly takesDroppedText?: boolean
  /** Why reading or writing the clipboard's content fails. */
  readonly pasteFails?: Error
  /** Pasted files that Slipway wrote itself. */
  readonly written?: readonly string[]
  /** Which of the uploads fail to begin. */
  readonly uploadFails?: readonly boolean[]
  /** Whether no upload finds a file that it can read. */
  readonly areUnreadable?: boolean
  /** Called while the first upload is being handed to the engine. */
  readonly whileUploading?: () => Promise<unknown>
  readonly screenshots?: Screenshots
  /** Whether the system accepts writes to the clipboard. */
  readonly takesText?: boolean
  readonly copy?: UnaskedCopies['copy']
  readonly openProblem?: string
  readonly settings?: Partial<AppSettings>
  readonly snapshot?: Snapshot | null
  readonly connection?: Connection
  readonly rows?: readonly Transfer[]
  readonly licences?: string | null
  /** The user's answer in the system dialog, or the answers to successive ones. */
  readonly confirms?: boolean | readonly boolean[]
  /**
   * The index of the answer that the user chooses in a dialog with several answers; null if they cancel it.
   */
  readonly chooses?: number | null
  readonly accounts?: readonly AccountInfo[]
  /** The number of pastes that an account hasn't uploaded. */
  readonly unsentPastes?: number
  readonly openDeletions?: number
  /** Called while a dialog is open. */
  readonly meanwhile?: () => void
  /** Whether Slipway is being tried without an account. */
  readonly trial?: boolean
  /** The settings that policy files fix. */
  readonly managed?: ManagedSettings
  /** Whether waiting for a time ends at once. */
  readonly impatient?: boolean
  readonly wait?: (ms: number) => Promise<void>
  readonly now?: () => number
}

/** The handlers over fakes whose answers are `given`. `home` is a temporary folder. */
export function createRoom(home: string, given: Room = {}) {
  const rows = given.rows ?? []
  const fake = fakeLink({
    plan: () => FORECAST,
    checkWatch: () => ({}),
    upload: () => ({ batch: 1, items: [], next: null }),
    transfers: ({ afterId, limit }: { afterId: number; limit: number }) =>
      rows.filter((row) => row.id > afterId).slice(0, limit),
    'op:keychain': () => ({ ok: true, message: null }),
    'op:owner': () => ({ id: null, name: 'files.example.com', isOpen: true }),
    ...given.answers,
    ...(given.pausesAll === undefined
      ? {}
      : {
          [given.pausesAll]: () => {
            pauses++
            return { ...store.change({ pausedAccounts: ['w', 'h'] }) }
          },
        }),
  })
  let pauses = 0
  const told: WindowEvent[] = []
  const did: [string, unknown][] = []
  const keptFiles = new KeptFiles(join(home, 'data'), (message) => void did.push(['kept', message]))
  const note =
    (name: string) =>
    (value?: unknown): void =>
      void did.push([name, value])
  let settings: AppSettings = { ...DEFAULT_APP_SETTINGS, ...given.settings }
  let connection: Connection = given.connection ?? {
    host: 'files.example.com',
    baseUrl: 'https://files.example.com/api/v1',
    key: 'session',
  }
  const connectionListeners: ((connection: Connection) => void)[] = []
  const store: ShellStore = {
    snapshot: () => (given.snapshot === undefined ? snapshot() : given.snapshot),
    connection: () => connection,
    settings: () => settings,
    recent: () => [],
    failure: () => null,
    change: (patch) => {
      settings = { ...settings, ...(Object.fromEntries(Object.entries(patch)) as Partial<AppSettings>) }
      return settings
    },
    setBaseUrl: note('setBaseUrl'),
    refreshConnection: async () => connection,
    setConnection: (next) => {
      connection = next
      for (const listener of connectionListeners) listener(next)
    },
    setSnapshot: () => undefined,
    connected: Promise.resolve(),
    onConnection: (listener) => void connectionListeners.push(listener),
    onChange: () => undefined,
  }
  const desk: Desk = {
    chooseFolder: async () => given.folder ?? null,
    chooseFiles: async () => given.files ?? [],
    screenshots: async () => given.screenshots ?? null,
    writeText: async (text) => {
      note('writeText')(text)
      return given.takesText ?? true
    },
    writePicture: async (png) => {
      note('writePicture')(png)
      return given.takesText ?? true
    },
    saveAs: async (name, content) => {
      note('saveAs')(name)
      if (typeof content === 'string') note('saved')(content)
      return true
    },
    openUrl: note('openUrl'),
    openPath: async (path) => {
      note('openPath')(path)
      return given.openProblem ?? ''
    },
    showInFolder: note('showInFolder'),
    hasQuestion: () => false,
    dragFiles: note('dragFiles'),
    choose: async (choice) => {
      choices.push(choice)
      return given.chooses ?? null
    },
    clipboardFiles: async (dir) => {
      note('pasted')(dir)
      if (given.pasteFails !== undefined) throw given.pasteFails
      const paths = given.pastes === undefined ? given.clipboardFiles : given.pastes[pasted++]
      return {
        ok: true,
        value: { paths: paths ?? [], pasted: paths?.some((path) => given.written?.includes(path)) ?? false },
      }
    },
    region: async (dir) => {
      note('region')(dir)
      return given.region ?? { ok: true, value: { paths: [], pasted: false, isDeclined: true } }
    },
    droppedFile: async (dir, content) => {
      note('dropped')(dir)
      return content.what === 'text'
        ? given.takesDroppedText === false
          ? null
          : join(dir, 'text.txt')
        : content.bytes.length === 0
          ? null
          : join(dir, content.name)
    },
    confirm: async (question) => {
      questions.push(question)
      given.meanwhile?.()
      const { confirms = false } = given
      return typeof confirms === 'boolean' ? confirms : (confirms[questions.length - 1] ?? false)
    },
    quit: note('quit'),
  }
  const questions: Question[] = []
  const choices: Choice[] = []
  /** The engine of the account that the key belongs to. */
  const other = fakeLink({
    watch: ({ path }: { path: string }) => folder(path),
    snapshot: () => snapshot(),
    ...given.otherAnswers,
  })
  const accounts: AccountActions = {
    known: Promise.resolve(),
    list: () => given.accounts ?? [],
    refresh: async () => given.accounts ?? [],
    use: async (id) => {
      note('use')(id)
      return { ok: true, value: {} }
    },
    adopt: async (kept) => {
      note('adopt')(kept.account)
      return { ok: true, value: { link: other.link, store } }
    },
    rename: async (id, name) => {
      note('rename')([id, name])
      return { ok: true, value: {} }
    },
    remove: async (id) => {
      note('remove')(id)
      return { ok: true, value: {} }
    },
    unsentPastes: async () => ({ ok: true, value: given.unsentPastes ?? 0 }),
    openDeletions: () => given.openDeletions ?? 0,
    pauses: () => pauses,
    readKeysAgain: async (occasion) => {
      note('readKeysAgain')(occasion)
      return connection
    },
    signOut: async (id) => {
      note('signOut')(id)
      return { ok: true, value: connection }
    },
  }
  let pasted = 0
  const uploads: { paths: readonly string[]; again: boolean }[] = []
  const shell = createHandlers({
    link: given.call === undefined ? fake.link : { ...fake.link, call: given.call },
    store,
    unasked: { copy: given.copy ?? (async () => 'copied'), asked: () => undefined },
    release: { offer: note('offer'), takePlace: () => null, typedSaved: () => undefined },
    drops: {
      upload: async (paths, { again }) => {
        uploads.push({ paths, again })
        if (uploads.length === 1) await given.whileUploading?.()
        if (given.uploadFails?.[uploads.length - 1] === true) return GONE
        if (given.areUnreadable === true)
          return { ok: false, failure: { code: 'unreadable', title: 'missing', hint: null } }
        return {
          ok: true,
          value: { queued: paths.length, already: 0, held: 0, failed: 0, ignored: 0, links: 0 },
        }
      },
      last: () => null,
    },
    desk,
    accounts,
    renew: async (account) => note('renew')(account),
    trial: {
      isOn: () => given.trial ?? false,
      start: async () => {
        note('startTrial')()
        return { ok: true, value: undefined }
      },
      end: async () => note('endTrial')(),
    },
    fileManager: async (on) => {
      note('fileManager')(on)
      return { managers: [{ name: 'finder', isOn: on === true }], failed: [] }
    },
    shelf: { show: note('showShelf'), close: note('closeShelf') },
    managed: () => given.managed ?? { address: null, forbidden: [], fault: null },
    updates: {
      view: () => NO_UPDATE,
      act: async (action) => {
        note('update')(action)
        return NO_UPDATE
      },
    },
    proxyLogins: {
      view: () => NO_PROXY_LOGIN,
      enter: async (proxy, login) => {
        note('proxyLogin')([proxy, login.name])
        return { ...NO_PROXY_LOGIN, proxy, name: login.name, kept: 'keychain' }
      },
    },
    kept: keptFiles,
    deletions: { read: () => null, write: () => true, remove: () => true, setAside: () => false },
    pastedDir: () => given.pastedDir ?? '/data/pasted',
    tell: (event) => told.push(event),
    undoChanged: () => undefined,
    seq: () => 41,
    boot: {
      platform: 'linux',
      version: '1.2.3',
      electron: '45',
      locale: 'en-GB',
      support: { notifications: true, autostart: true, wayland: false },
      dataDir: '/data',
    },
    paths: { log: '/data/log.txt', licences: '/app/licences.txt' },
    readText: async () => {
      if (given.licences === null) throw new Error('gone')
      return given.licences ?? 'MIT'
    },
    language: () => ({ texts: english, formats: FORMATS }),
    now: given.now ?? (() => NOW),
    wait: given.wait ?? (() => (given.impatient === true ? Promise.resolve() : new Promise(() => undefined))),
    applySettings: note('applySettings'),
  })
  return {
    ...fake,
    store,
    ...shell,
    told,
    did,
    uploads,
    questions,
    choices,
    other,
    kept: keptFiles,
    h: shell.handlers,
  }
}
