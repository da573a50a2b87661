// Turns files and folders that the user named into transfers: one for each version of a file, and none for a
// version that is already uploaded, unless the user asks to send it again. Sends nothing.
import { dirname } from 'node:path'
import type { UploadItem } from '../../../src-shared/engine-contract.ts'
import type { FileLimits } from '../../../src-shared/model.ts'
import { absolute, below, child } from '../disk/rel-path.ts'
import type { Claims } from '../journal/claims.ts'
import type { Database } from '../journal/database.ts'
import type { Remote } from '../journal/remote-list.ts'
import { PRIORITY } from '../journal/transfer-row.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Disk, Entry } from '../ports.ts'
import { admit, PLACE_RULES, type Verdict } from '../rules/admission.ts'
import { OWN_RULE } from '../rules/data-folder.ts'
import type { Guard } from '../rules/guard.ts'
import { type IgnoreRules, isRulesFile, rulesText } from '../rules/ignore-rules.ts'
import type { Admission, RuleScope, WatchedRoot } from '../rules/path-facts.ts'
import type { Bus } from '../tell/bus.ts'
import { isLive } from '../tell/views.ts'
import { entriesOf, isListedDataFolder } from './entries.ts'
import type { NamedFiles } from './settle-named.ts'
import type { WatchedFolders } from './watched-folders.ts'

/**
 * Reasons that concern only the waiting file itself. A wait for one of these reasons ends when the user names
 * the file again.
 */
const ENDED_BY_NAMING: ReadonlySet<string> = new Set(['backoff', 'settling', 'changing', 'grace'])

export interface Named {
  /** The real path or, if the typed path can't be resolved, the typed path. */
  readonly path: string
  /** The path as typed, if it differs from the real path, for example because of a link; otherwise null. */
  readonly typed: string | null
  readonly entry: Entry | null
  readonly outcome: 'file' | 'ignored' | 'failed'
  readonly reason: string | null
  /** Whether the user named this path itself rather than only a folder above it. */
  readonly direct: boolean
  /** The ignored directory that this entry is in, if that is why the entry is ignored. */
  readonly ignoredDir?: string
}

interface Walk {
  readonly scope: RuleScope
  readonly rules: IgnoreRules
  readonly root: string
  readonly typedRoot: string | null
}

/**
 * Resolves to the named files and all files below the named folders, in the order given and by name within a
 * folder. Doesn't follow links inside folders. Includes ignored files, with their rule. The user's rules
 * apply to every file, the default rules only to files that the user didn't name directly. `pasted`: Slipway
 * wrote these files from the clipboard, so no rule ignores them. `ignore`, `limits`: rules for the named folders, in
 * place of those they may be watched with. Rejects if `signal` aborts.
 */
export async function expand(
  disk: Disk,
  admission: Admission,
  paths: readonly string[],
  {
    pasted = false,
    ignore = null,
    limits = null,
  }: {
    readonly pasted?: boolean
    readonly ignore?: readonly string[] | null
    readonly limits?: FileLimits | null
  },
  signal: AbortSignal,
): Promise<readonly Named[]> {
  const out: Named[] = []
  admission.expire()
  await admission.own.refresh()
  for (const path of paths) {
    signal.throwIfAborted()
    const found = await disk.resolve(path)
    const refuse = (outcome: 'ignored' | 'failed', reason: string): void => {
      out.push({
        path: 'code' in found ? path : found.real,
        typed: 'code' in found || found.real === path ? null : path,
        entry: null,
        outcome,
        reason,
        direct: true,
      })
    }
    if ('code' in found) {
      refuse('failed', found.code === 'denied' ? 'unreadable' : 'missing')
      continue
    }
    const { real, entry } = found
    const typed = real === path ? null : path
    const isDir = entry.kind === 'dir'
    const dir = isDir ? real : dirname(real)
    const { texts, place } = await admission.chain(dir)
    if (pasted && admission.own.isPasted(real) && entry.kind === 'file') {
      out.push({ path: real, typed, entry, outcome: 'file', reason: null, direct: true })
      continue
    }
    if (place !== null) {
      refuse('ignored', PLACE_RULES[place])
      continue
    }
    const folder = admission.governing(real)
    const own = isDir ? ignore : null
    // A named directory with its own rules (`ignore`) follows only these, even inside a watched folder.
    const base = own === null ? (folder?.path ?? dir) : real
    const scope: RuleScope = {
      base,
      ignoresCase: await admission.ignoresCase(base),
      defaultsAt: isDir ? real : null,
      patterns: own ?? folder?.ignore ?? [],
      limits: own === null ? (folder?.limits ?? null) : limits,
      chain: isDir ? texts.filter((one) => one.dir !== real) : texts,
    }
    const rules = admission.rules(scope)
    const rel = below(scope.base, real) ?? ''
    if (isDir) {
      const caught = rules.throughDir(rel)
      if (caught !== null) refuse('ignored', caught.rule)
      else await walk(disk, admission, { scope, rules, root: real, typedRoot: typed }, '', out, signal)
    } else if (entry.kind === 'file') {
      const caught = rules.through(rel, entry.size)
      if (caught !== null) refuse('ignored', caught.rule)
      else out.push({ path: real, typed, entry, outcome: 'file', reason: null, direct: true })
    } else refuse('failed', 'not-a-file')
  }
  return paths.length < 2 ? out : withDirect(out)
}

/**
 * Marks a file that the user named as such wherever it occurs, because the user may also have named a folder
 * above it.
 */
function withDirect(named: readonly Named[]): readonly Named[] {
  const direct = new Set(named.flatMap((one) => (one.direct && one.outcome === 'file' ? [one.path] : [])))
  return named.map((one) => (one.outcome === 'file' && direct.has(one.path) ? { ...one, direct: true } : one))
}

async function walk(
  disk: Disk,
  admission: Admission,
  from: Walk,
  dir: string,
  out: Named[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const at = absolute(from.root, dir, '')
  const [list] = await disk.list([at])
  if (list === undefined || list.failure !== null) {
    out.push({ path: at, typed: null, entry: null, outcome: 'failed', reason: 'unreadable', direct: false })
    return
  }
  if (await isListedDataFolder(disk, list)) {
    out.push({ path: at, typed: null, entry: null, outcome: 'ignored', reason: OWN_RULE, direct: false })
    return
  }
  const entries = [...entriesOf(list)].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const here = await withRulesOf(disk, admission, from, at, entries)
  for (const entry of entries) {
    const rel = child(dir, entry.name)
    const path = absolute(here.root, dir, entry.name)
    const typed = here.typedRoot === null ? null : absolute(here.typedRoot, dir, entry.name)
    const inScope = below(here.scope.base, path) ?? entry.name
    if (entry.kind === 'dir') {
      const place = admission.own.kindOf(path) ?? admission.own.kindAt(entry)
      if (place !== null)
        out.push({ path, typed, entry: null, outcome: 'ignored', reason: PLACE_RULES[place], direct: false })
      else {
        const caught = here.rules.dir(inScope)
        const folder = caught === null ? admission.rootAt(path, entry) : null
        if (caught !== null) await countIgnored(disk, path, { dir: path, rule: caught.rule }, out, signal)
        else
          await walk(
            disk,
            admission,
            folder === null ? here : await governedBy(admission, here, folder, path),
            rel,
            out,
            signal,
          )
      }
      continue
    }
    if (entry.kind === 'unreadable') {
      // The entry's type is unknown, so it is ignored if a rule would ignore it as a file or as a directory.
      const rule = (here.rules.file(inScope, 0) ?? here.rules.dir(inScope))?.rule ?? null
      out.push({
        path,
        typed,
        entry: null,
        outcome: rule === null ? 'failed' : 'ignored',
        reason: rule ?? 'unreadable',
        direct: false,
      })
      continue
    }
    const caught =
      entry.kind === 'file'
        ? (here.rules.file(inScope, entry.size)?.rule ?? null)
        : entry.kind === 'link'
          ? 'symbolic link'
          : 'not a regular file'
    out.push({
      path,
      typed,
      entry,
      outcome: caught === null ? 'file' : 'ignored',
      reason: caught,
      direct: false,
    })
  }
}

/**
 * Lists everything below an ignored directory, so that the totals match the audit of a watched folder, which
 * counts these files too.
 */
async function countIgnored(
  disk: Disk,
  dir: string,
  by: { readonly dir: string; readonly rule: string },
  out: Named[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const count = (path: string): void => {
    out.push({
      path,
      typed: null,
      entry: null,
      outcome: 'ignored',
      reason: by.rule,
      direct: false,
      ignoredDir: by.dir,
    })
  }
  const [list] = await disk.list([dir])
  if (list === undefined || list.failure !== null) {
    count(dir)
    return
  }
  for (const entry of entriesOf(list)) {
    const path = absolute(dir, '', entry.name)
    if (entry.kind === 'dir') await countIgnored(disk, path, by, out, signal)
    else count(path)
  }
}

/** The walk with this directory's rules file added, if there is one. */
async function withRulesOf(
  disk: Disk,
  admission: Admission,
  from: Walk,
  dir: string,
  entries: readonly Entry[],
): Promise<Walk> {
  const file = entries.find((entry) => isRulesFile(entry.name, from.scope.ignoresCase))
  const text = await rulesText(disk, dir, file)
  if (text === undefined) return from
  const scope: RuleScope = { ...from.scope, chain: [...from.scope.chain, { dir, text }] }
  return { ...from, scope, rules: admission.rules(scope) }
}

/**
 * The walk inside a folder that is itself watched: its own patterns apply there, and those of an outer folder
 * don't.
 */
async function governedBy(
  admission: Admission,
  from: Walk,
  folder: WatchedRoot,
  path: string,
): Promise<Walk> {
  const ignoresCase = await admission.ignoresCase(path)
  const scope: RuleScope = {
    ...from.scope,
    base: path,
    ignoresCase,
    defaultsAt: path,
    patterns: folder.ignore,
    limits: folder.limits,
  }
  return { ...from, scope, rules: admission.rules(scope) }
}

export interface RegisterOptions {
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Remote
  readonly claims: Pick<Claims, 'represent' | 'hasEnded'>
  readonly guard: Guard
  readonly clock: Pick<Clock, 'now'>
  readonly folders: Pick<WatchedFolders, 'isOpen'>
  readonly namedFiles: Pick<NamedFiles, 'hold'>
  readonly snapshots: { transfer(row: TransferRow): NonNullable<UploadItem['transfer']> }
  readonly bus: Pick<Bus, 'changed'>
}

/**
 * Whether the file hasn't been touched since this version was sent, according to its ctime. A touched file
 * may have other bytes despite the same size and mtime, so it is read before its link is handed out.
 */
function isUntouched(done: TransferRow, entry: Entry): boolean {
  const at = done.intentAt ?? done.doneAt
  return at === null || entry.ctime <= at
}

/** The transfer that has already uploaded this version of a file and whose link still works, or null. */
export function liveVersion(
  {
    transfers,
    remote,
  }: { readonly transfers: Pick<Transfers, 'doneVersion'>; readonly remote: Parameters<typeof isLive>[1] },
  path: string,
  entry: Entry,
): TransferRow | null {
  const done = transfers.doneVersion(path, entry.size, entry.mtime)
  return done !== null && isLive(done, remote) && isUntouched(done, entry) ? done : null
}

/** The transfer that has already uploaded exactly this version of a named file, or null. */
export function uploadedVersion(
  transfers: Pick<Transfers, 'doneVersion'>,
  { path, entry, outcome }: Named,
): TransferRow | null {
  return entry === null || outcome !== 'file' ? null : transfers.doneVersion(path, entry.size, entry.mtime)
}

/**
 * The verdict based on a file's names alone, before any byte is read. `released`: a transfer's
 * comma-separated list of approvals.
 */
export function verdictOnNames(
  guard: Guard,
  path: string,
  typed: string | null,
  released: string | null,
): Verdict {
  const secret = guard.byName(path, typed)?.rule ?? null
  return admit({
    place: null,
    watched: true,
    caught: null,
    secret,
    released: released?.split(',').includes('secret') === true,
  })
}

/** One call of `register`. */
interface Registration {
  /** Whether to send files even if they are already uploaded. */
  readonly again: boolean
  /**
   * Idempotency key. Repeating the call with the same token, even in another process, returns the transfers
   * already registered.
   */
  readonly token: string
  /** Whether new transfers are paused. */
  readonly isPaused: boolean
  /** Paths of files that may not be finished. */
  readonly unfinished: ReadonlySet<string>
}

/** Registers the named files as transfers, in one transaction. */
export function register(
  options: RegisterOptions,
  named: readonly Named[],
  call: Registration,
): readonly UploadItem[] {
  return options.db.tx(() =>
    named.map((item): UploadItem => {
      if (item.entry === null || item.outcome !== 'file')
        return {
          path: item.path,
          ...typedOf(item),
          transfer: null,
          outcome: item.outcome === 'ignored' ? 'ignored' : 'failed',
          reason: item.reason,
          ...(item.direct ? { direct: true } : {}),
        }
      const row = registerOne(options, item, item.entry, call)
      return {
        path: item.path,
        ...typedOf(item),
        transfer: options.snapshots.transfer(row),
        outcome: row.state === 'done' ? 'already' : 'queued',
        reason: null,
      }
    }),
  )
}

function typedOf({ typed }: Named): Pick<UploadItem, 'typed'> {
  return typed === null ? {} : { typed }
}

function registerOne(o: RegisterOptions, item: Named, entry: Entry, call: Registration): TransferRow {
  const { transfers } = o
  const { path } = item
  const registered = transfers.byToken(path, call.token)
  if (registered !== null) return registered
  const done = call.again ? null : liveVersion(o, path, entry)
  if (done !== null) return done
  const newest = transfers.newestOfPath(path)
  // A transfer in flight or unconfirmed keeps its version. A later version becomes a separate transfer, and
  // so does a version whose transfer is being cancelled.
  const isSent = newest !== null && (newest.state === 'uploading' || newest.state === 'unknown')
  const isOther = isSent && (newest.cancel || newest.size !== entry.size || newest.mtime !== entry.mtime)
  const isOver =
    newest !== null && (newest.state === 'done' || newest.state === 'gone' || newest.state === 'cancelled')
  if (newest !== null && !isOther && !isOver) return join(o, newest, item, entry, call)
  // If the older transfer has to be sent again, it would send what is on disk, which is the new version.
  // Hashing the file first avoids sending that version twice.
  if (newest !== null && isOther) transfers.setHashFirst(newest.id)
  return add(o, item, entry, call)
}

/**
 * Attaches this request to the transfer that the file already has, and raises its priority, because a user is
 * now waiting for it.
 */
function join(
  o: RegisterOptions,
  row: TransferRow,
  { typed, direct }: Named,
  entry: Entry,
  call: Registration,
): TransferRow {
  const { transfers } = o
  transfers.setToken(row.id, call.token)
  transfers.setPriority(row.id, Math.max(row.priority, PRIORITY.named))
  if (typed !== null) transfers.setNamed(row.id, typed)
  if (row.reuseOnly) transfers.setReuseOnly(row.id, false)
  if (row.isInside && (direct || call.again)) transfers.setInside(row.id, false)
  // `again` means that the user wants the file sent even if the service already has it.
  if (call.again)
    transfers.setReleased(row.id, [...new Set([...(row.released?.split(',') ?? []), 'ambiguous'])].join(','))
  // A transfer left over from an earlier watch is sent now because the user named the file, whether or not
  // its folder is watched.
  if (row.folderId !== null && !o.folders.isOpen(row.folderId)) transfers.setFolder(row.id, null)
  const verdict = verdictOnNames(o.guard, row.path, typed ?? row.named, row.released)
  if (verdict.kind === 'held') {
    if (row.state === 'queued' || row.state === 'waiting' || row.state === 'failed')
      transfers.transition(row.id, { kind: 'held', reason: 'secret', message: verdict.rule })
  } else if (row.state === 'waiting' && row.reason === 'settling' && call.unfinished.has(row.path))
    o.namedFiles.hold(row.id, row.path, entry)
  else if (
    row.state === 'failed' ||
    (row.state === 'waiting' && row.reason !== null && ENDED_BY_NAMING.has(row.reason))
  )
    transfers.transition(row.id, { kind: 'requeued' })
  o.bus.changed(row.id)
  return transfers.get(row.id) ?? row
}

function add(
  o: RegisterOptions,
  { path, typed, direct }: Named,
  entry: Entry,
  call: Registration,
): TransferRow {
  const { transfers, claims } = o
  const isInside = !direct && !call.again
  const verdict = verdictOnNames(o.guard, path, typed, null)
  const id = transfers.add({
    source: 'upload',
    folderId: null,
    path,
    named: typed,
    name: entry.name,
    size: entry.size,
    mtime: entry.mtime,
    state: verdict.kind === 'held' ? 'held' : 'queued',
    reason: verdict.kind === 'held' ? verdict.reason : null,
    message: verdict.kind === 'held' ? verdict.rule : null,
    priority: PRIORITY.named,
    token: call.token,
    again: call.again,
    // The content may be the same as content of this size that was deleted at this path.
    hashFirst: isInside && claims.hasEnded(path, entry.size),
    replaces: null,
    createdAt: o.clock.now(),
  })
  if (isInside) transfers.setInside(id, true)
  if (call.isPaused) transfers.setPaused([id], true)
  else if (verdict.kind !== 'held' && call.unfinished.has(path)) o.namedFiles.hold(id, path, entry)
  // A watched folder's row for this file may refer to a transfer whose claim on the remote file has ended. If
  // so, point the row to the new transfer, so that the folder's audit counts that one.
  claims.represent(path, id)
  o.bus.changed(id)
  const row = transfers.get(id)
  if (row === null) throw new Error('a transfer that was just added is not there')
  return row
}
