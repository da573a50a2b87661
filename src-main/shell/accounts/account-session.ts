// Holds everything that belongs to one account while the app runs: its engine thread, drops, notifications
// and so on. Sessions share none of these parts, so a link, count or notification can't end up with the wrong
// account.
import { join } from 'node:path'
import type { FailureCode } from '../../../src-shared/engine-contract.ts'
import { printable } from '../../../src-shared/format.ts'
import type { Folder } from '../../../src-shared/model.ts'
import { openCount } from '../../../src-shared/overview.ts'
import { undoneWords } from '../../../src-shared/undone-words.ts'
import type { Undone, WindowEvent } from '../../../src-shared/window-contract.ts'
import type { Environment } from '../../platform/account/key-and-address.ts'
import { after } from '../../platform/time.ts'
import { JsonFile } from '../app/json-file.ts'
import type { Language } from '../app/language.ts'
import type { UnaskedCopies } from '../clipboard/unasked-copies.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'
import type { EngineLink, EngineThreadStart, HeldKey, MainThreadOps } from '../engine/protocol.ts'
import { createShellStore, type ShellStore } from '../engine/store.ts'
import { createEngineLink } from '../engine/thread-connection.ts'
import { askForMany } from '../intake/many-files.ts'
import { Drops } from '../intake/upload-batches.ts'
import { WatchedCopies } from '../intake/watched-link-copies.ts'
import type { NoticeAction } from '../notifications/notice-types.ts'
import type { NotificationSystem } from '../notifications/notification-screen.ts'
import { createNotifier, type Notifier } from '../notifications/notifier.ts'
import type { HandlerParts } from '../window/handler-parts.ts'
import { createHandlers, type ShellHandlers } from '../window/handlers.ts'
import type { DeletionsFile } from '../window/saved-deletions.ts'

type Fields = Readonly<Record<string, string | number | boolean | null>>

/** The values and callbacks that all sessions share. */
export interface SessionHost {
  readonly platform: HandlerParts['boot']['platform']
  /** The entry module of the engine thread. */
  readonly entry: URL
  /** Operations that the engine thread may request from the main thread. */
  readonly mainOps: MainThreadOps
  readonly dataDir: string
  readonly settings: AppSettingsFile
  readonly unasked: UnaskedCopies
  readonly handlers: Pick<
    HandlerParts,
    | 'accounts'
    | 'desk'
    | 'kept'
    | 'trial'
    | 'fileManager'
    | 'shelf'
    | 'managed'
    | 'updates'
    | 'proxyLogins'
    | 'seq'
    | 'release'
    | 'boot'
    | 'readText'
    | 'now'
    | 'wait'
    | 'applySettings'
  > & { readonly licences: string }
  readonly notifications: NotificationSystem
  readonly language: () => Language
  readonly now: () => number
  readonly isShown: (session: AccountSession) => boolean
  /**
   * The IDs of the accounts to which the current pause of all accounts has been applied; null if there is no
   * such pause.
   */
  readonly pausedAccounts: () => readonly string[] | null
  /**
   * The account name to show in notifications; null if there is only one account, or if the account has no
   * name.
   */
  readonly nameOf: (session: AccountSession) => string | null
  readonly isWindowFocused: () => boolean
  readonly isWindowVisible: () => boolean
  readonly tell: (event: WindowEvent) => void
  /** Sends the event, or keeps it if the page is still loading. */
  readonly tellSoon: (event: WindowEvent) => void
  readonly act: (session: AccountSession, action: NoticeAction) => void
  /** Called when the keychain can be read again after an earlier read has failed. */
  readonly keyRead: () => void
  /** Called when something changes that the tray, the menu or the list of accounts shows. */
  readonly changed: (session: AccountSession) => void
  /** Called each time an engine becomes available, which may be a different engine than before. */
  readonly engineUp: (session: AccountSession) => void
  /** Called each time an engine becomes available, with all of its watched folders. */
  readonly foundFolders: (session: AccountSession, folders: readonly Folder[]) => void
  readonly log: (event: string, fields: Fields) => void
}

export interface SessionStart {
  /** An account ID; null for the account that the environment or the stored list selects. */
  readonly account: string | null
  /**
   * The key and address from the environment, if they belong to this account; for a trial, those of its
   * service.
   */
  readonly taken: Environment
  readonly held: HeldKey | null
  /** The data folder of a trial; absent for a real account. */
  readonly trialDir?: string
}

export class AccountSession {
  readonly link: EngineLink & { readonly start: () => void }
  readonly store: ShellStore
  readonly drops: Drops
  readonly watched: WatchedCopies
  readonly shell: ShellHandlers
  readonly notifier: Notifier
  /**
   * Resolves once the engine answers and it is known whether there is a key, or once the engine has failed to
   * start.
   */
  readonly ready: Promise<void>
  readonly #host: SessionHost
  readonly #start: SessionStart
  /**
   * The ID of the account to which a new key has switched this session (see `renew`); null if there was no
   * such switch.
   */
  #renewed: string | null = null

  constructor(host: SessionHost, start: SessionStart) {
    this.#host = host
    this.#start = start
    const { settings, unasked, now } = host
    const { entry, mainOps, log } = host
    this.link = createEngineLink({
      entry,
      mainOps,
      startWith: () => this.#startWith(),
      held: start.held,
      log,
    })
    this.store = createShellStore({ link: this.link, settings, isTrial: start.trialDir !== undefined })
    this.ready = new Promise((resolve) => {
      this.link.onState(({ up, failure }) => {
        if (up) void this.store.connected.then(resolve)
        else if (failure !== null) resolve()
      })
    })
    this.drops = this.#createDrops()
    this.watched = new WatchedCopies({
      settings: () => settings.read(),
      mark: () => unasked.mark(),
      copy: (links, mark) => this.shell.copies.unasked(links, mark),
      onCopied: (ids) => this.notifier.watchedCopied(ids),
      now,
    })
    this.shell = this.#createHandlers()
    this.notifier = createNotifier({
      platform: host.platform,
      system: host.notifications,
      language: host.language,
      settings: () => settings.read(),
      account: () => host.nameOf(this),
      focused: () => host.isShown(this) && host.isWindowFocused(),
      now,
      act: (action) => host.act(this, action),
      log,
    })
    this.#follow()
  }

  /** The account's ID; null as long as no account is known. */
  id(): string | null {
    return (
      this.#renewed ?? this.store.connection().accountId ?? this.link.account()?.id ?? this.#start.account
    )
  }

  /** The account's name; null for a trial, and as long as no account is known. */
  name(): string | null {
    if (this.#start.trialDir !== undefined) return null
    return this.store.connection().account ?? null
  }

  /** The number of unfinished files that need no action by the user; 0 until the engine has answered. */
  open(): number {
    const snapshot = this.store.snapshot()
    return snapshot === null ? 0 : openCount(snapshot.counts)
  }

  /**
   * Closes the session; uploads under way get `graceMs` milliseconds to finish. Resolves to false if a thread
   * is stuck, which prevents the process from exiting normally.
   */
  async close(graceMs: number): Promise<boolean> {
    await this.shell.deletes.close()
    this.notifier.close()
    return this.link.close(graceMs)
  }

  #startWith(): Omit<EngineThreadStart, 'held'> {
    const { apiKey, baseUrl } = this.#start.taken
    return {
      slipwayRole: 'engine',
      account: this.id(),
      dataDir: this.#dataDir(),
      env: { ...process.env },
      apiKey,
      baseUrl,
      // The service of a trial runs on this computer, so it is reached without a proxy.
      proxy: this.#start.trialDir === undefined ? this.#host.settings.read().proxy : 'none',
      pausedAccounts: this.#start.trialDir === undefined ? this.#host.pausedAccounts() : null,
    }
  }

  #dataDir(): string {
    return this.#start.trialDir ?? this.#host.dataDir
  }

  /** Sends the event to the page if this account is the one in the window; drops it otherwise. */
  #tell(event: WindowEvent): void {
    if (this.#host.isShown(this)) this.#host.tell(event)
  }

  #follow(): void {
    const { link, store, notifier, watched } = this
    const host = this.#host
    link.onEvent((event) => {
      this.#tell({ kind: 'engine', event })
      watched.take(event)
      notifier.take(event)
      if (event.kind === 'transfers') this.shell.undo.putAway(event.items)
    })
    link.onTell((title, hint, about) => {
      const event = { seq: 0, kind: 'notice', level: 'warning', title, hint, about } as const
      notifier.take(event)
      if (host.isShown(this)) host.tellSoon({ kind: 'engine', event })
    })
    link.onKeyRead(() => host.keyRead())
    store.onChange(() => host.changed(this))
    store.onConnection((connection) => {
      this.#tell({ kind: 'connection', connection })
      host.changed(this)
    })
    let reported: FailureCode | null = null
    link.onState(({ up, failure }) => {
      watched.engineChanged()
      if (up) {
        reported = null
        host.engineUp(this)
        void link.call('presence', { person: host.isShown(this) && host.isWindowVisible() })
      }
      // Several attempts to start the engine may fail for the same reason, which is reported only once.
      if (failure !== null && failure.code !== reported) {
        reported = failure.code
        notifier.failure(failure, 'start')
      }
      void link.call('snapshot', {}).then((got) => {
        if (got.ok) watched.snapshot(got.value)
        if (got.ok && up) host.foundFolders(this, got.value.folders)
        this.#tell({
          kind: 'engine-state',
          up: up && got.ok,
          snapshot: got.ok ? got.value : null,
          stopped: store.failure(),
        })
      })
    })
  }

  #createDrops(): Drops {
    const { settings, unasked, now } = this.#host
    const { desk } = this.#host.handlers
    return new Drops({
      link: this.link,
      ask: askForMany({
        link: this.link,
        desk,
        snapshot: () => this.store.snapshot(),
        language: () => this.#host.language(),
        now,
      }),
      hasQuestion: () => desk.hasQuestion(),
      notPending: (fileIds) => this.shell.deletes.notPending(fileIds),
      onNews: (batch) => this.#tell({ kind: 'batch', batch }),
      mark: () => unasked.mark(),
      copy: async (links, mark, always) =>
        always || settings.read().copyAfterDrop ? this.shell.copies.unasked(links, mark) : 'off',
      onStart: (batch, ids, open) => this.notifier.dropStarted(batch, ids, open),
      onEnd: (batch, items, copied) => {
        this.notifier.dropEnded(batch, items, copied)
        this.#host.changed(this)
      },
      onQueued: (rows) => this.shell.undo.uploaded(rows),
      saved: this.#stored('drops'),
      now,
      after,
    })
  }

  #createHandlers(): ShellHandlers {
    const host = this.#host
    const { licences, ...shared } = host.handlers
    const log = (): string => this.link.account()?.log ?? join(this.#dataDir(), 'slipway.log')
    return createHandlers({
      ...shared,
      link: this.link,
      store: this.store,
      drops: this.drops,
      unasked: host.unasked,
      tell: (event) => {
        this.#tell(event)
        if (event.kind === 'undone') this.#sayUndone(event.undone)
      },
      undoChanged: () => host.changed(this),
      renew: async (account) => {
        this.#renewed = account
        // The new account's transfer IDs start at 1 again, so the IDs in earlier drops would refer to other
        // files.
        this.drops.forget()
        this.shell.deletes.leave()
        this.shell.undo.forget()
        await this.link.reopen()
      },
      deletions: this.#stored('deletes'),
      pastedDir: () => this.link.account()?.pasted ?? join(this.#dataDir(), 'pasted'),
      paths: {
        get log() {
          return log()
        },
        licences,
      },
      language: host.language,
    })
  }

  /** The user may have closed the window, or undone the upload in a notification. */
  #sayUndone(undone: Undone): void {
    if (this.#host.isShown(this) && this.#host.isWindowFocused()) return
    const { window, formats } = this.#host.language()
    const title = undoneWords(window, formats, undone)
    if (title !== null) this.notifier.say('undo', `${printable(undone.name)}: ${title}`, null)
  }

  /** A JSON file in the account's folder. */
  #stored(name: 'drops' | 'deletes'): DeletionsFile {
    const file = (): JsonFile =>
      new JsonFile(join(this.#dir(), `${name}.json`), (message) =>
        this.#host.log(`${name}.state`, { message }),
      )
    return {
      read: () => file().read(),
      write: (value) => file().write(value),
      remove: () => file().remove(),
      setAside: () => file().setAside(this.#host.now()),
    }
  }

  /** The account's folder; the data folder until an engine becomes available. */
  #dir(): string {
    return this.link.account()?.dir ?? this.#dataDir()
  }
}
