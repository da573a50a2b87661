// "Resume" ends the pause of all accounts, also in the journal of an account that the pause has reached and
// whose engine isn't running now.
import { expect, it, vi } from 'vitest'
import { AccountSessions } from '../../../src-main/shell/accounts/account-sessions.ts'

/**
 * What the journals of the two accounts say. Both were paused by "Pause" while both engines ran, before a
 * restart.
 */
const journals = vi.hoisted(
  () =>
    new Map([
      ['a', { paused: true }],
      ['b', { paused: true }],
    ]),
)
vi.mock('../../../src-main/shell/accounts/account-session.ts', () => ({
  AccountSession: class {
    readonly ready = Promise.resolve()
    readonly #id: string
    constructor(_host: unknown, start: { readonly account: string | null }) {
      this.#id = start.account ?? 'a'
    }
    id = (): string => this.#id
    name = (): string => this.#id
    open = (): number => 0
    store = {
      snapshot: () => ({
        paused: journals.get(this.#id)?.paused,
        counts: {},
        folders: [],
        account: { state: 'ok' },
      }),
      setSnapshot: () => undefined,
      failure: () => null,
      connection: () => ({ host: null, key: 'keychain', accountId: this.#id }),
    }
    shell = { keychain: { state: () => ({ ok: true }) }, deletes: { pending: () => [] } }
    link = {
      start: () => undefined,
      isUp: () => true,
      call: async (procedure: string) => {
        const journal = journals.get(this.#id)
        if (journal !== undefined && (procedure === 'pause' || procedure === 'resume'))
          journal.paused = procedure === 'pause'
        return { ok: true, value: this.store.snapshot() }
      },
      op: async (op: string) => {
        const line = {
          host: null,
          isKeyStored: true,
          folders: 0,
          open: 0,
          needs: 0,
          hasCleanup: false,
          isUnread: false,
        }
        return {
          ok: true,
          value: op === 'accounts' ? { accounts: ['a', 'b'].map((id) => ({ ...line, id, name: id })) } : {},
        }
      },
    }
  },
}))

it('resumes every account that the pause of all accounts has reached', async () => {
  let settings = { pausedAccounts: ['a', 'b'] as string[] | null }
  const host = {
    settings: {
      read: () => settings,
      change: (patch: typeof settings) => (settings = { ...settings, ...patch }),
    },
    handlers: { wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref()) },
    tell: () => undefined,
    log: () => undefined,
    engineUp: () => undefined,
    isWindowVisible: () => true,
  }
  const accounts = new AccountSessions({
    host,
    taken: { apiKey: null, baseUrl: null },
    tellSwitch: () => undefined,
    changed: () => undefined,
  } as unknown as ConstructorParameters<typeof AccountSessions>[0])
  await accounts.known
  // Account b has no work, so its engine isn't running.
  expect(accounts.all().map((one) => one.id())).toEqual(['a'])
  await accounts.everywhere('resume', false)
  expect(settings.pausedAccounts).toBeNull()
  await expect.poll(() => journals.get('b')).toEqual({ paused: false })
})
