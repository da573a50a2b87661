// Handlers around the account, the settings and what Slipway may do: start of a page, settings, connecting, releasing and deleting.
// What a page must not decide by itself is asked in a dialog of the system.
import { randomUUID } from 'node:crypto'
import type { AppHandlers } from '../../../src-shared/app.ts'
import type { Result } from '../../../src-shared/contract.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import { deleteQuestion, guardQuestion, moveQuestion, releaseQuestion } from '../app/questions.ts'
import type { Deletes } from './deletes.ts'
import type { HandlerParts } from './handler-parts.ts'
import { NOTHING, ok } from './handler-results.ts'
import { selectedRows, transfersByIds } from './rows.ts'
import { Tokens } from './tokens.ts'

/** A keychain that asks its person for a password must not hold up the window for ever. */
const KEYCHAIN_MS = 3000

/** Whether the keychain can be used, asked once a page wants to know. */
class KeychainProbe {
  readonly #parts: HandlerParts
  #state: { ok: boolean; message: string | null } = { ok: true, message: null }
  #probing: Promise<void> | null = null

  constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  state(): { ok: boolean; message: string | null } {
    return this.#state
  }

  /** Not before a page asks: until then there is no engine thread. If the thread fails meanwhile, the next page asks again. */
  probe(): Promise<void> {
    this.#probing ??= this.#ask()
    return this.#probing
  }

  async #ask(): Promise<void> {
    const got = await this.#parts.link.op('keychain', {})
    if (got.ok) this.#state = { ...got.value }
    else this.#probing = null
  }
}

/** What a person agrees to: this file, held for this reason. */
function heldAs(row: Transfer): string {
  return [row.id, row.path, row.size, row.reason, row.message].join('\0')
}

export function settingsHandlers(parts: HandlerParts): Pick<AppHandlers, 'boot' | 'change' | 'snooze'> {
  const { link, store, desk, tell } = parts
  const keychain = new KeychainProbe(parts)
  return {
    boot: async () => {
      // Without them the first sight would be the welcome of somebody who has a key.
      await Promise.race([Promise.all([keychain.probe(), store.connected]), parts.wait(KEYCHAIN_MS)])
      return ok({
        ...parts.boot,
        settings: store.settings(),
        connection: store.connection(),
        snapshot: link.isUp() ? store.snapshot() : null,
        keychain: keychain.state(),
        seq: parts.seq(),
      })
    },
    change: async (patch) => {
      const question = guardQuestion(store.settings(), patch, parts.language())
      if (question !== null && !(await desk.confirm(question))) return ok(store.settings())
      parts.applySettings(store.change(patch))
      // Not everything that was asked for may have worked.
      const settings = store.settings()
      tell({ kind: 'settings', settings })
      return ok(settings)
    },
    snooze: async ({ minutes }) => {
      const settings = store.change({ snoozedUntil: minutes === 0 ? null : parts.now() + minutes * 60_000 })
      tell({ kind: 'settings', settings })
      return ok(settings)
    },
  }
}

export function connectHandlers(parts: HandlerParts): Pick<AppHandlers, 'connect' | 'adopt' | 'signOut'> {
  const { link, store, desk } = parts
  /** Where the checked keys that the engine keeps lead to. */
  const checked = new Tokens<{ readonly host: string; readonly baseUrl: string }>()
  return {
    connect: async ({ address, key, plainHttp }) => {
      const token = randomUUID()
      const proved = await link.op('connect', { token, address, key, plainHttp })
      if (!proved.ok) return proved
      checked.add({ host: proved.value.host, baseUrl: proved.value.baseUrl }, token)
      return ok({ token, ...proved.value })
    },
    adopt: async ({ token, save }) => {
      const to = checked.get(token)
      const from = await store.refreshConnection()
      // Only a change of service needs a question: the new one would receive every waiting and every new file.
      if (to !== undefined && from.baseUrl !== null && from.baseUrl !== to.baseUrl) {
        if (!(await desk.confirm(moveQuestion(from.host ?? from.baseUrl, to.host, parts.language())))) return ok(null)
      }
      const kept = await link.op('keep', { token, save })
      if (!kept.ok) return kept
      store.setBaseUrl(kept.value.baseUrl)
      const snapshot = await link.call('reloadKey', {})
      const connection = await store.refreshConnection()
      return snapshot.ok ? ok({ connection, snapshot: snapshot.value }) : snapshot
    },
    signOut: async () => {
      const out = await link.op('signOut', {})
      if (!out.ok) return out
      store.setConnection(out.value)
      return out
    },
  }
}

/** What publishes or deletes files: a page asks for it, a person agrees. */
export function approvalHandlers(parts: HandlerParts, deletes: Deletes): Pick<AppHandlers, 'release' | 'deleteFiles' | 'undoDelete'> {
  const { link, store, desk } = parts
  const heldRows = async (ids: readonly number[]): Promise<Result<readonly Transfer[]>> => {
    const got = await transfersByIds(link, ids, ['held'])
    return got.ok ? ok(got.value.filter((row) => row.state === 'held')) : got
  }
  return {
    release: async ({ ids }) => {
      const asked = await heldRows(ids)
      if (!asked.ok) return asked
      if (asked.value.length === 0) return ok({ count: 0 })
      if (!(await desk.confirm(releaseQuestion(asked.value, parts.language())))) return ok({ count: 0 })
      // What was found out about a file while the dialog was open needs a question of its own.
      const now = await heldRows(ids)
      if (!now.ok) return now
      const agreed = new Set(asked.value.map(heldAs))
      const same = now.value.filter((row) => agreed.has(heldAs(row)))
      return same.length === 0 ? ok({ count: 0 }) : link.call('release', { ids: same.map((row) => row.id) })
    },
    deleteFiles: async ({ selection }) => {
      const got = await selectedRows(link, selection)
      if (!got.ok) return got
      const ids = 'fileIds' in selection ? selection.fileIds : got.value.rows.map((row) => row.fileId)
      if (deletes.needsQuestion(ids.length) && !(await desk.confirm(deleteQuestion(ids.length, parts.language())))) return ok(null)
      return ok(deletes.start(ids, store.settings().undoSeconds))
    },
    undoDelete: async ({ token }) => {
      deletes.undo(token)
      return NOTHING
    },
  }
}
