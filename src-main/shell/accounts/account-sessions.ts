// Manages the sessions of all accounts. One account is shown in the window. Other accounts that have work,
// such as watched folders or unfinished uploads, run in the background, each with its own engine. Switching
// to another account doesn't interrupt any of them.

import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import { goesOn } from '../../../src-shared/key-state.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import type { AccountInfo, Connection, WindowEvent } from '../../../src-shared/window-contract.ts'
import type { Environment } from '../../platform/account/key-and-address.ts'
import type { Occasion } from '../engine/patient-keychain.ts'
import type { AccountLine, HeldKey, KeptKey } from '../engine/protocol.ts'
import type { TrialStart } from '../trial/trial.ts'
import type { AccountActions } from '../window/handler-parts.ts'
import { fail, NOTHING } from '../window/handler-results.ts'
import { accountList, hasWork, type LiveAccount } from './account-list.ts'
import { AccountSession, type SessionHost, type SessionStart } from './account-session.ts'
import { SharedPause } from './shared-pause.ts'

/**
 * Maximum time to wait for an engine to start, so that a hung engine doesn't block an account switch or a
 * sign-out, for example.
 */
const READY_MS = 15_000
const NO_ENVIRONMENT: Environment = { apiKey: null, baseUrl: null }
const CANT_START: Failure = { code: 'disk', title: "The sync engine couldn't be started.", hint: null }

interface SessionsParts {
  /** The parts that every session shares, except those that this class provides itself. */
  readonly host: Omit<
    SessionHost,
    'isShown' | 'pausedAccounts' | 'nameOf' | 'keyRead' | 'changed' | 'handlers'
  > & {
    readonly handlers: Omit<SessionHost['handlers'], 'accounts'>
  }
  readonly taken: Environment
  /**
   * Discards the previous account's events that haven't been sent to the page yet, and sends `events`
   * instead.
   */
  readonly tellSwitch: (events: readonly WindowEvent[]) => void
  /** Called when something changes that the tray or the taskbar shows. */
  readonly changed: () => void
}

export class AccountSessions implements AccountActions {
  readonly known: Promise<void>
  readonly #parts: SessionsParts
  readonly #host: SessionHost
  readonly #pause: SharedPause
  #sessions: readonly AccountSession[]
  #shown: AccountSession
  #lines: readonly AccountLine[] = []
  #told = '[]'
  /** Incremented with each switch, so that only the latest of several concurrent switches is carried out. */
  #turn = 0
  #isClosing = false
  /** Whether the window shows a trial, which needs no account. */
  #isTrial = false
  /** Whether the engine thread of a closed session is stuck. */
  #hasStuck = false

  constructor(parts: SessionsParts) {
    this.#parts = parts
    const { settings, log } = parts.host
    this.#pause = new SharedPause(settings, (error) =>
      log('pause.settings', { message: error instanceof Error ? error.message : String(error) }),
    )
    this.#host = {
      ...parts.host,
      handlers: { ...parts.host.handlers, accounts: this },
      isShown: (session) => session === this.#shown,
      pausedAccounts: () => this.#pause.reached(),
      engineUp: (session) => {
        if (!this.#isTrial) void this.#pause.started(session)
        parts.host.engineUp(session)
      },
      nameOf: (session) => (this.#lines.length > 1 ? session.name() : null),
      keyRead: () => void this.refresh(),
      changed: (session) => this.#changed(session),
    }
    this.#shown = new AccountSession(this.#host, { account: null, taken: parts.taken, held: null })
    this.#sessions = [this.#shown]
    this.known = this.#shown.ready.then(async () => {
      await this.refresh()
    })
  }

  start(): void {
    this.#shown.link.start()
  }

  shown(): AccountSession {
    return this.#shown
  }

  /** All sessions of the app, starting with the one in the window, which may have no account. */
  all(): readonly AccountSession[] {
    return [this.#shown, ...this.#sessions.filter((one) => one !== this.#shown)]
  }

  list(): readonly AccountInfo[] {
    // A trial isn't listed as an account.
    if (this.#isTrial) return []
    const live = new Map<string, LiveAccount>()
    for (const session of this.#sessions) {
      const id = session.id()
      const { store } = session
      const isStopped = store.failure() !== null
      if (id !== null) live.set(id, { connection: store.connection(), snapshot: store.snapshot(), isStopped })
    }
    return accountList(this.#lines, live, this.#shown.id())
  }

  /**
   * Rereads the list of accounts, which the command line may have changed, and starts the engines of accounts
   * that have work.
   */
  async refresh(): Promise<readonly AccountInfo[]> {
    const shown = this.#shown
    const got = await shown.link.op('accounts', {})
    if (got.ok && !this.#isClosing && !this.#isTrial && shown === this.#shown) {
      this.#lines = got.value.accounts
      for (const line of this.#lines) if (hasWork(line)) this.#of(line.id)
      this.#tellList()
    }
    return this.list()
  }

  /**
   * Call when the window is shown. The command line may have changed the accounts, and the keychain may have
   * been unlocked.
   */
  windowShown(): void {
    void this.refresh()
    void this.readKeysAgain('event')
  }

  /**
   * Reads the keychain again for accounts whose key couldn't be read, if the occasion justifies another
   * system dialog. Resolves to the connection of the account in the window.
   */
  async readKeysAgain(occasion: Occasion): Promise<Connection> {
    const isUnread = ({ store }: AccountSession): boolean =>
      ['failed', 'missing'].includes(store.connection().unread ?? '')
    // The keys of accounts without a running engine are read with the list of accounts, by the engine thread
    // of the account in the window.
    const isListUnread = this.#lines.some((line) => line.isKeyStored === null)
    const unread = this.all().filter((one) => isUnread(one) || (isListUnread && one === this.#shown))
    let isRead = false
    for (const { link, store } of unread) {
      const got = await link.op('readKeyAgain', { occasion })
      if (!got.ok || got.value === null) continue
      isRead = true
      store.setConnection(got.value)
      // Stop after a failure, because reading the other accounts' keys would only open further dialogs.
      if (got.value.unread !== undefined) break
    }
    if (isRead) await this.refresh()
    // If the shown account's key wasn't among those to read, repeat a failed check of whether keys can be
    // saved. Only an account without a key justifies opening a dialog for that check.
    const { key } = this.#shown.store.connection()
    if (!unread.includes(this.#shown)) void this.#shown.shell.keychain.repeat(key === null ? occasion : null)
    return this.#shown.store.connection()
  }

  /** Shows the account in the window. Null, for a session without an account, changes nothing. */
  async use(id: string | null): Promise<Result<Record<string, never>>> {
    const turn = ++this.#turn
    if (id === null || this.#shown.id() === id) return NOTHING
    const target = this.#of(id)
    await this.#whenReady(target)
    if (turn !== this.#turn) return NOTHING
    if (!target.link.isUp()) return { ok: false, failure: target.store.failure() ?? CANT_START }
    await target.link.op('use', { account: id })
    if (turn === this.#turn) this.#show(target)
    return NOTHING
  }

  async adopt({ account, held }: KeptKey): ReturnType<AccountActions['adopt']> {
    const known = this.#sessions.find((one) => one.id() === account)
    const session = known ?? this.#open(account, held)
    if (known !== undefined) {
      await known.link.op('hold', { held })
      await known.link.call('reloadKey', {})
      await known.store.refreshConnection()
    }
    await this.refresh()
    const used = await this.use(account)
    return used.ok ? { ok: true, value: { link: session.link, store: session.store } } : used
  }

  async rename(id: string, name: string): Promise<Result<Record<string, never>>> {
    const renamed = await this.#shown.link.op('rename', { account: id, name })
    if (!renamed.ok) return renamed
    await Promise.all(this.#sessions.map((one) => one.store.refreshConnection()))
    await this.refresh()
    return NOTHING
  }

  async unsentPastes(id: string): ReturnType<AccountActions['unsentPastes']> {
    const counted = await this.#shown.link.op('unsentPastes', { account: id })
    return counted.ok ? { ok: true, value: counted.value.count } : counted
  }

  openDeletions(id: string): number {
    const session = this.#sessions.find((one) => one.id() === id)
    return (session?.shell.deletes.leftCount() ?? 0) + (session?.store.snapshot()?.deleting?.count ?? 0)
  }

  async remove(id: string): Promise<Result<Record<string, never>>> {
    const session = this.#sessions.find((one) => one.id() === id)
    if (session?.store.connection().key === 'environment')
      return fail(
        'usage',
        "The key comes from this process's environment.",
        'Start Slipway without SLIPWAY_API_KEY.',
      )
    const removed = await (session ?? this.#shown).link.op('remove', { account: id })
    if (!removed.ok) {
      // The account couldn't be removed, but its engine has already closed, so start it again.
      await session?.link.reopen()
      return removed
    }
    this.#lines = this.#lines.filter((one) => one.id !== id)
    if (session !== undefined) await this.#leave(session)
    await this.refresh()
    // Once no account is left, end the pause. Otherwise an account that is added much later would start
    // paused.
    if (this.#lines.length === 0) this.#pause.resumed()
    return NOTHING
  }

  /**
   * Shows a trial in the window or, if `trial` is null, leaves the trial. `onShown` is called at the moment
   * of the switch, and the events that it returns are sent to the page along with the switch. If the trial's
   * engine can't be started, resolves to false and leaves the window unchanged.
   */
  async showTrial(trial: TrialStart | null, onShown: () => readonly WindowEvent[]): Promise<boolean> {
    const left = this.#shown
    const target = this.#start(
      trial === null
        ? { account: null, taken: this.#parts.taken, held: null }
        : { account: null, taken: trial, held: null, trialDir: trial.dataDir },
    )
    await this.#whenReady(target)
    if (trial !== null && !target.link.isUp()) {
      await this.#drop(target)
      return false
    }
    this.#turn++
    this.#isTrial = trial !== null
    this.#lines = []
    this.#show(target, onShown())
    await this.#drop(left)
    return true
  }

  async signOut(id: string | null): ReturnType<AccountActions['signOut']> {
    if (id !== null && !this.list().some((one) => one.id === id))
      return fail('not-found', 'This account is no longer on this computer.')
    const session = id === null ? this.#shown : this.#of(id)
    await this.#whenReady(session)
    const out = await session.link.op('signOut', {})
    if (!out.ok) return out
    session.store.setConnection(out.value)
    await this.refresh()
    return out
  }

  pauses(): number {
    return this.#pause.pauses()
  }

  /**
   * Pauses or resumes all accounts, and resolves to the result for the account in the window. `now` also
   * stops uploads in progress.
   */
  async everywhere(procedure: 'pause' | 'resume', now: boolean): Promise<Result<Snapshot>> {
    const all = this.all()
    // A pause during a trial affects only the trial, so the stored pause of the accounts isn't changed.
    if (procedure === 'resume' && !this.#isTrial) {
      const reached = this.#pause.reached() ?? []
      this.#pause.resumed()
      void this.#resumeStopped(reached)
    }
    const [first = { ok: false, failure: CANT_START } as const] = await (procedure === 'pause' &&
    !this.#isTrial
      ? this.#pause.pauseAll(all, now)
      : Promise.all(
          all.map(({ link }) =>
            procedure === 'pause' ? link.call('pause', now ? { now } : {}) : link.call('resume', {}),
          ),
        ))
    return first
  }

  /**
   * Starts those accounts whose engine isn't running and resumes them. Otherwise, they would still be paused
   * at their next start.
   */
  async #resumeStopped(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      // A session opened after `close` would never be closed.
      if (this.#isClosing || this.#isTrial) return
      const running = this.#sessions.find((one) => one.id() === id)
      if (running?.link.isUp() === true || !this.#lines.some((line) => line.id === id)) continue
      const session = running ?? this.#of(id)
      await this.#whenReady(session)
      // All accounts may have been paused again in the meantime.
      if (this.#pause.reached() !== null || this.#isClosing) return
      await session.link.call('resume', {})
    }
  }

  /** The total number of files that are being uploaded right now, across all accounts. */
  async uploading(): Promise<number> {
    const counts = await Promise.all(
      this.#sessions.map(async ({ link, store }) => {
        const now = await link.call('snapshot', {})
        return (now.ok ? now.value : store.snapshot())?.counts.uploading ?? 0
      }),
    )
    return counts.reduce((sum, one) => sum + one, 0)
  }

  /**
   * Closes all sessions; uploads under way get `graceMs` milliseconds to finish. Resolves to false if a
   * thread is stuck, which prevents the process from exiting normally.
   */
  async close(graceMs: number): Promise<boolean> {
    this.#isClosing = true
    const ended = await Promise.all(this.#sessions.map((one) => one.close(graceMs)))
    return !this.#hasStuck && ended.every((one) => one)
  }

  /** Returns the account's session, opening one if necessary. */
  #of(id: string): AccountSession {
    return this.#sessions.find((one) => one.id() === id) ?? this.#open(id, null)
  }

  #open(account: string | null, held: HeldKey | null): AccountSession {
    return this.#start({ account, taken: NO_ENVIRONMENT, held })
  }

  #start(options: SessionStart): AccountSession {
    const session = new AccountSession(this.#host, options)
    this.#sessions = [...this.#sessions, session]
    session.link.start()
    return session
  }

  /** Resolves once the session's engine has started, failed to start, or taken too long. */
  async #whenReady(session: AccountSession): Promise<void> {
    await Promise.race([session.ready, this.#host.handlers.wait(READY_MS)])
  }

  #show(target: AccountSession, told: readonly WindowEvent[] = []): void {
    const left = this.#shown
    if (target === left) return
    this.#shown = target
    const name = left.name()
    this.#parts.tellSwitch([
      {
        kind: 'switched',
        connection: target.store.connection(),
        snapshot: target.store.snapshot(),
        stopped: target.store.failure(),
        left:
          name === null
            ? null
            : { name, open: left.open(), goesOn: goesOn(left.store.connection(), left.store.snapshot()) },
      },
      ...told,
      { kind: 'keychain', keychain: target.shell.keychain.state() },
      { kind: 'deletes', pending: [...target.shell.deletes.pending()] },
      { kind: 'undo', last: target.shell.undo.last() },
      { kind: 'accounts', accounts: [...this.list()] },
    ])
    void left.link.call('presence', { person: false })
    void target.link.call('presence', { person: this.#host.isWindowVisible() })
    // The engine that ran before any account was known is no longer needed.
    if (left.id() === null) void this.#drop(left)
    this.#tellList()
    this.#parts.changed()
  }

  /**
   * Closes the session of an account that has been removed from this computer. If it was in the window,
   * another account is shown instead or, if there is none, the welcome view.
   */
  async #leave(session: AccountSession): Promise<void> {
    if (session === this.#shown) {
      const others = this.list().filter((one) => one.id !== session.id())
      const next = others.find((one) => one.key !== null) ?? others[0]
      const target = next === undefined ? this.#open(null, null) : this.#of(next.id)
      await this.#whenReady(target)
      this.#turn++
      if (next !== undefined) await target.link.op('use', { account: next.id })
      this.#show(target)
    }
    await this.#drop(session)
  }

  async #drop(session: AccountSession): Promise<void> {
    this.#sessions = this.#sessions.filter((one) => one !== session)
    if (!(await session.close(0))) this.#hasStuck = true
  }

  #changed(session: AccountSession): void {
    if (!this.#sessions.includes(session)) return
    if (!this.#isTrial) this.#pause.endIfOver(this.#sessions)
    this.#tellList()
    this.#parts.changed()
  }

  #tellList(): void {
    const accounts = [...this.list()]
    const now = JSON.stringify(accounts)
    if (now === this.#told) return
    this.#told = now
    this.#host.tell({ kind: 'accounts', accounts })
  }
}
