// Handlers for the trial, for keys and for accounts. A system dialog asks before files go to another service
// or account, and before an account's data is deleted.
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { goesOn } from '../../../src-shared/key-state.ts'
import type { AppHandlers, Connection } from '../../../src-shared/window-contract.ts'
import { normaliseBaseUrl } from '../../api/base-url.ts'
import {
  connectQuestion,
  foldersQuestion,
  moveQuestion,
  removeQuestion,
  signOutQuestion,
} from '../app/questions.ts'
import { EXPIRED_KEY } from '../engine/credentials.ts'
import type { KeyOwner } from '../engine/protocol.ts'
import { carryOut, FOLDER_PLANS, type FolderPlan, movedFiles } from './folder-move.ts'
import type { HandlerParts } from './handler-parts.ts'
import { fail, NOTHING, ok } from './handler-results.ts'
import type { KeychainProbe } from './keychain-probe.ts'
import { Tokens } from './tokens.ts'

interface Target {
  readonly host: string
  readonly baseUrl: string
}

type ConnectNames = 'connect' | 'adopt'
type AccountNames = 'readKeyAgain' | 'accounts' | 'useAccount' | 'renameAccount' | 'removeAccount' | 'signOut'

/** An account entered during a trial would belong to the trial and be deleted with it. */
const TRIAL_FIRST = fail('usage', 'Slipway is being tried without an account.', 'End the trial first.')

export function trialHandlers({
  trial,
  managed,
  kept,
  desk,
  link,
  language,
  pastedDir,
}: HandlerParts): Pick<AppHandlers, 'startTrial' | 'endTrial'> {
  return {
    startTrial: async () => {
      // The trial's service would be blocked by a policy that fixes the address, and by an invalid policy.
      const { address, fault } = managed()
      if (address !== null || fault !== null)
        return fail('no-api', 'Your organization allows no trial.', fault)
      kept.startTrial()
      const started = await trial.start()
      return started.ok ? NOTHING : started
    },
    endTrial: async () => {
      if (!trial.isOn()) return ok({ ended: false })
      const { texts, formats } = language()
      if (!(await desk.confirm(texts.trialEnd))) return ok({ ended: false })
      const paths = await droppedFiles(link, pastedDir())
      if (paths.length > 0) {
        const { title, detail, leave, take, cancel } = texts.trialFiles
        const chosen = await desk.choose({
          title: title(paths.length, formats.count(paths.length)),
          detail,
          answers: [leave, take],
          cancel,
          byEnter: null,
        })
        if (chosen === null) return ok({ ended: false })
        // The first screen shows them, and offers to discard them, until there is an account for them.
        if (chosen === 1) kept.addDrop(paths)
      }
      await trial.end()
      return ok({ ended: true })
    },
  }
}

/** Returns the files that the user gave the trial, except for those that Slipway wrote itself. */
async function droppedFiles(link: HandlerParts['link'], pasted: string): Promise<readonly string[]> {
  const got = await link.call('transfers', { folderId: null, states: ['done'], afterId: 0, limit: 500 })
  const given = got.ok
    ? got.value.filter(({ source, path }) => source === 'upload' && dirname(path) !== pasted)
    : []
  return [...new Set(given.map(({ path }) => path))]
}

export function connectHandlers(
  parts: HandlerParts,
  keychain: KeychainProbe,
): Pick<AppHandlers, ConnectNames> {
  const { link, store, trial } = parts
  /**
   * The service address for which each key was checked, by token. The engine thread stores the key itself
   * under the same token.
   */
  const checked = new Tokens<Target>()
  return {
    connect: async ({ address, key, plainHttp }) => {
      if (trial.isOn()) return TRIAL_FIRST
      if (!(await mayContact(parts, address, plainHttp))) return ok(null)
      const token = randomUUID()
      // Check the keychain, so that the form offers to save the key if that has become possible.
      void keychain.keyEntered()
      const proved = await link.op('connect', { token, address, key, plainHttp })
      if (!proved.ok) return proved
      checked.add({ host: proved.value.host, baseUrl: proved.value.baseUrl }, token)
      return ok({ token, ...proved.value })
    },
    adopt: async ({ token, save }) => {
      if (trial.isOn()) return TRIAL_FIRST
      const folders = store.snapshot()?.folders ?? []
      const from = await store.refreshConnection()
      const to = checked.get(token)
      if (to === undefined) return { ok: false, failure: EXPIRED_KEY }
      // Finding the owner of the key may require a request to its service. Without watched folders, the owner
      // matters only on the service that is in use, so no request is sent to another one before the user
      // agrees.
      const matters = folders.length > 0 || ((from.accountId ?? null) !== null && !isOtherService(from, to))
      const owner = matters ? await link.op('owner', { token }) : null
      if (owner?.ok === false) return owner
      const plan = await askBefore(parts, from, owner?.value ?? null, to)
      if (plan === null) return ok(null)
      const kept = await link.op('keep', { token, save })
      if (!kept.ok) return kept
      if (kept.value.first) store.setBaseUrl(kept.value.baseUrl)
      if (kept.value.engine === 'other') {
        const opened = await parts.accounts.adopt(kept.value)
        if (!opened.ok) return opened
        const allPause = (): number | null =>
          store.settings().pausedAccounts === null ? null : parts.accounts.pauses()
        await carryOut(plan, folders, { from: link, to: opened.value.link, allPause })
        const snapshot = await opened.value.link.call('snapshot', {})
        return snapshot.ok
          ? ok({ connection: opened.value.store.connection(), snapshot: snapshot.value })
          : snapshot
      }
      if (kept.value.engine === 'reopened') await parts.renew(kept.value.account)
      const snapshot = await link.call('reloadKey', {})
      const connection = await store.refreshConnection()
      await parts.accounts.refresh()
      return snapshot.ok ? ok({ connection, snapshot: snapshot.value }) : snapshot
    },
  }
}

/**
 * Asks before a service that no account of this computer uses is sent anything, unless there is no account
 * yet.
 */
async function mayContact(
  { store, desk, accounts, language }: HandlerParts,
  address: string,
  plainHttp: boolean,
): Promise<boolean> {
  const to = normaliseBaseUrl(address, { allowPlainHttp: plainHttp })
  const { baseUrl, host } = store.connection()
  // An unusable address is refused without a request.
  if (
    !to.ok ||
    baseUrl === null ||
    to.baseUrl === baseUrl ||
    accounts.list().some((one) => one.host === to.host)
  )
    return true
  return desk.confirm(connectQuestion(host ?? baseUrl, to.host, language()))
}

function isOtherService(from: Connection, to: Target): boolean {
  return from.baseUrl !== null && from.baseUrl !== to.baseUrl
}

/**
 * Asks the user before a new key sends files to another service or account. Resolves to the plan for the
 * watched folders, or to null if the user declined. `owner` is null if it wasn't looked up.
 */
async function askBefore(
  parts: HandlerParts,
  from: Connection,
  owner: KeyOwner | null,
  to: Target,
): Promise<FolderPlan | null> {
  const { store, desk } = parts
  const name = from.account ?? from.host ?? ''
  const folders = store.snapshot()?.folders ?? []
  const isElsewhere = isOtherService(from, to)
  const isRunning = goesOn(from, store.snapshot())
  if (owner !== null && !owner.isOpen && folders.length > 0) {
    const choice = foldersQuestion(
      {
        from: name,
        to: owner.name,
        host: to.host,
        folders,
        files: await movedFiles(parts.link, folders),
        isOtherService: isElsewhere,
        isRunning,
      },
      parts.language(),
    )
    const chosen = await desk.choose(choice)
    return chosen === null ? null : (FOLDER_PLANS[chosen] ?? null)
  }
  // The other service or account would receive every new file.
  const isOtherAccount = owner !== null && !owner.isOpen
  if (!isElsewhere && !isOtherAccount) return 'keep'
  const question = isElsewhere
    ? moveQuestion('service', name, to.host, isRunning, parts.language())
    : moveQuestion('account', name, owner?.name ?? '', isRunning, parts.language())
  return (await desk.confirm(question)) ? 'keep' : null
}

export function accountHandlers(parts: HandlerParts): Pick<AppHandlers, AccountNames> {
  const { accounts, desk, trial } = parts
  return {
    readKeyAgain: async () => {
      const connection = await accounts.readKeysAgain('person')
      return connection.unread === undefined
        ? ok(connection)
        : fail('keychain', "The API key couldn't be read from the keychain.")
    },
    accounts: async () => ok([...(await accounts.refresh())]),
    useAccount: async ({ account }) => {
      if (!accounts.list().some((one) => one.id === account))
        return fail('not-found', 'This account is no longer on this computer.')
      return accounts.use(account)
    },
    renameAccount: async ({ account, name }) => accounts.rename(account, name.trim()),
    removeAccount: async ({ account }) => {
      const found = (await accounts.refresh()).find((one) => one.id === account)
      if (found === undefined) return fail('not-found', 'This account is no longer on this computer.')
      const pastes = await accounts.unsentPastes(account)
      if (!pastes.ok) return pastes
      const lost = { pastes: pastes.value, deletions: accounts.openDeletions(account) }
      if (!(await desk.confirm(removeQuestion({ ...found, ...lost }, parts.language()))))
        return ok({ removed: false })
      const removed = await accounts.remove(account)
      return removed.ok ? ok({ removed: true }) : removed
    },
    signOut: async ({ account }) => {
      const { texts } = parts.language()
      if (trial.isOn()) {
        if (!(await desk.confirm(texts.trialEnd))) return ok(null)
        await trial.end()
        return ok({ host: null, baseUrl: null, key: null })
      }
      const connection = parts.store.connection()
      const found = accounts.list().find((one) => (account === null ? one.shown : one.id === account))
      const name = found?.name ?? connection.account ?? connection.host ?? ''
      const isGiven = (found?.key ?? connection.key) === 'environment'
      if (!(await desk.confirm(signOutQuestion(name, isGiven, parts.language())))) return ok(null)
      return accounts.signOut(account)
    },
  }
}
