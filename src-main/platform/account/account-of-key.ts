// Finds out whether a new key belongs to a known account. The service doesn't reveal which account a key
// belongs to, so this module requests files that the account is known to have. Both ID and link must match,
// because another service may use the same IDs.
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { ApiClient, ApiFailure, RemoteFile } from '../../api/types.ts'
import type { KnownFile, Peeked } from '../../engine/journal/peek.ts'
import { shownWord } from '../data/shell-word.ts'

/**
 * Maximum number of files requested per account. One isn't enough, because it may have been deleted
 * elsewhere.
 */
const ASKED = 3
const LIST_LIMIT = 100
const ASK_MS = 30_000
/**
 * The last part of a link identifies a file only if it has at least this many characters. A shorter one may
 * be a plain number.
 */
const TOKEN_LEAST = 8

export interface Candidate {
  readonly id: string
  readonly name: string
  readonly baseUrl: string | null
  /** A summary of the account's journal. Null if there is no journal or it is empty. */
  readonly known: Peeked | 'unreadable' | null
  /** Whether an engine other than the caller's own has the account's folder open right now. */
  readonly isRunning: boolean
}

export type Proof =
  /** A file was found, so this is another key of the account. */
  | { readonly kind: 'same'; readonly id: string }
  /** The account hasn't sent anything yet, so the key may take it over. */
  | { readonly kind: 'takes-over'; readonly id: string }
  | { readonly kind: 'other' }

export async function proveAccount(options: {
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient<string>
  readonly baseUrl: string
  readonly key: string
  readonly candidates: readonly Candidate[]
  /**
   * Whether the user has entered the key or named the account; false for a key that the environment happens
   * to contain.
   */
  readonly isChosen: boolean
  readonly signal: AbortSignal
}): Promise<Result<Proof>> {
  const { baseUrl, candidates, isChosen } = options
  const knowing = candidates.filter((one) => filesOf(one).length > 0)
  if (knowing.length > 0) {
    const api = options.createApi(baseUrl, () => options.key)
    try {
      const found = await ask(api, knowing, AbortSignal.any([options.signal, AbortSignal.timeout(ASK_MS)]))
      if (options.signal.aborted)
        return { ok: false, failure: { code: 'closing', title: 'Interrupted.', hint: null } }
      if (!found.ok) return { ok: false, failure: cantTell(found.failure, baseUrl, candidates) }
      if (found.value !== null) return { ok: true, value: { kind: 'same', id: found.value } }
    } finally {
      await api.close()
    }
  }
  const unknown = candidates.find(
    (one) => one.known === 'unreadable' && (one.baseUrl === baseUrl || one.baseUrl === null),
  )
  if (unknown !== undefined) return { ok: false, failure: cantRead(unknown.name) }
  const blank = candidates.find((one) => isTakenOver(one, baseUrl, isChosen))
  return { ok: true, value: blank === undefined ? { kind: 'other' } : { kind: 'takes-over', id: blank.id } }
}

/**
 * Whether the new key may take over the account without proof. That is safe only if the account has sent
 * nothing and no other engine is using it. Otherwise, files sent with another key would be attributed to the
 * new key's account. A key that the user didn't choose (`isChosen`) takes over only an account whose own key
 * never worked. If that account has open files or watched folders, its key must also have been refused,
 * because the files would otherwise be uploaded to the new key's account. Pure.
 */
export function isTakenOver(
  { known, isRunning, baseUrl }: Omit<Candidate, 'id' | 'name'>,
  at: string,
  isChosen: boolean,
): boolean {
  if (isRunning || known === 'unreadable' || known?.hasSent === true || (known?.files.length ?? 0) > 0)
    return false
  const isEmpty =
    known === null || (known.waiting + known.held + known.failed === 0 && known.folders.length === 0)
  if (!isChosen && known !== null && (known.isProved || !(isEmpty || known.isRefused))) return false
  // At the same address, this is most likely a renewed key. At another address, the key may take over only an
  // account that was never used, for example after a typo in the key or the address.
  const isUnused = known !== null && !known.isProved && isEmpty
  return baseUrl === at || baseUrl === null || isUnused
}

function filesOf({ known }: Candidate): readonly KnownFile[] {
  return known === null || known === 'unreadable' ? [] : known.files
}

type Asked =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly failure: ApiFailure }

/**
 * Uses the new key to look for the candidates' known files. `value` is the ID of the first candidate with a
 * match, or null if there is none.
 */
async function ask(
  api: ApiClient<string>,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<Asked> {
  for (const one of candidates)
    for (const file of filesOf(one).slice(0, ASKED)) {
      const got = await api.file(file.fileId, signal)
      if (got.ok && isSameFile(file, got.value)) return { ok: true, value: one.id }
      if (!got.ok && isTelling(got.failure)) return got
    }
  // The files may have been deleted elsewhere, and some services don't support requests for single files. So
  // also search the first and the last page of the list.
  const first = await api.list({ page: 1, limit: LIST_LIMIT, signal })
  if (!first.ok) return first
  const match = inList(candidates, first.value.files)
  const { pages } = first.value.pagination
  if (match !== null || pages === null || pages < 2) return { ok: true, value: match }
  const last = await api.list({ page: pages, limit: LIST_LIMIT, signal })
  return last.ok ? { ok: true, value: inList(candidates, last.value.files) } : last
}

/**
 * Whether a failure has nothing to do with the requested file, so that further requests would fail in the
 * same way.
 */
function isTelling(failure: ApiFailure): boolean {
  if (failure.kind === 'status')
    return failure.status === 401 || failure.status === 403 || failure.status === 429
  return failure.kind !== 'refused' && failure.kind !== 'garbage'
}

function inList(candidates: readonly Candidate[], listed: readonly RemoteFile<string>[]): string | null {
  const byId = new Map(listed.map((one) => [one.fileId, one]))
  for (const one of candidates)
    for (const file of filesOf(one)) {
      const shown = byId.get(file.fileId)
      if (shown !== undefined && isSameFile(file, shown)) return one.id
    }
  return null
}

/**
 * Whether both links refer to the same file. A service may be reached under two host names, so it is enough
 * that the last path segments are equal and have at least `TOKEN_LEAST` characters. Pure.
 */
export function isSameFile(known: KnownFile, shown: Pick<RemoteFile, 'publicLink'>): boolean {
  if (shown.publicLink === null) return false
  if (shown.publicLink === known.publicLink) return true
  const token = tokenOf(known.publicLink)
  return token.length >= TOKEN_LEAST && token === tokenOf(shown.publicLink)
}

function tokenOf(link: string): string {
  return (
    link
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? ''
  )
}

/**
 * The hint names a command that opens the journal, because that migrates an old journal and replaces a
 * damaged one.
 */
function cantRead(name: string): Failure {
  return {
    code: 'journal-unusable',
    title: `Couldn't read the journal of the account ${name}, so this key's account is unknown. Nothing was stored or sent.`,
    hint: `Unset SLIPWAY_API_KEY and run: slipway status --account ${shownWord(name)}. This repairs a damaged journal. Then try again.`,
  }
}

function cantTell(failure: ApiFailure, baseUrl: string, candidates: readonly Candidate[]): Failure {
  if (failure.kind === 'status' && failure.status === 401)
    return {
      code: 'key-refused',
      title: 'The key was refused.',
      hint: 'Copy it again from the account settings.',
    }
  if (failure.kind === 'status' && failure.status === 403)
    return {
      code: 'no-api',
      title: "Access denied: this plan doesn't include API access, or a limit is exceeded.",
      hint: failure.detail,
    }
  const names = candidates.map((one) => one.name).join(', ')
  const hint = `Only the service knows which account this new key belongs to. Try again later, or choose the account with --account: ${names}`
  if (failure.kind === 'status' && failure.status === 429)
    return { code: 'waits', title: 'The service asked to wait.', hint }
  if (
    failure.kind === 'connect' ||
    failure.kind === 'cut' ||
    failure.kind === 'timeout' ||
    failure.kind === 'aborted'
  )
    return { code: 'no-connection', title: `${baseUrl} couldn't be reached. ${failure.message}`, hint }
  return { code: 'server', title: failure.message, hint }
}
