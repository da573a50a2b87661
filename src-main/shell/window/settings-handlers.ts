// Handlers for booting and unloading a page, for settings, updates and the proxy login, and for releasing
// held files and deleting files. The user confirms in a system dialog whatever a page must not decide alone.
// Connecting and accounts are in connect-handlers.ts.

import { heldFile, type Result } from '../../../src-shared/engine-contract.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import type { AppHandlers } from '../../../src-shared/window-contract.ts'
import { changedQuestion, NAMED_MOST, releaseQuestion, settingsQuestions } from '../app/questions.ts'
import { type Deletes, startDeletion } from './deletes.ts'
import type { HandlerParts } from './handler-parts.ts'
import { fail, NOTHING, ok } from './handler-results.ts'
import type { KeychainProbe } from './keychain-probe.ts'
import { selectedRows, transfersByIds } from './rows.ts'

/**
 * Maximum time that `boot` waits for the key. It is limited, because the keychain may be prompting the user
 * for a password.
 */
const KEYCHAIN_MS = 3000
/**
 * Delay of the keychain check if a key is known. The check starts a process, which would delay the window's
 * first rows.
 */
const CHECK_LATER_MS = 2000

export function settingsHandlers(
  parts: HandlerParts,
  keychain: KeychainProbe,
): Pick<AppHandlers, 'boot' | 'letGo' | 'typedSaved' | 'change' | 'snooze' | 'update' | 'proxyLogin'> {
  const { link, store, desk, tell } = parts
  return {
    boot: async ({ shelf }) => {
      // Wait until it is known whether there is a key or another account. Otherwise a user with either would
      // briefly see the welcome view. The keychain is checked here only if there is no key yet, because the
      // check takes as long as the rest of the start.
      const known = store.connected.then(() =>
        store.connection().key === null ? Promise.all([keychain.probe(), parts.accounts.known]) : undefined,
      )
      await Promise.race([known, parts.wait(KEYCHAIN_MS)])
      void parts.wait(CHECK_LATER_MS).then(() => keychain.probe())
      return ok({
        ...parts.boot,
        managed: parts.managed(),
        settings: store.settings(),
        connection: store.connection(),
        accounts: [...parts.accounts.list()],
        snapshot: link.isUp() ? store.snapshot() : null,
        stopped: store.failure(),
        keychain: keychain.state(),
        update: parts.updates.view(),
        proxyLogin: parts.proxyLogins.view(),
        place: shelf === true ? null : parts.release.takePlace(),
        seq: parts.seq(),
      })
    },
    letGo: async (offered) => {
      parts.release.offer(offered)
      return NOTHING
    },
    typedSaved: async () => {
      parts.release.typedSaved()
      return NOTHING
    },
    change: async (patch) => {
      for (const question of settingsQuestions(store.settings(), patch, parts.language()))
        if (!(await desk.confirm(question))) return ok(store.settings())
      parts.applySettings(store.change(patch))
      // Read the settings back, because a setting that can't be put into effect, such as the shortcut, is
      // reset.
      const settings = store.settings()
      tell({ kind: 'settings', settings })
      return ok(settings)
    },
    proxyLogin: async ({ proxy, name, password }) => {
      const view = await parts.proxyLogins.enter(proxy, { name, password })
      if (view !== null) return ok(view)
      return fail(
        'keychain',
        "The proxy sign-in couldn't be deleted from the keychain.",
        'Unlock the keychain, then remove it again.',
      )
    },
    update: async ({ action }) => ok(await parts.updates.act(action)),
    snooze: async ({ minutes }) => {
      const settings = store.change({ snoozedUntil: minutes === 0 ? null : parts.now() + minutes * 60_000 })
      tell({ kind: 'settings', settings })
      return ok(settings)
    },
  }
}

/**
 * Handlers that publish or delete files. A page can request this, but only the user can confirm a release or
 * a large deletion.
 */
export function approvalHandlers(
  parts: HandlerParts,
  deletes: Deletes,
): Pick<AppHandlers, 'release' | 'deleteFiles'> {
  const { link, desk } = parts
  const heldRows = async (ids: readonly number[]): Promise<Result<readonly Transfer[]>> => {
    const got = await transfersByIds(link, ids, ['held'])
    return got.ok ? ok(got.value.filter((row) => row.state === 'held')) : got
  }
  return {
    release: async ({ ids }) => {
      const asked = await heldRows(ids)
      if (!asked.ok) return asked
      if (asked.value.length === 0) return ok({ count: 0 })
      // The engine keeps holding a file whose name, content or reason has changed since the question was
      // shown.
      const shown = asked.value.map(heldFile)
      const release = { ids: shown.map((row) => row.id), shown }
      if (asked.value.every((row) => row.reason === 'changed')) {
        const answer = await desk.choose(changedQuestion(asked.value, parts.language()))
        if (answer === null) return ok({ count: 0 })
        if (answer === 2) return link.call('cancel', { ids: release.ids })
        return link.call('release', { ...release, replace: answer === 1 })
      }
      const lines = await link.call('heldLines', { ids: release.ids.slice(0, NAMED_MOST) })
      const question = releaseQuestion(asked.value, lines.ok ? lines.value : [], parts.language())
      return (await desk.confirm(question)) ? link.call('release', release) : ok({ count: 0 })
    },
    deleteFiles: async ({ selection }) => {
      const got = await selectedRows(link, selection, { canGrow: false })
      if (!got.ok) return got
      const { rows } = got.value
      const ids = 'fileIds' in selection ? selection.fileIds : rows.map((row) => row.fileId)
      const links = new Map(rows.map((row) => [row.fileId, row.publicLink]))
      const files = ids.map((fileId) => ({ fileId, link: links.get(fileId) ?? null }))
      return ok(await startDeletion(parts, deletes, files, rows[0]?.filename ?? ''))
    },
  }
}
